//! Machine code of proved kernels for packages.

use evariste_algorithms::Operation;
use evariste_backend::Packaged;
use evariste_emit::MachineCode;
use evariste_ir::Kernel;
use evariste_proof::Proved;

use crate::error::TuneError;
use crate::schedules::FoundSchedule;

/// Why a package keeps an operation in C though its kernel may have machine code: it moves bytes, and calls nothing that
/// computes.
pub fn stays_in_c(operation: &Operation, kernel: &Kernel) -> Option<&'static str> {
    (operation.has_bytes() && kernel.callees.is_empty()).then_some("compilers move bytes by whole words")
}

/// The machine code of an operation for the processors of such packages, by a schedule that was found or else the
/// heuristic's, named by its plan and schedule.
///
/// # Errors
/// [`TuneError::MachineCode`]: the kernel is too long, for code or for a check, or has no scalar form, the schedule
/// belongs to another kernel, the checker does not recognise its program, or an instruction of it is not on the list of
/// those whose time does not depend on data.
pub fn for_package(
    packaged: &Packaged,
    operation: &str,
    plan: &str,
    proved: &Proved,
    schedule: Option<&FoundSchedule>,
) -> Result<MachineCode, TuneError> {
    let program = (packaged.make)(proved, schedule.map(|s| &s.schedule))?;
    Ok(MachineCode { operation: operation.to_string(), plan: format!("{plan}, {}", schedule_line(schedule)), program })
}

/// Which schedule it is, in words.
pub fn schedule_line(schedule: Option<&FoundSchedule>) -> String {
    schedule.map_or_else(|| "heuristic schedule".into(), |s| format!("schedule searched for {} on {}", s.goal, s.core))
}
