//! Machine code of long kernels for this machine: with the orders of routines that were found on a core like its own.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use evariste_backend::{Backend, Kind, found, packaged};
use evariste_codegen::FoundOrders;
use evariste_ir::Kernel;

use crate::cache;
use crate::choose::{Chosen, Source};
use crate::cores;
use crate::schedules::{FoundSchedule, Schedules};

/// What makes machine code of one element here, with those of the instruction sets that a text names. `None`: nothing does.
pub fn scalar(sets: Option<&str>) -> Option<Arc<dyn Backend>> {
    let backend = found(|kind| kind == Kind::Scalar, sets).into_iter().next()?;
    let Some(sets) = backend.schedule_sets() else { return Some(backend) };
    Some(backend.with_found(&found_here(&sets)).unwrap_or(backend))
}

/// Orders of routines for these instruction sets that ship, or that are in the user's file, of the core at hand: looked
/// for once.
fn found_here(sets: &str) -> Arc<FoundOrders> {
    static KNOWN: Mutex<Option<HashMap<String, Arc<FoundOrders>>>> = Mutex::new(None);
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let known = known.get_or_insert_default();
    if let Some(orders) = known.get(sets) {
        return orders.clone();
    }
    let folder = cache::folder();
    let of_core = |core: &str| self::known(folder.as_deref()).of_routines(core, sets);
    let core = cores::found(folder.as_deref()).ok().filter(cores::InUse::fits);
    let orders = Arc::new(core.map(|here| of_core(&here.core.name)).unwrap_or_default());
    known.insert(sets.to_string(), orders.clone());
    orders
}

/// The schedules that ship and those of a cache folder. A file that cannot be read is as none: `tune` tells of it.
pub(crate) fn known(folder: Option<&Path>) -> Schedules {
    let own = folder.and_then(|folder| Schedules::load(&Schedules::file(folder)).ok());
    Schedules::shipped().with(own.unwrap_or_default().0)
}

impl Chosen {
    /// The schedules of what a kernel calls: of the file that was given, or those that are known of the core on which the
    /// ranking was measured.
    pub fn routines(&self, kernel: &Kernel) -> Vec<FoundSchedule> {
        let sets = self.packaged().1.sets;
        match (&self.schedules, &self.ranking) {
            (Source::Given(given), _) => given.schedules.called(kernel, &given.core, sets),
            (Source::Ranking, Some(ranking)) if self.packaged().0.name == packaged().0.name => {
                known(cache::folder().as_deref()).called(kernel, ranking.core_name(), sets)
            }
            _ => Vec::new(),
        }
    }
}
