//! What a tuning run is asked for, and what it tells while it works.

use std::sync::Arc;

use evariste_backend::{Backend, usual};
use evariste_run::{Compiler, Stop, TimingOptions};

use crate::cores::InUse;
use crate::error::TuneError;
use crate::mix::Mix;
use crate::schedules::Schedules;

/// Which candidates a tuning run takes, how long it measures them, and on which mix layouts are compared.
#[derive(Clone, Debug)]
pub struct Options {
    /// Word sizes of layouts, in bits.
    pub words: Vec<u32>,
    /// The mix on which layouts are compared; `None`: the field's usual one.
    pub mix: Option<Mix>,
    /// What makes code of the kernels.
    pub backends: Vec<Arc<dyn Backend>>,
    /// The table that bounds are reckoned by, and by which orders of our own code are chosen.
    pub core: Arc<InUse>,
    /// How long to time.
    pub timing: TimingOptions,
    /// Only layouts and algorithms whose full plan name contains one of these; empty: all.
    pub only: Vec<String>,
    /// Only these layouts, by name; empty: all.
    pub layouts: Vec<String>,
    /// Compile every candidate and measure each for equally long, those that are far behind too.
    pub every: bool,
    /// Schedules that searches found before: they are measured beside the heuristic's, and searches start from them
    /// too.
    pub schedules: Schedules,
    /// Seconds in which schedules are searched for, in all; divided by [what searches are worth](crate::budget). 0: no
    /// search.
    pub search: f64,
    /// What the random numbers of searches begin with.
    pub seed: u64,
    /// Whoever asks here ends the work early.
    pub stop: Stop,
}

impl Options {
    /// 64- and 32-bit words, machine code and the machine's first compiler, 1000 samples a kernel, bounds of the widest
    /// core that ships, the schedules that ship.
    ///
    /// # Errors
    /// [`RunError::NoCompiler`], where there is neither machine code nor a compiler.
    pub fn new() -> Result<Options, TuneError> {
        let timing = TimingOptions { budget_ns: 1.5e8, ..TimingOptions::default() };
        let backends = usual();
        if backends.is_empty() {
            Compiler::find()?;
        }
        Ok(Options {
            words: vec![64, 32],
            mix: None,
            backends,
            core: Arc::new(InUse::reference()),
            timing,
            only: Vec::new(),
            layouts: Vec::new(),
            every: false,
            schedules: Schedules::shipped(),
            search: 0.0,
            seed: 1,
            stop: Stop::default(),
        })
    }

    /// The same with back ends whose orders go by the table, with those that were found for routines on such a core.
    pub(crate) fn on_its_core(&self) -> Options {
        let core = &self.core.core;
        let on = |backend: &Arc<dyn Backend>| {
            let backend = backend.on(core).unwrap_or_else(|| backend.clone());
            let found = backend.schedule_sets().map(|sets| Arc::new(self.schedules.of_routines(&core.name, &sets)));
            found.and_then(|found| backend.with_found(&found)).unwrap_or(backend)
        };
        Options { backends: self.backends.iter().map(on).collect(), ..self.clone() }
    }

    /// The compiler that a back end calls.
    pub fn compiler(&self) -> Option<&Compiler> {
        self.backends.iter().find_map(|b| b.compiler())
    }
}

/// The stage that tuning is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// Writing and proving kernels.
    Prove,
    /// Compiling them.
    Compile,
    /// Timing all of them briefly.
    Narrow,
    /// Timing those that are not far behind.
    Time,
    /// Searching for schedules: `done` and `total` are seconds. Told once before it begins.
    Search,
}

/// Something happened: `done` of `total` in this stage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// The stage.
    pub stage: Stage,
    /// How many are done.
    pub done: usize,
    /// Of how many.
    pub total: usize,
    /// Of a search: what the best schedule so far takes, in thousandths of what the heuristic's takes.
    pub best: Option<u32>,
}

impl Progress {
    /// `done` of `total` in that stage.
    pub fn of(stage: Stage, done: usize, total: usize) -> Progress {
        Progress { stage, done, total, best: None }
    }
}
