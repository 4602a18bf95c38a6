//! The description parser on mutated texts: it never panics, it is never slow, and its answers hold together.
//!
//! The mutator is our own and deterministic; the corpus is `tests/corpus/descriptions.txt`, one text a
//! line. A text that once failed is added there.

use evariste_descriptions::{Field, SquareHash};
use evariste_testing::Random;
use std::time::{Duration, Instant};

/// Texts tried.
const ROUNDS: u32 = 200_000;
/// No single text may take longer; a prime of 4096 bits takes a small part of this.
const SLOWEST: Duration = Duration::from_secs(10);

const PIECES: &[&str] = &[
    "2^",
    "^",
    "(",
    ")",
    "-",
    "+",
    "*",
    " ",
    "0x",
    "_",
    "int",
    "GF(2^",
    "):onb2",
    ":",
    "p256",
    "255",
    "19",
    "9999999999",
    "é",
    "−",
    "\u{0}",
    "\n",
    "onb2",
    "bn254-",
    "3",
    "1",
    "0",
    "ffff",
    "e9",
    "😀",
    "[u]/(u^2+1)",
    "[",
    "]/(",
    "v",
    "curve:",
    "@",
    "x^3",
    ",base=[",
    "cipher:",
    "mac:",
    "-r8-s",
];

/// One to four changes: drop, double, replace, insert a piece, or splice with another text.
fn mutated(corpus: &[&str], random: &mut Random) -> String {
    let mut text: Vec<char> = corpus[random.index(corpus.len())].chars().collect();
    for _ in 0..=random.index(4) {
        let at = random.index(text.len() + 1);
        let end = (at + random.index(6)).min(text.len());
        match random.index(5) {
            0 => drop(text.drain(at..end)),
            1 => {
                let part: Vec<char> = text[at..end].to_vec();
                text.splice(at..at, part);
            }
            2 if at < text.len() => text[at] = char::from((32 + random.index(95)) as u8),
            3 => {
                let piece = PIECES[random.index(PIECES.len())];
                text.splice(at..at, piece.chars());
            }
            _ => {
                let other: Vec<char> = corpus[random.index(corpus.len())].chars().collect();
                let from = random.index(other.len() + 1);
                text.truncate(at);
                text.extend(&other[from..]);
            }
        }
    }
    text.into_iter().collect()
}

#[test]
fn mutated_descriptions() {
    let corpus: Vec<&str> = include_str!("corpus/descriptions.txt").lines().collect();
    let mut random = Random(0x6576_6172_6973_7465);
    let (mut understood, mut refused) = (0u32, 0u32);
    let unchanged = corpus.iter().map(|text| (*text).to_owned());
    let mut texts = unchanged.collect::<Vec<_>>();
    while texts.len() < ROUNDS as usize {
        texts.push(mutated(&corpus, &mut random));
    }
    for text in texts {
        let start = Instant::now();
        match Field::parse(&text) {
            Ok(field) => {
                understood += 1;
                // A square hash may have a bit.
                let least = if field.get::<SquareHash>().is_some() { 1 } else { 2 };
                assert!((least..=24 * 1024).contains(&field.bits()), "{text:?}");
                assert!(!field.name().is_empty() && !field.identifier().is_empty(), "{text:?}");
                // A sample, because it doubles the primality tests.
                if understood % 16 == 0 {
                    assert_eq!(Field::parse(&field.text()).as_ref(), Ok(&field), "{text:?}");
                }
            }
            Err(error) => {
                refused += 1;
                assert!(text.get(error.span.clone()).is_some(), "{text:?}: span {:?}", error.span);
                assert!(!error.message.is_empty() && !error.help.is_empty(), "{text:?}");
                assert!(error.to_string().lines().count() >= 4, "{text:?}");
                assert!(error.to_string().chars().all(|c| c == '\n' || !c.is_control()), "{text:?}");
            }
        }
        assert!(start.elapsed() < SLOWEST, "slow: {text:?}");
    }
    // Both answers occur often, or the corpus no longer reaches the parser.
    assert!(understood > ROUNDS / 20 && refused > ROUNDS / 20, "{understood} understood, {refused} refused");
}
