//! Names of resources, by what saturates them.

use crate::classes::Classes;
use crate::fit::Fit;
use crate::subject::{Probe, Specimen};

/// The part of all classes that ask for a slot of the front end.
const NEARLY_ALL: f64 = 0.8;

/// One name each, all different.
pub(crate) fn resources<I: Probe>(all: &[Specimen<I>], classes: &Classes, fit: &Fit) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for r in &fit.resources {
        let leader = |class: &usize| all[classes.leaders[*class]].name.as_str();
        let base = r.by.iter().map(leader).collect::<Vec<&str>>().join(" + ");
        let asked = r.uses.iter().filter(|units| **units > 0.0).count() as f64 / r.uses.len() as f64;
        let least = r.uses.iter().copied().filter(|units| *units > 0.0).fold(f64::MAX, f64::min);
        let kind = I::KINDS.iter().find(|(_, members)| members.contains(&base.as_str())).map(|(kind, _)| *kind);
        // What everything waits for in equal parts is the front end.
        let kind = if asked >= NEARLY_ALL && least >= 0.1 { Some("issue") } else { kind };
        // What has a kind or a class in common with another resource has a number.
        let first = kind.into_iter().chain([base.as_str()]).map(str::to_string);
        let numbered = (2..).map(|i| format!("{base} {i}"));
        let name = first.chain(numbered).find(|name| !names.contains(name));
        names.extend(name);
    }
    names
}
