//! Machine code of proved kernels for packages.

use evariste_algorithms::Operation;
use evariste_backend::{Make, Packaged};
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

/// Why a package has no code for most processors of a kernel whose products are in code apart: vectors multiply such
/// digits, and nothing else does.
pub const DIGITS_OF_VECTORS: &str = "general registers multiply no such digits";

/// The machine code of an operation for the processors of such packages, by a schedule that was found or else the
/// heuristic's, its routines by theirs, named by its plan and schedules.
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
    routines: &[FoundSchedule],
) -> Result<MachineCode, TuneError> {
    made(packaged.make, operation, plan, proved, schedule, routines)
}

/// As [`for_package`], by what makes code for other processors.
///
/// # Errors
/// As [`for_package`].
pub(crate) fn made(
    make: Make,
    operation: &str,
    plan: &str,
    proved: &Proved,
    schedule: Option<&FoundSchedule>,
    routines: &[FoundSchedule],
) -> Result<MachineCode, TuneError> {
    let found = routines.iter().map(|s| (s.fingerprint, s.schedule.clone())).collect();
    let program = make(proved, schedule.map(|s| &s.schedule), &found)?;
    let plan = format!("{plan}, {}", schedule_line(schedule, routines));
    Ok(MachineCode { operation: operation.to_string(), plan, program })
}

/// Which schedules they are, in words.
pub fn schedule_line(schedule: Option<&FoundSchedule>, routines: &[FoundSchedule]) -> String {
    match (schedule, routines) {
        (Some(s), _) => format!("schedule searched for {} on {}", s.goal, s.core),
        (None, [first, ..]) => format!("schedules of routines searched on {}", first.core),
        (None, []) => "heuristic schedule".into(),
    }
}
