//! Machine code of proved kernels for x86-64: compiled, then checked against the kernel, then read back and judged by
//! the list of instructions whose time does not depend on data; nothing else leaves. What is measured and what is
//! printed are made here alike.

use evariste_algorithms::Operation;
use evariste_codegen::x86_64::{self, Checked, Features, Genes};
use evariste_emit::MachineCode;
use evariste_proof::Proved;

use crate::error::TuneError;
use crate::schedules::Schedule;

/// The checked program of a kernel, in the order of a schedule that was found or else of the heuristic's.
///
/// # Errors
/// [`TuneError::MachineCode`]: the kernel is too long, for code or for a check, or has no scalar form, the schedule belongs to another kernel, the checker does not recognise its program, or an instruction
/// of it is not on the list of those whose time does not depend on data.
pub fn checked(proved: &Proved, features: Features, genes: Option<&Genes>) -> Result<Checked, TuneError> {
    let no = |e: &dyn std::fmt::Display| TuneError::MachineCode(e.to_string());
    let program = x86_64::compile(proved, features, genes).map_err(|e| no(&e))?;
    let all = x86_64::check::routines::statements(proved.kernel(), &program).map_err(|e| no(&e))?;
    if all > MOST_STATEMENTS {
        return Err(TuneError::MachineCode(format!(
            "to check machine code of {all} statements takes long: {MOST_STATEMENTS} are the most, of which each \
             routine counts once"
        )));
    }
    let checked = x86_64::check(proved, &program).map_err(|e| no(&e))?;
    let code = evariste_jit::encode(checked.program()).map_err(|e| no(&e))?;
    evariste_jit::constant_time(&code).map_err(|e| no(&e))?;
    Ok(checked)
}

/// Statements that a check may run: a routine counts once, what has none as often as it is called, and a loop as often
/// as it runs. About a second for 100,000 of them.
const MOST_STATEMENTS: u64 = 400_000;

/// Why a package keeps an operation in C though its kernel may have machine code.
pub fn stays_in_c(operation: &Operation) -> Option<&'static str> {
    match operation {
        Operation::ToBytes { .. } | Operation::FromBytes { .. } => Some("compilers move bytes by whole words"),
        _ => None,
    }
}

/// The machine code of an operation for processors with BMI2 and ADX, and with AVX2, FMA and PCLMULQDQ where it needs
/// vector registers, by a schedule that was found or else the heuristic's, named by its plan and schedule.
///
/// # Errors
/// As [`checked`].
pub fn for_package(
    operation: &str,
    plan: &str,
    proved: &Proved,
    schedule: Option<&Schedule>,
) -> Result<MachineCode, TuneError> {
    let program = checked(proved, Features::AVX2, schedule.map(|s| &s.genes))?;
    Ok(MachineCode { operation: operation.to_string(), plan: format!("{plan}, {}", schedule_line(schedule)), program })
}

/// Which schedule it is, in words.
pub fn schedule_line(schedule: Option<&Schedule>) -> String {
    schedule.map_or_else(|| "heuristic schedule".into(), |s| format!("schedule searched for {}", s.goal))
}
