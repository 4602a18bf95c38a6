//! The trusted core: equations between non-negative integers, and the few steps that an argument may take with them.
//!
//! * [`mono`], [`poly`]: atoms, monomials, polynomials;
//! * [`system`]: the table of atoms and equations, written once by the translation;
//! * [`expr`]: an expression under transformation. Every step adds a multiple of an equation, applies a proved fact, or
//!   (for bounds) adds something that is not negative. Which steps are taken is decided in [`crate::search`], which
//!   nothing here trusts;
//! * [`leaf`]: the greatest value of what is left, by intervals and by the bounds of whole numbers;
//! * [`theorem`]: what has been proved (a bound, a congruence, a fact), in types that only this folder can make.

pub mod expr;
pub mod hash;
pub mod leaf;
pub mod mono;
pub mod poly;
pub mod system;
pub mod theorem;

pub use expr::{Expr, Ring};
pub use hash::{FastMap, FastSet};
pub use mono::{Atom, Mono};
pub use poly::Poly;
pub use system::{Affine, Node, NodeId, Number, System};
pub use theorem::{Bounded, Fact, Facts, Vanishing};
