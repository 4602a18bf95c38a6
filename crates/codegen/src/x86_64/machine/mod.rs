//! What an x86-64 instruction means on forms: registers, flags, vectors. **Trusted.**
//!
//! Memory, stack, calls and what must be kept are the [checker's](crate::check::machine). What an instruction leaves
//! undefined is undefined here. `OF` is followed through adox and the logic instructions that clear it; after an addition
//! it counts as undefined.

mod access;
mod bytes;
mod constants;
mod frame;
mod vector;

use std::collections::BTreeMap;

use self::vector::{Grouped, Held, Parts};
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
    /// Units of 64 bits that are followed: one, or a pair; and the one that is in work.
    units: usize,
    unit: usize,
    /// The group of elements that the instruction in work has read of: `None` as long as it has read constants alone.
    group: Option<usize>,
    /// Of each unit: 64 bits of each vector register, and their bits of each mask register.
    vectors: [[Option<Grouped<Held>>; 32]; 2],
    masks: [[Option<Grouped<Parts<Flag>>>; 8]; 2],
    /// The aligned part of the stack: the how many-th it is, how long, and its vectors.
    frame_number: u64,
    frame_bytes: i64,
    frame: [BTreeMap<i64, Grouped<Held>>; 2],
}

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
            vectors: [[None; 32]; 2],
            masks: [[None; 8]; 2],
            frame_number: 0,
            frame_bytes: 0,
            frame: Default::default(),
        }
    }

    fn after_call(state: &mut State) {
        (state.carry, state.overflow, state.zero) = (None, None, None);
        state.vectors = [[None; 32]; 2];
        state.masks = [[None; 8]; 2];
    }

    fn stack_pointer_set(state: &mut State) {
        state.frame.iter_mut().for_each(BTreeMap::clear);
        state.frame_bytes = 0;
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

    fn execute(&mut self, inst: &Inst) -> Result<(), Fault> {
        let n = u32::from(inst.bits);
        let operands: Vec<Operand> = inst.operands().collect();
        if n == 64 && self.on_constants(inst.op, &operands)? {
            return Ok(());
        }
        match (inst.op, operands.as_slice()) {
            (Opcode::ClearCarry, []) => self.own.carry = Some(self.known_flag(0)),
            (Opcode::SetCarry, []) => self.own.carry = Some(self.known_flag(1)),
            (Opcode::Push, [Operand::Register(r)]) => {
                let content = self.registers[r.number() as usize];
                self.push(content)?;
            }
            (Opcode::Pop, [Operand::Register(r)]) => {
                let content = self.pop()?;
                self.set(*r, content)?;
            }
            (Opcode::Mov, [to, from]) => {
                if n == 64 {
                    let content = self.content(*from)?;
                    self.put(*to, content)?;
                } else {
                    let x = self.read(*from, n)?;
                    self.write(*to, x, n)?;
                }
            }
            (Opcode::MovZeroExtend, [Operand::Register(r), from]) if n < 64 => {
                let x = self.read(*from, n)?;
                self.set(*r, Content::Word(x, 64))?;
            }
            (Opcode::Lea, [Operand::Register(r), Operand::Memory(address)]) if n == 64 => {
                let content = self.lea(address)?;
                self.set(*r, content)?;
            }
            (Opcode::Xor | Opcode::Sub | Opcode::Sbb, [Operand::Register(a), Operand::Register(b)])
                if a == b && n >= 32 =>
            {
                // The result does not depend on the register.
                let borrow =
                    if inst.op == Opcode::Sbb { self.condition(Condition::Carry)? } else { self.known_flag(0) };
                let x = self.terms.mask_word(borrow, n);
                self.set(*a, Content::Word(x, 64))?;
                self.own.carry = Some(borrow);
                self.own.overflow = if inst.op == Opcode::Xor { Some(borrow) } else { None };
                self.own.zero = Some(Zero::Of(x));
            }
            (Opcode::Add | Opcode::Adc | Opcode::Sub | Opcode::Sbb | Opcode::Cmp, [a, b]) => {
                let (x, y) = (self.read(*a, n)?, self.read(*b, n)?);
                let carry = if matches!(inst.op, Opcode::Adc | Opcode::Sbb) {
                    self.condition(Condition::Carry)?
                } else {
                    self.known_flag(0)
                };
                let plus = matches!(inst.op, Opcode::Add | Opcode::Adc);
                let (z, carry) =
                    if plus { self.terms.add_carry(x, y, carry, n) } else { self.terms.sub_borrow(x, y, carry, n) };
                if inst.op != Opcode::Cmp {
                    self.write(*a, z, n)?;
                }
                (self.own.carry, self.own.overflow, self.own.zero) = (Some(carry), None, Some(Zero::Of(z)));
            }
            (Opcode::Adcx | Opcode::Adox, [Operand::Register(a), b]) if n == 64 => {
                let (x, y) = (self.read(operands[0], n)?, self.read(*b, n)?);
                let condition = if inst.op == Opcode::Adcx { Condition::Carry } else { Condition::Overflow };
                let carry = self.condition(condition)?;
                let (z, carry) = self.terms.add_carry(x, y, carry, n);
                self.set(*a, Content::Word(z, 64))?;
                if inst.op == Opcode::Adcx {
                    self.own.carry = Some(carry);
                } else {
                    self.own.overflow = Some(carry);
                }
            }
            (Opcode::Neg, [a]) => {
                let x = self.read(*a, n)?;
                let (zero, none) = (self.terms.word_constant(0), self.known_flag(0));
                let (z, carry) = self.terms.sub_borrow(zero, x, none, n);
                self.write(*a, z, n)?;
                (self.own.carry, self.own.overflow, self.own.zero) = (Some(carry), None, Some(Zero::Of(z)));
            }
            (Opcode::Not, [a]) => {
                let x = self.read(*a, n)?;
                let z = self.terms.not(x, n);
                self.write(*a, z, n)?;
            }
            (Opcode::And | Opcode::Or | Opcode::Xor | Opcode::Test, [a, b]) => {
                let (x, y) = (self.read(*a, n)?, self.read(*b, n)?);
                let z = match inst.op {
                    Opcode::Or => self.terms.or(x, y),
                    Opcode::Xor => self.terms.xor(x, y),
                    _ => self.terms.and(x, y),
                };
                if inst.op != Opcode::Test {
                    self.write(*a, z, n)?;
                }
                self.logic_flags(z);
            }
            (Opcode::Andn, [Operand::Register(a), b, c]) if n == 64 => {
                let (x, y) = (self.read(*b, n)?, self.read(*c, n)?);
                let z = self.terms.and_not(y, x, n);
                self.set(*a, Content::Word(z, 64))?;
                self.logic_flags(z);
            }
            (Opcode::BitTest, [a, Operand::Immediate(k)]) if (0..i64::from(n)).contains(k) => {
                let x = self.read(*a, n)?;
                self.own.carry = Some(self.terms.bit(x, *k as u32));
                self.own.overflow = None;
            }
            (Opcode::Imul, [Operand::Register(a), rest @ ..]) if matches!(rest.len(), 1 | 2) => {
                let (b, c) = if rest.len() == 1 { (operands[0], rest[0]) } else { (rest[0], rest[1]) };
                let (x, y) = (self.read(b, n)?, self.read(c, n)?);
                let (lo, _) = self.terms.mul(x, y);
                let lo = self.terms.low(lo, n);
                self.write(Operand::Register(*a), lo, n)?;
                (self.own.carry, self.own.overflow, self.own.zero) = (None, None, None);
            }
            (Opcode::Mul, [b]) if n == 64 => {
                let (x, y) = (self.read(Operand::Register(Gpr::Rax), n)?, self.read(*b, n)?);
                let (lo, hi) = self.terms.mul(x, y);
                self.set(Gpr::Rax, Content::Word(lo, 64))?;
                self.set(Gpr::Rdx, Content::Word(hi, 64))?;
                (self.own.carry, self.own.overflow, self.own.zero) = (None, None, None);
            }
            (Opcode::Mulx, [Operand::Register(high), Operand::Register(low), b]) if n == 64 => {
                let (x, y) = (self.read(Operand::Register(Gpr::Rdx), n)?, self.read(*b, n)?);
                let (lo, hi) = self.terms.mul(x, y);
                // The high word is written last.
                self.set(*low, Content::Word(lo, 64))?;
                self.set(*high, Content::Word(hi, 64))?;
            }
            (Opcode::Shl | Opcode::Shr | Opcode::Sar | Opcode::Rol, [a, Operand::Immediate(k)]) => {
                self.shift(inst.op, *a, *k, n)?
            }
            (Opcode::Shld | Opcode::Shrd, [a, b, Operand::Immediate(k)]) if n == 64 && (1..64).contains(k) => {
                let (x, y, k) = (self.read(*a, n)?, self.read(*b, n)?, *k as u32);
                let left = inst.op == Opcode::Shld;
                let z = if left { self.terms.funnel(x, y, 64 - k, 64) } else { self.terms.funnel(y, x, k, 64) };
                self.write(*a, z, n)?;
                (self.own.carry, self.own.overflow, self.own.zero) = (None, None, Some(Zero::Of(z)));
            }
            (Opcode::Rorx, [Operand::Register(a), b, Operand::Immediate(k)]) if n == 64 && (0..64).contains(k) => {
                let x = self.read(*b, n)?;
                let z = self.terms.rotate(x, (64 - *k as u32) % 64, 64);
                self.set(*a, Content::Word(z, 64))?;
            }
            (Opcode::Shlx | Opcode::Shrx, [Operand::Register(a), b, count]) if n == 64 => {
                let (x, count) = (self.read(*b, n)?, self.read(*count, n)?);
                // The amount must be public; the processor takes it modulo 64.
                let k = (self.terms.word_value(count).ok_or(Fault::Undefined("amount of a shift"))? % 64) as u32;
                let z = if inst.op == Opcode::Shlx {
                    self.terms.shift_left(x, k, 64)
                } else {
                    self.terms.shift_right(x, k)
                };
                self.set(*a, Content::Word(z, 64))?;
            }
            (Opcode::Set(condition), [a]) if n == 8 => {
                let flag = self.condition(condition)?;
                let x = self.terms.flag_word(flag);
                self.write(*a, x, 8)?;
            }
            (Opcode::Cmov(condition), [Operand::Register(a), b]) if n == 64 => {
                let flag = self.condition(condition)?;
                let (x, y) = (self.read(operands[0], n)?, self.read(*b, n)?);
                let z = self.terms.select(flag, y, x);
                self.set(*a, Content::Word(z, 64))?;
            }
            _ => return Err(Fault::Form),
        }
        Ok(())
    }

    fn shift(&mut self, op: Opcode, a: Operand, k: i64, n: u32) -> Result<(), Fault> {
        let k = u32::try_from(k).ok().filter(|k| *k < n).ok_or(Fault::Form)?;
        let x = self.read(a, n)?;
        let z = match op {
            Opcode::Shl => self.terms.shift_left(x, k, n),
            Opcode::Shr => self.terms.shift_right(x, k),
            Opcode::Sar => self.terms.shift_right_signed(x, k, n),
            _ => self.terms.rotate(x, k, n),
        };
        self.write(a, z, n)?;
        if k == 0 {
            return Ok(());
        }
        // The carry is the last bit that was shifted out; nobody is to use it.
        self.own.carry = None;
        self.own.overflow = None;
        if op != Opcode::Rol {
            self.own.zero = Some(Zero::Of(z));
        }
        Ok(())
    }

    fn logic_flags(&mut self, z: Word) {
        let zero = self.known_flag(0);
        (self.own.carry, self.own.overflow, self.own.zero) = (Some(zero), Some(zero), Some(Zero::Of(z)));
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
