//! The instruction sets that arrays may use: those that the environment names, to measure and to test what other processors
//! would do.

use evariste::Error;
use evariste::array::Options;
use evariste::builder::{BACKENDS, Kind};

/// Names of instruction sets, as `evariste show program` prints them; `baseline`: none beyond those that all have.
const VARIABLE: &str = "EVARISTE_FEATURES";

/// What engines are asked for: one thread, the instruction sets that the environment names.
///
/// # Errors
/// Names that are none, or of sets that this machine has not.
pub fn options() -> Result<Options, Error> {
    let features = std::env::var(VARIABLE).ok().filter(|names| !names.is_empty());
    if let Some(names) = &features {
        let ours = BACKENDS.iter().filter(|entry| entry.kind == Kind::Scalar || entry.kind.has_lanes());
        let mut refusals = Vec::new();
        let found =
            ours.map(|entry| (entry.find)(Some(names))).any(|found| found.map_err(|e| refusals.push(e)).is_ok());
        if !found {
            let why = refusals.first().map(ToString::to_string).unwrap_or_default();
            return Err(Error::Interpreter(format!("{VARIABLE} is `{names}`: {why}")));
        }
    }
    Ok(Options { threads: 1, features, ..Options::default() })
}
