//! Formulas to text.

use std::fmt;

use super::line::exponent;
use crate::formula::{Characteristic, Formula, Known, Step, Value};

/// The text form (see [`crate::text`]); callees first.
impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut order: Vec<&Formula> = Vec::new();
        collect(self, &mut order);
        for (i, formula) in order.iter().enumerate() {
            one(f, formula, &order, Some(i))?;
            writeln!(f)?;
        }
        one(f, self, &order, None)
    }
}

impl fmt::Display for Characteristic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Characteristic::Any => "any",
            Characteristic::NotTwo => "not 2",
            Characteristic::Two => "2",
        })
    }
}

/// The callees in post-order, each once.
fn collect<'a>(formula: &'a Formula, order: &mut Vec<&'a Formula>) {
    for callee in &formula.callees {
        if !order.iter().any(|old| **old == **callee) {
            collect(callee, order);
            order.push(callee);
        }
    }
}

fn one(f: &mut fmt::Formatter<'_>, formula: &Formula, order: &[&Formula], number: Option<usize>) -> fmt::Result {
    let number = number.map_or_else(String::new, |i| format!("@{i} "));
    writeln!(f, "formula {number}{} {{", formula.name)?;
    writeln!(f, "    computes \"{}\"", formula.computes)?;
    writeln!(f, "    source \"{}\"", formula.source)?;
    writeln!(f, "    characteristic {}", formula.characteristic)?;
    for group in &formula.inputs {
        writeln!(f, "    input {}: {}", group.name, group.elements.join(" "))?;
    }
    for bit in &formula.bits {
        writeln!(f, "    bit {bit}")?;
    }
    for constant in &formula.constants {
        match &constant.known {
            Known::Free => writeln!(f, "    constant {}", constant.name)?,
            Known::Is(is) => writeln!(f, "    constant {} = {is}", constant.name)?,
            Known::Root { power, is } => {
                writeln!(f, "    constant {}^{power} = {is}", constant.name)?;
            }
        }
    }
    if !formula.callees.is_empty() {
        let at = |callee: &Formula| order.iter().position(|old| *old == callee).unwrap_or(0);
        let all: Vec<String> = formula.callees.iter().map(|callee| format!("@{}", at(callee))).collect();
        writeln!(f, "    callees {}", all.join(" "))?;
    }
    if formula.scale != 1 {
        writeln!(f, "    scale {}", formula.scale)?;
    }
    writeln!(f)?;
    for line in &formula.definition.0 {
        writeln!(f, "    {line}")?;
    }
    writeln!(f)?;
    for (first, step) in formula.statements() {
        let results: Vec<String> = (0..formula.results(step) as u32).map(|i| format!("%{}", first.0 + i)).collect();
        writeln!(f, "    {} = {}", results.join(", "), step_text(formula, step))?;
    }
    for group in &formula.outputs {
        let all: Vec<String> =
            group.elements.iter().map(|o| format!("{} = {}", o.name, operand(formula, o.value))).collect();
        writeln!(f, "    output {}: {}", group.name, all.join(", "))?;
    }
    writeln!(f, "}}")
}

fn operand(formula: &Formula, v: Value) -> String {
    formula.name_of(v).map_or_else(|| format!("%{}", v.0), str::to_string)
}

fn step_text(formula: &Formula, step: &Step) -> String {
    let at = |v: &Value| operand(formula, *v);
    let bit = |bit: u32| formula.bits.get(bit as usize).cloned().unwrap_or_default();
    match step {
        Step::Add(a, b) => format!("{} + {}", at(a), at(b)),
        Step::Sub(a, b) => format!("{} - {}", at(a), at(b)),
        Step::Neg(a) => format!("-{}", at(a)),
        Step::Double(a) => format!("2 * {}", at(a)),
        Step::Small(k, a) => format!("{k} * {}", at(a)),
        Step::Halve(a) => format!("{} / 2", at(a)),
        Step::Mul(a, b) | Step::MulConstant(a, b) => format!("{} * {}", at(a), at(b)),
        Step::Square(a) => format!("{}{}", at(a), exponent(2)),
        Step::Invert(a) => format!("1 / {}", at(a)),
        Step::Select(s, a, b) => format!("select {}, {}, {}", bit(s.0), at(a), at(b)),
        Step::Swap(s, a, b) => format!("swap {}, {}, {}", bit(s.0), at(a), at(b)),
        Step::Call { callee, arguments } => {
            let name = formula.callees.get(*callee as usize).map_or("", |callee| &callee.name);
            format!("call {callee} {name}({})", arguments.iter().map(at).collect::<Vec<_>>().join(", "))
        }
    }
}
