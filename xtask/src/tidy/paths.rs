//! Rule: the repository speaks of nothing outside it: no folders of one machine.

use super::{File, Violation};

/// Folders that exist on somebody's machine only. (Written in halves, so that this file keeps its own rule.)
const FOREIGN: [&str; 6] = [
    concat!("sha", "red/"),
    concat!("/ho", "me/"),
    concat!("/ro", "ot/"),
    concat!("/wo", "rk/"),
    concat!("/Us", "ers/"),
    concat!("C:\\Us", "ers"),
];

/// Judges all text files.
pub fn check(files: &[File]) -> Vec<Violation> {
    let mut violations = Vec::new();
    for file in files {
        for (index, line) in file.text.lines().enumerate() {
            violations.extend(FOREIGN.into_iter().filter(|path| mentions(line, path)).map(|path| Violation {
                place: file.path.clone(),
                line: index + 1,
                message: format!("speaks of {path}, which is not part of the repository"),
            }));
        }
    }
    violations
}

/// Whether the path stands in the line, not as the end of a longer name (of a web page, say).
fn mentions(line: &str, path: &str) -> bool {
    line.match_indices(path)
        .any(|(start, _)| !line[..start].ends_with(|c: char| c.is_alphanumeric() || "-_.".contains(c)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_paths_are_found() {
        let count = |text: String| check(&[File { path: "a.md".to_string(), text }]).len();
        for path in FOREIGN {
            assert_eq!(count(format!("see `{path}x`")), 1, "{path}");
            assert_eq!(count(format!("{path}x")), 1, "{path}");
            assert_eq!(count(format!("https://example.org{path}x")), 0, "{path}");
        }
        assert_eq!(count(format!("../{}x", FOREIGN[0])), 1);
        assert_eq!(count("usr/share/x, workshop, /tmp/x".to_string()), 0);
    }
}
