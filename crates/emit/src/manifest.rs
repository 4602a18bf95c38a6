//! `package.json`: what a package is, for programs: the command that wrote it, and of each function its contract,
//! parameters and known answers. Every language's package has one, and `check` judges it.

use evariste_ir::{Array, ArrayKind, Kernel, Type};
use num_bigint::BigInt;
use serde::{Deserialize, Serialize};

use crate::describe::facts;
use crate::error::EmitError;
use crate::package::{Content, File, MachineCode, Vector};

/// The name of the file.
pub const MANIFEST: &str = "package.json";

/// A package, as `package.json` says it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub struct Manifest {
    /// The form of this file: 1.
    pub format: u32,
    /// What the package is.
    pub title: String,
    /// The command that writes it.
    pub command: String,
    /// Start of every name.
    pub prefix: String,
    /// Its functions that are proved kernels.
    pub functions: Vec<ManifestFunction>,
}

/// A function of a package.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub struct ManifestFunction {
    /// The operation, which is the end of the function's name.
    pub operation: String,
    /// What it computes, needs and gives, line by line.
    pub contract: Vec<String>,
    /// The functions among which it chooses, where some are for few processors.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub versions: Vec<ManifestVersion>,
    /// Its parameters in calling order.
    pub parameters: Vec<ManifestParameter>,
    /// Known answers.
    pub vectors: Vec<ManifestVector>,
}

/// A function in machine code.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub struct ManifestVersion {
    /// Its name behind the prefix.
    pub name: String,
    /// What a processor must offer.
    pub needs: String,
    /// The plan and the schedule.
    pub plan: String,
}

/// A parameter: an array of words.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub struct ManifestParameter {
    /// Its name.
    pub name: String,
    /// `in`, `out` or `in-out`.
    pub role: String,
    /// Bits of a word.
    pub bits: u32,
    /// Words.
    pub length: u32,
}

/// A known answer: hexadecimal words of each parameter that is read, and of each that is written, in calling order.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub struct ManifestVector {
    /// What is read.
    pub inputs: Vec<Vec<String>>,
    /// What is written.
    pub outputs: Vec<Vec<String>>,
}

/// Parameters that are read (or written), in calling order.
pub(crate) fn params(kernel: &Kernel, written: bool) -> Vec<Array> {
    let wanted = |kind: &ArrayKind| match kind {
        ArrayKind::InOut => true,
        ArrayKind::Output => written,
        _ => !written,
    };
    kernel.visible().filter(|a| wanted(&kernel.array(*a).kind)).collect()
}

/// The known answers of an operation: one at least, each of the kernel's form.
pub(crate) fn answers<'a>(
    content: &'a Content,
    operation: &str,
    kernel: &Kernel,
) -> Result<Vec<&'a Vector>, EmitError> {
    let vectors: Vec<&Vector> = content.vectors.iter().filter(|v| v.operation == operation).collect();
    if vectors.is_empty() {
        return Err(EmitError::NoVectors { operation: operation.to_string() });
    }
    for (index, vector) in vectors.iter().enumerate() {
        check(kernel, vector).map_err(|reason| EmitError::BadVector {
            operation: operation.to_string(),
            index,
            reason,
        })?;
    }
    Ok(vectors)
}

/// Does the vector have one array for each parameter, of its length, within its type?
fn check(kernel: &Kernel, vector: &Vector) -> Result<(), String> {
    for (written, given, what) in [(false, &vector.inputs, "inputs"), (true, &vector.outputs, "outputs")] {
        let params = params(kernel, written);
        if params.len() != given.len() {
            return Err(format!("{} {what} are needed, {} were given", params.len(), given.len()));
        }
        for (array, digits) in params.iter().zip(given) {
            let info = kernel.array(*array);
            if digits.len() != info.len as usize {
                return Err(format!("`{}` has {} digits, {} were given", info.name, info.len, digits.len()));
            }
            if !matches!(info.ty, Type::Float(_)) && digits.iter().any(|d| d.bits() > u64::from(info.ty.bits())) {
                return Err(format!("a digit of `{}` does not fit {} bits", info.name, info.ty.bits()));
            }
        }
    }
    Ok(())
}

/// The machine code of an operation, the best first, where not all of it is for most processors.
fn versions(content: &Content, operation: &str) -> Vec<ManifestVersion> {
    if content.machine_codes(operation).all(|code| code.apart().is_empty()) {
        return Vec::new();
    }
    let version = |code: &MachineCode| ManifestVersion {
        name: format!("{operation}{}", code.ending()),
        needs: code.needed(),
        plan: code.plan.clone(),
    };
    content.machine_codes(operation).map(version).collect()
}

/// A number as the file has it.
fn word(x: &BigInt) -> String {
    format!("{x:#x}")
}

/// The package's manifest.
pub(crate) fn manifest(content: &Content) -> Result<File, EmitError> {
    let mut functions = Vec::new();
    for (operation, kernel) in &content.kernels {
        let parameter = |array| {
            let info = kernel.array(array);
            let role = match info.kind {
                ArrayKind::Input => "in",
                ArrayKind::InOut => "in-out",
                _ => "out",
            };
            let (name, role) = (info.name.clone(), role.to_string());
            ManifestParameter { name, role, bits: info.ty.bits(), length: info.len }
        };
        let words = |all: &[Vec<BigInt>]| all.iter().map(|digits| digits.iter().map(word).collect()).collect();
        let vector = |v: &&Vector| ManifestVector { inputs: words(&v.inputs), outputs: words(&v.outputs) };
        functions.push(ManifestFunction {
            operation: operation.clone(),
            contract: facts(kernel),
            versions: versions(content, operation),
            parameters: kernel.visible().map(parameter).collect(),
            vectors: answers(content, operation, kernel)?.iter().map(vector).collect(),
        });
    }
    let manifest = Manifest {
        format: 1,
        title: content.title.to_string(),
        command: content.command_line.to_string(),
        prefix: content.prefix.to_string(),
        functions,
    };
    Ok(File { path: MANIFEST.to_string(), text: manifest.to_string() })
}

/// JSON, each known answer on a line of its own.
impl std::fmt::Display for Manifest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "{{")?;
        writeln!(f, "  \"format\": {},", self.format)?;
        for (name, value) in [("title", &self.title), ("command", &self.command), ("prefix", &self.prefix)] {
            writeln!(f, "  \"{name}\": {},", json(value))?;
        }
        writeln!(f, "  \"functions\": [")?;
        for (i, function) in self.functions.iter().enumerate() {
            let end = |i: usize, len: usize| if i + 1 == len { "" } else { "," };
            writeln!(f, "    {{")?;
            writeln!(f, "      \"operation\": {},", json(&function.operation))?;
            writeln!(f, "      \"contract\": [")?;
            for (k, line) in function.contract.iter().enumerate() {
                writeln!(f, "        {}{}", json(line), end(k, function.contract.len()))?;
            }
            writeln!(f, "      ],")?;
            if !function.versions.is_empty() {
                writeln!(f, "      \"versions\": [")?;
                for (k, version) in function.versions.iter().enumerate() {
                    writeln!(f, "        {}{}", json(version), end(k, function.versions.len()))?;
                }
                writeln!(f, "      ],")?;
            }
            writeln!(f, "      \"parameters\": [")?;
            for (k, parameter) in function.parameters.iter().enumerate() {
                writeln!(f, "        {}{}", json(parameter), end(k, function.parameters.len()))?;
            }
            writeln!(f, "      ],\n      \"vectors\": [")?;
            for (k, vector) in function.vectors.iter().enumerate() {
                writeln!(f, "        {}{}", json(vector), end(k, function.vectors.len()))?;
            }
            writeln!(f, "      ]\n    }}{}", end(i, self.functions.len()))?;
        }
        writeln!(f, "  ]\n}}")
    }
}

/// A value on one line.
fn json<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
