//! From routines to one flat program: frames, loops, calls, and the code of each segment.
//!
//! The function saves the registers of the calling convention that anything in the program uses; routines that it calls
//! save nothing. A frame is, from `rsp` up: words for the arguments of calls, the routine's words, slots of its
//! segments, the saved registers. `rsp` moves at the beginning and at the end of a routine only.

mod pointer;

use super::allocate::{Allocator, Infeasible, Place as Placed, Setting};
use super::error::CompileError;
use super::instruction::{Address, Base, Condition, Features, Gpr, Inst, Opcode, Operand};
use super::lanes;
use crate::aim::Aim;
use crate::outline::{Body, Part, Place, Routine, Segment};
use crate::schedule::Schedule;
use crate::x86_64::schedule::heuristic_within;

/// The most bytes of a routine's frame: far from where a stack without room would go unnoticed.
const MOST_FRAME: u32 = 1 << 16;

/// Why there is no program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unfit {
    /// A segment has no code.
    Segment(Infeasible),
    /// A routine wants more stack than is safe.
    Frame {
        /// Bytes that it wants.
        bytes: u32,
    },
    /// A routine on vectors has no code.
    OnVectors(Box<CompileError>),
}

/// Code and constants of a program.
#[derive(Clone, Debug, Default)]
pub struct Assembled {
    /// The instructions; the first routine's come first.
    pub code: Vec<Inst>,
    /// Constants that the code reads relative to the instruction pointer.
    pub constants: Vec<u64>,
}

/// The program of routines; those in one piece in the order that was found for them, where it fits, all else in the
/// heuristic's.
///
/// # Errors
/// When a routine has no code.
pub fn assemble<'r>(
    routines: &'r [Routine],
    found: &[Option<&Schedule>],
    aim: Aim<'r, Features>,
) -> Result<Assembled, Unfit> {
    let mut assembler = Assembler {
        aim,
        routines,
        constants: Vec::new(),
        labels: routines.len() as u32,
        code: Vec::new(),
        out: 0,
        tables: &[],
        placed: Vec::new(),
    };
    let mut bodies = Vec::new();
    for (at, routine) in routines.iter().enumerate() {
        bodies.push(assembler.body(routine, found.get(at).copied().flatten(), at == 0)?);
    }
    let used = |r: &Gpr| bodies.iter().any(|b| b.code.iter().any(|inst| inst.mentions(*r)));
    let saved: Vec<Gpr> = Gpr::SAVED.iter().copied().filter(used).collect();
    let mut code = Vec::new();
    for (at, body) in bodies.into_iter().enumerate() {
        if at > 0 {
            code.push(Inst::new(Opcode::Label, &[Operand::Label(at as u32)]));
        }
        match body.frame {
            None => code.extend(body.code),
            Some(words) => code.extend(framed(body, words, &routines[at], if at == 0 { &saved } else { &[] })?),
        }
    }
    Ok(Assembled { code, constants: assembler.constants })
}

/// Code of a routine: whole, or without the frame around it.
struct Piece {
    code: Vec<Inst>,
    /// Words of the frame that the code uses, and that of the first pointer.
    frame: Option<(u32, u32)>,
}

struct Assembler<'r> {
    aim: Aim<'r, Features>,
    routines: &'r [Routine],
    constants: Vec<u64>,
    /// Labels so far; routine `i` begins at label `i`.
    labels: u32,
    code: Vec<Inst>,
    /// Words at the bottom of the frame for arguments of calls.
    out: u32,
    /// The tables of the routine, and where in the constants those lie that were placed: equal ones once.
    tables: &'r [Vec<u64>],
    placed: Vec<(&'r [u64], usize)>,
}

fn rsp() -> Operand {
    Operand::Register(Gpr::Rsp)
}

fn slot(word: u32) -> Operand {
    Operand::Memory(Address::at(Gpr::Rsp, 8 * word as i32))
}

fn mov(to: Operand, from: Operand) -> Inst {
    Inst::new(Opcode::Mov, &[to, from])
}

/// Moves the stack pointer, saves registers, stores the pointers; and back.
fn framed(body: Piece, (used, pointers): (u32, u32), routine: &Routine, saved: &[Gpr]) -> Result<Vec<Inst>, Unfit> {
    let words = used + saved.len() as u32;
    if 8 * words > MOST_FRAME {
        return Err(Unfit::Frame { bytes: 8 * words });
    }
    let move_stack = |op| Inst::new(op, &[rsp(), Operand::Immediate(8 * i64::from(words))]);
    let mut code = vec![move_stack(Opcode::Sub)];
    code.extend(saved.iter().enumerate().map(|(i, r)| mov(slot(used + i as u32), Operand::Register(*r))));
    for i in 0..routine.params.len() {
        let register = match Gpr::PARAMETERS.get(i) {
            Some(r) => *r,
            None => {
                // Above the frame and the return address.
                code.push(mov(Operand::Register(Gpr::Rax), slot(words + 1 + (i - Gpr::PARAMETERS.len()) as u32)));
                Gpr::Rax
            }
        };
        code.push(mov(slot(pointers + i as u32), Operand::Register(register)));
    }
    code.extend(body.code);
    code.extend(saved.iter().enumerate().map(|(i, r)| mov(Operand::Register(*r), slot(used + i as u32))));
    code.push(move_stack(Opcode::Add));
    code.push(Inst::new(Opcode::Return, &[]));
    Ok(code)
}

impl<'r> Assembler<'r> {
    fn body(&mut self, routine: &'r Routine, found: Option<&Schedule>, function: bool) -> Result<Piece, Unfit> {
        match &routine.body {
            Body::Straight(graph) => {
                let setting = if function { Setting::Function } else { Setting::Routine };
                let mut allocator = Allocator::within(graph, self.aim.features, setting);
                let found = found.filter(|found| found.fits(graph)).and_then(|f| allocator.run(f, false).ok());
                let allocated = match found {
                    Some(allocated) => allocated,
                    None => {
                        let schedule = heuristic_within(&mut allocator, self.aim.core);
                        allocator.run(&schedule, false).map_err(Unfit::Segment)?
                    }
                };
                let code = self.with_constants(allocated.code, &allocated.constants);
                Ok(Piece { code, frame: None })
            }
            Body::OneLane(graph) | Body::Abreast(graph) => {
                let program = match &routine.body {
                    Body::OneLane(_) => lanes::compile_graph_one(graph.clone(), self.aim),
                    _ => lanes::compile_graph_abreast(graph.clone(), self.aim),
                };
                let program = program.map_err(|e| Unfit::OnVectors(Box::new(e)))?;
                let code = self.with_own_constants(program.code, &program.constants);
                Ok(Piece { code, frame: None })
            }
            Body::Parts { parts, words } => {
                self.out = self.arguments(parts);
                self.tables = &routine.tables;
                let first = self.out;
                let mut slots = 0;
                self.parts(parts, first + words, &mut slots)?;
                Ok(Piece { code: std::mem::take(&mut self.code), frame: Some((first + words + slots, first)) })
            }
        }
    }

    /// Words for arguments that have no register.
    fn arguments(&self, parts: &[Part]) -> u32 {
        let one = |part: &Part| match part {
            Part::Segment(_) => 0,
            Part::Loop { body, .. } => self.arguments(body),
            Part::Call { args, .. } => args.len().saturating_sub(Gpr::PARAMETERS.len()) as u32,
        };
        parts.iter().map(one).max().unwrap_or(0)
    }

    /// Code of parts; `spills` is the first word for slots of segments, `slots` grows to the most that one takes.
    fn parts(&mut self, parts: &[Part], spills: u32, slots: &mut u32) -> Result<(), Unfit> {
        for part in parts {
            match part {
                Part::Segment(segment) => self.segment(segment, spills, slots)?,
                Part::Loop { counter, step, limit, body } => {
                    let (label, place) = (self.labels, slot(self.out + counter));
                    let rax = Operand::Register(Gpr::Rax);
                    self.labels += 1;
                    self.code.push(mov(place, Operand::Immediate(0)));
                    self.code.push(Inst::new(Opcode::Label, &[Operand::Label(label)]));
                    self.parts(body, spills, slots)?;
                    self.code.push(mov(rax, place));
                    self.code.push(Inst::new(Opcode::Add, &[rax, Operand::Immediate(i64::from(*step))]));
                    self.code.push(mov(place, rax));
                    self.code.push(Inst::new(Opcode::Cmp, &[rax, Operand::Immediate(i64::from(*limit))]));
                    self.code.push(Inst::new(Opcode::JumpIf(Condition::NotZero), &[Operand::Label(label)]));
                }
                Part::Call { routine, args } => {
                    debug_assert_eq!(
                        args.len(),
                        self.routines[*routine].params.len(),
                        "an argument for each parameter"
                    );
                    // Those in memory first: they pass through a register.
                    for (i, pointer) in args.iter().enumerate().rev() {
                        let register = Gpr::PARAMETERS.get(i).copied();
                        self.pointer(register.unwrap_or(Gpr::R11), pointer);
                        if register.is_none() {
                            self.code.push(mov(slot((i - Gpr::PARAMETERS.len()) as u32), Operand::Register(Gpr::R11)));
                        }
                    }
                    self.code.push(Inst::new(Opcode::Call, &[Operand::Label(*routine as u32)]));
                }
            }
        }
        Ok(())
    }

    fn segment(&mut self, segment: &Segment, spills: u32, slots: &mut u32) -> Result<(), Unfit> {
        let bytes = |word: u32| 8 * (self.out + word) as i32;
        let place = |p: &Place| match p {
            Place::Frame(word) => Placed::Stack(bytes(*word)),
            Place::Through(word) | Place::Computed(word, _) => Placed::Through(bytes(*word)),
        };
        let places = segment.places.iter().map(place).collect();
        let mut allocator = Allocator::within(
            &segment.graph,
            self.aim.features,
            Setting::Segment { places, spills: 8 * spills as i32 },
        );
        let schedule = heuristic_within(&mut allocator, self.aim.core);
        let allocated = allocator.run(&schedule, false).map_err(Unfit::Segment)?;
        *slots = (*slots).max(allocated.slots);
        for p in &segment.places {
            if let Place::Computed(word, pointer) = p {
                self.pointer(Gpr::R11, pointer);
                let place = slot(self.out + word);
                self.code.push(mov(place, Operand::Register(Gpr::R11)));
            }
        }
        let code = self.with_constants(allocated.code, &allocated.constants);
        self.code.extend(code);
        Ok(())
    }

    /// Where a table of the routine begins among the constants. It is aligned as lines of a cache are.
    fn table(&mut self, number: u32) -> usize {
        let words: &'r [u64] = &self.tables[number as usize];
        let known = self.placed.iter().find(|(placed, _)| *placed == words).map(|(_, at)| *at);
        known.unwrap_or_else(|| {
            self.constants.resize(self.constants.len().next_multiple_of(8), 0);
            let at = self.constants.len();
            self.constants.extend(words);
            self.placed.push((words, at));
            at
        })
    }

    /// The code with all its constants behind those of the program, which may be read as vectors.
    fn with_own_constants(&mut self, mut code: Vec<Inst>, constants: &[u64]) -> Vec<Inst> {
        if constants.is_empty() {
            return code;
        }
        self.constants.resize(self.constants.len().next_multiple_of(8), 0);
        let first = 8 * self.constants.len() as i32;
        self.constants.extend(constants);
        for operand in code.iter_mut().flat_map(|inst| inst.operands.iter_mut().flatten()) {
            if let Operand::Memory(a) = operand
                && a.base == Base::Constants
            {
                a.displacement += first;
            }
        }
        code
    }

    /// The code with its constants in the program's table.
    fn with_constants(&mut self, mut code: Vec<Inst>, constants: &[u64]) -> Vec<Inst> {
        let mut places = Vec::with_capacity(constants.len());
        for c in constants {
            places.push(self.constants.iter().position(|d| d == c).unwrap_or_else(|| {
                self.constants.push(*c);
                self.constants.len() - 1
            }));
        }
        for operand in code.iter_mut().flat_map(|inst| inst.operands.iter_mut().flatten()) {
            if let Operand::Memory(a) = operand
                && a.base == Base::Constants
            {
                a.displacement = 8 * places[a.displacement as usize / 8] as i32;
            }
        }
        code
    }
}
