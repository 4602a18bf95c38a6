//! Names that Java keeps for itself, and what it has.

use crate::unit::{Lengths, Words};

/// Carries are written out.
pub const MACHINE: evariste_ir::Machine =
    evariste_ir::Machine { flags: true, unsigned: true, ..evariste_ir::Machine::JAVA };

/// HotSpot compiles no method of more than 8000 bytes of code; a statement has about 20 with its calls. (Products in halves
/// have fewer, but are no faster in one method: there are too few registers for more than a part.)
pub const LENGTHS: Lengths = Lengths { whole: 320, most: 300 };

/// The names that kernels cannot use.
#[rustfmt::skip]
pub const WORDS: Words = Words {
    language: "Java",
    reserved: &[
        "abstract", "assert", "boolean", "break", "byte", "carry", "borrow", "case", "catch", "char", "class", "const",
        "continue", "default", "do", "double", "else", "enum", "extends", "false", "final", "finally", "float", "for",
        "goto", "if", "implements", "import", "instanceof", "int", "interface", "live", "long", "native", "new", "null",
        "package", "private", "protected", "public", "return", "short", "static", "strictfp", "super", "switch",
        "synchronized", "this", "throw", "throws", "transient", "true", "try", "var", "void", "volatile", "while",
        "yield", "i", "j", "k", "l", "e",
    ],
    beginnings: &[
        "barrier_", "mask_", "add_", "sub_", "mul_", "madd_", "equal_", "less_", "select_", "shift_", "rotate_",
        "carryless_", "rijndael_", "bit_", "lookup_", "wrap_", "ring_", "evariste_",
    ],
};

/// Classes of Java's that packages use.
const CLASSES: [&str; 10] = [
    "Arrays",
    "BigInteger",
    "Double",
    "IllegalArgumentException",
    "Long",
    "Math",
    "Object",
    "Stream",
    "String",
    "System",
];

/// The class of a package: its prefix with a capital letter, with another ending where Java has a class of that name.
pub fn class_name(prefix: &str) -> String {
    let mut letters = prefix.chars();
    let name: String = letters.next().map(|c| c.to_ascii_uppercase()).into_iter().chain(letters).collect();
    if CLASSES.contains(&name.as_str()) { name + "Field" } else { name }
}
