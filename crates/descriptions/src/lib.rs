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

mod algebra;
mod description;
mod diagnostic;
mod digest;
mod expression;
mod field;
pub mod kind;
pub mod kinds;
mod lexer;
mod limits;
mod lists;
mod montgomery;
mod names;
pub mod prime;
mod residues;
mod strings;
mod structure;

pub use diagnostic::Diagnostic;
pub use expression::integer;
pub use field::Field;
pub use kinds::*;
pub use limits::{MAXIMUM_BITS, MAXIMUM_DEGREE, MINIMUM_BITS};
pub use names::{Named, named};
pub use structure::{Part, Structure};
