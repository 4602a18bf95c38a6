//! WebAssembly through C: the functions in C with words of 32 bits, whose products are integers of 64 bits as the machine
//! has them, a makefile that compiles them by clang, and a JavaScript module that loads the result and takes arrays of words
//! or integers of any size (`BigInt`).

mod blocks;
mod message;
mod stream;

use evariste_ir::{Array, ArrayKind, Kernel, Machine};
use num_bigint::BigInt;

use super::c;
use super::row::{Language, MAKE};
use super::words::{Page, Shape, placements, readme};
use crate::error::EmitError;
use crate::manifest::{manifest, params};
use crate::notice::notice;
use crate::package::{Content, File, PackageSpec};
use crate::unit::Model;

/// Its line in the table.
pub const WASM: Language = Language {
    name: "wasm",
    about: "WebAssembly: C for clang, and a JavaScript module on arrays of words and BigInt",
    extension: "mjs",
    machine_code: false,
    has_arrays: false,
    faces: &[],
    module: None,
    floats: false,
    is_c: false,
    machine: Some(Machine::C32_WIDE),
    table_bytes: None,
    tools: &["make", "clang", "wasm-ld", "node"],
    test: MAKE,
    package,
};

/// The package of a specification.
fn package(spec: &PackageSpec) -> Result<Vec<File>, EmitError> {
    of_content(&spec.content())
}

pub(crate) fn of_content(content: &Content) -> Result<Vec<File>, EmitError> {
    if content.kernels.is_empty() {
        return Err(EmitError::NoKernels);
    }
    let wide = |k: &Kernel| k.arrays.iter().any(|a| a.ty.bits() > 64);
    for (_, kernel) in &content.kernels {
        let what = match () {
            // What rounds a product and a sum at once is a function of a library.
            () if kernel.uses_floats() => "a function of floating-point numbers",
            () if wide(kernel) => "an array of double words",
            () => continue,
        };
        let (kernel, what) = (kernel.name.clone(), what.to_string());
        let help = "take `--lang c`, or a layout and a plan of words";
        return Err(EmitError::Unsupported { kernel, what, language: "WebAssembly", help });
    }
    let prefix = content.prefix;
    let file = |path: String, text: String| File { path, text };
    let page = Page {
        usage: usage(content),
        fence: "js",
        more: blocks::readme(content) + stream::readme(content) + &message::readme(content),
    };
    let mut files = c::package::library(content)?;
    files.extend([
        file("string.h".into(), notice(content, "copies without a library") + STRING),
        file(format!("{prefix}.mjs"), notice(content, "the module") + &module(content)),
        file(
            "test.mjs".into(),
            program(
                content,
                "the test",
                &include_str!("test.mjs").replace(
                    "// BUFFERS\n",
                    &[blocks::test(content), stream::test(content), message::test(content)].concat(),
                ),
            ),
        ),
        file("bench.mjs".into(), program(content, "the benchmark", include_str!("bench.mjs"))),
        file("Makefile".into(), include_str!("Makefile.txt").replace("PREFIX", prefix)),
        file("README.md".into(), readme(content, &page, signature)),
        manifest(content)?,
    ]);
    Ok(files)
}

/// clang writes copies of known length as instructions.
const STRING: &str = "
#ifndef EVARISTE_STRING_H
#define EVARISTE_STRING_H
#define memcpy __builtin_memcpy
#define memset __builtin_memset
#endif
";

fn program(content: &Content, what: &str, text: &str) -> String {
    notice(content, what) + "\n" + &text.replace("PREFIX", content.prefix)
}

/// How a function is called in JavaScript: what is read is given, what is written is the result.
fn signature(operation: &str, kernel: &Kernel) -> String {
    let names = |all: Vec<Array>| all.iter().map(|a| kernel.array(*a).name.clone()).collect::<Vec<_>>().join(", ");
    format!("const [{}] = field.words.{operation}({});", names(params(kernel, true)), names(params(kernel, false)))
}

/// What the module knows of the functions: bits and lengths of parameters, and which may share memory.
fn functions(content: &Content) -> String {
    let mut out = "\n/** Parameters in calling order: name, role, bits of a word, words; which written one may lie on which read one. */\nexport const FUNCTIONS = {\n".to_string();
    for (operation, kernel) in &content.kernels {
        let model = Model::of(kernel);
        let visible: Vec<Array> = kernel.visible().collect();
        let parameter = |a: &Array| {
            let info = kernel.array(*a);
            let role = match info.kind {
                ArrayKind::Input => "in",
                ArrayKind::Output => "out",
                _ => "in-out",
            };
            format!("[\"{}\", \"{role}\", {}, {}]", info.name, 8 * model.element_bytes(info.ty), info.len)
        };
        let at = |a: Array| visible.iter().position(|b| *b == a).unwrap_or(0);
        let shares: Vec<String> =
            placements(kernel).into_iter().flatten().map(|(w, r)| format!("[{}, {}]", at(w), at(r))).collect();
        let parameters: Vec<String> = visible.iter().map(parameter).collect();
        out += &format!(
            "  \"{operation}\": {{ lanes: {}, parameters: [{}], shares: [{}] }},\n",
            model == Model::Lanes,
            parameters.join(", "),
            shares.join(", ")
        );
    }
    out + "};\n"
}

/// The elements of a field of numbers and the operations that take and give them.
fn elements(content: &Content) -> String {
    let what = "\n/** The numbers that elements are, and the operations that take and give one array of words; null where they are none. */\n";
    let shape = Shape::of(content).and_then(|shape| Some((shape, shape.numbers?)));
    let Some((shape, numbers)) = shape else { return format!("{what}export const ELEMENTS = null;\n") };
    let ends = numbers.weights.iter().skip(1).map(|w| Some(*w)).chain([None]);
    let widths: Vec<String> = numbers
        .weights
        .iter()
        .zip(ends)
        .map(|(from, to)| to.map_or("null".into(), |to| (to - from).to_string()))
        .collect();
    let weights: Vec<String> = numbers.weights.iter().map(u32::to_string).collect();
    let methods: Vec<String> =
        shape.methods().map(|m| format!("[\"{}\", \"{}\", {}]", m.name, m.operation, m.operands)).collect();
    let big = |x: &BigInt| format!("{x:#x}n");
    format!(
        "{what}export const ELEMENTS = {{\n  modulus: {},\n  factor: {},\n  bits: {},\n  weights: [{}],\n  widths: [{}],\n  methods: [{}],\n}};\n",
        big(&numbers.modulus),
        big(&numbers.factor),
        shape.bits,
        weights.join(", "),
        widths.join(", "),
        methods.join(", ")
    )
}

fn module(content: &Content) -> String {
    functions(content)
        + &elements(content)
        + &blocks::module(content)
        + &stream::module(content)
        + &message::module(content)
        + "\n"
        + &include_str!("module.mjs").replace("PREFIX", content.prefix)
}

/// The readme's paragraphs on use.
fn usage(content: &Content) -> String {
    let prefix = content.prefix;
    let mut out = format!(
        "`make` compiles `{prefix}.c` to `{prefix}.wasm` by clang and lld, `make test` runs every known answer by Node, `make bench` measures.\n\n\
         ```js\nimport {{ load }} from \"./{prefix}.mjs\";\nconst field = await load(); // or of the bytes of {prefix}.wasm\n```\n\n\
         `field.words` has each function on arrays of words, lowest first: numbers where words have up to 32 bits, `BigInt` where they have 64. `field.exports` are the functions on addresses in `field.memory`, for loops without copies. The module keeps no state between calls but its memory; nothing is allocated.\n"
    );
    if Shape::of(content).is_some_and(|shape| shape.numbers.is_some()) {
        out += "\n`field.toWords` and `field.toBigInt` convert, and `field.numbers` has the operations on elements as functions of `BigInt`. Arithmetic of `BigInt` takes time that tells of its operands; the functions themselves branch on no data and use no address that depends on data, unless their name says `vartime`.\n";
    }
    if content.kernels.iter().any(|(_, kernel)| Model::of(kernel) == Model::Lanes) {
        out += "\nBit-sliced functions compute 64 elements at once: bit k of every word belongs to element k.\n";
    }
    out
}
