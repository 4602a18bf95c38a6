//! Machine code as assembly text for the C compiler.
//!
//! Only [`Checked`](evariste_codegen::x86_64::Checked) programs are printed, in the encoding that was measured: the
//! text is so spelled that an assembler has no choice but the branches' sizes. Nothing here knows a language: packages
//! with machine code are made where their other functions are.

mod source;
mod text;
mod unwind;

pub(crate) use source::{Entry, needs, source};

use evariste_ir::Kernel;
use evariste_proof::Proved;

use crate::error::EmitError;
use crate::package::MachineCode;
use crate::unit::check_prefix;

/// One function of the assembly file.
pub(crate) fn entry<'a>(prefix: &str, code: &'a MachineCode, kernel: &'a Kernel) -> Entry<'a> {
    Entry {
        symbol: format!("{prefix}_{}_x86_64", code.operation),
        plan: &code.plan,
        kernel,
        program: code.program.program(),
    }
}

/// The assembly text of programs that belong to proved kernels, in the order given; function `k` is
/// `prefix_operation_x86_64`.
pub fn text(functions: &[(&MachineCode, &Proved)], prefix: &str) -> Result<String, EmitError> {
    check_prefix(prefix)?;
    let mut entries = Vec::new();
    for (code, proved) in functions {
        code.belongs_to(proved.kernel())?;
        entries.push(entry(prefix, code, proved.kernel()));
    }
    source(&entries, "defined(__x86_64__)")
}
