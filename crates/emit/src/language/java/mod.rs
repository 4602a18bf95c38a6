//! Java 17: one final class of static methods on `long[]` (`byte[]` for bytes). Both words of a product are `*` and
//! `Math.multiplyHigh`; there are no integers of two words, so that kernels come rewritten without them.

mod class;
mod helpers;
mod notation;
mod programs;
mod reference;

use super::row::{Language, MAKE};
use super::words::{Page, readme};
use crate::error::EmitError;
use crate::manifest::manifest;
use crate::notice::notice;
use crate::package::{Content, File, PackageSpec};
use crate::unit::{Lengths, Words};

/// Its line in the table.
pub const JAVA: Language = Language {
    name: "java",
    about: "Java 17: one final class of static methods on long[]",
    extension: "java",
    machine_code: false,
    has_arrays: false,
    is_c: false,
    machine: Some(MACHINE),
    tools: &["make", "javac", "java"],
    test: MAKE,
    package,
};

/// Carries are written out.
pub const MACHINE: evariste_ir::Machine =
    evariste_ir::Machine { flags: true, unsigned: true, ..evariste_ir::Machine::JAVA };

/// HotSpot compiles no method of more than 8000 bytes of code; a statement has about 20 with its calls.
const LENGTHS: Lengths = Lengths { whole: 320, most: 300 };

#[rustfmt::skip]
const WORDS: Words = Words {
    language: "Java",
    reserved: &[
        "abstract", "assert", "boolean", "break", "byte", "carry", "borrow", "case", "catch", "char", "class", "const",
        "continue", "default", "do", "double", "else", "enum", "extends", "false", "final", "finally", "float", "for",
        "goto", "if", "implements", "import", "instanceof", "int", "interface", "live", "long", "native", "new", "null",
        "package", "private", "protected", "public", "return", "short", "static", "strictfp", "super", "switch",
        "synchronized", "this", "throw", "throws", "transient", "true", "try", "var", "void", "volatile", "while",
        "yield", "i", "j", "k", "l", "e",
    ],
    beginnings: &[
        "barrier_", "mask_", "add_", "sub_", "mul_", "madd_", "equal_", "less_", "select_", "shift_", "rotate_",
        "carryless_", "rijndael_", "bit_", "lookup_", "wrap_", "ring_", "evariste_",
    ],
};

/// The package of a specification.
fn package(spec: &PackageSpec) -> Result<Vec<File>, EmitError> {
    of_content(&spec.content())
}

pub(crate) fn of_content(content: &Content) -> Result<Vec<File>, EmitError> {
    if content.kernels.is_empty() {
        return Err(EmitError::NoKernels);
    }
    let file = |path: String, text: String| File { path, text };
    let name = class_name(content.prefix);
    let mut files = vec![
        file(format!("{name}.java"), notice(content, "the functions") + &class::class(content)?),
        file(format!("{name}Answers.java"), notice(content, "known answers") + &programs::answers(content)?),
        file(format!("{name}Test.java"), notice(content, "the test") + &programs::test(content)),
        file(format!("{name}Bench.java"), notice(content, "the benchmark") + &programs::bench(content)),
    ];
    let reference = reference::class(content);
    if !reference.is_empty() {
        files.push(file(format!("{name}Reference.java"), notice(content, "the reference by BigInteger") + &reference));
    }
    let page = Page { usage: programs::usage(content), fence: "java", more: reference::readme(content) };
    let signature = |operation: &str, kernel: &evariste_ir::Kernel| {
        class::public_signature(kernel, &format!("{}_{operation}", content.prefix)) + ";"
    };
    files.push(file("README.md".into(), readme(content, &page, signature)));
    files.push(file("Makefile".into(), programs::makefile(content)));
    files.push(manifest(content)?);
    Ok(files)
}

/// The class of a package: its prefix with a capital letter.
fn class_name(prefix: &str) -> String {
    let mut letters = prefix.chars();
    letters.next().map(|c| c.to_ascii_uppercase()).into_iter().chain(letters).collect()
}
