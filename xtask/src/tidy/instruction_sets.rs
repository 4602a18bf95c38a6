//! Rule: an instruction set is named in its own folder alone. What the rooms of machine code share knows none: a second
//! processor is a folder in each of them, and a line of the file that lists the folders.

use super::source::code_only;
use super::{File, Violation};

/// Rooms, and what of them is judged: files below the folder, but those of an instruction set.
const NEUTRAL: [&str; 3] = ["crates/codegen/src/", "crates/jit/src/", "crates/run/src/"];

/// Folders and files of an instruction set.
const OWN: [&str; 4] = ["x86_64", "x86_64.rs", "aarch64", "aarch64.rs"];

/// Files that list the folders.
const LISTS: [&str; 4] = [
    "crates/codegen/src/lib.rs",
    "crates/jit/src/lib.rs",
    "crates/jit/src/native.rs",
    "crates/run/src/processor/mod.rs",
];

/// What belongs to an instruction set: its name, registers, instructions, extensions. In lower case, as parts of words.
const NAMES: [&str; 17] = [
    "x86", "gpr", "rax", "rdx", "rsp", "xmm", "ymm", "zmm", "adcx", "mulx", "bmi2", "avx", "vbmi", "gfni", "pclmul",
    "aarch64", "neon",
];

/// Judges the code of those files; their comments may give examples.
pub fn check(files: &[File]) -> Vec<Violation> {
    files.iter().filter(|file| is_judged(&file.path)).flat_map(judge).collect()
}

fn is_judged(path: &str) -> bool {
    let inside = NEUTRAL.iter().find_map(|room| path.strip_prefix(room));
    path.ends_with(".rs")
        && !LISTS.contains(&path)
        && inside.is_some_and(|inside| !inside.split('/').any(|part| OWN.contains(&part)))
}

fn judge(file: &File) -> Vec<Violation> {
    let code = code_only(&file.text);
    let mut violations = Vec::new();
    for (index, line) in code.lines().enumerate() {
        let line = line.to_lowercase();
        violations.extend(NAMES.into_iter().find(|name| line.contains(name)).map(|name| Violation {
            place: file.path.clone(),
            line: index + 1,
            message: format!("`{name}` belongs to one instruction set: into its folder with it, behind `Isa`"),
        }));
    }
    violations
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(path: &str, text: &str) -> Vec<usize> {
        check(&[File { path: path.to_string(), text: text.to_string() }]).iter().map(|found| found.line).collect()
    }

    #[test]
    fn names_of_an_instruction_set_are_found() {
        let text = "use crate::x86_64::Gpr;\nfn f() {}\nlet a = features.bmi2;\nif cfg!(Avx512) {}\n";
        assert_eq!(lines("crates/codegen/src/check/mod.rs", text), [1, 3, 4]);
        assert_eq!(lines("crates/jit/src/function.rs", text), [1, 3, 4]);
    }

    #[test]
    fn its_folder_lists_comments_and_other_rooms_may_name_it() {
        let text = "use crate::x86_64::Gpr;\n";
        for path in [
            "crates/codegen/src/x86_64/table.rs",
            "crates/jit/src/x86_64/encode.rs",
            "crates/jit/src/lib.rs",
            "crates/run/src/processor/x86_64.rs",
            "crates/backend/src/lib.rs",
            "crates/codegen/tests/moves.rs",
        ] {
            assert_eq!(lines(path, text), [0; 0], "{path}");
        }
        assert_eq!(lines("crates/codegen/src/graph/mod.rs", "// as `adcx` does\n"), [0; 0]);
    }
}
