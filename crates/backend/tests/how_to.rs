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
    assert_eq!(all[1].1, ["    interpreter::INTERPRETER;"]);
    assert!(all[1].1.iter().all(|added| text(names[1]).lines().any(|line| line == *added)));
}

/// Other rooms know the table alone: none names a back end's instruction set, its registers or its programs.
#[test]
fn rooms_above_name_no_back_end() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut named = Vec::new();
    for room in ["tune", "array", "reproduce", "report", "evariste", "cli"] {
        let mut folders = vec![root.join(room).join("src")];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(&folder).expect("a folder").flatten() {
                let path = entry.path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|e| e == "rs") {
                    let text = std::fs::read_to_string(&path).expect("source");
                    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
                    named.extend(code.filter(|line| line.contains("x86_64")).map(|line| format!("{path:?}: {line}")));
                }
            }
        }
    }
    // What the façade hands on of assembly's counts, and the name of a package's file.
    named.retain(|line| !line.contains("counts as count_program") && !line.contains("_x86_64.S"));
    assert_eq!(named, Vec::<String>::new());
}
