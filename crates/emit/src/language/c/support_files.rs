//! Makefile and readme.

use crate::asm::ending;
use crate::describe::facts;
use crate::notice::LICENCE;
use crate::package::Content;
use crate::unit::Model;

use super::blocks;
use super::by_name;
use super::elements;
use super::running;
use super::simd;
use super::slices;
use super::status;
use super::stream;

/// `Makefile`: targets `all test bench verify ct clean`; `CC`, `CFLAGS`, `RUN` and `VALGRIND` can be given. With machine code
/// there is one source file more.
pub(crate) fn makefile(content: &Content) -> String {
    let prefix = content.prefix;
    let machine_code = content.target().map(|target| {
        let (versions, file) = (format!(" {prefix}_versions.h"), prefix.to_string() + &ending(target));
        let rule = format!("{file}.o: {file}.S{versions}\n\t$(CC) $(CFLAGS) -c -o $@ {file}.S\n\n");
        (versions, format!(" {file}.o"), rule, " of the C functions")
    });
    let (versions, assembly_object, assembly_rule, of_the_c_functions) = machine_code.unwrap_or_default();
    let Compiled { source, object, all, rule } = compiled(content, &versions);
    let [array_object, array_header, array_rule] = array_files(content);
    // A multiply-add of doubles is a function of the mathematical library where the processor has none.
    let libraries = if content.kernels.iter().any(|(_, kernel)| kernel.uses_floats()) { " -lm" } else { "" };
    format!(
        "# {}. Targets: all, test, bench, verify, ct, clean. CC and CFLAGS can be given: make CC=clang CFLAGS=-O2 test
# RUN runs what was compiled for another processor: make CC=CROSS_COMPILER CFLAGS=-static RUN=EMULATOR test
CC ?= cc
CFLAGS ?= -O3
VALGRIND ?= valgrind
WARNINGS = -std=c99 -Wall -Wextra
OBJECTS ={object}{assembly_object}{array_object}
HEADERS = {prefix}_vectors.h{versions}{array_header} {prefix}.h

all: {all}

{rule}{assembly_rule}{array_rule}run_test: test.c $(HEADERS) $(OBJECTS)
\t$(CC) $(WARNINGS) $(CFLAGS) -o $@ test.c $(OBJECTS){libraries}

run_verify: test.c $(HEADERS){source}{assembly_object}{array_object}
\t$(CC) $(WARNINGS) $(CFLAGS) -DEVARISTE_VERIFY -o $@ test.c{source}{assembly_object}{array_object}{libraries}

run_bench: bench.c $(HEADERS) $(OBJECTS)
\t$(CC) $(WARNINGS) $(CFLAGS) -o $@ bench.c $(OBJECTS){libraries}

run_ct: ct.c $(HEADERS) $(OBJECTS)
\t$(CC) $(WARNINGS) $(CFLAGS) -o $@ ct.c $(OBJECTS){libraries}

test: run_test
\t$(RUN) ./run_test

bench: run_bench
\t$(RUN) ./run_bench

# The test with every proved bound{of_the_c_functions} checked at run time.
verify: run_verify
\t$(RUN) ./run_verify

# Every function under Valgrind with its inputs marked as secret: no branch and no address may depend on them.
ct: run_ct
\t@command -v $(VALGRIND) >/dev/null 2>&1 || {{ echo \"make ct: there is no $(VALGRIND): install Valgrind\" >&2; exit 1; }}
\t$(VALGRIND) -q --error-limit=no --expensive-definedness-checks=yes ./run_ct

clean:
\trm -f $(OBJECTS) run_test run_verify run_bench run_ct

.PHONY: all test bench verify ct clean
",
        content.title.replace(['\n', '\r', '\\'], " ")
    )
}

/// Of functions on arrays the object, the header and the rule; nothing without such functions.
fn array_files(content: &Content) -> [String; 3] {
    if !simd::has_arrays(content) {
        return Default::default();
    }
    let name = format!("{}_arrays", content.prefix);
    let rule = format!(
        "{name}.o: {name}.c {name}.h {}.h\n\t$(CC) $(WARNINGS) $(CFLAGS) -c -o $@ {name}.c\n\n",
        content.prefix
    );
    [format!(" {name}.o"), format!(" {name}.h"), rule]
}

/// What the functions are compiled from and to, and how: nothing, where they are inline.
struct Compiled {
    source: String,
    object: String,
    all: &'static str,
    rule: String,
}

fn compiled(content: &Content, versions: &str) -> Compiled {
    let prefix = content.prefix;
    if content.header_only {
        return Compiled { source: String::new(), object: String::new(), all: "run_test", rule: String::new() };
    }
    let rule =
        format!("{prefix}.o: {prefix}.c {prefix}.h{versions}\n\t$(CC) $(WARNINGS) $(CFLAGS) -c -o $@ {prefix}.c\n\n");
    Compiled { source: format!(" {prefix}.c"), object: format!(" {prefix}.o"), all: "$(OBJECTS)", rule }
}

/// `README.md`.
pub(super) fn readme(content: &Content) -> String {
    let prefix = content.prefix;
    let mut out = format!("# {}\n\n{}\n\n", content.title, content.description.trim());
    out +=
        &format!("Written by Evariste from kernels that were proved correct, with\n\n    {}\n\n", content.command_line);
    let files = if content.header_only {
        format!(
            "Include `{prefix}.h`: all functions are `static inline`, in C99 and C++, beside other such headers too;"
        )
    } else {
        format!("Add `{prefix}.c` and `{prefix}.h` to a program: C99,")
    };
    out += &format!(
        "## Use\n\n{files} nothing but `stdint.h`, no allocation. The words of a number come lowest first.\n\n\
         ```sh\nmake test      # every known answer in {prefix}_vectors.h, also with outputs in the place of inputs\n\
         make verify    # the same with every proved bound checked at run time (-DEVARISTE_VERIFY)\n\
         make bench     # nanoseconds per call on this machine\n\
         make ct        # every function under Valgrind, its inputs marked as secret: no branch and no address may depend on them\n```\n\n\
         `CC` and `CFLAGS` can be given. On {}, gcc and clang are told of carries and conditional moves by name; `-DEVARISTE_PORTABLE` prints plain C only.\n\n\
         The functions branch on no data and use no address that depends on data, unless their description says so; compilers are kept from\n\
         re-introducing branches by barriers. Registers and stack are not wiped.\n",
        by_name::processors()
    );
    if content.header_only && content.kernels.iter().any(|(_, kernel)| Model::of(kernel) == Model::Words) {
        out += INLINE_OPTIONS;
    }
    out + &functions(content)
}

/// What a file of functions says for itself, and a header leaves to the user.
const INLINE_OPTIONS: &str = "
With gcc, compile with `-fno-tree-slp-vectorize`: from -O2 on, gcc gathers the words of a result into vectors before it stores them,
and a subtraction whose result is used next takes up to two and a half times as long (gcc 12.2, Zen 4: 5.7 in place of 2.2 ns for p256).
Products are as fast either way. Other compilers were not measured.
";

/// The end of a readme: each function's contract, notes, licence.
pub(crate) fn functions(content: &Content) -> String {
    let prefix = content.prefix;
    let mut out = elements::readme(content)
        + &status::readme(content)
        + &blocks::readme(content)
        + &stream::readme(content)
        + &running::readme(content)
        + "\n## Functions\n";
    for (operation, kernel) in &content.kernels {
        let symbol = format!("{prefix}_{operation}");
        out += &format!(
            "\n### `{symbol}`\n\n```c\n{};\n```\n\nKernel `{}`.\n\n",
            elements::typed_signature(content, operation, kernel),
            kernel.name
        );
        for fact in
            facts(kernel).into_iter().chain(elements::form(content, operation)).chain(status::note(content, operation))
        {
            out += &format!("    {fact}\n");
        }
    }
    out += &simd::readme(content);
    out += &slices::readme(content);
    if !content.notes.is_empty() {
        out += "\n## Notes\n";
        for note in content.notes {
            out += &format!("\n{note}\n");
        }
    }
    out + &format!("\n## Licence\n\n0BSD.\n\n{LICENCE}\n")
}
