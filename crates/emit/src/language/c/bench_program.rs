//! The package's benchmark: nanoseconds of each operation, one call after another (throughput), and each on the result
//! of the last where that is a legal input (latency).

use evariste_ir::{Array, Kernel};

use crate::manifest::params;
use crate::notice::notice;
use crate::package::{Content, MachineCode};
use crate::unit::Model;

use super::super::words::chained;
use super::names;
use super::simd;
use super::slices;
use super::test_program::{first_row, take, versions_header};
use super::types::c_type;
use super::versions;

/// `bench.c`.
pub(crate) fn bench_program(content: &Content) -> String {
    let prefix = content.prefix;
    let mut out = notice(content, "the benchmark");
    out += &format!(
        "
#define _POSIX_C_SOURCE 199309L
#include <stdio.h>
#include <string.h>
#include <time.h>

#include \"{prefix}.h\"
{}#include \"{prefix}_vectors.h\"

static double now(void) {{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}}

/* Times a loop of calls: doubles the loop until it lasts a millisecond, then keeps the least of 50 runs. */
static double measure(void (*calls)(unsigned long)) {{
  unsigned long n = 16;
  double best = 1e300;
  int run;
  for (;;) {{
    double start = now();
    calls(n);
    if (now() - start > 1e6) break;
    n *= 2;
  }}
  for (run = 0; run < 50; run++) {{
    double start = now(), each;
    calls(n);
    each = (now() - start) / (double)n;
    if (each < best) best = each;
  }}
  return best;
}}
",
        versions_header(content)
    );
    if content.header_only {
        out += LOOK;
    }
    let versions = self::versions(content);
    out += &take(content);
    for (operation, kernel, version, code) in &versions {
        let loops = loops(content, operation, kernel, version);
        out += &guarded(content, *code, &loops);
    }
    out += &(slices::loops(content) + &simd::bench(content));
    let lanes = content.kernels.iter().any(|(_, k)| Model::of(k) == Model::Lanes);
    let unit = if lanes { "ns per call (bit-sliced: EVARISTE_LANES elements)" } else { "ns per call" };
    out += &format!(
        "\nint main(void) {{\n  printf(\"%-24s %12s %12s   {unit}, least of 50 runs\\n\", \"\", \"throughput\", \"latency\");\n"
    );
    out += &versions.iter().map(|version| line(content, version)).collect::<String>();
    out += &slices::lines(content, &slices::NAMES, |name| {
        format!("  printf(\"%-24s %12.2f %12s\\n\", \"{prefix}_{name}\", measure(throughput_{name}), \"-\");\n")
    });
    out + &simd::bench_line(content) + "  return 0;\n}\n"
}

/// A version that is timed: the operation, its kernel, the end of the name, the machine code where the processor is asked
/// for it.
type Version<'a> = (&'a str, &'a Kernel, String, Option<&'a MachineCode>);

/// What is timed: the function itself and, where it may be machine code, the versions to compare: all but the best in
/// machine code, and C.
fn versions<'a>(content: &'a Content) -> Vec<Version<'a>> {
    let of_operation = |(operation, kernel): &'a (String, &'a Kernel)| {
        let other = content.machine_codes(operation).skip(1).map(|code| (code.ending(), Some(code)));
        let in_c = content.has_machine_code(operation).then(|| ("_c".to_string(), None));
        let all = std::iter::once((String::new(), None)).chain(other).chain(in_c);
        all.map(move |(version, code)| (operation.as_str(), *kernel, version, code))
    };
    content.kernels.iter().flat_map(of_operation).collect()
}

/// The line that times a version and prints what it took.
fn line(content: &Content, (operation, kernel, version, code): &Version) -> String {
    let (prefix, operation) = (content.prefix, format!("{operation}{version}"));
    let condition = code.map_or_else(String::new, |code| format!("if ({}) ", versions::runs(content, code)));
    let line = if chained(kernel).is_some() {
        format!(
            "  {condition}printf(\"%-24s %12.2f %12.2f\\n\", \"{prefix}_{operation}\", measure(throughput_{operation}), measure(latency_{operation}));\n"
        )
    } else {
        format!(
            "  {condition}printf(\"%-24s %12.2f %12s\\n\", \"{prefix}_{operation}\", measure(throughput_{operation}), \"-\");\n"
        )
    };
    guarded(content, *code, &line)
}

/// Lines on machine code, where there is any.
fn guarded(content: &Content, code: Option<&MachineCode>, lines: &str) -> String {
    let Some(code) = code else { return lines.to_string() };
    let before = if lines.starts_with('\n') { "\n" } else { "" };
    format!(
        "{before}#if {}\n{}#endif\n",
        versions::condition(content, code.program.target()),
        lines.trim_start_matches('\n')
    )
}

/// Inline functions whose results nobody uses would not run at all, and those whose operands nobody changes only once.
const LOOK: &str = "
/* Afterwards the compiler knows nothing of what an array holds. */
#if defined(__GNUC__)
#define LOOK(array) __asm__ volatile(\"\" : : \"r\"(array) : \"memory\")
#else
static void look_at(const void *array) { (void)array; }
static void (*volatile look)(const void *) = look_at;
#define LOOK(array) look(array)
#endif
";

fn loops(content: &Content, operation: &str, kernel: &Kernel, version: &str) -> String {
    let model = Model::of(kernel);
    let visible: Vec<Array> = kernel.visible().collect();
    let body = |kind: &str, place: &dyn Fn(Array) -> Array| {
        let mut out = format!("\nstatic void {kind}_{operation}{version}(unsigned long n) {{\n");
        for a in visible.iter().filter(|a| place(**a) == **a) {
            let (info, name) = (kernel.array(*a), names::array(&kernel.array(*a).name));
            out += &format!("  {} {name}[{}];\n", c_type(model, info.ty), info.len);
        }
        for a in params(kernel, false) {
            let name = names::array(&kernel.array(a).name);
            out += &format!("  memcpy({name}, {}, sizeof {name});\n", first_row(content, operation, kernel, a));
        }
        let arguments: Vec<String> = visible.iter().map(|a| names::array(&kernel.array(place(*a)).name)).collect();
        let call = format!("{}_{operation}{version}({});", content.prefix, arguments.join(", "));
        if !content.header_only {
            return out + &format!("  while (n-- > 0) {call}\n}}\n");
        }
        let names = visible.iter().filter(|a| place(**a) == **a).map(|a| names::array(&kernel.array(*a).name));
        let looks: String = names.map(|name| format!("    LOOK({name});\n")).collect();
        out + &format!("  while (n-- > 0) {{\n    {call}\n{looks}  }}\n}}\n")
    };
    let mut out = body("throughput", &|a| a);
    if let Some((written, read)) = chained(kernel) {
        out += &body("latency", &|a| if a == written { read } else { a });
    }
    out
}
