//! The machine code of a chosen plan, for elements in whole words.

use evariste_algorithms::Operation;
use evariste_backend::{Backend, Choice};
use evariste_jit::{Function, Parameter};

use crate::choose::Chosen;

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
        let choice = Choice { schedule: schedule.as_ref().map(|found| &found.schedule), ..Choice::default() };
        let made = backend.make(&proved, &choice).ok()?;
        let function = made.function.machine_code()?.clone();
        let element = |p: &Parameter| p.element_bytes == 8 && p.len as usize == self.layout.digits();
        let (out, rest) = function.params().split_first()?;
        let fits = out.role.is_written() && rest.len() == operands && rest.iter().all(|p| !p.role.is_written());
        (fits && function.params().iter().all(element)).then_some((plan, function))
    }
}
