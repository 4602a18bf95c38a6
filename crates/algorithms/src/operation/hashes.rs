//! Rows of universal hash functions.

use evariste_descriptions::{Addition, Mmh, Part, SquareHash, Structure, Tmmh, Words};
use num_bigint::BigUint;

use super::member::Operation;
use super::row::{Holds, Kind, OUT, Row, Slot};

const KEY: Slot = Slot::new("key", Holds::Part(Part::Key));
const MESSAGE: Slot = Slot::new("message", Holds::Part(Part::Message));
const TWO: &[Slot] = &[KEY, MESSAGE];
const PLUS: &[Slot] = &[KEY, MESSAGE, Slot::new("b", Holds::Part(Part::Word))];

const SUM: Slot = Slot::new("state", Holds::Part(Part::Sum));
const MORE: &[Slot] = &[KEY, MESSAGE, SUM];
const SUM_OUT: Slot = Slot::new("out", Holds::Part(Part::Sum));

impl Operation {
    /// The hash as it is defined.
    pub const HASH: Operation = Operation::of(&Row::new(
        Kind::Hashes,
        "hash",
        TWO,
        &[OUT],
        "the hash of a message by a key of as many words, its sum exact; strings are in hexadecimal",
        |s, _, x| square(s, x, Addition::Exact).or_else(|| mmh(s, x, Words { signed: false, wrapping: false })),
    ));

    /// MMH as it is implemented.
    pub const HASH_WRAPPING: Operation = Operation::of(&Row {
        synonyms: &["hash-wrapping"],
        ..Row::new(
            Kind::Hashes,
            "hash_wrapping",
            TWO,
            &[OUT],
            "MMH with a sum that counts modulo 2^(2n), as implementations have it",
            |s, _, x| mmh(s, x, Words { signed: false, wrapping: true }),
        )
    });

    /// MMH of signed words.
    pub const HASH_SIGNED: Operation = Operation::of(&Row {
        synonyms: &["hash-signed"],
        ..Row::new(
            Kind::Hashes,
            "hash_signed",
            TWO,
            &[OUT],
            "MMH of words in two's complement, its sum exact",
            |s, _, x| mmh(s, x, Words { signed: true, wrapping: false }),
        )
    });

    /// MMH of signed words as it is implemented.
    pub const HASH_WRAPPING_SIGNED: Operation = Operation::of(&Row {
        synonyms: &["hash-wrapping-signed", "hash_signed_wrapping", "hash-signed-wrapping"],
        ..Row::new(
            Kind::Hashes,
            "hash_wrapping_signed",
            TWO,
            &[OUT],
            "MMH of words in two's complement, with a sum of 2n bits in two's complement",
            |s, _, x| mmh(s, x, Words { signed: true, wrapping: true }),
        )
    });

    /// Square hash of sums modulo `2^n`.
    pub const WRAPPING: Operation = Operation::of(&Row {
        synonyms: &["hash_wrapping", "hash-wrapping"],
        ..Row::new(
            Kind::Hashes,
            "wrapping",
            TWO,
            &[OUT],
            "square hash with sums of words modulo 2^n, another function than hash",
            |s, _, x| square(s, x, Addition::Wrapping),
        )
    });

    /// Square hash with an addend.
    pub const HASH_PLUS: Operation = Operation::of(&Row {
        synonyms: &["hash-plus"],
        ..Row::new(
            Kind::Hashes,
            "hash_plus",
            PLUS,
            &[OUT],
            "square hash with a word b of the key added before the reduction, which makes it strongly universal",
            |s, _, x| square(s, x, Addition::Exact),
        )
    });

    /// The same of sums modulo `2^n`.
    pub const WRAPPING_PLUS: Operation = Operation::of(&Row {
        synonyms: &["wrapping-plus"],
        ..Row::new(Kind::Hashes, "wrapping_plus", PLUS, &[OUT], "the same with sums of words modulo 2^n", |s, _, x| {
            square(s, x, Addition::Wrapping)
        })
    });

    /// Another piece of a message.
    pub const ABSORB: Operation = Operation::of(&Row::new(
        Kind::Hashes,
        "absorb",
        MORE,
        &[SUM_OUT],
        "a running sum, 0 at first, with another piece of a message by the next words of the key: a residue; hash is finish of the last one",
        |s, _, x| {
            let square = s.get::<SquareHash>().map(|hash| hash.absorb(&x[0], &x[1], &x[2], Addition::Exact));
            square.or_else(|| Some(s.get::<Mmh>()?.absorb(&x[0], &x[1], &x[2], false)))
        },
    ));

    /// The same of hashes that wrap.
    pub const ABSORB_WRAPPING: Operation = Operation::of(&Row {
        synonyms: &["absorb-wrapping"],
        ..Row::new(
            Kind::Hashes,
            "absorb_wrapping",
            MORE,
            &[SUM_OUT],
            "the same for hash_wrapping of MMH, where the running sum counts modulo 2^(2n), and for wrapping of square hash",
            |s, _, x| {
                let square = s.get::<SquareHash>().map(|hash| hash.absorb(&x[0], &x[1], &x[2], Addition::Wrapping));
                square.or_else(|| Some(s.get::<Mmh>()?.absorb(&x[0], &x[1], &x[2], true)))
            },
        )
    });

    /// The hash that a running sum is.
    pub const FINISH: Operation = Operation::of(&Row::new(
        Kind::Hashes,
        "finish",
        &[SUM],
        &[OUT],
        "the hash that a running sum is: its residue, truncated",
        |s, _, x| {
            let square = s.get::<SquareHash>().map(|hash| hash.finish(&x[0]));
            square.or_else(|| Some(s.get::<Mmh>()?.finish(&x[0])))
        },
    ));

    /// The first word of a tag of TMMH/16.
    pub const TAG_WORD: Operation = Operation::of(&Row {
        synonyms: &["tag-word"],
        ..Row::new(
            Kind::Hashes,
            "tag_word",
            TWO,
            &[Slot::new("out", Holds::Part(Part::Word))],
            "the first two bytes of a tag, a word of the key for the length of the message before those for the message; word j + 1 is that by the key from word j + 1 on",
            |s, _, x| s.get::<Tmmh>()?.tag_word(&x[0], &x[1]),
        )
    });

    /// A tag of TMMH/16.
    pub const TAG: Operation = Operation::of(&Row {
        asked: Some(first_bytes),
        ..Row::new(
            Kind::Hashes,
            "tag",
            &[Slot::new("key", Holds::Part(Part::TagKey)), MESSAGE, Slot::new("bytes", Holds::Part(Part::Count))],
            &[Slot::new("out", Holds::Part(Part::Message))],
            "the tag of so many bytes that a key gives a message; strings are in hexadecimal; kernels give 16 bytes, of which shorter tags are the first",
            |s, _, x| s.get::<Tmmh>()?.tag_string(&x[0], &x[1], &x[2]),
        )
    });
}

/// The first bytes of a string, as many as the third operand says.
fn first_bytes(operands: &[BigUint], string: BigUint) -> BigUint {
    let bits =
        operands.get(2).and_then(|bytes| u64::try_from(bytes).ok()).map_or(u64::MAX, |bytes| bytes.saturating_mul(8));
    let has = string.bits().saturating_sub(1);
    string >> has.saturating_sub(bits)
}

fn mmh(s: &dyn Structure, x: &[BigUint], how: Words) -> Option<BigUint> {
    Some(s.get::<Mmh>()?.hash_strings(&x[0], &x[1], how))
}

fn square(s: &dyn Structure, x: &[BigUint], addition: Addition) -> Option<BigUint> {
    let none = BigUint::ZERO;
    Some(s.get::<SquareHash>()?.hash_strings(&x[0], &x[1], x.get(2).unwrap_or(&none), addition))
}
