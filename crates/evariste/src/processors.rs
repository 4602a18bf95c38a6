//! An emitted package on other processors: its test run there, and what a call of each function takes.

use std::path::Path;

use evariste_emit::{Manifest, language};
use evariste_run::runners::{Bench, Call, Runner};

use crate::check::{PackageCheck, TestRun, manifest, read, sources};
use crate::error::Error;

/// Flags of a package's test and of what is counted.
const FLAGS: [&str; 1] = ["-std=c99"];

/// What a runner found.
#[derive(Clone, Debug)]
pub struct ProcessorRun {
    /// The runner.
    pub runner: &'static Runner,
    /// The package's test there.
    pub test: TestRun,
    /// What a call takes, by operation: of the last known answer's operands. Nothing where the test failed.
    pub counts: Vec<(String, u64)>,
    /// Functions whose calls are not counted: their arguments are no arrays of known length.
    pub left_out: Vec<String>,
}

/// Compiles and runs the test of the package in `folder`, which a check found right, by a runner; then counts a call of
/// each function.
///
/// # Errors
/// A package of no C, a runner that lacks something, an answer that is another one there.
pub fn check_on(folder: &Path, check: &PackageCheck, runner: &'static Runner) -> Result<ProcessorRun, Error> {
    if !language(&check.language).is_ok_and(|l| l.is_c) {
        let why = format!(
            "a package in `{}` cannot be compiled for `{}`\nhelp: emit it with --lang c-portable or c89",
            check.language, runner.name
        );
        return Err(Error::NotAPackage { path: folder.display().to_string(), why });
    }
    let bench = runner.bench()?;
    let test = test(folder, check, &bench)?;
    let mut run = ProcessorRun { runner, test, counts: Vec::new(), left_out: Vec::new() };
    let header = std::path::absolute(folder.join(format!("{}.h", check.prefix)))
        .map_err(|e| Error::io(format!("find `{}`", folder.display()), e))?;
    // Functions of a header would become part of their callers.
    if !run.test.passed || !folder.join(format!("{}.c", check.prefix)).is_file() {
        return Ok(run);
    }
    let declarations = read(&header).map_err(|why| Error::NotAPackage { path: folder.display().to_string(), why })?;
    let mut calls = Vec::new();
    let mut names = Vec::new();
    let manifest: Manifest = manifest(folder)?;
    for function in &manifest.functions {
        let symbol = format!("{}_{}", check.prefix, function.operation);
        match Call::of(function, &symbol, &declarations) {
            Some(call) => {
                calls.push(call);
                names.push(function.operation.clone());
            }
            None => run.left_out.push(function.operation.clone()),
        }
    }
    let opening = format!("#include \"{}\"", header.display());
    let counts = bench.count(&FLAGS, &sources(folder, &[], &check.prefix)?, &opening, &calls)?;
    run.counts = names.into_iter().zip(counts).collect();
    Ok(run)
}

/// The package's test.
fn test(folder: &Path, check: &PackageCheck, bench: &Bench) -> Result<TestRun, Error> {
    let flags = [&["-O2"], bench.runner.flags, &FLAGS].concat().join(" ");
    let result = |passed, output: String| TestRun { compiler: bench.compiler.version.clone(), flags, passed, output };
    Ok(match bench.test(&FLAGS, &sources(folder, &["test.c"], &check.prefix)?) {
        Ok(ran) => {
            let last = (ran.output + &ran.errors).lines().last().unwrap_or("it wrote nothing").to_string();
            let passed = ran.status.success() && last.contains(" 0 failures") && !last.starts_with("0 checks");
            result(passed, if ran.status.success() { last } else { format!("{last} ({})", ran.status) })
        }
        Err(error) => result(false, error.to_string()),
    })
}
