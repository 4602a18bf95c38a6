//! C89 for words of 32 bits: nothing but `unsigned long`, masked where that may be wider; no `inline`, no `stdint.h`, all
//! declarations first. Kernels come rewritten to that machine ([`Machine::C32`]), so that products in two words are proved
//! kernels of their own; the helpers here are carries, comparisons and selections.

use std::collections::BTreeSet;

use evariste_ir::range::pow2;
use evariste_ir::{ArrayKind, Kernel, Machine, Type};
use num_bigint::BigInt;

use super::c89_names::{WORDS, constant, element, signature};
use super::operators::{place, sign};
use super::row::{Language, MAKE};
use super::words::{Page, readme as page};
use super::{c89_bytes, c89_programs, c89_status};
use crate::describe::facts_in;
use crate::error::EmitError;
use crate::manifest::manifest;
use crate::notice::notice;
use crate::package::{Content, File, PackageSpec};
use crate::unit::{
    Argument, Beside, Bitwise, Body, Elements, Entries, Expression, Function, Helper, Lengths, Model, Named, Place,
    Reach, Statement, build,
};

/// Its line in the table.
pub const C89: Language = Language {
    name: "c89",
    about: "C89 with words of 32 bits: nothing but unsigned long",
    extension: "c",
    machine_code: false,
    has_arrays: false,
    faces: &[],
    module: None,
    floats: false,
    is_c: true,
    machine: Some(MACHINE),
    table_bytes: None,
    tools: &["make"],
    test: MAKE,
    package,
};

/// Carries are helpers.
const MACHINE: Machine = Machine { flags: true, ..Machine::C32 };

/// The package of a specification.
fn package(spec: &PackageSpec) -> Result<Vec<File>, EmitError> {
    of_content(&spec.content())
}

pub(crate) fn of_content(content: &Content) -> Result<Vec<File>, EmitError> {
    if content.kernels.is_empty() {
        return Err(EmitError::NoKernels);
    }
    let prefix = content.prefix;
    let file = |path: &str, text: String| File { path: path.to_string(), text };
    let opening = format!("{}\n#include \"{prefix}.h\"\n", notice(content, "the functions"));
    Ok(vec![
        file(&format!("{prefix}.h"), header(content)),
        file(
            &format!("{prefix}.c"),
            opening
                + &source(&content.kernels, prefix)?
                + &c89_status::definitions(content)
                + &c89_bytes::definitions(content),
        ),
        file(&format!("{prefix}_vectors.h"), c89_programs::vectors(content)?),
        file("test.c", c89_programs::test(content)?),
        file("bench.c", c89_programs::bench(content)),
        file("ct.c", c89_programs::ct(content)),
        file("README.md", readme(content)),
        file("Makefile", makefile(prefix)),
        manifest(content)?,
    ])
}

/// The functions for kernels that are legal on [`MACHINE`].
fn source(kernels: &[Named], prefix: &str) -> Result<String, EmitError> {
    let unit = build(kernels, &Beside { prefix, dispatched: &[], words: &WORDS, taken: &[], lengths: Lengths::USUAL })?;
    for function in &unit.functions {
        supported(function)?;
    }
    let mut out = "\ntypedef unsigned long word; /* 32 bits count */\n".to_string();
    for helper in &unit.helpers {
        let Some(text) = helper_text(*helper) else {
            return Err(unsupported(kernels[0].1, format!("`{}`", helper.name())));
        };
        out += &text;
    }
    unit.functions.iter().for_each(|function| out += &definition(function));
    Ok(out)
}

fn unsupported(kernel: &Kernel, what: String) -> EmitError {
    let help = "take `--lang c`, or a layout and a plan of words of at most 32 bits";
    EmitError::Unsupported { kernel: kernel.name.clone(), what, language: WORDS.language, help }
}

/// Words of 32 bits at most, and nothing else.
fn supported(function: &Function) -> Result<(), EmitError> {
    let kernel = &function.kernel;
    let wide = |ty: Type| ty.bits() > MACHINE.word;
    let arrays = kernel.arrays.iter().filter(|a| !matches!(a.kind, ArrayKind::Table(_)));
    let what = match &function.body {
        _ if function.model == Model::Lanes => "a bit-sliced function",
        Body::Parts { .. } => "a function of thousands of statements",
        _ if arrays.into_iter().any(|a| wide(a.ty)) || kernel.uses_floats() => "an array of wider words or of doubles",
        _ => {
            let mut all = true;
            function.statements(&mut |s| all &= !matches!(s, Statement::Define { variable, .. } if wide(variable.ty)));
            if all {
                return Ok(());
            }
            "a value of more than 32 bits"
        }
    };
    Err(unsupported(kernel, what.to_string()))
}

fn comment(function: &Function) -> String {
    let lines = facts_in(function.model, &function.kernel);
    let lines: String = lines.iter().map(|line| format!(" *   {line}\n")).collect();
    format!("\n/* {}: kernel {}\n{lines} */\n", function.symbol, function.kernel.name)
}

fn definition(function: &Function) -> String {
    let linkage = if function.public { "" } else { "static " };
    let mut out = format!("{}{linkage}{} {{\n", comment(function), signature(&function.kernel, &function.symbol));
    match &function.body {
        Body::Same(other) => {
            let names: Vec<String> =
                function.kernel.visible().map(|a| WORDS.name(&function.kernel.array(a).name)).collect();
            out += &format!("  {other}({});\n", names.join(", "));
        }
        Body::Whole(body) => {
            let (mut names, mut counters, mut declared) = (Vec::new(), BTreeSet::new(), String::new());
            function.statements(&mut |s| declare(s, &mut names, &mut counters, &mut declared));
            out += &declared;
            for row in names.chunks(12) {
                out += &format!("  word {};\n", row.join(", "));
            }
            for counter in counters {
                out += &format!("  int {counter};\n");
            }
            block(body, 1, &mut out);
        }
        Body::Parts { .. } => {}
    }
    out + "}\n"
}

/// What a statement needs at the head of the function.
fn declare(s: &Statement, names: &mut Vec<String>, counters: &mut BTreeSet<String>, out: &mut String) {
    match s {
        Statement::Table { name, entries } => {
            let (ty, entries): (&str, Vec<String>) = match entries {
                Entries::Indices(all) => ("int", all.iter().map(BigInt::to_string).collect()),
                Entries::Values(ty, all) => (element(*ty), all.iter().map(|x| constant(x, ty.bits())).collect()),
            };
            *out += &format!("  static const {ty} {name}[{}] = {{\n", entries.len());
            entries.chunks(8).for_each(|row| *out += &format!("    {},\n", row.join(", ")));
            *out = out.trim_end_matches(",\n").to_string() + "\n  };\n";
        }
        Statement::Array { variable, len } => {
            *out += &format!("  {} {}[{len}];\n", element(variable.ty), variable.name);
        }
        Statement::Define { variable, .. } => names.push(variable.name.clone()),
        Statement::Pair { first, second, .. } => {
            names.extend(first.iter().chain([second]).map(|v| v.name.clone()));
        }
        Statement::Choose { choices, .. } => names.extend(choices.iter().map(|(name, ..)| name.clone())),
        Statement::Repeat { counter, .. } => {
            counters.insert(counter.clone());
        }
        Statement::Call { arguments, .. } => {
            for Argument { ty, len, elements, .. } in arguments {
                if let Elements::Scattered(copy, _) = elements {
                    *out += &format!("  {} {copy}[{len}];\n", element(*ty));
                    counters.insert("e".to_string());
                }
            }
        }
        _ => {}
    }
}

fn block(body: &[Statement], depth: usize, out: &mut String) {
    let indent = "  ".repeat(depth);
    let mut line = |text: String| *out += &format!("{indent}{text}\n");
    for s in body {
        match s {
            Statement::Table { .. } | Statement::Array { .. } | Statement::Within { .. } => {}
            Statement::Unread(name) => line(format!("(void){name};")),
            Statement::Define { variable, value: x } => line(format!("{} = {};", variable.name, value(x))),
            Statement::Assign { name, value: x } => line(format!("{name} = {};", value(x))),
            Statement::Pair { helper, arguments, first, second, .. } => {
                let call = format!("{}({}, &{})", helper.name(), list(arguments), second.name);
                line(first.as_ref().map_or(format!("(void){call};"), |v| format!("{} = {call};", v.name)));
            }
            Statement::Choose { mask, choices, .. } => {
                for (name, a, b) in choices {
                    let (mask, a, b) = (operand(mask), operand(a), operand(b));
                    line(format!("{name} = {b} ^ ({mask} & ({a} ^ {b}));"));
                }
            }
            Statement::Store { array, at, value: x } => line(format!("{array}[{}] = {};", place(at), stored(x))),
            Statement::Repeat { counter, count, body } => {
                line(format!("for ({counter} = 0; {counter} < {count}; {counter}++) {{"));
                let mut inner = String::new();
                block(body, depth + 1, &mut inner);
                line(format!("{}\n{indent}}}", inner.trim_start_matches('\n').trim_end()));
            }
            Statement::Call { function, arguments } => call(function, arguments).into_iter().for_each(&mut line),
        }
    }
}

/// What is stored: a value, which fits the element.
fn stored(x: &Expression) -> String {
    value(x)
}

fn call(function: &str, arguments: &[Argument]) -> Vec<String> {
    let (mut before, mut passed, mut after) = (Vec::new(), Vec::new(), Vec::new());
    for Argument { array, len, kind, elements, .. } in arguments {
        match elements {
            Elements::From(start) if start.is_zero() => passed.push(array.clone()),
            Elements::From(start) => passed.push(format!("{array} + {}", place(start))),
            Elements::Scattered(copy, at) => {
                let each = |to: String, from: String| format!("for (e = 0; e < {len}; e++) {to} = {from};");
                let (own, theirs) = (format!("{copy}[e]"), format!("{array}[{}]", place(at)));
                if *kind != ArrayKind::Output {
                    before.push(each(own.clone(), theirs.clone()));
                }
                if *kind != ArrayKind::Input {
                    after.push(each(theirs, own));
                }
                passed.push(copy.clone());
            }
        }
    }
    before.push(format!("{function}({});", passed.join(", ")));
    before.into_iter().chain(after).collect()
}

/// `2^k − 1`.
fn ones(k: u32) -> String {
    constant(&(pow2(k.min(MACHINE.word)) - 1), k)
}

fn list(arguments: &[Expression]) -> String {
    arguments.iter().map(operand).collect::<Vec<_>>().join(", ")
}

/// A value as an operand.
fn operand(x: &Expression) -> String {
    match x {
        Expression::Name(_) | Expression::Constant(..) | Expression::Element(..) | Expression::Helper(..) => value(x),
        Expression::Public(Place::Sum(terms)) if terms.len() < 2 => value(x),
        _ => format!("({})", value(x)),
    }
}

/// An expression, less than 2^bits of its type.
fn value(x: &Expression) -> String {
    match x {
        Expression::Name(name) => name.clone(),
        Expression::Constant(ty, c) => constant(c, ty.bits()),
        Expression::Pattern(bits) => constant(&BigInt::from(*bits), 64),
        Expression::Public(at) => place(at),
        Expression::Element(array, at) => format!("{array}[{}]", place(at)),
        Expression::Entry(array, index) => format!("{array}[{}]", value(index)),
        Expression::Arithmetic { op, bits, left, right, .. } => {
            format!("({} {} {}) & {}", sum(left), sign(*op), operand(right), ones(*bits))
        }
        Expression::Product { left, right, .. } => format!("{} * {}", operand(left), operand(right)),
        Expression::Bitwise { op, left, right, .. } => {
            let sign = match op {
                Bitwise::And => "&",
                Bitwise::Or => "|",
                Bitwise::Xor => "^",
            };
            format!("{} {sign} {}", operand(left), operand(right))
        }
        Expression::Not { bits, of } => format!("~{} & {}", operand(of), ones(*bits)),
        Expression::Shift { reach: Reach::Outside, .. } => "0".to_string(),
        Expression::Shift { left, bits, value: of, amount, reach } => {
            let sign = if *left { "<<" } else { ">>" };
            let shifted = format!("({} {sign} ({})) & {}", operand(of), place(amount), ones(*bits));
            if *reach == Reach::Inside { shifted } else { format!("{} < {bits} ? {shifted} : 0", place(amount)) }
        }
        Expression::Low { low, value: of, .. } => format!("{} & {}", operand(of), ones(*low)),
        Expression::Convert { value: of, .. } => value(of),
        Expression::Slice { at, bits, value: of } => format!("({} >> {at}) & {}", operand(of), ones(*bits)),
        Expression::Join { bits, parts } => {
            let mut at = 0;
            let shifted = parts.iter().map(|(width, part)| {
                let text = if at == 0 { operand(part) } else { format!("({} << {at})", operand(part)) };
                at += width;
                text
            });
            format!("({}) & {}", shifted.collect::<Vec<_>>().join(" | "), ones(*bits))
        }
        Expression::Flag(mask) => format!("{} & 1UL", operand(mask)),
        Expression::Mask { to, mask } => format!("(0UL - ({} & 1UL)) & {}", operand(mask), ones(*to)),
        Expression::Helper(helper, arguments) => format!("{}({})", helper.name(), list(arguments)),
        // Kernels with floating-point numbers are refused.
        Expression::Float { .. } | Expression::Fused { .. } => String::new(),
    }
}

/// The left side of a sum: another sum needs no mask of its own.
fn sum(x: &Expression) -> String {
    match x {
        Expression::Arithmetic { op, left, right, .. } => format!("{} {} {}", sum(left), sign(*op), operand(right)),
        other => operand(other),
    }
}

/// The text of a helper, `None` where C89 of 32 bits has none.
fn helper_text(helper: Helper) -> Option<String> {
    use Helper::*;
    let (parameters, body) = match helper {
        Barrier(_) => ("word x", "volatile word hidden = x;\n  return hidden;".to_string()),
        Mask(n) => {
            ("word flag", format!("return (0UL - {}(flag)) & {};", Barrier(crate::unit::container(n)).name(), ones(n)))
        }
        AddCarry(n) => (
            "word a, word b, word c, word *carry",
            format!(
                "word s = (a + b + c) & {};\n  *carry = ((a & b) | ((a | b) & ~s)) >> {} & 1UL;\n  return s;",
                ones(n),
                n - 1
            ),
        ),
        AddWithCarry(n) => ("word a, word b, word c", format!("return (a + b + c) & {};", ones(n))),
        SubBorrow(n) => (
            "word a, word b, word c, word *borrow",
            format!(
                "word d = (a - b - c) & {};\n  *borrow = ((~a & b) | ((~a | b) & d)) >> {} & 1UL;\n  return d;",
                ones(n),
                n - 1
            ),
        ),
        SubWithBorrow(n) => ("word a, word b, word c", format!("return (a - b - c) & {};", ones(n))),
        MulWide(n) if n <= 16 => (
            "word a, word b, word *high",
            format!("word t = a * b;\n  *high = t >> {n} & {0};\n  return t & {0};", ones(n)),
        ),
        MulAddAdd(n) if n <= 16 => (
            "word a, word b, word c, word d, word *high",
            format!("word t = a * b + c + d;\n  *high = t >> {n} & {0};\n  return t & {0};", ones(n)),
        ),
        MaddLo(n, k) | MaddHi(n, k) if k <= 16 => {
            let product = format!("(a & {0}) * (b & {0})", ones(k));
            let part = match helper {
                MaddLo(..) => format!("({product} & {})", ones(k)),
                _ => format!("(({product} & {}) >> {k})", ones(32)),
            };
            ("word sum, word a, word b", format!("return (sum + {part}) & {};", ones(n)))
        }
        Equal(n) => (
            "word a, word b",
            format!(
                "word x = a ^ b;\n  return {}(1UL ^ ((x | ((0UL - x) & {})) >> {} & 1UL));",
                Mask(n).name(),
                ones(n),
                n.min(MACHINE.word) - 1
            ),
        ),
        Less(n) => (
            "word a, word b",
            format!(
                "word less;\n  (void){}(a, b, 0UL, &less);\n  return {}(less);",
                SubBorrow(n).name(),
                Mask(n).name()
            ),
        ),
        Select(_) => ("word mask, word a, word b", "return b ^ (mask & (a ^ b));".to_string()),
        // Printed where it is called.
        SelectGroup(..) => return Some(String::new()),
        Sar(n) => (
            "word a, int k",
            format!(
                "word sign = (0UL - (a >> {})) & {1};\n  return k == 0 ? a : k >= {n} ? sign : (a >> k | sign << ({n} - k)) & {1};",
                n - 1,
                ones(n)
            ),
        ),
        Rotate(n) => {
            ("word a, int k", format!("k %= {n};\n  return k == 0 ? a : (a << k | a >> ({n} - k)) & {};", ones(n)))
        }
        Funnel(n) => (
            "word high, word low, int k",
            format!("return k == 0 ? low : k == {n} ? high : (high << ({n} - k) | low >> k) & {};", ones(n)),
        ),
        Lookup(n) => {
            let ty = element(Type::Word(n.min(MACHINE.word) as u8));
            let name = helper.name();
            return Some(format!(
                "\nstatic word {name}(const {ty} *table, int length, word index) {{\n  word entry = 0;\n  int i;\n  for (i = 0; i < length; i++) entry |= table[i] & equal_64(index, (word)i);\n  return entry;\n}}\n"
            ));
        }
        WrapIndex | FloorIndex => {
            let body = match helper {
                WrapIndex => "return i < length ? i : i - length;",
                _ => "i %= length;\n  return i < 0 ? i + length : i;",
            };
            return Some(format!("\nstatic int {}(int i, int length) {{\n  {body}\n}}\n", helper.name()));
        }
        _ => return None,
    };
    Some(format!("\nstatic word {}({parameters}) {{\n  {body}\n}}\n", helper.name()))
}

fn header(content: &Content) -> String {
    let guard = format!("{}_H", content.prefix.to_ascii_uppercase());
    let sizes = if c89_bytes::is_in(content) { "#include <stddef.h>\n\n" } else { "" };
    let mut out = notice(content, "declarations");
    out += &format!(
        "\n#ifndef {guard}\n#define {guard}\n\n{sizes}/* Words of 32 bits, lowest first, in unsigned long, the bits above them 0. Outputs come first. */\n\n#ifdef __cplusplus\nextern \"C\" {{\n#endif\n"
    );
    for (operation, kernel) in &content.kernels {
        let symbol = format!("{}_{operation}", content.prefix);
        let lines: String = facts_in(Model::of(kernel), kernel).iter().map(|l| format!(" *   {l}\n")).collect();
        out += &format!("\n/* {symbol}:\n{lines} */\n{};\n", signature(kernel, &symbol));
    }
    out + &c89_status::declarations(content)
        + &c89_bytes::declarations(content)
        + "\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n"
}

fn readme(content: &Content) -> String {
    let prefix = content.prefix;
    let usage = format!(
        "Add `{prefix}.c` and `{prefix}.h` to a program: C89 for any processor, nothing but `unsigned long`, of which 32 bits count. `make test` runs every known answer, `make bench` measures nanoseconds a call by `clock`, and `make ct` runs every function under Valgrind, its inputs marked as secret: no branch and no address may depend on them.\n\n\
         The functions branch on no data and use no address that depends on data. Products of words are made of products of halves; a compiler that knows a wider type does better with `--lang c`."
    );
    let signature = |operation: &str, kernel: &Kernel| signature(kernel, &format!("{prefix}_{operation}")) + ";";
    page(content, &Page { usage, fence: "c", more: c89_bytes::readme(content) }, signature)
}

fn makefile(prefix: &str) -> String {
    include_str!("c89_makefile.txt").replace("PREFIX", prefix)
}
