//! The command `evariste`.
fn main() {}
