//! How numbers are written in tables and answers.

use evariste::BigUint;

/// Cycles or nanoseconds: three significant digits or so.
pub fn figure(x: f64) -> String {
    match x {
        x if x < 10.0 => format!("{x:.2}"),
        x if x < 1000.0 => format!("{x:.1}"),
        x => format!("{x:.0}"),
    }
}

/// As [`figure`], or a dash for what was not measured.
pub fn measured(x: Option<f64>) -> String {
    x.map_or_else(|| "-".into(), figure)
}

/// Decimal, and hexadecimal beside it where that is easier to read.
pub fn both(x: &BigUint) -> String {
    if x.bits() < 16 { x.to_string() } else { format!("{x} = {x:#x}") }
}
