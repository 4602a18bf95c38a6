//! Names that Rust keeps for itself, and how it names the types of arrays.

use evariste_ir::{Array, ArrayKind, Kernel};

use super::super::words::{Held, Role};
use crate::manifest::params;
use crate::unit::{Model, Words, container};

/// The names that kernels cannot use.
#[rustfmt::skip]
pub const WORDS: Words = Words {
    language: "Rust",
    reserved: &[
        "Self", "abstract", "as", "async", "await", "become", "bool", "box", "break", "const", "continue", "crate",
        "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "i16", "i32", "i64", "i8", "if",
        "impl", "in", "isize", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "part", "priv", "pub",
        "ref", "return", "self", "static", "str", "struct", "super", "trait", "true", "try", "type", "typeof", "u128",
        "u16", "u32", "u64", "u8", "union", "unsafe", "unsized", "use", "usize", "virtual", "where", "while", "yield",
        "i", "j", "k", "l", "e", "Element",
    ],
    beginnings: &[
        "barrier_", "mask_", "add_", "sub_", "mul_", "madd_", "equal_", "less_", "select_", "shift_", "rotate_",
        "carryless_", "rijndael_", "bit_", "lookup_", "wrap_", "ring_", "evariste_", "given_", "hidden",
    ],
};

/// The type of an array's elements.
pub fn element_type(bits: u32) -> String {
    if bits == 0 { "isize".to_string() } else { format!("u{bits}") }
}

/// The type of an array.
pub fn array_type(held: &Held) -> String {
    format!("[{}; {}]", element_type(held.bits), held.len)
}

/// A parameter as its function holds it.
pub fn parameter(kernel: &Kernel, a: Array) -> Held {
    let info = kernel.array(a);
    let bits = if Model::of(kernel) == Model::Lanes { 64 } else { container(info.ty.bits()) };
    let role = if info.kind == ArrayKind::Input { Role::Read } else { Role::Written };
    Held { bits, len: info.len, role }
}

/// What a function gives: one array, or several in brackets.
pub fn results(all: &[String]) -> String {
    if let [one] = all { one.clone() } else { format!("({})", all.join(", ")) }
}

/// What stands before the body of a `const fn` of a kernel.
pub fn signature(kernel: &Kernel, symbol: &str) -> String {
    let given = params(kernel, false)
        .into_iter()
        .map(|a| format!("{}: &{}", WORDS.name(&kernel.array(a).name), array_type(&parameter(kernel, a))));
    let given: Vec<String> = given.collect();
    let taken: Vec<String> = params(kernel, true).into_iter().map(|a| array_type(&parameter(kernel, a))).collect();
    format!("const fn {symbol}({}) -> {}", given.join(", "), results(&taken))
}
