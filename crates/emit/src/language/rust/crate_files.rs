//! What a crate is beside its code.

use super::super::words::Shape;
use super::faces;
use super::names::WORDS;
use crate::notice::notice;
use crate::package::Content;
use crate::unit::Model;

/// Names of crates that mean others.
const CRATES: [&str; 6] = ["alloc", "core", "proc_macro", "std", "super", "test"];

/// The name and the version of the package.
fn package(content: &Content) -> (String, &'static str) {
    match faces::wanted(content).find_map(|face| face.stands_in) {
        Some(other) => (other.package.to_string(), other.version),
        None => (crate_name(content), "0.1.0"),
    }
}

/// The crate's name: Cargo takes no capital letters without a warning.
pub fn crate_name(content: &Content) -> String {
    if let Some(other) = faces::wanted(content).find_map(|face| face.stands_in) {
        return other.package.replace('-', "_");
    }
    let name = WORDS.name(&content.prefix.to_ascii_lowercase());
    if CRATES.contains(&name.as_str()) { name + "_" } else { name }
}

/// `Cargo.toml`.
pub fn manifest(content: &Content) -> String {
    let (name, version) = package(content);
    let about = content.title.replace('\\', "/").replace('"', "'");
    format!(
        "[package]
name = \"{name}\"
version = \"{version}\"
edition = \"2021\"
rust-version = \"1.86\"
description = \"{about}\"
license = \"0BSD\"
publish = false

[lib]
path = \"lib.rs\"
doctest = false
test = false
bench = false

[[test]]
name = \"known_answers\"
path = \"tests.rs\"
harness = false

[[bench]]
name = \"speed\"
path = \"bench.rs\"
harness = false
{}",
        faces::features(content)
    )
}

/// Lints that generated code need not obey, for a reason of form: names are those of the kernels, one operation a line,
/// tables in lower case.
const LINTS: &str =
    "non_snake_case, non_upper_case_globals, unused_assignments, unused_mut, unused_variables, clippy::all";

/// What stands first in `lib.rs`.
pub fn opening(content: &Content) -> String {
    format!(
        "{}
//! {}.

#![no_std]
{}
// Names and forms are those of the kernels: one operation a line, tables in lower case.
#![allow({LINTS})]
",
        notice(content, "the functions"),
        content.title,
        match content.machine_code {
            [] => "#![forbid(unsafe_code)]",
            _ => "#![deny(unsafe_code)]\n#![cfg_attr(not(feature = \"asm\"), forbid(unsafe_code))]",
        }
    )
}

/// What stands before a module that is included: the same, as far as it is not the program's own, and that not all of it
/// need be used.
pub fn module_opening(content: &Content) -> String {
    format!(
        "{}
/// {}.
#[forbid(unsafe_code)]
#[allow({LINTS}, dead_code)]
",
        notice(content, "the functions"),
        content.title
    )
}

/// The readme's paragraphs on use.
pub fn usage(content: &Content) -> String {
    let name = crate_name(content);
    let lanes = content.kernels.iter().any(|(_, kernel)| Model::of(kernel) == Model::Lanes);
    let mut out = format!(
        "Add the crate:\n\n```toml\n[dependencies]\n{name} = {{ path = \"…\" }}\n```\n\n\
         or write `lib.rs` into `OUT_DIR` from a build script. It needs neither the standard library nor another crate, and has no `unsafe` code. All functions are `const`: they take references to arrays and give the arrays that they compute.\n\n\
         `cargo test` runs every known answer{}; `cargo bench` measures.\n\n\
         The functions branch on no data and use no address that depends on data. Masks that choose between elements of arrays are hidden from the compiler (`core::hint::black_box`), which otherwise chooses between their addresses; others are not, so that this is said of the source: look at what is compiled where it matters, or take `--lang asm`.\n",
        if Shape::of(content).is_some() { ", and laws of algebra on elements at random" } else { "" }
    );
    if let Some(target) = content.target() {
        out += &format!(
            "\nWith the feature `asm` there is machine code for {}, each program checked against its kernel: `{}_…_fast` and the operator `*` take it where the processor has what it needs; they are not `const`. Else, and without the feature, they are the functions above. Without the feature there is no `unsafe` code.\n",
            target.name, content.prefix
        );
    }
    if lanes {
        out += "\nBit-sliced functions compute 64 elements at once: bit k of every word belongs to element k.\n";
    }
    out
}
