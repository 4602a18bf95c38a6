//! Tables: plain columns as wide as the terminal; on a terminal the headings are bold.

use std::io::IsTerminal;
use std::sync::OnceLock;

use comfy_table::presets::NOTHING;
use comfy_table::{Cell, CellAlignment, ContentArrangement, Table};

/// Is everything shown, however wide (`--wide`)?
static WIDE: OnceLock<bool> = OnceLock::new();

/// Says once whether tables are to be as wide as their content.
pub fn set_wide(wide: bool) {
    let _ = WIDE.set(wide);
}

/// The columns of characters that texts have: COLUMNS, else those of the terminal. `None`: any number, as in files and
/// pipes.
pub fn width() -> Option<usize> {
    if WIDE.get().copied().unwrap_or(false) {
        return None;
    }
    let asked = std::env::var("COLUMNS").ok().and_then(|text| text.trim().parse().ok());
    let terminal = || console::Term::stdout().size_checked().map(|(_, columns)| usize::from(columns));
    asked.or_else(terminal).filter(|columns| *columns > 0).map(|columns: usize| columns.max(40))
}

/// Are colours and bold letters wanted on standard output?
pub fn styled() -> bool {
    let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
        || std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    !plain && std::io::stdout().is_terminal()
}

/// A cell that is broken has lines of this many characters at least, as long as a column can go instead.
const READABLE: usize = 20;

/// A table under these headings, with long cells in several lines where it would be too wide; headings that begin with
/// `>` are of numbers and lean to the right.
pub fn table(headings: &[&str], rows: Vec<Vec<String>>) -> String {
    broken(headings, &rows, width(), 0).unwrap_or_else(|| made(headings, &rows, width()))
}

/// What tables left out, as a line.
pub fn left_out(gone: &[&str]) -> String {
    if gone.is_empty() {
        return String::new();
    }
    wrapped(&format!("not shown for want of room: {} (--wide shows all)\n", gone.join(", ")))
}

/// A table indented by two blanks, without the columns of `order`, from the first one on, as far as they must go to fit
/// the width; also the columns that went.
pub fn fitted<'a>(headings: &[&str], rows: &[Vec<String>], order: &[&'a str]) -> (String, Vec<&'a str>) {
    fitted_to(headings, rows, order, width().map(|width| width - 2))
}

fn fitted_to<'a>(
    headings: &[&str],
    rows: &[Vec<String>],
    order: &[&'a str],
    width: Option<usize>,
) -> (String, Vec<&'a str>) {
    let mut gone: Vec<&str> = Vec::new();
    loop {
        let kept: Vec<usize> = (0..headings.len()).filter(|i| !gone.contains(&title(headings[*i]))).collect();
        let names: Vec<&str> = kept.iter().map(|i| headings[*i]).collect();
        let cells: Vec<Vec<String>> =
            rows.iter().map(|row| kept.iter().filter_map(|i| row.get(*i).cloned()).collect()).collect();
        let next = order.get(gone.len());
        match (broken(&names, &cells, width, if next.is_some() { READABLE } else { 0 }), next) {
            (Some(text), _) => return (indented(&text), gone),
            (None, Some(next)) => gone.push(next),
            (None, None) => return (indented(&made(&names, &cells, width)), gone),
        }
    }
}

/// The table where cells are broken between words and between the parts of names, as far as they must be to fit the
/// width, and in lines of so many characters at least; `None` where that does not do.
fn broken(headings: &[&str], rows: &[Vec<String>], width: Option<usize>, least: usize) -> Option<String> {
    let whole = made(headings, rows, None);
    let Some(width) = width.filter(|width| widest(&whole) > *width) else { return Some(whole) };
    let size = |text: &str| console::measure_text_width(text);
    let longest_part = |text: &str| parts(text).into_iter().map(|part| size(part.trim_end())).max().unwrap_or(0);
    let mut widths = Vec::new();
    let mut floors = Vec::new();
    for (i, heading) in headings.iter().enumerate() {
        let cells = || rows.iter().filter_map(|row| row.get(i));
        let number = heading.starts_with('>');
        let natural = cells().map(|cell| size(cell)).max().unwrap_or(0).max(size(title(heading)));
        let part = cells().map(|cell| if number { size(cell) } else { longest_part(cell) }).max().unwrap_or(0);
        widths.push(natural);
        floors.push(part.max(longest_part(title(heading))).max(least.min(natural)));
    }
    // A blank on either side of a cell, and none at the end of a line.
    while widths.iter().sum::<usize>() + 2 * widths.len() > width + 1 {
        let shrinks = (0..widths.len()).filter(|i| widths[*i] > floors[*i]).max_by_key(|i| widths[*i])?;
        widths[shrinks] -= 1;
    }
    let lines = |text: &str, i: usize| widths.get(i).map_or_else(|| text.to_string(), |width| lines_of(text, *width));
    let names: Vec<String> = headings
        .iter()
        .enumerate()
        .map(|(i, heading)| heading[..heading.len() - title(heading).len()].to_string() + &lines(title(heading), i))
        .collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let cells: Vec<Vec<String>> =
        rows.iter().map(|row| row.iter().enumerate().map(|(i, text)| lines(text, i)).collect()).collect();
    Some(made(&names, &cells, None)).filter(|text| widest(text) <= width)
}

/// Where a cell may be broken: after a blank, and after a mark that joins the words of a name.
fn parts(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    for (at, mark) in text.char_indices() {
        let next = text[at..].chars().nth(1).is_some_and(char::is_alphabetic);
        let joins = matches!(mark, '+' | '-' | '_') && next && text[..at].ends_with(char::is_alphanumeric);
        if mark == ' ' || joins {
            parts.push(&text[start..=at]);
            start = at + 1;
        }
    }
    parts.push(&text[start..]);
    parts
}

/// The text in lines of this width, where its parts allow that.
fn lines_of(text: &str, width: usize) -> String {
    let mut lines: Vec<String> = vec![String::new()];
    for part in parts(text) {
        let Some(line) = lines.last_mut() else { break };
        if !line.is_empty() && console::measure_text_width(&format!("{line}{}", part.trim_end())) > width {
            lines.push(part.to_string());
        } else {
            line.push_str(part);
        }
    }
    lines.iter().map(|line| line.trim_end()).collect::<Vec<_>>().join("\n")
}

fn title(heading: &str) -> &str {
    heading.trim_start_matches('>')
}

/// Characters of the longest line, without what styles it.
fn widest(text: &str) -> usize {
    text.lines().map(console::measure_text_width).max().unwrap_or(0)
}

fn made(headings: &[&str], rows: &[Vec<String>], width: Option<usize>) -> String {
    let mut table = Table::new();
    table.load_style(NOTHING);
    if let Some(width) = width {
        table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width.min(usize::from(u16::MAX)) as u16);
    }
    let right: Vec<bool> = headings.iter().map(|h| h.starts_with('>')).collect();
    let cell = |text: &str, i: usize| {
        let right = right.get(i).copied().unwrap_or(false);
        Cell::new(text).set_alignment(if right { CellAlignment::Right } else { CellAlignment::Left })
    };
    table.set_header(headings.iter().enumerate().map(|(i, h)| cell(title(h), i)));
    for row in rows {
        table.add_row(row.iter().enumerate().map(|(i, text)| cell(text, i)));
    }
    let text = table.trim_fmt() + "\n";
    match text.split_once('\n') {
        Some((headings, rows)) if styled() => format!("\x1b[1m{headings}\x1b[0m\n{rows}"),
        _ => text,
    }
}

/// The text with two blanks before each line.
pub fn indented(text: &str) -> String {
    text.lines().map(|line| if line.is_empty() { "\n".into() } else { format!("  {line}\n") }).collect()
}

/// Lines of prose that are longer than the width as several lines, the later ones indented by two blanks more.
pub fn wrapped(text: &str) -> String {
    wrapped_to(text, width())
}

/// As [`wrapped`], to that width.
pub fn wrapped_to(text: &str, width: Option<usize>) -> String {
    let Some(width) = width else { return text.to_string() };
    let mut out = String::new();
    for line in text.lines() {
        let indent = line.len() - line.trim_start().len();
        if console::measure_text_width(line) <= width {
            out += &format!("{line}\n");
            continue;
        }
        let mut current = " ".repeat(indent);
        let mut gap = 0;
        for word in line.trim_start().split(' ') {
            // Several blanks, as behind a title, stay several.
            if word.is_empty() {
                gap += 1;
                continue;
            }
            let longer = console::measure_text_width(&current) + gap + console::measure_text_width(word);
            if gap > 0 && longer > width {
                out += &current;
                out.push('\n');
                current = " ".repeat(indent + 2);
            } else {
                current += &" ".repeat(gap);
            }
            current += word;
            gap = 1;
        }
        out += current.trim_end();
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADINGS: [&str; 4] = ["name", ">cycles", ">moves", ">bytes"];

    fn rows() -> Vec<Vec<String>> {
        let row = |name: &str| vec![name.to_string(), "58.6".into(), "123".into(), "4567".into()];
        vec![row("comba+montgomery-sos"), row("fips")]
    }

    #[test]
    fn columns_go_in_their_order() {
        for (width, gone) in [(None, 0), (Some(60), 0), (Some(40), 1), (Some(30), 2)] {
            let (text, dropped) = fitted_to(&HEADINGS, &rows(), &["moves", "bytes"], width);
            assert_eq!(dropped, ["moves", "bytes"][..gone], "{width:?}\n{text}");
            assert!(width.is_none_or(|width| widest(&text) <= width + 2), "{width:?}\n{text}");
            assert!(text.contains("58.6") && text.contains("montgomery"), "{text}");
        }
    }

    #[test]
    fn names_are_broken_between_their_words() {
        let rows = vec![vec!["operand-scanning-merge+fold-merge".to_string(), "from_bytes_be".into(), "58.6".into()]];
        let (text, dropped) = fitted_to(&["name", "operation", ">cycles"], &rows, &["cycles"], Some(46));
        assert!(dropped.is_empty() && text.contains("58.6"), "{text}");
        assert!(text.contains("operand-scanning-\u{20}") && text.contains("merge+fold-merge"), "{text}");
        assert!(widest(&text) <= 48, "{text}");
        let (text, dropped) = fitted_to(&["name", "operation", ">cycles"], &rows, &["cycles"], Some(28));
        assert_eq!(dropped, ["cycles"], "{text}");
        assert!(text.contains("scanning-") && widest(&text) <= 30, "{text}");
        assert_eq!(parts("a·b + c, -1 x^163+x"), ["a·b ", "+ ", "c, ", "-1 ", "x^163+", "x"]);
    }

    #[test]
    fn what_is_still_too_wide_has_cells_of_several_lines() {
        let (text, _) = fitted_to(&HEADINGS, &rows(), &["moves", "bytes"], Some(22));
        assert!(widest(&text) <= 24 && text.lines().count() > 3, "{text}");
    }

    #[test]
    fn prose_is_wrapped_between_words() {
        let text = "one two three four\n  five six seven\n";
        assert_eq!(wrapped_to(text, None), text);
        assert_eq!(wrapped_to("best   one two\n", Some(12)), "best   one\n  two\n");
        assert_eq!(wrapped_to(text, Some(10)), "one two\n  three\n  four\n  five six\n    seven\n");
    }
}
