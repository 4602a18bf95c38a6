//! Reading an emitted C package back: the command in its header, and the tables of its vectors.

use num_bigint::{BigInt, BigUint};

/// A table of a vector header: `static const TYPE NAME[rows][columns] = { … };`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Table {
    /// The table's name: prefix, operation and parameter.
    pub name: String,
    /// Rows of elements.
    pub rows: Vec<Vec<BigInt>>,
}

/// All tables of a vector header.
pub(crate) fn tables(text: &str) -> Result<Vec<Table>, String> {
    let mut all = Vec::new();
    for part in text.split("static const ").skip(1) {
        let Some((head, body)) = part.split_once('=') else { return Err("a table without values".into()) };
        let declared = head.split_whitespace().nth(1).ok_or("a table without a name")?;
        let (name, sizes) = declared.split_once('[').ok_or_else(|| format!("`{declared}` is not a table"))?;
        let sizes: Vec<usize> = sizes.split(['[', ']']).filter_map(|size| size.parse().ok()).collect();
        let body = body.split(';').next().unwrap_or("");
        let numbers: Vec<BigInt> = body
            .split(['{', '}', ',', ' ', '\n', '\t', '\r'])
            .filter(|word| !word.is_empty())
            .map(literal)
            .collect::<Result<_, _>>()?;
        let [rows, columns] = sizes[..] else { return Err(format!("`{declared}` has not two dimensions")) };
        if columns == 0 || rows.checked_mul(columns) != Some(numbers.len()) {
            return Err(format!("`{name}` declares {rows} rows of {columns} and holds {} numbers", numbers.len()));
        }
        all.push(Table { name: name.to_string(), rows: numbers.chunks(columns).map(<[BigInt]>::to_vec).collect() });
    }
    if all.is_empty() { Err("there is no table".into()) } else { Ok(all) }
}

/// An unsigned C constant: decimal or hexadecimal, with a suffix.
fn literal(word: &str) -> Result<BigInt, String> {
    let digits = word.trim_end_matches(['u', 'U', 'l', 'L']);
    let number = match digits.strip_prefix("0x") {
        Some(hexadecimal) => BigUint::parse_bytes(hexadecimal.as_bytes(), 16),
        None => BigUint::parse_bytes(digits.as_bytes(), 10),
    };
    number.map(BigInt::from).ok_or_else(|| format!("`{}` is not a number", word.chars().take(40).collect::<String>()))
}

/// What the command that wrote a package says.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Command {
    /// The field's description.
    pub field: String,
    /// The layout.
    pub layout: String,
}

/// Reads the command from the comment that opens each file.
pub(crate) fn command(text: &str) -> Result<Command, String> {
    let mut lines = text.lines().map(|line| line.trim_start_matches(" *").trim());
    let line =
        lines.find(|line| line.starts_with("evariste emit ")).ok_or("its header names no `evariste emit` command")?;
    let mut words = words(line).into_iter().skip(2);
    let mut command = Command::default();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--layout" => command.layout = words.next().unwrap_or_default(),
            "--lang" | "--prefix" | "--ops" | "--plan" | "--schedules" | "--goal" | "-o" => drop(words.next()),
            _ if word.starts_with('-') => {}
            _ => command.field = word,
        }
    }
    if command.field.is_empty() || command.layout.is_empty() {
        return Err("the command in its header names no field or no layout".into());
    }
    Ok(command)
}

/// The words of a command line; `'…'` holds one together.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (i, part) in line.split('\'').enumerate() {
        match i % 2 {
            1 => words.push(part.to_string()),
            _ => words.extend(part.split_whitespace().map(str::to_string)),
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_read_and_their_sizes_checked() {
        let text = "#include <stdint.h>\n\nstatic const uint64_t f_mul_a[2][3] = {\n  {0ull, 0x1fULL,\n   3ull},\n  {9ull, 10ull, 0xffffffffffffffffull},\n};\n";
        let read = tables(text).unwrap();
        assert_eq!(read.len(), 1);
        assert_eq!(read[0].name, "f_mul_a");
        assert_eq!(read[0].rows[0], [0, 31, 3].map(BigInt::from));
        assert_eq!(read[0].rows[1][2], BigInt::from(u64::MAX));
        assert_eq!(
            tables(&text.replace("[2][3]", "[2][2]")).unwrap_err(),
            "`f_mul_a` declares 2 rows of 2 and holds 6 numbers"
        );
        assert_eq!(tables(&text.replace("9ull", "nine")).unwrap_err(), "`nine` is not a number");
        assert_eq!(tables("").unwrap_err(), "there is no table");
    }

    #[test]
    fn the_command_is_found() {
        let text = "/* x\n *\n * Written by Evariste; do not edit. Command:\n *   evariste emit '2^255 - 19' --lang c --prefix f --layout 5x51 --plan mul=a+b -o .\n */";
        assert_eq!(command(text).unwrap(), Command { field: "2^255 - 19".into(), layout: "5x51".into() });
        assert!(command("evariste emit p256 -o .").is_err());
        assert!(command("").is_err());
    }
}
