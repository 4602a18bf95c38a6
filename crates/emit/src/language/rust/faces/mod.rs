//! Faces: how a crate meets other libraries' traits and names, a feature each. A face is a file with its row, and a line
//! of the list; its code is a text with places for what the field decides, filled from kernels that are proved.

use std::collections::BTreeSet;

use num_bigint::BigInt;
use num_traits::One;

use super::super::row::Face;
use super::super::words::{Notation, Shape};
use super::machine::fastest;
use super::notation::Rust;
use crate::error::EmitError;
use crate::package::{Content, Units};

/// A face of a crate.
#[derive(Clone, Copy, Debug)]
pub struct RustFace {
    /// Its name, which is that of the feature and of the module, and what it is.
    pub face: Face,
    /// The crate's name and version, and the module's name, where the crate stands in for one that exists: its module is
    /// there without a feature.
    pub stands_in: Option<StandsIn>,
    /// Lines of `Cargo.toml`: the crates that it needs.
    pub dependencies: &'static [Dependency],
    /// The module, or why there is none and what would work.
    pub text: fn(&Field) -> Result<String, String>,
}

/// The crate that a crate stands in for.
#[derive(Clone, Copy, Debug)]
pub struct StandsIn {
    /// Its name in `Cargo.toml`.
    pub package: &'static str,
    /// Its version.
    pub version: &'static str,
    /// The module that its users name.
    pub module: &'static str,
}

/// A crate that a face needs.
#[derive(Clone, Copy, Debug)]
pub struct Dependency {
    /// Its name.
    pub name: &'static str,
    /// Version and features as `Cargo.toml` has them.
    pub how: &'static str,
}

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

impl RustFace {
    /// The module's name.
    pub fn module(&self) -> &'static str {
        self.stands_in.map_or(self.face.name, |other| other.module)
    }
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

/// A prime field as faces see it: the type of elements, the modulus, the units.
#[derive(Debug)]
pub struct Field<'a> {
    /// The type of elements.
    pub shape: Shape<'a>,
    /// The modulus.
    pub modulus: &'a BigInt,
    /// Its units.
    pub units: &'a Units,
    /// Bytes of an element.
    pub bytes: usize,
}

impl<'a> Field<'a> {
    /// What every face needs: a prime field of more than eight bits, the operations of a field, and bytes.
    fn of(content: &'a Content<'a>) -> Result<Field<'a>, String> {
        let prime = "faces are of prime fields of more than 8 bits\nhelp: leave --faces out";
        let shape = Shape::of(content).ok_or("the package has no product\nhelp: add mul to --ops")?;
        let elements = shape.numbers.ok_or(prime)?;
        let units = elements.units.as_ref().filter(|_| elements.modulus.bits() > 8).ok_or(prime)?;
        let methods = ["mul", "square", "add", "sub", "neg", "invert"];
        let there = methods.iter().all(|name| shape.method(name).is_some()) && shape.canonical_by().is_some();
        let bytes = shape.bytes().filter(|_| there);
        let bytes = bytes.ok_or("operations of the field are missing\nhelp: leave --ops out, so that all are there")?;
        Ok(Field { shape, modulus: &elements.modulus, units, bytes })
    }

    /// A number as the words of its element.
    pub fn element(&self, x: &BigInt) -> String {
        let reduced = ((x % self.modulus) + self.modulus) % self.modulus;
        super::element::words(&self.shape.words_of(&reduced).unwrap_or_default())
    }

    /// A number in n words of 64 bits.
    pub fn plain(&self, x: &BigInt, n: usize) -> String {
        let word = |i: usize| Rust.literal(&((x >> (64 * i)) % (BigInt::one() << 64)), 64);
        format!("[{}]", (0..n).map(word).collect::<Vec<_>>().join(", "))
    }

    /// Words of 64 bits of the modulus.
    pub fn words(&self) -> usize {
        self.modulus.bits().div_ceil(64) as usize
    }

    /// Is the element in Montgomery form with R = 2^(64 n), one number in n whole words?
    pub fn is_montgomery(&self) -> bool {
        let whole = BigInt::one() << (64 * self.words());
        self.is_whole() && self.shape.numbers.is_some_and(|numbers| numbers.factor == whole)
    }

    /// Is the element one number below the modulus, in whole words of 64 bits?
    pub fn is_whole(&self) -> bool {
        self.shape.bits == 64
            && self.shape.len as usize == self.words()
            && self.shape.numbers.is_some_and(|numbers| {
                numbers.canonical && numbers.weights.iter().enumerate().all(|(i, w)| *w as usize == 64 * i)
            })
    }

    /// `x^-1`.
    pub fn inverse(&self, x: &BigInt) -> BigInt {
        x.modpow(&(self.modulus - 2), self.modulus)
    }

    /// The function that computes an operation soonest, as modules call it.
    fn fastest(&self, operation: &str) -> String {
        format!("super::{}", fastest(self.shape.content, operation))
    }

    /// Fills what every text may name, and more: `@NAME@` stands for a value.
    pub fn fill(&self, text: &str, more: &[(&str, String)]) -> String {
        let all = [
            ("PREFIX", self.shape.prefix().to_string()),
            ("LEN", self.shape.len.to_string()),
            ("WORD", format!("u{}", self.shape.bits)),
            ("BYTES", self.bytes.to_string()),
            ("MODULUS", format!("{:#x}", self.modulus)),
            ("GENERATOR", self.element(&self.units.generator)),
            ("TWOS", self.units.twos.to_string()),
            ("ROOT", self.element(&self.units.root)),
            ("OF_GENERATOR", generator(self.units)),
            ("MUL", self.fastest("mul")),
            ("SQUARE", self.fastest("square")),
            ("INV", self.fastest("inv")),
        ];
        let fill = |text: String, (name, value): &(&str, String)| text.replace(&format!("@{name}@"), value);
        let text = more.iter().fold(text.to_string(), fill);
        all.iter().fold(text, fill)
    }
}

/// What is known of the generator.
fn generator(units: &Units) -> String {
    let known = match units.complete {
        true => "is of order p - 1".to_string(),
        false => "has a root of no small prime order left: p - 1 is not factored further".to_string(),
    };
    format!("{} {known}", units.generator)
}
