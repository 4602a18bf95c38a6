//! Who makes code of proved kernels: one table of back ends.
//!
//! A [`Backend`] is one file or folder here and one line of [`BACKENDS`]. Rooms above ask it what it takes, what a kernel
//! costs at least, and for checked code as a function ([`Made`]); they name no instruction set. What a back end is made
//! of stands below: lowering, orders and the checker in `codegen`, bytes in `jit`, compilers and calls in `run`.
//!
//! How to add one: docs/how-to/add-a-backend.md.

use evariste_codegen::aarch64::Aarch64;
use evariste_codegen::x86_64::X86_64;
use scalar::Scalar;

mod backend;
mod code;
mod machine_code;
mod made;
mod table;
mod whole_products;

pub use backend::{
    Apart, Backend, Choice, Entry, Estimate, Kind, MachineTable, Make, Measuring, Ordered, Orders, Packaged, Refusal,
    Repeat,
};
pub use code::Code;
pub use evariste_codegen::costs::{Speeds, VectorRow};
pub use machine_code::{SWITCH, assemble, features};
pub use made::{Made, bit_lanes};
pub use table::{
    WITHOUT, bound, found, limits, machine, machine_bound, measuring, misnamed, named, packaged, packaged_of, usual,
    vectors, widest_model,
};

/// Declares the files or folders of back ends and lists what they hold: a line is one with its entries.
macro_rules! backends {
    ($($file:ident: $($entry:expr),+;)+) => {
        $(pub mod $file;)+

        /// Every back end; those of one kind in the order of preference.
        pub static BACKENDS: &[&Entry] = &[$($(&$entry),+),+];
    };
}

backends! {
    c: c::C;
    scalar: Scalar::<X86_64>::ENTRY, Scalar::<Aarch64>::UNMEASURED;
    x86_64: x86_64::ABREAST, x86_64::AVX_512, x86_64::AVX2, x86_64::AVX_128, x86_64::SSE2;
    interpreter: interpreter::INTERPRETER;
}
