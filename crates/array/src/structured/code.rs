//! The code of an operation: the plan of the least cycles, made of the kernels that the prime field's own operations
//! have, and of the least plans of the structure's.

use std::sync::Arc;

use evariste_algorithms::recipe::{Need, Of};
use evariste_algorithms::{Operation, Plan, kinds, plans};
use evariste_backend::widest_model;
use evariste_ir::Kernel;
use evariste_proof::{Outcome, prove};
use evariste_tune::candidates::verdict;

use super::Structured;
use crate::choose;
use crate::code::Code;
use crate::error::ArrayError;

/// Kernels that were chosen already.
type Known = Vec<((Operation, bool), Arc<Kernel>)>;

impl Structured {
    /// The code of an operation.
    pub(super) fn made(&self, operation: &Operation) -> Result<Code, ArrayError> {
        let (plan, kernel) = self.chosen(operation, &mut Vec::new())?;
        let proved = match prove(&kernel) {
            Outcome::Proved(proved) => proved,
            other => return Err(self.no(operation, verdict(&other))),
        };
        let backend = &self.ground.kernels.backend;
        let made = Code::new(&proved, backend, &plan.name(), None);
        let has_lanes = backend.as_ref().is_some_and(|backend| backend.entry().kind.has_lanes());
        // One by one, the checker does not follow every kernel that is written for lanes.
        let made = made.or_else(|why| if has_lanes { Err(why) } else { Code::new(&proved, &None, &plan.name(), None) });
        made.map_err(|why| self.no(operation, why))
    }

    /// The plan of the least cycles and its kernel.
    fn chosen(&self, operation: &Operation, known: &mut Known) -> Result<(Plan, Kernel), ArrayError> {
        let mut best: Option<(f64, Plan, Kernel)> = None;
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
            let cycles = if alone { Some(0.0) } else { self.cycles(&kernel) };
            if let Some(cycles) = cycles
                && best.as_ref().is_none_or(|(least, ..)| cycles < *least)
            {
                best = Some((cycles, plan, kernel));
            }
        }
        let none = || failure.unwrap_or_else(|| self.no(operation, "no plan has code here"));
        best.map(|(_, plan, kernel)| (plan, kernel)).ok_or_else(none)
    }

    /// The least cycles of a group: by the lanes at hand, or where there are none by the widest.
    fn cycles(&self, kernel: &Kernel) -> Option<f64> {
        let here = self.ground.kernels.backend.clone().filter(|backend| backend.entry().kind.has_lanes());
        Some(here.or_else(widest_model)?.estimate(kernel).ok()?.cycles)
    }

    /// A plan of the kernels that are chosen for what it calls.
    fn written(&self, plan: &Plan, known: &mut Known) -> Result<Kernel, ArrayError> {
        let no = |why: String| self.no(&plan.operation, why);
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
        let key = (need.operation.clone(), need.of == Of::Ground);
        if let Some((_, kernel)) = known.iter().find(|(own, _)| *own == key) {
            return Ok(kernel.clone());
        }
        let kernel = if need.of == Of::Ground {
            let (ground, kernels) = (kinds::ground(&self.field), &self.ground.kernels);
            let ranking = kernels.ranking.as_ref();
            choose::called(&ground, &kernels.layout, &need.operation, ranking, &kernels.backend)?
        } else {
            self.chosen(&need.operation, known)?.1
        };
        let kernel = Arc::new(kernel);
        known.push((key, kernel.clone()));
        Ok(kernel)
    }
}
