//! The machine code of a chosen plan, for elements in whole words.

use evariste_algorithms::{Operation, Plan, plans};
use evariste_backend::{Backend, Choice, Repeat};
use evariste_codegen::schedule::Schedule;
use evariste_jit::{Function, Parameter};
use evariste_proof::{Outcome, Proved, prove};

use crate::choose::{Chosen, Reason, prove_plan_with};
use crate::estimate::by_estimate;
use crate::schedules::Schedules;

/// Elements of a call of many, the most first, and the most bytes of its code: what a processor keeps decoded. Beside the
/// longest that fits there is one of a few, for short arrays.
const BLOCKS: [u32; 4] = [16, 8, 4, 2];
const FEW: u32 = 4;
const LONGEST_BLOCK: usize = 8192;

/// The plans of the least estimates that are tried where nothing was measured.
const ESTIMATED: usize = 4;

/// Code of an operation on elements in words of 64 bits.
#[derive(Clone, Debug)]
pub struct ElementCode {
    /// The plan, with whose schedule it is ordered where that is not the heuristic's.
    pub plan: String,
    /// A function of the output and the operands, of one element each.
    pub one: Function,
    /// The same of some elements one after the other, which takes less time than as many calls: the most first.
    pub many: Vec<Function>,
}

impl Chosen {
    /// The chosen plan of an operation, by name, as a function of its output and so many operands, each an element in
    /// words of 64 bits; with the remembered schedule, where there is one. `None` where there is no such code.
    pub fn element_code(
        &self,
        backend: &dyn Backend,
        operation: &Operation,
        operands: usize,
    ) -> Option<(String, Function)> {
        let (plan, proved) = self.proved_plan(operation).ok()?;
        let schedule = self.schedule(operation, &plan, proved.kernel()).ok()?;
        let one = self.function(backend, &proved, schedule.as_ref().map(|found| &found.schedule), operands)?;
        Some((plan, one))
    }

    /// The same code, and where nothing was measured here also that of the next plans by estimate and of the schedules that
    /// ship for plans of the layout: whoever can measure takes the quickest.
    pub fn element_codes(&self, backend: &dyn Backend, operation: &Operation, operands: usize) -> Vec<ElementCode> {
        let mut all: Vec<ElementCode> = Vec::new();
        if let Ok((plan, proved)) = self.proved_plan(operation)
            && let Ok(schedule) = self.schedule(operation, &plan, proved.kernel())
        {
            all.extend(self.codes(backend, plan, &proved, schedule.as_ref().map(|found| &found.schedule), operands));
        }
        let Some(sets) = backend.schedule_sets().filter(|_| self.reason(operation) == Reason::Estimated) else {
            return all;
        };
        for (_, plan) in by_estimate(&self.field, &self.layout, operation, self.runs()).into_iter().take(ESTIMATED) {
            if all.iter().all(|code| code.plan != plan.name())
                && let Ok(proved) = prove_plan_with(&plan, &self.known)
            {
                all.extend(self.codes(backend, plan.name(), &proved, None, operands));
            }
        }
        let (shipped, field) = (Schedules::shipped(), self.field.name());
        let is_named = |plan: &Plan| shipped.all.iter().any(|s| s.field == field && s.plan == plan.name());
        for plan in plans(&self.field, &self.layout, operation).into_iter().filter(is_named) {
            let Some(Outcome::Proved(proved)) = plan.write().ok().map(|kernel| prove(&kernel)) else { continue };
            let found = shipped.of(&field, &operation.name(), &plan.name(), proved.kernel(), &sets);
            for found in found {
                let name = format!("{}, in an order searched on {}", plan.name(), found.core);
                if found.goal == self.goal {
                    all.extend(self.codes(backend, name, &proved, Some(&found.schedule), operands));
                } else if let Some(one) = self.function(backend, &proved, Some(&found.schedule), operands) {
                    // Of an order for another goal one element alone may be quicker.
                    all.push(ElementCode { plan: format!("{name} for {}", found.goal), one, many: Vec::new() });
                }
            }
        }
        all
    }

    /// Code of one element and of many.
    fn codes(
        &self,
        backend: &dyn Backend,
        plan: String,
        proved: &Proved,
        schedule: Option<&Schedule>,
        operands: usize,
    ) -> Option<ElementCode> {
        let one = self.function(backend, proved, schedule, operands)?;
        let longest = BLOCKS.into_iter().find(|times| *times as usize * one.code_len() <= LONGEST_BLOCK);
        let blocks = longest.into_iter().chain(longest.is_some_and(|times| times > FEW).then_some(FEW));
        let many = blocks.filter_map(|times| {
            let choice = Choice { schedule, repeat: Repeat::Groups(times), ..Choice::default() };
            backend.make(proved, &choice).ok()?.function.machine_code().cloned()
        });
        let many = many.collect();
        Some(ElementCode { plan, one, many })
    }

    /// A function of one element.
    fn function(
        &self,
        backend: &dyn Backend,
        proved: &Proved,
        schedule: Option<&Schedule>,
        operands: usize,
    ) -> Option<Function> {
        let made = backend.make(proved, &Choice { schedule, ..Choice::default() }).ok()?;
        let function = made.function.machine_code()?.clone();
        let element = |p: &Parameter| p.element_bytes == 8 && p.len as usize == self.layout.digits();
        let (out, rest) = function.params().split_first()?;
        let fits = out.role.is_written() && rest.len() == operands && rest.iter().all(|p| !p.role.is_written());
        (fits && function.params().iter().all(element)).then_some(function)
    }
}
