//! What languages of threads write in different ways: a [`Dialect`] is a table of texts.

use evariste_ir::{Array, ArrayKind, Kernel};

use crate::unit::{Model, Words, container};

/// What languages of threads write in different ways.
#[derive(Debug)]
pub struct Dialect {
    /// What is reserved.
    pub words: &'static Words,
    /// The unsigned types of 8, 16, 32 and 64 bits.
    pub types: [&'static str; 4],
    /// The end of a literal of 64 bits.
    pub suffix: &'static str,
    /// What stands before a function.
    pub function: &'static str,
    /// What stands before the type of a table; it has an address space of its own where tables stand before functions.
    pub table: &'static str,
    /// Do tables stand before functions?
    pub tables_first: bool,
    /// What stands before a kernel, and before the type of its arrays.
    pub kernel: [&'static str; 2],
    /// The type of a count, and the number of a thread.
    pub thread: [&'static str; 2],
    /// Products, carries and borrows of words of 64 bits.
    pub arithmetic: &'static str,
    /// Where carries between links of a chain need no words: the condition under which there is PTX.
    pub chain: Option<&'static str>,
}

impl Dialect {
    /// The type of an array's elements; `int` for public indices.
    pub fn element(&self, bits: u32) -> &'static str {
        match bits {
            0 => "int",
            8 => self.types[0],
            16 => self.types[1],
            32 => self.types[2],
            _ => self.types[3],
        }
    }

    /// The type of values.
    pub fn word(&self) -> &'static str {
        self.types[3]
    }
}

/// Bits of what holds an element of a parameter.
pub fn bits(kernel: &Kernel, a: Array) -> u32 {
    if Model::of(kernel) == Model::Lanes { 64 } else { container(kernel.array(a).ty.bits()) }
}

/// The parameters of a function for a kernel, a text before the type of each.
pub fn parameters(dialect: &Dialect, kernel: &Kernel, before: &str) -> String {
    let all = kernel.visible().map(|a| {
        let constant = if kernel.array(a).kind == ArrayKind::Input { "const " } else { "" };
        format!("{before}{constant}{} *{}", dialect.element(bits(kernel, a)), dialect.words.name(&kernel.array(a).name))
    });
    all.collect::<Vec<_>>().join(", ")
}
