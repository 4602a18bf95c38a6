//! Its compiler: every value has a slot of the stack, and passes through two registers. Words are moved and added over
//! GF(2); more it cannot.

use std::fmt;

use evariste_codegen::Aim;
use evariste_codegen::compile::{Allocator, Compile};
use evariste_codegen::graph::{Graph, Id, Kind, Operation};
use evariste_codegen::lower::{LowerError, lower};
use evariste_codegen::program::{Lanes, Program};
use evariste_codegen::schedule::{Latencies, Resources, Schedule, demand_order};
use evariste_proof::Proved;

use super::{FREE, Inst, KEPT, LINK, NoFeatures, STACK, Small};

/// Why there is no program.
#[derive(Debug)]
pub enum NoCode {
    /// The kernel has no graph.
    Lower(LowerError),
    /// It has no instruction for an operation, or the order is not the graph's.
    Graph,
}

impl fmt::Display for NoCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoCode::Lower(e) => write!(f, "{e}"),
            NoCode::Graph => f.write_str("it only moves words and adds them over GF(2)"),
        }
    }
}

impl std::error::Error for NoCode {}

impl Compile for Small {
    type Error = NoCode;

    fn compile(
        proved: &Proved,
        aim: Aim<'_, NoFeatures>,
        schedule: Option<&Schedule>,
    ) -> Result<Program<Small>, NoCode> {
        let graph = lower(proved.kernel()).map_err(NoCode::Lower)?;
        let schedule = schedule.cloned().unwrap_or_else(|| Small::heuristic(&graph, aim));
        write(&graph, &schedule).ok_or(NoCode::Graph)
    }

    fn resources(_: Aim<'_, NoFeatures>) -> Resources {
        let latencies = Latencies { product: 1, low_product: 1, funnel: 1, other: 1 };
        Resources {
            is_quiet: |op| op == Operation::Mul || op == Operation::Not,
            latencies,
            alive: &[2],
            two_flags: false,
            funnels_apart: false,
        }
    }

    fn heuristic(graph: &Graph, aim: Aim<'_, NoFeatures>) -> Schedule {
        Schedule::of_order(graph, demand_order(graph, Small::resources(aim)))
    }

    fn allocator<'g>(graph: &'g Graph, _: NoFeatures) -> Allocator<'g, Small> {
        Box::new(move |schedule, _| write(graph, schedule))
    }
}

/// Bytes of the frame: a slot for each value and one for the register that is kept.
fn frame(graph: &Graph) -> i64 {
    (8 * (graph.values.len() as i64 + 1) + 15) / 16 * 16
}

fn slot(value: Id) -> i64 {
    8 * i64::from(value)
}

/// Where a parameter's pointer is: a register, into which it is loaded if it lies on the caller's stack.
fn pointer(graph: &Graph, param: u16, through: usize, code: &mut Vec<Inst>) -> usize {
    if param < 2 {
        return param.into();
    }
    code.push(Inst::Load { to: through, base: STACK, offset: frame(graph) + 8 * (i64::from(param) - 2) });
    through
}

/// Brings a value into a register.
fn fetch(graph: &Graph, value: Id, to: usize, code: &mut Vec<Inst>) -> Option<()> {
    let (base, offset) = match *graph.values.get(value as usize)? {
        Kind::Word => (STACK, slot(value)),
        Kind::Input { param, index } => (pointer(graph, param, to, code), 8 * i64::from(index)),
        Kind::Flag | Kind::Constant(_) | Kind::Line(_) => return None,
    };
    code.push(Inst::Load { to, base, offset });
    Some(())
}

fn write(graph: &Graph, schedule: &Schedule) -> Option<Program<Small>> {
    let (bytes, kept) = (frame(graph), slot(graph.values.len() as Id));
    let mut code = vec![
        Inst::Step { to: STACK, from: STACK, bytes: -bytes },
        Inst::Store { from: KEPT, base: STACK, offset: kept },
    ];
    for node in schedule.fits(graph).then_some(&schedule.order)?.iter().map(|n| &graph.nodes[*n as usize]) {
        fetch(graph, node.args[0], FREE, &mut code)?;
        match node.op {
            Operation::Load => {}
            Operation::Xor => {
                fetch(graph, node.args[1], KEPT, &mut code)?;
                code.push(Inst::Xor { to: FREE, from: KEPT });
            }
            Operation::Store { param, index } => {
                let base = pointer(graph, param, KEPT, &mut code);
                code.push(Inst::Store { from: FREE, base, offset: 8 * i64::from(index) });
            }
            _ => return None,
        }
        code.extend(node.results().map(|value| Inst::Store { from: FREE, base: STACK, offset: slot(value) }));
    }
    code.extend([
        Inst::Load { to: KEPT, base: STACK, offset: kept },
        Inst::Step { to: STACK, from: STACK, bytes },
        Inst::Return(LINK),
    ]);
    Some(Program {
        name: graph.name.clone(),
        features: NoFeatures,
        lanes: Lanes::ONE,
        params: graph.params.clone(),
        disjoint: graph.disjoint.clone(),
        constants: Vec::new(),
        code,
        callees: Vec::new(),
    })
}
