//! Names that Go keeps for itself, and how it names what it has.

use evariste_ir::{Array, ArrayKind, Kernel};

use super::super::words::{Held, Role};
use super::notation::element_type;
use crate::package::Content;
use crate::unit::{Model, Words, container};

/// The names that kernels cannot use.
#[rustfmt::skip]
pub const WORDS: Words = Words {
    language: "Go",
    reserved: &[
        "any", "append", "bits", "bool", "break", "byte", "cap", "case", "chan", "clear", "close", "complex", "const",
        "continue", "copy", "default", "defer", "delete", "else", "error", "fallthrough", "false", "for", "func", "go",
        "goto", "if", "imag", "import", "int", "interface", "iota", "len", "make", "map", "max", "min", "new", "nil",
        "package", "panic", "print", "range", "real", "recover", "return", "rune", "select", "string", "struct",
        "switch", "true", "type", "uint", "uint16", "uint32", "uint64", "uint8", "var", "i", "j", "k", "l", "e",
    ],
    beginnings: &[
        "barrier_", "mask_", "add_", "sub_", "mul_", "madd_", "equal_", "less_", "select_", "shift_", "rotate_",
        "carryless_", "rijndael_", "bit_", "lookup_", "wrap_", "ring_", "evariste_", "table_",
    ],
};

/// The package's name. (`main` is a program's, and what ends in `_test` a test's.)
pub fn package_name(content: &Content) -> String {
    let name = WORDS.name(&content.prefix.to_ascii_lowercase());
    if name == "main" || name.ends_with("_test") { name + "_" } else { name }
}

/// The name under which others see an operation: `from_bytes` is `FromBytes`.
pub fn exported(operation: &str) -> String {
    let capital = |part: &str| {
        let mut letters = part.chars();
        letters.next().map(|c| c.to_ascii_uppercase()).into_iter().chain(letters).collect::<String>()
    };
    let name: String = operation.split('_').map(capital).collect();
    if name.starts_with(|c: char| c.is_ascii_digit()) { format!("Op{name}") } else { name }
}

/// A parameter as its function holds it.
pub fn parameter(kernel: &Kernel, a: Array) -> Held {
    let info = kernel.array(a);
    let bits = if Model::of(kernel) == Model::Lanes { 64 } else { container(info.ty.bits()) };
    let role = if info.kind == ArrayKind::Input { Role::Read } else { Role::Written };
    Held { bits, len: info.len, role }
}

/// The type of an array.
pub fn array_type(held: &Held) -> String {
    format!("[{}]{}", held.len, element_type(held.bits))
}
