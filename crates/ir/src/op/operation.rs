//! What an operation is.

use num_bigint::BigInt;

use super::row::Row;
use crate::types::{Array, Index};

/// An operation. `T` is any integer type (word or wide) unless stated; operands of one operation share their type.
///
/// "Exact" operations must not leave their type: the interval (or the proof) shows it. Wrapping ones may.
#[allow(missing_docs)]
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Op {
    /// `() → T`: a constant.
    Const(BigInt),
    /// `T, T → T`: exact sum.
    Add,
    /// `T, T → T`: exact difference.
    Sub,
    /// `T, T → T`: exact product.
    Mul,
    /// `T, T → T`: sum modulo 2^n.
    WrappingAdd,
    /// `T, T → T`: difference modulo 2^n.
    WrappingSub,
    /// `T, T → T`: product modulo 2^n.
    WrappingMul,
    /// `Word, Word → lo, hi`: `lo + 2^n hi = a b`.
    MulWide,
    /// `Word(n), Word(n) → Wide(2n)`: the double word, unsplit.
    MulFull,
    /// `Word a, b, c, d → lo, hi`: `lo + 2^n hi = a b + c + d`, which never overflows.
    MulAddAdd,
    /// `Word acc, x, y → acc + (x mod 2^k · y mod 2^k) mod 2^k`, exact. The accumulator is the number that its interval
    /// says, as in `Add`: negative where that reaches below 0. The factors' low bits are unsigned.
    MaddLo(u32),
    /// `Word acc, x, y → acc + ⌊(x mod 2^k · y mod 2^k) / 2^k⌋`, exact; the accumulator as in `MaddLo`.
    MaddHi(u32),
    /// `T, T, Flag → T, Flag`: `s + 2^n carry = a + b + c`.
    AddCarry,
    /// `T, T, Flag → T, Flag`: `d − 2^n borrow = a − b − c`.
    SubBorrow,
    /// `Flag → Word`: 0 or 1.
    FlagToWord,
    /// `Flag → Mask`: all zeros or all ones.
    FlagToMask,
    /// `Mask(n) → Word(n)`: the same bits.
    MaskToWord,
    /// `Mask → Flag`: 1 for all ones.
    MaskToFlag,
    /// `T, T → Mask`: all ones when equal. The mask has the operands' bits.
    Equal,
    /// `T, T → Mask`: all ones when `a < b`, unsigned.
    Less,
    /// `Mask, T, T → T`: the first where the mask is all ones, else the second.
    Select,
    /// `T → T`: exact shift left by a public amount.
    Shl(Index),
    /// `T → T`: shift left, bits above the type dropped.
    WrappingShl(Index),
    /// `T → T`: logical shift right.
    Shr(Index),
    /// `T → T`: arithmetic shift right (of the two's complement reading).
    Sar(Index),
    /// `T → T`: rotate left.
    Rotate(Index),
    /// `Word hi, lo → Word`: low word of `(hi·2^n + lo) >> k`, 0 ≤ k ≤ n.
    FunnelShift(Index),
    /// `T, T → T`, also flags and masks: bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// `T → T`: complement (`2^n − 1 − a`; `1 − f` of a flag).
    Not,
    /// `T a, b → a and not b`.
    AndNot,
    /// `T → T`: `a mod 2^k`.
    LowBits(u32),
    /// `T → wider type`: zero extension.
    Widen,
    /// `T → narrower type`: exact, the value must fit.
    Narrow,
    /// `T → r words of equal size`, lowest first: their bits together are `a`.
    Split,
    /// `r words → T`, lowest first.
    Join,
    /// `Word(n), Word(n) → Wide(2n)`: carry-less product.
    Clmul,
    /// `Word(8), Word(8) → Word(8)`: the product of two bytes as polynomials over GF(2) modulo x^8 + x^4 + x^3 + x + 1.
    RijndaelMul,
    /// `Word(8) → Word(8)`: the sum of those bytes of the constant whose bit is set in the operand; byte j (from the
    /// lowest) is the image of bit j.
    BitMatrix(u64),
    /// `Word(64) → Float`: bit cast.
    BitsToFloat,
    /// `Float → Word(64)`: bit cast.
    FloatToBits,
    /// `Float, Float → Float`, rounded to nearest.
    FloatAdd,
    /// Difference of floats.
    FloatSub,
    /// Product of floats.
    FloatMul,
    /// `Float a, b, c → a b + c`, rounded once.
    FloatFma,
    /// `Word index → element`: a look-up in a constant table, or in a local array whose elements were all written, with
    /// a secret index; constant-time (a full scan or an in-register permutation) unless `vartime`. The index must be
    /// below the table's length.
    Lookup { table: Array, vartime: bool },
    /// An operation that is defined by the body of its row.
    Defined(&'static Row),
}

impl Op {
    /// The public amount of a shift.
    pub fn amount(&self) -> Option<&Index> {
        match self {
            Op::Shl(k) | Op::WrappingShl(k) | Op::Shr(k) | Op::Sar(k) | Op::Rotate(k) | Op::FunnelShift(k) => Some(k),
            _ => None,
        }
    }

    /// The public amount of a shift, to be changed.
    pub fn amount_mut(&mut self) -> Option<&mut Index> {
        match self {
            Op::Shl(k) | Op::WrappingShl(k) | Op::Shr(k) | Op::Sar(k) | Op::Rotate(k) | Op::FunnelShift(k) => Some(k),
            _ => None,
        }
    }
}
