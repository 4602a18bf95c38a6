//! Makefile and readme.

use crate::package::Content;

use super::facts;
use super::function::signature;
use super::package::LICENCE;

/// `Makefile`: targets `all test bench clean`; `CC` and `CFLAGS` can be given.
pub(super) fn makefile(content: &Content) -> String {
    let prefix = content.prefix;
    format!(
        "# {}. Targets: all, test, bench, verify, clean. CC and CFLAGS can be given: make CC=clang CFLAGS=-O2 test
CC ?= cc
CFLAGS ?= -O3
WARNINGS = -std=c99 -Wall -Wextra

all: {prefix}.o

{prefix}.o: {prefix}.c {prefix}.h
\t$(CC) $(WARNINGS) $(CFLAGS) -c -o $@ {prefix}.c

run_test: test.c {prefix}_vectors.h {prefix}.h {prefix}.o
\t$(CC) $(WARNINGS) $(CFLAGS) -o $@ test.c {prefix}.o

run_verify: test.c {prefix}_vectors.h {prefix}.h {prefix}.c
\t$(CC) $(WARNINGS) $(CFLAGS) -DEVARISTE_VERIFY -o $@ test.c {prefix}.c

run_bench: bench.c {prefix}_vectors.h {prefix}.h {prefix}.o
\t$(CC) $(WARNINGS) $(CFLAGS) -o $@ bench.c {prefix}.o

test: run_test
\t./run_test

bench: run_bench
\t./run_bench

# The test with every proved bound checked at run time.
verify: run_verify
\t./run_verify

clean:
\trm -f {prefix}.o run_test run_verify run_bench

.PHONY: all test bench verify clean
",
        content.title.replace(['\n', '\r', '\\'], " ")
    )
}

/// `README.md`.
pub(super) fn readme(content: &Content) -> String {
    let prefix = content.prefix;
    let mut out = format!("# {}\n\n{}\n\n", content.title, content.description.trim());
    out += &format!("Written by Evariste from kernels that were proved correct, with\n\n    {}\n\n", content.command_line);
    out += &format!(
        "## Use\n\nAdd `{prefix}.c` and `{prefix}.h` to a program: C99, nothing but `stdint.h`, no allocation. The words of a number come lowest first.\n\n\
         ```sh\nmake test      # every known answer in {prefix}_vectors.h, also with outputs in the place of inputs\n\
         make verify    # the same with every proved bound checked at run time (-DEVARISTE_VERIFY)\n\
         make bench     # nanoseconds per call on this machine\n```\n\n\
         `CC` and `CFLAGS` can be given. On x86-64, gcc and clang are told of carries and conditional moves by name; `-DEVARISTE_PORTABLE` prints plain C only.\n\n\
         The functions branch on no data and use no address that depends on data, unless their description says so; compilers are kept from\n\
         re-introducing branches by barriers. Registers and stack are not wiped.\n"
    );
    out + &functions(content)
}

/// The end of a readme: each function's contract, notes, licence.
pub(crate) fn functions(content: &Content) -> String {
    let prefix = content.prefix;
    let mut out = "\n## Functions\n".to_string();
    for (operation, kernel) in &content.kernels {
        let symbol = format!("{prefix}_{operation}");
        out += &format!("\n### `{symbol}`\n\n```c\n{};\n```\n\nKernel `{}`.\n\n", signature(kernel, &symbol, false), kernel.name);
        for fact in facts(kernel) {
            out += &format!("    {fact}\n");
        }
    }
    if !content.notes.is_empty() {
        out += "\n## Notes\n";
        for note in content.notes {
            out += &format!("\n{note}\n");
        }
    }
    out + &format!("\n## Licence\n\n0BSD.\n\n{LICENCE}\n")
}
