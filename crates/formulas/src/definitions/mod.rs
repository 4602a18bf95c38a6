//! What formulas compute: the inputs and definitions that those of a family share, written from the mathematics.

pub mod cubic;
pub mod quadratic;
pub mod quartic;
pub mod sextic;
pub mod weierstrass;
