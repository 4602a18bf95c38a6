//! The package's test of constant time: every function runs under Valgrind with all that it reads marked as undefined,
//! as a compiler's uninitialised variable is. Memcheck then reports each branch and each address that depends on it
//! (Langley's `ctgrind`).
//!
//! Where nothing is reported, a run goes the same way for all inputs, and so one run of each function is enough. That
//! the marks do arrive is checked as well: the outputs must be undefined.

use evariste_ir::{Array, Kernel};

use crate::manifest::params;
use crate::notice::notice;
use crate::package::Content;
use crate::unit::Model;

use super::ct_beside;
use super::names;
use super::status;
use super::test_program::{first_row, take, versions_header};
use super::types::c_type;
use super::versions::{self, condition};

/// `ct.c`.
pub(crate) fn ct_program(content: &Content) -> String {
    let prefix = content.prefix;
    let includes = format!("#include \"{prefix}.h\"\n{}#include \"{prefix}_vectors.h\"\n", versions_header(content));
    let (kernels, kernel_calls) = kernels(content);
    let (beside, beside_calls) = ct_beside::runs(content);
    frame(content, &includes, &(take(content) + &kernels + &beside), &(kernel_calls + &beside_calls))
}

/// `ct.c` of these includes, functions that run others on secrets, and lines that call them.
pub(crate) fn frame(content: &Content, includes: &str, runs: &str, calls: &str) -> String {
    notice(content, "the functions on secrets, under Valgrind")
        + &format!(
            "
#include <stdio.h>
#include <string.h>

#if defined(__has_include)
#if __has_include(<valgrind/memcheck.h>)
#include <valgrind/memcheck.h>
#define EVARISTE_MEMCHECK 1
#endif
#endif

#ifdef EVARISTE_MEMCHECK

{includes}
static unsigned functions, failures;

/* Does a bit of the array come from what was marked? */
static int is_secret(const void *array, size_t size) {{
  const unsigned char *bytes = array;
  size_t i;
  for (i = 0; i < size; i++) {{
    unsigned char undefined = 0;
    if (VALGRIND_GET_VBITS(bytes + i, &undefined, 1) == 1 && undefined != 0) return 1;
  }}
  return 0;
}}

static void judge(const char *function, unsigned long findings, int arrived) {{
  functions++;
  if (findings != 0 || !arrived) failures++;
  if (findings != 0) printf(\"FAILED: %s: a branch or an address depends on its inputs, %lu times\\n\", function, findings);
  if (!arrived) printf(\"FAILED: %s: nothing of its inputs is in its outputs, so nothing was shown\\n\", function);
}}
{runs}
int main(void) {{
  if (!RUNNING_ON_VALGRIND) {{
    fputs(\"run_ct: it must run under Valgrind: make ct\\n\", stderr);
    return 2;
  }}
{calls}  printf(\"%u functions, %u failures: no branch and no address may depend on inputs\\n\", functions, failures);
  return failures != 0;
}}

#else

int main(void) {{
  fputs(\"run_ct: it was compiled without <valgrind/memcheck.h>: install Valgrind with its headers, then make clean ct\\n\", stderr);
  return 2;
}}

#endif
"
        )
}

/// The line that says why a function in variable time is not run.
pub(crate) fn not_run(prefix: &str, operation: &str) -> String {
    format!("  puts(\"{prefix}_{operation}: not run; it is not constant-time, as its description says\");\n")
}

/// A function for each kernel, and each status above one, that runs it, and the lines that call them.
fn kernels(content: &Content) -> (String, String) {
    let prefix = content.prefix;
    let (mut runs, mut calls) = (String::new(), String::new());
    for (operation, kernel) in &content.kernels {
        if kernel.vartime {
            calls += &not_run(prefix, operation);
            continue;
        }
        // The public function would choose by CPUID, which Valgrind answers for a processor of its own: all versions
        // are called by name. Functions beside the kernels call the public ones.
        if !content.has_machine_code(operation) {
            runs += &function(content, operation, kernel, "");
            calls += &format!("  ct_{operation}();\n");
            continue;
        }
        runs += &function(content, operation, kernel, "_c");
        calls += &format!("  ct_{operation}_c();\n");
        for code in content.machine_codes(operation) {
            let (condition, ending) = (condition(content, code.program.target()), code.ending());
            runs += &format!("\n#if {condition}{}#endif\n", function(content, operation, kernel, &ending));
            let call = format!("ct_{operation}{ending}();");
            // What few processors have Valgrind's may lack.
            calls += &match code.apart().is_empty() {
                true => format!("#if {condition}\n  {call}\n#endif\n"),
                false => format!(
                    "#if {condition}\n  if ({}) {call}\n  else puts(\"{prefix}_{operation}{ending}: not run; Valgrind's processor has not all of {}\");\n#endif\n",
                    versions::runs(content, code),
                    code.needed()
                ),
            };
        }
    }
    let (statuses, status_calls) = status::ct(content);
    (runs + &statuses, calls + &status_calls)
}

/// The run of one function: `version` is the end of its name behind the operation.
fn function(content: &Content, operation: &str, kernel: &Kernel, version: &str) -> String {
    let model = Model::of(kernel);
    let symbol = format!("{}_{operation}{version}", content.prefix);
    run(&format!("{operation}{version}"), &symbol, kernel, &|a| Spelled {
        ty: c_type(model, kernel.array(a).ty).to_string(),
        name: names::array(&kernel.array(a).name),
        row: first_row(content, operation, kernel, a),
    })
}

/// How a language writes an array: its elements' type, its name, and the first row of what it is given.
pub(crate) struct Spelled {
    pub ty: String,
    pub name: String,
    pub row: String,
}

/// A function `ct_NAME` that runs a kernel's function on secrets.
pub(crate) fn run(name: &str, symbol: &str, kernel: &Kernel, spelled: &dyn Fn(Array) -> Spelled) -> String {
    let visible: Vec<(Array, Spelled)> = kernel.visible().map(|a| (a, spelled(a))).collect();
    let mut out = format!("\nstatic void ct_{name}(void) {{\n");
    for (a, Spelled { ty, name, .. }) in &visible {
        out += &format!("  {ty} {name}[{}];\n", kernel.array(*a).len);
    }
    out += "  unsigned long before = VALGRIND_COUNT_ERRORS;\n";
    let (read, written) = (params(kernel, false), params(kernel, true));
    for (_, Spelled { name, .. }) in visible.iter().filter(|(a, _)| !read.contains(a)) {
        out += &format!("  memset({name}, 0, sizeof {name});\n");
    }
    for Spelled { name, row, .. } in read.iter().map(|a| spelled(*a)) {
        out += &format!("  memcpy({name}, {row}, sizeof {name});\n");
        out += &format!("  (void)VALGRIND_MAKE_MEM_UNDEFINED({name}, sizeof {name});\n");
    }
    let arguments: Vec<&str> = visible.iter().map(|(_, spelled)| spelled.name.as_str()).collect();
    out += &format!("  {symbol}({});\n", arguments.join(", "));
    let arrived: Vec<String> =
        written.iter().map(|a| spelled(*a).name).map(|name| format!("is_secret({name}, sizeof {name})")).collect();
    out + &format!("  judge(\"{symbol}\", VALGRIND_COUNT_ERRORS - before, {});\n}}\n", arrived.join(" || "))
}
