//! The rules of the repository hold in this tree.

use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// The files of a folder of the repository with that ending.
fn files(folder: &str, ending: &str) -> Vec<PathBuf> {
    let all = std::fs::read_dir(root().join(folder)).unwrap().map(|entry| entry.unwrap().path());
    let files: Vec<PathBuf> = all.filter(|path| path.extension().is_some_and(|e| e == ending)).collect();
    assert!(!files.is_empty(), "{folder}: no .{ending}");
    files
}

#[test]
fn the_repository_is_tidy() {
    let violations = xtask::tidy::check(root()).unwrap();
    let text: String = violations.iter().map(|violation| format!("{violation}\n")).collect();
    assert!(violations.is_empty(), "{} violations:\n{text}", violations.len());
}

/// `cargo fmt` does not see files that a macro declares.
#[test]
fn every_source_is_formatted() {
    if Command::new("rustfmt").arg("--version").output().is_err() {
        return evariste_testing::lacks_tool("sources are formatted", "rustfmt");
    }
    assert!(xtask::format::run(root(), true).unwrap(), "run `cargo xtask fmt`");
}

/// What how-tos show as a diff is what the tree asks for today.
#[test]
fn the_diffs_of_how_tos_apply() {
    for diff in files("docs/how-to/examples", "diff") {
        let apply = |how: &[&str]| {
            Command::new("git").args(["apply", "--check"]).args(how).arg(&diff).current_dir(root()).output()
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

/// The number before the first `files` of a text.
fn promised(text: &str) -> Option<usize> {
    let before = text.split(" files").next().filter(|before| before.len() < text.len())?;
    before.rsplit(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

/// A how-to says after the link how many files its diff touches.
#[test]
fn the_diffs_of_how_tos_touch_no_more_files_than_these_promise() {
    let pages: Vec<String> =
        files("docs/how-to", "md").iter().map(|path| std::fs::read_to_string(path).unwrap()).collect();
    for diff in files("docs/how-to/examples", "diff") {
        let name = diff.file_name().unwrap().to_string_lossy();
        let link = format!("(examples/{name})");
        let after = pages.iter().find_map(|page| page.split_once(&link)).map(|(_, after)| after);
        let paragraph = after.and_then(|after| after.split("\n\n").next());
        let promised = promised(paragraph.unwrap_or_else(|| panic!("no how-to links {name}")))
            .unwrap_or_else(|| panic!("{name}: its how-to does not say how many files"));
        let text = std::fs::read_to_string(&diff).unwrap();
        let touched = text.lines().filter(|line| line.starts_with("diff --git ")).count();
        assert!((1..=promised).contains(&touched), "{name} touches {touched} files; its how-to says {promised}");
    }
}

/// The lines that a diff writes into each file that is there, but for what `bless` writes.
fn lines_elsewhere(diff: &str) -> Vec<usize> {
    let files = diff.split("diff --git ").skip(1);
    let there = files.filter(|file| !file.contains("\nnew file mode ") && !file.starts_with("a/docs/reference/"));
    let added = |file: &str| file.lines().filter(|line| line.starts_with('+') && !line.starts_with("+++")).count();
    there.map(added).collect()
}

/// Of a kind of description two rooms have a table.
#[test]
fn what_how_tos_add_is_a_file_and_a_line() {
    for diff in files("docs/how-to/examples", "diff") {
        let text = std::fs::read_to_string(&diff).unwrap();
        let tables = if diff.file_name().unwrap().to_string_lossy().starts_with("kind-") { 2 } else { 1 };
        assert_eq!(lines_elsewhere(&text), vec![1; tables], "{}: lines in files that are there", diff.display());
    }
}

#[test]
fn lines_of_diffs_are_counted() {
    let line =
        |file: &str| format!("diff --git a/{file} b/{file}\n--- a/{file}\n+++ b/{file}\n@@ -1 +1,2 @@\n x\n+y\n");
    let new = "diff --git a/z.rs b/z.rs\nnew file mode 100644\n--- /dev/null\n+++ b/z.rs\n@@ -0,0 +1 @@\n+z\n";
    assert_eq!(lines_elsewhere(&(line("m.rs") + new + &line("docs/reference/x.md"))), [1]);
    assert_eq!(lines_elsewhere(&(line("m.rs") + &line("n.rs"))), [1, 1]);
    assert_eq!(lines_elsewhere(&line("m.rs").replace("+y", "+y\n+z")), [2]);
}

#[test]
fn promises_are_read() {
    assert_eq!(promised(" is all of it (2 files), and 7 files more"), Some(2));
    assert_eq!(promised(":\n3 files.\n"), Some(3));
    assert_eq!(promised(" is the whole change: two files"), None);
    assert_eq!(promised(" is the whole change"), None);
}
