//! Names of resources, by what saturates them.

use crate::fit::Fit;
use crate::subject::{Probe, Specimen};

/// One name each, all different.
pub(crate) fn resources<I: Probe>(all: &[Specimen<I>], fit: &Fit) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for r in &fit.resources {
        let base = r.by.iter().map(|i| all[*i].name.as_str()).collect::<Vec<&str>>().join(" + ");
        let kind = I::KINDS.iter().find(|(_, members)| members.contains(&base.as_str())).map(|(kind, _)| *kind);
        // What everything waits for is the front end.
        let kind = if r.slots { Some("issue") } else { kind };
        // What has a kind or a class in common with another resource has a number.
        let first = kind.into_iter().chain([base.as_str()]).map(str::to_string);
        let numbered = (2..).map(|i| format!("{base} {i}"));
        let name = first.chain(numbered).find(|name| !names.contains(name));
        names.extend(name);
    }
    names
}
