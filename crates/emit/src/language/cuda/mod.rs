//! CUDA C++: functions of one element for the device and the host, and kernels over arrays of elements. The same text is C++
//! for a processor alone: a small header stands for what nvcc brings, so that tests run without a GPU.

use evariste_ir::{Carries, Kernel, Machine};

use super::device::{
    Dialect, Host, MACHINE, TABLE_BYTES, files, readme_of_bytes, signature, source, test_lines, usage, vectors,
};
use super::row::{Language, MAKE};
use super::words::{Page, readme};
use crate::error::EmitError;
use crate::manifest::manifest;
use crate::notice::notice;
use crate::package::{Content, File, PackageSpec};
use crate::unit::Words;

/// Its line in the table.
pub const CUDA: Language = Language {
    name: "cuda",
    about: "CUDA C++: functions for device and host, kernels over arrays of elements",
    extension: "cuh",
    machine_code: false,
    has_arrays: false,
    faces: &[],
    module: None,
    floats: true,
    is_c: false,
    machine: Some(Machine { carries: Carries::Chained, ..MACHINE }),
    table_bytes: Some(TABLE_BYTES),
    tools: &["make", "c++"],
    test: MAKE,
    package,
};

/// The names that kernels cannot use.
#[rustfmt::skip]
const WORDS: Words = Words {
    language: "CUDA C++",
    reserved: &[
        "alignas", "alignof", "and", "asm", "auto", "bool", "break", "case", "catch", "char", "class", "const",
        "constexpr", "continue", "decltype", "default", "delete", "do", "double", "else", "enum", "explicit", "export",
        "extern", "false", "float", "for", "friend", "goto", "if", "inline", "int", "long", "main", "mutable",
        "namespace", "new", "noexcept", "not", "nullptr", "operator", "or", "private", "protected", "public", "register",
        "return", "short", "signed", "sizeof", "static", "struct", "switch", "template", "this", "throw", "true", "try",
        "typedef", "typeid", "typename", "typeof", "union", "unsigned", "using", "virtual", "void", "volatile", "while",
        "xor", "i", "j", "k", "l", "e",
    ],
    beginnings: &[
        "barrier_", "mask_", "add_", "sub_", "mul_", "madd_", "equal_", "less_", "select_", "shift_", "rotate_",
        "carryless_", "rijndael_", "bit_", "lookup_", "wrap_", "ring_", "evariste_", "table_", "chain_", "uint",
    ],
};

static DIALECT: Dialect = Dialect {
    words: &WORDS,
    types: ["uint8_t", "uint16_t", "uint32_t", "uint64_t"],
    suffix: "ull",
    function: "EVARISTE_BOTH",
    table: "static const",
    tables_first: false,
    kernel: ["static __global__", ""],
    thread: ["size_t", "(size_t)blockIdx.x * blockDim.x + threadIdx.x"],
    arithmetic: include_str!("arithmetic.cuh"),
    chain: Some("defined(__CUDA_ARCH__)"),
};

/// How functions of the host run kernels.
static HOST: Host = Host {
    includes: "\n#include \"PREFIX.cuh\"\n#include \"launch.h\"\n",
    parameter: "",
    argument: "",
    in_test: "",
    knows_types: true,
    run: include_str!("run.h"),
    line: launch,
    readme: "Memory is what `cudaMalloc` gives, on the current device.",
    fence: "cpp",
};

/// A case that launches a kernel.
fn launch(number: usize, name: &str, arrays: &[String], numbers: usize) -> String {
    let arrays = arrays.iter().enumerate().map(|(i, ty)| format!("({ty} *)p[{i}]"));
    let numbers = (0..numbers).map(|i| format!("(size_t)numbers[{i}]"));
    let all: Vec<String> = arrays.chain(numbers).chain(["count".to_string()]).collect();
    format!(
        "      case {number}:\n        EVARISTE_LAUNCH(PREFIX_{name}_many, count, {});\n        break;\n",
        all.join(", ")
    )
}

/// The package of a specification.
fn package(spec: &PackageSpec) -> Result<Vec<File>, EmitError> {
    of_content(&spec.content())
}

pub(crate) fn of_content(content: &Content) -> Result<Vec<File>, EmitError> {
    let prefix = content.prefix;
    let guard = format!("{}_CUH", prefix.to_ascii_uppercase());
    let file = |path: String, text: String| File { path, text };
    let host = |what: &str, text: &str| {
        notice(content, what) + "\n" + &text.replace("PREFIX", prefix).replace("CALLS\n", &calls(content))
    };
    let page = Page { usage: how(content), fence: "cpp", more: readme_of_bytes(content, &HOST) };
    let signature = |operation: &str, kernel: &Kernel| signature(&DIALECT, &format!("{prefix}_{operation}"), kernel);
    let functions = source(&DIALECT, content)?;
    let header = format!("\n#ifndef {guard}\n#define {guard}\n{functions}\n#endif\n");
    let test = include_str!("test.cu")
        .replace("/* BYTES */\n", &test_lines(content, "#include \"bytes_test.h\"\n\n"))
        .replace("/* INCLUDES */\n", &test_lines(content, &format!("#include \"{prefix}_bytes.h\"\n")))
        .replace("  /* TEST */\n", &test_lines(content, "  test_bytes();\n"));
    let mut all = vec![
        file(format!("{prefix}.cuh"), notice(content, "the functions and kernels") + &header),
        file(format!("{prefix}_vectors.h"), vectors(content)?),
        file("without_gpu.h".into(), host("what stands for CUDA on a processor", include_str!("without_gpu.h"))),
        file("launch.h".into(), host("launches of kernels", include_str!("launch.h"))),
        file("calls.h".into(), host("calls of functions and kernels by their number", include_str!("calls.h"))),
        file("test.cu".into(), host("the test", &test)),
        file("bench.cu".into(), host("the benchmark", include_str!("bench.cu"))),
        file("Makefile".into(), include_str!("Makefile.txt").replace("PREFIX", prefix)),
        file("README.md".into(), readme(content, &page, signature)),
        manifest(content)?,
    ];
    all.extend(files(content, &HOST));
    Ok(all)
}

/// A case for each function: its own call, or the launch of its kernel.
fn calls(content: &Content) -> String {
    let mut out = String::new();
    for (at, (operation, kernel)) in content.kernels.iter().enumerate() {
        let symbol = format!("{}_{operation}", content.prefix);
        let passed: Vec<String> = super::device::pointers(&DIALECT, kernel, "p");
        let passed = passed.join(", ");
        out += &format!(
            "    case {at}:\n      if (many) EVARISTE_LAUNCH({symbol}_many, n, {passed}, n);\n      else {symbol}({passed});\n      break;\n"
        );
    }
    out
}

/// The readme's paragraphs on use.
fn how(content: &Content) -> String {
    format!(
        "Include `{prefix}.cuh` in CUDA C++ 11 or later: functions are `__host__ __device__`, kernels `static __global__`. On the device, products and carries are PTX; on the host they are integers of 128 bits (gcc, clang).\n\n\
         `make test` compiles functions and kernels as C++ for the processor and runs every known answer by both; `make test-gpu` and `make bench-gpu` do so by nvcc on a GPU, `make bench` measures the functions on the processor.\n\n{}",
        usage(content),
        prefix = content.prefix
    )
}
