//! Machine code of proved kernels for x86-64: compiled, then checked against the kernel, then read back and judged by
//! the list of instructions whose time does not depend on data; nothing else leaves. What is measured and what is
//! printed are made here alike.

use evariste_algorithms::Operation;
use evariste_codegen::x86_64::{self, Checked, Features, Genes};
use evariste_emit::MachineCode;
use evariste_ir::count::count;
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
    let all = count(proved.kernel()).operations();
    if all > MOST_OPERATIONS {
        return Err(TuneError::MachineCode(format!(
            "the kernel runs {all} operations, and to check machine code takes seconds beyond {MOST_OPERATIONS}"
        )));
    }
    let program = x86_64::compile(proved, features, genes).map_err(|e| no(&e))?;
    let checked = x86_64::check(proved, &program).map_err(|e| no(&e))?;
    let code = evariste_jit::encode(checked.program()).map_err(|e| no(&e))?;
    evariste_jit::constant_time(&code).map_err(|e| no(&e))?;
    Ok(checked)
}

/// Operations of a kernel, loops multiplied, beyond which its program is not checked, and so not used. The checker
/// follows kernel and program operation by operation, loops and calls too: about a second for 40,000 of them.
const MOST_OPERATIONS: u64 = 70_000;

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
