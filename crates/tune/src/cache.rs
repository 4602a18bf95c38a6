//! The memory of the tuner: rankings by machine, compiler and field, as JSON in the user's cache folder. What is
//! remembered are plan names and numbers, never kernels: plans are written and proved again when they are used.

use std::path::{Path, PathBuf};

use evariste_codegen::schedule::Schedule;
use evariste_run::{Compiler, Machine};

use crate::error::TuneError;
use crate::ranking::{Ranking, VERSION};

/// Longest file that is read, in bytes.
const LONGEST: u64 = 16 << 20;

/// The cache folder: `EVARISTE_CACHE`, else `XDG_CACHE_HOME/evariste`, else `~/.cache/evariste`.
pub fn folder() -> Option<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    variable("EVARISTE_CACHE")
        .or_else(|| variable("XDG_CACHE_HOME").map(|p| p.join("evariste")))
        .or_else(|| variable("HOME").map(|p| p.join(".cache").join("evariste")))
}

/// Who remembers what is fastest for many elements at once: a question of its own, and no compiler has a part in its
/// answers.
pub fn identity_of_lanes(machine: &Machine) -> String {
    format!("{}; evariste {}; lanes", machine.identity(None), env!("CARGO_PKG_VERSION"))
}

/// Who remembers what is fastest: this machine with that compiler; rankings of other versions are not seen.
pub fn identity(machine: &Machine, compiler: Option<&Compiler>) -> String {
    format!("{}; evariste {}", machine.identity(compiler), env!("CARGO_PKG_VERSION"))
}

/// What this machine and its compiler remember of a field. `Ok(None)`: nothing.
///
/// # Errors
/// As [`load`].
pub fn recall(field: &str) -> Result<Option<Ranking>, TuneError> {
    match folder().filter(|folder| folder.is_dir()) {
        Some(folder) => {
            let identity = identity(&Machine::detect(), Compiler::find().ok().as_ref());
            load(&file(&folder, &identity, field), field)
        }
        None => Ok(None),
    }
}

/// What this machine remembers of a field for many elements at once. `Ok(None)`: nothing.
///
/// # Errors
/// As [`load`].
pub fn recall_lanes(field: &str) -> Result<Option<Ranking>, TuneError> {
    match folder().filter(|folder| folder.is_dir()) {
        Some(folder) => load(&file(&folder, &identity_of_lanes(&Machine::detect()), field), field),
        None => Ok(None),
    }
}

/// The file of a field tuned on the machine of that identity.
pub fn file(folder: &Path, identity: &str, field: &str) -> PathBuf {
    let plain: String =
        field.chars().map(|c| if c.is_ascii_alphanumeric() || "-+^".contains(c) { c } else { '_' }).take(80).collect();
    folder.join(format!("{plain}-{:016x}.json", evariste_ir::fingerprint(&format!("{identity}\n{field}"))))
}

/// Reads a remembered ranking. `Ok(None)`: nothing is remembered.
///
/// # Errors
/// [`TuneError::CacheCorrupt`] where there is something that cannot be read or that [`parse`] refuses: it says what to
/// do, and the file is left in place.
pub fn load(path: &Path, field: &str) -> Result<Option<Ranking>, TuneError> {
    let text = match std::fs::metadata(path) {
        Err(e) if matches!(e.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        Ok(m) if !m.is_file() => return Err(TuneError::corrupt(path, "it is not a plain file".into())),
        Ok(m) if m.len() > LONGEST => return Err(TuneError::corrupt(path, format!("{} bytes is too long", m.len()))),
        _ => std::fs::read(path).map_err(|e| TuneError::corrupt(path, e.to_string()))?,
    };
    parse(&text, field).map(Some).map_err(|why| TuneError::corrupt(path, why))
}

/// Reads a ranking from bytes: the right version, the right field, finite numbers, names that are names.
///
/// # Errors
/// What is wrong with the bytes, in words.
pub fn parse(bytes: &[u8], field: &str) -> Result<Ranking, String> {
    let ranking: Ranking = serde_json::from_slice(bytes).map_err(|e| e.to_string())?;
    if ranking.version != VERSION {
        return Err(format!("version {} where {VERSION} is read", ranking.version));
    }
    if ranking.field != field {
        return Err(format!("it is about `{}`, not `{field}`", ranking.field.chars().take(80).collect::<String>()));
    }
    for c in &ranking.candidates {
        let numbers = [
            c.latency_cycles,
            c.latency_ns,
            c.throughput_cycles,
            c.throughput_ns,
            c.percent_of_bound,
            c.heuristic_cycles,
            Some(c.bound_cycles),
            Some(c.proof_ms),
        ];
        if numbers.iter().flatten().any(|x| !x.is_finite() || *x < 0.0) {
            return Err(format!("a number of `{}` is not a time", c.plan.chars().take(80).collect::<String>()));
        }
        if let Some(Err(why)) = c.schedule.as_ref().map(|schedule| schedule.parse::<Schedule>()) {
            return Err(format!("the schedule of `{}`: {why}", c.plan.chars().take(80).collect::<String>()));
        }
    }
    Ok(ranking)
}

/// Remembers a ranking: written beside the file, then renamed over it.
///
/// # Errors
/// [`TuneError::CacheWrite`]: the folder or the file cannot be written. What was there before stays.
pub fn store(path: &Path, ranking: &Ranking) -> Result<(), TuneError> {
    let fail = |e: std::io::Error| TuneError::CacheWrite { path: path.to_path_buf(), why: e.to_string() };
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).map_err(fail)?;
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(fail)?;
    serde_json::to_writer_pretty(&mut file, ranking).map_err(|e| fail(e.into()))?;
    file.persist(path).map_err(|e| fail(e.error))?;
    Ok(())
}
