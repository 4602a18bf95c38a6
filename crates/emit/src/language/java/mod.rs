//! Java 17: one final class of static methods on `long[]` (`byte[]` for bytes). Both words of a product are `*` and
//! `Math.multiplyHigh`; there are no integers of two words, so that kernels come rewritten without them.

mod bench;
mod blocks;
mod class;
mod helpers;
mod message;
mod names;
mod notation;
mod programs;
mod reference;
mod stream;
mod tests_of_elements;

use super::row::{Language, MAKE};
use super::words::{Page, readme};
use crate::error::EmitError;
use crate::manifest::manifest;
use crate::notice::notice;
use crate::package::{Content, File, PackageSpec};

use names::{MACHINE, class_name};

/// Its line in the table.
pub const JAVA: Language = Language {
    name: "java",
    about: "Java 17: one final class of static methods on long[]",
    extension: "java",
    machine_code: false,
    has_arrays: false,
    faces: &[],
    module: None,
    floats: false,
    is_c: false,
    machine: Some(MACHINE),
    table_bytes: None,
    tools: &["make", "javac", "java"],
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
    let file = |path: String, text: String| File { path, text };
    let name = class_name(content.prefix);
    let mut files = vec![
        file(format!("{name}.java"), notice(content, "the functions") + &class::class(content)?),
        file(format!("{name}Answers.java"), notice(content, "known answers") + &programs::answers(content)?),
        file(format!("{name}Test.java"), notice(content, "the test") + &programs::test(content)),
        file(format!("{name}Bench.java"), notice(content, "the benchmark") + &bench::bench(content)),
    ];
    let reference = reference::class(content);
    if !reference.is_empty() {
        files.push(file(format!("{name}Reference.java"), notice(content, "the reference by BigInteger") + &reference));
    }
    let page = Page {
        usage: programs::usage(content),
        fence: "java",
        more: reference::readme(content)
            + &tests_of_elements::readme(content)
            + &blocks::readme(content)
            + &stream::readme(content)
            + &message::readme(content),
    };
    let signature = |operation: &str, kernel: &evariste_ir::Kernel| {
        class::public_signature(kernel, &format!("{}_{operation}", content.prefix)) + ";"
    };
    files.push(file("README.md".into(), readme(content, &page, signature)));
    files.push(file("Makefile".into(), programs::makefile(content)));
    files.push(manifest(content)?);
    Ok(files)
}
