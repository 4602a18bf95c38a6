//! What a kernel computes. An operation is one row: its name, its slots, its meaning. Names are those of fiat-crypto's
//! function set, the same in every language.
//!
//! * [`row`] is what a row says.
//! * `elements`, `forms`, `words`, `arrays`, `parts` hold the rows, one file a kind; [`OPERATIONS`] lists them in the order of a
//!   header.
//! * Everything else asks rows: which operands an operation has, what it should give, whether it has bytes.

mod arrays;
mod elements;
mod forms;
mod parts;
pub mod row;
mod words;

use std::fmt;
use std::hash::{Hash, Hasher};

use evariste_descriptions::{Field, Structure};
use num_bigint::BigUint;
use num_traits::ToPrimitive;

use crate::layout::Layout;
pub use row::{Holds, Kind, Row, Slot};

/// An operation of a field (or of plain integers): a row, and of a family of operations the number that tells its
/// members apart.
#[derive(Clone)]
pub struct Operation {
    row: &'static Row,
    number: Option<BigUint>,
}

/// Every operation in the order of a header; of families the family.
pub const OPERATIONS: &[Operation] = &[
    Operation::MUL,
    Operation::SQUARE,
    Operation::ADD,
    Operation::SUB,
    Operation::OPP,
    Operation::SELECTZNZ,
    Operation::TO_MONTGOMERY,
    Operation::FROM_MONTGOMERY,
    Operation::CANONICAL,
    Operation::TO_BYTES,
    Operation::TO_BYTES_BE,
    Operation::FROM_BYTES,
    Operation::FROM_BYTES_BE,
    Operation::FROM_WORDS,
    Operation::TO_WORDS,
    Operation::MUL_WORDS,
    Operation::MUL_MONTGOMERY_WORDS,
    Operation::EXCEEDS,
    Operation::MUL_ADD,
    Operation::IS_ZERO,
    Operation::EQUAL,
    Operation::INVERSE,
    Operation::TRACE,
    Operation::HALF_TRACE,
    Operation::SOLVE_QUADRATIC,
    Operation::POWER,
    Operation::AFFINE,
    Operation::AFFINE_MOD,
    Operation::AFFINE_CONSTANT,
    Operation::DOT,
    Operation::SUM,
    Operation::MUL_WIDE,
    Operation::SQUARE_WIDE,
    Operation::REDUCE,
];

impl Operation {
    /// The operation of a row; of a family's the family.
    pub(crate) const fn of(row: &'static Row) -> Operation {
        Operation { row, number: None }
    }

    /// What is known of it.
    pub fn row(&self) -> &'static Row {
        self.row
    }

    /// The member of a family: `Operation::POWER.with(3u32)`.
    pub fn with(&self, number: impl Into<BigUint>) -> Operation {
        Operation { row: self.row, number: Some(number.into()) }
    }

    /// Is it of the same row, whatever the number?
    pub fn is(&self, other: &Operation) -> bool {
        self.row.name == other.row.name
    }

    /// Is it of one of these rows?
    pub fn is_any(&self, others: &[Operation]) -> bool {
        others.iter().any(|other| self.is(other))
    }

    /// The number of a member of that family: the exponent, the terms, the bits.
    pub fn number_of(&self, family: &Operation) -> Option<&BigUint> {
        self.number.as_ref().filter(|_| self.is(family))
    }

    /// The same, where it is small.
    pub fn small_number_of(&self, family: &Operation) -> Option<u32> {
        self.number_of(family)?.to_u32()
    }

    /// The function's name in emitted code; of a family with a word for its number: `pow_HEX`.
    pub fn name(&self) -> String {
        match (&self.row.family, &self.number) {
            (Some(family), Some(number)) => format!("{}{}", family.prefix, number.to_str_radix(family.radix)),
            _ => self.row.name.into(),
        }
    }

    /// The operation of that name (as [`Operation::name`] writes it); a family alone is none.
    pub fn parse(name: &str) -> Option<Operation> {
        OPERATIONS.iter().find_map(|op| match &op.row.family {
            None => (op.row.name == name).then(|| op.clone()),
            Some(family) => {
                let digits = name.strip_prefix(family.prefix)?;
                let digits = Some(digits).filter(|d| d.bytes().all(|b| b.is_ascii_alphanumeric()))?;
                let number = BigUint::parse_bytes(digits.as_bytes(), family.radix)?;
                (family.radix == 16 || number.bits() <= 32).then(|| op.with(number))
            }
        })
    }

    /// The operations that a layout of a field may have: all that are neither parts of others nor families, and the
    /// members that rows name.
    pub fn candidates(field: &Field, layout: &Layout) -> Vec<Operation> {
        let members = |op: &Operation| match &op.row.family {
            None => vec![op.clone()],
            Some(family) => (family.members)(field, layout).into_iter().map(|n| op.with(n)).collect(),
        };
        OPERATIONS.iter().filter(|op| op.row.kind != Kind::Parts).flat_map(members).collect()
    }

    /// Names of the operands, of operations on numbers: what takes or gives bytes, words or columns has none.
    pub fn operands(&self) -> Vec<&'static str> {
        let numbers = self.row.inputs.iter().chain(self.row.outputs).all(|slot| slot.holds.is_number());
        let own = numbers && matches!(self.row.kind, Kind::Elements | Kind::Forms);
        self.row.inputs.iter().filter(|_| own).map(|slot| slot.name).collect()
    }

    /// What it should give for these operands; `None` where the structure does not have it.
    pub fn meaning(&self, structure: &dyn Structure, operands: &[BigUint]) -> Option<BigUint> {
        if operands.len() != self.row.inputs.len() {
            return None;
        }
        (self.row.meaning)(structure, self.number.as_ref().unwrap_or(&BigUint::ZERO), operands)
    }

    /// Has it bytes among its operands or results?
    pub fn has_bytes(&self) -> bool {
        self.row.inputs.iter().chain(self.row.outputs).any(|slot| slot.holds == Holds::Bytes)
    }

    /// Does it take bytes?
    pub fn takes_bytes(&self) -> bool {
        self.row.inputs.iter().any(|slot| slot.holds == Holds::Bytes)
    }
}

impl PartialEq for Operation {
    fn eq(&self, other: &Operation) -> bool {
        self.is(other) && self.number == other.number
    }
}

impl Eq for Operation {}

impl Hash for Operation {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.row.name, &self.number).hash(state);
    }
}

impl fmt::Debug for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_told_apart_and_read_as_they_are_written() {
        let members = OPERATIONS.iter().map(|op| if op.row.family.is_some() { op.with(26u32) } else { op.clone() });
        let all: Vec<Operation> = members.collect();
        for (i, op) in all.iter().enumerate() {
            assert_eq!(Operation::parse(&op.name()).as_ref(), Some(op));
            assert!(all[..i].iter().all(|other| other.name() != op.name()), "{op:?} stands twice");
            assert!(!op.row.what.is_empty() && !op.row.inputs.is_empty() && !op.row.outputs.is_empty(), "{op:?}");
        }
        assert_eq!(Operation::POWER.with(0x1fu32).name(), "pow_1f");
        for name in ["", "pow_", "pow_HEX", "pow_+1", "dot_x", "affine_mod_2_99999999999", "mul2"] {
            assert_eq!(Operation::parse(name), None, "{name}");
        }
    }
}
