//! What code is made for: what a processor offers, what its instructions cost, and which orders were found on it.

use std::collections::HashMap;
use std::sync::LazyLock;

use evariste_cores::{Core, reference};
use evariste_ir::Kernel;

use crate::schedule::Schedule;

/// What code is made for. Features decide what code may use; a core's table and orders that were found decide only which
/// code is thought to be fast. Features alone aim at the [reference](evariste_cores::reference()), the same on every
/// machine.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Aim<'c, F> {
    /// What the processor offers.
    pub features: F,
    /// What its instructions cost.
    pub core: &'c Core,
    /// Orders for routines of long kernels; the heuristic's for the others.
    pub found: &'c FoundOrders,
}

impl<'c, F> Aim<'c, F> {
    /// For a core on which nobody searched.
    pub fn of_core(features: F, core: &'c Core) -> Self {
        Aim { features, core, found: FoundOrders::none() }
    }
}

impl<F> From<F> for Aim<'static, F> {
    fn from(features: F) -> Self {
        Aim::of_core(features, reference())
    }
}

/// Orders that a search found for kernels, by the kernels' [fingerprints](Kernel::fingerprint). Nothing is believed of
/// them: one that does not fit is passed over, and the program is checked in whichever order.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct FoundOrders(HashMap<u64, Schedule>);

impl FoundOrders {
    /// None.
    pub fn none() -> &'static FoundOrders {
        static NONE: LazyLock<FoundOrders> = LazyLock::new(FoundOrders::default);
        &NONE
    }

    /// That of a kernel.
    pub fn of(&self, kernel: &Kernel) -> Option<&Schedule> {
        // The fingerprint is that of a text, which is written for it.
        if self.0.is_empty() { None } else { self.0.get(&kernel.fingerprint()) }
    }
}

impl FromIterator<(u64, Schedule)> for FoundOrders {
    fn from_iter<I: IntoIterator<Item = (u64, Schedule)>>(orders: I) -> Self {
        FoundOrders(orders.into_iter().collect())
    }
}
