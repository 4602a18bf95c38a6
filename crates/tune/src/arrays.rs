//! The products in lanes that functions on arrays call in emitted C: for each kind of vectors that C has names for, the
//! plan of the least cycles, where that is less than products one by one.
//!
//! Elements of a package rest in words, canonical in most: products of words ([`Operation::MUL_WORDS`],
//! [`Operation::MUL_MONTGOMERY_WORDS`]) cut them into digits of a layout for lanes and put the result together again, in
//! one proved kernel. Elements of one word have their own product too, as any lane computes it.

use evariste_algorithms::{Layout, Operation, Plan, plans};
use evariste_backend::{Backend, named};
use evariste_emit::{has_lanes, lane_levels};
use evariste_ir::Kernel;
use evariste_ir::range::pow2;
use evariste_proof::{Outcome, Proved, prove};

use crate::choose::{Chosen, counted};

/// A product in lanes.
#[derive(Clone, Debug)]
pub struct LaneProduct {
    /// The vectors, by their name of back ends and of languages.
    pub level: &'static str,
    /// The plan's name.
    pub plan: String,
    /// Its kernel.
    pub proved: Proved,
    /// Cycles of an element that were estimated, and those of a product of one element.
    pub cycles: (f64, f64),
}

/// Bits of a lane in emitted C.
const LANE: f64 = 64.0;

/// What compilers make of a bound, and what it costs to bring a word of an element into a lane or back.
const COMPILED: f64 = 1.25;
const MOVE: f64 = 0.5;

/// The products in lanes that are worth it beside the product `one` of a package.
pub fn products(chosen: &Chosen, one: &Proved) -> Vec<LaneProduct> {
    lane_levels().filter_map(|level| product(chosen, one, level)).collect()
}

fn product(chosen: &Chosen, one: &Proved, level: &'static str) -> Option<LaneProduct> {
    let model = (named(level)?.machine?.model)();
    let alone = counted(one.kernel());
    let mut all: Vec<(f64, Plan, Kernel)> = candidates(chosen, &*model)
        .into_iter()
        .filter_map(|plan| {
            let kernel = plan.write().ok()?;
            let cycles = cycles(&kernel, &*model, level)?;
            Some((cycles, plan, kernel))
        })
        .collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    for (c, p, _) in &all { eprintln!("{level} {} {} {c:.2} against {alone:.2}", p.operation.name(), p.name()); }
    all.into_iter().take_while(|(cycles, ..)| *cycles < alone).find_map(|(cycles, plan, kernel)| {
        let Outcome::Proved(proved) = prove(&kernel) else { return None };
        has_lanes(level, &proved).inspect_err(|e| eprintln!("{e}")).ok()?;
        Some(LaneProduct { level, plan: plan.name(), proved, cycles: (cycles, alone) })
    })
}

/// Cycles of an element in code of a compiler, the way between words and lanes among them.
fn cycles(kernel: &Kernel, model: &dyn Backend, level: &str) -> Option<f64> {
    let group = model.estimate(kernel).inspect_err(|e| eprintln!("{level} {}: {e}", kernel.name)).ok()?.cycles;
    let evariste_backend::Kind::Lanes { bits } = model.entry().kind else { return None };
    let words: u32 = kernel.visible().map(|a| kernel.array(a).len).sum();
    Some(group * COMPILED / (f64::from(bits) / LANE) + MOVE * f64::from(words))
}

/// Plans of kernels that take and give what the product of the package does.
fn candidates(chosen: &Chosen, model: &dyn Backend) -> Vec<Plan> {
    let (field, own) = (&chosen.field, &chosen.layout);
    let mut all = Vec::new();
    if own.digits() == 1 {
        all.extend(plans(field, own, &Operation::MUL));
    }
    if own.word == 64 && own.saturated() {
        let form = if own.factor() == pow2(0) { Operation::MUL_WORDS } else { Operation::MUL_MONTGOMERY_WORDS };
        let layouts = model.layouts(field).into_iter().filter(|layout: &Layout| model.takes(field, layout, false));
        all.extend(layouts.flat_map(|layout| plans(field, &layout, &form)));
    }
    all
}
