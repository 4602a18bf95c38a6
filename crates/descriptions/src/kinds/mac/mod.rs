//! Universal hash functions for message authentication: MMH, TMMH/16, square hash; reference arithmetic, slow and
//! obviously right. A tag is such a hash combined with a pad, which is outside of them.

pub mod mmh;
pub mod square_hash;
pub mod tmmh;

use std::ops::Range;

use num_bigint::BigUint;
use num_traits::One;

pub use self::mmh::{Mmh, Words};
pub use self::square_hash::{Addition, SquareHash};
pub use self::tmmh::Tmmh;
use crate::kind::Kind;
use crate::lexer::quoted;
use crate::lists::trimmed;
use crate::names::normalised;
use crate::prime::is_prime;
use crate::strings::unmarked;
use crate::{Diagnostic, Field};

/// Hash functions.
pub(crate) const KIND: Kind =
    Kind { what: "universal hash functions for message authentication", example: "mac:mmh32", again: None, parse };

/// Text, what it is, and where that is written.
pub const MACS: &[[&str; 3]] = &[
    ["mac:mmh32", "MMH on words of 32 bits, modulo 2^32 + 15", "Halevi, Krawczyk, FSE 1997"],
    ["mac:mmh16", "the same on words of 16 bits, modulo 2^16 + 1", "after Halevi, Krawczyk, FSE 1997"],
    ["mac:mmh64", "the same on words of 64 bits, modulo 2^64 + 13", "after Halevi, Krawczyk, FSE 1997"],
    ["mac:tmmh16", "TMMH/16, version 1, on bytes", "McGrew, Internet-Draft, 2001"],
    [
        "mac:square-hash-32",
        "square hash on words of N = 8, 16, … 128 bits (square-hash-N), of L bits (square-hash-N-L)",
        "Etzel, Patel, Ramzan, CRYPTO 1999",
    ],
];

/// What hash functions begin with.
const PREFIX: &str = "mac:";
/// The longest words.
const MOST_BITS: u32 = 128;

fn parse(text: &str, within: Range<usize>) -> Option<Result<Field, Diagnostic>> {
    let head = text[within.clone()].get(..PREFIX.len())?;
    head.eq_ignore_ascii_case(PREFIX).then(|| mac(text, trimmed(text, within.start + PREFIX.len()..within.end)))
}

fn mac(text: &str, at: Range<usize>) -> Result<Field, Diagnostic> {
    let wanted = normalised(&text[at.clone()]);
    match wanted.as_str() {
        "mmh16" | "mmh-16" => return Ok(Field::new(Mmh::new(16))),
        "mmh32" | "mmh-32" | "mmh" => return Ok(Field::new(Mmh::new(32))),
        "mmh64" | "mmh-64" => return Ok(Field::new(Mmh::new(64))),
        "tmmh16" | "tmmh-16" | "tmmh/16" => return Ok(Field::new(Tmmh::NEW)),
        _ => {}
    }
    let Some(bits) = wanted.strip_prefix("square-hash-") else {
        let names: Vec<&str> = MACS.iter().map(|[name, ..]| *name).collect();
        let message = format!("there is no hash function called {}", quoted(&text[at.clone()]));
        return Err(Diagnostic::new(text, at, message).with_help(format!("there are {}", names.join(", "))));
    };
    let (n, l) = bits.split_once('-').unwrap_or((bits, bits));
    let number = |digits: &str| digits.parse::<u32>().ok().filter(|_| !digits.starts_with('+'));
    let possible = |(n, l): &(u32, u32)| n.is_multiple_of(8) && (8..=MOST_BITS).contains(n) && (1..=*n).contains(l);
    match number(n).zip(number(l)).filter(possible) {
        Some((n, l)) => Ok(Field::new(SquareHash::new(n, l))),
        None => {
            let message = format!("{} is no square hash", quoted(&text[at.clone()]));
            let help = format!(
                "write square-hash-N for words of N bits, a multiple of 8 up to {MOST_BITS}, or square-hash-N-L for a result of L bits, at most N"
            );
            Err(Diagnostic::new(text, at, message).with_help(help))
        }
    }
}

/// The least prime above `2^bits`.
fn prime_above(bits: u32) -> BigUint {
    let power = BigUint::one() << bits;
    (1u32..).step_by(2).map(|c| &power + c).find(is_prime).unwrap_or(power)
}

/// Key and message have the same number of words.
fn as_long(operands: &[BigUint]) -> Option<String> {
    let [key, message] = operands.get(..2)? else { return None };
    let [key, message] = [key, message].map(|string| unmarked(string).1);
    (key != message).then(|| {
        format!(
            "a key of {key} bits does not go with a message of {message}: there is a word of the key for each of the message\n\
             help: write as many of both"
        )
    })
}
