//! What a formula must satisfy to be one: names, numbers, what is there before it is used.

use std::collections::HashSet;

use crate::expression::Expression;
use crate::formula::{Characteristic, Formula, Known, Line, Step, Value};

/// What is wrong with a formula.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("formula {formula}: {message}")]
pub struct Defect {
    /// The formula.
    pub formula: String,
    /// What is wrong and what would be right.
    pub message: String,
}

/// Words of the text form, which no element may have for its name.
pub const RESERVED: [&str; 17] = [
    "root", "unknown", "given", "let", "nonzero", "assume", "gives", "input", "bit", "constant", "callees", "scale",
    "output", "select", "swap", "call", "by",
];

/// Checks the structure.
///
/// # Errors
/// The first defect.
pub fn verify(formula: &Formula) -> Result<(), Defect> {
    structure(formula).map_err(|message| Defect { formula: formula.name.clone(), message })
}

fn structure(f: &Formula) -> Result<(), String> {
    if f.scale == 0 {
        return Err("the scale is 0; outputs carry a factor of at least 1".to_string());
    }
    if f.characteristic == Characteristic::Two && f.scale != 1 {
        return Err(format!("the scale is {}; in characteristic 2 it can only be 1", f.scale));
    }
    if [&f.computes, &f.source].iter().any(|text| text.contains(['"', '\n'])) {
        return Err("what it computes and its source are lines without quotation marks".to_string());
    }
    let part = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric());
    if !f.name.split('-').all(part) {
        return Err("a formula's name is words of letters and digits with hyphens between them".to_string());
    }
    let groups = f.inputs.iter().map(|g| &g.name).chain(f.outputs.iter().map(|g| &g.name));
    groups.into_iter().try_for_each(|name| is_name(name))?;
    if let Some(empty) = f.inputs.iter().find(|g| g.elements.is_empty()) {
        return Err(format!("the input {} has no elements", empty.name));
    }
    if f.output_list().next().is_none() {
        return Err("it has no outputs".to_string());
    }
    let mut names = Names { seen: HashSet::new(), degree: 0, assumptions: Vec::new() };
    f.input_names().try_for_each(|name| names.declare(name))?;
    f.bits.iter().try_for_each(|name| names.declare(name))?;
    for constant in &f.constants {
        match &constant.known {
            Known::Free => names.declare(&constant.name)?,
            Known::Is(is) => {
                constant_expression(f, is)?;
                names.all_known(is, &constant.name)?;
                names.declare(&constant.name)?;
            }
            Known::Root { is, .. } => {
                constant_expression(f, is)?;
                names.declare(&constant.name)?;
                names.all_known(is, &constant.name)?;
            }
        }
    }
    f.callees.iter().try_for_each(|callee| callable(f, callee))?;
    steps(f)?;
    definition(f, &mut names)
}

fn is_name(name: &str) -> Result<(), String> {
    let letters = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    if !letters || name.bytes().all(|b| b.is_ascii_digit()) || RESERVED.contains(&name) {
        let reserved = RESERVED.join(", ");
        return Err(format!("{name:?} is no name: letters, digits, underscores, not digits alone, none of {reserved}"));
    }
    Ok(())
}

struct Names<'a> {
    seen: HashSet<&'a str>,
    /// Of the root that was declared last: an assumption `E` has the coefficients `E_0`, `E_1`, ….
    degree: u32,
    assumptions: Vec<(&'a str, u32)>,
}

impl<'a> Names<'a> {
    fn declare(&mut self, name: &'a str) -> Result<(), String> {
        is_name(name)?;
        if self.seen.insert(name) { Ok(()) } else { Err(format!("two things are named {name}")) }
    }

    fn all_known(&self, e: &Expression, place: &str) -> Result<(), String> {
        let mut missing = None;
        e.names(&mut |name| {
            let coefficient = || {
                let (of, k) = name.rsplit_once('_').unwrap_or((name, ""));
                let k = k.parse::<u32>().unwrap_or(u32::MAX);
                self.assumptions.iter().any(|(assumption, degree)| *assumption == of && k < *degree)
            };
            if !self.seen.contains(name) && !coefficient() && missing.is_none() {
                missing = Some(name.to_string());
            }
        });
        missing.map_or(Ok(()), |name| Err(format!("{place} speaks of {name}, which is not known there")))
    }
}

/// A constant speaks of constants only.
fn constant_expression(f: &Formula, e: &Expression) -> Result<(), String> {
    let mut strange = None;
    e.names(&mut |name| {
        if !f.constants.iter().any(|c| c.name == name) {
            strange = Some(name.to_string());
        }
    });
    strange.map_or(Ok(()), |name| Err(format!("a constant is said by {name}, which is no constant")))
}

/// A callee's constants are the caller's of the same names, of which as much must be known.
fn callable(f: &Formula, callee: &Formula) -> Result<(), String> {
    verify(callee).map_err(|d| d.to_string())?;
    if !callee.bits.is_empty() {
        return Err(format!("it calls {}, which has bits", callee.name));
    }
    if callee.characteristic != Characteristic::Any && callee.characteristic != f.characteristic {
        let (here, there) = (f.characteristic, callee.characteristic);
        return Err(format!("it is of characteristic {here} and calls {}, of {there}", callee.name));
    }
    for constant in &callee.constants {
        let ours = f.constants.iter().find(|c| c.name == constant.name);
        if ours.is_none_or(|ours| constant.known != Known::Free && ours.known != constant.known) {
            let (name, callee) = (&constant.name, &callee.name);
            return Err(format!("it calls {callee}, whose constant {name} it lacks, or knows otherwise"));
        }
    }
    Ok(())
}

fn steps(f: &Formula) -> Result<(), String> {
    for (at, (first, step)) in f.statements().enumerate() {
        if let Some(late) = step.operands().into_iter().find(|v| *v >= first) {
            return Err(format!("step {at} uses %{}, which comes later", late.0));
        }
        match step {
            Step::Small(k, _) if *k < 3 => {
                return Err(format!("step {at} multiplies by {k}; that has a step of its own"));
            }
            Step::Mul(c, _) if f.as_constant(*c).is_some() => {
                return Err(format!("step {at} multiplies by a constant; that is a step of its own"));
            }
            Step::MulConstant(c, _) if f.as_constant(*c).is_none() => {
                return Err(format!("step {at} multiplies by %{}, which is no constant", c.0));
            }
            Step::Halve(_) if f.characteristic != Characteristic::NotTwo => {
                return Err(format!("step {at} halves: say that the characteristic is not 2"));
            }
            Step::Select(bit, ..) | Step::Swap(bit, ..) if bit.0 as usize >= f.bits.len() => {
                return Err(format!("step {at} uses bit {}, of {}", bit.0, f.bits.len()));
            }
            Step::Call { callee, arguments } => {
                let Some(callee) = f.callees.get(*callee as usize) else {
                    return Err(format!("step {at} calls formula {callee} of {}", f.callees.len()));
                };
                if arguments.len() != callee.input_count() {
                    let (given, asked) = (arguments.len(), callee.input_count());
                    return Err(format!("step {at} calls {} with {given} elements for {asked}", callee.name));
                }
            }
            _ => {}
        }
    }
    let count = f.value_count() as u32;
    match f.output_list().find(|output| output.value >= Value(count)) {
        Some(output) => Err(format!("the output {} is %{}, of {count}", output.name, output.value.0)),
        None => Ok(()),
    }
}

fn definition<'a>(f: &'a Formula, names: &mut Names<'a>) -> Result<(), String> {
    // Outputs are known in a definition; roots, unknowns and names follow in order.
    f.output_list().try_for_each(|output| names.declare(&output.name))?;
    for line in &f.definition.0 {
        match line {
            Line::Root { name, is, power } => {
                names.declare(name)?;
                names.degree = *power;
                names.all_known(is, name)?;
            }
            Line::Unknown(name) => names.declare(name)?,
            Line::Given { name, is, .. } => {
                if !names.seen.contains(name.as_str()) {
                    return Err(format!("given {name}: there is no input or unknown of that name"));
                }
                names.all_known(is, name)?;
            }
            Line::Let { name, is } => {
                names.all_known(is, name)?;
                names.declare(name)?;
            }
            Line::Nonzero { is, .. } => names.all_known(is, "a condition")?,
            Line::Assume { name, left, right } => {
                names.all_known(left, name)?;
                names.all_known(right, name)?;
                names.declare(name)?;
                names.assumptions.push((name, names.degree));
            }
            Line::Gives { left, right, by } => {
                [Some(left), Some(right), by.as_ref()]
                    .into_iter()
                    .flatten()
                    .try_for_each(|e| names.all_known(e, "an equation"))?;
            }
        }
    }
    if f.definition.0.iter().any(|line| matches!(line, Line::Gives { .. })) {
        Ok(())
    } else {
        Err("its definition gives no equation".to_string())
    }
}
