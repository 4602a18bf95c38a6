//! What a kind of description says of its fields in words.

use evariste_descriptions::Field;
use num_bigint::BigUint;

use crate::layout::Layout;
use crate::operation::{Holds, Operation};
use crate::recipe::Recipe;

/// Operations, and how often each occurs. Weight 0: measured and shown, without a say.
pub type Mix = Vec<(Operation, u32)>;

/// A kind of description.
pub struct Kind {
    /// Is the field of this kind?
    pub describes: fn(&Field) -> bool,
    /// The layouts for one word size, most usual first.
    pub layouts: fn(&Field, u32) -> Vec<Layout>,
    /// The layouts for lanes: of words of that many bits whose multiply-add takes so many.
    pub lane_layouts: fn(&Field, u32, u32) -> Vec<Layout>,
    /// Word sizes that are looked at whatever is asked.
    pub words: &'static [u32],
    /// Is an element at rest the only one of its value?
    pub is_canonical: fn(&Field, &Layout) -> bool,
    /// Do whole kernels of the registry serve it?
    pub listed: bool,
    /// Recipes of this kind alone.
    pub own: &'static [&'static [&'static dyn Recipe]],
    /// The field whose operations its recipes need, where it is another one: the prime field below a tower.
    pub ground: fn(&Field) -> Option<Field>,
    /// An operand of the structure, as kernels have it.
    pub given: fn(&Field, Holds, &BigUint) -> Given,
    /// The result whose elements kernels gave, where they are those of one.
    pub result: fn(&Field, Holds, &[BigUint]) -> Option<BigUint>,
    /// Operands that numbers at random are not, in the order of a contract, as the layout holds them: points of a curve.
    pub samples: fn(&Field, &Layout, &Operation) -> Vec<Vec<BigUint>>,
    /// The operations that the reference has whether or not a layout has a plan for them; of families the family.
    pub exact: fn(&Field) -> Vec<Operation>,
    /// The operations on which layouts are compared.
    pub mix: fn(&Field) -> Mix,
}

/// An operand as kernels have it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Given {
    /// Elements of the field that kernels compute in.
    Elements(Vec<BigUint>),
    /// A number in words.
    Number(BigUint),
}

/// Operands that are elements, and flags.
pub fn element(_: &Field, holds: Holds, x: &BigUint) -> Given {
    if holds == Holds::Flag { Given::Number(x.clone()) } else { Given::Elements(vec![x.clone()]) }
}

/// Results that are elements; what comes after one says more of it.
pub fn first(_: &Field, _: Holds, x: &[BigUint]) -> Option<BigUint> {
    x.first().cloned()
}

/// About one addition and one doubling of points on a curve.
pub fn curve_mix() -> Mix {
    vec![(Operation::MUL, 8), (Operation::SQUARE, 4), (Operation::ADD, 6), (Operation::SUB, 4)]
}
