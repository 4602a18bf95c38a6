//! Runners and the paired timing harness.
//!
//! A kernel arrives here as C source text, a symbol name and a list of arguments, and leaves as a function that can be
//! called and timed on this machine:
//!
//! * [`Compiler`] finds the machine's C compilers and turns a source text into a loaded [`Library`];
//! * [`NativeFunction`] calls one symbol of it on [`Buffer`]s whose lengths are checked;
//! * [`time_paired`] measures several functions side by side: latency and throughput, in core cycles and in
//!   nanoseconds;
//! * [`Trial`] takes single short samples of one function or another on the same arrays, for searches;
//! * [`leakage`](leakage::leakage) compares times on fixed and on random operands, by Welch's t-test;
//! * [`code_size`] reads the size of a function from the object file;
//! * [`Machine`] says what this machine is and what it has.
//!
//! The room trusts the C text it is given: calling a [`NativeFunction`] runs that code in this process, with pointers
//! to buffers of exactly the declared lengths. Texts printed from proved kernels stay inside them; do not feed it
//! others.
//!
//! ```
//! use evariste_run::{Argument, Buffer, Compiler, RunError};
//!
//! # fn main() -> Result<(), RunError> {
//! # if Compiler::all().is_empty() { return Ok(()); }
//! let source = "#include <stdint.h>\nvoid add(uint64_t *o, const uint64_t *a, const uint64_t *b) { o[0] = a[0] + b[0]; }";
//! let library = Compiler::find()?.load(source, &["-O2"])?;
//! let add = library.function("add", &[Argument::output(8), Argument::input(8), Argument::input(8)])?;
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
mod raw_call;
mod rows;
mod timing;
mod trial;

pub use buffer::Buffer;
pub use clock::{Pinned, tick_ghz};
pub use compiler::{Compiler, Family};
pub use elf::code_size;
pub use error::RunError;
pub use library::{Argument, Library, NativeFunction, Role};
pub use lock::TimingLock;
pub use machine::Machine;
pub use timing::{Figure, Timing, TimingOptions, Workload, paired_ratio, time_paired};
pub use trial::{Goal, Trial};
