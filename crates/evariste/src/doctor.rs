//! What this machine has and lacks, and what that means.

use std::path::{Path, PathBuf};

use evariste_backend::Kind;
use evariste_run::{Compiler, Family, Machine, RunError, tick_ghz};
use evariste_tune::cores::{self, InUse, Origin};

use crate::memory::Memory;

/// The state of this machine.
#[derive(Debug)]
pub struct Health {
    /// Processor and system.
    pub machine: Machine,
    /// Rate of the tick counter in GHz (measured).
    pub tick_ghz: f64,
    /// C compilers, the one that is used first.
    pub compilers: Vec<Compiler>,
    /// The compiler that is used, or why there is none.
    pub chosen: Result<Compiler, RunError>,
    /// What makes code of kernels here, and with which instruction sets, a line each: what `EVARISTE_WITHOUT` names is not
    /// among them.
    pub code: Vec<String>,
    /// OpenCL devices, which arrays can be computed on where that is asked for, a line each.
    pub devices: Vec<String>,
    /// The table of costs that fits this core best.
    pub core: InUse,
    /// The cache folder; `None` where the environment names none.
    pub cache: Option<CacheHealth>,
    /// What is missing, with what that means, a line each.
    pub missing: Vec<String>,
}

/// The state of the cache folder.
#[derive(Clone, Debug)]
pub struct CacheHealth {
    /// The folder.
    pub folder: PathBuf,
    /// Can it be written?
    pub writable: bool,
    /// Rankings that can be read.
    pub readable: usize,
    /// Files that cannot be understood.
    pub unreadable: Vec<PathBuf>,
}

/// Looks at this machine.
pub fn doctor() -> Health {
    let (machine, compilers) = (Machine::detect(), Compiler::all());
    let chosen = Compiler::find();
    let cache = Memory::default_folder().map(|folder| look(&folder));
    let mut missing = Vec::new();
    if let Err(error) = &chosen {
        let text = error.to_string();
        let line = text.lines().next().unwrap_or("").to_string();
        let means = match evariste_backend::found(|kind| kind == Kind::Scalar, None).first() {
            Some(_) => "machine code alone is measured and evaluated, and `check` cannot run a package's test",
            None => "nothing can be measured, `tune` ranks by bound and `eval` interprets",
        };
        missing.push(format!("a C compiler: {line}; {means}"));
    } else {
        for (family, name) in [(Family::Gcc, "gcc"), (Family::Clang, "clang")] {
            if compilers.iter().all(|c| c.family != family) {
                missing.push(format!(
                    "{name}: `tune --compiler {name}` cannot compare it, and tests that need it are skipped"
                ));
            }
        }
    }
    match &cache {
        None => missing.push(
            "a cache folder: neither EVARISTE_CACHE, XDG_CACHE_HOME nor HOME is set; rankings are not remembered"
                .into(),
        ),
        Some(cache) => {
            if !cache.writable {
                missing.push(format!("a cache that can be written: {} cannot; set EVARISTE_CACHE to another folder, else rankings are not remembered", cache.folder.display()));
            }
            for path in &cache.unreadable {
                missing.push(format!(
                    "a readable ranking: {} cannot be understood; tune that field again, or delete the file",
                    path.display()
                ));
            }
        }
    }
    let core = cores::found(Memory::default_folder().as_deref()).unwrap_or_else(|why| {
        missing.push(format!("the table that {} asks for: {why}", cores::ASKED));
        InUse::reference()
    });
    missing.extend(core.refused.iter().map(|why| format!("a table of costs: {}", why.replace('\n', "; "))));
    if core.origin == Origin::Nearest {
        missing.push(format!(
            "a table of what instructions cost on this core: the nearest is that of {}; `evariste probe` measures one in seconds",
            core.core.name
        ));
    }
    let table = evariste_backend::machine();
    if !table.is_native() {
        missing.push(format!("a table of this processor: bounds are those of {}", table.title));
    }
    let code = evariste_backend::found(|kind| kind.is_machine_code(), None).iter().map(|b| b.setting()).collect();
    // A machine without OpenCL lacks nothing.
    let devices = evariste_run::opencl::devices().unwrap_or(&[]).iter().map(|device| format!("{device:?}")).collect();
    Health { machine, tick_ghz: tick_ghz(), compilers, chosen, code, devices, core, cache, missing }
}

/// Reads every ranking of a folder, and tries to write into it (into its nearest parent while it does not exist).
fn look(folder: &Path) -> CacheHealth {
    let remembered = Memory::all(folder);
    let nearest = folder.ancestors().find(|path| path.is_dir());
    let writable = nearest.is_some_and(|path| tempfile::NamedTempFile::new_in(path).is_ok());
    CacheHealth {
        folder: folder.to_path_buf(),
        writable,
        readable: remembered.rankings.len(),
        unreadable: remembered.unreadable,
    }
}
