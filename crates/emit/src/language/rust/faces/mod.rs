//! Faces: how a crate meets other libraries' traits and names, a feature each. A face is a file with its row, and a line
//! of the list; its code is a text with places for what the field decides, filled from kernels that are proved.

mod face;
mod field;

use std::collections::BTreeSet;

use super::super::row::Face;
use crate::error::EmitError;
use crate::package::Content;

use face::{Dependency, RustFace};
use field::Field;

/// Declares the faces' files and lists what they hold.
macro_rules! faces {
    ($($file:ident::$face:ident;)+) => {
        $(mod $file;)+

        /// All faces.
        pub const FACES: &[RustFace] = &[$($file::$face),+];

        /// Their names.
        pub const NAMES: &[Face] = &[$($file::$face.face),+];
    };
}

faces! {
    ark::ARK;
    dalek::DALEK;
    ff::FF;
    rustcrypto::RUSTCRYPTO;
}

/// The faces that a package is asked for, in the order of the list.
pub fn wanted(content: &Content) -> impl Iterator<Item = &'static RustFace> {
    let names: Vec<&str> = content.faces.iter().map(String::as_str).collect();
    FACES.iter().filter(move |face| names.contains(&face.face.name))
}

/// Each face that is asked for, with its module's text.
pub fn modules(content: &Content) -> Result<Vec<(&'static RustFace, String)>, EmitError> {
    let made = |face: &'static RustFace| {
        let text = Field::of(content).and_then(|field| (face.text)(&field));
        text.map(|text| (face, text)).map_err(|why| EmitError::Face { face: face.face.name, why })
    };
    wanted(content).map(made).collect()
}

/// The modules, as the library declares them.
pub fn declarations(content: &Content) -> String {
    let declared = |face: &'static RustFace| {
        let gate = match face.stands_in {
            Some(_) => String::new(),
            None => format!("#[cfg(feature = \"{}\")]\n", face.face.name),
        };
        format!("\n{gate}pub mod {};\n", face.module())
    };
    wanted(content).map(declared).collect()
}

/// What `Cargo.toml` says of features and of the crates that they need.
pub fn features(content: &Content) -> String {
    let gated: Vec<&RustFace> = wanted(content).filter(|face| face.stands_in.is_none()).collect();
    let mut out = String::new();
    if wanted(content).any(|face| face.stands_in.is_some()) {
        out += "\n[features]\ndefault = [\"std\"]\nstd = []\n";
    } else if !gated.is_empty() || !content.machine_code.is_empty() {
        out += "\n[features]\n";
    }
    if !content.machine_code.is_empty() {
        out += "asm = []\n";
    }
    for face in &gated {
        let needs: Vec<String> = face.dependencies.iter().map(|d| format!("\"dep:{}\"", d.name)).collect();
        out += &format!("{} = [{}]\n", face.face.name, needs.join(", "));
    }
    let needs = |d: &Dependency| format!("{} = {{ {}, optional = true }}\n", d.name, d.how);
    let lines: BTreeSet<String> = gated.iter().flat_map(|face| face.dependencies).map(needs).collect();
    if !lines.is_empty() {
        out += "\n[dependencies]\n";
        out.extend(lines);
    }
    out
}

/// What the readme says of the faces.
pub fn readme(content: &Content) -> String {
    let mut out = String::new();
    for face in wanted(content) {
        out += &match face.stands_in {
            Some(other) => format!(
                "\n## `{}`\n\n{}. This crate takes the place of `{}` where a workspace says so:\n\n```toml\n[patch.crates-io]\n{} = {{ path = \"…\" }}\n```\n",
                other.module, face.face.about, other.package, other.package
            ),
            None => format!("\n## Feature `{0}`\n\n{1}: module `{0}`.\n", face.face.name, face.face.about),
        };
    }
    if !out.is_empty() {
        out += "\nWhat these modules compute beyond calls of the functions above is tested, not proved.\n";
    }
    out
}
