//! Rule: `unsafe` only where foreign or generated code is called, each block with its reason.

use super::source::code_only;
use super::{File, Violation};

/// Where it may stand: the rooms that call code, and a test that runs a whole package in its process.
const ALLOWED: [&str; 5] =
    ["crates/run/", "crates/jit/", "crates/probe/", "peers/", "crates/evariste/tests/every_operation/scalar.rs"];

/// Judges Rust files.
pub fn check(files: &[File]) -> Vec<Violation> {
    files.iter().filter(|file| file.path.ends_with(".rs")).flat_map(judge).collect()
}

fn judge(file: &File) -> Vec<Violation> {
    let allowed = ALLOWED.iter().any(|folder| file.path.starts_with(folder));
    let raw: Vec<&str> = file.text.lines().collect();
    let mut violations = Vec::new();
    for (index, line) in code_only(&file.text).lines().enumerate() {
        for after in uses(line) {
            // Types and declarations (`unsafe fn`, `unsafe extern "C" fn`) promise nothing; blocks and implementations
            // do.
            let promises = after.is_empty() || after.starts_with('{') || after.starts_with("impl");
            let message = match allowed {
                false => "unsafe code belongs in run, jit, probe or peers",
                true if promises && !has_reason(&raw, index) => "the unsafe block has no comment `SAFETY:` above it",
                true => continue,
            };
            violations.push(Violation { place: file.path.clone(), line: index + 1, message: message.to_string() });
        }
    }
    violations
}

/// What follows each keyword `unsafe` of a line of code.
fn uses(line: &str) -> impl Iterator<Item = &str> {
    line.match_indices("unsafe").filter_map(|(start, word)| {
        let (before, after) = (&line[..start], &line[start + word.len()..]);
        let in_word = |c: char| c.is_alphanumeric() || c == '_';
        (!before.ends_with(in_word) && !after.starts_with(in_word)).then_some(after.trim())
    })
}

/// Whether the line, or the comments and attributes right above it, say why.
fn has_reason(raw: &[&str], index: usize) -> bool {
    let above = raw[..index]
        .iter()
        .rev()
        .take_while(|line| line.trim_start().starts_with("//") || line.trim_start().starts_with("#["));
    above.chain([&raw[index]]).any(|line| line.contains("SAFETY:"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(path: &str, text: &str) -> Vec<String> {
        check(&[File { path: path.to_string(), text: text.to_string() }])
            .into_iter()
            .map(|violation| violation.message)
            .collect()
    }

    #[test]
    fn only_some_rooms_may_be_unsafe() {
        assert_eq!(messages("crates/ir/src/a.rs", "// SAFETY: no\nunsafe { f() }").len(), 1);
        assert_eq!(messages("crates/ir/src/a.rs", "unsafe fn f() {}").len(), 1);
        assert_eq!(messages("crates/ir/src/a.rs", "// unsafe\nlet unsafe_code = \"unsafe {\";"), [""; 0]);
    }

    #[test]
    fn each_block_needs_its_reason() {
        let path = "crates/run/src/a.rs";
        assert_eq!(
            messages(path, "// SAFETY: it is\n// so\nlet x = unsafe { f() };\nlet f: unsafe extern \"C\" fn();"),
            [""; 0]
        );
        assert_eq!(messages(path, "// SAFETY: it is\n\nlet x = unsafe { f() };").len(), 1);
        assert_eq!(messages(path, "unsafe impl Send for X {}").len(), 1);
        assert_eq!(messages(path, "let x = unsafe\n{ f() };").len(), 1);
    }
}
