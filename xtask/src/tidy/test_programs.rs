//! Rule: a package has one test program, `tests/main.rs`, of which the other files in `tests/` are modules. Each program
//! is linked with all that it tests, which takes longer than most of them run.

use std::collections::BTreeSet;

use super::{File, Violation};

/// Judges each `tests` folder that lies beside a `Cargo.toml`: the files right inside of it, and the folders that cargo
/// takes for programs.
pub fn check(files: &[File]) -> Vec<Violation> {
    let find = |path: &str| files.iter().find(|file| file.path == path);
    let folders: BTreeSet<&str> = files.iter().filter_map(|file| package_of(&file.path)).collect();
    let mut violations = Vec::new();
    for folder in folders.into_iter().filter(|folder| !folder.starts_with("peers/")) {
        let Some(manifest) = find(&format!("{folder}/Cargo.toml")) else { continue };
        let names: Vec<&str> = files.iter().filter_map(|file| test_file(&file.path, folder)).collect();
        if names.len() == 1 {
            continue;
        }
        if !manifest.text.lines().any(|line| line.trim() == "autotests = false") {
            violations.push(Violation {
                place: manifest.path.clone(),
                line: 0,
                message: "has several files in tests/: say `autotests = false` and `[[test]] name = \"all\", path = \
                          \"tests/main.rs\"`, whose modules they are"
                    .to_string(),
            });
        }
        let modules = find(&format!("{folder}/tests/main.rs")).map_or("", |main| &main.text);
        for name in names.into_iter().filter(|name| *name != "main") {
            if let Some(module) = name.strip_suffix("/main") {
                violations.push(Violation {
                    place: format!("{folder}/tests/{name}.rs"),
                    line: 0,
                    message: format!("is a test program beside another one: name it {module}/mod.rs"),
                });
            } else if !modules.lines().any(|line| line.trim().trim_start_matches("pub ") == format!("mod {name};")) {
                violations.push(Violation {
                    place: format!("{folder}/tests/{name}.rs"),
                    line: 0,
                    message: format!("does not run: write `mod {name};` in {folder}/tests/main.rs"),
                });
            }
        }
    }
    violations
}

/// The package folder of a file that cargo takes for a test program.
fn package_of(path: &str) -> Option<&str> {
    let (folder, name) = path.rsplit_once("/tests/")?;
    let name = name.strip_suffix(".rs")?;
    (!name.strip_suffix("/main").unwrap_or(name).contains('/')).then_some(folder)
}

/// The name without ending, from this package's `tests` folder on, of a file that cargo takes for a test program.
fn test_file<'a>(path: &'a str, folder: &str) -> Option<&'a str> {
    (package_of(path)? == folder).then(|| path[folder.len() + "/tests/".len()..].trim_end_matches(".rs"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(files: &[(&str, &str)]) -> Vec<String> {
        let file = |(path, text): &(&str, &str)| File { path: path.to_string(), text: text.to_string() };
        check(&files.iter().map(file).collect::<Vec<_>>()).into_iter().map(|violation| violation.place).collect()
    }

    #[test]
    fn files_beside_the_one_program_are_its_modules() {
        let one = ("c/Cargo.toml", "autotests = false\n");
        let main = ("c/tests/main.rs", "mod a;\nmod help;\n");
        let a = ("c/tests/a.rs", "");
        let inner = ("c/tests/help/mod.rs", "");
        assert_eq!(places(&[one, main, a, inner]), [""; 0]);
        assert_eq!(places(&[one, main, a, ("c/tests/b.rs", "")]), ["c/tests/b.rs"]);
        assert_eq!(places(&[one, a, ("c/tests/b.rs", "")]), ["c/tests/a.rs", "c/tests/b.rs"]);
        assert_eq!(places(&[("c/Cargo.toml", ""), main, a]), ["c/Cargo.toml"]);
    }

    #[test]
    fn a_folder_may_be_a_program() {
        let folder = ("c/tests/folder/main.rs", "mod inner;");
        assert_eq!(places(&[("c/Cargo.toml", ""), folder, ("c/tests/folder/inner.rs", "")]), [""; 0]);
        let main = ("c/tests/main.rs", "mod a;");
        let manifest = ("c/Cargo.toml", "autotests = false");
        assert_eq!(places(&[manifest, main, ("c/tests/a.rs", ""), folder]), ["c/tests/folder/main.rs"]);
    }

    #[test]
    fn a_single_file_is_a_program_by_itself() {
        assert_eq!(places(&[("c/Cargo.toml", ""), ("c/tests/a.rs", "")]), [""; 0]);
        assert_eq!(places(&[("c/Cargo.toml", ""), ("c/src/x/tests/a.rs", ""), ("c/src/x/tests/b.rs", "")]), [""; 0]);
    }
}
