//! The functions of several kernels and of all that they call.

use std::sync::Arc;

use evariste_ir::{Kernel, Type};

use crate::error::EmitError;

use super::build::function;
use super::call::{self, Callee};
use super::data::{Function, Unit};
use super::model::Model;
use super::names::{Words, is_identifier, suggest};
use super::parts::Lengths;

/// A kernel and the operation that it is in its package (the end of the function's name).
pub type Named<'a> = (String, &'a Kernel);

/// How functions are called.
#[derive(Clone, Copy, Debug)]
pub struct Beside<'a> {
    /// Start of every name.
    pub prefix: &'a str,
    /// Operations whose functions are given elsewhere and choose between the function here, which is then called
    /// `prefix_operation_c`, and another. Other operations call what chooses; the functions here call each other only.
    pub dispatched: &'a [&'a str],
    /// Names that the language keeps for itself.
    pub words: &'a Words,
    /// Ends of names that are taken.
    pub taken: &'a [&'a str],
    /// From which length on functions are cut.
    pub lengths: Lengths,
}

/// The functions of these kernels, `prefix_operation` each, behind those that they call.
pub fn build(kernels: &[Named], how: &Beside) -> Result<Unit, EmitError> {
    let Beside { prefix, dispatched, words, .. } = *how;
    check_names(kernels, how)?;
    let is_dispatched = |operation: &String| dispatched.contains(&operation.as_str());
    let (beside, others): (Vec<&Named>, Vec<&Named>) =
        kernels.iter().partition(|(operation, _)| is_dispatched(operation));
    let given: Vec<Callee> = beside
        .iter()
        .map(|(operation, k)| Callee {
            kernel: Arc::new((*k).clone()),
            symbol: format!("{prefix}_{operation}"),
            model: Model::of(k),
        })
        .collect();
    // Callees of the functions here first, then those of the others: `visible` to these are what is given and all that
    // went before.
    let mut callees = Vec::new();
    beside.iter().for_each(|(_, k)| call::collect(k, prefix, &[], &mut callees));
    let for_beside = callees.len();
    others.iter().for_each(|(_, k)| call::collect(k, prefix, &given, &mut callees));
    let visible: Vec<Callee> = given.iter().chain(&callees).cloned().collect();
    let mut unit = Unit::default();
    for (done, callee) in callees.iter().enumerate() {
        let known = if done < for_beside { &callees[..done] } else { &visible[..given.len() + done] };
        let (model, kernel) = (callee.model, &callee.kernel);
        unit.functions.push(function(model, kernel, &callee.symbol, false, known, how, &mut unit.helpers)?);
    }
    for (operation, kernel) in kernels {
        let (symbol, known) = if is_dispatched(operation) {
            (format!("{prefix}_{operation}_c"), &callees[..for_beside])
        } else {
            (format!("{prefix}_{operation}"), &visible[..])
        };
        unit.functions.push(function(Model::of(kernel), kernel, &symbol, true, known, how, &mut unit.helpers)?);
    }
    let narrow = |f: &&Function| f.kernel.values.iter().any(|v| matches!(v.ty, Type::Float(..=23)));
    match unit.functions.iter().find(narrow) {
        None => Ok(unit),
        Some(function) => Err(EmitError::Unsupported {
            kernel: function.kernel.name.clone(),
            what: "a floating-point number of fewer than 24 bits".to_string(),
            language: words.language,
            help: "such formats are for tests in the interpreter; use words of 64 bits",
        }),
    }
}

fn bad(given: &str, role: &'static str) -> EmitError {
    EmitError::BadName { given: given.to_string(), role, suggestion: suggest(given) }
}

/// Is the prefix an identifier?
pub fn check_prefix(prefix: &str) -> Result<(), EmitError> {
    if is_identifier(prefix) { Ok(()) } else { Err(bad(prefix, "the prefix")) }
}

fn check_names(kernels: &[Named], how: &Beside) -> Result<(), EmitError> {
    let Beside { prefix, taken, .. } = *how;
    check_prefix(prefix)?;
    for (i, (operation, _)) in kernels.iter().enumerate() {
        // Behind the prefix an operation may start with a digit.
        if !is_identifier(&format!("x{operation}")) || operation.is_empty() {
            return Err(bad(operation, "the name of an operation"));
        }
        let again = kernels[..i].iter().any(|(other, _)| other == operation);
        if again || taken.contains(&operation.as_str()) || operation.starts_with("inner_") {
            return Err(EmitError::DuplicateName { symbol: format!("{prefix}_{operation}") });
        }
    }
    Ok(())
}
