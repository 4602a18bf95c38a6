//! The code of [butterflies](evariste_algorithms::butterfly), the steps of transforms.

use std::sync::Arc;

use evariste_algorithms::lowering::Operations;
use evariste_algorithms::recipe::Need;
use evariste_algorithms::{Butterfly, Layout, Operation};
use evariste_descriptions::{Field, Modulus};
use evariste_proof::{Outcome, prove};
use evariste_tune::Ranking;
use evariste_tune::candidates::verdict;

use crate::choose;
use crate::code::{Code, In, MaybeBackend};
use crate::error::ArrayError;

/// The code of the steps.
pub(crate) struct Butterflies {
    two: Code,
    four: Code,
}

impl Butterflies {
    /// Made of the kernels that arrays have.
    pub fn new(
        field: &Field,
        layout: &Layout,
        ranking: Option<&Ranking>,
        backend: &MaybeBackend,
    ) -> Result<Butterflies, ArrayError> {
        let called =
            |operation| choose::called(field, layout, &Need::ground(operation), ranking, backend).map(Arc::new);
        let by = Operations {
            mul: called(Operation::MUL)?,
            square: called(Operation::SQUARE)?,
            add: called(Operation::ADD)?,
            sub: called(Operation::SUB)?,
            opp: called(Operation::OPP)?,
        };
        let code = |step: Butterfly| {
            let no = |why: String| ArrayError::kernel(step.name(), &field.text(), why);
            let modulus = field.get::<Modulus>().ok_or_else(|| no("a field without such transforms".into()))?;
            let kernel = step.kernel(modulus, layout, &by).map_err(|e| no(e.to_string()))?;
            match prove(&kernel) {
                Outcome::Proved(proved) => Code::new(&proved, backend, step.name(), None).map_err(no),
                other => Err(no(verdict(&other))),
            }
        };
        Ok(Butterflies { two: code(Butterfly::Two)?, four: code(Butterfly::Four)? })
    }

    /// Groups of the longest call.
    pub fn block_groups(&self) -> usize {
        self.two.block_groups().max(self.four.block_groups())
    }

    /// The butterfly of two parts or four, each with its factors, in place.
    pub fn run(&self, parts: &mut [&mut [u64]], factors: &[In], fourth: In) -> Result<(), String> {
        match *factors {
            [u, v, w] => {
                let operands = [In::Out(0), In::Out(1), In::Out(2), In::Out(3), u, v, w, fourth];
                self.four.run_all(parts, &operands, &[])
            }
            _ => self.two.run_all(parts, &[In::Out(0), In::Out(1), factors[0]], &[]),
        }
    }
}
