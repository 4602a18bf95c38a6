//! What code is made for: what a processor offers, and what its instructions cost.

use evariste_cores::{Core, reference};

/// What code is made for. Features decide what code may use; a core's table decides only which code is thought to be
/// fast. Features alone aim at the [reference](evariste_cores::reference()), the same on every machine.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Aim<'c, F> {
    /// What the processor offers.
    pub features: F,
    /// What its instructions cost.
    pub core: &'c Core,
}

impl<F> From<F> for Aim<'static, F> {
    fn from(features: F) -> Self {
        Aim { features, core: reference() }
    }
}
