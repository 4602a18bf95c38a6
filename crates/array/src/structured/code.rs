//! The code of an operation: the plan of the least cycles, made of the kernels that the prime field's own operations
//! have, and of the least plans of the structure's.

use std::sync::Arc;

use evariste_algorithms::recipe::{Need, Of};
use evariste_algorithms::registry::structure;
use evariste_algorithms::{Operation, Plan, plans};
use evariste_backend::{bound, widest_model};
use evariste_cores::reference;
use evariste_ir::Kernel;
use evariste_proof::{Outcome, Proved, prove};
use evariste_run::TimingLock;
use evariste_tune::candidates::verdict;

use super::Structured;
use super::alone::Alone;
use super::way::Way;
use crate::choose;
use crate::code::Code;
use crate::error::ArrayError;

/// Words of a vector beside which no scalar code is asked for: what they compute at once takes it several times as long.
pub(super) const WIDE: usize = 8;

/// Cycles of an element beside which the way to words and back is little.
const LONG: f64 = 8192.0;

/// How many times the bound of a core's table code takes, where nothing is measured: on vectors, and as scalar code. Of
/// multiples and pairings on Zen 5 with AVX2 alone it was 1.0 to 1.25 and 1.5 to 1.6 times: what lies near is not told.
pub(super) const BEYOND: [f64; 2] = [1.1, 1.6];

/// How many times the least bound that of a plan of scalar code may be which is timed beside it: which calls products, and
/// which reduces late, bounds do not tell. The quickest product in Fp12 of BN254 on Zen 5 had 1.03 times the least.
const NEAR: f64 = 1.06;

/// Kernels that were chosen already.
type Known = Vec<((Operation, Of), Arc<Kernel>)>;

impl Structured {
    /// The code of an operation: on lanes, or element by element where that takes less.
    pub(super) fn way(&self, operation: &Operation) -> Result<Way, ArrayError> {
        if self.ground.kernels.whole_words()
            && self.measured
            && let Some(way) = self.quickest(operation)?
        {
            return Ok(way);
        }
        let (code, cycles) = self.made(operation)?;
        let lanes = Way { description: code.description.clone(), code, alone: None };
        let kernels = &self.ground.kernels;
        let has_words = kernels.backend.is_some() && kernels.modulus().is_some() && kernels.per_word() == 1;
        let Some(cycles) =
            cycles.filter(|cycles| has_words && !kernels.whole_words() && kernels.row() < WIDE && *cycles > LONG)
        else {
            return Ok(lanes);
        };
        let Ok(alone) = Alone::new(&self.field, kernels, operation) else { return Ok(lanes) };
        let on_vectors = if kernels.row() > 1 { BEYOND[0] } else { BEYOND[1] };
        let (times, unit) = if self.measured && cycles.is_finite() {
            let lock = TimingLock::acquire();
            let times = [None, Some(&alone)].map(|way| lanes.timed(way, kernels).unwrap_or(f64::INFINITY));
            drop(lock);
            (times, "ns an element, measured here")
        } else {
            ([cycles * on_vectors, alone.cycles * BEYOND[1]], "cycles an element, estimated")
        };
        let weighed = match times[0].is_finite() {
            true => format!("in lanes {:.0}, one by one {:.0} {unit}", times[0], times[1]),
            false => format!("in lanes none, one by one {:.0} {unit}", times[1]),
        };
        let is_alone = times[1] < times[0];
        let plan = if is_alone { format!("{}, one by one", alone.plan) } else { lanes.description };
        Ok(Way { description: format!("{plan} ({weighed})"), alone: is_alone.then_some(alone), ..lanes })
    }

    /// The code of an operation in whole words that takes the least time here, of the plans of nearly the least bound;
    /// `None` where none has code.
    fn quickest(&self, operation: &Operation) -> Result<Option<Way>, ArrayError> {
        let kernels = &self.ground.kernels;
        let ranked = self.ranked(operation, &mut Vec::new())?;
        let most = ranked.first().map_or(0.0, |(cycles, ..)| cycles * NEAR);
        let mut ways = Vec::new();
        for (_, plan, kernel) in ranked.iter().filter(|(cycles, ..)| *cycles <= most) {
            let Outcome::Proved(proved) = prove(kernel) else { continue };
            let Ok(code) = Code::new(&proved, &kernels.backend, &plan.name(), None) else { continue };
            ways.push(Way { description: code.description.clone(), code, alone: None });
        }
        let _lock = (ways.len() > 1).then(TimingLock::acquire);
        let timed = ways.into_iter().map(|way| (way.timed(None, kernels).unwrap_or(f64::INFINITY), way));
        Ok(timed.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, way)| way))
    }

    /// The code of an operation: of the plan of the least cycles that has code. The checker does not follow every kernel
    /// that is written for lanes: one by one, where it follows none, the interpreter computes. With the least cycles of an
    /// element, without end for the interpreter.
    fn made(&self, operation: &Operation) -> Result<(Code, Option<f64>), ArrayError> {
        let backend = &self.ground.kernels.backend;
        let (mut first, mut failure) = (None, None);
        for (_, plan, kernel) in self.ranked(operation, &mut Vec::new())? {
            let made = match prove(&kernel) {
                Outcome::Proved(proved) => {
                    let made = self.code_of(&proved, &plan.name());
                    first = first.or(Some((plan, proved)));
                    made
                }
                other => Err(verdict(&other)),
            };
            match made {
                Ok(code) => return Ok((code, self.least_cycles(&kernel))),
                Err(why) => failure = failure.or(Some(why)),
            }
        }
        let why = failure.unwrap_or_else(|| "no plan has code here".into());
        let has_lanes = backend.as_ref().is_some_and(|backend| backend.entry().kind.has_lanes());
        let interpreted =
            first.filter(|_| !has_lanes).map(|(plan, proved)| Code::new(&proved, &None, &plan.name(), None));
        interpreted.unwrap_or(Err(why)).map(|code| (code, Some(f64::INFINITY))).map_err(|why| self.no(operation, why))
    }

    /// The code of a plan, in the order that takes less time here, where things are measured.
    fn code_of(&self, proved: &Proved, plan: &str) -> Result<Code, String> {
        let backend = &self.ground.kernels.backend;
        if self.measured { Code::measured(proved, backend, plan) } else { Code::new(proved, backend, plan, None) }
    }

    /// The bound of an element, as the table of a core says it.
    fn least_cycles(&self, kernel: &Kernel) -> Option<f64> {
        let backend = self.ground.kernels.backend.as_ref()?;
        match backend.entry().kind.has_lanes() {
            true => Some(self.cycles(kernel)? / self.ground.lanes() as f64),
            false => Some(bound(&**backend, kernel, reference())),
        }
    }

    /// The plans that can be written, and their kernels, those of the least cycles first.
    pub(super) fn ranked(
        &self,
        operation: &Operation,
        known: &mut Known,
    ) -> Result<Vec<(f64, Plan, Kernel)>, ArrayError> {
        let mut ranked: Vec<(f64, Plan, Kernel)> = Vec::new();
        let mut failure = None;
        let all = plans(&self.field, self.ground.layout(), operation);
        let alone = all.len() == 1;
        for plan in all {
            let kernel = match self.written(&plan, known) {
                Ok(kernel) => kernel,
                Err(why) => {
                    failure = failure.or(Some(why));
                    continue;
                }
            };
            if let Some(cycles) = if alone { Some(0.0) } else { self.cycles(&kernel) } {
                ranked.push((cycles, plan, kernel));
            }
        }
        ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
        if ranked.is_empty() {
            return Err(failure.unwrap_or_else(|| self.no(operation, "no plan has code here")));
        }
        Ok(ranked)
    }

    /// The least cycles of a group: by the lanes at hand, or where there are none by the widest.
    pub(super) fn cycles(&self, kernel: &Kernel) -> Option<f64> {
        let whole = self.ground.kernels.backend.as_ref().filter(|_| self.ground.kernels.whole_words());
        if let Some(scalar) = whole {
            return Some(bound(&**scalar, kernel, reference()));
        }
        let here = self.ground.kernels.backend.clone().filter(|backend| backend.entry().kind.has_lanes());
        Some(here.or_else(widest_model)?.estimate(kernel).ok()?.cycles)
    }

    /// A plan of the kernels that are chosen for what it calls.
    fn written(&self, plan: &Plan, known: &mut Known) -> Result<Kernel, ArrayError> {
        let no = |why: String| self.no(&plan.operation, why);
        if self.ground.kernels.whole_words() {
            // As `tune` writes and times plans of scalar code.
            return plan.write().map_err(|e| no(e.to_string()));
        }
        let parts = plan.needs().iter().map(|need| self.part(need, known)).collect::<Result<Vec<_>, _>>()?;
        if parts.is_empty() {
            return plan.write().map_err(|e| no(e.to_string()));
        }
        if parts.iter().any(|kernel| !kernel.disjoint.is_empty()) {
            return Err(no("what it calls does not allow its output at the place of an operand".into()));
        }
        plan.write_with(&parts).map_err(|e| no(e.to_string()))
    }

    fn part(&self, need: &Need, known: &mut Known) -> Result<Arc<Kernel>, ArrayError> {
        let key = (need.operation.clone(), need.of);
        if let Some((_, kernel)) = known.iter().find(|(own, _)| *own == key) {
            return Ok(kernel.clone());
        }
        let kernel = if need.of == Of::Itself {
            self.ranked(&need.operation, known)?.swap_remove(0).2
        } else {
            let (below, kernels) = (structure(&self.field, need), &self.ground.kernels);
            let ranking = kernels.ranking.as_ref().filter(|_| need.of == Of::Ground);
            choose::called(&below, &kernels.layout, need, ranking, &kernels.backend)?
        };
        let kernel = Arc::new(kernel);
        known.push((key, kernel.clone()));
        Ok(kernel)
    }
}
