//! Runs a program on forms: general registers, stack, arrays, calls. **Trusted.**
//!
//! What an instruction means is the [instruction set's](Meaning). What is here is the same for all of them: what a
//! register may hold, which memory belongs to a function, what a call and a return are, and what must be kept.
//!
//! Addresses, branch conditions and loop counters are constants or pointers at constant offsets: numbers that come of the
//! program's immediates alone, by plain arithmetic. No form is asked for them, because what is known of forms holds for
//! admissible inputs only, and a function must keep to its arrays whatever they hold. Everything else is a form. What an
//! instruction leaves undefined is undefined here, and so is what nobody wrote; using it is a fault.

mod calls;
mod memory;
mod order;
mod stack;

use std::collections::{BTreeMap, HashMap};

use self::order::Order;
use super::memory::Arrays;
use super::routines::Routines;
use super::terms::{Flag, Terms, Word};
use crate::isa::Isa;
use crate::program::Program;

/// What a register or a stack slot holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Content {
    /// A word whose low `bits` bits are defined.
    Word(Word, u8),
    /// 64 bits that derive from constants alone: the same number for all inputs, admissible or not.
    Known(u64),
    /// An address: element bytes of a parameter's array, from its start.
    Array(usize, i64),
    /// An address in the stack, from where the stack pointer points at entry.
    Stack(i64),
    /// An address in an aligned part of the stack, from where it begins; and which one: each that is opened is another.
    Frame(u64, i64),
    /// An address in the program's constants, from their start.
    Constants(i64),
    /// What a saved register held at entry.
    Saved(usize),
    /// Where a return goes: the caller, or behind a call of this program.
    Return(Option<usize>),
    /// Anything.
    Undefined,
}

/// Why an instruction is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// It reads a register, a flag or a slot that holds nothing defined, or an address where a number is wanted.
    Undefined(&'static str),
    /// The address is not a constant offset into an array, the own stack or the constants.
    Address,
    /// The access leaves the array, hits no whole element, or writes what is only read.
    Access,
    /// The access to the stack is outside of what belongs to the function, or not a whole slot.
    Stack,
    /// A branch on something that does not derive from constants alone.
    SecretBranch,
    /// It computes of elements of two groups, or stores in a group what depends on another.
    Groups,
    /// A register that must be kept is lost, or the stack pointer is not where it was.
    Convention,
    /// No such form, or a label that is missing.
    Form,
    /// A call of a routine that is not shown yet, or with arguments that do not fit.
    Call(&'static str),
    /// An instruction set that the program does not name.
    Feature,
    /// The program runs off its end, or too long.
    Endless,
    /// What was known of numbers before it is too long to be kept, or contradicts itself.
    Forms(&'static str),
}

/// The most instructions that are run.
const MOST_STEPS: u64 = 20_000_000;

/// The most bytes of stack that a function may reach below where it was entered.
pub const MOST_STACK: i64 = 1 << 19;

/// An aligned part of the stack begins at a multiple of so many bytes.
const FRAME_ALIGNMENT: i64 = 64;

/// What is run.
pub struct Code<'a, I: Isa> {
    /// The instructions; its parameters are those of the function or the routine that is run.
    pub program: &'a Program<I>,
    /// Where a routine begins; `None`: the function.
    pub routine: Option<u32>,
    /// What is known of the routines that it calls.
    pub routines: &'a Routines<'a>,
}

/// How a run went.
pub struct Ran {
    /// Instructions.
    pub steps: u64,
    /// The lowest place of the stack pointer, from where it was at entry.
    pub lowest: i64,
    /// Registers that hold the same as at entry, of those that a function must keep.
    pub keeps: Vec<bool>,
    /// Was an element of an input read after it was written, if the input and the output are the same array?
    pub late: bool,
}

impl Ran {
    /// The most bytes of stack that it touched below where it was entered: down to the lowest place of the stack pointer,
    /// to where an aligned part may begin below that, and the red zone.
    pub fn stack<I: Isa>(&self) -> u32 {
        let below = -self.lowest + FRAME_ALIGNMENT + I::CONVENTION.red_zone;
        u32::try_from(below).unwrap_or(u32::MAX)
    }
}

/// What instructions mean. **Trusted.**
pub trait Meaning: Isa {
    /// What is followed beside general registers and the stack: flags, vectors.
    type State;

    /// The state in which a function is entered: everything undefined.
    fn enter(program: &Program<Self>) -> Self::State;

    /// A routine was called: of what is followed beside general registers it keeps nothing.
    fn after_call(state: &mut Self::State);

    /// The stack pointer was set: what lay in an aligned part of the stack is gone.
    fn stack_pointer_set(state: &mut Self::State);

    /// Are so many vectors, which an argument shows from there on, in the aligned part of the stack?
    fn is_in_frame(_machine: &Machine<'_, Self>, _at: (u64, i64), _vectors: u32) -> bool {
        false
    }

    /// What the vector there holds, in the how many-th of the lanes that are followed.
    ///
    /// # Errors
    /// Nothing.
    fn frame_word(_machine: &mut Machine<'_, Self>, _at: (u64, i64), _lane: usize) -> Result<Word, Fault> {
        Err(Fault::Stack)
    }

    /// Writes it.
    fn set_frame_word(_machine: &mut Machine<'_, Self>, _at: (u64, i64), _lane: usize, _x: Word) {}

    /// Runs the instruction at that place on forms.
    ///
    /// # Errors
    /// Why it is refused.
    fn step(machine: &mut Machine<'_, Self>, inst: &Self::Inst, at: usize) -> Result<Next, Fault>;
}

/// A processor in the middle of a program: what all instruction sets have, and the [state](Meaning::State) of one.
pub struct Machine<'a, I: Meaning> {
    /// The forms.
    pub terms: &'a mut Terms,
    /// What general registers hold, by their numbers. The stack pointer is written by [`Machine::set_general`] alone.
    pub registers: Vec<Content>,
    /// Flags, vectors and what else the instruction set has.
    pub own: I::State,
    memory: &'a mut Arrays,
    program: &'a Program<I>,
    routines: &'a Routines<'a>,
    is_routine: bool,
    /// Lanes that are followed side by side: what a call of a routine is a call for.
    lanes: usize,
    labels: HashMap<u32, usize>,
    order: Order,
    lowest: i64,
    /// Where the stack pointer was when the last aligned part was opened.
    under: i64,
    stack: BTreeMap<i64, Content>,
}

/// Where a program goes on.
pub enum Next {
    /// With the next instruction.
    Behind,
    /// At that place.
    At(usize),
    /// It has returned.
    Done,
}

/// Runs code until it returns, `most` instructions at most. `over`: the written parameters that one which is only read
/// may be.
///
/// # Errors
/// The instruction that is refused, and why.
pub fn run<I: Meaning>(
    terms: &mut Terms,
    code: Code<'_, I>,
    memory: &mut Arrays,
    over: Vec<Vec<usize>>,
    most: u64,
) -> Result<Ran, (usize, Fault)> {
    let program = code.program;
    let order = Order::new(over, memory.class.iter().map(|class| memory.elements[*class].len()));
    let mut machine: Machine<'_, I> = Machine {
        terms,
        registers: vec![Content::Undefined; I::CONVENTION.registers],
        own: I::enter(program),
        memory,
        program,
        routines: code.routines,
        is_routine: code.routine.is_some(),
        lanes: if program.lanes.count > 1 { program.units_followed() as usize } else { 1 },
        labels: labels(program)?,
        order,
        lowest: 0,
        under: 0,
        stack: BTreeMap::new(),
    };
    machine.enter();
    let mut at = match code.routine {
        Some(label) => *machine.labels.get(&label).ok_or((0, Fault::Form))?,
        None => 0,
    };
    let mut steps = 0;
    loop {
        let inst = program.code.get(at).ok_or((at, Fault::Endless))?;
        steps += 1;
        if steps > most.min(MOST_STEPS) {
            return Err((at, Fault::Endless));
        }
        // It would be refused at the end too.
        if let Some(why) = machine.terms.poisoned {
            return Err((at, Fault::Forms(why)));
        }
        match I::step(&mut machine, inst, at).map_err(|fault| (at, fault))? {
            Next::Behind => at += 1,
            Next::At(place) => at = place,
            Next::Done => {
                let keeps = (0..I::CONVENTION.registers).map(|r| machine.keeps(r)).collect();
                return Ok(Ran { steps, lowest: machine.lowest, keeps, late: machine.order.late });
            }
        }
    }
}

/// Label → place. The encoder would refuse a label that is there twice; what it means must not depend on that.
fn labels<I: Isa>(program: &Program<I>) -> Result<HashMap<u32, usize>, (usize, Fault)> {
    let mut labels = HashMap::new();
    for (at, inst) in program.code.iter().enumerate() {
        if I::label(inst).is_some_and(|label| labels.insert(label, at).is_some()) {
            return Err((at, Fault::Form));
        }
    }
    Ok(labels)
}

impl<'a, I: Meaning> Machine<'a, I> {
    /// What a caller leaves: saved registers, the return address, a pointer to each parameter's array.
    fn enter(&mut self) {
        let convention = I::CONVENTION;
        for r in convention.saved {
            self.registers[*r] = Content::Saved(*r);
        }
        self.registers[convention.stack_pointer] = Content::Stack(0);
        match convention.link {
            Some(link) => self.registers[link] = Content::Return(None),
            None => drop(self.stack.insert(0, Content::Return(None))),
        }
        for p in 0..self.program.params.len() {
            match convention.parameters.get(p) {
                Some(r) => self.registers[*r] = Content::Array(p, 0),
                None => {
                    let at = convention.pushed() + 8 * (p - convention.parameters.len()) as i64;
                    self.stack.insert(at, Content::Array(p, 0));
                }
            }
        }
    }

    /// The program that is run.
    pub fn program(&self) -> &'a Program<I> {
        self.program
    }

    /// Where a label is.
    ///
    /// # Errors
    /// Nowhere.
    pub fn target(&self, label: u32) -> Result<usize, Fault> {
        self.labels.get(&label).copied().ok_or(Fault::Form)
    }

    /// A return to what is said to be a return address.
    ///
    /// # Errors
    /// It is none, or the function has not kept what it must.
    pub fn returns(&self, to: Content) -> Result<Next, Fault> {
        match to {
            Content::Return(Some(behind)) => Ok(Next::At(behind)),
            Content::Return(None) => {
                // The return address may have been copied: that the stack pointer is right does not follow.
                let kept = self.is_routine || I::CONVENTION.saved.iter().all(|r| self.keeps(*r));
                if kept && self.top()? == I::CONVENTION.pushed() { Ok(Next::Done) } else { Err(Fault::Convention) }
            }
            _ => Err(Fault::Convention),
        }
    }

    /// Does a register hold what it held at entry, and must a function see to that?
    fn keeps(&self, register: usize) -> bool {
        self.registers[register] == Content::Saved(register)
    }

    /// A flag that is known.
    pub fn known_flag(&mut self, value: i128) -> Flag {
        Flag(self.terms.constant(value))
    }

    /// The number that a register or slot holds, and how many bits of it are defined.
    pub fn number(&mut self, content: Content) -> Option<(Word, u8)> {
        match content {
            Content::Word(x, bits) => Some((x, bits)),
            Content::Known(x) => Some((self.terms.word_constant(x), 64)),
            _ => None,
        }
    }
}
