//! The languages: a file or folder each, and a line in the table.

pub mod c;
pub mod c89;
mod operators;

use crate::Language;

/// All languages: a new one is a module and a line.
pub const LANGUAGES: &[Language] = &[
    Language { name: "c", extension: "c", machine_code: false, machine: None, package: c::package },
    Language { name: "c-header", extension: "h", machine_code: false, machine: None, package: c::header_only },
    Language { name: "asm", extension: "S", machine_code: true, machine: None, package: c::with_machine_code },
    c89::C89,
];
