//! Assembly packages: the C package, with machine code for x86-64 beside the C of every operation that has it, and
//! public functions that choose.
//!
//! Only [`Checked`](evariste_codegen::x86_64::Checked) programs are printed, in the encoding that was measured: the
//! text is so spelled that an assembler has no choice but the branches' sizes.

mod dispatch;
mod package;
mod source;
mod support_files;
#[cfg(test)]
mod tests;
mod text;
mod unwind;

pub(crate) use dispatch::runs;
pub use package::package;

use evariste_proof::Proved;

use crate::error::EmitError;
use crate::package::MachineCode;

/// The assembly text of programs that belong to proved kernels, in the order given; function `k` is
/// `prefix_operation_x86_64`.
pub fn text(functions: &[(&MachineCode, &Proved)], prefix: &str) -> Result<String, EmitError> {
    crate::c::check_prefix(prefix)?;
    let mut entries = Vec::new();
    for (code, proved) in functions {
        code.belongs_to(proved.kernel())?;
        entries.push(package::entry(prefix, code, proved.kernel()));
    }
    source::source(&entries, "defined(__x86_64__)")
}
