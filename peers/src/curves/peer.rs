//! What libraries have: their functions found by name, and checked.

use anyhow::{Context, Result, ensure};
use evariste_run::{Argument, Buffer, Library, NativeFunction, RunError, Workload};

use super::subject::{CASES, Subject, Task};
use crate::packages::built;
use crate::prime::peer::opened;

/// A peer: its id and the package that makes it.
pub struct Peer {
    /// The id in the table.
    pub id: &'static str,
    /// The package.
    pub package: &'static str,
}

/// All peers.
pub const PEERS: [Peer; 9] = [
    Peer { id: "openssl", package: "openssl-ec" },
    Peer { id: "libsecp256k1", package: "libsecp256k1" },
    Peer { id: "dalek", package: "dalek" },
    Peer { id: "p256", package: "p256" },
    Peer { id: "blst", package: "blst" },
    Peer { id: "mcl", package: "mcl" },
    Peer { id: "mcl", package: "mcl-bn254" },
    Peer { id: "ark-ec", package: "ark-ec" },
    Peer { id: "gnark-crypto", package: "gnark-vector" },
];

/// Endings of a function's name, with how many elements a call takes.
const ENDINGS: [(&str, usize); 3] = [("", 1), ("_vartime", 1), ("_array", 64)];

/// A library that is loaded.
pub struct Loaded {
    /// The id in the table.
    pub id: &'static str,
    /// Its version.
    pub version: String,
    library: Library,
}

/// A function of a library, checked, with operands to be timed on.
pub struct Their {
    /// What its time or its result is: `constant time`, `variable time`, `exact`, `multiple`.
    pub contract: &'static str,
    /// Elements of a call.
    pub elements: usize,
    /// What it is timed on.
    pub workload: Workload,
}

impl Peer {
    /// Loads the peer. An error says why it cannot be.
    pub fn load(&self) -> Result<Loaded> {
        let (path, version) = built::library(self.package)?;
        Ok(Loaded { version, ..Loaded::new(self.id, opened(&path)?.0) })
    }
}

impl Loaded {
    /// A library without its version.
    pub fn new(id: &'static str, library: Library) -> Loaded {
        Loaded { id, version: String::new(), library }
    }

    /// Has the library a function for it?
    pub fn has(&self, subject: &Subject) -> bool {
        let found = |(ending, _): (&str, usize)| {
            // SAFETY: it is not called.
            unsafe { self.library.function(&subject.symbol(ending), &[Argument::output(1)]) }.is_ok()
        };
        ENDINGS.into_iter().any(found)
    }

    /// All functions for a task, each checked against the reference: an error names one that answers wrongly.
    pub fn functions(&self, task: &Task) -> Result<Vec<Their>> {
        let found = ENDINGS.into_iter().map(|(ending, elements)| self.function(task, ending, elements));
        found.filter_map(Result::transpose).collect()
    }

    fn function(&self, task: &Task, ending: &str, elements: usize) -> Result<Option<Their>> {
        let symbol = task.subject.symbol(ending);
        let longer = |argument: Argument| Argument { bytes: argument.bytes * elements, ..argument };
        let arguments: Vec<Argument> = task.arguments()?.into_iter().map(longer).collect();
        // SAFETY: our wrappers of that name take arrays of so many bytes, as the form says.
        let function = match unsafe { self.library.function(&symbol, &arguments) } {
            Ok(function) => function,
            Err(RunError::SymbolMissing { .. }) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let given = task.cases.iter().map(|case| task.given(case)).collect::<Result<Vec<_>>>()?;
        let sets = if elements == 1 { CASES } else { 1 };
        // Arrays hold the cases by turns.
        let set = |s: usize| -> Vec<Buffer> {
            let operand = |i: usize| -> Vec<u8> {
                (0..elements).flat_map(|e| given[(s + e) % CASES][i].bytes().to_vec()).collect()
            };
            (0..given[s].len()).map(|i| Buffer::from_bytes(&operand(i))).collect()
        };
        let operands: Vec<Vec<Buffer>> = (0..sets).map(set).collect();
        let contract = checked(&function, task, &operands, elements)
            .with_context(|| format!("{} {}: {symbol}", self.id, self.version))?;
        let contract = if ending == "_vartime" || ending == "_array" { "variable time" } else { contract };
        Ok(Some(Their { contract, elements, workload: Workload { function, operands, chain: 0 } }))
    }
}

/// Calls a function on all of its operands; what its results are, where all are right.
fn checked(function: &NativeFunction, task: &Task, operands: &[Vec<Buffer>], elements: usize) -> Result<&'static str> {
    let out = function.arguments()[0].bytes;
    let mut contracts = Vec::new();
    for (s, set) in operands.iter().enumerate() {
        let mut buffers = [&[Buffer::zeroed(out)][..], set].concat();
        function.call(&mut buffers)?;
        for (e, result) in buffers[0].bytes().chunks(out / elements).take(CASES.max(1)).enumerate() {
            contracts.push(task.judged(&task.cases[(s + e) % CASES], &Buffer::from_bytes(result))?);
        }
    }
    contracts.dedup();
    ensure!(contracts.len() == 1, "results of several kinds: {}", contracts.join(", "));
    Ok(contracts[0])
}
