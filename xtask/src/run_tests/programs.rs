//! The test programs of a build, read from cargo's messages.

use std::path::PathBuf;

use serde::Deserialize;

/// A test program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// Its package.
    pub package: String,
    /// What was built, as a path in the package without its ending: `src/lib`, `src/main`, `tests/all`.
    pub target: String,
    /// The executable.
    pub executable: PathBuf,
    /// The package's folder, where cargo runs its tests.
    pub folder: PathBuf,
    /// The instruction sets that it does without, so that this machine stands for a lesser one.
    pub without: Option<&'static str>,
}

/// What runs on lesser machines too in a full run, in the samples of the default one: arrays choose what they do by what
/// there is.
const MASKED: &[(&str, &[&str])] = &[("evariste-array", &["avx2", "ifma"])];

impl Program {
    /// `evariste-tune tests/all`.
    pub fn name(&self) -> String {
        let without = self.without.map_or_else(String::new, |sets| format!(" without {sets}"));
        format!("{} {}{without}", self.package, self.target)
    }

    /// The same on lesser machines, where it has something to choose there.
    pub fn masked(&self) -> Vec<Program> {
        let own = MASKED.iter().filter(|(package, _)| *package == self.package && self.target.starts_with("tests/"));
        let all = own.flat_map(|(_, all)| all.iter());
        all.map(|sets| Program { without: Some(sets), ..self.clone() }).collect()
    }

    /// Whether its package has a library, which may have doc tests.
    pub fn has_library(&self) -> bool {
        self.folder.join("src/lib.rs").is_file()
    }
}

/// What is read of cargo's message about something that was built.
#[derive(Deserialize)]
struct Message {
    package_id: String,
    manifest_path: PathBuf,
    target: Target,
    profile: Profile,
    executable: Option<PathBuf>,
}

#[derive(Deserialize)]
struct Target {
    kind: Vec<String>,
    name: String,
}

#[derive(Deserialize)]
struct Profile {
    test: bool,
}

/// The test program that a line of `cargo test --no-run --message-format=json` announces, if it is one.
pub fn announced(line: &str) -> Option<Program> {
    // Other messages have other fields.
    let message: Message = serde_json::from_str(line).ok()?;
    let executable = message.executable.filter(|_| message.profile.test)?;
    let target = match message.target.kind.first()?.as_str() {
        "test" => format!("tests/{}", message.target.name),
        "bin" => "src/main".to_string(),
        _ => "src/lib".to_string(),
    };
    let mut folder = message.manifest_path;
    folder.pop();
    Some(Program { package: package_name(&message.package_id), target, executable, folder, without: None })
}

/// The name in `path+file:///a/crates/ir#evariste-ir@0.1.0`, or in `path+file:///a/evariste#0.1.0`, where the folder
/// has the package's name.
fn package_name(id: &str) -> String {
    let (source, end) = id.rsplit_once('#').unwrap_or(("", id));
    match end.split_once('@') {
        Some((name, _)) => name,
        None => source.rsplit('/').next().unwrap_or(source),
    }
    .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(kind: &str, test: bool) -> String {
        format!(
            r#"{{"reason":"compiler-artifact","package_id":"path+file:///a/crates/ir#evariste-ir@0.1.0",
            "manifest_path":"/a/crates/ir/Cargo.toml","target":{{"kind":["{kind}"],"name":"all"}},
            "profile":{{"test":{test}}},"executable":"/a/target/release/deps/all-1"}}"#
        )
    }

    #[test]
    fn test_programs_are_found_and_named() {
        let program = announced(&message("test", true)).unwrap();
        assert_eq!(program.name(), "evariste-ir tests/all");
        assert_eq!(program.folder, PathBuf::from("/a/crates/ir"));
        assert_eq!(announced(&message("lib", true)).unwrap().target, "src/lib");
        assert!(!program.has_library());
    }

    #[test]
    fn some_programs_run_on_lesser_machines_too() {
        let program = announced(&message("test", true)).unwrap();
        assert_eq!(program.masked(), []);
        let arrays = Program { package: "evariste-array".into(), ..program };
        let names: Vec<String> = arrays.masked().iter().map(Program::name).collect();
        assert_eq!(names, ["evariste-array tests/all without avx2", "evariste-array tests/all without ifma"]);
        assert_eq!(Program { target: "src/lib".into(), ..arrays }.masked(), []);
    }

    #[test]
    fn other_messages_are_not_test_programs() {
        for line in [&message("bin", false), r#"{"reason":"build-finished","success":true}"#, "warning: unused", ""] {
            assert_eq!(announced(line), None, "{line}");
        }
    }

    #[test]
    fn a_package_in_a_folder_of_its_name_has_a_shorter_id() {
        assert_eq!(package_name("path+file:///a/crates/evariste#0.1.0"), "evariste");
        assert_eq!(package_name("path+file:///a/crates/ir#evariste-ir@0.1.0"), "evariste-ir");
    }
}
