//! Schedules of a file that somebody named, and which of its lines count: those that were found on one core.

use std::collections::BTreeSet;

use evariste_ir::Kernel;

use crate::cores::slug;
use crate::ranking::Goal;
use crate::schedules::{FoundSchedule, Schedules};

/// The schedules of a file, of which those of one core count: what is fast on another is not known to be fast there.
#[derive(Clone, PartialEq, Debug)]
pub struct Given {
    /// All lines.
    pub schedules: Schedules,
    /// The core whose lines count, by its name or as [`slug`] writes it.
    pub core: String,
    /// Was the core named by hand? Then lines that were found for another goal count too, where there is none for this one.
    pub named: bool,
}

/// What is asked of a file: the schedule of a kernel.
pub(crate) struct Wanted<'a> {
    pub field: &'a str,
    pub operation: &'a str,
    pub plan: &'a str,
    pub kernel: &'a Kernel,
    pub sets: &'a str,
    pub goal: Goal,
}

impl Given {
    /// The line that counts, or else of which cores and goals the lines of that kernel are that do not.
    pub(crate) fn pick(&self, wanted: &Wanted) -> Result<FoundSchedule, Vec<String>> {
        let Wanted { field, operation, plan, kernel, sets, goal } = *wanted;
        let of = |schedules: &Schedules| -> Vec<FoundSchedule> {
            schedules.of(field, operation, plan, kernel, sets).into_iter().cloned().collect()
        };
        let is_of_core = |found: &&FoundSchedule| slug(&found.core) == slug(&self.core);
        let own = of(&Schedules { all: self.schedules.all.iter().filter(is_of_core).cloned().collect() });
        let fitting = own.iter().find(|s| s.goal == goal).or(own.first().filter(|_| self.named));
        fitting.cloned().ok_or_else(|| {
            let others: BTreeSet<String> =
                of(&self.schedules).iter().map(|s| format!("{} for {}", s.core, s.goal)).collect();
            others.into_iter().collect()
        })
    }
}
