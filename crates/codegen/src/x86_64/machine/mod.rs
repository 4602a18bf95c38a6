//! What an x86-64 instruction means on forms: registers, flags, vectors. **Trusted.**
//!
//! Memory, stack, calls and what must be kept are the [checker's](crate::check::machine). What an instruction leaves
//! undefined is undefined here. `OF` is followed through adox and the logic instructions that clear it; after an addition
//! it counts as undefined.

mod access;
mod bytes;
mod constants;
mod frame;
mod general;
mod lines;
mod registers;
mod vector;

use std::collections::BTreeMap;

use self::registers::{Grouped, Held, Parts};
use super::instruction::{Condition, Gpr, Inst, Opcode, Operand};
use super::{Program, X86_64};
use crate::check::machine::{Content, Fault, Meaning, Next};
use crate::check::terms::{Flag, Terms, Word};

/// The processor in the middle of a program.
pub(super) type Machine<'a> = crate::check::machine::Machine<'a, X86_64>;

/// What the zero flag says.
#[derive(Clone, Copy, Debug)]
enum Zero {
    /// Whether this word is 0.
    Of(Word),
    /// That; it derives from constants alone.
    Known(bool),
}

/// Flags and vectors.
pub struct State {
    carry: Option<Flag>,
    overflow: Option<Flag>,
    zero: Option<Zero>,
    /// Elements of 64 bits of a vector: 1 or 2.
    each: u32,
    /// Units of 64 bits that are followed: one, a pair, or the four words of one element's registers; and the one that is
    /// in work.
    units: usize,
    unit: usize,
    /// The group of elements that the instruction in work has read of: `None` as long as it has read constants alone.
    group: Option<usize>,
    /// Of each unit: 64 bits of each vector register, and their bits of each mask register.
    vectors: [[Option<Grouped<Held>>; 32]; MOST_UNITS],
    masks: [[Option<Grouped<Parts<Flag>>>; 8]; MOST_UNITS],
    /// Where in the constants the line lies that a register holds, which holds nothing else then.
    lines: [Option<i64>; 32],
    /// The aligned part of the stack: the how many-th it is, how long, and its vectors.
    frame_number: u64,
    frame_bytes: i64,
    frame: [BTreeMap<i64, Grouped<Held>>; MOST_UNITS],
}

/// The most units that are followed.
const MOST_UNITS: usize = 4;

/// The label that an instruction names.
fn named(inst: &Inst) -> Option<u32> {
    match inst.operands {
        [Some(Operand::Label(l)), None, None] => Some(l),
        _ => None,
    }
}

impl Meaning for X86_64 {
    type State = State;

    fn enter(program: &Program) -> State {
        State {
            carry: None,
            overflow: None,
            zero: None,
            each: program.elements_followed().unwrap_or(1),
            units: program.units_followed() as usize,
            unit: 0,
            group: None,
            vectors: [[None; 32]; MOST_UNITS],
            masks: [[None; 8]; MOST_UNITS],
            lines: [None; 32],
            frame_number: 0,
            frame_bytes: 0,
            frame: Default::default(),
        }
    }

    fn after_call(state: &mut State) {
        (state.carry, state.overflow, state.zero) = (None, None, None);
        state.vectors = [[None; 32]; MOST_UNITS];
        state.masks = [[None; 8]; MOST_UNITS];
        state.lines = [None; 32];
    }

    fn stack_pointer_set(state: &mut State) {
        state.frame.iter_mut().for_each(BTreeMap::clear);
        state.frame_bytes = 0;
    }

    fn is_in_frame(machine: &Machine<'_>, (number, at): (u64, i64), vectors: u32) -> bool {
        let bytes = 8 * i64::from(machine.program().lanes.count) * i64::from(vectors);
        number == machine.own.frame_number && at >= 0 && at + bytes <= machine.own.frame_bytes
    }

    fn frame_word(machine: &mut Machine<'_>, (number, at): (u64, i64), lane: usize) -> Result<Word, Fault> {
        machine.frame_word(number, at, lane)
    }

    fn set_frame_word(machine: &mut Machine<'_>, (_, at): (u64, i64), lane: usize, x: Word) {
        // It depends on the only group that there is.
        machine.own.frame[lane].insert(at, (Parts::Whole(x), Some(0)));
    }

    fn step(machine: &mut Machine<'_>, inst: &Inst, at: usize) -> Result<Next, Fault> {
        machine.step(inst, at)
    }
}

impl Machine<'_> {
    /// Runs an instruction.
    fn step(&mut self, inst: &Inst, at: usize) -> Result<Next, Fault> {
        let features = self.program().features;
        let needs_bmi2 = matches!(inst.op, Opcode::Mulx | Opcode::Andn | Opcode::Rorx | Opcode::Shlx | Opcode::Shrx);
        if needs_bmi2 && !features.bmi2 || matches!(inst.op, Opcode::Adcx | Opcode::Adox) && !features.adx {
            return Err(Fault::Feature);
        }
        if !matches!(inst.bits, 8 | 16 | 32 | 64) {
            return Err(Fault::Form);
        }
        let target = |machine: &Machine| machine.target(named(inst).ok_or(Fault::Form)?);
        match inst.op {
            Opcode::Label => drop(named(inst).ok_or(Fault::Form)?),
            Opcode::EndBranch => {}
            Opcode::Jump => return Ok(Next::At(target(self)?)),
            Opcode::JumpIf(condition) => {
                let taken = self.known_condition(condition)?;
                return if taken { Ok(Next::At(target(self)?)) } else { Ok(Next::Behind) };
            }
            Opcode::Call => return self.call(named(inst), at),
            Opcode::Return => {
                let to = self.pop()?;
                return self.returns(to);
            }
            Opcode::Vector(op, width) => {
                self.own.group = None;
                self.vector(inst, op, width)?;
            }
            Opcode::And if self.opens_frame(inst)? => {}
            _ => self.execute(inst)?,
        }
        Ok(Next::Behind)
    }

    /// Sets a register.
    fn set(&mut self, r: Gpr, content: Content) -> Result<(), Fault> {
        self.set_general(r.number().into(), content)
    }

    fn condition(&mut self, condition: Condition) -> Result<Flag, Fault> {
        let (flag, negate) = match condition {
            Condition::Carry => (self.own.carry.ok_or(Fault::Undefined("CF"))?, false),
            Condition::NotCarry => (self.own.carry.ok_or(Fault::Undefined("CF"))?, true),
            Condition::Overflow => (self.own.overflow.ok_or(Fault::Undefined("OF"))?, false),
            Condition::NotOverflow => (self.own.overflow.ok_or(Fault::Undefined("OF"))?, true),
            Condition::Zero | Condition::NotZero => {
                let nonzero = match self.own.zero.ok_or(Fault::Undefined("ZF"))? {
                    Zero::Of(word) => self.terms.nonzero(word),
                    Zero::Known(zero) => self.known_flag(i128::from(!zero)),
                };
                (nonzero, condition == Condition::Zero)
            }
        };
        Ok(if negate { self.terms.complement(flag) } else { flag })
    }

    /// The whole content of an operand of 64 bits.
    fn content(&mut self, operand: Operand) -> Result<Content, Fault> {
        match operand {
            Operand::Register(r) => Ok(self.registers[r.number() as usize]),
            Operand::Immediate(v) => Ok(Content::Known(v as u64)),
            Operand::Memory(address) => self.load(&address, 8),
            _ => Err(Fault::Form),
        }
    }

    /// The low n bits of an operand, as a number.
    fn read(&mut self, operand: Operand, n: u32) -> Result<Word, Fault> {
        let content = match operand {
            Operand::Memory(address) => self.load(&address, n / 8)?,
            other => self.content(other)?,
        };
        match self.number(content) {
            Some((x, bits)) if u32::from(bits) >= n => Ok(self.terms.low(x, n)),
            _ => Err(Fault::Undefined("operand")),
        }
    }

    /// Writes n bits.
    fn write(&mut self, operand: Operand, x: Word, n: u32) -> Result<(), Fault> {
        match (operand, n) {
            (Operand::Register(r), 32 | 64) => self.set(r, Content::Word(x, 64)),
            (Operand::Register(r), _) => {
                // The bits above stay.
                let old = self.registers[r.number() as usize];
                let content = match self.number(old) {
                    Some((old, bits)) if u32::from(bits) > n => {
                        let low = self.terms.low(old, n);
                        let (old, low, x) = (self.terms.int(old), self.terms.int(low), self.terms.int(x));
                        let value = self.terms.sum(&[(old, 1), (low, -1), (x, 1)], 0);
                        let top = self.terms.n() - 1;
                        Content::Word(self.terms.seal(value, 0, top), bits)
                    }
                    _ => Content::Word(x, n as u8),
                };
                self.set(r, content)
            }
            (Operand::Memory(address), _) => self.store(&address, n / 8, Content::Word(x, n as u8)),
            _ => Err(Fault::Form),
        }
    }

    /// Writes 64 bits of any kind.
    fn put(&mut self, operand: Operand, content: Content) -> Result<(), Fault> {
        match operand {
            Operand::Register(r) => self.set(r, content),
            Operand::Memory(address) => self.store(&address, 8, content),
            _ => Err(Fault::Form),
        }
    }
}
