//! Évariste compiles finite-field arithmetic. You describe a field; it writes every applicable algorithm of the
//! literature as a *kernel*, proves each kernel, measures each on the machine in front of you, and hands back the
//! fastest as source code.
//!
//! This crate is the library's face. The command `evariste` is built on it, and shows nothing that is not here.
//!
//! * [`Field::parse`] reads a description; [`Field::element`] gives a typed [`Element`] with exact reference
//!   arithmetic.
//! * [`Field::plans`] lists what could compute an operation ([`Op`]). A [`Plan`] has a [`Kernel`] to read, count and
//!   run in the interpreter, and [`Plan::prove`] proves it.
//! * [`Field::tune`] proves, compiles, measures and ranks all of them; [`Memory`] remembers the [`Ranking`].
//! * [`Field::choose`] picks a layout and its plans, [`Field::evaluate`] computes with them, [`Field::package`] prints
//!   them as a package of source, vectors, test and benchmark, and [`check_package`] judges such a package again;
//!   [`time_package`] records whether its times depend on operands.
//! * [`Field::arrays`] sets up an [`array::Engine`]: one operation on many elements, over the lanes of vector registers
//!   and over threads.
//!
//! ```
//! use evariste::{Field, Op};
//!
//! let field = Field::parse("2^255 - 19")?;
//! let (a, b) = (field.element("2^200 + 5")?, field.element("0xabcdef")?);
//!
//! // Every algorithm that multiplies in this field, proved, and run on two elements.
//! for plan in field.plans(Op::MUL).iter().filter(|plan| plan.layout().word == 64) {
//!     assert_eq!(plan.kernel().run(&[&a, &b])?, a.mul(&b)?, "{plan:?}");
//! }
//! let plan = field.plan(&Op::MUL, "montgomery-cios/montgomery-4x64")?;
//! assert!(plan.prove().proved().is_some());
//! println!("{}", plan.kernel());
//! # Ok::<(), evariste::Error>(())
//! ```

mod catalogue;
mod check;
mod doctor;
mod element;
mod error;
mod evaluate;
mod field;
mod kernel;
mod leakage;
mod memory;
mod package_text;
mod plan;
mod survey;

pub use evariste_array as array;

pub use catalogue::{OperationRow, Target, codes, operations, targets};
pub use check::{PackageCheck, TestRun, check_package};
pub use doctor::{CacheHealth, Health, doctor};
pub use element::Element;
pub use error::Error;
pub use evaluate::{Evaluation, Evaluator};
pub use field::{Field, WORDS};
pub use kernel::Kernel;
pub use leakage::{TimingRecord, time_package};
pub use memory::{Kept, Memory, Remembered};
pub use plan::Plan;
pub use survey::{AlgorithmKind, OperationSurvey, Survey, algorithms, survey};

pub use evariste_algorithms::{Layout, Operation as Op};
pub use evariste_backend::x86_64::scalar::counts as count_program;
pub use evariste_backend::{BACKENDS, Backend, Entry, Kind, VectorRow, c, packaged, vectors};
pub use evariste_descriptions::{BinaryField, Diagnostic, Field as Spec, Integers, Modulus, Named, Shape, named};
pub use evariste_emit::{EmitError, File, LANGUAGES, MachineCode, assembly, c_source, language, write_package};
pub use evariste_ir::Interval;
pub use evariste_ir::count::Counts;
pub use evariste_proof::{Counterexample, Obligation, Outcome, Proved};
pub use evariste_run::leakage::{Class, Leakage, LeakageOptions};
pub use evariste_run::{Compiler, Family, Machine, RunError, Stop, TimingOptions};
pub use evariste_tune::choose::{Chosen, Otherwise, Reason, Source, Wish};
pub use evariste_tune::contract_line::contract_line;
pub use evariste_tune::evaluate::Runner;
pub use evariste_tune::machine_code::for_package as checked_program;
pub use evariste_tune::mix::{Mix, parse as parse_mix};
pub use evariste_tune::package::Request;
pub use evariste_tune::ranking::{Code, Winner};
pub use evariste_tune::stopped::Stopped;
pub use evariste_tune::{
    Candidate, Expected, Goal, LayoutRanking, Options, Progress, Ranking, Schedule, Schedules, Searched, Stage,
    TuneError, layout_line,
};
pub use num_bigint::BigUint;

/// The code of the how-to about arrays, as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/how-to/use-arrays.md")]
struct UseArrays;
