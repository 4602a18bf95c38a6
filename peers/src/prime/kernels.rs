//! The kernels of the table.

use anyhow::{Result, anyhow};
use evariste_algorithms::Operation;
use evariste_descriptions::{Field, Modulus};

/// The structures, by the names of the language.
const NAMES: [&str; 16] = [
    "bls12-381-fr",
    "bls12-381-fp",
    "bn254-fp",
    "bn254-fr",
    "25519",
    "p256",
    "p384",
    "p521",
    "secp256k1",
    "448",
    "int192",
    "int256",
    "int384",
    "int512",
    "int521",
    "int1024",
];

/// Towers of extensions.
const TOWERS: [&str; 6] = ["bls12-381-fp2", "bls12-381-fp6", "bls12-381-fp12", "bn254-fp2", "bn254-fp6", "bn254-fp12"];

/// A product, square or sum of a structure.
#[derive(Clone)]
pub struct Kernel {
    /// The structure's name: `p256`, `int256`.
    pub name: &'static str,
    /// What it means.
    pub field: Field,
    /// Product, square or sum.
    pub operation: Operation,
}

impl Kernel {
    /// `NAME.mul`, `NAME.sqr` or `NAME.add`.
    pub fn id(&self) -> String {
        format!("{}.{}", self.name, self.verb())
    }

    /// The operation in the names of functions.
    pub fn verb(&self) -> &'static str {
        let named = [(Operation::SQUARE, "sqr"), (Operation::ADD, "add")];
        named.iter().find(|(operation, _)| *operation == self.operation).map_or("mul", |(_, verb)| verb)
    }
}

/// The kernels of fields and integers whose id contains this text.
pub fn kernels(only: &str) -> Result<Vec<Kernel>> {
    of(&NAMES, only)
}

/// Sums in fields.
pub fn sums() -> Result<Vec<Kernel>> {
    let mut kernels = of(&NAMES, "")?;
    kernels.retain(|kernel| kernel.operation == Operation::MUL && kernel.field.get::<Modulus>().is_some());
    kernels.iter_mut().for_each(|kernel| kernel.operation = Operation::ADD);
    Ok(kernels)
}

/// Those of towers.
pub fn towers(only: &str) -> Result<Vec<Kernel>> {
    of(&TOWERS, only)
}

fn of(names: &'static [&'static str], only: &str) -> Result<Vec<Kernel>> {
    let mut kernels = Vec::new();
    for &name in names {
        let field = Field::parse(name).map_err(|e| anyhow!("{e}"))?;
        kernels.extend([Operation::MUL, Operation::SQUARE].map(|operation| Kernel {
            name,
            field: field.clone(),
            operation,
        }));
    }
    kernels.retain(|kernel| kernel.id().contains(only));
    Ok(kernels)
}
