//! The languages: a file or folder each, and a line in the table.

pub mod c;

use crate::Language;

/// All languages: a new one is a module and a line.
pub const LANGUAGES: &[Language] = &[
    Language { name: "c", extension: "c", machine_code: false, package: c::package },
    Language { name: "asm", extension: "S", machine_code: true, package: c::with_machine_code },
];
