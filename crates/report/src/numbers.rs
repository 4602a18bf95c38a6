//! How numbers are written on the page.

use evariste_tune::Candidate;

/// Cycles, nanoseconds or bytes: three significant digits or so.
pub fn figure(x: f64) -> String {
    match x {
        x if x < 10.0 => format!("{x:.2}"),
        x if x < 1000.0 => format!("{x:.1}"),
        x => format!("{x:.0}"),
    }
}

/// A number of any kind: whole ones as they are, others with three significant digits or so, however small.
pub fn significant(x: f64) -> String {
    match x {
        x if x.fract() == 0.0 && x.abs() < 1e15 => format!("{x}"),
        x if x.abs() < 0.1 => format!("{x:.4}"),
        x if x.abs() < 1.0 => format!("{x:.3}"),
        x => figure(x),
    }
}

/// As [`figure`], or a dash for what was not measured.
pub fn measured(x: Option<f64>) -> String {
    x.map_or_else(dash, figure)
}

/// A candidate's bound in words, with the unit behind the number.
pub fn bound(c: &Candidate, unit: &str) -> String {
    c.bound().map_or_else(|| "no bound".into(), |cycles| format!("bound {}{unit}", figure(cycles)))
}

/// Whole per cent, or a dash.
pub fn percent(x: Option<f64>) -> String {
    x.map_or_else(dash, |p| format!("{p:.0} %"))
}

/// A count, or a dash.
pub fn count(x: Option<u64>) -> String {
    x.map_or_else(dash, |n| n.to_string())
}

/// `1 plan`, `2 plans`.
pub fn plural(n: usize, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") }
}

fn dash() -> String {
    "–".into()
}
