//! A kernel and all that it calls as functions on vectors.

use std::collections::BTreeSet;

use evariste_ir::{ArrayKind, Kernel};

use super::body::{NoForm, Text};
use super::level::{Body, Level};
use crate::error::EmitError;
use crate::language::c::function::{call_arguments, comment};
use crate::language::c::names::{self, WORDS};
use crate::unit::{self, Beside, Function, Helper, Model, build};

/// Statements of a function at most: compilers need long for more, and registers run out long before.
const MOST: usize = 6000;

/// The macro that functions of a level begin with.
pub fn linkage(level: &Level) -> String {
    format!("EVARISTE_{}", level.suffix.to_ascii_uppercase())
}

/// The functions of a kernel on the vectors of a level: helpers, callees, and `start_lanes` itself.
///
/// # Errors
/// What has no form there.
pub fn functions(level: &Level, kernel: &Kernel, start: &str) -> Result<String, EmitError> {
    let no_form = |what: String| EmitError::Unsupported {
        kernel: kernel.name.clone(),
        what,
        language: level.title,
        help: "take another plan, or arrays without this level",
    };
    let named = [("lanes".to_string(), kernel)];
    let unit = build(&named, &Beside { prefix: start, dispatched: &[], words: &WORDS, taken: &[] })?;
    let length = |f: &Function| {
        let mut count = 0usize;
        f.statements(&mut |_| count += 1);
        count
    };
    if unit.functions.iter().map(length).sum::<usize>() > MOST {
        return Err(no_form("a function of thousands of statements".into()));
    }
    if unit.helpers.iter().any(|helper| matches!(helper, Helper::WrapIndex | Helper::FloorIndex)) {
        return Err(no_form("an index into a ring".into()));
    }
    let (mut helpers, mut by_halves, mut text) = (BTreeSet::new(), false, String::new());
    for function in &unit.functions {
        text += &definition(level, function, &mut helpers, &mut by_halves).map_err(|NoForm(what)| no_form(what))?;
    }
    let mut out = String::new();
    let (product, definition) = level.product;
    if text.contains(&format!("{product}(")) {
        out += definition;
    }
    if by_halves {
        out += level.by_half;
    }
    for helper in helpers {
        if let Some(body) = (level.helper)(helper) {
            out += &helper_text(level, helper, &body);
        }
    }
    Ok(out + &text)
}

fn helper_text(level: &Level, helper: Helper, body: &Body) -> String {
    let Body { parameters, second, text } = body;
    let vector = level.vector;
    let mut all: Vec<String> = parameters.split(", ").map(|name| format!("{vector} {name}")).collect();
    if !second.is_empty() {
        all.push(format!("{vector} *{second}"));
    }
    format!(
        "\n{} {vector} {}_{}({}) {{\n{text}}}\n",
        linkage(level),
        helper.name(),
        level.suffix,
        all.join(", ")
    )
}

/// One function with its comment.
fn definition(
    level: &Level,
    function: &Function,
    helpers: &mut BTreeSet<Helper>,
    by_halves: &mut bool,
) -> Result<String, NoForm> {
    let Function { kernel, model, symbol, body, .. } = function;
    if *model == Model::Lanes {
        return Err(NoForm("a bit-sliced function".into()));
    }
    let parameter = |a| {
        let info = kernel.array(a);
        let constant = if info.kind == ArrayKind::Input { "const " } else { "" };
        format!("{constant}{} {}[{}]", level.vector, names::array(&info.name), info.len)
    };
    let parameters: Vec<String> = kernel.visible().map(parameter).collect();
    let opening = format!("\n{}{} void {symbol}({}) {{\n", comment(function), linkage(level), parameters.join(", "));
    let body = match body {
        unit::Body::Same(other) => format!("  {other}({});\n", call_arguments(kernel)),
        unit::Body::Whole(statements) => {
            let mut text = Text::new(level, helpers);
            text.block(statements)?;
            *by_halves |= text.by_halves;
            text.out
        }
        unit::Body::Parts { .. } => return Err(NoForm("a function of thousands of statements".into())),
    };
    Ok(format!("{opening}{body}}}\n"))
}
