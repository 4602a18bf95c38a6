//! Arrays of field elements: one operation on many elements, over the lanes of vector registers and over threads.
//!
//! An [`Engine`] is set up once for a field: it picks a layout, and for each operation a plan and a shape of code;
//! kernels are written, proved, compiled and checked when an operation is first used (milliseconds; nothing is
//! measured). An [`Array`] holds elements in the engine's order: each word of eight neighbours fills one vector
//! register (Gueron, Krasnov, "Accelerating big integer arithmetic using Intel IFMA extensions", 2016). Elements behind
//! the end of the last vector are garbage and never matter.
//!
//! ```
//! use evariste_array::{BigUint, Engine};
//! use evariste_descriptions::Field;
//!
//! let engine = Engine::new(&Field::parse("2^255 - 19")?, 1)?;
//! let numbers: Vec<BigUint> = (1..=1000u32).map(BigUint::from).collect();
//! let a = engine.from_integers(&numbers)?;
//! let squares = engine.mul(&a, &a)?;
//! let mut one = engine.inverse(&a)?;
//! engine.mul_assign(&mut one, &a)?;
//! assert_eq!(engine.to_integers(&squares)?[999], BigUint::from(1_000_000u32));
//! assert_eq!(engine.sum(&one)?, BigUint::from(1000u32));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Binary fields are held in the same order in whole words, or bit-sliced: each coordinate of 512 neighbours fills a
//! register.
//!
//! When not to use it: for single elements, and where results must not lie in memory in between: an operation streams
//! through its arrays.
//!
//! Vectors without products of 52 bits hold shorter digits, of which columns take whole products. Without vectors the
//! kernels run as scalar machine code, one element at a time, and where no machine code can be made, in the
//! interpreter: slowly, with the same digits.

mod array;
mod bits;
mod butterflies;
mod bytes;
mod choose;
mod code;
mod conversions;
mod device;
mod elementwise;
mod engine;
mod error;
mod form;
mod formula;
mod in_lanes;
mod interpret;
mod inverse;
mod mask;
mod matmul;
mod one_by_one;
mod pack;
mod places;
mod power;
mod products_of_words;
mod runs;
mod short;
mod storage;
mod structured;
mod sums;
mod transform;
mod transpose;
mod trial;
mod walk;
mod words;

pub use array::{Array, View, ViewMut};
pub use device::{ENGINES, devices};
pub use engine::{Engine, Options};
pub use error::ArrayError;
pub use evariste_algorithms::Operation;
pub use evariste_algorithms::operation::Holds;
pub use evariste_jit::transpose::Endian;
pub use form::{Canonical, Form, Resting};
pub use formula::Formula;
pub use mask::Mask;
pub use matmul::ProductOfMatrices;
pub use num_bigint::BigUint;
pub use places::Places;
pub use products_of_words::ProductsOfWords;
pub use structured::{Job, Operand, Scalars, Structured, StructuredArray, StructuredView};
pub use transform::Transform;
