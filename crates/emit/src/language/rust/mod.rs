//! Rust without the standard library, without `unsafe`, without dependencies: a crate of `const fn` on arrays of words,
//! double words being `u128`. Functions take references and give what they compute, so that nothing can overlap.

mod bench;
mod blocks;
mod crate_files;
mod element;
mod faces;
mod helpers;
mod machine;
mod message;
mod names;
mod notation;
mod status;
mod stream;
mod tests;

use evariste_ir::Array;
use evariste_ir::count::count;

use super::row::Language;
use super::words::{Page, Printer, facts, is_supported, readme};
use crate::error::EmitError;
use crate::manifest::{manifest, params};
use crate::notice::notice;
use crate::package::{Content, File, PackageSpec};
use crate::unit::{Beside, Body, Function, Lengths, Named, build};

use names::{WORDS, results, signature};
use notation::Rust;

/// Its line in the table.
pub const RUST: Language = Language {
    name: "rust",
    about: "Rust: a crate of const functions, without std, unsafe code or dependencies",
    extension: "rs",
    machine_code: false,
    has_arrays: false,
    faces: faces::NAMES,
    module: Some(module),
    floats: false,
    is_c: false,
    machine: None,
    table_bytes: None,
    tools: &["cargo"],
    test: &["cargo", "test", "--offline", "--release", "--quiet"],
    package,
};

/// The same crate with machine code in it.
pub const RUST_ASSEMBLY: Language = Language {
    name: "rust-asm",
    about: "Rust with assembly behind a feature, selected at run time",
    machine_code: true,
    module: None,
    test: &["cargo", "test", "--offline", "--release", "--quiet", "--features", "asm"],
    package: with_machine_code,
    ..RUST
};

/// The package of a specification that has machine code.
fn with_machine_code(spec: &PackageSpec) -> Result<Vec<File>, EmitError> {
    if spec.machine_code.is_empty() { Err(EmitError::NoMachineCode) } else { package(spec) }
}

/// The package of a specification.
fn package(spec: &PackageSpec) -> Result<Vec<File>, EmitError> {
    of_content(&spec.content())
}

/// All of it as one module, faces too, for a program's `include!`: what stands at the head of a crate stands on it.
fn module(spec: &PackageSpec) -> Result<File, EmitError> {
    let content = spec.content();
    let mut inside = source(&content.kernels, content.prefix)?
        + &status::definitions(&content)
        + &element::definition(&content)
        + &blocks::definitions(&content)
        + &stream::definitions(&content)
        + &message::definitions(&content);
    for (face, text) in faces::modules(&content)? {
        inside += &format!("\n/// {}.\npub mod {} {{\n{text}}}\n", face.face.about, face.module());
    }
    let name = crate_files::crate_name(&content);
    let head = crate_files::module_opening(&content);
    Ok(File { path: format!("{name}.rs"), text: format!("{head}pub mod {name} {{\n{inside}}}\n") })
}

pub(crate) fn of_content(content: &Content) -> Result<Vec<File>, EmitError> {
    if content.kernels.is_empty() {
        return Err(EmitError::NoKernels);
    }
    let file = |path: &str, text: String| File { path: path.to_string(), text };
    let source = source(&content.kernels, content.prefix)?;
    let mut library = crate_files::opening(content) + &source + &machine::functions(content)?;
    library += &status::definitions(content);
    library += &element::definition(content);
    library += &blocks::definitions(content);
    library += &stream::definitions(content);
    library += &message::definitions(content);
    library += &faces::declarations(content);
    let machine_code = machine::module(content, &library)?;
    let modules = faces::modules(content)?;
    let page = Page {
        usage: crate_files::usage(content),
        fence: "rust",
        more: status::readme(content)
            + &element::readme(content)
            + &blocks::readme(content)
            + &stream::readme(content)
            + &message::readme(content)
            + &faces::readme(content),
    };
    let mut files = vec![
        file("Cargo.toml", crate_files::manifest(content)),
        file("lib.rs", library),
        file("tests.rs", notice(content, "the test of all known answers") + &tests::program(content)?),
        file("bench.rs", notice(content, "the benchmark") + &bench::program(content)?),
        file(
            "README.md",
            readme(content, &page, |operation, kernel| {
                signature(kernel, &format!("{}_{operation}", content.prefix)) + ";"
            }),
        ),
        manifest(content)?,
    ];
    if let Some((path, text)) = machine_code {
        files.push(file(&path, notice(content, "its machine code") + &text));
    }
    for (face, text) in modules {
        let about = format!("its face `{}`", face.face.name);
        files.push(file(&format!("{}.rs", face.module()), notice(content, &about) + &text));
    }
    Ok(files)
}

/// The functions.
fn source(kernels: &[Named], prefix: &str) -> Result<String, EmitError> {
    let how = Beside { prefix, dispatched: &[], words: &WORDS, taken: &[], lengths: Lengths::WHOLE };
    let unit = build(kernels, &how)?;
    for function in &unit.functions {
        is_supported(function, &WORDS, 128)?;
    }
    let mut out = helpers::all(&unit.helpers, kernels[0].1)?;
    let functions: String = unit.functions.iter().map(definition).collect();
    if functions.contains("part(") {
        out += helpers::PART;
    }
    Ok(out + &functions)
}

/// Functions of at most so many steps are always inlined: sums. Products are not, since powers call them hundreds of times.
const SHORT: u64 = 64;

/// So many constants are hidden, or none: a chain of borrows is as long as a number, and of one word there is none.
const HIDDEN: usize = 2;

fn definition(function: &Function) -> String {
    let hides = Rust { hides: true, ..Rust::default() };
    let text = printed(function, &hides);
    if hides.hidden.borrow().len() >= HIDDEN { text } else { printed(function, &Rust::default()) }
}

fn printed(function: &Function, rust: &Rust) -> String {
    let Function { kernel, model, symbol, public, body } = function;
    let mut printer = Printer::new(rust, &WORDS, function);
    let name = |a: &Array| WORDS.name(&kernel.array(*a).name);
    for a in params(kernel, true) {
        let line = match params(kernel, false).contains(&a) {
            true => format!("let mut {0} = *{0};", name(&a)),
            false => format!("let mut {} = [0; {}];", name(&a), kernel.array(a).len),
        };
        if !matches!(body, Body::Same(_)) {
            printer.line(&line);
        }
    }
    match body {
        Body::Same(other) => {
            let given: Vec<String> = params(kernel, false).iter().map(name).collect();
            printer.line(&format!("{other}({})", given.join(", ")));
        }
        body => printer.body(body),
    }
    if !matches!(body, Body::Same(_)) {
        let given: Vec<String> = params(kernel, true).iter().map(name).collect();
        printer.line(&results(&given));
    }
    let hidden = rust.declared().map_or(String::new(), |line| format!("    {line}\n"));
    let lines: String = facts(*model, kernel).iter().map(|line| format!("/// {line}\n")).collect();
    let linkage = if *public { "pub " } else { "" };
    let inline = if count(kernel).steps() <= SHORT { "#[inline(always)]" } else { "#[inline]" };
    format!(
        "\n/// Kernel {}.\n///\n/// ```text\n{lines}/// ```\n{inline}\n{linkage}{} {{\n{hidden}{}}}\n",
        kernel.name,
        signature(kernel, symbol),
        printer.out
    )
}
