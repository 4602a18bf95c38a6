//! Machine code of our own, of whatever processor: what may be used here, checked programs, and functions of them.

use evariste_codegen::check::check;
use evariste_codegen::check::routines::statements;
use evariste_codegen::compile::Compile;
use evariste_codegen::isa::FeatureSet;
use evariste_codegen::program::Program;
use evariste_codegen::schedule::Schedule;
use evariste_codegen::{Aim, Checked};
use evariste_jit::{Encode, Function};
use evariste_proof::Proved;
use evariste_run::NativeFunction;

use crate::backend::Refusal;
use crate::made::Made;

/// Set to `off`, this variable of the environment keeps machine code from being made.
pub const SWITCH: &str = "EVARISTE_MACHINE_CODE";

/// Statements that a check may run: a routine counts once, what has none as often as it is called, and a loop as often
/// as it runs. About a second for 100,000 of them.
const MOST_STATEMENTS: u64 = 400_000;

/// What machine code may use on this machine.
///
/// # Errors
/// Another processor, no memory for code, or [`SWITCH`].
pub fn features<I: Encode>() -> Result<I::Features, Refusal> {
    if std::env::var(SWITCH).is_ok_and(|v| v == "off") {
        return Err(Refusal::Code(format!("{SWITCH} is off")));
    }
    evariste_jit::available::<I>().map_err(|e| Refusal::code(&e))
}

/// What machine code may use here, restricted to the instruction sets that a text names.
pub(crate) fn features_among<I: Encode>(names: Option<&str>) -> Result<I::Features, Refusal> {
    let here = features::<I>()?;
    Ok(names.map_or(here, |names| here.only(names)))
}

/// The checked program of a kernel, in the order of a schedule that was found or else of the heuristic's; `long` for
/// kernels of any length.
///
/// # Errors
/// The kernel is too long, for code or for a check, or has no scalar form, the schedule belongs to another kernel, the
/// checker does not recognise its program, or an instruction of it is not on the list of those whose time does not
/// depend on data.
pub(crate) fn checked<I: Compile + Encode>(
    proved: &Proved,
    aim: Aim<'_, I::Features>,
    schedule: Option<&Schedule>,
    long: bool,
) -> Result<Checked<I>, Refusal> {
    let program = I::compile(proved, aim, schedule).map_err(|e| Refusal::code(&e))?;
    let all = statements(proved.kernel(), &program).map_err(|e| Refusal::code(&e))?;
    if all > MOST_STATEMENTS && !long {
        return Err(Refusal::Code(format!(
            "to check machine code of {all} statements takes long: {MOST_STATEMENTS} are the most, of which each \
             routine counts once"
        )));
    }
    verified(proved, &program)
}

/// A program that the checker accepts and of which every instruction is on that list.
pub(crate) fn verified<I: Compile + Encode>(proved: &Proved, program: &Program<I>) -> Result<Checked<I>, Refusal> {
    let checked = check(proved, program).map_err(|e| Refusal::code(&e))?;
    let code = evariste_jit::encode(checked.program()).map_err(|e| Refusal::code(&e))?;
    evariste_jit::constant_time(&code).map_err(|e| Refusal::code(&e))?;
    Ok(checked)
}

/// One kernel as machine code for this processor.
///
/// # Errors
/// The kernel has no program that the checker accepts in reasonable time, or this machine cannot run it.
pub fn assemble<I: Compile + Encode>(
    proved: &Proved,
    features: I::Features,
    schedule: Option<&Schedule>,
) -> Result<Made, Refusal> {
    function(&checked::<I>(proved, features.into(), schedule, false)?).map(|f| Made::scalar(proved.kernel(), f))
}

/// A checked program in memory.
pub(crate) fn function<I: Encode>(checked: &Checked<I>) -> Result<NativeFunction, Refusal> {
    Ok(NativeFunction::from_machine_code(Function::new(checked).map_err(|e| Refusal::code(&e))?)?)
}
