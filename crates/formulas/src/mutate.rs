//! Mutants: every formula that differs from a given one by a single fault. They are what the check is tested with: a
//! mutant that passes must be an equal formula.
//!
//! Faults: a sum for a difference and the other way round, a difference the wrong way round, a product for a sum, an operand
//! that is another element, a constant that is another one, a multiple one more or less, a step left out, an output that is
//! another element, a scale one more.

use crate::formula::{Formula, Step, Value};
use crate::verify::verify;

/// A faulty formula and what was done to it.
pub struct Mutant {
    /// The fault in words, with the step's number.
    pub fault: String,
    /// The class of the fault: `sign`, `operand`, `constant`, `multiple`, `left out`, `kind`, `output`, `scale`.
    pub class: &'static str,
    /// The formula.
    pub formula: Formula,
}

/// All single-fault mutants of a formula.
pub fn mutants(formula: &Formula) -> Vec<Mutant> {
    let mut all = Vec::new();
    for (at, (first, step)) in formula.statements().enumerate() {
        for (class, what, changed) in changes(formula, first, step) {
            let mut mutant = formula.clone();
            mutant.steps[at] = changed;
            all.push(Mutant { fault: format!("step {at}: {what}"), class, formula: mutant });
        }
        if formula.results(step) == 1 {
            for operand in step.operands() {
                let fault = format!("step {at} left out, for it %{}", operand.0);
                all.push(Mutant { fault, class: "left out", formula: without(formula, at, first, operand) });
            }
        }
    }
    outputs(formula, &mut all);
    let scale = Formula { scale: formula.scale + 1, ..formula.clone() };
    all.push(Mutant { fault: "scale one more".to_string(), class: "scale", formula: scale });
    all.retain(|mutant| mutant.formula != *formula && verify(&mutant.formula).is_ok());
    all
}

type Change = (&'static str, String, Step);

fn changes(formula: &Formula, first: Value, step: &Step) -> Vec<Change> {
    let mut all = kinds(step);
    // Other elements for each operand: the neighbours, and the first input.
    for (place, old) in step.operands().into_iter().enumerate() {
        let is_constant = matches!(step, Step::MulConstant(..)) && place == 0;
        let others: Vec<Value> = if is_constant {
            (0..formula.constants.len()).map(|i| formula.constant(i)).collect()
        } else {
            [old.0.checked_sub(1), Some(old.0 + 1), Some(0)].into_iter().flatten().map(Value).collect()
        };
        for other in others.into_iter().filter(|v| *v != old && *v < first) {
            let mut count = 0;
            let changed = step.on(|v| {
                count += 1;
                if count == place + 1 { other } else { v }
            });
            let class = if is_constant { "constant" } else { "operand" };
            all.push((class, format!("operand {place} is %{}", other.0), changed));
        }
    }
    all
}

/// The step as another one on the same operands.
fn kinds(step: &Step) -> Vec<Change> {
    let change = |class, what: &str, step| (class, what.to_string(), step);
    match step {
        Step::Add(a, b) => {
            vec![change("sign", "+ is −", Step::Sub(*a, *b)), change("kind", "+ is ·", Step::Mul(*a, *b))]
        }
        Step::Sub(a, b) => vec![
            change("sign", "− is +", Step::Add(*a, *b)),
            change("sign", "− the wrong way round", Step::Sub(*b, *a)),
        ],
        Step::Neg(a) => vec![change("kind", "− is 2·", Step::Double(*a))],
        Step::Double(a) => vec![
            change("sign", "2· is −", Step::Neg(*a)),
            change("multiple", "2· is 3·", Step::Small(3, *a)),
            change("kind", "2· is ²", Step::Square(*a)),
        ],
        Step::Small(k, a) => vec![
            change("multiple", "one less", if *k == 3 { Step::Double(*a) } else { Step::Small(k - 1, *a) }),
            change("multiple", "one more", Step::Small(k + 1, *a)),
        ],
        Step::Halve(a) => vec![change("kind", "/2 is 2·", Step::Double(*a))],
        Step::Mul(a, b) => vec![
            change("kind", "· is ² of the first", Step::Square(*a)),
            change("kind", "· is ² of the second", Step::Square(*b)),
            change("kind", "· is +", Step::Add(*a, *b)),
        ],
        Step::Square(a) => vec![change("kind", "² is 2·", Step::Double(*a))],
        Step::MulConstant(c, a) => vec![change("kind", "· is +", Step::Add(*c, *a))],
        Step::Invert(a) => vec![change("kind", "1/ is −", Step::Neg(*a))],
        Step::Select(s, a, b) => vec![change("sign", "the wrong way round", Step::Select(*s, *b, *a))],
        Step::Swap(s, a, b) => vec![change("sign", "the wrong way round", Step::Swap(*s, *b, *a))],
        Step::Call { .. } => Vec::new(),
    }
}

/// The formula without a step, for whose result stands another element.
fn without(formula: &Formula, at: usize, result: Value, instead: Value) -> Formula {
    let moved = |v: Value| match v {
        _ if v == result => instead,
        _ if v > result => Value(v.0 - 1),
        _ => v,
    };
    let mut mutant = formula.clone();
    mutant.steps.remove(at);
    mutant.steps.iter_mut().for_each(|step| *step = step.on(moved));
    mutant.outputs.iter_mut().flat_map(|g| &mut g.elements).for_each(|o| o.value = moved(o.value));
    mutant
}

fn outputs(formula: &Formula, all: &mut Vec<Mutant>) {
    let values: Vec<Value> = formula.output_list().map(|o| o.value).collect();
    let last = formula.value_count() as u32;
    for (at, old) in values.iter().enumerate() {
        let next = values[(at + 1) % values.len()];
        let others = [old.0.checked_sub(1).map(Value), Some(Value(old.0 + 1)), Some(next)];
        for other in others.into_iter().flatten().filter(|v| v != old && v.0 < last) {
            let mut mutant = formula.clone();
            if let Some(output) = mutant.outputs.iter_mut().flat_map(|g| &mut g.elements).nth(at) {
                output.value = other;
            }
            all.push(Mutant { fault: format!("output {at} is %{}", other.0), class: "output", formula: mutant });
        }
    }
}
