//! The description parser on mutated texts: it never panics, it is never slow, and its answers hold together.
//!
//! The mutator is our own and deterministic; the corpus is `tests/corpus/descriptions.txt`, one text a
//! line. A text that once failed is added there.

use evariste_descriptions::Field;
use std::time::{Duration, Instant};

/// Texts tried.
const ROUNDS: u32 = 200_000;
/// No single text may take longer; a prime of 4096 bits takes a small part of this.
const SLOWEST: Duration = Duration::from_secs(10);

/// splitmix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }
}

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
];

/// One to four changes: drop, double, replace, insert a piece, or splice with another text.
fn mutated(corpus: &[&str], random: &mut Random) -> String {
    let mut text: Vec<char> = corpus[random.below(corpus.len())].chars().collect();
    for _ in 0..=random.below(4) {
        let at = random.below(text.len() + 1);
        let end = (at + random.below(6)).min(text.len());
        match random.below(5) {
            0 => drop(text.drain(at..end)),
            1 => {
                let part: Vec<char> = text[at..end].to_vec();
                text.splice(at..at, part);
            }
            2 if at < text.len() => text[at] = char::from((32 + random.below(95)) as u8),
            3 => {
                let piece = PIECES[random.below(PIECES.len())];
                text.splice(at..at, piece.chars());
            }
            _ => {
                let other: Vec<char> = corpus[random.below(corpus.len())].chars().collect();
                let from = random.below(other.len() + 1);
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
                assert!((2..=4096).contains(&field.bits()), "{text:?}");
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
