//! Tables in documents, made from files of comma-separated values.
//!
//! A table stands between `<!-- table FILE … -->` and `<!-- end table -->`, FILE being below record/. Behind it may
//! stand `of COLUMN COLUMN …` (those columns only, decimals shortened) and `first N by COLUMN …` (of the lines that agree in
//! these columns the first N). A file that is no table of values stands there as it is, in a block.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

/// What opens a table, up to the file's name.
const OPENS: &str = "<!-- table ";
/// What closes one.
const CLOSES: &str = "<!-- end table -->";

/// A file of comma-separated values (RFC 4180): a line of names, then lines of as many values.
pub fn parse(text: &str) -> Result<Vec<Vec<String>>> {
    let mut rows = vec![vec![String::new()]];
    let mut quoted = false;
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        let Some(cell) = rows.last_mut().and_then(|row| row.last_mut()) else { bail!("a row without cells") };
        match c {
            '"' if quoted && characters.next_if_eq(&'"').is_some() => cell.push('"'),
            '"' => quoted = !quoted,
            ',' if !quoted => rows.last_mut().context("a row")?.push(String::new()),
            '\n' if !quoted => rows.push(vec![String::new()]),
            '\r' if !quoted => {}
            c => cell.push(c),
        }
    }
    rows.retain(|row| row.len() > 1 || row.iter().any(|cell| !cell.is_empty()));
    let columns = rows.first().map_or(0, Vec::len);
    if let Some(at) = rows.iter().position(|row| row.len() != columns) {
        bail!("line {} has {} values, not {columns}", at + 1, rows[at].len());
    }
    Ok(rows)
}

/// Rows as a file of comma-separated values.
pub fn printed(rows: &[Vec<String>]) -> String {
    let cell = |cell: &String| {
        let plain = !cell.contains([',', '"', '\n', '\r']);
        if plain { cell.clone() } else { format!("\"{}\"", cell.replace('"', "\"\"")) }
    };
    rows.iter().map(|row| row.iter().map(cell).collect::<Vec<_>>().join(",") + "\n").collect()
}

/// Writes the tables of a document anew.
///
/// # Errors
/// A file that is not there or is no table; a column that it lacks; an end that is missing.
pub fn rewritten(document: &str, read: &dyn Fn(&str) -> Result<String>) -> Result<String> {
    let mut out = String::new();
    let mut rest = document;
    while let Some((before, after)) = rest.split_once(OPENS) {
        let (mark, after) = after.split_once(" -->\n").context("a mark of a table is not closed")?;
        let (_, after) = after.split_once(CLOSES).with_context(|| format!("`{mark}` has no `{CLOSES}`"))?;
        let table = made(mark, read).with_context(|| format!("the table `{mark}`"))?;
        out += &format!("{before}{OPENS}{mark} -->\n{table}{CLOSES}");
        rest = after;
    }
    Ok(out + rest)
}

/// The text of one table.
fn made(mark: &str, read: &dyn Fn(&str) -> Result<String>) -> Result<String> {
    let mut words = mark.split(' ');
    let file = words.next().unwrap_or_default();
    let text = read(file)?;
    if !file.ends_with(".csv") {
        return Ok(format!("```text\n{}\n```\n", text.trim_end()));
    }
    let rows = parse(&text)?;
    let (names, values) = rows.split_first().context("an empty file")?;
    let at = |name: &str| names.iter().position(|n| n == name).with_context(|| format!("no column `{name}`"));
    let (mut columns, mut first, mut by) = (Vec::new(), usize::MAX, Vec::new());
    let mut which = "";
    for word in words {
        match (word, which) {
            ("of" | "first" | "by", _) => which = word,
            (name, "of") => columns.push(at(name)?),
            (number, "first") => first = number.parse().with_context(|| format!("`{number}` lines"))?,
            (name, "by") => by.push(at(name)?),
            _ => bail!("`{word}` behind the file's name"),
        }
    }
    let whole = columns.is_empty();
    if whole {
        columns = (0..names.len()).collect();
    }
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let heading = |name: &String| if whole { name.clone() } else { name.replace('_', " ") };
    let mut out = line(columns.iter().map(|c| heading(&names[*c])).collect());
    out += &line(vec!["---".to_string(); columns.len()]);
    let mut seen: Vec<(Vec<&String>, usize)> = Vec::new();
    for row in values {
        let key: Vec<&String> = by.iter().map(|c| &row[*c]).collect();
        let place = seen.iter().position(|(k, _)| *k == key).unwrap_or(seen.len());
        if place == seen.len() {
            seen.push((key, 0));
        }
        seen[place].1 += 1;
        if seen[place].1 <= first {
            let cell = |c: &usize| if whole { row[*c].clone() } else { shortened(&row[*c]) };
            out += &line(columns.iter().map(cell).collect());
        }
    }
    Ok(out)
}

/// A number with decimals, to three figures; anything else as it is.
fn shortened(cell: &str) -> String {
    match cell.parse::<f64>() {
        Ok(x) if cell.contains('.') && x.is_finite() => {
            let before = x.abs().max(1.0).log10() as usize;
            format!("{x:.*}", 2usize.saturating_sub(before))
        }
        _ => cell.replace('|', "\\|"),
    }
}

/// The documents that may have tables: the README and those of docs/measurements.
///
/// # Errors
/// A folder that cannot be read.
pub fn documents(root: &Path) -> Result<Vec<PathBuf>> {
    let mut all = vec![root.join("README.md")];
    for entry in std::fs::read_dir(root.join("docs/measurements"))? {
        all.push(entry?.path());
    }
    all.sort();
    Ok(all)
}

/// What the tables of a document are made from lies in the record.
///
/// # Errors
/// As [`rewritten`].
pub fn now(root: &Path, document: &str) -> Result<String> {
    rewritten(document, &|file| {
        let path = root.join("record").join(file);
        std::fs::read_to_string(&path).with_context(|| path.display().to_string())
    })
}

/// Writes the tables of all documents anew; the documents that changed.
///
/// # Errors
/// As [`rewritten`], and documents that cannot be written.
pub fn rewrite_all(root: &Path) -> Result<Vec<PathBuf>> {
    let mut changed = Vec::new();
    for path in documents(root)? {
        let text = std::fs::read_to_string(&path)?;
        let new = now(root, &text).with_context(|| path.display().to_string())?;
        if new != text {
            std::fs::write(&path, new)?;
            changed.push(path);
        }
    }
    Ok(changed)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "kernel,peer,ours_ns\nmul,\"a, \"\"b\"\"\",1.2345\nmul,c,12.345\nsquare,d,x\n";

    fn of(mark: &str) -> Result<String> {
        rewritten(&format!("before\n<!-- table {mark} -->\nold\n<!-- end table -->\nafter\n"), &|_| Ok(FILE.into()))
    }

    #[test]
    fn tables_come_from_files() {
        let whole = of("x.csv").expect("a table");
        assert_eq!(
            whole,
            "before\n<!-- table x.csv -->\n| kernel | peer | ours_ns |\n| --- | --- | --- |\n| mul | a, \"b\" | 1.2345 |\n| mul | c | 12.345 |\n| square | d | x |\n<!-- end table -->\nafter\n"
        );
        let some = of("x.csv of ours_ns kernel first 1 by kernel").expect("a table");
        assert!(
            some.contains("| ours ns | kernel |\n| --- | --- |\n| 1.23 | mul |\n| x | square |\n<!-- end"),
            "{some}"
        );
        let text = of("x.txt").expect("a block");
        assert!(text.contains("-->\n```text\nkernel,peer") && text.contains(",x\n```\n<!-- end"), "{text}");
        assert_eq!(printed(&parse(FILE).expect("rows")), FILE);
        for wrong in ["x.csv of nothing", "x.csv nonsense", "x.csv first many"] {
            assert!(of(wrong).is_err(), "{wrong}");
        }
        assert!(rewritten("<!-- table x.csv -->\n| a |\n", &|_| Ok(FILE.into())).is_err(), "no end");
        assert!(parse("a,b\n1\n").is_err());
    }

    #[test]
    fn numbers_are_shortened() {
        let all = ["0.12345", "1.2345", "12.345", "123.45", "12345.6", "17", "a|b"].map(shortened);
        assert_eq!(all, ["0.12", "1.23", "12.3", "123", "12346", "17", "a\\|b"]);
    }
}
