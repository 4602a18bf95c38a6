//! The grammar of pairings: `pairing:` and a name.

use std::ops::Range;

use super::Pairing;
use super::settings::{NamedPairing, named_pairings};
use crate::kind::Kind;
use crate::lexer::quoted;
use crate::lists::trimmed;
use crate::names::normalised;
use crate::{Diagnostic, Field};

/// Pairings.
pub(crate) const KIND: Kind =
    Kind { what: "the pairing of two groups of points", example: "pairing:bls12-381", again: None, parse };

/// What pairings begin with.
const PREFIX: &str = "pairing:";

fn parse(text: &str, within: Range<usize>) -> Option<Result<Field, Diagnostic>> {
    let head = text[within.clone()].get(..PREFIX.len())?;
    head.eq_ignore_ascii_case(PREFIX).then(|| pairing(text, trimmed(text, within.start + PREFIX.len()..within.end)))
}

fn pairing(text: &str, at: Range<usize>) -> Result<Field, Diagnostic> {
    let wanted = normalised(&text[at.clone()]);
    let is = |named: &&NamedPairing| named.name == wanted || named.aliases.contains(&wanted.as_str());
    match named_pairings().iter().find(is).and_then(Pairing::new) {
        Some(pairing) => Ok(Field::new(pairing)),
        None => {
            let names: Vec<String> = named_pairings().iter().map(|named| format!("{PREFIX}{}", named.name)).collect();
            let message = format!("there is no pairing called {}", quoted(&text[at.clone()]));
            Err(Diagnostic::new(text, at, message).with_help(format!("there are {}", names.join(", "))))
        }
    }
}
