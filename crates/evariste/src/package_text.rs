//! Reading an emitted package back: the command that wrote it, and its known answers.

use evariste_emit::Manifest;
use num_bigint::{BigInt, BigUint};

/// The words of one parameter in every known answer of an operation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Table {
    /// The operation.
    pub operation: String,
    /// The parameter.
    pub parameter: String,
    /// Is it what is written?
    pub written: bool,
    /// Rows of elements.
    pub rows: Vec<Vec<BigInt>>,
}

/// All known answers of a manifest, by parameters.
pub(crate) fn tables(manifest: &Manifest) -> Result<Vec<Table>, String> {
    let mut all = Vec::new();
    for function in &manifest.functions {
        for written in [false, true] {
            let role = if written { "out" } else { "in" };
            let parameters = function.parameters.iter().filter(|p| p.role == role || p.role == "in-out");
            for (position, parameter) in parameters.enumerate() {
                let rows = function.vectors.iter().map(|vector| {
                    let arrays = if written { &vector.outputs } else { &vector.inputs };
                    let words = arrays.get(position).ok_or_else(|| {
                        format!("a known answer of `{}` has no `{}`", function.operation, parameter.name)
                    })?;
                    words.iter().map(|word| number(word)).collect()
                });
                let (operation, name) = (function.operation.clone(), parameter.name.clone());
                let rows = rows.collect::<Result<_, String>>()?;
                all.push(Table { operation, parameter: name, written, rows });
            }
        }
    }
    if all.is_empty() { Err("it holds no known answer".into()) } else { Ok(all) }
}

/// A hexadecimal number.
fn number(word: &str) -> Result<BigInt, String> {
    let digits = word.strip_prefix("0x").and_then(|digits| BigUint::parse_bytes(digits.as_bytes(), 16));
    digits.map(BigInt::from).ok_or_else(|| format!("`{}` is not a number", word.chars().take(40).collect::<String>()))
}

/// What the command that wrote a package says.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Command {
    /// The field's description.
    pub field: String,
    /// The layout.
    pub layout: String,
    /// The language.
    pub language: String,
}

/// Reads the command that wrote a package.
pub(crate) fn command(line: &str) -> Result<Command, String> {
    if !line.starts_with("evariste emit ") {
        return Err("it names no `evariste emit` command".into());
    }
    let mut words = words(line).into_iter().skip(2);
    let mut command = Command::default();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--layout" => command.layout = words.next().unwrap_or_default(),
            "--lang" => command.language = words.next().unwrap_or_default(),
            "--prefix" | "--ops" | "--faces" | "--generator" | "--known-answers" | "--plan" | "--lanes"
            | "--schedules" | "--searched-on" | "--target" | "--goal" | "-o" => drop(words.next()),
            _ if word.starts_with('-') => {}
            _ => command.field = word,
        }
    }
    if command.field.is_empty() || command.layout.is_empty() {
        return Err("the command that it names has no field or no layout".into());
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
    fn known_answers_are_read() {
        let text = r#"{"format": 1, "title": "t", "command": "c", "prefix": "f", "functions": [{"operation": "mul",
            "contract": [], "parameters": [{"name": "out", "role": "out", "bits": 64, "length": 2},
            {"name": "a", "role": "in", "bits": 64, "length": 2}],
            "vectors": [{"inputs": [["0x0", "0x1f"]], "outputs": [["0x3", "0xffffffffffffffff"]]}]}]}"#;
        let read = |text: &str| tables(&serde_json::from_str(text).expect("a manifest"));
        let all = read(text).unwrap();
        assert_eq!(all.len(), 2);
        assert_eq!((all[0].operation.as_str(), all[0].parameter.as_str(), all[0].written), ("mul", "a", false));
        assert_eq!(all[0].rows, [[0, 31].map(BigInt::from)]);
        assert_eq!(all[1].rows[0][1], BigInt::from(u64::MAX));
        assert_eq!(read(&text.replace("0x1f", "nine")).unwrap_err(), "`nine` is not a number");
        assert_eq!(
            read(&text.replace(r#"[["0x0", "0x1f"]]"#, "[]")).unwrap_err(),
            "a known answer of `mul` has no `a`"
        );
    }

    #[test]
    fn the_command_is_found() {
        let text = "evariste emit '2^255 - 19' --lang c --prefix f --layout 5x51 --plan mul=a+b --lanes level=c/d -o .";
        assert_eq!(
            command(text).unwrap(),
            Command { field: "2^255 - 19".into(), layout: "5x51".into(), language: "c".into() }
        );
        assert!(command("evariste emit p256 -o .").is_err());
        assert!(command("").is_err());
    }
}
