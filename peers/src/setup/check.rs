//! Checks one package's library in a process of its own, which it may end: a crash there is a line in the table.

use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use crate::curves::peer::{Loaded as LoadedPoints, PEERS as OF_POINTS};
use crate::curves::subject::{CURVES, PAIRINGS, Task};
use crate::lanes::all_kernels;
use crate::lanes::array_peer::{ARRAY_PEERS, LoadedArrays, OURS_WITH_PACKING};
use crate::packages::processor;
use crate::prime::kernels::{kernels, sums, towers};
use crate::prime::peer::{Loaded, OF_TOWERS, PEERS, opened};

/// What a library has.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Checked {
    /// What it says of its own version.
    pub version: Option<String>,
    /// Functions that gave what the reference gives.
    pub functions: usize,
    /// Functions that need of the processor what it lacks, and what that is.
    pub without: Vec<String>,
}

/// Checks all functions of a package; an error names the first that answers wrongly.
pub fn check(package: &str, path: &Path) -> Result<Checked> {
    let mut checked = Checked::default();
    for (peers, kernels) in [(&PEERS[..], [kernels("")?, sums()?].concat()), (&OF_TOWERS, towers("")?)] {
        for peer in peers.iter().filter(|peer| peer.packages.contains(&package)).take(1) {
            let (library, version) = opened(path)?;
            let loaded = Loaded::new(peer.id, library);
            checked.version = version;
            for kernel in &kernels {
                checked.functions += loaded.functions(kernel)?.len();
            }
        }
    }
    for peer in ARRAY_PEERS.iter().chain(&OURS_WITH_PACKING).filter(|peer| peer.package == package) {
        let lacking = processor::lacking(peer.features.iter().copied());
        if !lacking.is_empty() {
            checked.without.push(format!("{} needs {}", peer.id, lacking.join(", ")));
            continue;
        }
        let (library, version) = opened(path)?;
        let loaded = LoadedArrays::new(peer, library, String::new());
        checked.version = version;
        for kernel in all_kernels()? {
            checked.functions += usize::from(loaded.function(&kernel)?.is_some());
        }
    }
    for peer in OF_POINTS.iter().filter(|peer| peer.package == package) {
        let (library, version) = opened(path)?;
        let loaded = LoadedPoints::new(peer.id, library);
        checked.version = version;
        for subject in CURVES.iter().chain(PAIRINGS).filter(|subject| loaded.has(subject)) {
            checked.functions += loaded.functions(&Task::new(subject)?)?.len();
        }
    }
    if checked.functions == 0 && checked.without.is_empty() {
        bail!("no function of it is known");
    }
    Ok(checked)
}

/// The same in another process.
pub fn apart(package: &str, path: &Path) -> Result<Checked> {
    let mut command = Command::new(std::env::current_exe()?);
    let output = command.args(["check", package]).arg(path).env("RUST_BACKTRACE", "0").output()?;
    if let Some(signal) = output.status.signal() {
        let name = match signal {
            4 => " (an instruction that this processor lacks)",
            11 => " (memory that is not its own)",
            _ => "",
        };
        bail!("ends its process by signal {signal}{name}");
    }
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr);
        let said: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        bail!("{}", said.join(" ").trim_start_matches("Error: "));
    }
    serde_json::from_slice(&output.stdout).context("the check says nothing that can be read")
}
