//! Descriptions of fields: text to [`Field`], named constants, exact reference arithmetic.
//!
//! This room turns what a person writes (`2^255 - 19`, `p256`, `int256`, `GF(2^131):onb2`) into plain
//! data, and computes in the described structure slowly and in the most obvious way, so that everything
//! faster can be compared with it. It knows no words, no digits and no machines.
//!
//! ```
//! use evariste_descriptions::Field;
//! let field = Field::parse("2^255 - 19").unwrap();
//! assert_eq!((field.name().as_str(), field.bits()), ("25519", 255));
//! let error = Field::parse("p257").unwrap_err();
//! assert_eq!(error.help[0], "did you mean p256?");
//! ```

mod binary;
mod description;
mod diagnostic;
mod digest;
mod expression;
mod field;
mod integers;
pub mod kind;
pub mod kinds;
mod lexer;
mod limits;
mod modulus;
mod names;
mod odd_moduli;
pub mod prime;
mod residues;
mod structure;

pub use binary::gauss_period::{gaussian_types, has_gaussian_basis};
pub use binary::{Basis, BinaryField, NoField};
pub use diagnostic::Diagnostic;
pub use expression::integer;
pub use field::Field;
pub use integers::Integers;
pub use limits::{MAXIMUM_BITS, MAXIMUM_DEGREE, MINIMUM_BITS};
pub use modulus::Modulus;
pub use modulus::shape::Shape;
pub use modulus::square_root::SquareRoot;
pub use names::{Named, named};
pub use odd_moduli::OddModuli;
pub use structure::Structure;
