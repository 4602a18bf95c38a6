//! Rule: a function has at most 60 lines. Those that are longer are listed with their length in
//! `xtask/long-functions.txt`, which may only shrink: a listed function grows no more, and leaves the list when it is
//! short. Tests may be longer.

use std::collections::BTreeMap;

use super::{File, Violation};

const MOST_LINES: usize = 60;

/// The list: crate, file, function and lines, separated by blanks.
const LIST: &str = "xtask/long-functions.txt";

/// Judges the length of functions.
pub fn check(files: &[File]) -> Vec<Violation> {
    let list = files.iter().find(|file| file.path == LIST).map_or("", |file| &file.text);
    let mut allowed: BTreeMap<String, usize> = list
        .lines()
        .filter_map(|line| line.rsplit_once(' '))
        .filter_map(|(key, lines)| Some((key.to_string(), lines.parse().ok()?)))
        .collect();
    let mut violations = Vec::new();
    for file in files.iter().filter(|file| is_judged(&file.path)) {
        for (line, name, lines) in long_functions(&file.text) {
            let key = key(&file.path, name);
            let most = allowed.remove(&key).unwrap_or(MOST_LINES);
            if lines > most {
                let message = format!("`{name}` has {lines} lines: split it (at most {most})");
                violations.push(Violation { place: file.path.clone(), line, message });
            }
        }
    }
    let gone = |key: String| Violation {
        place: LIST.to_string(),
        line: 0,
        message: format!("`{key}` is no long function any more: take its line out"),
    };
    violations.extend(allowed.into_keys().map(gone));
    violations
}

fn is_judged(path: &str) -> bool {
    path.ends_with(".rs") && !path.split('/').any(|part| matches!(part, "tests" | "tests.rs" | "examples"))
}

/// Crate, file and function: a folder that moves leaves the list as it is.
fn key(path: &str, name: &str) -> String {
    let mut parts = path.split('/').skip_while(|part| matches!(*part, "crates" | "."));
    format!("{} {} {name}", parts.next().unwrap_or(path), parts.last().unwrap_or(path))
}

/// Line, name and number of lines of each function that is too long. Functions are formatted: the last line of one is
/// the first that closes a brace as far left as it began.
fn long_functions(text: &str) -> Vec<(usize, &str, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut long = Vec::new();
    for (start, line) in lines.iter().enumerate() {
        let Some(name) = function(line) else { continue };
        let margin = &line[..line.len() - line.trim_start().len()];
        let is_end = |l: &&str| l.strip_prefix(margin).is_some_and(|rest| matches!(rest, "}" | "};"));
        let ends_here = line.ends_with('}') || line.ends_with(';');
        let Some(more) = lines[start..].iter().position(is_end).filter(|_| !ends_here) else { continue };
        if more + 1 > MOST_LINES {
            long.push((start + 1, name, more + 1));
        }
    }
    long
}

/// The name of the function that a line begins.
fn function(line: &str) -> Option<&str> {
    let (before, after) = line.trim_start().split_once("fn ")?;
    let word = |w: &str| matches!(w, "pub" | "const" | "unsafe" | "extern" | "\"C\"") || w.starts_with("pub(");
    let name = after.split(|c: char| !c.is_alphanumeric() && c != '_').next().filter(|name| !name.is_empty())?;
    before.split_whitespace().all(word).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: String) -> File {
        File { path: path.to_string(), text }
    }

    fn function_of(lines: usize) -> String {
        format!("impl X {{\n    pub(super) fn work(&self) {{\n{}    }}\n}}\n", "        x;\n".repeat(lines - 2))
    }

    #[test]
    fn long_functions_are_found_and_listed_ones_may_only_shrink() {
        let judged = |lines: usize, list: &str| {
            check(&[file("crates/a/src/b/c.rs", function_of(lines)), file(LIST, list.to_string())]).len()
        };
        assert_eq!(judged(60, ""), 0);
        assert_eq!(judged(61, ""), 1);
        assert_eq!(judged(61, "a c.rs work 61\n"), 0);
        assert_eq!(judged(62, "a c.rs work 61\n"), 1);
        assert_eq!(judged(60, "a c.rs work 61\n"), 1);
        assert_eq!(judged(61, "a c.rs work 61\na d.rs gone 70\n"), 1);
        assert_eq!(check(&[file("crates/a/tests/c.rs", function_of(100))]), []);
    }
}
