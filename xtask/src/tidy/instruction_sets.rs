//! Rule: an instruction set is named in its own folder alone. What the rooms of machine code share knows none: a second
//! processor is a folder in some of them, and a line of the file that lists the folders. Rooms that print or speak of
//! machine code do not even say the name of one.

use super::source::{code_only, without_comments};
use super::{File, Violation};

/// Rooms, and what of them is judged: files below the folder, but those of an instruction set. Of some also what their
/// texts say.
const NEUTRAL: [(&str, bool); 11] = [
    ("crates/codegen/src/", false),
    ("crates/jit/src/", false),
    ("crates/run/src/", false),
    ("crates/emit/src/", true),
    ("crates/backend/src/", true),
    ("crates/tune/src/", true),
    ("crates/array/src/", true),
    ("crates/reproduce/src/", false),
    ("crates/evariste/src/", true),
    ("crates/report/src/", true),
    ("crates/cli/src/", true),
];

/// Folders and files of an instruction set, and tests, which may be of one.
const OWN: [&str; 5] = ["x86_64", "x86_64.rs", "aarch64", "aarch64.rs", "tests"];

/// Files that list the folders.
const LISTS: [&str; 7] = [
    "crates/codegen/src/lib.rs",
    "crates/jit/src/lib.rs",
    "crates/jit/src/native.rs",
    "crates/run/src/processor/mod.rs",
    "crates/emit/src/language/c/by_name/mod.rs",
    "crates/emit/src/language/c/simd/mod.rs",
    "crates/backend/src/lib.rs",
];

/// What belongs to an instruction set: its name, registers, instructions, extensions. In lower case, as parts of words.
const NAMES: [&str; 20] = [
    "x86", "gpr", "rax", "rdx", "rsp", "xmm", "ymm", "zmm", "adcx", "mulx", "bmi2", "avx", "vbmi", "gfni", "pclmul",
    "cpuid", "endbr", "__cet__", "aarch64", "neon",
];

/// Judges those files; their comments may give examples.
pub fn check(files: &[File]) -> Vec<Violation> {
    files.iter().filter_map(|file| Some((file, says(&file.path)?))).flat_map(|(file, says)| judge(file, says)).collect()
}

/// Is a file judged, and if so, also by what its texts say?
fn says(path: &str) -> Option<bool> {
    let (inside, says) = NEUTRAL.iter().find_map(|(room, says)| Some((path.strip_prefix(room)?, *says)))?;
    let judged = path.ends_with(".rs") && !LISTS.contains(&path) && !inside.split('/').any(|part| OWN.contains(&part));
    judged.then_some(says)
}

fn judge(file: &File, says: bool) -> Vec<Violation> {
    let code = if says { without_comments(&file.text) } else { code_only(&file.text) };
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
        assert_eq!(lines("crates/backend/src/backend.rs", text), [1, 3, 4]);
    }

    #[test]
    fn what_packages_and_answers_say_is_judged_too() {
        let text = "f(\"x86-64\"); // x86-64\ng(\"#include <cpuid.h>\");\n";
        for path in ["crates/emit/src/asm/source.rs", "crates/cli/src/commands/show.rs", "crates/tune/src/lib.rs"] {
            assert_eq!(lines(path, text), [1, 2], "{path}");
        }
        assert_eq!(lines("crates/codegen/src/lower/mod.rs", text), [0; 0]);
    }

    #[test]
    fn its_folder_lists_comments_tests_and_other_rooms_may_name_it() {
        let text = "use crate::x86_64::Gpr;\n";
        for path in [
            "crates/codegen/src/x86_64/table.rs",
            "crates/jit/src/x86_64/encode.rs",
            "crates/jit/src/lib.rs",
            "crates/run/src/processor/x86_64.rs",
            "crates/emit/src/language/c/by_name/x86_64.rs",
            "crates/emit/src/language/c/tests/assembly.rs",
            "crates/backend/src/lib.rs",
            "crates/codegen/tests/moves.rs",
            "crates/emulator/src/lib.rs",
        ] {
            assert_eq!(lines(path, text), [0; 0], "{path}");
        }
        assert_eq!(lines("crates/codegen/src/graph/mod.rs", "// as `adcx` does\n"), [0; 0]);
        assert_eq!(lines("crates/emit/src/lib.rs", "/// As on x86-64.\n"), [0; 0]);
    }
}
