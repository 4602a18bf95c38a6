//! What `cargo xtask test` runs: test programs, doc tests, the formatter, the linter. Each gives its output in one piece.

use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc::{Sender, channel};
use std::time::{Duration, Instant};

use anyhow::Context;

use super::programs::Program;
use super::python::{self, Ready};
use super::queue::Company;
use super::timing::{Clock, listed_tests};

/// Something to run.
#[derive(Clone, Debug)]
pub enum Job {
    /// A test program.
    Program(Program),
    /// The doc tests of these packages, of all when there are none.
    Docs(Vec<String>),
    /// The tests of the Python package, with the build folder; beside those of all crates, or without.
    Python { build: PathBuf, beside_all: bool },
    /// A component of the toolchain that judges the sources, counted as one test.
    Judge(&'static Judge),
}

/// A judge of the sources.
#[derive(Debug)]
pub struct Judge {
    /// Its name, as a test.
    pub name: &'static str,
    /// The component that it needs.
    pub component: &'static str,
    /// Says whether the component is there.
    pub probe: &'static [&'static str],
    /// Cargo's arguments.
    pub arguments: &'static [&'static str],
    company: Company,
}

/// The judges.
pub const JUDGES: &[Judge] = &[
    Judge {
        name: "cargo fmt",
        component: "rustfmt",
        probe: &["fmt", "--version"],
        arguments: &["fmt", "--all", "--check"],
        company: Company::Any,
    },
    Judge {
        name: "cargo clippy",
        component: "clippy",
        probe: &["clippy", "--version"],
        // In release, so that build scripts and macros of the test build serve again.
        arguments: &["clippy", "--release", "--workspace", "--all-targets", "--", "-D", "warnings"],
        company: Company::Builds,
    },
];

/// What a job gave.
pub struct Outcome {
    /// Its name.
    pub name: String,
    /// Its output; of the programs' standard error only what no test captured.
    pub lines: Vec<String>,
    /// How it ended.
    pub end: End,
    /// How long it took.
    pub taken: Duration,
    /// How long each of its tests took.
    pub tests: Vec<(String, Duration)>,
}

/// How a job ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// Well, or with failed tests that its output tells of.
    Tests { success: bool, status: String },
    /// A judge's verdict.
    Verdict(bool),
    /// Not run: this is missing.
    Lacks(String),
}

impl Job {
    /// Its name in the queue's memory and in the summary.
    pub fn name(&self) -> String {
        match self {
            Job::Program(program) => program.name(),
            Job::Docs(_) => "doc tests".to_string(),
            Job::Python { .. } => "pytest".to_string(),
            Job::Judge(judge) => judge.name.to_string(),
        }
    }

    /// What it may run beside.
    pub fn company(&self) -> Company {
        match self {
            Job::Program(_) => Company::Any,
            Job::Docs(_) | Job::Python { .. } => Company::Builds,
            Job::Judge(judge) => judge.company,
        }
    }

    /// Runs it, with these environment variables, without these tests, with so many threads.
    pub fn run(
        &self,
        root: &Path,
        environment: &[(&str, String)],
        without: &[String],
        threads: usize,
    ) -> anyhow::Result<Outcome> {
        let start = Instant::now();
        let (mut lines, mut tests) = (Vec::new(), Vec::new());
        let end = match self {
            Job::Program(program) => return run_program(program, environment, without, threads),
            Job::Docs(packages) => {
                let mut command = cargo(root);
                command.args(["test", "--release", "--doc", "--no-fail-fast"]).args(selected(packages));
                command.args(["--", "--show-output"]).envs(environment.iter().map(|(name, value)| (name, value)));
                let status = collect(command, |line, _| lines.push(line))?;
                End::Tests { success: status.success(), status: status.to_string() }
            }
            Job::Python { build, beside_all } => {
                let end = run_python(root, build, *beside_all, environment, without, &mut lines)?;
                tests.extend(lines.iter().filter_map(|line| python::duration(line)));
                end
            }
            Job::Judge(judge) => {
                let probe = cargo(root).args(judge.probe).output();
                if probe.is_ok_and(|output| output.status.success()) {
                    let mut command = cargo(root);
                    command.args(judge.arguments);
                    End::Verdict(collect(command, |line, _| lines.push(line))?.success())
                } else {
                    End::Lacks(judge.component.to_string())
                }
            }
        };
        let taken = start.elapsed();
        if let Job::Judge(_) = self {
            tests.push((String::new(), taken));
        }
        Ok(Outcome { name: self.name(), lines, end, taken, tests })
    }
}

/// Builds the extension with what the test programs were built of, and runs pytest.
fn run_python(
    root: &Path,
    build: &Path,
    beside_all: bool,
    environment: &[(&str, String)],
    without: &[String],
    lines: &mut Vec<String>,
) -> anyhow::Result<End> {
    let mut extension = cargo(root);
    extension.args(["build", "--release"]);
    if beside_all {
        // As the test programs, beside which it is built: another choice of packages would build what is shared once more.
        extension.args(["--workspace", "--lib", "--bins", "--tests"]);
    } else {
        extension.args(["--package", python::CRATE]);
    }
    if !collect(extension, |line, _| lines.push(line))?.success() {
        return Ok(End::Tests { success: false, status: "the extension cannot be built".to_string() });
    }
    let full = environment.iter().any(|(name, _)| *name == "EVARISTE_FULL") || evariste_testing::full();
    let mut command = match python::ready(root, build, full)? {
        Ready::Tests(command) => command,
        Ready::Lacks(what) => return Ok(End::Lacks(what)),
    };
    command.envs(environment.iter().map(|(name, value)| (name, value)));
    command.args(without.iter().map(|test| format!("--deselect={test}")));
    let mut said = Vec::new();
    let status = collect(command, |line, _| said.push(line))?;
    let result = python::translated(&said);
    lines.extend(said.into_iter().chain(result));
    Ok(End::Tests { success: status.success(), status: status.to_string() })
}

fn run_program(
    program: &Program,
    environment: &[(&str, String)],
    without: &[String],
    threads: usize,
) -> anyhow::Result<Outcome> {
    let command = || {
        let mut command = Command::new(&program.executable);
        // As cargo does.
        command.current_dir(&program.folder).env("CARGO", cargo_path());
        command.env("CARGO_MANIFEST_DIR", &program.folder).env("CARGO_PKG_NAME", &program.package);
        command.envs(environment.iter().map(|(name, value)| (name, value)));
        if let Some(sets) = program.without {
            command.env("EVARISTE_WITHOUT", sets).env_remove("EVARISTE_FULL");
        }
        // Whole names: there is nothing else to which this applies.
        command.arg("--exact").args(without.iter().flat_map(|test| ["--skip", test]));
        command
    };
    let listed = command().args(["--list", "--format", "terse"]).output();
    let listed = listed.with_context(|| format!("cannot run {}", program.executable.display()))?;
    let mut clock = Clock::new(listed_tests(&String::from_utf8_lossy(&listed.stdout)), threads);
    let mut running = command();
    running.args(["--show-output", "--test-threads", &threads.to_string()]);
    let start = Instant::now();
    let mut lines = Vec::new();
    let status = collect(running, |line, from_tests| {
        if from_tests {
            clock.line(&line, start.elapsed());
        }
        lines.push(line);
    })?;
    Ok(Outcome {
        name: program.name(),
        lines,
        end: End::Tests { success: status.success(), status: status.to_string() },
        taken: start.elapsed(),
        tests: clock.durations(),
    })
}

/// Cargo's arguments for these packages, or for all.
pub fn selected(packages: &[String]) -> Vec<String> {
    if packages.is_empty() {
        vec!["--workspace".to_string()]
    } else {
        packages.iter().flat_map(|name| ["--package".to_string(), name.clone()]).collect()
    }
}

/// Cargo at the root.
pub fn cargo(root: &Path) -> Command {
    let mut command = Command::new(cargo_path());
    command.current_dir(root);
    command
}

fn cargo_path() -> OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

/// Runs a command; each line of its output is handed over as it comes, with whether it came by standard output.
fn collect(mut command: Command, mut take: impl FnMut(String, bool)) -> anyhow::Result<std::process::ExitStatus> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().with_context(|| format!("cannot start {}", command.get_program().display()))?;
    let (sender, lines) = channel();
    let readers = [
        child.stdout.take().map(|pipe| forward(pipe, true, sender.clone())),
        child.stderr.take().map(|pipe| forward(pipe, false, sender)),
    ];
    for (line, from_output) in lines {
        take(line, from_output);
    }
    for reader in readers.into_iter().flatten() {
        // A reader thread ends by itself when its pipe does; it has nothing to fail with.
        let _ = reader.join();
    }
    child.wait().context("cannot wait for a test program")
}

/// Sends the lines of a pipe, whatever bytes they hold.
fn forward(
    pipe: impl Read + Send + 'static,
    from_output: bool,
    sender: Sender<(String, bool)>,
) -> std::thread::JoinHandle<()> {
    std::thread::spawn(move || {
        for line in BufReader::new(pipe).split(b'\n').map_while(Result::ok) {
            if sender.send((String::from_utf8_lossy(&line).into_owned(), from_output)).is_err() {
                return;
            }
        }
    })
}
