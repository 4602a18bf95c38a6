//! Rule: nothing unfinished and no test that nobody sees: no `todo!`, no `unimplemented!`, no ignored test or example.

use super::source::code_only;
use super::{File, Violation};

/// What code may not contain.
const IN_CODE: [&str; 4] = ["todo!", "unimplemented!", "#[ignore", "cfg_attr(ignore"];

/// Judges Rust files: their code, and the examples in their documentation.
pub fn check(files: &[File]) -> Vec<Violation> {
    files.iter().filter(|file| file.path.ends_with(".rs")).flat_map(judge).collect()
}

fn judge(file: &File) -> Vec<Violation> {
    let mut violations = Vec::new();
    let code = code_only(&file.text);
    for (index, (line, raw)) in code.lines().zip(file.text.lines()).enumerate() {
        let unspaced: String = line.split_whitespace().collect();
        let found = IN_CODE.into_iter().find(|pattern| unspaced.contains(pattern));
        let raw = raw.trim_start();
        let fence = raw
            .strip_prefix("//!")
            .or_else(|| raw.strip_prefix("///"))
            .and_then(|text| text.trim_start().strip_prefix("```"));
        let ignored = fence.filter(|language| language.contains("ignore")).map(|_| "an example that is not compiled");
        violations.extend(found.or(ignored).map(|what| Violation {
            place: file.path.clone(),
            line: index + 1,
            message: format!("{what}: finish it, or leave it out"),
        }));
    }
    violations
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<usize> {
        check(&[File { path: "a.rs".to_string(), text: text.to_string() }])
            .iter()
            .map(|violation| violation.line)
            .collect()
    }

    #[test]
    fn unfinished_code_is_found() {
        assert_eq!(lines("fn f() {\n    todo!()\n}\nfn g() { unimplemented!(\"x\") }"), [2, 4]);
        assert_eq!(lines("#[test]\n#[ignore]\nfn f() {}\n# [ignore = \"slow\"]"), [2, 4]);
        assert_eq!(lines("/// ```rust,ignore\n/// f();\n/// ```"), [1]);
    }

    #[test]
    fn prose_may_speak_of_it() {
        assert_eq!(lines("// no todo! here\nlet s = \"unimplemented!\";\n/// ```\n/// f();\n/// ```"), [0; 0]);
    }
}
