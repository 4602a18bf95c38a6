//! A kernel and all that it calls as functions on vectors.

use evariste_ir::{ArrayKind, Kernel};

use super::body::{Called, NoForm, Text};
use super::level::{Body, Level};
use crate::error::EmitError;
use crate::language::c::function::{call_arguments, comment};
use crate::language::c::names::{self, WORDS};
use crate::unit::{self, Beside, Function, Helper, Lengths, Model, build};

/// Statements of a function at most: compilers need long for more, and registers run out long before.
const MOST: usize = 6000;

/// The macro that functions of a level begin with.
pub fn linkage(level: &Level) -> String {
    format!("EVARISTE_{}", level.suffix.to_ascii_uppercase())
}

/// Defines that macro.
pub fn opening(level: &Level) -> String {
    let name = linkage(level);
    format!(
        "\n/* {}. */\n#define {name} static inline __attribute__((always_inline, target(\"{}\")))\n",
        level.title, level.target
    )
}

/// The functions of kernels on the vectors of a level, each with what its name starts with: helpers, callees, and
/// `START_lanes` itself.
///
/// # Errors
/// What has no form there.
pub fn functions(level: &Level, kernels: &[(&str, &Kernel)]) -> Result<String, EmitError> {
    let mut called = Called::default();
    let text = kernels.iter().map(|(start, kernel)| of_kernel(level, kernel, start, &mut called));
    let text = text.collect::<Result<String, _>>()?;
    let mut out = String::new();
    let (product, definition) = level.product;
    if text.contains(&format!("{product}(")) {
        out += definition;
    }
    if called.by_half {
        out += level.by_half;
    }
    for helper in called.helpers {
        if let Some(body) = (level.helper)(helper) {
            out += &helper_text(level, helper, &body);
        }
    }
    Ok(out + &text)
}

/// The functions of one kernel.
fn of_kernel(level: &Level, kernel: &Kernel, start: &str, called: &mut Called) -> Result<String, EmitError> {
    let no_form = |what: String| EmitError::Unsupported {
        kernel: kernel.name.clone(),
        what,
        language: level.title,
        help: "take another plan, or arrays without this level",
    };
    let named = [("lanes".to_string(), kernel)];
    let unit =
        build(&named, &Beside { prefix: start, dispatched: &[], words: &WORDS, taken: &[], lengths: Lengths::USUAL })?;
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
    let all = unit.functions.iter().map(|function| definition(level, function, called));
    all.collect::<Result<String, NoForm>>().map_err(|NoForm(what)| no_form(what))
}

fn helper_text(level: &Level, helper: Helper, body: &Body) -> String {
    let Body { parameters, second, text } = body;
    let vector = level.vector;
    let mut all: Vec<String> = parameters.split(", ").map(|name| format!("{vector} {name}")).collect();
    if !second.is_empty() {
        all.push(format!("{vector} *{second}"));
    }
    format!("\n{} {vector} {}_{}({}) {{\n{text}}}\n", linkage(level), helper.name(), level.suffix, all.join(", "))
}

/// One function with its comment.
fn definition(level: &Level, function: &Function, called: &mut Called) -> Result<String, NoForm> {
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
            let mut text = Text::new(level, called);
            text.block(statements)?;
            text.out
        }
        unit::Body::Parts { .. } => return Err(NoForm("a function of thousands of statements".into())),
    };
    Ok(format!("{opening}{body}}}\n"))
}
