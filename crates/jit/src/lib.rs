//! Machine code in this process: a [`Program`](evariste_codegen::program::Program) becomes bytes ([`encode`]),
//! executable memory ([`Executable`]) and a [`Function`] that is called with typed slices. Programs that the checker
//! has accepted are loaded and called safely; others are the caller's responsibility.
//!
//! Where the processor is another or the system gives no executable memory, every way in answers with an error value;
//! the emitted C does the same work. [`constant_time`] reads the bytes back and judges every instruction by a list;
//! what fails it is not made executable.
//!
//! An instruction set is a folder: [`x86_64`], [`aarch64`].

pub mod aarch64;
mod argument;
mod code;
mod endian;
mod error;
mod executable;
mod function;
mod limit;
mod native;
mod numbers;
mod on_words;
mod pages;
mod plain;
#[cfg(not(target_arch = "x86_64"))]
mod portable;
mod prefetch;
pub mod residues;
pub mod slices;
mod stack;
pub mod transpose;
pub mod x86_64;

pub use argument::{Argument, Element};
pub use code::{Code, Encode, NotConstantTime, Processor, TimingClass, constant_time, disassemble, encode};
pub use error::{CallError, EncodeError, JitError};
pub use evariste_codegen::program::Parameter;
pub use executable::{Executable, RawFunction, available, features, is_native};
pub use function::{Function, MOST_PARAMETERS};
pub use limit::Limit;
pub use numbers::{any_above, is_above};
pub use on_words::{OnPairs, OnTriples, OnWords};
pub use pages::Pages;
pub use prefetch::Prefetch;
