//! The types of every operation.

use num_bigint::BigInt;
use num_traits::Zero;

use crate::float::Format;
use crate::kernel::Type;
use crate::op::Op;
use crate::range::{Interval, pow2};

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

/// Can a constant or an entry of a table have that type? A mask is all zeros or all ones.
pub(crate) fn constant_fits(c: &BigInt, ty: Type) -> bool {
    match ty {
        Type::Mask(n) => c.is_zero() || *c == pow2(n as u32) - 1,
        _ => Interval::point(c.clone()).fits(ty),
    }
}

fn ensure(fine: bool, message: &str) -> Result<(), String> {
    if fine { Ok(()) } else { Err(message.to_string()) }
}

/// All operands and results of one type that satisfies `class`.
fn same(args: &[Type], results: &[Type], class: fn(Type) -> bool, what: &str) -> Result<(), String> {
    let first = args[0];
    ensure(class(first), &format!("the operands must be {what}"))?;
    ensure(args.iter().chain(results).all(|t| *t == first), "operands and results must have one type")
}

/// Checks the number and types of operands and results, constants, and the widths that operations carry.
pub(crate) fn check(op: &Op, args: &[Type], results: &[Type]) -> Result<(), String> {
    use Op::*;
    match op.operands() {
        Some(n) => ensure(args.len() == n, &format!("it has {} operands instead of {n}", args.len()))?,
        None => ensure(!args.is_empty(), "it has no operands")?,
    }
    let two = matches!(op, MulWide | MulAddAdd | AddCarry | SubBorrow);
    match op {
        Split => ensure(!results.is_empty(), "it has no results")?,
        _ => ensure(
            results.len() == 1 + two as usize,
            &format!("it has {} results instead of {}", results.len(), 1 + two as usize),
        )?,
    }
    let r = results[0];
    match op {
        Const(c) => ensure(constant_fits(c, r), &format!("{c} does not fit the type")),
        Add | Sub | Mul | WrappingAdd | WrappingSub | WrappingMul => same(args, results, is_integer, "integers"),
        Shl(_) | WrappingShl(_) | Shr(_) | Sar(_) | Rotate(_) => same(args, results, is_integer, "integers"),
        LowBits(k) => {
            same(args, results, is_integer, "integers")?;
            ensure(*k <= r.bits(), &format!("{k} bits of a type of {}", r.bits()))
        }
        MulWide | MulAddAdd | FunnelShift(_) => same(args, results, is_word, "words"),
        MaddLo(k) | MaddHi(k) => {
            same(args, results, is_word, "words")?;
            ensure((1..=r.bits()).contains(k), &format!("multiplicands of {k} bits in words of {}", r.bits()))
        }
        RijndaelMul | BitMatrix(_) => same(args, results, |t| t == Type::Word(8), "bytes"),
        MulFull | Clmul => {
            same(args, &[], is_word, "words")?;
            ensure(r == Type::Wide(2 * args[0].bits() as u8), "the result must be the double word")
        }
        AddCarry | SubBorrow => {
            same(&args[..2], &results[..1], is_integer, "integers")?;
            ensure(args[2] == Type::Flag && results[1] == Type::Flag, "the carry must be a flag")
        }
        FlagToWord => ensure(args[0] == Type::Flag && is_integer(r), "it turns a flag into an integer"),
        FlagToMask => ensure(args[0] == Type::Flag && is_mask(r), "it turns a flag into a mask"),
        MaskToWord => ensure(
            is_mask(args[0]) && r == Type::Word(args[0].bits() as u8),
            "it turns a mask into a word of the same size",
        ),
        MaskToFlag => ensure(is_mask(args[0]) && r == Type::Flag, "it turns a mask into a flag"),
        Equal | Less => {
            same(args, &[], is_integer, "integers")?;
            ensure(r == Type::Mask(args[0].bits() as u8), "the result must be a mask of the operands' size")
        }
        Select => {
            ensure(is_mask(args[0]), "the first operand must be a mask")?;
            same(&args[1..], results, |_| true, "values")
        }
        And | Or | Xor | AndNot | Not => same(args, results, |t| !is_float(t), "integers, flags or masks"),
        Widen => ensure(
            is_integer(args[0]) && is_integer(r) && r.bits() >= args[0].bits(),
            "it turns an integer into a wider one",
        ),
        Narrow => ensure(
            is_integer(args[0]) && is_integer(r) && r.bits() <= args[0].bits(),
            "it turns an integer into a narrower one",
        ),
        Split => {
            let parts = is_integer(args[0]) && is_word(r) && results.iter().all(|t| *t == r);
            ensure(
                parts && r.bits() * results.len() as u32 == args[0].bits(),
                "the parts must be words of one size that make up the operand",
            )
        }
        Join => {
            let parts = is_integer(r) && is_word(args[0]) && args.iter().all(|t| *t == args[0]);
            ensure(
                parts && args[0].bits() * args.len() as u32 == r.bits(),
                "the parts must be words of one size that make up the result",
            )
        }
        BitsToFloat => ensure(
            is_float(r) && args[0] == Type::Word(r.bits() as u8),
            "it turns a word into a float of the same size",
        ),
        FloatToBits => ensure(
            is_float(args[0]) && r == Type::Word(args[0].bits() as u8),
            "it turns a float into a word of the same size",
        ),
        FloatAdd | FloatSub | FloatMul | FloatFma => same(args, results, is_float, "floats"),
        Lookup { .. } => ensure(is_integer(args[0]), "the index must be an integer"),
    }
}
