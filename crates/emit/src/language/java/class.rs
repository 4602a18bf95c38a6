//! The class of functions.

use evariste_ir::{Array, ArrayKind, Kernel};

use super::super::words::{Held, Printer, Role, facts, is_supported};
use super::blocks;
use super::helpers;
use super::message;
use super::names::{LENGTHS, WORDS, class_name};
use super::notation::{Java, element_type, offset};
use super::stream;
use super::tests_of_elements;
use crate::error::EmitError;
use crate::manifest::params;
use crate::package::Content;
use crate::unit::{Beside, Body, Function, Model, Part, build, container};

/// The whole class.
pub fn class(content: &Content) -> Result<String, EmitError> {
    let how = Beside { prefix: content.prefix, dispatched: &[], words: &WORDS, taken: &[], lengths: LENGTHS };
    let unit = build(&content.kernels, &how)?;
    for function in &unit.functions {
        is_supported(function, &WORDS, 64)?;
    }
    let helpers = helpers::all(&unit.helpers, content.kernels[0].1)?;
    let functions: String = unit.functions.iter().map(definition).collect();
    Ok(format!(
        "
/** {}. */
public final class {name} {{
    private {name}() {{
    }}
{helpers}
    private static void length(int has, int needs, String name) {{
        if (has != needs) {{
            throw new IllegalArgumentException(\"`\" + name + \"` has \" + has + \" elements, and \" + needs + \" are needed\");
        }}
    }}
{functions}{blocks}}}
",
        content.title.replace("*/", "* /"),
        name = class_name(content.prefix),
        blocks = tests_of_elements::definitions(content)
            + &blocks::definitions(content)
            + &stream::definitions(content)
            + &message::definitions(content),
    ))
}

/// A parameter as its function holds it.
pub fn parameter(kernel: &Kernel, a: Array) -> Held {
    let info = kernel.array(a);
    let bits = if Model::of(kernel) == Model::Lanes { 64 } else { container(info.ty.bits()) };
    let role = if info.kind == ArrayKind::Input { Role::Read } else { Role::Written };
    Held { bits, len: info.len, role }
}

/// The signature of what users call.
pub fn public_signature(kernel: &Kernel, symbol: &str) -> String {
    let all = kernel
        .visible()
        .map(|a| format!("{}[] {}", element_type(parameter(kernel, a).bits), WORDS.name(&kernel.array(a).name)));
    format!("public static void {symbol}({})", all.collect::<Vec<_>>().join(", "))
}

/// The parameters of what the class calls: arrays, and where they begin.
fn parameters(kernel: &Kernel) -> String {
    let all = kernel.visible().map(|a| {
        let name = WORDS.name(&kernel.array(a).name);
        format!("{}[] {name}, int {}", element_type(parameter(kernel, a).bits), offset(&name))
    });
    all.collect::<Vec<_>>().join(", ")
}

/// The arguments that hand parameters on.
fn handed(kernel: &Kernel) -> String {
    let all = kernel.visible().map(|a| {
        let name = WORDS.name(&kernel.array(a).name);
        format!("{name}, {}", offset(&name))
    });
    all.collect::<Vec<_>>().join(", ")
}

fn definition(function: &Function) -> String {
    let Function { kernel, model, symbol, public, body } = function;
    let lines: String = facts(*model, kernel).iter().map(|line| format!("     *   {line}\n")).collect();
    let comment = format!("\n    /*\n     * Kernel {}.\n{lines}     */\n", kernel.name);
    let java = Java { symbol };
    let mut printer = Printer::new(&java, &WORDS, function);
    printer.inside();
    match body {
        Body::Same(other) => printer.line(&format!("{other}({});", handed(kernel))),
        Body::Whole(body) => printer.block(body),
        Body::Parts { arrays, parts } => {
            return comment + &in_parts(&mut printer, function, arrays, parts) + &entry(function);
        }
    }
    let own = format!("    private static void {symbol}({}) {{\n{}    }}\n", parameters(kernel), printer.out);
    let before = std::mem::take(&mut printer.before);
    before + &comment + &own + &if *public { entry(function) } else { String::new() }
}

/// A long function: its parts pass values to each other in an array.
fn in_parts(
    printer: &mut Printer<Java>,
    function: &Function,
    arrays: &[crate::unit::Statement],
    parts: &[Part],
) -> String {
    let Function { kernel, symbol, .. } = function;
    let handed_on: Vec<&str> = parts.iter().flat_map(|p| &p.gives).map(|v| v.name.as_str()).collect();
    let at = |name: &str| handed_on.iter().position(|other| *other == name).unwrap_or(0);
    parts.iter().for_each(|part| printer.keep(part));
    let mut texts = String::new();
    let mut calls = Vec::new();
    for part in parts {
        printer.begin();
        for v in &part.takes {
            printer.line(&format!("long {0} = live[{1}];", v.name, at(&v.name)));
        }
        printer.block(&part.tables);
        printer.block(&part.body);
        for v in &part.gives {
            printer.line(&format!("live[{}] = {};", at(&v.name), v.name));
        }
        let (mut declared, mut passed) = (vec!["long[] live".to_string()], vec!["live".to_string()]);
        for (v, ..) in &part.arrays {
            let held = printer.held(&v.name);
            declared.push(format!("{}[] {}", element_type(held.bits), v.name));
            passed.push(v.name.clone());
            if matches!(held.role, Role::Read | Role::Written) {
                declared.push(format!("int {}", offset(&v.name)));
                passed.push(offset(&v.name));
            }
        }
        texts +=
            &format!("    private static void {}({}) {{\n{}    }}\n\n", part.name, declared.join(", "), printer.out);
        calls.push(format!("{}({});", part.name, passed.join(", ")));
    }
    printer.begin();
    printer.line(&format!("final long[] live = new long[{}];", handed_on.len()));
    printer.block(arrays);
    calls.iter().for_each(|call| printer.line(call));
    let before = std::mem::take(&mut printer.before);
    format!("{before}{texts}    private static void {symbol}({}) {{\n{}    }}\n", parameters(kernel), printer.out)
}

/// What users call: it looks at lengths, and gives arrays apart where the function needs them so.
fn entry(function: &Function) -> String {
    let Function { kernel, symbol, public, .. } = function;
    if !public {
        return String::new();
    }
    let name = |a: Array| WORDS.name(&kernel.array(a).name);
    let mut body = String::new();
    let visible: Vec<Array> = kernel.visible().collect();
    for a in &visible {
        body += &format!("        length({0}.length, {1}, \"{0}\");\n", name(*a), kernel.array(*a).len);
    }
    let alike = |a: Array, b: Array| {
        let (x, y) = (parameter(kernel, a), parameter(kernel, b));
        x.len == y.len && element_type(x.bits) == element_type(y.bits)
    };
    for w in params(kernel, true) {
        for r in params(kernel, false).into_iter().filter(|r| kernel.array(*r).kind == ArrayKind::Input) {
            if alike(w, r) && !kernel.may_alias(w, r) {
                body += &format!("        if ({0} == {1}) {0} = {0}.clone();\n", name(r), name(w));
            }
        }
        for other in params(kernel, true).into_iter().filter(|other| *other > w) {
            if alike(w, other) {
                body += &format!(
                    "        if ({0} == {1}) throw new IllegalArgumentException(\"`{0}` and `{1}` are one array\");\n",
                    name(w),
                    name(other)
                );
            }
        }
    }
    let handed: Vec<String> = visible.iter().map(|a| format!("{}, 0", name(*a))).collect();
    format!("\n    {} {{\n{body}        {symbol}({});\n    }}\n", public_signature(kernel, symbol), handed.join(", "))
}
