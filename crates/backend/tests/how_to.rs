//! The how-to's example is what the tree has: one file, and its lines in the table's.

use std::path::Path;

const DIFF: &str = include_str!("../../../docs/how-to/examples/interpreter-backend.diff");

/// The files of a diff, each with the lines that it adds and takes away.
fn files(diff: &str) -> Vec<(&str, Vec<&str>, Vec<&str>)> {
    diff.split("diff --git ")
        .skip(1)
        .map(|part| {
            let (head, body) = part.split_once("\n+++ b/").expect("a diff names its files");
            assert!(head.contains("\n--- "));
            let (name, hunks) = body.split_once('\n').expect("hunks");
            let marked = |mark| hunks.lines().filter_map(|line| line.strip_prefix(mark)).collect();
            (name, marked('+'), marked('-'))
        })
        .collect()
}

#[test]
fn the_example_is_one_file_and_one_line() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = |name: &str| std::fs::read_to_string(root.join(name)).expect("a file of the tree");
    let all = files(DIFF);
    let names: Vec<&str> = all.iter().map(|(name, ..)| *name).collect();
    assert_eq!(names, ["crates/backend/src/interpreter.rs", "crates/backend/src/lib.rs"]);
    assert!(all.iter().all(|(.., removed)| removed.is_empty()), "nothing else changes");
    assert_eq!(all[0].1, text(names[0]).lines().collect::<Vec<_>>(), "make the diff again: see the how-to");
    // Its line declares the file too.
    assert_eq!(all[1].1, ["    interpreter: interpreter::INTERPRETER;"]);
    assert!(all[1].1.iter().all(|added| text(names[1]).lines().any(|line| line == *added)));
}
