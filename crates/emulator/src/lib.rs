//! A second judge of machine code: an x86-64 processor in software that knows bytes, registers and memory, and nothing
//! of how the bytes were made.
//!
//! Instructions are decoded by another decoder than the one that wrote them and executed as the Software Developer's
//! Manual (SDM) describes their operation. The emulator knows the forms that our encoder writes; every other
//! instruction is a [`Fault`], as is whatever a correct function never does: to access memory outside of its regions or
//! below the red zone, to read a flag that the manual leaves undefined or an element that nobody wrote, to lose a saved
//! register. Only tests depend on this crate.

mod call;
mod decode;
mod fault;
mod flags;
mod general;
mod image;
mod machine;
mod memory;
mod vector;

pub use call::{Array, call, call_with};
pub use fault::Fault;
pub use flags::Flags;
pub use image::Image;
pub use machine::Machine;
pub use memory::{Access, Memory, Region};
