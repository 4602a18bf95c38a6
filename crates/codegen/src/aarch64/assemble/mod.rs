//! From routines to one flat program: frames, loops, calls, and the code of each segment.
//!
//! The function saves the registers of the calling convention that anything in the program uses; routines that it calls
//! save the return address alone. A frame is, from the stack pointer up: saved registers, words for the arguments of
//! calls, the routine's words, slots of its segments. Between parts nothing is in registers.

mod pointer;

use super::allocate::registers::{add_constant, constant, subtract_constant};
use super::allocate::{Allocator, Infeasible, PARAMETERS, Place as Placed, Setting, finish};
use super::instruction::{Address, Features, Gpr, Inst, Sum, Wide};
use super::schedule::heuristic_within;
use crate::aim::Aim;
use crate::outline::{Body, Part, Place, Routine, Segment};

/// The most bytes of a routine's frame: as far as a load reaches.
pub(super) const MOST_FRAME: u32 = 32_752;

/// Why there is no program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unfit {
    /// A segment has no code.
    Segment(Infeasible),
    /// A routine wants more stack than is safe.
    Frame {
        /// Bytes that it wants.
        bytes: u32,
    },
}

/// Code and constants of a program.
#[derive(Clone, Debug, Default)]
pub struct Assembled {
    /// The instructions; the first routine's come first.
    pub code: Vec<Inst>,
    /// Constants that the code reads.
    pub constants: Vec<u64>,
}

/// The program of routines, each segment in the heuristic's order.
///
/// # Errors
/// When a routine has no code.
pub fn assemble<'r>(routines: &'r [Routine], aim: Aim<'r, Features>) -> Result<Assembled, Unfit> {
    let labels = routines.len() as u32;
    let mut assembler = Assembler { aim, routines, constants: Vec::new(), labels, code: Vec::new(), out: 0 };
    let mut bodies = Vec::new();
    for (at, routine) in routines.iter().enumerate() {
        bodies.push(assembler.body(routine, at == 0)?);
    }
    let saved = finish::saved(bodies.iter().flat_map(|body| &body.code));
    let mut code = Vec::new();
    for (at, body) in bodies.into_iter().enumerate() {
        if at > 0 {
            code.push(Inst::Label(at as u32));
        }
        match body.frame {
            None => code.extend(body.code),
            Some(words) => {
                let others = saved.iter().copied().filter(|r| at == 0 && *r != Gpr::LINK);
                code.extend(framed(body, words, &routines[at], [Gpr::LINK].into_iter().chain(others).collect())?);
            }
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
}

/// Registers that are free between parts.
const FIRST: Gpr = Gpr::x(16);
const SECOND: Gpr = Gpr::x(17);
const POINTER: Gpr = Gpr::x(15);

fn slot(word: u32) -> Address {
    Address { base: Gpr::SP, offset: 8 * word as i32 }
}

fn load(to: Gpr, word: u32) -> Inst {
    Inst::Load { bytes: 8, to, address: slot(word) }
}

fn store(from: Gpr, word: u32) -> Inst {
    Inst::Store { bytes: 8, from, address: slot(word) }
}

/// A constant into a register.
fn set(to: Gpr, c: u64) -> Vec<Inst> {
    if let Some(inst) = constant(to, c) {
        return vec![inst];
    }
    let part = |place: u8| (c >> (16 * place)) as u16;
    let first = Inst::Move { wide: Wide::Zeros, to, value: part(0), place: 0 };
    let rest = (1..4u8).filter(|place| part(*place) != 0);
    [first]
        .into_iter()
        .chain(rest.map(|place| Inst::Move { wide: Wide::Keep, to, value: part(place), place }))
        .collect()
}

/// Moves the stack pointer, saves registers, stores the pointers; and back.
fn framed(body: Piece, (used, pointers): (u32, u32), routine: &Routine, saved: Vec<Gpr>) -> Result<Vec<Inst>, Unfit> {
    let frame = (8 * (used + saved.len() as u32)).next_multiple_of(16);
    if frame > MOST_FRAME {
        return Err(Unfit::Frame { bytes: frame });
    }
    // The words of the body begin at the stack pointer: saved registers lie above them.
    let mut code = subtract_constant(Gpr::SP, Gpr::SP, frame.into());
    code.extend(saved.iter().enumerate().map(|(i, r)| store(*r, used + i as u32)));
    for i in 0..routine.params.len() {
        let register = if i < PARAMETERS {
            Gpr::x(i as u8)
        } else {
            code.push(load(FIRST, frame / 8 + (i - PARAMETERS) as u32));
            FIRST
        };
        code.push(store(register, pointers + i as u32));
    }
    code.extend(body.code);
    code.extend(saved.iter().enumerate().map(|(i, r)| load(*r, used + i as u32)));
    code.extend(add_constant(Gpr::SP, Gpr::SP, frame.into()));
    code.push(Inst::Return);
    Ok(code)
}

impl Assembler<'_> {
    fn body(&mut self, routine: &Routine, function: bool) -> Result<Piece, Unfit> {
        if !routine.tables.is_empty() {
            // (Nothing asks for tables here.)
            return Err(Unfit::Frame { bytes: 0 });
        }
        match &routine.body {
            Body::Straight(graph) => {
                let setting = if function { Setting::Function } else { Setting::Routine };
                let mut allocator = Allocator::within(graph, setting);
                let schedule = heuristic_within(&mut allocator, self.aim);
                let allocated = allocator.run(&schedule, false).map_err(Unfit::Segment)?;
                if allocated.frame > MOST_FRAME {
                    return Err(Unfit::Frame { bytes: allocated.frame });
                }
                let code = self.with_constants(allocated.code, &allocated.constants);
                Ok(Piece { code, frame: None })
            }
            // (Nothing asks for lanes here.)
            Body::OneLane(_) | Body::Abreast(_) => Err(Unfit::Frame { bytes: 0 }),
            Body::Parts { parts, words } => {
                self.out = self.arguments(parts);
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
            Part::Call { args, .. } => args.len().saturating_sub(PARAMETERS) as u32,
        };
        parts.iter().map(one).max().unwrap_or(0)
    }

    /// Code of parts; `spills` is the first word for slots of segments, `slots` grows to the most that one takes.
    fn parts(&mut self, parts: &[Part], spills: u32, slots: &mut u32) -> Result<(), Unfit> {
        for part in parts {
            match part {
                Part::Segment(segment) => self.segment(segment, spills, slots)?,
                Part::Loop { counter, step, limit, body } => {
                    let (label, word) = (self.labels, self.out + counter);
                    self.labels += 1;
                    self.code.push(store(Gpr::ZERO, word));
                    self.code.push(Inst::Label(label));
                    self.parts(body, spills, slots)?;
                    self.code.push(load(FIRST, word));
                    self.code.extend(set(SECOND, (*step).into()));
                    self.code.push(Inst::sum(Sum::Add, FIRST, FIRST, SECOND));
                    self.code.push(store(FIRST, word));
                    self.code.extend(set(SECOND, (*limit).into()));
                    self.code.push(Inst::sum(Sum::Sub, FIRST, FIRST, SECOND));
                    self.code.push(Inst::JumpUnlessZero { register: FIRST, label });
                }
                Part::Call { routine, args } => {
                    let params = self.routines[*routine].params.len();
                    debug_assert_eq!(args.len(), params, "an argument for each parameter");
                    // Those in memory first: they pass through a register.
                    for (i, pointer) in args.iter().enumerate().rev() {
                        let register = if i < PARAMETERS { Gpr::x(i as u8) } else { POINTER };
                        self.pointer(register, pointer);
                        if i >= PARAMETERS {
                            self.code.push(store(register, (i - PARAMETERS) as u32));
                        }
                    }
                    self.code.push(Inst::Call(*routine as u32));
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
        let setting = Setting::Segment { places, spills: 8 * spills as i32 };
        let mut allocator = Allocator::within(&segment.graph, setting);
        let schedule = heuristic_within(&mut allocator, self.aim);
        let allocated = allocator.run(&schedule, false).map_err(Unfit::Segment)?;
        *slots = (*slots).max(allocated.slots);
        for p in &segment.places {
            if let Place::Computed(word, pointer) = p {
                self.pointer(POINTER, pointer);
                self.code.push(store(POINTER, self.out + word));
            }
        }
        let code = self.with_constants(allocated.code, &allocated.constants);
        self.code.extend(code);
        Ok(())
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
        for inst in &mut code {
            if let Inst::Constant { offset, .. } = inst {
                *offset = 8 * places[*offset as usize / 8] as u32;
            }
        }
        code
    }
}
