//! `cargo xtask test`: builds the test programs, runs them, the doc tests and the judges of the sources side by side,
//! longest first, and counts what they say.

mod jobs;
mod programs;
mod python;
mod queue;
mod rota;
mod tally;
mod timing;

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Condvar, Mutex};
use std::time::{Duration, Instant};

use anyhow::Context;

use jobs::{JUDGES, Job, Outcome};
use programs::Program;
use queue::{Memory, Queue};
use rota::Rota;
use tally::Tally;

/// How much is run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// Today's samples; of all crates, slow tests on their days.
    Day,
    /// Every test, with today's samples.
    EveryTest {
        /// Are the slow ones listed anew, where all crates are tested?
        list: bool,
    },
    /// Everything whole.
    Full,
}

/// Runs the tests of these crates (of all, and the judges of the sources, when none is named) with these environment
/// variables, and prints the summary, whose last line is `N passed, N failed`, with `, N skipped`, `, N feature levels
/// emulated` and `, N on other days` where there are any.
/// Whether nothing failed.
pub fn run(root: &Path, crates: &[&str], extent: Extent, environment: &[(&str, &str)]) -> anyhow::Result<bool> {
    let crates: Vec<String> = crates.iter().map(|name| name.to_string()).collect();
    let start = Instant::now();
    let mut tally = Tally::default();
    match build(root, &crates)? {
        None => tally.failed_build(),
        Some(programs) => {
            let built = start.elapsed();
            let full = (extent == Extent::Full).then_some(("EVARISTE_FULL", "1"));
            let environment = with_seed(environment.iter().copied().chain(full));
            let extent = if is_full(&environment) { Extent::Full } else { extent };
            let all = jobs(root, programs, &crates, extent == Extent::Full);
            // Who names a crate wants all of its tests.
            let rota = if extent == Extent::Day && crates.is_empty() { Rota::read(root)? } else { Rota::default() };
            run_all(root, all, &environment, &rota, &mut tally)?;
            if extent == (Extent::EveryTest { list: true }) && crates.is_empty() {
                println!("\nslow tests: {}", Rota::of_durations(tally.durations()).write(root)?.display());
            }
            println!("\nbuilt in {:.0} s, run in {:.0} s", seconds(built), seconds(start.elapsed() - built));
            let set: Vec<String> = environment.iter().map(|(name, value)| format!("{name}={value}")).collect();
            println!("samples drawn with {}", set.join(" "));
        }
    }
    let summary = tally.summary(std::env::var("CI").is_ok_and(|value| value == "true"));
    println!("\n{}", summary.text());
    Ok(summary.failed == 0)
}

/// These variables, and today's seed where none is set, so that all programs draw the same samples past midnight too.
fn with_seed<'a>(environment: impl Iterator<Item = (&'a str, &'a str)>) -> Vec<(&'a str, String)> {
    let seed = evariste_testing::seed().to_string();
    let given = environment.map(|(name, value)| (name, value.to_string()));
    given.chain([("EVARISTE_SEED", seed)]).collect()
}

/// Builds the test programs; `None` when that fails.
fn build(root: &Path, crates: &[String]) -> anyhow::Result<Option<Vec<Program>>> {
    // Alone, the extension is built by its own job.
    let rust: Vec<String> = crates.iter().filter(|name| *name != python::CRATE).cloned().collect();
    if rust.is_empty() && !crates.is_empty() {
        return Ok(Some(Vec::new()));
    }
    let mut command = jobs::cargo(root);
    // Not `cargo test --no-run --lib`, which wants a test program of the extension too: that links in Python alone.
    command.args(["build", "--release", "--message-format=json-render-diagnostics"]);
    // Examples have no tests of their own; the linter sees that they compile.
    command.args(["--bins", "--tests"]);
    if rust.is_empty() {
        // Of chosen packages the tests build what libraries there are; one that has none would be an error.
        command.arg("--lib");
    }
    command.args(jobs::selected(&rust)).stdout(Stdio::piped());
    let mut child = command.spawn().context("cannot start cargo test")?;
    let messages = child.stdout.take().context("cargo test has no output")?;
    let lines = BufReader::new(messages).lines().map_while(Result::ok);
    let programs: Vec<Program> = lines.filter_map(|line| programs::announced(&line)).collect();
    let built = child.wait().context("cannot wait for cargo test")?.success();
    Ok(built.then_some(programs))
}

/// All that is to run; in a full run some programs on lesser machines too.
fn jobs(root: &Path, programs: Vec<Program>, crates: &[String], full: bool) -> Vec<Job> {
    let masked: Vec<Program> = programs.iter().filter(|_| full).flat_map(Program::masked).collect();
    let mut libraries: Vec<String> =
        programs.iter().filter(|program| program.has_library()).map(|program| program.package.clone()).collect();
    libraries.sort();
    libraries.dedup();
    let mut jobs: Vec<Job> = programs.into_iter().chain(masked).map(Job::Program).collect();
    if crates.is_empty() || crates.iter().any(|name| name == python::CRATE) {
        jobs.push(Job::Python { build: target_folder(root), beside_all: crates.is_empty() });
    }
    if crates.is_empty() {
        jobs.push(Job::Docs(Vec::new()));
        jobs.extend(JUDGES.iter().map(Job::Judge));
    } else if !libraries.is_empty() {
        jobs.push(Job::Docs(libraries));
    }
    jobs
}

/// The build folder.
fn target_folder(root: &Path) -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), |folder| root.join(folder))
}

/// Runs the jobs, as many at a time as there are cores, and shows and counts each when it ends.
fn run_all(
    root: &Path,
    jobs: Vec<Job>,
    environment: &[(&str, String)],
    rota: &Rota,
    tally: &mut Tally,
) -> anyhow::Result<()> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let day = evariste_testing::seed();
    let mut memory = Memory::read(&memory_file(environment)?);
    let jobs = jobs
        .into_iter()
        .map(|job| {
            let (company, seconds) = (job.company(), memory.seconds(&job.name()));
            (job, company, seconds)
        })
        .collect();
    let (queue, ended) = (Mutex::new(Queue::new(jobs)), Condvar::new());
    let lock = || queue.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let outcomes = Mutex::new(Vec::new());
    let worker = || -> anyhow::Result<()> {
        loop {
            let mut waiting = lock();
            let (job, company) = loop {
                match waiting.start() {
                    Some(started) => break started,
                    None if waiting.is_empty() => return Ok(()),
                    None => waiting = ended.wait(waiting).unwrap_or_else(|poisoned| poisoned.into_inner()),
                }
            };
            drop(waiting);
            eprintln!("     Running {}", job.name());
            let outcome = job.run(root, environment, &rota.waiting(&job.name(), day), cores);
            lock().end(company);
            ended.notify_all();
            let outcome = outcome?;
            let mut outcomes = outcomes.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            show(&outcome)?;
            outcomes.push(outcome);
        }
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..cores).map(|_| scope.spawn(worker)).collect();
        workers.into_iter().try_for_each(|worker| {
            worker.join().unwrap_or_else(|_| Err(anyhow::anyhow!("a thread that runs test programs panicked")))
        })
    })?;
    for outcome in outcomes.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()) {
        memory.remember(&outcome.name, outcome.taken);
        tally.job(&outcome);
    }
    memory.write();
    Ok(())
}

/// Is it a full run?
fn is_full(environment: &[(&str, String)]) -> bool {
    environment.iter().any(|(name, _)| *name == "EVARISTE_FULL") || evariste_testing::full()
}

/// The file of durations, beside this program in the build folder; a full run has its own.
fn memory_file(environment: &[(&str, String)]) -> anyhow::Result<std::path::PathBuf> {
    let name = if is_full(environment) { "xtask-durations-full.txt" } else { "xtask-durations.txt" };
    Ok(std::env::current_exe().context("cannot find this program's folder")?.with_file_name(name))
}

/// Prints a job's output in one piece.
fn show(outcome: &Outcome) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "\n     {} ({:.1} s)", outcome.name, seconds(outcome.taken))?;
    for line in &outcome.lines {
        writeln!(out, "{line}")?;
    }
    Ok(())
}

fn seconds(duration: Duration) -> f64 {
    duration.as_secs_f64()
}
