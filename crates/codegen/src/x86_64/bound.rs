//! Scalar x86-64: what a cycle offers at most, and the bound of a kernel.
//!
//! The numbers are those of wide cores since 2019 (Ice Lake, Golden Cove, Zen 3 and later): one 64×64 product, two
//! operations with carry, five arithmetic operations, three loads, two stores and six instructions a cycle. A core that
//! offers more makes the bound of that column only lower than the truth for the older ones; the multiplier, which
//! decides for nearly every kernel here, is the same on all of them.

use evariste_ir::Kernel;

use crate::slots::{Slots, slots};

/// Slots a cycle: multiplier, carry chain, arithmetic, load, store.
pub const PER_CYCLE: Slots = Slots { multiplier: 1.0, carry: 2.0, arithmetic: 5.0, load: 3.0, store: 2.0 };

/// Instructions a cycle.
pub const INSTRUCTIONS: f64 = 6.0;

/// The least cycles of one call of a kernel, when many independent ones are in flight.
pub fn bound(kernel: &Kernel) -> f64 {
    limits(kernel).into_iter().map(|(_, cycles)| cycles).fold(0.0, f64::max)
}

/// Cycles by each limit, named; the bound is the greatest.
pub fn limits(kernel: &Kernel) -> [(&'static str, f64); 6] {
    let s = slots(kernel);
    // Loads fold into the instruction that uses the value.
    let instructions = s.multiplier + s.arithmetic + s.store;
    [
        ("multiplier", s.multiplier / PER_CYCLE.multiplier),
        ("carry chains", s.carry / PER_CYCLE.carry),
        ("arithmetic", s.arithmetic / PER_CYCLE.arithmetic),
        ("loads", s.load / PER_CYCLE.load),
        ("stores", s.store / PER_CYCLE.store),
        ("instructions", instructions / INSTRUCTIONS),
    ]
}
