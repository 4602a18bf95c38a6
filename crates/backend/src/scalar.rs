//! Machine code of our own for one element, for any processor that programs are compiled, checked and encoded for: a
//! line of the table is all that one of them takes.

use std::sync::Arc;

use evariste_algorithms::kinds::ground;
use evariste_algorithms::{Layout, lane_layouts};
use evariste_codegen::assembly::{Assembly, Printable};
use evariste_codegen::compile::{Allocator, Compile};
use evariste_codegen::costs::Costs;
use evariste_codegen::graph::Graph;
use evariste_codegen::isa::{FeatureSet, Isa};
use evariste_codegen::lower::lower;
use evariste_codegen::schedule::{Schedule, candidates};
use evariste_codegen::{Aim, Checker, FoundOrders};
use evariste_cores::{Core, reference};
use evariste_descriptions::{Field, Pairing, Tower};
use evariste_ir::Kernel;
use evariste_jit::Encode;
use evariste_probe::{Probe, fingerprint, probe};
use evariste_proof::Proved;

use crate::backend::{
    Apart, Backend, Choice, Entry, Estimate, Kind, MachineTable, Measuring, Ordered, Orders, Packaged, Refusal, Repeat,
};
use crate::machine_code::{checked, features_among, function, verified};
use crate::made::Made;
use crate::table::named;

/// The back end of an instruction set; carry-less products and doubles in one lane of vector registers, where that is
/// where they are computed.
#[derive(Debug)]
pub struct Scalar<I: Isa> {
    features: I::Features,
    /// The core that a search orders for. What is made without a search is ordered as in packages.
    core: Arc<Core>,
    /// Orders that were found for routines of long kernels.
    found: Arc<FoundOrders>,
}

/// What makes it one: the ways to a program, its text, its costs, its bytes.
pub trait Processor: Compile + Assembly + Costs + Encode {}

impl<I: Compile + Assembly + Costs + Encode> Processor for I {}

impl<I: Processor + Probe> Scalar<I> {
    /// The line of the table.
    pub const ENTRY: Entry = Entry { machine: Some(&Self::MEASURED), ..Self::UNMEASURED };

    const MEASURED: MachineTable =
        MachineTable { probe: Some(Measuring { table: probe::<I>, fingerprint: fingerprint::<I> }), ..Self::MACHINE };
}

impl<I: Processor> Scalar<I> {
    /// The line of a processor whose cores nothing here measures: their tables are published ones.
    pub const UNMEASURED: Entry = Entry {
        name: I::NAME,
        title: I::NAME,
        kind: Kind::Scalar,
        find: |names| Ok(Arc::new(Scalar::<I>::new(features_among::<I>(names)?))),
        machine: Some(&Self::MACHINE),
        package: Some(&Self::PACKAGED),
    };

    const MACHINE: MachineTable = MachineTable {
        native: evariste_jit::is_native::<I>,
        misnamed: I::Features::misnamed,
        limits: Some(I::limits),
        model: || Arc::new(Scalar::<I>::new(I::PACKAGED)),
        speeds: I::speeds,
        probe: None,
    };

    const PACKAGED: Packaged = Packaged {
        target: I::TARGET,
        sets: I::PACKAGED_SETS,
        known_sets: I::SCHEDULE_SETS,
        make: |proved, schedule, found| packaged::<I>(I::PACKAGED, proved, schedule, found),
        apart: match I::PACKAGED_APART {
            Some(_) => Some(&Self::APART),
            None => None,
        },
    };

    /// What packages are compiled for besides; where there is none, as for the rest.
    const BESIDES: (I::Features, &'static str) = match I::PACKAGED_APART {
        Some(apart) => apart,
        None => (I::PACKAGED, I::NAME),
    };

    const APART: Apart = Apart {
        code: Self::BESIDES.1,
        gains: |kernel| I::ranked_apart(kernel, Self::BESIDES.0) == Some(Self::BESIDES.1),
        bound: |kernel, core| I::bound(kernel, Self::BESIDES.0, core),
        layouts: |field| Scalar::<I>::new(Self::BESIDES.0).layouts(field),
        make: |proved, schedule, found| packaged::<I>(Self::BESIDES.0, proved, schedule, found),
    };

    fn new(features: I::Features) -> Scalar<I> {
        Scalar { features, core: reference().clone(), found: Arc::default() }
    }
}

impl<I: Processor> Backend for Scalar<I> {
    fn entry(&self) -> &'static Entry {
        // Measured or not, the table says.
        named(I::NAME).unwrap_or_else(|| unreachable!("a back end has a line"))
    }

    fn setting(&self) -> String {
        format!("machine code: {}", self.features)
    }

    fn ranked_as(&self, kernel: &Kernel) -> &'static Entry {
        I::ranked_apart(kernel, self.features).and_then(named).unwrap_or_else(|| self.entry())
    }

    fn on(&self, core: &Arc<Core>) -> Option<Arc<dyn Backend>> {
        Some(Arc::new(Scalar::<I> { features: self.features, core: core.clone(), found: self.found.clone() }))
    }

    fn with_found(&self, found: &Arc<FoundOrders>) -> Option<Arc<dyn Backend>> {
        Some(Arc::new(Scalar::<I> { features: self.features, core: self.core.clone(), found: found.clone() }))
    }

    // A processor of 64 bits gains nothing from digits of 32.
    fn takes(&self, field: &Field, layout: &Layout, _: bool) -> bool {
        match layout.radix {
            None => layout.word == 64 || layout.word == 1,
            radix => radix == I::radix_abreast(self.features) && is_made_of_calls(field) && is_clean(layout),
        }
    }

    fn layouts(&self, field: &Field) -> Vec<Layout> {
        let radix = I::radix_abreast(self.features).filter(|_| is_made_of_calls(field));
        let all = radix.map(|radix| lane_layouts(&ground(field), 64, radix));
        all.into_iter().flatten().filter(is_clean).collect()
    }

    fn bound(&self, kernel: &Kernel, core: &Core) -> Option<f64> {
        I::bound(kernel, self.features, core)
    }

    fn estimate(&self, kernel: &Kernel) -> Result<Estimate, Refusal> {
        let operations = I::instructions(kernel, self.features).map_err(|e| Refusal::code(&e))?;
        Ok(Estimate { operations, cycles: operations as f64, beside: None })
    }

    fn modelled(&self, kernel: &Kernel) -> Option<f64> {
        I::modelled(kernel, Aim::of_core(self.features, &self.core))
    }

    fn make(&self, proved: &Proved, choice: &Choice) -> Result<Made, Refusal> {
        if let Repeat::Groups(times @ 2..) = choice.repeat {
            let program = I::repeated(proved, self.features.into(), choice.schedule, times)
                .ok_or_else(|| Refusal::Code(format!("no code of {times} elements, one after the other")))?;
            let function = function(&verified(proved, &program)?)?;
            return Ok(Made::scalar(proved.kernel(), function).repeated(times));
        }
        let aim = Aim { found: &self.found, ..self.features.into() };
        let checked = checked::<I>(proved, aim, choice.schedule, choice.long)?;
        function(&checked).map(|f| Made::scalar(proved.kernel(), f))
    }

    fn has_orders(&self, kernel: &Kernel) -> bool {
        I::has_orders(kernel)
    }

    fn with_orders(&self, proved: &Proved, run: &mut dyn FnMut(&mut dyn Orders)) -> Result<(), Refusal> {
        let graph = lower(proved.kernel()).map_err(|e| Refusal::code(&e))?;
        let (checker, allocator) = (Checker::new(proved), I::allocator(&graph, self.features));
        let (features, core) = (self.features, &*self.core);
        run(&mut ScalarOrders::<I> { checker, graph: &graph, features, core, allocator });
        Ok(())
    }

    fn schedule_sets(&self) -> Option<String> {
        Some(self.features.scalar().to_string())
    }
}

/// The program of a package.
fn packaged<I: Processor>(
    features: I::Features,
    proved: &Proved,
    schedule: Option<&Schedule>,
    found: &FoundOrders,
) -> Result<Printable, Refusal> {
    let aim = Aim { found, ..features.into() };
    Ok(checked::<I>(proved, aim, schedule, false)?.into())
}

/// Is it a field whose operations are calls of those of the prime field below, many of which do not wait for each other?
fn is_made_of_calls(field: &Field) -> bool {
    field.get::<Tower>().is_some() || field.get::<Pairing>().is_some()
}

/// Digits of Montgomery form that hold no more than their bits: sums of elements that lie side by side wait for no mask.
fn is_clean(layout: &Layout) -> bool {
    layout.word == 64 && layout.montgomery.is_some() && layout.resting.low.is_none()
}

struct ScalarOrders<'g, I: Isa> {
    checker: Checker,
    graph: &'g Graph,
    features: I::Features,
    core: &'g Core,
    allocator: Allocator<'g, I>,
}

impl<I: Processor> Orders for ScalarOrders<'_, I> {
    fn graph(&self) -> &Graph {
        self.graph
    }

    fn heuristic(&self) -> Schedule {
        I::heuristic(self.graph, self.features.into())
    }

    fn candidates(&self) -> Vec<Schedule> {
        candidates(self.graph, I::resources(Aim::of_core(self.features, self.core)))
    }

    fn make(&mut self, schedule: &Schedule, strict: bool) -> Result<Ordered, Refusal> {
        let Some(program) = (self.allocator)(schedule, strict) else { return Ok(Ordered::Infeasible) };
        let Ok(checked) = self.checker.check(&program) else { return Ok(Ordered::Wrong) };
        Ok(Ordered::Made(function(&checked)?, program.code.len()))
    }
}
