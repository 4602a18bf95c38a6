//! What formulas compute: the inputs and definitions that those of a family share, written from the mathematics.

pub mod cubic;
pub mod extension;
pub mod quadratic;
pub mod weierstrass;
