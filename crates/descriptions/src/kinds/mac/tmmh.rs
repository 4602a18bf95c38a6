//! TMMH/16, version 1, by its definition.
//!
//! Source: McGrew, "The Truncated Multi-Modular Hash Function (TMMH), Version One" (Internet-Draft, 2001).

use std::ops::Range;

use num_bigint::{BigInt, BigUint};
use num_traits::ToPrimitive;

use crate::strings::{Counts, Lengths, Strings, of_bytes, unmarked, words};
use crate::{Diagnostic, Part, Structure};

/// Bits of a word.
const WORD: u32 = 16;

/// TMMH/16.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tmmh {
    key: Strings,
    message: Strings,
    word: Strings,
    count: Counts,
}

impl Tmmh {
    /// The modulus.
    pub const PRIME: u32 = 65537;

    pub(super) const NEW: Tmmh = Tmmh {
        key: Strings { what: "a key", lengths: Lengths::Multiples(WORD) },
        message: Strings { what: "a message", lengths: Lengths::Multiples(8) },
        word: Strings::one("a word of a tag", WORD),
        count: Counts {
            what: "bytes of a tag",
            most: (1 << 16, "each two of them need another word of the key"),
            multiple: 2,
            at_once: 1 << 16,
        },
    };

    /// The tag of a message of bytes, in so many words.
    pub fn tag(&self, key: &[u16], message: &[u8], words: usize) -> Vec<u16> {
        // An odd byte is filled up; its length is that of the message.
        let filled = message.chunks(2).map(|pair| u16::from_be_bytes([pair[0], pair.get(1).copied().unwrap_or(0)]));
        let all: Vec<u64> = std::iter::once(message.len() as u64).chain(filled.map(u64::from)).collect();
        let word = |j: usize| {
            let products = key.iter().skip(j).zip(&all).map(|(k, m)| u128::from(*k) * u128::from(*m));
            let sum = products.sum::<u128>() % (1 << 32);
            (sum % u128::from(Tmmh::PRIME) % 65536) as u16
        };
        (0..words).map(word).collect()
    }

    /// The first word of a tag of strings.
    pub fn tag_word(&self, key: &BigUint, message: &BigUint) -> Option<BigUint> {
        Some(unmarked(&self.tag_string(key, message, &(WORD / 8).into())?).0)
    }

    /// The words of a key.
    pub fn key_words(key: &BigUint) -> Vec<BigUint> {
        words(key, WORD)
    }

    /// What words of a key are multiplied by: the length of a message in bytes, and its words, the last one filled up.
    pub fn message_words(message: &BigUint) -> Vec<BigUint> {
        let bytes = unmarked(message).1 / 8;
        let filled = if bytes.is_multiple_of(2) { message.clone() } else { message << 8u32 };
        [vec![bytes.into()], words(&filled, WORD)].concat()
    }

    /// The same of strings and a number of bytes.
    pub fn tag_string(&self, key: &BigUint, message: &BigUint, bytes: &BigUint) -> Option<BigUint> {
        let key: Vec<u16> = words(key, WORD).iter().filter_map(BigUint::to_u16).collect();
        let message: Vec<u8> = words(message, 8).iter().filter_map(BigUint::to_u8).collect();
        let tag = self.tag(&key, &message, bytes.to_usize()? / 2);
        Some(of_bytes(&tag.iter().flat_map(|word| word.to_be_bytes()).collect::<Vec<u8>>()))
    }
}

impl Structure for Tmmh {
    fn name(&self) -> String {
        "mac-tmmh16".to_owned()
    }

    fn text(&self) -> String {
        "mac:tmmh16".to_owned()
    }

    fn description(&self) -> String {
        "mac:tmmh16: TMMH/16, version 1: word j of a tag is ((K_j*len + K_(j+1)*M_1 + ... mod 2^32) mod 2^16 + 1) mod 2^16\n\
         keys: words of 16 bits, as many as the message and the tag have together; messages: bytes, len of them\n\
         source: McGrew: The Truncated Multi-Modular Hash Function, Internet-Draft, 2001"
            .to_owned()
    }

    fn package_title(&self) -> String {
        "The hash function TMMH/16".to_owned()
    }

    fn bits(&self) -> u32 {
        WORD
    }

    fn element(&self, _: &BigInt) -> Option<BigUint> {
        None
    }

    fn read(&self, text: &str, within: Range<usize>) -> Option<Result<BigUint, Diagnostic>> {
        self.message.read(text, within)
    }

    fn written(&self, a: &BigUint) -> Option<String> {
        self.message.written(a)
    }

    fn part(&self, part: Part) -> Option<&dyn Structure> {
        match part {
            Part::Key | Part::TagKey => Some(&self.key),
            Part::Message => Some(&self.message),
            Part::Word => Some(&self.word),
            Part::Count => Some(&self.count),
            _ => None,
        }
    }

    /// The key has a word for each of the message and of the tag.
    fn complaint(&self, _: &str, operands: &[BigUint]) -> Option<String> {
        let (key, message) = (operands.first()?, operands.get(1)?);
        // Without a number of bytes it is one word.
        let bytes = operands.get(2).cloned().unwrap_or_else(|| (WORD / 8).into());
        if bytes == BigUint::ZERO {
            return Some("a tag of 0 bytes is none\nhelp: write 2, 4, …".to_owned());
        }
        let needed = bytes / 2u32 + unmarked(message).1.div_ceil(u64::from(WORD));
        let given = unmarked(key).1 / u64::from(WORD);
        (BigUint::from(given) < needed).then(|| {
            format!("the key has {given} words, and this message and tag need {needed}\nhelp: write {needed} words of 16 bits or more")
        })
    }
}
