//! Rule: a source file has at most 600 lines. Files of tests and of tables may be longer.

use super::{File, Violation};

const MOST_LINES: usize = 600;

/// Judges the length of Rust files.
pub fn check(files: &[File]) -> Vec<Violation> {
    let judge = |file: &File| {
        let lines = file.text.lines().count();
        (lines > MOST_LINES && file.path.ends_with(".rs") && !is_exempt(&file.path)).then(|| Violation {
            place: file.path.clone(),
            line: 0,
            message: format!("has {lines} lines: split it (at most {MOST_LINES})"),
        })
    };
    files.iter().filter_map(judge).collect()
}

/// Whether a path lies in a folder `tests` or `tables`, or is a file `tables.rs`.
fn is_exempt(path: &str) -> bool {
    path.split('/').any(|part| matches!(part, "tests" | "tables" | "tables.rs"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_files_are_found() {
        let file = |path: &str, lines| File { path: path.to_string(), text: "x\n".repeat(lines) };
        assert_eq!(
            check(&[file("a.rs", 600), file("a.md", 601), file("c/tests/a.rs", 601), file("c/tables.rs", 601)]),
            []
        );
        assert_eq!(check(&[file("a.rs", 601)]).len(), 1);
    }
}
