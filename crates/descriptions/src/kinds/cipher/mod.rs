//! Ciphers: the block ciphers DFC and DFCv2, the stream cipher WG; reference arithmetic, slow and obviously right.

pub mod dfc;
mod dfc_structure;
mod euler;
pub mod wg;
pub mod wg_field;

use std::ops::Range;

pub use self::dfc::Dfc;
pub use self::wg::Wg;
use crate::kind::Kind;
use crate::lexer::quoted;
use crate::lists::trimmed;
use crate::names::normalised;
use crate::{Diagnostic, Field};

/// Ciphers.
pub(crate) const KIND: Kind = Kind { what: "ciphers", example: "cipher:dfc", again: None, parse };

/// Text, what it is, and where that is written.
pub const CIPHERS: &[[&str; 3]] = &[
    [
        "cipher:dfc",
        "the block cipher DFC, candidate for AES",
        "Gilbert, Girault, Hoogvorst, Noilhan, Pornin, Poupard, Stern, Vaudenay, 1998",
    ],
    [
        "cipher:dfcv2",
        "the block cipher DFCv2-128 (also dfcv2-r10-s4)",
        "Granboulan, Nguyen, Noilhan, Vaudenay, SAC 2000",
    ],
    ["cipher:wg", "the stream cipher WG of eSTREAM's second round", "Nawaz, Gong, eSTREAM report 2005/033"],
];

/// What ciphers begin with.
const PREFIX: &str = "cipher:";
/// The most rounds, and the most rounds for a round key, of DFCv2: its walk has 128 steps.
const MOST_STEPS: u32 = 128;

fn parse(text: &str, within: Range<usize>) -> Option<Result<Field, Diagnostic>> {
    let head = text[within.clone()].get(..PREFIX.len())?;
    head.eq_ignore_ascii_case(PREFIX).then(|| cipher(text, trimmed(text, within.start + PREFIX.len()..within.end)))
}

fn cipher(text: &str, at: Range<usize>) -> Result<Field, Diagnostic> {
    let wanted = normalised(&text[at.clone()]);
    match wanted.as_str() {
        "dfc" => return Ok(Field::new(Dfc::ONE)),
        "dfcv2" | "dfc-v2" | "dfc2" => return Ok(Field::new(Dfc::TWO)),
        "wg" | "wg-v2" => return Ok(Field::new(Wg::NEW)),
        _ => {}
    }
    let Some(rounds) = wanted.strip_prefix("dfcv2-r") else {
        let names: Vec<&str> = CIPHERS.iter().map(|[name, ..]| *name).collect();
        let message = format!("there is no cipher called {}", quoted(&text[at.clone()]));
        return Err(Diagnostic::new(text, at, message).with_help(format!("there are {}", names.join(", "))));
    };
    let number = |digits: &str| digits.parse::<u32>().ok().filter(|n| *n > 0 && !digits.starts_with('+'));
    let both = rounds.split_once("-s").and_then(|(r, s)| Some([number(r)?, number(s)?]));
    let possible = |[r, s]: &[u32; 2]| r.checked_mul(*s).is_some_and(|steps| steps <= MOST_STEPS);
    match both.filter(possible) {
        Some([r, s]) => Ok(Field::new(Dfc::new(Some(s), r))),
        None => {
            let message = format!("{} is no DFCv2", quoted(&text[at.clone()]));
            let help = format!("write dfcv2-rR-sS for R rounds with S for each round key, R*S at most {MOST_STEPS}");
            Err(Diagnostic::new(text, at, message).with_help(help))
        }
    }
}
