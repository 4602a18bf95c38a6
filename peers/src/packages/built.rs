//! What `setup` built: a record in the folder where peers are built. A library is loaded only where it was made for this
//! processor, or one that has less.

use std::path::PathBuf;
use std::sync::OnceLock;

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use super::build::{LOCK, target_folder};
use super::processor;

/// The one command that builds all peers.
pub const COMMAND: &str = "cargo run --release --manifest-path peers/Cargo.toml -- setup";

/// A package, as `setup` left it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Built {
    /// Its name.
    pub package: String,
    /// The peer's version.
    pub version: String,
    /// What the code is.
    pub code: String,
    /// Functions that gave what the reference gives.
    pub functions: usize,
    /// The library; `None` where there is none that runs here.
    pub library: Option<PathBuf>,
    /// Why not, or what of it does not run here.
    pub why: String,
}

/// All packages, and what they were built for.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Record {
    /// Of the lock file that they were built by.
    pub lock: u64,
    /// The features of the processor that they were built for.
    pub features: Vec<String>,
    /// The packages.
    pub packages: Vec<Built>,
}

impl Record {
    /// An empty record for this processor and lock file.
    pub fn new() -> Self {
        let features = processor::features().into_iter().map(str::to_string).collect();
        Record { lock: fingerprint(), features, packages: Vec::new() }
    }

    /// Puts a package in the place of what was known of it.
    pub fn put(&mut self, built: Built) {
        self.packages.retain(|other| other.package != built.package);
        self.packages.push(built);
    }

    /// Is it of this lock file and this processor?
    pub fn is_of_today(&self) -> bool {
        self.lock == fingerprint() && self.features == processor::features()
    }

    /// Writes the record.
    pub fn save(&self) -> Result<()> {
        let path = path()?;
        std::fs::create_dir_all(path.parent().context("a file in a folder")?)?;
        Ok(std::fs::write(path, serde_json::to_string_pretty(self)?)?)
    }
}

/// The record's file.
fn path() -> Result<PathBuf> {
    Ok(target_folder()?.join("built.json"))
}

/// FNV-1a of the lock file.
fn fingerprint() -> u64 {
    LOCK.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The record as it was left; `None` where nothing was built.
pub fn saved() -> Option<Record> {
    serde_json::from_str(&std::fs::read_to_string(path().ok()?).ok()?).ok()
}

/// The record that peers are loaded by. An error says the one command to run.
pub fn record() -> Result<&'static Record> {
    static RECORD: OnceLock<Option<Record>> = OnceLock::new();
    let Some(record) = RECORD.get_or_init(saved) else {
        bail!("peers are not built yet: run `{COMMAND}`");
    };
    if record.lock != fingerprint() {
        bail!("peers are built in other versions than this tree names: run `{COMMAND}`");
    }
    let lacking = processor::lacking(record.features.iter().map(String::as_str));
    if !lacking.is_empty() {
        bail!("peers are built for a processor with {}, which this one lacks: run `{COMMAND}`", lacking.join(", "));
    }
    Ok(record)
}

/// A package's library and version; an error says why there is none.
pub fn library(package: &str) -> Result<(PathBuf, String)> {
    let built = record()?.packages.iter().find(|built| built.package == package);
    let built = built.with_context(|| format!("not built yet: run `{COMMAND}`"))?;
    match &built.library {
        Some(path) => Ok((path.clone(), built.version.clone())),
        None => bail!("{}", built.why),
    }
}
