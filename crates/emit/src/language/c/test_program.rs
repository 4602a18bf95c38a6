//! The package's test: every vector, then again with the output in the place of each input that it may share.

use evariste_ir::{Array, ArrayKind, Kernel};

use crate::manifest::params;
use crate::notice::notice;
use crate::package::Content;
use crate::unit::Model;

use super::super::words::placements;
use super::blocks;
use super::elements;
use super::names;
use super::running;
use super::simd;
use super::slices;
use super::status;
use super::stream;
use super::types::c_type;
use super::vectors::{rows, table_name};
use super::versions::{condition, runs};

/// `test.c`.
pub(crate) fn test_program(content: &Content) -> String {
    let prefix = content.prefix;
    let mut out = notice(content, "the test");
    out += &format!(
        "
#include <stdio.h>
#include <string.h>

#include \"{prefix}.h\"
{}#include \"{prefix}_vectors.h\"

static unsigned long checks, failures;

static void expect(const char *what, unsigned row, const void *got, const void *expected, size_t size) {{
  checks++;
  if (memcmp(got, expected, size) != 0) {{
    failures++;
    printf(\"FAILED: %s, vector %u\\n\", what, row);
  }}
}}
",
        versions_header(content)
    );
    out += &take(content);
    for (operation, kernel) in &content.kernels {
        out += &test_function(content, operation, kernel, "");
        if content.has_machine_code(operation) {
            out += &test_function(content, operation, kernel, "_c");
        }
        for code in content.machine_codes(operation) {
            out += &format!("\n#if {}", condition(content, code.program.target()));
            out += &test_function(content, operation, kernel, &code.ending());
            out += "#endif\n";
        }
    }
    out + &status::tests(content).0
        + &elements::test(content)
        + &slices::test(content)
        + &blocks::test(content)
        + &stream::test(content)
        + &running::test(content)
        + &simd::test(content)
        + &main_function(content)
}

/// Runs all tests; a version in machine code where the processor has what it needs.
fn main_function(content: &Content) -> String {
    let mut out = "\nint main(void) {\n".to_string();
    if !content.machine_code.is_empty() {
        out += "  unsigned run = 0;\n";
    }
    for (operation, _) in &content.kernels {
        out += &format!("  test_{operation}();\n");
        if content.has_machine_code(operation) {
            out += &format!("  test_{operation}_c();\n");
        }
        for code in content.machine_codes(operation) {
            out += &format!(
                "#if {}\n  if ({}) test_{operation}{}(), run++;\n#endif\n",
                condition(content, code.program.target()),
                runs(content, code),
                code.ending()
            );
        }
    }
    out += &status::tests(content).1;
    if content.elements.is_some() {
        out += "  test_elements();\n";
    }
    out += &simd::main_lines(content);
    out += &slices::lines(content, &["slice"], |name| format!("  test_{name}();\n"));
    out += blocks::test_line(content);
    out += stream::test_line(content);
    out += running::test_line(content);
    if content.machine_code.is_empty() {
        out += "  printf(\"%lu checks, %lu failures\\n\", checks, failures);\n";
    } else {
        out += &format!(
            "  printf(\"%lu checks, %lu failures; %u of {} functions in machine code run here\\n\", checks, failures, run);\n",
            content.machine_code.len()
        );
    }
    out + "  return failures != 0;\n}\n"
}

/// Takes the elements of a call out of a row of 64, into an array or to compare with one; nothing without bit-sliced
/// functions. The second half of 128 elements is the row once more, by one lane further.
pub(super) fn take(content: &Content) -> String {
    let sliced = content.kernels.iter().filter(|(_, kernel)| Model::of(kernel) == Model::Lanes);
    let most = sliced.flat_map(|(_, kernel)| kernel.visible().map(|a| kernel.array(a).len)).max();
    most.map_or_else(String::new, |most| TAKE.replace("MOST_WORDS", &most.to_string()))
}

const TAKE: &str = "
static const evariste_lanes *take(const uint64_t *row, size_t length, unsigned part) {
  static evariste_lanes taken[MOST_WORDS];
  size_t i;
  unsigned h;
  for (i = 0; i < length; i++) {
    uint64_t word = row[i] >> (part * EVARISTE_PART_LANES);
    for (h = 0; h < EVARISTE_PARTS; h++, word = word << 1 | word >> 63) EVARISTE_PART(taken[i], h) = (evariste_part)word;
  }
  return taken;
}
";

/// Part 0 of the first row of a table, or the row itself where elements are not bit-sliced.
pub(super) fn first_row(content: &Content, operation: &str, kernel: &Kernel, a: Array) -> String {
    let row = format!("{}[0]", table_name(content, operation, kernel, a, false));
    if Model::of(kernel) == Model::Lanes { format!("take({row}, {}, 0)", kernel.array(a).len) } else { row }
}

/// The includes that declare versions of functions, where there are several.
pub(super) fn versions_header(content: &Content) -> String {
    let both = format!("#include \"{}_versions.h\"\n", content.prefix);
    simd::include(content) + if content.machine_code.is_empty() { "" } else { &both }
}

/// The test of one function: `version` is the end of its name behind the operation. Bit-sliced functions are called for
/// each part of a row of 64 vectors.
fn test_function(content: &Content, operation: &str, kernel: &Kernel, version: &str) -> String {
    let model = Model::of(kernel);
    let rows = rows(content, operation);
    let mut out = format!("\nstatic void test_{operation}{version}(void) {{\n  unsigned row;\n");
    let (opening, closing) = match model {
        Model::Lanes => (
            format!(
                "  for (row = 0; row < {rows}; row++) {{\n    unsigned part;\n    for (part = 0; part < 64 / EVARISTE_PART_LANES; part++) {{\n"
            ),
            "    }\n  }\n}\n",
        ),
        Model::Words => (format!("  for (row = 0; row < {rows}; row++) {{\n"), "  }\n}\n"),
    };
    out += &opening;
    let given = |a: Array, written: bool| {
        let row = format!("{}[row]", table_name(content, operation, kernel, a, written));
        if model == Model::Lanes { format!("take({row}, {}, part)", kernel.array(a).len) } else { row }
    };
    for placement in placements(kernel) {
        out += "    {\n";
        let label = match placement {
            None => format!("{operation}{version}"),
            Some((w, r)) => format!("{operation}{version} with {} = {}", kernel.array(w).name, kernel.array(r).name),
        };
        let visible: Vec<Array> = kernel.visible().collect();
        let place = |a: Array| match placement {
            Some((written, read)) if a == written => read,
            _ => a,
        };
        for info in visible.iter().filter(|a| place(**a) == **a).map(|a| kernel.array(*a)) {
            out += &format!("      {} {}[{}];\n", c_type(model, info.ty), names::array(&info.name), info.len);
        }
        for a in visible.iter().filter(|a| place(**a) == **a) {
            let (info, name) = (kernel.array(*a), names::array(&kernel.array(*a).name));
            out += &match info.kind {
                ArrayKind::Output => format!("      memset({name}, 0xa5, sizeof {name});\n"),
                _ => format!("      memcpy({name}, {}, sizeof {name});\n", given(*a, false)),
            };
        }
        let arguments: Vec<String> = visible.iter().map(|a| names::array(&kernel.array(place(*a)).name)).collect();
        out += &format!("      {}_{operation}{version}({});\n", content.prefix, arguments.join(", "));
        for a in params(kernel, true) {
            let name = names::array(&kernel.array(place(a)).name);
            out += &format!("      expect(\"{label}\", row, {name}, {}, sizeof {name});\n", given(a, true));
        }
        for a in params(kernel, false) {
            // What is only read must come back as it was.
            let taken = placement.is_some_and(|(_, read)| read == a);
            if kernel.array(a).kind == ArrayKind::Input && !taken {
                let name = names::array(&kernel.array(a).name);
                out += &format!(
                    "      expect(\"{label}: input {name}\", row, {name}, {}, sizeof {name});\n",
                    given(a, false)
                );
            }
        }
        out += "    }\n";
    }
    out + closing
}
