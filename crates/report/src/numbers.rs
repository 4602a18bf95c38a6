//! How numbers are written on the page.

/// Cycles, nanoseconds or bytes: three significant digits or so.
pub fn figure(x: f64) -> String {
    match x {
        x if x < 10.0 => format!("{x:.2}"),
        x if x < 1000.0 => format!("{x:.1}"),
        x => format!("{x:.0}"),
    }
}

/// As [`figure`], or a dash for what was not measured.
pub fn measured(x: Option<f64>) -> String {
    x.map_or_else(dash, figure)
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
