//! Calls of kernels as atoms: what a call leaves in the outputs is a function of its inputs. **Trusted.**
//!
//! Only the kernel's side makes calls. What it calls is called with inputs that the callee's contract admits, because
//! the kernel is proved; so the results lie in the callee's ranges. The machine's side may only find a call that the
//! kernel makes, on the same inputs: of any other nothing is known, not even a range.

use super::terms::{Atom, Bounds, Lin, Terms, Word};

/// A kernel, by its number among those that are called, and the elements of the parameters that it reads, one after
/// the other.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Call {
    /// The kernel.
    pub kernel: u32,
    /// The elements.
    pub inputs: Vec<Word>,
}

impl Terms {
    /// The number of a call.
    pub fn call(&mut self, call: Call) -> u32 {
        let next = self.calls.len() as u32;
        let number = *self.call_of.entry(call.clone()).or_insert(next);
        if number == next {
            self.calls.push(call);
        }
        number
    }

    /// Element `i` of a call's results, which lies within the bounds.
    pub fn result(&mut self, call: u32, i: u32, bounds: Bounds) -> Lin {
        self.make(Atom::Result(call, i), bounds)
    }

    /// The results of a call that the kernel makes: so many elements.
    pub fn results(&mut self, call: &Call, count: u32) -> Option<Vec<Word>> {
        let number = match self.call_of.get(call) {
            Some(number) => *number,
            None => {
                // Equations that were learned late may make the inputs equal.
                let new = self.rebuild();
                let inputs = call.inputs.iter().map(|x| self.renewed(*x, &new)).collect();
                *self.call_of.get(&Call { inputs, ..*call })?
            }
        };
        (0..count)
            .map(|i| {
                let atom = *self.atom_of.get(&Atom::Result(number, i))?;
                let form = self.atom_form(atom);
                Some(self.word(form))
            })
            .collect()
    }
}
