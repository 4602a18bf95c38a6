//! What the tuner remembers of a field on this machine: names of plans and numbers, in the user's cache folder. Plans
//! are written and proved again whenever they are used.

use std::path::{Path, PathBuf};

use evariste_run::{Compiler, Machine};
use evariste_tune::{FoundSchedule, Ranking, Schedules, TuneError, cache};

use crate::error::Error;
use crate::field::Field;

/// The rankings remembered in a folder, for one machine and compiler.
///
/// ```
/// use evariste::{Compiler, Field, Machine, Memory};
///
/// # fn main() -> Result<(), evariste::Error> {
/// # let Ok(compiler) = Compiler::find() else { return Ok(()) };
/// # let folder = std::env::temp_dir().join(format!("evariste-doc-{}", std::process::id()));
/// let memory = Memory::new(&folder, &Machine::detect(), Some(&compiler));
/// assert!(memory.recall(&Field::parse("p256")?)?.is_none());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Memory {
    folder: PathBuf,
    identity: String,
    lanes: String,
}

/// Everything that a folder remembers.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Remembered {
    /// Rankings, of all machines and compilers; each says itself which. In the order of their fields, then machines.
    pub rankings: Vec<Ranking>,
    /// Files that cannot be understood.
    pub unreadable: Vec<PathBuf>,
}

/// What became of a ranking that was remembered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Kept {
    /// The file.
    pub path: PathBuf,
    /// Where a file that could not be understood was moved to, so that nothing is lost.
    pub corrupt: Option<PathBuf>,
}

impl Memory {
    /// The memory in `folder` for a machine and compiler; rankings of other versions of this library are not seen.
    pub fn new(folder: &Path, machine: &Machine, compiler: Option<&Compiler>) -> Memory {
        let identity = cache::identity(machine, compiler);
        Memory { folder: folder.to_path_buf(), identity, lanes: cache::identity_of_lanes(machine) }
    }

    /// The memory for many elements at once, where other candidates may be fastest. Arrays look here by themselves.
    pub fn of_lanes(self) -> Memory {
        Memory { identity: self.lanes.clone(), ..self }
    }

    /// The user's cache folder: `EVARISTE_CACHE`, else `XDG_CACHE_HOME/evariste`, else `~/.cache/evariste`. `None`
    /// where there is no home.
    pub fn default_folder() -> Option<PathBuf> {
        cache::folder()
    }

    /// Every ranking in a folder, of whatever machine and compiler. A folder that does not exist remembers nothing.
    pub fn all(folder: &Path) -> Remembered {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let mut files: Vec<PathBuf> =
            entries.map(|e| e.path()).filter(|p| p.extension().is_some_and(|e| e == "json")).collect();
        files.sort();
        let mut remembered = Remembered::default();
        for path in files {
            // A ranking says itself which field it is about.
            let field =
                std::fs::read(&path).ok().and_then(|bytes| Some(serde_json::from_slice::<Ranking>(&bytes).ok()?.field));
            match field.and_then(|field| cache::load(&path, &field).ok().flatten()) {
                Some(ranking) => remembered.rankings.push(ranking),
                None => remembered.unreadable.push(path),
            }
        }
        remembered.rankings.sort_by(|a, b| (&a.field, &a.target).cmp(&(&b.field, &b.target)));
        remembered
    }

    /// The file of a field.
    pub fn file(&self, field: &Field) -> PathBuf {
        cache::file(&self.folder, &self.identity, &field.text())
    }

    /// The remembered ranking of a field; `Ok(None)` when there is none.
    ///
    /// # Errors
    /// A file that cannot be understood. It is left in place.
    pub fn recall(&self, field: &Field) -> Result<Option<Ranking>, Error> {
        Ok(cache::load(&self.file(field), &field.text())?)
    }

    /// Remembers a ranking. A file in its place that cannot be understood is kept under another name, with `.corrupt`
    /// added.
    ///
    /// # Errors
    /// A folder that cannot be written.
    pub fn keep(&self, field: &Field, ranking: &Ranking) -> Result<Kept, Error> {
        let path = self.file(field);
        let mut corrupt = None;
        if let Err(TuneError::CacheCorrupt { .. }) = cache::load(&path, &field.text()) {
            let mut name = path.clone().into_os_string();
            name.push(".corrupt");
            std::fs::rename(&path, &name).map_err(|e| Error::io(format!("move `{}` aside", path.display()), e))?;
            corrupt = Some(PathBuf::from(name));
        }
        cache::store(&path, ranking)?;
        Ok(Kept { path, corrupt })
    }

    /// The schedules that searches found and that were kept here, of whatever field and machine, and a sentence for
    /// each line that cannot be understood.
    ///
    /// # Errors
    /// A file that cannot be read. It is left in place.
    pub fn schedules(&self) -> Result<(Schedules, Vec<String>), Error> {
        Ok(Schedules::load(&Schedules::file(&self.folder))?)
    }

    /// Keeps schedules beside the rankings; gives how many of them are new, and the file.
    ///
    /// # Errors
    /// A folder that cannot be written.
    pub fn keep_schedules(&self, schedules: &[FoundSchedule]) -> Result<(usize, PathBuf), Error> {
        let path = Schedules::file(&self.folder);
        Ok((Schedules::add_to(&path, schedules)?, path))
    }
}
