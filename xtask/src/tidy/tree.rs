//! What rules judge: the text files of the tree, and what they say of them.

use std::fmt;
use std::path::Path;
use std::process::Command;

use anyhow::Context;

/// A text file of the tree.
#[derive(Clone, Debug)]
pub struct File {
    /// Path from the root, with `/`.
    pub path: String,
    /// Content.
    pub text: String,
}

/// A place that breaks a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The file, or the package.
    pub place: String,
    /// Line from 1, or 0 where the whole file is meant.
    pub line: usize,
    /// What is wrong and what would be right.
    pub message: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.place, self.message),
            line => write!(f, "{}:{line}: {}", self.place, self.message),
        }
    }
}

/// The text files that are tracked or about to be; all but build outputs where git cannot tell.
pub fn files(root: &Path) -> anyhow::Result<Vec<File>> {
    let git = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(root)
        .output()
        .ok()
        .filter(|output| output.status.success());
    let mut paths: Vec<String> = match git {
        Some(output) => String::from_utf8_lossy(&output.stdout)
            .split('\0')
            .filter(|path| !path.is_empty())
            .map(str::to_string)
            .collect(),
        None => walk(root, "")?,
    };
    paths.sort();
    paths.dedup();
    // Files that are gone, or hold no text, have no lines to judge.
    let read = |path: String| std::fs::read_to_string(root.join(&path)).ok().map(|text| File { path, text });
    Ok(paths.into_iter().filter_map(read).collect())
}

/// Paths below `folder`, build outputs and git's own files left out.
fn walk(root: &Path, folder: &str) -> anyhow::Result<Vec<String>> {
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(root.join(folder)).with_context(|| format!("cannot list {folder}"))? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
        if entry.file_type()?.is_dir() {
            if name != "target" && name != ".git" {
                paths.extend(walk(root, &path)?);
            }
        } else {
            paths.push(path);
        }
    }
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Git's list and the walk agree on what this crate is made of.
    #[test]
    fn both_ways_of_listing_find_this_file() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        assert!(files(root).unwrap().iter().any(|file| file.path == "src/tidy/tree.rs"));
        assert!(walk(root, "").unwrap().iter().any(|path| path == "src/tidy/tree.rs"));
    }

    #[test]
    fn violations_name_their_place() {
        let violation = Violation { place: "a.rs".into(), line: 3, message: "wrong".into() };
        assert_eq!(violation.to_string(), "a.rs:3: wrong");
        assert_eq!(Violation { line: 0, ..violation }.to_string(), "a.rs: wrong");
    }
}
