//! The operations. One table says each operation's name, operands and meaning; the transfer functions of ranges
//! (`range`), the interpreter, the proof's translation and the printers of every language follow it.

use num_bigint::BigInt;

use crate::types::{Array, Index, Type};

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
}

impl Op {
    /// The operation's name in the text form.
    pub fn name(&self) -> &'static str {
        use Op::*;
        match self {
            Const(_) => "const",
            Add => "add",
            Sub => "sub",
            Mul => "mul",
            WrappingAdd => "wrapping_add",
            WrappingSub => "wrapping_sub",
            WrappingMul => "wrapping_mul",
            MulWide => "mul_wide",
            MulFull => "mul_full",
            MulAddAdd => "mul_add_add",
            MaddLo(_) => "madd_lo",
            MaddHi(_) => "madd_hi",
            AddCarry => "add_carry",
            SubBorrow => "sub_borrow",
            FlagToWord => "flag_to_word",
            FlagToMask => "flag_to_mask",
            MaskToWord => "mask_to_word",
            MaskToFlag => "mask_to_flag",
            Equal => "equal",
            Less => "less",
            Select => "select",
            Shl(_) => "shl",
            WrappingShl(_) => "wrapping_shl",
            Shr(_) => "shr",
            Sar(_) => "sar",
            Rotate(_) => "rotate",
            FunnelShift(_) => "funnel_shift",
            And => "and",
            Or => "or",
            Xor => "xor",
            Not => "not",
            AndNot => "and_not",
            LowBits(_) => "low_bits",
            Widen => "widen",
            Narrow => "narrow",
            Split => "split",
            Join => "join",
            Clmul => "clmul",
            RijndaelMul => "rijndael_mul",
            BitMatrix(_) => "bit_matrix",
            BitsToFloat => "bits_to_float",
            FloatToBits => "float_to_bits",
            FloatAdd => "float_add",
            FloatSub => "float_sub",
            FloatMul => "float_mul",
            FloatFma => "float_fma",
            Lookup { vartime: false, .. } => "lookup",
            Lookup { vartime: true, .. } => "lookup_vartime",
        }
    }

    /// Number of operands; `None` when it varies (`join`).
    pub fn operands(&self) -> Option<usize> {
        use Op::*;
        Some(match self {
            Const(_) => 0,
            FlagToWord
            | FlagToMask
            | MaskToWord
            | MaskToFlag
            | Shl(_)
            | WrappingShl(_)
            | Shr(_)
            | Sar(_)
            | Rotate(_)
            | Not
            | LowBits(_)
            | BitMatrix(_)
            | Widen
            | Narrow
            | Split
            | BitsToFloat
            | FloatToBits
            | Lookup { .. } => 1,
            MaddLo(_) | MaddHi(_) | AddCarry | SubBorrow | Select | FloatFma => 3,
            MulAddAdd => 4,
            Join => return None,
            _ => 2,
        })
    }

    /// The result types for operands of types `args`, where they follow from them; `None` when the result type is
    /// the writer's choice (`const`, `flag_to_word`, `flag_to_mask`, `widen`, `narrow`, `split`, `join`, `lookup`).
    pub fn result_types(&self, args: &[Type]) -> Option<Vec<Type>> {
        use Op::*;
        let first = *args.first()?;
        Some(match self {
            Const(_) | FlagToWord | FlagToMask | Widen | Narrow | Split | Join | BitsToFloat | Lookup { .. } => {
                return None;
            }
            MulWide | MulAddAdd => vec![first, first],
            MulFull | Clmul => vec![Type::Wide(u8::try_from(2 * first.bits()).ok()?)],
            AddCarry | SubBorrow => vec![first, Type::Flag],
            MaskToWord => vec![Type::Word(first.bits() as u8)],
            MaskToFlag => vec![Type::Flag],
            Equal | Less => vec![Type::Mask(first.bits() as u8)],
            Select => vec![*args.get(1)?],
            FloatToBits => vec![Type::Word(64)],
            _ => vec![first],
        })
    }

    /// Must the result be shown to stay inside its type (`add`, `sub`, `mul`, `shl`, `madd_*`, `narrow`)?
    pub fn is_exact(&self) -> bool {
        matches!(self, Op::Add | Op::Sub | Op::Mul | Op::Shl(_) | Op::MaddLo(_) | Op::MaddHi(_) | Op::Narrow)
    }
}
