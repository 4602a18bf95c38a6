//! The rules of the repository hold in this tree.

use std::path::Path;
use std::process::Command;

#[test]
fn the_repository_is_tidy() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let violations = xtask::tidy::check(root).unwrap();
    let text: String = violations.iter().map(|violation| format!("{violation}\n")).collect();
    assert!(violations.is_empty(), "{} violations:\n{text}", violations.len());
}

/// What how-tos show as a diff is what the tree asks for today.
#[test]
fn the_diffs_of_how_tos_apply() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let diffs: Vec<_> = std::fs::read_dir(root.join("docs/how-to/examples"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "diff"))
        .collect();
    assert!(!diffs.is_empty());
    for diff in diffs {
        let apply = |how: &[&str]| {
            Command::new("git").args(["apply", "--check"]).args(how).arg(&diff).current_dir(root).output()
        };
        match (apply(&[]), apply(&["--reverse"])) {
            // To be made, or in the tree already.
            (Ok(made), Ok(there)) => assert!(
                made.status.success() || there.status.success(),
                "{}: {}",
                diff.display(),
                String::from_utf8_lossy(&made.stderr)
            ),
            _ => evariste_testing::lacks_tool("diffs of how-tos", "git"),
        }
    }
}
