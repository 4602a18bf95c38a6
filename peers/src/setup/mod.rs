//! `setup`: says what the system lacks, fetches sources, builds each package for this processor, checks what it
//! computes, and keeps a record by which the comparisons load them. What cannot be built or does not run here is a line.

pub mod check;
pub mod debian;
pub mod needs;

use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail};
use serde::Serialize;

use crate::packages::build::{build, c_flags, cargo, run, rust_flags, version};
use crate::packages::built::{Built, Record, saved};
use crate::packages::{PACKAGES, Package, processor};
use needs::{Probe, Tool, missing, remedies};

/// What `setup` found, for `--json`.
#[derive(Serialize)]
struct Report<'a> {
    /// What the system lacks.
    missing: Vec<&'a str>,
    /// What to do about that.
    remedies: Vec<String>,
    /// The compilers' flags.
    rustflags: String,
    cflags: String,
    #[serde(flatten)]
    record: &'a Record,
}

/// Builds the packages whose name contains a text.
pub fn setup(only: &str, json: bool) -> Result<()> {
    let chosen: Vec<&Package> = PACKAGES.iter().filter(|package| package.name.contains(only)).collect();
    if chosen.is_empty() {
        let names: Vec<&str> = PACKAGES.iter().map(|package| package.name).collect();
        bail!("no package is named so: there are {}", names.join(", "));
    }
    let lacking = missing(chosen.iter().flat_map(|package| package.tools.iter().copied()), has);
    let remedies = remedies(&lacking, is_root());
    if !lacking.is_empty() {
        let names: Vec<&str> = lacking.iter().map(|tool| tool.name).collect();
        eprintln!("This system lacks {}. Peers that need them are left out; what helps:", names.join(", "));
        remedies.iter().for_each(|line| eprintln!("    {line}"));
    }
    eprintln!("fetching");
    if let Err(error) = run(cargo().args(["fetch", "--locked"])) {
        eprintln!("not all sources can be fetched: {error:#}");
    }
    let mut record = saved().filter(Record::is_of_today).unwrap_or_else(Record::new);
    for (i, package) in chosen.iter().enumerate() {
        eprintln!("{} of {}: {}", i + 1, chosen.len(), package.name);
        let built = made(package, &lacking);
        if built.library.is_none() {
            eprintln!("    {}", built.why);
        }
        record.put(built);
        record.save()?;
    }
    if json {
        let names = lacking.iter().map(|tool| tool.name).collect();
        let report = Report { missing: names, remedies, rustflags: rust_flags(), cflags: c_flags(), record: &record };
        println!("{}", serde_json::to_string_pretty(&report)?);
    } else {
        print(&record, &remedies);
    }
    Ok(())
}

/// Builds and checks a package; what went wrong is in its row.
fn made(package: &Package, lacking: &[&Tool]) -> Built {
    let mut built = Built {
        package: package.name.into(),
        version: version(package).unwrap_or_default(),
        code: package.code.into(),
        ..Built::default()
    };
    let tools: Vec<&str> = package.tools.iter().filter(|tool| lacking.contains(tool)).map(|tool| tool.name).collect();
    let features = processor::lacking(package.features.iter().copied());
    let outcome = if !features.is_empty() {
        Err(anyhow::anyhow!("this processor lacks {}", features.join(", ")))
    } else if !tools.is_empty() {
        Err(anyhow::anyhow!("this system lacks {}", tools.join(", ")))
    } else {
        build(package).and_then(|path| Ok((check::apart(package.name, &path)?, path)))
    };
    match outcome {
        Ok((checked, path)) => {
            built.version = checked.version.unwrap_or(built.version);
            built.functions = checked.functions;
            built.library = Some(path);
            built.why = checked.without.join("; ");
        }
        Err(error) => built.why = format!("{error:#}"),
    }
    built
}

/// Does the system have it?
fn has(tool: &Tool) -> bool {
    match tool.probe {
        Probe::Command(names) => {
            let path = std::env::var_os("PATH").unwrap_or_default();
            std::env::split_paths(&path).any(|folder| names.iter().any(|name| folder.join(name).is_file()))
        }
        Probe::Header(name) => {
            let mut compiler = Command::new(std::env::var_os("CC").unwrap_or_else(|| "cc".into()));
            let include = format!("-include{name}");
            compiler.args(["-fsyntax-only", "-x", "c", &include, "/dev/null"]);
            compiler.output().is_ok_and(|output| output.status.success())
        }
    }
}

/// Is the caller root?
fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output();
    id.is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

/// The record as a table.
fn print(record: &Record, remedies: &[String]) {
    println!("built for this processor: RUSTFLAGS='{}' CFLAGS='{}'\n", rust_flags(), c_flags());
    println!("{:<18} {:<24} {:<22} {:>9}  here", "package", "version", "code", "functions");
    for package in &PACKAGES {
        let Some(built) = record.packages.iter().find(|built| built.package == package.name) else { continue };
        let here = match (built.library.as_deref().is_some_and(Path::exists), built.why.as_str()) {
            (true, "") => "runs".to_string(),
            (true, why) => format!("runs, but {why}"),
            (false, why) => format!("no: {why}"),
        };
        println!("{:<18} {:<24} {:<22} {:>9}  {here}", built.package, built.version, built.code, built.functions);
    }
    if !remedies.is_empty() {
        println!("\nfor those that are missing:");
        remedies.iter().for_each(|line| println!("    {line}"));
    }
}
