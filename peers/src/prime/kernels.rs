//! The kernels of the table.

use anyhow::{Result, anyhow};
use evariste_algorithms::Operation;
use evariste_descriptions::Field;

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

/// A product or square of a structure.
#[derive(Clone)]
pub struct Kernel {
    /// The structure's name: `p256`, `int256`.
    pub name: &'static str,
    /// What it means.
    pub field: Field,
    /// Product or square.
    pub operation: Operation,
}

impl Kernel {
    /// `NAME.mul` or `NAME.sqr`.
    pub fn id(&self) -> String {
        format!("{}.{}", self.name, if self.operation == Operation::SQUARE { "sqr" } else { "mul" })
    }
}

/// The kernels whose id contains this text.
pub fn kernels(only: &str) -> Result<Vec<Kernel>> {
    let mut kernels = Vec::new();
    for name in NAMES {
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
