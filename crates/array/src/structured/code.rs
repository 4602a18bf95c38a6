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
    /// The code of an operation: of the plan of the least cycles that has code. The checker does not follow every kernel
    /// that is written for lanes: one by one, where it follows none, the interpreter computes.
    pub(super) fn made(&self, operation: &Operation) -> Result<Code, ArrayError> {
        let backend = &self.ground.kernels.backend;
        let (mut first, mut failure) = (None, None);
        for (_, plan, kernel) in self.ranked(operation, &mut Vec::new())? {
            let made = match prove(&kernel) {
                Outcome::Proved(proved) => {
                    let made = Code::new(&proved, backend, &plan.name(), None);
                    first = first.or(Some((plan, proved)));
                    made
                }
                other => Err(verdict(&other)),
            };
            match made {
                Ok(code) => return Ok(code),
                Err(why) => failure = failure.or(Some(why)),
            }
        }
        let why = failure.unwrap_or_else(|| "no plan has code here".into());
        let has_lanes = backend.as_ref().is_some_and(|backend| backend.entry().kind.has_lanes());
        let interpreted =
            first.filter(|_| !has_lanes).map(|(plan, proved)| Code::new(&proved, &None, &plan.name(), None));
        interpreted.unwrap_or(Err(why)).map_err(|why| self.no(operation, why))
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
            choose::called(&ground, &kernels.layout, need, ranking, &kernels.backend)?
        } else {
            self.ranked(&need.operation, known)?.swap_remove(0).2
        };
        let kernel = Arc::new(kernel);
        known.push((key, kernel.clone()));
        Ok(kernel)
    }
}
