//! Formulas on arrays: kernels with any number of operands and results, such as point additions and products in towers.
//!
//! When not to use it: for a field's own operations, which an [`Engine`] has already.

use std::sync::Arc;

use evariste_ir::{Claim, Digit, Kernel, Operand};
use evariste_proof::Proved;

use crate::array::{Array, View, ViewMut};
use crate::code::{Code, Parameter, Role};
use crate::elementwise::Source;
use crate::engine::{Engine, Kernels};
use crate::error::ArrayError;
use crate::form::Resting;

/// The code of a proved kernel on elements at rest in the layout of one engine. What the kernel computes is what its
/// contract says.
pub struct Formula {
    kernels: Arc<Kernels>,
    code: Code,
}

impl Formula {
    /// Results and operands.
    pub fn arity(&self) -> (usize, usize) {
        self.code.arity()
    }

    /// The shape of the code, in words.
    pub fn description(&self) -> &str {
        &self.code.description
    }
}

impl Engine {
    /// Makes code of a kernel of which every parameter is an element at rest in this engine's layout, as
    /// `algorithms::signature::calls` writes them.
    ///
    /// # Errors
    /// [`ArrayError::Kernel`]: a parameter that is something else; a kernel without code here.
    pub fn formula(&self, proved: &Proved) -> Result<Formula, ArrayError> {
        let kernel = proved.kernel();
        let no = |why: String| ArrayError::kernel(&kernel.name, &self.kernels.field.text(), why);
        let code = Code::new(proved, &self.kernels.backend, &kernel.name, None).map_err(no)?;
        self.kernels.rests_all(kernel, &code).map_err(no)?;
        Ok(Formula { kernels: self.kernels.clone(), code })
    }

    /// The results of a formula, element by element.
    ///
    /// # Errors
    /// Foreign arrays, different lengths, another number of operands than the formula has.
    pub fn compute(&self, formula: &Formula, operands: &[View]) -> Result<Vec<Array>, ArrayError> {
        let len = operands.first().map_or(0, View::len);
        let mut results: Vec<Array> = (0..formula.arity().0).map(|_| self.fresh(len)).collect();
        self.compute_into(formula, results.iter_mut().map(Array::view_mut).collect(), operands)?;
        Ok(results)
    }

    /// Writes the results of a formula, element by element, into existing arrays.
    ///
    /// # Errors
    /// As [`Engine::compute`]; another number of results than the formula has.
    pub fn compute_into(&self, formula: &Formula, results: Vec<ViewMut>, operands: &[View]) -> Result<(), ArrayError> {
        self.own("formula", &formula.kernels)?;
        if (results.len(), operands.len()) != formula.arity() {
            let (outputs, inputs) = formula.arity();
            let given = format!("{} results of {} operands", results.len(), operands.len());
            return Err(self.kernels.fault("formula", format!("{given}: it has {outputs} of {inputs}")));
        }
        let sources: Vec<Source<Resting>> = operands.iter().map(|view| Source::View(*view)).collect();
        self.apply_all("formula", &formula.code, results, &sources)
    }
}

impl Kernels {
    /// Is every parameter of a kernel an element at rest: does it take what operations leave, and leave what they take?
    fn rests_all(&self, kernel: &Kernel, code: &Code) -> Result<(), String> {
        let layout = &self.layout;
        if kernel.word != layout.word {
            return Err(format!("its words have {} bits, those of {} have {}", kernel.word, layout.name, layout.word));
        }
        if !kernel.contract.facts.is_empty() {
            return Err("it asks more of its operands than elements at rest keep".into());
        }
        for parameter in &code.parameters {
            let of_it = |operand: &&Operand| operand.digits.first().is_some_and(|d| d.array == parameter.array);
            let rests = match parameter.role {
                // What is behind the digits of the layout is ghosts, which are nowhere in memory.
                Role::Output(_) => kernel.contract.claims.iter().map(Claim::output).find(of_it).is_some_and(|o| {
                    let below = o.digits.iter().zip(&layout.resting.digit_max).all(|(d, max)| d.max <= *max);
                    below && o.bound <= layout.resting.bound
                }),
                Role::Input(_) => kernel.contract.inputs.iter().find(of_it).is_some_and(|o| {
                    let takes = o.digits.iter().zip(&layout.resting.digit_max).all(|(d, max)| d.max >= *max);
                    takes && o.bound >= layout.resting.bound && o.below.is_none()
                }),
            };
            let mut operands = kernel.contract.claims.iter().map(Claim::output).chain(&kernel.contract.inputs);
            if !rests || !operands.find(of_it).is_some_and(|o| self.lies(o, parameter)) {
                let name = &kernel.array(parameter.array).name;
                return Err(format!("`{name}` is no element at rest in the layout {}", layout.name));
            }
        }
        Ok(())
    }

    /// Are the digits of a number those of the layout, in the order of the parameter's array?
    fn lies(&self, operand: &Operand, parameter: &Parameter) -> bool {
        let layout = &self.layout;
        let unmasked = |i: usize| layout.resting.low.filter(|_| i + 1 < layout.digits());
        let digit = |(i, (digit, weight)): (usize, (&Digit, &u32))| {
            (digit.array, digit.index as usize, digit.weight, digit.bits) == (parameter.array, i, *weight, unmasked(i))
        };
        parameter.digits == layout.digits()
            && operand.digits.len() >= layout.digits()
            && operand.digits.iter().zip(&layout.weights).enumerate().all(digit)
    }
}
