//! Runners and the paired timing harness.
//!
//! A proved kernel, or its checked machine code, arrives here and leaves as a function that can be called and timed on
//! this machine:
//!
//! * [`Compiler`] finds the machine's C compilers and turns [proved kernels into functions](Compiler::functions), or any
//!   source text into a loaded [`Library`];
//! * [`NativeFunction`] calls one symbol of it on [`Buffer`]s whose lengths are checked;
//! * [`time_paired`] measures several functions side by side: latency and throughput, in core cycles and in
//!   nanoseconds;
//! * [`Trial`] takes single short samples of one function or another on the same arrays, for searches;
//! * [`leakage`](leakage::leakage) compares times on fixed and on random operands, by Welch's t-test;
//! * [`runners`] compile for other processors, run programs by emulators and simulators, and count;
//! * [`opencl`] runs kernels over arrays of elements on the devices of OpenCL drivers;
//! * [`code_size`] reads the size of a function from the object file;
//! * [`Machine`] says what this machine is and what it has.
//!
//! Calling a [`NativeFunction`] runs its code in this process, with pointers to buffers of at least the declared
//! lengths. C printed from proved kernels and checked machine code stay inside them, whatever the buffers hold: these
//! ways in are safe. Other texts and objects come in by `unsafe` functions, which say what the caller promises.
//!
//! ```
//! use evariste_run::{Argument, Buffer, Compiler, RunError};
//!
//! # fn main() -> Result<(), RunError> {
//! # if Compiler::all().is_empty() { return Ok(()); }
//! let source = "#include <stdint.h>\nvoid add(uint64_t *o, const uint64_t *a, const uint64_t *b) { o[0] = a[0] + b[0]; }";
//! let arguments = [Argument::output(8), Argument::input(8), Argument::input(8)];
//! // SAFETY: the text has no constructors, and its function takes three arrays of eight bytes.
//! let add = unsafe { Compiler::find()?.load(source, &["-O2"])?.function("add", &arguments)? };
//! let mut buffers = [Buffer::zeroed(8), Buffer::from_u64(&[2]), Buffer::from_u64(&[3])];
//! add.call(&mut buffers)?;
//! assert_eq!(buffers[0].to_u64(), [5]);
//! # Ok(())
//! # }
//! ```

mod buffer;
mod clock;
mod compiler;
mod elf;
mod error;
pub mod leakage;
mod library;
mod lock;
mod machine;
pub mod opencl;
mod processor;
mod raw_call;
mod rows;
pub mod runners;
mod stop;
mod timed;
mod timing;
mod trial;
mod watcher;

pub use buffer::Buffer;
pub use clock::{CHAIN_CYCLES, Pinned, chain_ticks, tick_ghz, ticks};
pub use compiler::{Compiler, Family};
pub use elf::code_size;
pub use error::RunError;
pub use library::{Argument, Closure, Library, NativeFunction, Role};
pub use lock::TimingLock;
pub use machine::Machine;
pub use stop::Stop;
pub use timed::TimedProgram;
pub use timing::{
    Figure, Timing, TimingOptions, Workload, indistinguishable, paired_ratio, time_paired, time_paired_until,
};
pub use trial::{Goal, Trial};
pub use watcher::Watcher;
