//! A kernel in lanes that is too long for one graph: routines of segments, loops and calls, one group of lanes a call (of
//! the function several, where [`crate::groups`] has written each part for each).
//!
//! All that lives from one part to the next lies in a routine's frame, from `rsp` up, in vectors that begin at a multiple
//! of 64: slots of its segments, then the routine's words. Pointers to the parameters and counters are words above that,
//! which `rbp` finds. The function and its routines keep the registers of the calling convention alike; a routine that
//! calls nothing has a frame for its slots alone.

use super::allocate::{Allocated, allocate};
use super::cost::offered;
use super::finish::{BESIDE, POINTERS};
use super::places::{Elements, FRAME, Places};
use super::schedule;
use super::shape::Shape;
use crate::aim::Aim;
use crate::check::machine::MOST_STACK;
use crate::graph::{Graph, Operation};
use crate::outline::{Body, Part, Place, Pointer, PointerBase, Routine, Segment, callers_first};
use crate::program::{Lanes, Parameter};
use crate::x86_64::Program;
use crate::x86_64::allocate::{Infeasible, Why};
use crate::x86_64::error::CompileError;
use crate::x86_64::instruction::{Address, Base, Condition, Features, Gpr, Inst, Opcode, Operand};
use crate::x86_64::table::row;
use crate::x86_64::vector::{Vector, Width};

/// Registers for the addresses of a segment: those that calls lose first.
const POOL: [Gpr; 12] = [
    Gpr::Rdi,
    Gpr::Rsi,
    Gpr::Rdx,
    Gpr::Rcx,
    Gpr::R8,
    Gpr::R9,
    Gpr::R11,
    Gpr::Rbx,
    Gpr::R12,
    Gpr::R13,
    Gpr::R14,
    Gpr::R15,
];

/// On vectors of 16 registers, a graph without sums (of carry-less products) of more nodes than that keeps its own order.
const LONG_OF_OTHERS: usize = 1 << 9;

/// On vectors of 32 registers, a graph of more nodes than that keeps its own order too: a product of more than one number
/// in columns has more values alive than registers, and a schedule for latencies only adds to them.
const LONG_OF_MANY: usize = 7 << 6;

/// The program of routines, each segment in an order of its own, for one group of lanes.
///
/// # Errors
/// A segment without code; more stack than is safe.
pub(super) fn compile(routines: &[Routine], aim: Aim<'_, Features>, width: Width) -> Result<Program, CompileError> {
    let shape = Shape::single(width);
    let mut assembler =
        Assembler { aim, shape, constants: Vec::new(), labels: routines.len() as u32, now: Work::default() };
    let mut code = Vec::new();
    for (at, routine) in routines.iter().enumerate() {
        if at > 0 {
            code.push(Inst::new(Opcode::Label, &[Operand::Label(at as u32)]));
        }
        code.extend(assembler.routine(routine, at == 0)?);
    }
    let lanes = Lanes { count: width.bytes() / 8, groups: 1 };
    let of_all = |params: &[Parameter]| {
        let one = |p: &Parameter| Parameter { len: p.len * lanes.elements(), ..p.clone() };
        params.iter().map(one).collect::<Vec<_>>()
    };
    let callee = |at: usize| {
        let callee = routines[at].callee(at as u32);
        crate::program::Callee { params: of_all(&callee.params), ..callee }
    };
    Ok(Program {
        name: routines[0].name.clone(),
        features: code.iter().map(|inst| row(inst.op).needs).fold(Features::BASELINE, Features::and),
        lanes,
        params: of_all(&routines[0].params),
        disjoint: routines[0].disjoint.clone(),
        constants: assembler.constants,
        code,
        callees: callers_first(routines).into_iter().map(callee).collect(),
    })
}

/// Every graph of routines.
pub(super) fn graphs(routines: &[Routine]) -> Vec<&Graph> {
    fn of<'r>(parts: &'r [Part], all: &mut Vec<&'r Graph>) {
        for part in parts {
            match part {
                Part::Segment(segment) => all.push(&segment.graph),
                Part::Loop { body, .. } => of(body, all),
                Part::Call { .. } => {}
            }
        }
    }
    let mut all = Vec::new();
    for routine in routines {
        match &routine.body {
            Body::Straight(graph) | Body::OneLane(graph) | Body::Abreast(graph) => all.push(graph),
            Body::Parts { parts, .. } => of(parts, &mut all),
        }
    }
    all
}

/// What one call of the first routine takes, of what each graph takes.
pub(super) fn total(routines: &[Routine], each: &dyn Fn(&Graph) -> f64) -> f64 {
    fn of(parts: &[Part], routines: &[Routine], known: &mut [Option<f64>], each: &dyn Fn(&Graph) -> f64) -> f64 {
        let one = |part: &Part, known: &mut [Option<f64>]| match part {
            Part::Segment(segment) => each(&segment.graph),
            Part::Loop { step, limit, body, .. } => f64::from(limit / step) * of(body, routines, known, each),
            Part::Call { routine, .. } => CALL + of_routine(*routine, routines, known, each),
        };
        parts.iter().map(|part| one(part, known)).sum()
    }
    fn of_routine(at: usize, all: &[Routine], known: &mut [Option<f64>], each: &dyn Fn(&Graph) -> f64) -> f64 {
        if let Some(cycles) = known[at] {
            return cycles;
        }
        let cycles = match &all[at].body {
            Body::Straight(graph) | Body::OneLane(graph) | Body::Abreast(graph) => each(graph),
            Body::Parts { parts, .. } => of(parts, all, known, each),
        };
        known[at] = Some(cycles);
        cycles
    }
    of_routine(0, routines, &mut vec![None; routines.len()], each)
}

/// About the cycles that a call takes for itself.
const CALL: f64 = 6.0;

/// The routine in work.
#[derive(Default)]
struct Work {
    code: Vec<Inst>,
    /// Vectors on the stack that a segment takes, and how many lie below the words.
    slots: u32,
    below: u32,
    /// Counters in work: the word that names each, and its place above the frame.
    counters: Vec<(u32, u32)>,
    most_counters: u32,
    params: u32,
    free: Vec<Gpr>,
}

struct Assembler<'a> {
    aim: Aim<'a, Features>,
    shape: Shape,
    constants: Vec<u64>,
    labels: u32,
    now: Work,
}

fn register(r: Gpr) -> Operand {
    Operand::Register(r)
}

fn infeasible(why: Why) -> CompileError {
    CompileError::Infeasible(Infeasible { node: 0, why })
}

impl Assembler<'_> {
    fn push(&mut self, op: Opcode, operands: &[Operand]) {
        self.now.code.push(Inst::new(op, operands));
    }

    /// A whole routine.
    fn routine(&mut self, routine: &Routine, function: bool) -> Result<Vec<Inst>, CompileError> {
        match &routine.body {
            Body::Straight(graph) if !function => self.straight(graph),
            Body::Parts { parts, words } => {
                // How many slots there are is known when all segments have registers.
                let (constants, labels) = (self.constants.len(), self.labels);
                self.now = Work { params: routine.params.len() as u32, ..Work::default() };
                self.parts(parts)?;
                let (below, counters) = (self.now.slots, self.now.most_counters);
                self.constants.truncate(constants);
                self.labels = labels;
                self.now = Work { below, params: routine.params.len() as u32, ..Work::default() };
                self.parts(parts)?;
                let frame = (below + words) * self.shape.width.bytes();
                if i64::from(frame) > MOST_STACK - BESIDE {
                    return Err(CompileError::Frame(frame));
                }
                let body = std::mem::take(&mut self.now.code);
                Ok(framed(body, frame, routine.params.len(), counters, function.then_some(self.shape.width)))
            }
            Body::Straight(_) | Body::OneLane(_) | Body::Abreast(_) => Err(infeasible(Why::Undefined)),
        }
    }

    /// A routine of one graph, whose parameters are in registers.
    fn straight(&mut self, graph: &Graph) -> Result<Vec<Inst>, CompileError> {
        let graph = offered(graph.clone(), self.aim.features, self.shape.width)?;
        let allocated = self.allocated(&graph, &Places::of_function(&graph, Elements::Vectors))?;
        let body = self.with_constants(allocated.code, &allocated.constants, &graph.lines);
        let mut code = Vec::with_capacity(body.len() + 5);
        let framed = allocated.slots > 0;
        if framed {
            let bytes = i64::from(allocated.slots * self.shape.width.bytes());
            code.push(Inst::new(Opcode::Mov, &[register(Gpr::R11), register(Gpr::Rsp)]));
            code.push(Inst::new(Opcode::Sub, &[register(Gpr::Rsp), Operand::Immediate(bytes)]));
            code.push(Inst::new(Opcode::And, &[register(Gpr::Rsp), Operand::Immediate(-64)]));
        }
        code.extend(body);
        if framed {
            code.push(Inst::new(Opcode::Mov, &[register(Gpr::Rsp), register(Gpr::R11)]));
        }
        code.push(Inst::new(Opcode::Return, &[]));
        Ok(code)
    }

    /// Registers for a graph in the order of a schedule, or where that keeps too many conditions alive in its own.
    fn allocated(&self, graph: &Graph, places: &Places) -> Result<Allocated, CompileError> {
        let shape = self.shape_of(graph);
        let order = schedule::order(graph, self.aim.core, shape);
        let own = || allocate(graph, shape, &schedule::in_source_order(graph, 1), places);
        allocate(graph, shape, &order, places).or_else(|_| own()).map_err(CompileError::Infeasible)
    }

    /// Logic keeps its own order, and so does what has more values than registers: where these are few, sums and products of
    /// integers, and everything long. All take operands from memory where nobody else wants them.
    fn shape_of(&self, graph: &Graph) -> Shape {
        let width = self.shape.width;
        let sums = graph.nodes.iter().any(|n| matches!(n.op, Operation::Add | Operation::Sub));
        let (few, nodes) = (width.registers() < 32, graph.nodes.len());
        let long = if few { sums || nodes > LONG_OF_OTHERS } else { nodes > LONG_OF_MANY };
        let source = long || schedule::is_logic(graph);
        Shape { source, fold: source && !width.two_operands(), ..self.shape }
    }

    fn parts(&mut self, parts: &[Part]) -> Result<(), CompileError> {
        for part in parts {
            match part {
                Part::Segment(segment) => self.segment(segment)?,
                Part::Loop { counter, step, limit, body } => {
                    let (label, number) = (self.labels, self.now.counters.len() as u32);
                    self.labels += 1;
                    self.now.counters.push((*counter, number));
                    self.now.most_counters = self.now.most_counters.max(number + 1);
                    let (place, rax) = (self.above(self.now.params + number), register(Gpr::Rax));
                    self.push(Opcode::Mov, &[rax, Operand::Immediate(0)]);
                    self.push(Opcode::Mov, &[place, rax]);
                    self.push(Opcode::Label, &[Operand::Label(label)]);
                    self.parts(body)?;
                    self.push(Opcode::Mov, &[rax, place]);
                    self.push(Opcode::Add, &[rax, Operand::Immediate(i64::from(*step))]);
                    self.push(Opcode::Mov, &[place, rax]);
                    self.push(Opcode::Cmp, &[rax, Operand::Immediate(i64::from(*limit))]);
                    self.push(Opcode::JumpIf(Condition::NotZero), &[Operand::Label(label)]);
                    self.now.counters.pop();
                }
                Part::Call { routine, args } => {
                    for (to, pointer) in Gpr::PARAMETERS.into_iter().zip(args) {
                        self.address(to, pointer)?;
                    }
                    self.push(Opcode::Call, &[Operand::Label(*routine as u32)]);
                }
            }
        }
        Ok(())
    }

    /// A word above the frame: pointers first, then counters.
    fn above(&self, word: u32) -> Operand {
        Operand::Memory(Address::at(Gpr::Rbp, -8 * (word as i32 + 1)))
    }

    /// Bytes from `rsp` to a word of the frame.
    fn word(&self, word: u32) -> i32 {
        ((self.now.below + word) * self.shape.width.bytes()) as i32
    }

    fn take(&mut self) -> Result<Gpr, CompileError> {
        self.now.free.pop().ok_or(infeasible(Why::Registers))
    }

    fn segment(&mut self, segment: &Segment) -> Result<(), CompileError> {
        self.now.free = POOL.iter().rev().copied().collect();
        let mut arrays = Vec::new();
        for place in &segment.places {
            arrays.push(match place {
                Place::Through(p) => {
                    let to = self.take()?;
                    let from = self.above(*p);
                    self.push(Opcode::Mov, &[register(to), from]);
                    (to, 0)
                }
                Place::Frame(word) => (Gpr::Rsp, self.word(*word)),
                Place::Computed(_, pointer) => {
                    let to = self.take()?;
                    self.address(to, pointer)?;
                    (to, 0)
                }
            });
        }
        let graph = offered(segment.graph.clone(), self.aim.features, self.shape.width)?;
        let body = self.allocated(&graph, &Places { arrays, slots: 0, elements: Elements::Vectors })?;
        self.now.slots = self.now.slots.max(body.slots);
        let code = self.with_constants(body.code, &body.constants, &graph.lines);
        self.now.code.extend(code);
        Ok(())
    }

    /// The code with its constants in the program's table; lines stay whole.
    fn with_constants(&mut self, mut code: Vec<Inst>, constants: &[u64], lines: &[[u64; 8]]) -> Vec<Inst> {
        if !lines.is_empty() {
            return self.with_lines(code, constants);
        }
        let each = self.shape.width.words_of_constant();
        // Where nothing loads one word for all, each lies there as often.
        let places: Vec<usize> = constants
            .chunks(each)
            .map(|all| {
                let known = self.constants.chunks(each).position(|known| known == all);
                known.map_or_else(
                    || {
                        self.constants.extend(all);
                        self.constants.len() - each
                    },
                    |at| at * each,
                )
            })
            .collect();
        for operand in code.iter_mut().flat_map(|inst| inst.operands.iter_mut().flatten()) {
            if let Operand::Memory(a) | Operand::Broadcast(a) = operand
                && a.base == Base::Constants
            {
                let at = a.displacement as usize / 8;
                a.displacement = 8 * places[at / each] as i32;
            }
        }
        code
    }

    /// The code with its constants as they lie, behind the others from a multiple of a line's length on.
    fn with_lines(&mut self, mut code: Vec<Inst>, constants: &[u64]) -> Vec<Inst> {
        let line = self.shape.width.bytes() as usize / 8;
        let known = (0..self.constants.len()).step_by(line).find(|at| self.constants[*at..].starts_with(constants));
        let first = known.unwrap_or_else(|| {
            let at = self.constants.len().next_multiple_of(line);
            self.constants.resize(at, 0);
            self.constants.extend(constants);
            at
        });
        for operand in code.iter_mut().flat_map(|inst| inst.operands.iter_mut().flatten()) {
            if let Operand::Memory(a) | Operand::Broadcast(a) = operand
                && a.base == Base::Constants
            {
                a.displacement += 8 * first as i32;
            }
        }
        code
    }

    /// Puts an address into a register; `rax` and `r10` are lost.
    fn address(&mut self, to: Gpr, pointer: &Pointer) -> Result<(), CompileError> {
        // Pointers count elements of eight bytes, which are vectors here.
        let scale = i64::from(self.shape.width.bytes()) / 8;
        let bytes = pointer.bytes * scale;
        let wide = |bytes: i64| i32::try_from(bytes).map_err(|_| infeasible(Why::Undefined));
        match pointer.base {
            PointerBase::Through(p) => {
                let from = self.above(p);
                self.push(Opcode::Mov, &[register(to), from]);
                if bytes != 0 {
                    let at = Address::at(to, wide(bytes)?);
                    self.push(Opcode::Lea, &[register(to), Operand::Memory(at)]);
                }
            }
            PointerBase::Frame(word) => {
                let at = Address::at(Gpr::Rsp, wide(i64::from(self.word(word)) + bytes)?);
                self.push(Opcode::Lea, &[register(to), Operand::Memory(at)]);
            }
            // (On vectors tables are parts of the code.)
            PointerBase::Table(_) => return Err(infeasible(Why::Undefined)),
        }
        for (word, n) in &pointer.terms {
            let counter = self.now.counters.iter().find(|(w, _)| w == word).ok_or(infeasible(Why::Undefined))?.1;
            let (rax, from) = (register(Gpr::Rax), self.above(self.now.params + counter));
            self.push(Opcode::Mov, &[rax, from]);
            self.push(Opcode::Imul, &[rax, rax, Operand::Immediate(n * scale)]);
            self.push(Opcode::Add, &[register(to), rax]);
        }
        Ok(())
    }
}

/// A frame around the parts of a routine. `function`: it ends as a function on vectors of that width does.
fn framed(body: Vec<Inst>, frame: u32, params: usize, counters: u32, function: Option<Width>) -> Vec<Inst> {
    let inst = Inst::new;
    let used = |r: &Gpr| *r != Gpr::Rbp && body.iter().any(|inst| inst.mentions(*r));
    let saved: Vec<Gpr> = Gpr::SAVED.into_iter().filter(used).collect();
    let (rbp, rsp) = (register(Gpr::Rbp), register(Gpr::Rsp));
    let mut code = vec![];
    code.extend(saved.iter().map(|r| inst(Opcode::Push, &[register(*r)])));
    code.push(inst(Opcode::Push, &[rbp]));
    code.push(inst(Opcode::Mov, &[rbp, rsp]));
    for p in 0..params {
        let from = Gpr::PARAMETERS.get(p).copied().unwrap_or(Gpr::Rax);
        if let Some(beyond) = p.checked_sub(Gpr::PARAMETERS.len()) {
            // Above the saved registers and the return address.
            let place = 8 * (saved.len() + 2 + beyond) as i32;
            code.push(inst(Opcode::Mov, &[register(from), Operand::Memory(Address::at(Gpr::Rbp, place))]));
        }
        code.push(inst(Opcode::Push, &[register(from)]));
    }
    // Room for counters.
    code.extend((0..counters).map(|_| inst(Opcode::Push, &[register(POINTERS[0])])));
    code.push(inst(Opcode::Sub, &[rsp, Operand::Immediate(i64::from(frame.max(FRAME)))]));
    code.push(inst(Opcode::And, &[rsp, Operand::Immediate(-64)]));
    code.extend(body);
    code.push(inst(Opcode::Mov, &[rsp, rbp]));
    code.push(inst(Opcode::Pop, &[rbp]));
    code.extend(saved.iter().rev().map(|r| inst(Opcode::Pop, &[register(*r)])));
    if function.is_some_and(|width| width.bytes() > Width::X.bytes()) {
        code.push(inst(Opcode::Vector(Vector::ZeroUpper, Width::Y), &[]));
    }
    code.push(inst(Opcode::Return, &[]));
    code
}
