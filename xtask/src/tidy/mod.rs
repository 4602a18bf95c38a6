//! The rules of the repository, one a file. `tests/tidy.rs` applies them to this tree; each rule's own test feeds it
//! one that breaks it.

mod circles;
mod dependencies;
mod doc_lines;
mod functions;
mod imports;
mod instruction_sets;
mod licences;
mod packages;
mod paths;
mod size;
mod source;
mod test_programs;
mod tree;
mod unfinished;
mod unsafe_code;

use std::path::Path;

use anyhow::Context;

pub use packages::{Dependency, Package, packages};
pub use tree::{File, Violation, files};

/// Applies every rule to the tree at `root`. Fails when the tree or its packages cannot be read.
pub fn check(root: &Path) -> anyhow::Result<Vec<Violation>> {
    let files = files(root)?;
    let packages = packages(root)?;
    let manifest = files.iter().find(|file| file.path == "Cargo.toml").context("no Cargo.toml")?;
    let reasons = files.iter().find(|file| file.path == "docs/dependencies.md").map_or("", |file| &file.text);
    Ok([
        imports::check(&packages),
        licences::check(&packages),
        dependencies::check(&manifest.text, reasons, &packages),
        doc_lines::check(&files),
        size::check(&files),
        functions::check(&files),
        unfinished::check(&files),
        unsafe_code::check(&files),
        paths::check(&files),
        test_programs::check(&files),
        circles::check(&files),
        instruction_sets::check(&files),
    ]
    .concat())
}
