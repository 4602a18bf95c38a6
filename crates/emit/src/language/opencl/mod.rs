//! OpenCL C 1.2: functions of one element, kernels over arrays of elements, and a program in C that runs every known answer
//! and measures on the first device that there is.

use super::device::{
    Dialect, Host, MACHINE, TABLE_BYTES, files, readme_of_bytes, signature, source, test_lines, usage, vectors,
};
use super::row::{Language, MAKE};
use super::words::{Page, readme};
use crate::error::EmitError;
use crate::manifest::manifest;
use crate::notice::notice;
use crate::package::{Content, File, PackageSpec};
use crate::source::{DeviceSource, Function};
use crate::unit::{self, Named, Words};

/// Its line in the table.
pub const OPENCL: Language = Language {
    name: "opencl",
    about: "OpenCL C 1.2: functions of one element, kernels over arrays of them, a host in C",
    extension: "cl",
    machine_code: false,
    has_arrays: false,
    faces: &[],
    module: None,
    floats: true,
    is_c: false,
    machine: Some(MACHINE),
    table_bytes: Some(TABLE_BYTES),
    tools: &["make", "cc", "clinfo"],
    test: MAKE,
    package,
};

/// The names that kernels cannot use.
#[rustfmt::skip]
const WORDS: Words = Words {
    language: "OpenCL C",
    reserved: &[
        "auto", "bool", "break", "case", "char", "complex", "const", "constant", "continue", "default", "do", "double",
        "else", "enum", "event_t", "extern", "false", "float", "for", "global", "goto", "half", "if", "imaginary",
        "inline", "int", "kernel", "local", "long", "main", "mul_hi", "private", "quad", "read_only", "read_write",
        "register", "restrict", "return", "sampler_t", "short", "signed", "size_t", "sizeof", "static", "struct",
        "switch", "true", "typedef", "uchar", "uint", "ulong", "union", "unsigned", "ushort", "void", "volatile",
        "while", "write_only", "i", "j", "k", "l", "e",
    ],
    beginnings: &[
        "barrier_", "mask_", "add_", "sub_", "mul_", "madd_", "equal_", "less_", "select_", "shift_", "rotate_",
        "carryless_", "rijndael_", "bit_", "lookup_", "wrap_", "ring_", "evariste_", "table_", "chain_", "get_",
    ],
};

static DIALECT: Dialect = Dialect {
    words: &WORDS,
    types: ["uchar", "ushort", "uint", "ulong"],
    suffix: "ul",
    function: "static",
    table: "__constant const",
    tables_first: true,
    kernel: ["__kernel", "__global "],
    thread: ["ulong", "get_global_id(0)"],
    arithmetic: "
#ifndef EVARISTE_ARITHMETIC
#define EVARISTE_ARITHMETIC

static ulong mul_wide_64(ulong a, ulong b, ulong *high) {
  *high = mul_hi(a, b);
  return a * b;
}

/* low + 2^64 high = a b + c + d */
static ulong mul_add_add_64(ulong a, ulong b, ulong c, ulong d, ulong *high) {
  ulong s = a * b + c;
  ulong t = s + d;
  *high = mul_hi(a, b) + (ulong)(s < c) + (ulong)(t < d);
  return t;
}

/* sum + 2^64 carry = a + b + c */
static ulong add_carry_64(ulong a, ulong b, ulong c, ulong *carry) {
  ulong s = a + b;
  ulong t = s + c;
  *carry = (ulong)(s < a) | (ulong)(t < s);
  return t;
}

/* difference - 2^64 borrow = a - b - c */
static ulong sub_borrow_64(ulong a, ulong b, ulong c, ulong *borrow) {
  ulong s = a - b;
  ulong t = s - c;
  *borrow = (ulong)(a < b) | (ulong)(s < c);
  return t;
}

#endif
",
    chain: Some("defined(__NV_CL_C_VERSION)"),
};

/// How functions of the host run kernels.
static HOST: Host = Host {
    includes: "\n#include <CL/cl.h>\n",
    parameter: "const PREFIX_place *place, ",
    argument: "place, ",
    in_test: "&place, ",
    knows_types: false,
    run: include_str!("run.h"),
    line: |_, name, arrays, numbers| format!("    {{\"PREFIX_{name}_many\", {}, {numbers}}},\n", arrays.len()),
    readme: "`place` is a context, a queue of one of its devices and the program that `PREFIX.cl` is there, which kernels of your own can be part of: `PREFIX_place place = {context, queue, program};`. `CL/cl.h` is all that is included, and memory is what `clCreateBuffer` gives.",
    fence: "c",
};

/// Kernels as one text, `prefix_k` and `prefix_k_many` each.
pub(crate) fn program(kernels: &[Named], prefix: &str) -> Result<DeviceSource, EmitError> {
    let content = Content { prefix, kernels: kernels.to_vec(), ..Content::default() };
    let function = |(operation, kernel): &Named| Function {
        symbol: format!("{prefix}_{operation}_many"),
        parameters: unit::parameters(kernel, &WORDS),
    };
    Ok(DeviceSource { text: source(&DIALECT, &content)?, functions: kernels.iter().map(function).collect() })
}

/// The package of a specification.
fn package(spec: &PackageSpec) -> Result<Vec<File>, EmitError> {
    of_content(&spec.content())
}

pub(crate) fn of_content(content: &Content) -> Result<Vec<File>, EmitError> {
    let prefix = content.prefix;
    let file = |path: String, text: String| File { path, text };
    let host = |what: &str, text: &str| notice(content, what) + "\n" + &text.replace("PREFIX", prefix);
    let page = Page { usage: how(content), fence: "c", more: readme_of_bytes(content, &HOST) };
    let signature = |operation: &str, kernel: &_| signature(&DIALECT, &format!("{prefix}_{operation}"), kernel);
    let includes = format!("#include \"{prefix}_bytes.h\"\n");
    let place = "static PREFIX_place place;\n\n".replace("PREFIX", prefix);
    let test = include_str!("test.c")
        .replace("/* BYTES */\n", &test_lines(content, &format!("{place}#include \"bytes_test.h\"\n\n")))
        .replace("/* INCLUDES */\n", &test_lines(content, &includes))
        .replace(
            "  /* TEST */\n",
            &test_lines(
                content,
                "  place.context = context, place.queue = queue, place.program = program;\n  test_bytes();\n",
            ),
        );
    let mut all = vec![
        file(format!("{prefix}.cl"), notice(content, "the functions and kernels") + &source(&DIALECT, content)?),
        file(format!("{prefix}_vectors.h"), vectors(content)?),
        file("host.h".into(), host("the device", include_str!("host.h"))),
        file("test.c".into(), host("the test", &test)),
        file("bench.c".into(), host("the benchmark", include_str!("bench.c"))),
        file("Makefile".into(), include_str!("Makefile.txt").replace("PREFIX", prefix)),
        file("README.md".into(), readme(content, &page, signature)),
        manifest(content)?,
    ];
    all.extend(files(content, &HOST));
    Ok(all)
}

/// The readme's paragraphs on use.
fn how(content: &Content) -> String {
    format!(
        "Build `{prefix}.cl` at run time (`-cl-std=CL1.2`), alone or in front of kernels of your own. Nothing but OpenCL C 1.2 is needed: words of 64 bits, no extension.\n\n\
         `make test` runs every known answer on the first device that is found, `make bench` measures there.\n\n{}",
        usage(content),
        prefix = content.prefix
    )
}
