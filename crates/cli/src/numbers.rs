//! How numbers are written in tables and answers.

use evariste::BigUint;
pub use evariste_report::figure;

/// As [`figure`], or a dash for what was not measured.
pub fn measured(x: Option<f64>) -> String {
    x.map_or_else(|| "-".into(), figure)
}

/// A bound, where the table says anything of the code.
pub fn known(bound: f64) -> Option<f64> {
    Some(bound).filter(|cycles| *cycles > 0.0)
}

/// Decimal, and hexadecimal beside it where that is easier to read.
pub fn both(x: &BigUint) -> String {
    if x.bits() < 16 { x.to_string() } else { format!("{x} = {x:#x}") }
}

/// So many of a thing: `1 plan`, `2 plans`.
pub fn counted(n: impl Into<u64>, thing: &str) -> String {
    let n = n.into();
    if n == 1 { format!("1 {thing}") } else { format!("{n} {thing}s") }
}

/// A time that is only about right.
pub fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 90.0 => format!("{:.0} s", (s / 5.0).ceil() * 5.0),
        s if s < 5400.0 => format!("{:.0} minutes", (s / 60.0).ceil()),
        s => format!("{:.1} hours", s / 3600.0),
    }
}
