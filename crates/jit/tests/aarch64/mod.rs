//! AArch64: bytes by GNU's assembler.

mod assembler;
mod forms;
