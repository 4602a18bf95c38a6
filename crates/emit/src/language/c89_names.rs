//! How functions and arrays are named and declared in C89.

use evariste_ir::range::pow2;
use evariste_ir::{Array, ArrayKind, Kernel, Machine, Type};
use num_bigint::BigInt;

use crate::unit::Words;

#[rustfmt::skip]
pub(super) const WORDS: Words = Words {
    language: "C89",
    reserved: &[
        "auto", "break", "case", "char", "class", "const", "continue", "default", "delete", "do", "double", "else",
        "enum", "extern", "float", "for", "goto", "if", "int", "long", "main", "new", "private", "public", "register",
        "return", "short", "signed", "sizeof", "static", "struct", "switch", "this", "typedef", "union", "unsigned",
        "void", "volatile", "while", "word", "high", "i", "j", "k", "l", "e",
    ],
    beginnings: &[
        "barrier_", "mask_", "add_", "sub_", "mul_", "madd_", "equal_", "less_", "select_", "shift_", "rotate_",
        "lookup_", "wrap_", "ring_", "evariste_",
    ],
};

/// The type of an array's elements.
pub(super) fn element(ty: Type) -> &'static str {
    if ty.bits() <= 8 { "unsigned char" } else { "unsigned long" }
}

pub(super) fn signature(kernel: &Kernel, symbol: &str) -> String {
    let parameter = |a: Array| {
        let info = kernel.array(a);
        let constant = if info.kind == ArrayKind::Input { "const " } else { "" };
        format!("{constant}{} {}[{}]", element(info.ty), WORDS.name(&info.name), info.len)
    };
    let all: Vec<String> = kernel.visible().map(parameter).collect();
    format!("void {symbol}({})", all.join(", "))
}

/// The name of the table of what an array is given, or expected to hold.
pub(super) fn table(operation: &str, kernel: &Kernel, a: Array, end: &str) -> String {
    format!("{operation}_{}{end}", kernel.array(a).name)
}

/// A number modulo 2^bits.
pub(super) fn constant(x: &BigInt, bits: u32) -> String {
    let modulus = pow2(bits.min(Machine::C32.word));
    let x = ((x % &modulus) + &modulus) % &modulus;
    if x < BigInt::from(10) { format!("{x}UL") } else { format!("0x{x:x}UL") }
}
