//! Known answers, tests and benchmarks.

use evariste_ir::{Array, ArrayKind, Kernel};
use num_bigint::BigInt;

use super::super::words::{Shape, chained, placements, rows};
use super::blocks;
use super::message;
use super::names::{WORDS, array_type, exported, parameter};
use super::notation::literal;
use super::stream;
use crate::error::EmitError;
use crate::manifest::params;
use crate::package::Content;

/// The name of a table.
fn table(operation: &str, at: usize, written: bool) -> String {
    format!("answers_{operation}_{}{at}", if written { "out" } else { "in" })
}

/// `functions_test.go` behind its head.
pub fn text(content: &Content) -> Result<String, EmitError> {
    let (laws, laws_call) = laws(content);
    let import = if laws.is_empty() { "" } else { "\t\"math/big\"\n\t\"math/rand\"\n" };
    let mut out = format!("\nimport (\n\t\"fmt\"\n{import}\t\"testing\"\n)\n\nvar checks, failures int\n");
    out += "
func expect(t *testing.T, what string, row int, holds bool) {
	checks++
	if !holds {
		failures++
		t.Errorf(\"%s, vector %d\", what, row)
	}
}
";
    let mut calls = String::new();
    for (operation, kernel) in &content.kernels {
        out += &tables(content, operation, kernel)?;
        out += &test_function(operation, kernel);
        out += &benchmarks(operation, kernel);
        calls += &format!("\ttest_{operation}(t)\n");
    }
    let (buffers, buffers_call) = blocks::test(content);
    let (streams, streams_call) = stream::test(content);
    let (messages, messages_call) = message::test(content);
    Ok(out
        + &laws
        + &buffers
        + &streams
        + &messages
        + &format!(
            "\nfunc TestAll(t *testing.T) {{\n{calls}{laws_call}{buffers_call}{streams_call}{messages_call}\tfmt.Printf(\"%d checks, %d failures\\n\", checks, failures)\n}}\n"
        ))
}

fn tables(content: &Content, operation: &str, kernel: &Kernel) -> Result<String, EmitError> {
    let rows = rows(content, operation, kernel)?;
    let mut out = String::new();
    for written in [false, true] {
        for (at, a) in params(kernel, written).into_iter().enumerate() {
            let ty = array_type(&parameter(kernel, a));
            out += &format!("\nvar {} = []{ty}{{\n", table(operation, at, written));
            for row in &rows {
                let words = if written { &row.outputs[at] } else { &row.inputs[at] };
                let words: Vec<String> = words.iter().map(|x: &BigInt| literal(x)).collect();
                out += &format!("\t{{{}}},\n", words.join(", "));
            }
            out += "}\n";
        }
    }
    Ok(out)
}

fn test_function(operation: &str, kernel: &Kernel) -> String {
    let (read, written) = (params(kernel, false), params(kernel, true));
    let of = |all: &[Array], a: Array| all.iter().position(|b| *b == a).unwrap_or(0);
    let given = |a: Array| format!("{}[row]", table(operation, of(&read, a), false));
    let known = |a: Array| format!("{}[row]", table(operation, of(&written, a), true));
    let mut out =
        format!("\nfunc test_{operation}(t *testing.T) {{\n\tfor row := range {} {{\n", table(operation, 0, true));
    for placement in placements(kernel) {
        let place = |a: Array| placement.filter(|(w, _)| *w == a).map_or(a, |(_, r)| r);
        let name = |a: Array| WORDS.name(&kernel.array(place(a)).name);
        out += "\t\t{\n";
        for a in kernel.visible().filter(|a| place(*a) == *a) {
            out += &match kernel.array(a).kind {
                ArrayKind::Output => {
                    format!(
                        "\t\t\tvar {0} {1}\n\t\t\tfor i := range {0} {{\n\t\t\t\t{0}[i] = 0x5a\n\t\t\t}}\n",
                        name(a),
                        array_type(&parameter(kernel, a))
                    )
                }
                _ => format!("\t\t\t{} := {}\n", name(a), given(a)),
            };
        }
        let arguments: Vec<String> = kernel.visible().map(|a| format!("&{}", name(a))).collect();
        out += &format!("\t\t\t{}({})\n", exported(operation), arguments.join(", "));
        for a in &written {
            out += &format!("\t\t\texpect(t, \"{operation}\", row, {} == {})\n", name(*a), known(*a));
        }
        for a in read.iter().filter(|a| kernel.array(**a).kind == ArrayKind::Input) {
            if placement.is_none_or(|(_, r)| r != *a) {
                out += &format!("\t\t\texpect(t, \"{operation}: what is read\", row, {} == {})\n", name(*a), given(*a));
            }
        }
        out += "\t\t}\n";
    }
    out + "\t}\n}\n"
}

/// One call after another, and each on the result of the last where that is legal.
fn benchmarks(operation: &str, kernel: &Kernel) -> String {
    let (read, chain) = (params(kernel, false), chained(kernel));
    let mut out = String::new();
    for (kind, pair) in [("", None), ("Latency", chain)] {
        if kind == "Latency" && chain.is_none() {
            continue;
        }
        let place = |a: Array| pair.filter(|(w, _)| *w == a).map_or(a, |(_, r)| r);
        let name = |a: Array| WORDS.name(&kernel.array(place(a)).name);
        out += &format!("\nfunc Benchmark{}{kind}(b_ *testing.B) {{\n", exported(operation));
        for a in kernel.visible().filter(|a| place(*a) == *a) {
            out += &match read.iter().position(|b| *b == a) {
                Some(at) => format!("\t{} := {}[0]\n", name(a), table(operation, at, false)),
                None => format!("\tvar {} {}\n", name(a), array_type(&parameter(kernel, a))),
            };
        }
        let arguments: Vec<String> = kernel.visible().map(|a| format!("&{}", name(a))).collect();
        out += &format!(
            "\tfor n := 0; n < b_.N; n++ {{\n\t\t{}({})\n\t}}\n}}\n",
            exported(operation),
            arguments.join(", ")
        );
    }
    out
}

/// The function that compares with big integers on elements at random, and its call.
fn laws(content: &Content) -> (String, String) {
    let Some(shape) = Shape::of(content) else { return Default::default() };
    if shape.bytes().is_none() {
        return Default::default();
    }
    let mut checks = String::new();
    let all: [(&str, &str, &str); 6] = [
        ("mul", "z.Mul(&a, &b)", "r.Mul(x, y)"),
        ("square", "z.Square(&a)", "r.Mul(x, x)"),
        ("add", "z.Add(&a, &b)", "r.Add(x, y)"),
        ("sub", "z.Sub(&a, &b)", "r.Sub(x, y)"),
        ("neg", "z.Neg(&a)", "r.Neg(x)"),
        ("add", "z.Double(&a)", "r.Add(x, x)"),
    ];
    for (method, ours, theirs) in all {
        if shape.method(method).is_some() {
            checks += &format!(
                "\t\t{ours}\n\t\t{theirs}\n\t\texpect(t, \"{method} and big.Int\", row, z.BigInt(&got).Cmp(r.Mod(r, Modulus())) == 0)\n"
            );
        }
    }
    if shape.method("invert").is_some() && shape.method("mul").is_some() {
        checks += "\t\tz.Inverse(&a)\n\t\tz.Mul(&z, &a)\n\t\texpect(t, \"a / a = 1\", row, x.Sign() == 0 || z.BigInt(&got).Cmp(big.NewInt(1)) == 0)\n";
    }
    if shape.canonical_by().is_some() {
        checks += "\t\texpect(t, \"equal\", row, a.Equal(&a) && a.Equal(&b) == (x.Cmp(y) == 0) && a.IsZero() == (x.Sign() == 0))\n";
    }
    (
        format!(
            "
func test_laws(t *testing.T) {{
	random := rand.New(rand.NewSource(1))
	r, got := new(big.Int), big.Int{{}}
	for row := 0; row < 200; row++ {{
		x, y := new(big.Int).Rand(random, Modulus()), new(big.Int).Rand(random, Modulus())
		var a, b, z Element
		a.SetBigInt(x)
		b.SetBigInt(y)
		bytes := a.Bytes()
		expect(t, \"bytes\", row, z.SetBytesCanonical(bytes[:]) == nil && z == a)
		expect(t, \"a length\", row, z.SetBytesCanonical(bytes[1:]) != nil && z == a)
		expect(t, \"select\", row, *z.Select(0, &a, &b) == a && *z.Select(1, &a, &b) == b)
{checks}	}}
	var z Element
	// Where it has as many bytes as elements.
	if m := Modulus(); m.BitLen() <= 8*Bytes {{
		full := m.FillBytes(make([]byte, Bytes))
		expect(t, \"the modulus is no element\", 0, z.SetBytesCanonical(full) != nil && z == Element{{}})
	}}
}}
"
        ),
        "\ttest_laws(t)\n".into(),
    )
}
