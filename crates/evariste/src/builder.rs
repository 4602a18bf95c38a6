//! What stands behind the face: plans and their kernels, proofs, machine code, schedules, measurements. For those who
//! build on the compiler itself. It changes with it; what is in the crate's root is kept stable.
//!
//! A plan writes a kernel, a proof of it is what code is made of:
//!
//! ```
//! use evariste::builder::{Outcome, c_source, contract_line};
//! use evariste::{Field, Op};
//!
//! let field = Field::parse("mersenne61")?;
//! let plan = field.plan(&Op::MUL, "comba+solinas/1x61")?;
//! assert!(plan.kernel().counts().multiplications > 0);
//! let Outcome::Proved(proved) = plan.prove() else { panic!("not proved") };
//! assert!(contract_line(proved.statement()).contains("out ≡ a·b"));
//! assert!(c_source(&[&proved], "fe")?.text.contains("fe_mul"));
//! # Ok::<(), evariste::Error>(())
//! ```
//!
//! How a layout and its plans are chosen, and what a choice says of itself:
//!
//! ```
//! use evariste::Field;
//! use evariste::builder::Wish;
//!
//! let field = Field::parse("p256")?;
//! let chosen = field.choose_for(None, None, Wish { canonical: true, ..Wish::default() })?;
//! assert!(chosen.layout.name.contains("4x64"));
//! # Ok::<(), evariste::Error>(())
//! ```

// Descriptions: what a field is made of, and the named ones.
pub use evariste_algorithms::hash::WORDS as MESSAGE_WORDS;
pub use evariste_descriptions::kinds::KINDS;
pub use evariste_descriptions::{BinaryField, Diagnostic, Field as Spec, Integers, Modulus, Named, Shape, named};
pub use evariste_descriptions::{CIPHERS, MACS, named_curves, named_pairings, named_towers};
pub use evariste_descriptions::{
    Curve, CurveShape, NamedCurve, NamedPairing, NamedTower, Pairing, Part, Structure, Tower,
};

// Formulas: what towers, curves and pairings are computed by.
pub use evariste_formulas::{Formula, count as formula_counts, registry as formulas};

// Layouts, plans, kernels, and what is known of them without measuring.
pub use crate::catalogue::{OperationRow, Target, codes, codes_among_others, operations, targets};
pub use crate::evaluate::Evaluator;
pub use crate::field::WORDS;
pub use crate::kernel::Kernel;
pub use crate::plan::Plan;
pub use crate::survey::{AlgorithmKind, OperationSurvey, Survey, algorithms, survey};
pub use evariste_algorithms::Layout;
pub use evariste_algorithms::operation::{Holds, Slot};
pub use evariste_ir::Interval;
pub use evariste_ir::count::Counts;
pub use evariste_tune::contract_line::contract_line;
pub use evariste_tune::evaluate::Runner;
pub use evariste_tune::layout_line;

// Proofs.
pub use evariste_proof::{Counterexample, Obligation, Outcome, Proved};

// Code of proved kernels.
pub use crate::estimates::{Estimate, estimates};
pub use evariste_backend::{
    BACKENDS, Backend, Entry, Kind, VectorRow, c, machine, misnamed, packaged, packaged_of, vectors,
};
pub use evariste_emit::{EmitError, MachineCode, assembly, c_source};
pub use evariste_tune::machine_code::for_package as checked_program;

// Cores: what instructions cost.
pub use evariste_cores::{Core, Cost, Fingerprint};
pub use evariste_probe::{Probed, fit::EXPLAINED};
pub use evariste_tune::cores;

// Choices, measurements, schedules.
pub use evariste_run::{Family, RunError, TimingOptions};
pub use evariste_tune::arrays::Lanes;
pub use evariste_tune::choose::{Chosen, Otherwise, Reason, Source, Wish};
pub use evariste_tune::given::Given;
pub use evariste_tune::known_answers::KnownAnswer;
pub use evariste_tune::mix::{Mix, parse as parse_mix};
pub use evariste_tune::stopped::Stopped;
pub use evariste_tune::{FoundSchedule, Schedules, Searched, TuneError};

// Packages on other processors.
pub use crate::processors::{ProcessorRun, check_on};
pub use evariste_run::runners;

// Whether times depend on operands, and what a machine has.
pub use crate::doctor::{CacheHealth, Health, doctor};
pub use crate::leakage::{TimingRecord, time_package};
pub use evariste_run::leakage::{Class, Leakage, LeakageOptions};
