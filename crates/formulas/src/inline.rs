//! Formulas without calls.

use num_bigint::BigInt;

use crate::emit::{Emitter, Part};
use crate::evaluate::{Failure, evaluate};
use crate::expression::Expression;
use crate::formula::{Bit, Constant, Formula, Known, OutputGroup, Value};
use crate::verify::Defect;

/// The same formula with the steps of its callees in the place of calls.
///
/// # Errors
/// When the formula is none.
pub fn inlined(formula: &Formula) -> Result<Formula, Defect> {
    rewritten(formula, &|constant| Some(Part::Constant { name: constant.name.clone(), negative: false }))
}

/// The formula, written once more with these parts for its constants.
fn rewritten(formula: &Formula, part: &dyn Fn(&Constant) -> Option<Part>) -> Result<Formula, Defect> {
    let taken = formula.input_names().map(str::to_string).collect();
    let mut emitter = Emitter::new(formula.constants.clone(), taken);
    emitter.writes_negatives = true;
    let count = formula.input_count() as u32;
    let inputs: Vec<Part> = (0..count).map(|i| Part::Value { value: Value(i), negative: false }).collect();
    let bits: Vec<Part> = (0..formula.bits.len() as u32).map(|i| Part::Bit(Bit(i))).collect();
    let constant = |name: &str| part(formula.constants.iter().find(|c| c.name == name)?);
    let defect = |failure: Failure| Defect { formula: formula.name.clone(), message: failure.to_string() };
    let outputs = evaluate(formula, &mut emitter, &inputs, &bits, &constant).map_err(defect)?;
    let outputs: Vec<Value> = outputs.iter().map(|part| emitter.plain(part)).collect();
    let (steps, outputs) = emitter.finish(count, &outputs);
    let mut whole = Formula { steps, constants: emitter.constants, callees: Vec::new(), ..formula.clone() };
    set_outputs(&mut whole.outputs, &outputs);
    Ok(whole)
}

/// A formula with numbers for free constants, of which products become multiples: `b = 7` makes `b3 = 3*b` the multiple
/// by 21. For numbers of which sums are cheaper than a product.
///
/// # Errors
/// When the formula has no such free constant, or is none.
pub fn specialised(formula: &Formula, numbers: &[(&str, i64)]) -> Result<Formula, Defect> {
    let mut constants = formula.constants.clone();
    for (name, number) in numbers {
        let constant = constants.iter_mut().find(|c| c.name == *name && c.known == Known::Free);
        let Some(constant) = constant else {
            let message = format!("it has no free constant {name} that could be {number}");
            return Err(Defect { formula: formula.name.clone(), message });
        };
        let size = Expression::Integer(BigInt::from(number.unsigned_abs()));
        constant.known = Known::Is(if *number < 0 { Expression::Negative(Box::new(size)) } else { size });
    }
    rewritten(&Formula { constants, ..formula.clone() }, &|constant| match &constant.known {
        // What is said by numbers becomes one.
        Known::Is(_) => None,
        _ => Some(Part::Constant { name: constant.name.clone(), negative: false }),
    })
}

/// Gives outputs their values, in order.
pub(crate) fn set_outputs(groups: &mut [OutputGroup], values: &[Value]) {
    for (output, value) in groups.iter_mut().flat_map(|group| &mut group.elements).zip(values) {
        output.value = *value;
    }
}
