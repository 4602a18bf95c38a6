//! Machine code as assembly text for the C compiler.
//!
//! Only [checked](evariste_codegen::assembly::Printable) programs are printed, in the encoding that was measured: the text is so spelled that an
//! assembler has no choice but the branches' sizes. How a processor's instructions are spelled, and what C must know of
//! it, is its instruction set's ([`Assembly`](evariste_codegen::assembly::Assembly)). Nothing here knows a language:
//! packages with machine code are made where their other functions are.

mod source;

pub(crate) use source::{Entry, functions_of_elf, source};

use evariste_codegen::assembly::Target;
use evariste_ir::Kernel;
use evariste_proof::Proved;

use crate::error::EmitError;
use crate::package::MachineCode;
use crate::unit::check_prefix;

/// The end of the names of a processor's files, and of its functions for most processors of its kind.
pub(crate) fn ending(target: &Target) -> String {
    format!("_{}", target.suffix)
}

/// One function of the assembly file.
pub(crate) fn entry<'a>(prefix: &str, code: &'a MachineCode, kernel: &'a Kernel) -> Result<Entry<'a>, EmitError> {
    Ok(Entry {
        symbol: format!("{prefix}_{}{}", code.operation, code.ending()),
        plan: &code.plan,
        kernel,
        program: &code.program,
        needs: code.needs(kernel)?,
    })
}

/// The processor that programs are for.
///
/// # Errors
/// None, or one of another processor.
pub(crate) fn target(functions: &[&MachineCode]) -> Result<&'static Target, EmitError> {
    let target = functions.first().ok_or(EmitError::NoMachineCode)?.program.target();
    match functions.iter().find(|code| code.program.target().suffix != target.suffix) {
        None => Ok(target),
        Some(other) => Err(EmitError::MachineCode {
            operation: other.operation.clone(),
            why: format!("it is for {}, and that of the others for {}", other.program.target().name, target.name),
        }),
    }
}

/// The assembly text of programs that belong to proved kernels, in the order given; function `k` is
/// `prefix_operation_PROCESSOR`, with what stands at the end of names of code apart.
pub fn text(functions: &[(&MachineCode, &Proved)], prefix: &str) -> Result<String, EmitError> {
    check_prefix(prefix)?;
    let target = target(&functions.iter().map(|(code, _)| *code).collect::<Vec<_>>())?;
    let entries: Result<Vec<Entry>, EmitError> =
        functions.iter().map(|(code, proved)| entry(prefix, code, proved.kernel())).collect();
    source(&entries?, target, target.compiled_for)
}
