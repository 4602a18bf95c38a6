//! `cargo xtask clock`: how long `tune` takes for each named field, with and without a search, beside what users are told
//! that it takes at most. On a machine that does nothing else: what is measured is time on the clock.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};

use crate::record::built;

/// The runs of a field: arguments behind its name, and the most seconds that they may take.
const RUNS: [(&str, &[&str], f64); 2] = [("tune", &[], 60.0), ("tune --search 30", &["--search", "30"], 45.0)];

/// The command to run in place of the one that is built.
const COMMAND: &str = "EVARISTE_COMMAND";

/// Runs `tune` for these fields, or for all that have names; whether none took too long.
///
/// # Errors
/// A command that does not build or fails; a name that is no field's.
pub fn run(root: &Path, names: &[&str]) -> Result<bool> {
    let command = match std::env::var_os(COMMAND) {
        Some(path) => PathBuf::from(path),
        None => built(root)?,
    };
    let known = fields(&command)?;
    if let Some(other) = names.iter().find(|name| known.iter().all(|known| known != *name)) {
        bail!("`{other}` is no named field: there are {}", known.join(", "));
    }
    let chosen: Vec<String> =
        if names.is_empty() { known } else { names.iter().map(|name| name.to_string()).collect() };
    println!("{:<16} {:>18} {:>18}", "field, seconds", RUNS[0].0, RUNS[1].0);
    let mut over: Vec<String> = Vec::new();
    for name in &chosen {
        let mut line = format!("{name:<16}");
        for (what, more, most) in RUNS {
            let seconds = timed(&command, name, more)?;
            line += &format!(" {:>18}", cell(seconds, most));
            if seconds > most {
                over.push(format!("{what} {name}: {seconds:.1} s of {most:.0}"));
            }
        }
        println!("{line}");
    }
    println!(
        "{} fields; over the clock: {}",
        chosen.len(),
        if over.is_empty() { "none".into() } else { over.join("; ") }
    );
    Ok(over.is_empty())
}

/// Seconds, marked where they are too many.
fn cell(seconds: f64, most: f64) -> String {
    format!("{seconds:.1}{}", if seconds > most { " !" } else { "" })
}

/// Seconds of one run, which remembers nothing.
fn timed(command: &Path, field: &str, more: &[&str]) -> Result<f64> {
    let start = Instant::now();
    let status = Command::new(command)
        .args(["tune", field, "--no-cache"])
        .args(more)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .with_context(|| command.display().to_string())?;
    ensure!(status.success(), "tune {field} {}: {status}", more.join(" "));
    Ok(start.elapsed().as_secs_f64())
}

/// The names of all fields.
fn fields(command: &Path) -> Result<Vec<String>> {
    let output = Command::new(command).args(["list", "fields", "--json"]).output();
    let output = output.with_context(|| command.display().to_string())?;
    ensure!(output.status.success(), "list fields: {}", output.status);
    names(&output.stdout)
}

fn names(json: &[u8]) -> Result<Vec<String>> {
    let json: serde_json::Value = serde_json::from_slice(json)?;
    let all = json["fields"].as_array().context("no list of fields")?;
    let names: Vec<String> = all.iter().filter_map(|field| Some(field["name"].as_str()?.to_string())).collect();
    ensure!(!names.is_empty() && names.len() == all.len(), "fields without names");
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_takes_too_long_is_marked() {
        assert_eq!([cell(44.96, 45.0), cell(45.04, 45.0)], ["45.0", "45.0 !"]);
    }

    #[test]
    fn names_are_those_of_the_list() {
        assert_eq!(
            names(br#"{"fields": [{"name": "p192"}, {"name": "mmh"}]}"#).ok(),
            Some(vec!["p192".into(), "mmh".into()])
        );
        for wrong in [&b"{}"[..], br#"{"fields": []}"#, br#"{"fields": [{"nom": "p192"}]}"#, b"fields"] {
            assert!(names(wrong).is_err());
        }
    }
}
