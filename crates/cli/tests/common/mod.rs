//! Runs the command and looks at what it says.
#![allow(dead_code)] // Each test file uses a part.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// A folder of its own for each test: cache, outputs.
pub struct Place {
    folder: TempDir,
    environment: Vec<(String, Option<String>)>,
}

/// What a run said.
#[derive(Debug)]
pub struct Run {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Place {
    pub fn new() -> Place {
        Place { folder: tempfile::tempdir().expect("a temporary folder"), environment: Vec::new() }
    }

    /// Sets a variable of the environment, or removes it.
    pub fn with(mut self, name: &str, value: Option<&str>) -> Place {
        self.environment.push((name.into(), value.map(str::to_string)));
        self
    }

    /// No machine code is made.
    pub fn without_machine_code(self) -> Place {
        self.with("EVARISTE_MACHINE_CODE", Some("off"))
    }

    /// No C compiler can be found.
    pub fn without_compiler(self) -> Place {
        let nowhere = self.path("nowhere").display().to_string();
        self.with("PATH", Some(&nowhere)).with("CC", None)
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn cache(&self) -> PathBuf {
        self.path("cache")
    }

    /// The files that the cache holds.
    pub fn cached(&self) -> Vec<PathBuf> {
        let mut files: Vec<PathBuf> =
            std::fs::read_dir(self.cache()).into_iter().flatten().flatten().map(|e| e.path()).collect();
        files.sort();
        files
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_evariste"));
        command
            .args(arguments)
            .current_dir(self.folder.path())
            .env("EVARISTE_CACHE", self.cache())
            // Bounds that are the same on every machine, and nothing is measured for them.
            .env("EVARISTE_CORE", "golden-cove")
            .stdin(Stdio::null());
        for (name, value) in &self.environment {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Run {
        let Output { status, stdout, stderr } = self.command(arguments).output().expect("the command starts");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
        Run { code: status.code(), out: text(stdout), err: text(stderr) }
    }
}

impl Run {
    /// The answer of a run that ended with this code.
    #[track_caller]
    pub fn ended(self, code: i32) -> Run {
        assert_eq!(self.code, Some(code), "{self:#?}");
        self
    }

    /// The answer of a run that went well.
    #[track_caller]
    pub fn ok(self) -> String {
        self.ended(0).out
    }

    /// The answer as JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|e| panic!("{e}: {self:#?}"))
    }
}

/// Is there a C compiler? The tests that need one say `SKIP` where there is none.
pub fn compiler() -> bool {
    let found = evariste::Compiler::find().is_ok();
    if !found {
        evariste_testing::lacks_tool("what needs a C compiler", "a C compiler");
    }
    found
}

/// Are the tools of the language there? A counted skip where not.
pub fn can_test(language: &evariste::Language) -> bool {
    let lacks = language.tools.iter().find(|tool| Command::new(tool).arg("--version").output().is_err());
    let lacks = lacks.or((language.is_c && evariste::Compiler::find().is_err()).then_some(&"a C compiler"));
    if let Some(tool) = lacks {
        evariste_testing::lacks_tool(&format!("packages in {}", language.name), tool);
    }
    lacks.is_none()
}

/// What the own test of a package of the language prints; it must find no failure.
#[track_caller]
pub fn own_test(language: &evariste::Language, folder: &Path, more: &[&str]) -> String {
    let (program, arguments) = language.test.split_first().expect("a command");
    let output = Command::new(program).args(arguments).args(more).current_dir(folder).output().expect("it starts");
    let told = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && told.contains(" checks, 0 failures"), "{} in {folder:?}: {told}", language.name);
    told
}

/// Members whose own members are named by data: instructions, resources.
const NAMED_BY_DATA: [&str; 3] = ["costs", "fingerprint", "uses"];

/// The names of all members of a JSON value.
pub fn members(value: &Value, names: &mut Vec<String>) {
    match value {
        Value::Object(object) => {
            for (name, value) in object {
                if !names.contains(name) {
                    names.push(name.clone());
                }
                if NAMED_BY_DATA.contains(&name.as_str()) && !value.get("core").is_some_and(Value::is_string) {
                    value.as_object().into_iter().flatten().for_each(|(_, value)| members(value, names));
                } else {
                    members(value, names);
                }
            }
        }
        Value::Array(list) => list.iter().for_each(|value| members(value, names)),
        _ => {}
    }
}

/// Every member of an answer is documented.
#[track_caller]
pub fn documented(value: &Value) {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/json.md"))
        .expect("docs/json.md");
    let mut names = Vec::new();
    members(value, &mut names);
    let missing: Vec<&String> = names.iter().filter(|name| !text.contains(&format!("\"{name}\""))).collect();
    assert!(missing.is_empty(), "docs/json.md does not name {missing:?}");
}
