//! Checks formulas as mathematics: outputs are compared with the definition as polynomials in inputs and constants,
//! exactly, modulo the stated relations. What passes is [`Checked`], which is made nowhere else.

use std::sync::Arc;

use crate::evaluate::Ring;
use crate::formula::{Definition, Formula, Line, Step};
use crate::judge::Judge;
use crate::refutation::Refutation;
use crate::verify::verify;

/// A formula that satisfies its definition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Checked {
    formula: Arc<Formula>,
}

impl Checked {
    /// The formula.
    pub fn formula(&self) -> &Arc<Formula> {
        &self.formula
    }

    /// A formula that follows from others by a composition that keeps definitions.
    pub(crate) fn composed(formula: Formula) -> Checked {
        Checked { formula: Arc::new(formula) }
    }
}

/// Checks a formula against its definition.
///
/// # Errors
/// What is wrong, with an output and a monomial where an equation fails.
pub fn check(formula: &Formula) -> Result<Checked, Refutation> {
    check_against(formula, &formula.definition)?;
    Ok(Checked { formula: Arc::new(formula.clone()) })
}

/// Checks a formula against any definition with its names.
///
/// # Errors
/// As for [`check`].
pub fn check_against(formula: &Formula, definition: &Definition) -> Result<(), Refutation> {
    verify(&Formula { definition: definition.clone(), ..formula.clone() })?;
    let mut judge = Judge::new(formula, definition);
    judge.constants()?;
    judge.relations()?;
    judge.steps()?;
    let mut silent: Vec<&str> = formula.output_list().map(|o| o.name.as_str()).collect();
    for line in &definition.0 {
        judge.line(line)?;
        if let Line::Gives { left, right, .. } = line {
            let known = [judge.outputs_in(left), judge.outputs_in(right)].concat();
            silent.retain(|output| !known.iter().any(|k| k == output));
        }
    }
    match silent.first() {
        Some(output) => Err(Refutation::Silent { formula: formula.name.clone(), output: output.to_string() }),
        None => Ok(()),
    }
}

/// Are the outputs of two formulas with the same inputs and constants the same, without their scales? As polynomials in
/// inputs and constants, whatever definitions say; where they divide, modulo what the first one's definition is given.
///
/// # Errors
/// When one of them is no formula.
pub fn same(a: &Formula, b: &Formula) -> Result<bool, Refutation> {
    verify(a)?;
    verify(b)?;
    let alike = a.inputs == b.inputs && a.bits == b.bits && a.constants == b.constants;
    if !alike || a.output_list().count() != b.output_list().count() {
        return Ok(false);
    }
    let mut judge = Judge::new(a, &a.definition);
    judge.constants()?;
    if a.steps.iter().any(|step| matches!(step, Step::Invert(_))) {
        judge.relations()?;
    }
    let (ours, theirs) = (judge.outputs_of(a)?, judge.outputs_of(b)?);
    let equal = ours.iter().zip(&theirs).all(|(x, y)| {
        let difference = judge.ring.sub(x, y);
        judge.ring.cleared(&difference).is_zero()
    });
    Ok(equal && !judge.ring.too_large.get())
}
