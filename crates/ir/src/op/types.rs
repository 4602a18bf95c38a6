//! The types that operations take and give.

use num_bigint::BigInt;
use num_traits::Zero;

use super::operation::Op;
use super::row::Types;
use crate::float::Format;
use crate::interval::{Interval, pow2};
use crate::types::Type;

/// Does the type exist?
pub(crate) fn is_valid(ty: Type) -> bool {
    match ty {
        Type::Word(n) => (1..=64).contains(&n),
        Type::Wide(n) => (2..=128).contains(&n) && n % 2 == 0,
        Type::Float(m) => Format::new(m).is_some(),
        Type::Mask(n) => (1..=128).contains(&n),
        Type::Flag => true,
    }
}

/// Can a constant or an entry of a table have that type? A mask is all zeros or all ones.
pub(crate) fn constant_fits(c: &BigInt, ty: Type) -> bool {
    match ty {
        Type::Mask(n) => c.is_zero() || *c == pow2(n as u32) - 1,
        _ => Interval::point(c.clone()).fits(ty),
    }
}

pub(super) fn ensure(fine: bool, message: impl FnOnce() -> String) -> Result<(), String> {
    if fine { Ok(()) } else { Err(message()) }
}

fn says(fine: bool, message: &str) -> Result<(), String> {
    ensure(fine, || message.to_string())
}

fn is_word(t: Type) -> bool {
    matches!(t, Type::Word(_))
}

fn is_integer(t: Type) -> bool {
    matches!(t, Type::Word(_) | Type::Wide(_))
}

fn is_float(t: Type) -> bool {
    matches!(t, Type::Float(_))
}

fn is_mask(t: Type) -> bool {
    matches!(t, Type::Mask(_))
}

/// All operands and results of one type that satisfies `class`.
fn same(args: &[Type], results: &[Type], class: fn(Type) -> bool, what: &str) -> Result<(), String> {
    let first = args[0];
    ensure(class(first), || format!("the operands must be {what}"))?;
    says(args.iter().chain(results).all(|t| *t == first), "operands and results must have one type")
}

const fn types(operands: usize, check: fn(&Op, &[Type], &[Type]) -> Result<(), String>) -> Types {
    Types { operands: Some(operands), results: Some(1), check }
}

/// `() → T`.
pub(super) const CONSTANT: Types = types(0, |op, _, results| match op {
    Op::Const(c) => ensure(constant_fits(c, results[0]), || format!("{c} does not fit the type")),
    _ => Ok(()),
});

/// `T → T`, integers.
pub const INTEGER: Types = types(1, |_, args, results| same(args, results, is_integer, "integers"));
/// `T, T → T`, integers.
pub const INTEGERS: Types = Types { operands: Some(2), ..INTEGER };

/// `T → T`, integers of at least the bits that are kept.
pub(super) const LOW_BITS: Types = types(1, |op, args, results| {
    same(args, results, is_integer, "integers")?;
    match op {
        Op::LowBits(k) => ensure(*k <= results[0].bits(), || format!("{k} bits of a type of {}", results[0].bits())),
        _ => Ok(()),
    }
});

/// `Word, Word → Word`.
pub const WORDS: Types = types(2, |_, args, results| same(args, results, is_word, "words"));
/// `Word, Word → Word, Word`.
pub(super) const WORDS_TO_TWO: Types = Types { results: Some(2), ..WORDS };
/// `Word, Word, Word, Word → Word, Word`.
pub(super) const FOUR_WORDS_TO_TWO: Types = Types { operands: Some(4), ..WORDS_TO_TWO };

/// `Word, Word, Word → Word` with factors of at least one bit.
pub(super) const MADD: Types = types(3, |op, args, results| {
    same(args, results, is_word, "words")?;
    let n = results[0].bits();
    match op {
        Op::MaddLo(k) | Op::MaddHi(k) => {
            ensure((1..=n).contains(k), || format!("multiplicands of {k} bits in words of {n}"))
        }
        _ => Ok(()),
    }
});

/// `Word(8) → Word(8)`.
pub const BYTE: Types = types(1, |_, args, results| same(args, results, |t| t == Type::Word(8), "bytes"));
/// `Word(8), Word(8) → Word(8)`.
pub const BYTES: Types = Types { operands: Some(2), ..BYTE };

/// `Word(n), Word(n) → Wide(2n)`.
pub(super) const TO_WIDE: Types = types(2, |_, args, results| {
    same(args, &[], is_word, "words")?;
    says(results[0] == Type::Wide(2 * args[0].bits() as u8), "the result must be the double word")
});

/// `T, T, Flag → T, Flag`.
pub(super) const CARRY: Types = Types {
    operands: Some(3),
    results: Some(2),
    check: |_, args, results| {
        same(&args[..2], &results[..1], is_integer, "integers")?;
        says(args[2] == Type::Flag && results[1] == Type::Flag, "the carry must be a flag")
    },
};

/// `Flag → T`, an integer.
pub(super) const FLAG_TO_WORD: Types = types(1, |_, args, results| {
    says(args[0] == Type::Flag && is_integer(results[0]), "it turns a flag into an integer")
});
/// `Flag → Mask`.
pub(super) const FLAG_TO_MASK: Types =
    types(1, |_, args, results| says(args[0] == Type::Flag && is_mask(results[0]), "it turns a flag into a mask"));
/// `Mask(n) → Word(n)`.
pub(super) const MASK_TO_WORD: Types = types(1, |_, args, results| {
    let fine = is_mask(args[0]) && results[0] == Type::Word(args[0].bits() as u8);
    says(fine, "it turns a mask into a word of the same size")
});
/// `Mask → Flag`.
pub(super) const MASK_TO_FLAG: Types =
    types(1, |_, args, results| says(is_mask(args[0]) && results[0] == Type::Flag, "it turns a mask into a flag"));

/// `T, T → Mask`.
pub(super) const COMPARISON: Types = types(2, |_, args, results| {
    same(args, &[], is_integer, "integers")?;
    says(results[0] == Type::Mask(args[0].bits() as u8), "the result must be a mask of the operands' size")
});
/// `Mask, T, T → T`.
pub(super) const SELECT: Types = types(3, |_, args, results| {
    says(is_mask(args[0]), "the first operand must be a mask")?;
    same(&args[1..], results, |_| true, "values")
});

/// `T → T`, all but floats.
pub(super) const PATTERN: Types =
    types(1, |_, args, results| same(args, results, |t| !is_float(t), "integers, flags or masks"));
/// `T, T → T`, all but floats.
pub(super) const PATTERNS: Types = Types { operands: Some(2), ..PATTERN };

/// `T → wider type`.
pub(super) const WIDER: Types = types(1, |_, args, results| {
    let (a, r) = (args[0], results[0]);
    says(is_integer(a) && is_integer(r) && r.bits() >= a.bits(), "it turns an integer into a wider one")
});
/// `T → narrower type`.
pub(super) const NARROWER: Types = types(1, |_, args, results| {
    let (a, r) = (args[0], results[0]);
    says(is_integer(a) && is_integer(r) && r.bits() <= a.bits(), "it turns an integer into a narrower one")
});

/// `T → words of one size`.
pub(super) const SPLIT: Types = Types {
    operands: Some(1),
    results: None,
    check: |_, args, results| {
        let r = results[0];
        let parts = is_integer(args[0]) && is_word(r) && results.iter().all(|t| *t == r);
        says(
            parts && r.bits() * results.len() as u32 == args[0].bits(),
            "the parts must be words of one size that make up the operand",
        )
    },
};
/// `words of one size → T`.
pub(super) const JOIN: Types = Types {
    operands: None,
    results: Some(1),
    check: |_, args, results| {
        let r = results[0];
        let parts = is_integer(r) && is_word(args[0]) && args.iter().all(|t| *t == args[0]);
        says(
            parts && args[0].bits() * args.len() as u32 == r.bits(),
            "the parts must be words of one size that make up the result",
        )
    },
};

/// `Word(64) → Float`.
pub(super) const TO_FLOAT: Types = types(1, |_, args, results| {
    let fine = is_float(results[0]) && args[0] == Type::Word(results[0].bits() as u8);
    says(fine, "it turns a word into a float of the same size")
});
/// `Float → Word(64)`.
pub(super) const FROM_FLOAT: Types = types(1, |_, args, results| {
    let fine = is_float(args[0]) && results[0] == Type::Word(args[0].bits() as u8);
    says(fine, "it turns a float into a word of the same size")
});
/// `Float, Float → Float`.
pub(super) const FLOATS: Types = types(2, |_, args, results| same(args, results, is_float, "floats"));
/// `Float, Float, Float → Float`.
pub(super) const THREE_FLOATS: Types = Types { operands: Some(3), ..FLOATS };

/// `T → element`.
pub(super) const LOOK_UP: Types = types(1, |_, args, _| says(is_integer(args[0]), "the index must be an integer"));
