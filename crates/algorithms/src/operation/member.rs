//! An operation: a row, or a member of a family.

use std::fmt;
use std::hash::{Hash, Hasher};

use evariste_descriptions::Structure;
use num_bigint::BigUint;
use num_traits::ToPrimitive;

use super::row::{Holds, Kind, Row, Slot};

/// An operation of a field (or of plain integers): a row, and of a family of operations the number that tells its
/// members apart.
#[derive(Clone)]
pub struct Operation {
    row: &'static Row,
    number: Option<BigUint>,
}

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

    /// The number in the name of an operation of this family, where it has at most 32 bits.
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

    /// Names of the operands, of operations on numbers: what takes or gives bytes, words or columns has none.
    pub fn operands(&self) -> Vec<&'static str> {
        let numbers = self.row.inputs.iter().chain(self.row.outputs).all(|slot| slot.holds.is_number());
        let own = numbers && !matches!(self.row.kind, Kind::Words | Kind::Arrays | Kind::Parts);
        self.row.inputs.iter().filter(|_| own).map(|slot| slot.name).collect()
    }

    /// What it should give for these operands; `None` where the structure does not have it.
    pub fn meaning(&self, structure: &dyn Structure, operands: &[BigUint]) -> Option<BigUint> {
        if operands.len() != self.row.inputs.len() {
            return None;
        }
        (self.row.meaning)(structure, self.number.as_ref().unwrap_or(&BigUint::ZERO), operands)
    }

    /// Are these results the same, as far as they count?
    pub fn same(&self, structure: &dyn Structure, results: [&BigUint; 2]) -> bool {
        let [one, other] = results;
        one == other || self.row.counts.is_some_and(|counts| counts(structure, one) == counts(structure, other))
    }

    /// Is it about strings of bits, whose numbers stand for no element of a field?
    pub fn is_of_strings(&self) -> bool {
        matches!(self.row.kind, Kind::Ciphers | Kind::Hashes)
    }

    /// Has it bytes among its operands or results?
    pub fn has_bytes(&self) -> bool {
        self.row.inputs.iter().chain(self.row.outputs).any(|slot| slot.holds == Holds::Bytes)
    }

    /// Are all operands and results bytes, and bits that say whether there are any: the same in every layout?
    pub fn is_in_bytes(&self) -> bool {
        let is_alike = |slot: &Slot| matches!(slot.holds, Holds::Bytes | Holds::Flag | Holds::Valid);
        self.has_bytes() && self.row.inputs.iter().chain(self.row.outputs).all(is_alike)
    }

    /// The name of the result that says whether there are others.
    pub fn valid(&self) -> Option<&'static str> {
        self.row.outputs.iter().find(|slot| slot.holds == Holds::Valid).map(|slot| slot.name)
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
