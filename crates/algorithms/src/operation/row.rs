//! What a row of the table of operations says.

use evariste_descriptions::{Field, Part, Structure};
use num_bigint::BigUint;

use crate::layout::Layout;

/// What an operation is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Elements of a field.
    Elements,
    /// Other forms of an element: Montgomery, canonical, bytes.
    Forms,
    /// Elements in saturated words outside of a layout for lanes.
    Words,
    /// What arrays do many times: sums of products, affine maps by constants.
    Arrays,
    /// What other operations are made of: whole products, and their reduction.
    Parts,
    /// Points of a curve, and scalars.
    Points,
    /// Elements of a tower.
    Towers,
    /// Points of two groups, and values of their pairing.
    Pairings,
    /// Blocks, keys, keystreams.
    Ciphers,
    /// Messages and their hashes.
    Hashes,
}

impl Kind {
    /// What operations of this kind work on.
    pub fn what(self) -> &'static str {
        match self {
            Kind::Elements => "elements",
            Kind::Forms => "forms",
            Kind::Words => "words, in lanes",
            Kind::Arrays => "arrays",
            Kind::Parts => "parts of others",
            Kind::Points => "points",
            Kind::Towers => "towers",
            Kind::Pairings => "pairings",
            Kind::Ciphers => "ciphers",
            Kind::Hashes => "hash functions",
        }
    }
}

/// What an operand or a result is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Holds {
    /// An element of the layout.
    Element,
    /// 0 or 1.
    Flag,
    /// 1 where the other results are any, 0 where there are none.
    Valid,
    /// Bytes of a canonical element.
    Bytes,
    /// Saturated words of a canonical element.
    Words,
    /// Columns that are not reduced.
    Columns,
    /// A number twice as long as an element.
    Wide,
    /// An element of what belongs to the structure: a scalar, a point of a group, a value.
    Part(Part),
}

impl Holds {
    /// Can one number stand for it?
    pub fn is_number(self) -> bool {
        matches!(self, Holds::Element | Holds::Flag | Holds::Valid | Holds::Part(_))
    }
}

/// An operand or a result.
#[derive(Clone, Copy, Debug)]
pub struct Slot {
    /// Its name in emitted code.
    pub name: &'static str,
    /// What it is.
    pub holds: Holds,
}

impl Slot {
    /// An element of that name.
    pub const fn element(name: &'static str) -> Slot {
        Slot { name, holds: Holds::Element }
    }

    /// Anything of that name.
    pub const fn new(name: &'static str, holds: Holds) -> Slot {
        Slot { name, holds }
    }
}

/// The operand a.
pub const A: Slot = Slot::element("a");
/// The operand b.
pub const B: Slot = Slot::element("b");
/// The operands a and b.
pub const TWO: &[Slot] = &[A, B];
/// An element as a result.
pub const OUT: Slot = Slot::element("out");
/// Columns as a result.
pub const COLUMNS: Slot = Slot::new("out", Holds::Columns);
/// A flag as a result.
pub const TRUTH: Slot = Slot::new("out", Holds::Flag);

/// A family of operations: a number ends the name.
pub struct Family {
    /// How the names of its members begin.
    pub prefix: &'static str,
    /// How the number is written.
    pub radix: u32,
    /// The members that a layout of a field has without being asked.
    pub members: fn(&Field, &Layout) -> Vec<u32>,
}

/// What an operation should give: the structure, the number of a family's member (else 0), the operands.
pub type Meaning = fn(&dyn Structure, &BigUint, &[BigUint]) -> Option<BigUint>;

/// No meaning in numbers: what has bytes, words or columns.
pub const NOT_IN_NUMBERS: Meaning = |_, _, _| None;

/// An operation.
pub struct Row {
    /// The name; of a family with a word for the number: `pow_HEX`.
    pub name: &'static str,
    /// `Some`: a family.
    pub family: Option<Family>,
    /// What it is about.
    pub kind: Kind,
    /// Operands.
    pub inputs: &'static [Slot],
    /// Results.
    pub outputs: &'static [Slot],
    /// What it computes, in words.
    pub what: &'static str,
    /// What it should give.
    pub meaning: Meaning,
    /// What of a result counts, where others are as good: `None`, all of it.
    pub counts: Option<fn(&dyn Structure, &BigUint) -> Option<BigUint>>,
    /// Of a result that kernels give in full: the part that the operands ask for. `None`: all of it.
    pub asked: Option<fn(&[BigUint], BigUint) -> BigUint>,
    /// Other words for it.
    pub synonyms: &'static [&'static str],
    /// Do arrays of elements have code of it? Of a family they have that of its last member.
    pub in_arrays: bool,
}

impl Row {
    /// The row of an operation of which arrays have code.
    pub(super) const fn in_arrays(self) -> Row {
        Row { in_arrays: true, ..self }
    }

    /// The row of an operation without a number and without other words for it.
    pub(super) const fn new(
        kind: Kind,
        name: &'static str,
        inputs: &'static [Slot],
        outputs: &'static [Slot],
        what: &'static str,
        meaning: Meaning,
    ) -> Row {
        let (counts, asked, synonyms): (_, _, &[&str]) = (None, None, &[]);
        Row { name, family: None, kind, inputs, outputs, what, meaning, counts, asked, synonyms, in_arrays: false }
    }
}

/// The row of an operation on elements that gives an element.
pub(super) const fn of_elements(
    name: &'static str,
    inputs: &'static [Slot],
    what: &'static str,
    meaning: Meaning,
    synonyms: &'static [&'static str],
) -> Row {
    Row { synonyms, ..Row::new(Kind::Elements, name, inputs, &[OUT], what, meaning) }
}

/// A truth as a number.
pub(super) fn bit(is: bool) -> Option<BigUint> {
    Some(u32::from(is).into())
}
