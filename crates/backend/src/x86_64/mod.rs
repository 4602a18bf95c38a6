//! x86-64: machine code of our own, for one element ([`scalar`]) and on vectors ([`vectors`]).

pub mod scalar;
mod speeds;
pub mod vectors;

use evariste_codegen::x86_64::{Features, X86_64};

use crate::backend::Refusal;

/// Set to `off`, this variable of the environment keeps machine code from being made.
pub const SWITCH: &str = "EVARISTE_MACHINE_CODE";

/// What machine code may use on this machine.
///
/// # Errors
/// Another processor, no memory for code, or [`SWITCH`].
pub fn features() -> Result<Features, Refusal> {
    if std::env::var(SWITCH).is_ok_and(|v| v == "off") {
        return Err(Refusal::Code(format!("{SWITCH} is off")));
    }
    evariste_jit::available::<X86_64>().map_err(|e| Refusal::code(&e))
}

/// What machine code may use here, restricted to the instruction sets that a text names.
fn features_among(names: Option<&str>) -> Result<Features, Refusal> {
    let here = features()?;
    Ok(names.map_or(here, |names| here.only(names)))
}
