//! Tables: plain columns; on a terminal the headings are bold.

use std::io::IsTerminal;

use comfy_table::presets::NOTHING;
use comfy_table::{Cell, CellAlignment, Table};

/// A table under these headings; headings that begin with `>` are of numbers and lean to the right.
pub fn table(headings: &[&str], rows: Vec<Vec<String>>) -> String {
    let mut table = Table::new();
    table.load_style(NOTHING);
    let right: Vec<bool> = headings.iter().map(|h| h.starts_with('>')).collect();
    let cell = |text: &str, i: usize| {
        let right = right.get(i).copied().unwrap_or(false);
        Cell::new(text).set_alignment(if right { CellAlignment::Right } else { CellAlignment::Left })
    };
    table.set_header(headings.iter().enumerate().map(|(i, h)| cell(h.trim_start_matches('>'), i)));
    for row in rows {
        table.add_row(row.iter().enumerate().map(|(i, text)| cell(text, i)));
    }
    let text = table.trim_fmt() + "\n";
    match text.split_once('\n') {
        Some((headings, rows)) if std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none() => {
            format!("\x1b[1m{headings}\x1b[0m\n{rows}")
        }
        _ => text,
    }
}

/// The text with two blanks before each line.
pub fn indented(text: &str) -> String {
    text.lines().map(|line| if line.is_empty() { "\n".into() } else { format!("  {line}\n") }).collect()
}
