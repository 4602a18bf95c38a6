//! What runs a package in C89: its known answers, the test of them, the benchmark by `clock`, and every function on secrets
//! under Valgrind.

use evariste_ir::{Array, ArrayKind, Kernel};

use super::c::ct_program::{self, Spelled};
use super::c89_names::{WORDS, constant, element, table};
use super::words::{chained, placements};
use super::{c89_bytes, c89_status};
use crate::error::EmitError;
use crate::manifest::{answers, params};
use crate::notice::notice;
use crate::package::Content;

/// `PREFIX_vectors.h`.
pub fn vectors(content: &Content) -> Result<String, EmitError> {
    let guard = format!("{}_VECTORS_H", content.prefix.to_ascii_uppercase());
    let mut out = notice(content, "known answers") + &format!("\n#ifndef {guard}\n#define {guard}\n");
    for (operation, kernel) in &content.kernels {
        out += &tables(operation, kernel, &answers(content, operation, kernel)?);
    }
    Ok(out + "\n#endif\n")
}

/// `test.c`: every known answer, plainly and with the output in the place of each input that it may share.
pub fn test(content: &Content) -> Result<String, EmitError> {
    let mut out = notice(content, "the test");
    out += &format!(
        "\n#include <stdio.h>\n#include <string.h>\n\n#include \"{0}.h\"\n#include \"{0}_vectors.h\"\n",
        content.prefix
    );
    out += "\nstatic unsigned long checks, failures;\n\nstatic void expect(const char *what, int row, int same) {\n  checks++;\n  if (!same) {\n    failures++;\n    printf(\"FAILED: %s, vector %d\\n\", what, row);\n  }\n}\n";
    let mut calls = String::new();
    for (operation, kernel) in &content.kernels {
        let count = answers(content, operation, kernel)?.len();
        out += &test_function(content.prefix, operation, kernel, count);
        calls += &format!("  test_{operation}();\n");
    }
    let (statuses, of_statuses) = c89_status::tests(content);
    let (bytes, more) = c89_bytes::test(content);
    Ok(out
        + &statuses
        + &bytes
        + &format!(
            "\nint main(void) {{\n{calls}{of_statuses}{more}  printf(\"%lu checks, %lu failures\\n\", checks, failures);\n  return failures != 0;\n}}\n"
        ))
}

/// The known answers of an operation, a table an array.
fn tables(operation: &str, kernel: &Kernel, all: &[&crate::Vector]) -> String {
    let mut out = String::new();
    for written in [false, true] {
        for (at, a) in params(kernel, written).into_iter().enumerate() {
            let info = kernel.array(a);
            let name = table(operation, kernel, a, if written { "_expected" } else { "_given" });
            out += &format!("\nstatic const {} {name}[{}][{}] = {{\n", element(info.ty), all.len(), info.len);
            let row = |v: &&crate::Vector| {
                let digits = if written { &v.outputs[at] } else { &v.inputs[at] };
                let digits: Vec<String> = digits.iter().map(|d| constant(d, info.ty.bits())).collect();
                format!("  {{{}}}", digits.join(", "))
            };
            out += &format!("{}\n}};\n", all.iter().map(row).collect::<Vec<_>>().join(",\n"));
        }
    }
    out
}

/// The test of an operation by the rows of its tables.
fn test_function(prefix: &str, operation: &str, kernel: &Kernel, count: usize) -> String {
    let mut out =
        format!("\nstatic void test_{operation}(void) {{\n  int row;\n  for (row = 0; row < {count}; row++) {{\n");
    let written = params(kernel, true);
    for placement in placements(kernel) {
        let place = |a: Array| placement.filter(|(w, _)| *w == a).map_or(a, |(_, r)| r);
        let name = |a: Array| WORDS.name(&kernel.array(place(a)).name);
        let (mut declared, mut filled) = (String::new(), String::new());
        for a in kernel.visible().filter(|a| place(*a) == *a) {
            let info = kernel.array(a);
            declared += &format!("      {} {}[{}];\n", element(info.ty), name(a), info.len);
            filled += &match info.kind {
                ArrayKind::Output => format!("      memset({0}, 0x5a, sizeof {0});\n", name(a)),
                _ => format!(
                    "      memcpy({0}, {1}[row], sizeof {0});\n",
                    name(a),
                    table(operation, kernel, a, "_given")
                ),
            };
        }
        let arguments: Vec<String> = kernel.visible().map(name).collect();
        out += &format!("    {{\n{declared}{filled}      {prefix}_{operation}({});\n", arguments.join(", "));
        for a in &written {
            out += &format!(
                "      expect(\"{operation}\", row, memcmp({0}, {1}[row], sizeof {0}) == 0);\n",
                name(*a),
                table(operation, kernel, *a, "_expected")
            );
        }
        out += "    }\n";
    }
    out + "  }\n}\n"
}

/// The name of an array, and the table of what it is given.
fn spelled(operation: &str, kernel: &Kernel, a: Array) -> Spelled {
    let info = kernel.array(a);
    let row = format!("{}[0]", table(operation, kernel, a, "_given"));
    Spelled { ty: element(info.ty).to_string(), name: WORDS.name(&info.name), row }
}

/// `ct.c`. Only this is not C89, since Valgrind's header is C99.
pub fn ct(content: &Content) -> String {
    let prefix = content.prefix;
    let (mut runs, mut calls) = (String::new(), String::new());
    for (operation, kernel) in &content.kernels {
        if kernel.vartime {
            calls += &ct_program::not_run(prefix, operation);
            continue;
        }
        let symbol = format!("{prefix}_{operation}");
        runs += &ct_program::run(operation, &symbol, kernel, &|a| spelled(operation, kernel, a));
        calls += &format!("  ct_{operation}();\n");
    }
    for (texts, lines) in [c89_status::ct(content), c89_bytes::ct(content)] {
        runs += &texts;
        calls += &lines;
    }
    ct_program::frame(content, &format!("#include \"{prefix}.h\"\n#include \"{prefix}_vectors.h\"\n"), &runs, &calls)
}

/// `bench.c`: nanoseconds of each operation, one call after another (throughput), and each on the result of the last
/// where that is a legal input (latency).
pub fn bench(content: &Content) -> String {
    let prefix = content.prefix;
    let mut out = notice(content, "the benchmark") + &BENCH.replace("PREFIX", prefix);
    let mut lines = String::new();
    for (operation, kernel) in &content.kernels {
        out += &calls(content, operation, kernel, "throughput", &|a| a);
        let latency = chained(kernel).map(|(written, read)| {
            out += &calls(content, operation, kernel, "latency", &|a| if a == written { read } else { a });
        });
        let measure = |kind: &str| format!("measure({kind}_{operation})");
        lines += &match latency {
            Some(()) => format!(
                "  printf(\"%-24s %12.2f %12.2f\\n\", \"{prefix}_{operation}\", {}, {});\n",
                measure("throughput"),
                measure("latency")
            ),
            None => format!(
                "  printf(\"%-24s %12.2f %12s\\n\", \"{prefix}_{operation}\", {}, \"-\");\n",
                measure("throughput")
            ),
        };
    }
    out + &format!(
        "\nint main(void) {{\n  printf(\"%-24s %12s %12s   ns per call, least of 10 runs\\n\", \"\", \"throughput\", \"latency\");\n{lines}  return 0;\n}}\n"
    )
}

const BENCH: &str = "
#include <stdio.h>
#include <string.h>
#include <time.h>

#include \"PREFIX.h\"
#include \"PREFIX_vectors.h\"

/* Seconds of so many calls. */
static double seconds(void (*calls)(unsigned long), unsigned long n) {
  clock_t start = clock();
  calls(n);
  return (double)(clock() - start) / (double)CLOCKS_PER_SEC;
}

/* Times a loop of calls: doubles the loop until the clock has counted it, then keeps the least of 10 runs. */
static double measure(void (*calls)(unsigned long)) {
  unsigned long n = 16;
  double best;
  int run;
  while ((best = seconds(calls, n)) < 0.02 && n < 1000000000UL) n *= 2;
  for (run = 1; run < 10; run++) {
    double each = seconds(calls, n);
    if (each < best) best = each;
  }
  return best * 1e9 / (double)n;
}
";

/// A loop of calls, each array in its place.
fn calls(content: &Content, operation: &str, kernel: &Kernel, kind: &str, place: &dyn Fn(Array) -> Array) -> String {
    let mut out = format!("\nstatic void {kind}_{operation}(unsigned long n) {{\n");
    for a in kernel.visible().filter(|a| place(*a) == *a) {
        let Spelled { ty, name, .. } = spelled(operation, kernel, a);
        out += &format!("  {ty} {name}[{}];\n", kernel.array(a).len);
    }
    for a in params(kernel, false) {
        let Spelled { name, row, .. } = spelled(operation, kernel, a);
        out += &format!("  memcpy({name}, {row}, sizeof {name});\n");
    }
    let arguments: Vec<String> = kernel.visible().map(|a| spelled(operation, kernel, place(a)).name).collect();
    out + &format!("  while (n-- > 0) {}_{operation}({});\n}}\n", content.prefix, arguments.join(", "))
}
