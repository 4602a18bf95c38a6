//! Formulas without calls.

use crate::emit::{Emitter, Part};
use crate::evaluate::{Failure, evaluate};
use crate::formula::{Bit, Formula, OutputGroup, Value};
use crate::verify::Defect;

/// The same formula with the steps of its callees in the place of calls.
///
/// # Errors
/// When the formula is none.
pub fn inlined(formula: &Formula) -> Result<Formula, Defect> {
    let taken = formula.input_names().map(str::to_string).collect();
    let mut emitter = Emitter::new(formula.constants.clone(), taken);
    emitter.writes_negatives = true;
    let count = formula.input_count() as u32;
    let inputs: Vec<Part> = (0..count).map(|i| Part::Value { value: Value(i), negative: false }).collect();
    let bits: Vec<Part> = (0..formula.bits.len() as u32).map(|i| Part::Bit(Bit(i))).collect();
    let constant = |name: &str| Some(Part::Constant { name: name.to_string(), negative: false });
    let defect = |failure: Failure| Defect { formula: formula.name.clone(), message: failure.to_string() };
    let outputs = evaluate(formula, &mut emitter, &inputs, &bits, &constant).map_err(defect)?;
    let outputs: Vec<Value> = outputs.iter().map(|part| emitter.plain(part)).collect();
    let (steps, outputs) = emitter.finish(count, &outputs);
    let mut whole = Formula { steps, constants: emitter.constants, callees: Vec::new(), ..formula.clone() };
    set_outputs(&mut whole.outputs, &outputs);
    Ok(whole)
}

/// Gives outputs their values, in order.
pub(crate) fn set_outputs(groups: &mut [OutputGroup], values: &[Value]) {
    for (output, value) in groups.iter_mut().flat_map(|group| &mut group.elements).zip(values) {
        output.value = *value;
    }
}
