//! Formulas: straight-line computations over elements of one commutative ring.
//!
//! Towers, curves and pairings are made of field operations, not of words. A [`Formula`] says how, once for every field
//! that it serves: it knows no words, no bounds, no machine and no modulus. What its outputs are stands in its
//! [`Definition`], written from the mathematics; [`check`](check()) compares both as exact polynomials, and only that
//! makes a [`Checked`] formula.
//!
//! Modules: [`formula`] the data, [`tower`], [`curve`] and [`pairing`] the formulas, one algorithm a file, with what they
//! compute in [`definitions`], [`build`] the builder, [`text`] the form that prints and parses back, [`expression`]
//! what definitions are written in, [`polynomial`] and [`relations`] exact polynomials and normal forms, [`mod@verify`]
//! the structure, [`mod@check`] the mathematics, [`mod@evaluate`] formulas on elements of a ring, [`published`] counts
//! that sources print.

pub mod build;
pub mod check;
pub mod count;
pub mod curve;
pub mod definitions;
mod emit;
mod entry;
pub mod evaluate;
pub mod expression;
pub mod flatten;
pub mod floor;
pub mod formula;
pub mod inline;
mod judge;
mod lexer;
pub mod meaning;
pub mod mutate;
pub mod pairing;
pub mod polynomial;
pub mod published;
mod quantity;
mod refutation;
mod registry;
pub mod relations;
pub mod reorder;
pub mod text;
pub mod tower;
pub mod verify;

pub use build::{Builder, Element};
pub use check::{Checked, check, check_against, same};
pub use count::{Counts, count};
pub use entry::{Entry, Family};
pub use evaluate::{Ring, evaluate};
pub use expression::Expression;
pub use flatten::{Unflat, flatten};
pub use floor::Floor;
pub use formula::{
    Bit, Characteristic, Constant, Definition, Formula, Group, Known, Line, Output, OutputGroup, Step, Value,
};
pub use inline::{inlined, specialised};
pub use lexer::SyntaxError;
pub use meaning::{Meaning, meaning, polynomials};
pub use mutate::{Mutant, mutants};
pub use refutation::Refutation;
pub use registry::registry;
pub use reorder::reordered;
pub use verify::{Defect, verify};
