//! The operations, and one table of them: each has a [`Row`] with its name, its types, the intervals of its results and
//! its class. Parser and printer, builder, verifier, counts and mutants read the table; how an operation runs stands in
//! `interpret`, what it means to a proof in the proof's translation.

mod arithmetic;
mod bits;
pub mod defined;
mod floats;
mod operation;
mod row;
pub mod types;

pub use self::operation::Op;
pub use self::row::{Applied, Body, Counted, OverBits, Public, Row, Types, Write, defined as defined_row};
pub(crate) use self::types::{constant_fits, is_valid};
use crate::types::Type;

/// Every row of an operation that is none of others.
pub static ROWS: [&Row; 48] = [
    &arithmetic::CONST,
    &arithmetic::ADD,
    &arithmetic::SUB,
    &arithmetic::MUL,
    &arithmetic::WRAPPING_ADD,
    &arithmetic::WRAPPING_SUB,
    &arithmetic::WRAPPING_MUL,
    &arithmetic::MUL_WIDE,
    &arithmetic::MUL_FULL,
    &arithmetic::MUL_ADD_ADD,
    &arithmetic::MADD_LO,
    &arithmetic::MADD_HI,
    &arithmetic::ADD_CARRY,
    &arithmetic::SUB_BORROW,
    &bits::FLAG_TO_WORD,
    &bits::FLAG_TO_MASK,
    &bits::MASK_TO_WORD,
    &bits::MASK_TO_FLAG,
    &arithmetic::EQUAL,
    &arithmetic::LESS,
    &bits::SELECT,
    &bits::SHL,
    &bits::WRAPPING_SHL,
    &bits::SHR,
    &bits::SAR,
    &bits::ROTATE,
    &bits::FUNNEL_SHIFT,
    &bits::AND,
    &bits::OR,
    &bits::XOR,
    &bits::NOT,
    &bits::AND_NOT,
    &bits::LOW_BITS,
    &bits::WIDEN,
    &bits::NARROW,
    &bits::SPLIT,
    &bits::JOIN,
    &arithmetic::CLMUL,
    &arithmetic::RIJNDAEL_MUL,
    &bits::BIT_MATRIX,
    &floats::BITS_TO_FLOAT,
    &floats::FLOAT_TO_BITS,
    &floats::FLOAT_ADD,
    &floats::FLOAT_SUB,
    &floats::FLOAT_MUL,
    &floats::FLOAT_FMA,
    &bits::LOOKUP,
    &bits::LOOKUP_VARTIME,
];

/// The row of that name.
pub fn find(name: &str) -> Option<&'static Row> {
    ROWS.iter().chain(defined::DEFINED).find(|row| row.name == name).copied()
}

impl Op {
    /// The operation's row.
    pub fn row(&self) -> &'static Row {
        match self {
            Op::Const(_) => &arithmetic::CONST,
            Op::Add => &arithmetic::ADD,
            Op::Sub => &arithmetic::SUB,
            Op::Mul => &arithmetic::MUL,
            Op::WrappingAdd => &arithmetic::WRAPPING_ADD,
            Op::WrappingSub => &arithmetic::WRAPPING_SUB,
            Op::WrappingMul => &arithmetic::WRAPPING_MUL,
            Op::MulWide => &arithmetic::MUL_WIDE,
            Op::MulFull => &arithmetic::MUL_FULL,
            Op::MulAddAdd => &arithmetic::MUL_ADD_ADD,
            Op::MaddLo(_) => &arithmetic::MADD_LO,
            Op::MaddHi(_) => &arithmetic::MADD_HI,
            Op::AddCarry => &arithmetic::ADD_CARRY,
            Op::SubBorrow => &arithmetic::SUB_BORROW,
            Op::FlagToWord => &bits::FLAG_TO_WORD,
            Op::FlagToMask => &bits::FLAG_TO_MASK,
            Op::MaskToWord => &bits::MASK_TO_WORD,
            Op::MaskToFlag => &bits::MASK_TO_FLAG,
            Op::Equal => &arithmetic::EQUAL,
            Op::Less => &arithmetic::LESS,
            Op::Select => &bits::SELECT,
            Op::Shl(_) => &bits::SHL,
            Op::WrappingShl(_) => &bits::WRAPPING_SHL,
            Op::Shr(_) => &bits::SHR,
            Op::Sar(_) => &bits::SAR,
            Op::Rotate(_) => &bits::ROTATE,
            Op::FunnelShift(_) => &bits::FUNNEL_SHIFT,
            Op::And => &bits::AND,
            Op::Or => &bits::OR,
            Op::Xor => &bits::XOR,
            Op::Not => &bits::NOT,
            Op::AndNot => &bits::AND_NOT,
            Op::LowBits(_) => &bits::LOW_BITS,
            Op::Widen => &bits::WIDEN,
            Op::Narrow => &bits::NARROW,
            Op::Split => &bits::SPLIT,
            Op::Join => &bits::JOIN,
            Op::Clmul => &arithmetic::CLMUL,
            Op::RijndaelMul => &arithmetic::RIJNDAEL_MUL,
            Op::BitMatrix(_) => &bits::BIT_MATRIX,
            Op::BitsToFloat => &floats::BITS_TO_FLOAT,
            Op::FloatToBits => &floats::FLOAT_TO_BITS,
            Op::FloatAdd => &floats::FLOAT_ADD,
            Op::FloatSub => &floats::FLOAT_SUB,
            Op::FloatMul => &floats::FLOAT_MUL,
            Op::FloatFma => &floats::FLOAT_FMA,
            Op::Lookup { vartime: false, .. } => &bits::LOOKUP,
            Op::Lookup { vartime: true, .. } => &bits::LOOKUP_VARTIME,
            Op::Defined(row) => row,
        }
    }

    /// The operation's name in the text form.
    pub fn name(&self) -> &'static str {
        self.row().name
    }

    /// Number of operands; `None` when it varies (`join`).
    pub fn operands(&self) -> Option<usize> {
        self.row().types.operands
    }
}

/// Checks the number and types of operands and results, constants, and the widths that operations carry.
pub(crate) fn check_types(op: &Op, args: &[Type], results: &[Type]) -> Result<(), String> {
    let table = op.row().types;
    match table.operands {
        Some(n) => types::ensure(args.len() == n, || format!("it has {} operands instead of {n}", args.len()))?,
        None => types::ensure(!args.is_empty(), || "it has no operands".to_string())?,
    }
    match table.results {
        Some(n) => types::ensure(results.len() == n, || format!("it has {} results instead of {n}", results.len()))?,
        None => types::ensure(!results.is_empty(), || "it has no results".to_string())?,
    }
    (table.check)(op, args, results)
}
