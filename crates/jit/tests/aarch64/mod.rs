//! AArch64: bytes beside those of GNU's assembler, programs under qemu beside the interpreter.

mod assembler;
mod counts;
mod emulated;
mod forms;
mod mutants;
