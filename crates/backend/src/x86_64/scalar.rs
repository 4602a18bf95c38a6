//! Machine code for one element; carry-less products and doubles in one lane of vector registers.

use std::sync::Arc;

use evariste_algorithms::Layout;
use evariste_codegen::assembly::Assembly;
use evariste_codegen::check::routines::statements;
use evariste_codegen::graph::Graph;
use evariste_codegen::lower::lower;
use evariste_codegen::schedule::{Schedule, candidates};
use evariste_codegen::x86_64::X86_64;
use evariste_codegen::x86_64::allocate::Allocator;
use evariste_codegen::x86_64::compile::program;
use evariste_codegen::x86_64::schedule::{heuristic, resources};
use evariste_codegen::x86_64::{self, Features, lanes};
use evariste_codegen::{Checked, Checker};
use evariste_descriptions::Field;
use evariste_ir::Kernel;
use evariste_ir::count::count as count_kernel;
use evariste_jit::Function;
use evariste_proof::Proved;
use evariste_run::NativeFunction;

use super::{features_among, speeds};
use crate::backend::{Backend, Choice, Entry, Estimate, Kind, MachineTable, Ordered, Orders, Packaged, Refusal};
use crate::made::Made;

/// The line of the table.
pub static SCALAR: Entry = Entry {
    name: "x86-64",
    title: "x86-64",
    kind: Kind::Scalar,
    find: |names| Ok(Arc::new(Scalar { features: features_among(names)? })),
    machine: Some(&MachineTable {
        native: evariste_jit::is_native::<X86_64>,
        limits: Some(|kernel| x86_64::limits(kernel).to_vec()),
        model: || Arc::new(Scalar { features: Features::AVX2 }),
        speeds: speeds::scalar,
    }),
    package: Some(&Packaged {
        target: X86_64::TARGET,
        sets: "bmi2+adx",
        known_sets: &["baseline", "bmi2", "bmi2+adx"],
        // With vector registers where a kernel needs them.
        make: |proved, schedule| Ok(checked(proved, Features::AVX2, schedule, false)?.into()),
    }),
};

/// Statements that a check may run: a routine counts once, what has none as often as it is called, and a loop as often
/// as it runs. About a second for 100,000 of them.
const MOST_STATEMENTS: u64 = 400_000;

/// The checked program of a kernel, in the order of a schedule that was found or else of the heuristic's; `long` for
/// kernels of any length.
///
/// # Errors
/// The kernel is too long, for code or for a check, or has no scalar form, the schedule belongs to another kernel, the
/// checker does not recognise its program, or an instruction of it is not on the list of those whose time does not
/// depend on data.
pub fn checked(
    proved: &Proved,
    features: Features,
    schedule: Option<&Schedule>,
    long: bool,
) -> Result<Checked<X86_64>, Refusal> {
    let program = x86_64::compile(proved, features, schedule).map_err(|e| Refusal::code(&e))?;
    let all = statements(proved.kernel(), &program).map_err(|e| Refusal::code(&e))?;
    if all > MOST_STATEMENTS && !long {
        return Err(Refusal::Code(format!(
            "to check machine code of {all} statements takes long: {MOST_STATEMENTS} are the most, of which each \
             routine counts once"
        )));
    }
    let checked = evariste_codegen::check::check(proved, &program).map_err(|e| Refusal::code(&e))?;
    let code = evariste_jit::encode(checked.program()).map_err(|e| Refusal::code(&e))?;
    evariste_jit::constant_time(&code).map_err(|e| Refusal::code(&e))?;
    Ok(checked)
}

/// One kernel as machine code for this processor.
///
/// # Errors
/// As [`checked`], and where this machine cannot run it.
pub fn assemble(proved: &Proved, features: Features, schedule: Option<&Schedule>) -> Result<Made, Refusal> {
    function(&checked(proved, features, schedule, false)?).map(|f| Made::scalar(proved.kernel(), f))
}

/// The schedule that the heuristic chooses for a kernel.
///
/// # Errors
/// A kernel without a scalar form.
pub fn heuristic_schedule(proved: &Proved, features: Features) -> Result<Schedule, Refusal> {
    x86_64::heuristic_schedule(proved, features).map_err(|e| Refusal::code(&e))
}

/// A checked program in memory.
pub(super) fn function(checked: &Checked<X86_64>) -> Result<NativeFunction, Refusal> {
    Ok(NativeFunction::from_machine_code(Function::new(checked).map_err(|e| Refusal::code(&e))?)?)
}

#[derive(Debug)]
struct Scalar {
    features: Features,
}

impl Backend for Scalar {
    fn entry(&self) -> &'static Entry {
        &SCALAR
    }

    fn setting(&self) -> String {
        format!("machine code: {}", self.features)
    }

    // A processor of 64 bits gains nothing from digits of 32.
    fn takes(&self, _: &Field, layout: &Layout, _: bool) -> bool {
        layout.radix.is_none() && (layout.word == 64 || layout.word == 1)
    }

    fn bound(&self, kernel: &Kernel) -> Option<f64> {
        let one = || lanes::graph_one(kernel, self.features).ok();
        one().filter(|_| lanes::needs_vectors(kernel)).map(|graph| lanes::bound_one(&graph))
    }

    fn estimate(&self, kernel: &Kernel) -> Result<Estimate, Refusal> {
        let nodes = if lanes::needs_vectors(kernel) {
            lanes::graph_one(kernel, self.features).map_err(|e| Refusal::code(&e))?.nodes.len()
        } else {
            count_kernel(kernel).operations() as usize
        };
        Ok(Estimate { operations: nodes, slots: u32::try_from(nodes).unwrap_or(u32::MAX) })
    }

    fn make(&self, proved: &Proved, choice: &Choice) -> Result<Made, Refusal> {
        let checked = checked(proved, self.features, choice.schedule, choice.long)?;
        function(&checked).map(|f| Made::scalar(proved.kernel(), f))
    }

    // What is computed in vector registers has an order of its own.
    fn has_orders(&self, kernel: &Kernel) -> bool {
        !lanes::needs_vectors(kernel)
    }

    fn with_orders(&self, proved: &Proved, run: &mut dyn FnMut(&mut dyn Orders)) -> Result<(), Refusal> {
        let graph = lower(proved.kernel()).map_err(|e| Refusal::code(&e))?;
        let allocator = Allocator::new(&graph, self.features);
        run(&mut ScalarOrders { checker: Checker::new(proved), graph: &graph, allocator });
        Ok(())
    }

    fn schedule_sets(&self) -> Option<String> {
        Some(self.features.scalar().to_string())
    }
}

struct ScalarOrders<'g> {
    checker: Checker,
    graph: &'g Graph,
    allocator: Allocator<'g>,
}

impl Orders for ScalarOrders<'_> {
    fn graph(&self) -> &Graph {
        self.graph
    }

    fn heuristic(&self) -> Schedule {
        heuristic(self.graph, self.allocator.features())
    }

    fn candidates(&self) -> Vec<Schedule> {
        candidates(self.graph, resources(self.allocator.features()))
    }

    fn make(&mut self, schedule: &Schedule, strict: bool) -> Result<Ordered, Refusal> {
        let Ok(allocated) = self.allocator.run(schedule, strict) else { return Ok(Ordered::Infeasible) };
        let program = program(self.graph, allocated);
        let Ok(checked) = self.checker.check(&program) else { return Ok(Ordered::Wrong) };
        Ok(Ordered::Made(function(&checked)?, program.code.len()))
    }
}
