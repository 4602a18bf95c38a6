//! `cargo xtask test`: every test of the workspace, shown as it runs, counted at the end.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::{Sender, channel};

use anyhow::Context;

use crate::tally::Tally;

/// Runs the tests of these crates (of all when none is named) with these environment variables, and prints the summary,
/// whose last line is `N passed, N failed` or `N passed, N failed, N skipped`. Whether nothing failed.
pub fn run(root: &Path, crates: &[&str], environment: &[(&str, &str)]) -> anyhow::Result<bool> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut child = Command::new(cargo)
        .args(["test", "--release", "--no-fail-fast"])
        .args(if crates.is_empty() {
            vec!["--workspace"]
        } else {
            crates.iter().flat_map(|name| ["--package", *name]).collect()
        })
        .args(["--", "--show-output"])
        .envs(environment.iter().copied())
        .current_dir(root)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .context("cannot start cargo test")?;
    let (sender, lines) = channel();
    let readers = [
        child.stdout.take().map(|pipe| forward(pipe, Stream::Out, sender.clone())),
        child.stderr.take().map(|pipe| forward(pipe, Stream::Err, sender)),
    ];
    let mut tally = Tally::default();
    for (stream, line) in lines {
        match stream {
            Stream::Out => {
                println!("{line}");
                tally.output_line(&line);
            }
            Stream::Err => {
                eprintln!("{line}");
                tally.progress_line(&line);
            }
        }
    }
    for reader in readers.into_iter().flatten() {
        // A reader thread ends by itself when its pipe does; it has nothing to fail with.
        let _ = reader.join();
    }
    let success = child.wait().context("cannot wait for cargo test")?.success();
    let summary = tally.summary(success, std::env::var("CI").is_ok_and(|value| value == "true"));
    println!("\n{}", summary.text());
    Ok(summary.failed == 0)
}

/// Which pipe a line came from.
#[derive(Clone, Copy)]
enum Stream {
    Out,
    Err,
}

/// Sends the lines of a pipe, whatever bytes they hold.
fn forward(
    pipe: impl Read + Send + 'static,
    stream: Stream,
    sender: Sender<(Stream, String)>,
) -> std::thread::JoinHandle<()> {
    std::thread::spawn(move || {
        for line in BufReader::new(pipe).split(b'\n').map_while(Result::ok) {
            if sender.send((stream, String::from_utf8_lossy(&line).into_owned())).is_err() {
                return;
            }
        }
    })
}
