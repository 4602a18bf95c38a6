//! Évariste compiles finite-field arithmetic. You describe a field; it writes every applicable algorithm of the
//! literature as a *kernel*, proves each kernel, measures each on the machine in front of you, and hands back the
//! fastest as source code.
//!
//! This crate is the library's face; the command `evariste` is built on it. What stands here is kept stable:
//!
//! * **Fields and elements.** [`Field::parse`] reads a description; [`Field::element`] gives an [`Element`] with exact
//!   arithmetic, by machine code where it is worth its making.
//! * **Packages.** [`Field::choose`] picks a layout and its plans, [`Field::package`] prints them as source with test
//!   vectors, a test and a benchmark, [`write_package`] puts them into a folder, and [`check_package`] checks such a
//!   package again. In a build script [`build`] writes one module of Rust.
//! * **Arrays.** [`Field::arrays`] sets up an [`array::Engine`]: one operation on many elements, on vector registers and
//!   several threads.
//! * **Rankings.** [`Field::tune`] proves, compiles, measures and ranks every candidate; [`Memory`] remembers the
//!   [`Ranking`].
//!
//! The folder `examples` has a short program for each of these. Plans, kernels, proofs and machine code are in
//! [`builder`].
//!
//! ```
//! use evariste::{Field, Request};
//!
//! let field = Field::parse("2^255 - 19")?;
//! let (a, b) = (field.element("2^200 + 5")?, field.element("0xabcdef")?);
//! assert_eq!(a.mul(&b)?.mul(&b.inverse()?)?, a);
//!
//! // The multiplication as a C package: source, header, vectors, test, benchmark.
//! let request = Request { language: "c".into(), operations: vec!["mul".into()], ..Request::default() };
//! let files = field.package(&field.choose(Some("5x51"), None)?, &request, |_, _| ())?.files;
//! assert!(files.iter().any(|file| file.path == "f25519.h" && file.text.contains("f25519_mul")));
//! # Ok::<(), evariste::Error>(())
//! ```

mod arithmetic;
pub mod builder;
mod catalogue;
mod check;
mod doctor;
mod element;
mod embed;
mod error;
mod estimates;
mod evaluate;
mod exact;
mod field;
mod kernel;
mod known_answers;
mod leakage;
mod memory;
mod package_text;
mod pieces;
mod plan;
mod processors;
mod survey;

pub use evariste_array as array;

pub use check::{PackageCheck, TestRun, check_package};
pub use element::Element;
pub use embed::{Build, build};
pub use error::Error;
pub use evaluate::Evaluation;
pub use field::Field;
pub use memory::{Kept, Memory, Remembered};

pub use evariste_algorithms::Operation as Op;
pub use evariste_emit::{Face, File, LANGUAGES, Language, language, write_package};
pub use evariste_run::{Compiler, Machine, Stop};
pub use evariste_tune::package::{Package, Request};
pub use evariste_tune::ranking::{Code, Winner};
pub use evariste_tune::{Candidate, Expected, Goal, LayoutRanking, Options, Progress, Ranking, Stage};
pub use num_bigint::BigUint;

/// The code of the how-to about arrays, as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/how-to/use-arrays.md")]
struct UseArrays;
