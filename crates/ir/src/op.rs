//! The operations, and one table of them: each has a [`Row`] with its name, its types, the intervals of its results,
//! what it does to lanes and its class, in a file with others of its group. Parser and printer, builder, verifier,
//! interpreter, counts and mutants read the table; what an operation means to a proof stands in the proof's translation.

mod carryless;
mod choices;
pub mod defined;
mod floats;
mod logic;
mod moves;
mod operation;
mod products;
mod row;
mod shifts;
mod sums;
pub mod types;

pub use self::operation::Op;
pub use self::row::{Applied, Body, Counted, Meaning, OverBits, Public, Row, Types, Write, defined as defined_row};
pub(crate) use self::types::{constant_fits, is_valid};
use crate::types::Type;

macro_rules! table {
    ($($op:pat => $group:ident::$row:ident,)*) => {
        /// Every row of an operation that is none of others.
        pub static ROWS: &[&Row] = &[$(&$group::$row),*];

        impl Op {
            /// The operation's row.
            pub fn row(&self) -> &'static Row {
                match self {
                    $($op => &$group::$row,)*
                    Op::Defined(row) => row,
                }
            }
        }
    };
}

table! {
    Op::Const(_) => sums::CONST,
    Op::Add => sums::ADD,
    Op::Sub => sums::SUB,
    Op::Mul => products::MUL,
    Op::WrappingAdd => sums::WRAPPING_ADD,
    Op::WrappingSub => sums::WRAPPING_SUB,
    Op::WrappingMul => products::WRAPPING_MUL,
    Op::MulWide => products::MUL_WIDE,
    Op::MulFull => products::MUL_FULL,
    Op::MulAddAdd => products::MUL_ADD_ADD,
    Op::MaddLo(_) => products::MADD_LO,
    Op::MaddHi(_) => products::MADD_HI,
    Op::AddCarry => sums::ADD_CARRY,
    Op::SubBorrow => sums::SUB_BORROW,
    Op::FlagToWord => moves::FLAG_TO_WORD,
    Op::FlagToMask => moves::FLAG_TO_MASK,
    Op::MaskToWord => moves::MASK_TO_WORD,
    Op::MaskToFlag => moves::MASK_TO_FLAG,
    Op::Equal => choices::EQUAL,
    Op::Less => choices::LESS,
    Op::Select => choices::SELECT,
    Op::Shl(_) => shifts::SHL,
    Op::WrappingShl(_) => shifts::WRAPPING_SHL,
    Op::Shr(_) => shifts::SHR,
    Op::Sar(_) => shifts::SAR,
    Op::Rotate(_) => shifts::ROTATE,
    Op::FunnelShift(_) => shifts::FUNNEL_SHIFT,
    Op::And => logic::AND,
    Op::Or => logic::OR,
    Op::Xor => logic::XOR,
    Op::Not => logic::NOT,
    Op::AndNot => logic::AND_NOT,
    Op::LowBits(_) => logic::LOW_BITS,
    Op::Widen => moves::WIDEN,
    Op::Narrow => moves::NARROW,
    Op::Split => moves::SPLIT,
    Op::Join => moves::JOIN,
    Op::Clmul => carryless::CLMUL,
    Op::RijndaelMul => carryless::RIJNDAEL_MUL,
    Op::BitMatrix(_) => carryless::BIT_MATRIX,
    Op::BitsToFloat => floats::BITS_TO_FLOAT,
    Op::FloatToBits => floats::FLOAT_TO_BITS,
    Op::FloatAdd => floats::FLOAT_ADD,
    Op::FloatSub => floats::FLOAT_SUB,
    Op::FloatMul => floats::FLOAT_MUL,
    Op::FloatFma => floats::FLOAT_FMA,
    Op::Lookup { vartime: false, .. } => choices::LOOKUP,
    Op::Lookup { vartime: true, .. } => choices::LOOKUP_VARTIME,
}

/// The row of that name.
pub fn find(name: &str) -> Option<&'static Row> {
    ROWS.iter().chain(defined::DEFINED).find(|row| row.name == name).copied()
}

impl Op {
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
