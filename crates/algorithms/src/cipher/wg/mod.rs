//! WG as kernels: its functions of an element, its steps, serial in words and bit-sliced with a key a lane.
//!
//! Products are those of the field ([`ground`]), or of polynomials; what repeats them is here. Coordinates are numbered as
//! in the field's normal basis, the first one lowest.

mod elements;
mod functions;
mod given;
mod polynomial;
mod register;

pub use self::functions::{FEEDBACK, PERMUTATION, TRANSFORMATION};
pub use self::given::{given, ground, layouts, result};
pub use self::register::{INITIAL_STEPS, JUMP, POLYNOMIALS, STREAM};
use crate::recipe::Recipe;

/// Recipes of WG.
pub const WG: &[&dyn Recipe] =
    &[&TRANSFORMATION, &FEEDBACK, &PERMUTATION, &INITIAL_STEPS, &STREAM, &POLYNOMIALS, &JUMP];
