//! The table of the core at hand: measured here, or shipped for a core like it. Tables decide how fast code is thought
//! to be, never what it computes.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use evariste_backend::{Kind, measuring};
use evariste_cores::{Core, FITS, Fingerprint, LONGEST, reference, shipped};
use evariste_probe::{ProbeError, Probed};
use evariste_run::{Machine, Pinned, TimingLock};

use crate::date::today;
use crate::error::TuneError;

/// Where the table in use is from.
#[derive(Clone, PartialEq, Debug)]
pub enum Origin {
    /// Measured here: the file.
    Measured(PathBuf),
    /// Shipped for a core whose fingerprint fits.
    Shipped,
    /// Shipped, and the nearest there is; its fingerprint does not fit, or nothing can be measured here.
    Nearest,
    /// The one that [`ASKED`] names.
    Asked,
}

/// The environment variable that names a table: one that ships, or a file.
pub const ASKED: &str = "EVARISTE_CORE";

/// The table in use, and why this one.
#[derive(Clone, PartialEq, Debug)]
pub struct InUse {
    /// The table.
    pub core: Arc<Core>,
    /// Where it is from.
    pub origin: Origin,
    /// How far its fingerprint is from that of this core: the greatest part by which a ratio differs. Infinite where no
    /// fingerprint can be taken.
    pub distance: f64,
    /// Tables of the user's folder that are not used, with the reason, a line each.
    pub refused: Vec<String>,
}

impl InUse {
    /// The widest core of those that ship, on every machine alike.
    pub fn reference() -> InUse {
        InUse { core: reference().clone(), origin: Origin::Nearest, distance: f64::INFINITY, refused: Vec::new() }
    }

    /// Is it of this core?
    pub fn fits(&self) -> bool {
        self.distance <= FITS
    }

    /// Whose costs they are, in a few words: `Zen 4, as shipped`.
    pub fn line(&self) -> String {
        let name = &self.core.name;
        let day = self.core.measured.as_ref().map_or(String::new(), |day| format!(" on {day}"));
        match &self.origin {
            Origin::Measured(_) => format!("{name}, measured here{day}"),
            Origin::Shipped => format!("{name}, as shipped"),
            Origin::Nearest => format!("{name}, as shipped, which is not this core"),
            Origin::Asked => format!("{name}, as {ASKED} asks"),
        }
    }
}

/// The folder of measured tables, within that of the cache.
pub fn folder(cache: &Path) -> PathBuf {
    cache.join("cores")
}

/// By what this core is known; `None` where nothing can be measured.
pub fn fingerprint() -> Option<Fingerprint> {
    let _pinned = Pinned::to_one_core();
    measuring().and_then(|m| (m.fingerprint)().ok()).filter(|f| !f.is_empty())
}

/// The table that a text names: one that ships, by its name (`zen-3`), or a file.
///
/// # Errors
/// Neither; one of another instruction set, which says nothing of code for this machine; as [`read`].
pub fn named(text: &str) -> Result<InUse, TuneError> {
    let found = any_named(text)?;
    let (core, here) = (&found.core, evariste_backend::machine().name);
    if core.architecture == here {
        return Ok(found);
    }
    let names: Vec<String> =
        shipped().iter().filter(|core| core.architecture == here).map(|core| slug(&core.name)).collect();
    Err(TuneError::ForeignCore {
        name: core.name.clone(),
        architecture: core.architecture.clone(),
        here: here.into(),
        names: names.join(", "),
    })
}

fn any_named(text: &str) -> Result<InUse, TuneError> {
    let name = |core: &Arc<Core>| slug(&core.name);
    let of = |core: Arc<Core>| InUse { core, origin: Origin::Asked, distance: f64::INFINITY, refused: Vec::new() };
    if let Some(core) = shipped().iter().find(|core| name(core) == text.to_lowercase()) {
        return Ok(of(core.clone()));
    }
    let path = Path::new(text);
    if path.exists() {
        return read(path).map(Arc::new).map(of);
    }
    let names: Vec<String> = shipped().iter().map(name).collect();
    Err(TuneError::NoCore { asked: text.chars().take(200).collect(), names: names.join(", ") })
}

/// The table that [`ASKED`] names, or else the one [`in_use`].
///
/// # Errors
/// As [`named`].
pub fn found(cache: Option<&Path>) -> Result<InUse, TuneError> {
    match std::env::var(ASKED) {
        Ok(text) if !text.is_empty() => named(&text),
        _ => Ok(in_use(cache, fingerprint().as_ref())),
    }
}

/// The table that fits this core best: of those that were measured here if one fits, else of those that ship.
pub fn in_use(cache: Option<&Path>, here: Option<&Fingerprint>) -> InUse {
    let distance = |core: &Core| here.map_or(f64::INFINITY, |here| core.distance(here));
    let (found, refused) = cache.map(|cache| measured(&folder(cache), here)).unwrap_or_default();
    let nearest = |a: &f64, b: &f64| a.total_cmp(b);
    if let Some((path, core)) = found.into_iter().min_by(|a, b| nearest(&distance(&a.1), &distance(&b.1))) {
        return InUse { distance: distance(&core), core: Arc::new(core), origin: Origin::Measured(path), refused };
    }
    // Of a process that was denied instruction sets no table is of this core: the nearest is by what can be compared.
    let like = |core: &Core| match (distance(core), here) {
        (distance, Some(here)) if distance.is_infinite() => core.distance_in_common(here),
        (distance, _) => distance,
    };
    let fits =
        shipped().iter().filter(|core| distance(core) <= FITS).min_by(|a, b| nearest(&distance(a), &distance(b)));
    let core = fits.or_else(|| shipped().iter().min_by(|a, b| nearest(&like(a), &like(b))));
    let core = core.unwrap_or_else(|| unreachable!("a test finds tables that ship")).clone();
    let distance = distance(&core);
    let origin = if distance <= FITS { Origin::Shipped } else { Origin::Nearest };
    InUse { core, origin, distance, refused }
}

/// What tells a table from any other: FNV-1a of its text.
pub fn mark(core: &Core) -> String {
    format!("{:016x}", evariste_ir::fingerprint(&core.to_text()))
}

/// The table of that [mark], of those that ship or were measured here.
pub fn marked(cache: Option<&Path>, wanted: &str) -> Option<Arc<Core>> {
    let is = |core: &Core| mark(core) == wanted;
    let own = || cache.into_iter().flat_map(|cache| files(&folder(cache))).filter_map(|path| read(&path).ok());
    shipped().iter().find(|core| is(core)).cloned().or_else(|| own().find(is).map(Arc::new))
}

/// Tables of the folder that fit, and why others do not. Where one fits, those that were measured with other instruction sets
/// are as they should be.
fn measured(folder: &Path, here: Option<&Fingerprint>) -> (Vec<(PathBuf, Core)>, Vec<String>) {
    let (mut found, mut refused, mut of_other_sets) = (Vec::new(), Vec::new(), Vec::new());
    for path in files(folder) {
        match read(&path) {
            Err(why) => refused.push(why.to_string()),
            Ok(core) => match here {
                Some(here) if core.fits(here) => found.push((path, core)),
                Some(here) if core.distance(here).is_infinite() => of_other_sets.push(format!(
                    "{} was measured with other instruction sets than this process may use",
                    path.display()
                )),
                Some(here) => refused.push(format!(
                    "{} is of another core: its fingerprint differs by {:.0} %, and {:.0} % is the most",
                    path.display(),
                    100.0 * core.distance(here).min(99.0),
                    100.0 * FITS
                )),
                None => refused.push(format!("{} cannot be compared with this core", path.display())),
            },
        }
    }
    if found.is_empty() {
        refused.append(&mut of_other_sets);
    }
    (found, refused)
}

/// The tables of a folder, in the order of their names.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let is_table = |path: &PathBuf| path.extension().is_some_and(|e| e == "toml");
    let mut all: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(is_table).collect();
    all.sort();
    all
}

/// Reads a table.
///
/// # Errors
/// A file that cannot be read, that is no plain file, or that is no table; it is left in place.
pub fn read(path: &Path) -> Result<Core, TuneError> {
    let corrupt = |why: String| TuneError::CoreCorrupt { path: path.to_path_buf(), why };
    let about = std::fs::metadata(path).map_err(|e| corrupt(e.to_string()))?;
    if !about.is_file() {
        return Err(corrupt("it is not a plain file".into()));
    }
    if about.len() > LONGEST as u64 {
        return Err(corrupt(format!("{} bytes are too long: {LONGEST} are the most", about.len())));
    }
    let text = std::fs::read_to_string(path).map_err(|e| corrupt(e.to_string()))?;
    // What a file says may not reach a terminal as it is.
    Core::parse(&text).map_err(|why| corrupt(why.to_string().replace(char::is_control, " ")))
}

/// Measures this core, with nothing else timed on this machine meanwhile. `progress` is told which part is done, from 0 to
/// 1, and says whether to go on. Nothing is written.
///
/// # Errors
/// A processor whose instructions are not known, no executable memory, or a stop that was asked for.
pub fn measure(machine: &Machine, progress: &mut dyn FnMut(f64) -> bool) -> Result<Probed, TuneError> {
    let measuring = measuring().ok_or_else(|| TuneError::NoProbe(machine.system.clone()))?;
    let _lock = TimingLock::acquire()?;
    let _pinned = Pinned::to_one_core();
    let mut probed = (measuring.table)(progress).map_err(|e| match e {
        ProbeError::Stopped => TuneError::Run(evariste_run::RunError::Stopped),
        e => TuneError::MachineCode(e.to_string()),
    })?;
    let sets = evariste_backend::found(|kind| kind == Kind::Scalar, None);
    let setting = sets.first().map(|backend| backend.setting()).unwrap_or_default();
    let plain =
        |text: &str| text.chars().map(|c| if evariste_cores::is_plain(c) { c } else { ' ' }).collect::<String>();
    let own = || plain(&machine.cpu).trim().chars().take(evariste_cores::LONGEST_NAME).collect();
    probed.core.name = nearest_of_shipped(&probed.core.fingerprint).map_or_else(own, |core| core.name.clone());
    probed.core.processor = plain(&format!("{} {}, {setting}", machine.cpu, machine.model));
    probed.core.measured = Some(today());
    Ok(probed)
}

/// The table that ships of a core with that fingerprint: what was found on other processors with such a core, as stored
/// schedules were, carries its name.
fn nearest_of_shipped(here: &Fingerprint) -> Option<&'static Arc<Core>> {
    let fitting = shipped().iter().filter(|core| core.fits(here));
    fitting.min_by(|a, b| a.distance(here).total_cmp(&b.distance(here)))
}

/// A core's name as one word: `zen-5`.
pub fn slug(name: &str) -> String {
    let letter = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    let name: String = name.chars().map(letter).collect();
    name.split('-').filter(|part| !part.is_empty()).collect::<Vec<&str>>().join("-")
}

/// Keeps a table in the cache folder, under the core's name: written beside the file, then renamed over it.
///
/// # Errors
/// A folder that cannot be written.
pub fn keep(cache: &Path, core: &Core) -> Result<PathBuf, TuneError> {
    // Two cores may have one name, as virtual machines with other features do.
    let mark = evariste_ir::fingerprint(&core.processor) & 0xffff;
    let path = folder(cache).join(format!("{}-{mark:04x}.toml", slug(&core.name)));
    write(&path, core)?;
    Ok(path)
}

/// Writes a table: beside the file, then renamed over it.
///
/// # Errors
/// A folder that cannot be written.
pub fn write(path: &Path, core: &Core) -> Result<(), TuneError> {
    let mut file = beside(path)?;
    let written = std::io::Write::write_all(&mut file, core.to_text().as_bytes());
    written.and_then(|()| file.persist(path).map_err(|e| e.error)).map_err(|e| unwritten(path, &e))?;
    Ok(())
}

/// A new file beside a table's, in a folder that is made where it is not there: can the table be written?
///
/// # Errors
/// A folder that cannot be written.
pub fn beside(path: &Path) -> Result<tempfile::NamedTempFile, TuneError> {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let made = std::fs::create_dir_all(folder).and_then(|()| tempfile::NamedTempFile::new_in(folder));
    if path.is_dir() {
        return Err(unwritten(path, &std::io::ErrorKind::IsADirectory.into()));
    }
    made.map_err(|e| unwritten(path, &e))
}

fn unwritten(path: &Path, why: &std::io::Error) -> TuneError {
    TuneError::CoreWrite { path: path.to_path_buf(), why: why.to_string() }
}
