//! The test of a crate: every known answer, then laws of algebra on elements at random.

use evariste_ir::{Array, Kernel};
use num_bigint::BigInt;

use super::super::words::{Shape, rows};
use super::blocks;
use super::crate_files::crate_name;
use super::machine::{fastest, only_version};
use super::message;
use super::names::{array_type, parameter, results};
use super::notation::Rust;
use super::status;
use super::stream;
use crate::error::EmitError;
use crate::manifest::params;
use crate::package::{Content, Flagged, Status};

/// The name of a table.
pub fn table(operation: &str, at: usize, written: bool) -> String {
    format!("{}_{}{at}", operation.to_ascii_uppercase(), if written { "OUT" } else { "IN" })
}

/// The known answers of an operation, a table a parameter.
pub fn tables(content: &Content, operation: &str, kernel: &Kernel) -> Result<String, EmitError> {
    let rows = rows(content, operation, kernel)?;
    let mut out = String::new();
    for written in [false, true] {
        for (at, a) in params(kernel, written).into_iter().enumerate() {
            let held = parameter(kernel, a);
            out +=
                &format!("\nstatic {}: [{}; {}] = [\n", table(operation, at, written), array_type(&held), rows.len());
            for row in &rows {
                let words = if written { &row.outputs[at] } else { &row.inputs[at] };
                let words: Vec<String> = words.iter().map(|x: &BigInt| Rust::number(x)).collect();
                out += &format!("    [{}],\n", words.join(", "));
            }
            out += "];\n";
        }
    }
    Ok(out)
}

/// The call of a function of an operation on rows of its tables.
pub fn call(function: &str, operation: &str, kernel: &Kernel, row: &dyn Fn(&str) -> String) -> String {
    let given: Vec<String> = (0..params(kernel, false).len()).map(|at| row(&table(operation, at, false))).collect();
    format!("{function}({})", given.join(", "))
}

/// The functions of an operation: that of the kernel, and the one that takes machine code.
pub fn functions(content: &Content, operation: &str) -> Vec<String> {
    let (kernel, fast) = (format!("{}_{operation}", content.prefix), fastest(content, operation));
    if kernel == fast { vec![kernel] } else { vec![kernel, fast] }
}

/// `tests.rs`.
pub fn program(content: &Content) -> Result<String, EmitError> {
    let mut out = format!("\nuse {}::*;\n", crate_name(content));
    let (mut calls, mut versions) = (String::new(), String::new());
    for (operation, kernel) in &content.kernels {
        out += &tables(content, operation, kernel)?;
        let written: Vec<Array> = params(kernel, true);
        let names: Vec<String> = (0..written.len()).map(|at| format!("out{at}")).collect();
        let taken = results(&names);
        let checks: String = (0..written.len())
            .map(|at| {
                format!(
                    "        counts.expect(\"{operation}\", row, out{at} == {}[row]);\n",
                    table(operation, at, true)
                )
            })
            .collect();
        let count = rows(content, operation, kernel)?.len();
        let answers = |kind: &str, function: &str, more: &str| {
            let called = call(function, operation, kernel, &|table| format!("&{table}[row]"));
            let body = format!("        let {taken} = {called};\n{checks}{more}");
            format!("\nfn {operation}_{kind}(counts: &mut Counts) {{\n    for row in 0..{count} {{\n{body}    }}\n}}\n")
        };
        out += &answers("answers", &format!("{}_{operation}", content.prefix), &of_status(content, operation));
        calls += &format!("    {operation}_answers(&mut counts);\n");
        if content.has_machine_code(operation) {
            out += &answers("by_machine_code", &fastest(content, operation), "");
            versions += &format!("        {operation}_by_machine_code(&mut counts);\n");
        }
    }
    if !versions.is_empty() {
        calls += &format!(
            "    // Every version of machine code that the processor can run.\n    let mut version = 0;\n    while {}(version) {{\n{versions}        version += 1;\n    }}\n",
            only_version(content)
        );
    }
    out += COUNTS;
    let (laws, law_call) = laws(content);
    out += &laws;
    let (buffers, buffers_call) = blocks::test(content);
    out += &buffers;
    let (streams, streams_call) = stream::test(content);
    out += &streams;
    let (messages, messages_call) = message::test(content);
    out += &messages;
    out += &format!(
        "\nfn main() {{\n    let mut counts = Counts {{ checks: 0, failures: 0 }};\n{calls}{law_call}{buffers_call}{streams_call}{messages_call}    println!(\"{{}} checks, {{}} failures\", counts.checks, counts.failures);\n    assert!(counts.failures == 0 && counts.checks > 0);\n}}\n"
    );
    Ok(out)
}

/// What the test of an operation says of the function above it, for a row.
fn of_status(content: &Content, operation: &str) -> String {
    content.flagged().filter(|made| made.status.kernel == operation).map(|made| optional(&made, content)).collect()
}

/// The lines of a test of one row of a function that has a result or none.
fn optional(made: &Flagged, content: &Content) -> String {
    let Status { function, kernel: operation, .. } = made.status;
    let symbol = format!("{}_{function}", content.prefix);
    let called = call(&symbol, operation, made.kernel, &|table| format!("&{table}[row]"));
    let [all, of_results] = status::outputs(made);
    let place = all.iter().find(|(_, a)| *a == made.flag).map_or(0, |(at, _)| *at);
    let known: Vec<String> = of_results.iter().map(|(at, _)| format!("{}[row]", table(operation, *at, true))).collect();
    format!(
        "        let known = if {}[row][0] == 1 {{ Some({}) }} else {{ None }};\n        counts.expect(\"{function}\", row, {called} == known);\n",
        table(operation, place, true),
        results(&known)
    )
}

const COUNTS: &str = "
struct Counts {
    checks: u64,
    failures: u64,
}

impl Counts {
    fn expect(&mut self, what: &str, row: usize, holds: bool) {
        self.checks += 1;
        if !holds {
            self.failures += 1;
            println!(\"FAILED: {what}, vector {row}\");
        }
    }
}
";

/// The function that tries laws on elements at random, and its call.
fn laws(content: &Content) -> (String, String) {
    let Some(shape) = Shape::of(content) else { return Default::default() };
    if shape.bytes().is_none() || shape.canonical_by().is_none() {
        return Default::default();
    }
    let Some(count) = shape.bytes() else { return Default::default() };
    let has = |all: &[&str]| all.iter().all(|name| shape.method(name).is_some());
    let mut checks = String::new();
    let mut law = |needs: &[&str], name: &str, text: &str| {
        if has(needs) {
            checks += &format!("        counts.expect(\"{name}\", row, {text});\n");
        }
    };
    law(&["mul"], "a b = b a", "a * b == b * a");
    law(&["mul"], "(a b) c = a (b c)", "(a * b) * c == a * (b * c)");
    law(&["mul"], "1 a = a", "Element::ONE * a == a");
    law(&["mul", "add"], "a (b + c) = a b + a c", "a * (b + c) == a * b + a * c");
    law(&["mul", "square"], "a^2 = a a", "a.square() == a * a");
    law(&["add", "sub"], "(a + b) - b = a", "(a + b) - b == a");
    law(&["add", "neg"], "a + (-a) = 0", "(a + -a).is_zero()");
    law(&["add"], "0 + a = a", "Element::ZERO + a == a");
    law(&["add", "mul"], "2 a = a + a", "a.double() == a * Element::from(2)");
    law(&["mul", "invert"], "a / a = 1", "a.is_zero() || a * a.invert() == Element::ONE");
    law(&[], "bytes, lowest first", "Element::from_le_bytes(&a.to_le_bytes()) == Some(a)");
    law(&[], "bytes, highest first", "Element::from_be_bytes(&a.to_be_bytes()) == Some(a)");
    law(&["add"], "sum", "[a, b, c].iter().sum::<Element>() == a + b + c");
    law(&["mul"], "product", "[a, b, c].into_iter().product::<Element>() == a * b * c");
    (
        format!(
            "
/// Words by Vigna's splitmix64.
struct Words(u64);

impl Words {{
    fn next(&mut self) -> u64 {{
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }}

    /// The first bytes that are below the modulus.
    fn element(&mut self) -> Element {{
        loop {{
            let mut bytes = [0; {count}];
            for byte in bytes.iter_mut() {{
                *byte = self.next() as u8;
            }}
            bytes[{}] &= {};
            if let Some(element) = Element::from_le_bytes(&bytes) {{
                return element;
            }}
        }}
    }}
}}

fn laws_hold(counts: &mut Counts) {{
    let mut words = Words(1);
    let mut before = [Element::ZERO, Element::ONE, Element::from(u64::MAX)];
    for row in 0..200 {{
        let [a, b, c] = before;
        before = [b, c, words.element()];
{checks}    }}
}}
",
            count - 1,
            shape.numbers.map_or(255, |n| u32::from(u8::MAX) >> ((8 - n.modulus.bits() % 8) % 8))
        ),
        "    laws_hold(&mut counts);\n".into(),
    )
}
