//! Who makes code of proved kernels: one table of back ends.
//!
//! A [`Backend`] is one file or folder here and one line of [`BACKENDS`]. Rooms above ask it what it takes, what a kernel
//! costs at least, and for checked code as a function ([`Made`]); they name no instruction set. What a back end is made
//! of stands below: lowering, orders and the checker in `codegen`, bytes in `jit`, compilers and calls in `run`.
//!
//! How to add one: docs/how-to/add-a-backend.md.

mod backend;
mod code;
mod made;
mod table;

pub use backend::{
    Backend, Choice, Entry, Estimate, Kind, MachineTable, Ordered, Orders, Packaged, Refusal, Repeat, Speeds, VectorRow,
};
pub use code::Code;
pub use made::{Made, bit_lanes};
pub use table::{bound, found, limits, machine, machine_bound, named, packaged, usual, vectors, widest_model};

/// Declares the files or folders of back ends and lists what they hold: a line is one with the names of its entries.
macro_rules! backends {
    ($($file:ident $(:: $first:ident)+ $(, $(:: $more:ident)+)*;)+) => {
        $(pub mod $file;)+

        /// Every back end; those of one kind in the order of preference.
        pub static BACKENDS: &[&Entry] = &[$(&$file $(:: $first)+ $(, &$file $(:: $more)+)*),+];
    };
}

backends! {
    c::C;
    x86_64::scalar::SCALAR, ::vectors::AVX_512, ::vectors::AVX2, ::vectors::AVX_128;
    interpreter::INTERPRETER;
}
