//! Runs a program on forms: registers, flags, stack, arrays. **Trusted.**
//!
//! Addresses, branch conditions and loop counters are [constants](constants) or pointers at constant offsets: numbers
//! that come of the program's immediates alone, by plain arithmetic. No form is asked for them, because what is known of
//! forms holds for admissible inputs only, and a function must keep to its arrays whatever they hold. Everything else
//! is a form. What an instruction leaves undefined is undefined here, and so is what nobody wrote; using it is a fault.
//! `OF` is followed through adox and the logic instructions that clear it; after an addition it counts as undefined.

mod access;
mod bytes;
mod calls;
mod constants;
mod order;
mod stack;
mod vector;

use std::collections::{BTreeMap, HashMap};

use self::order::Order;
use self::vector::{Grouped, Held, Parts};
use crate::check::memory::Arrays;
use crate::check::routines::Routines;
use crate::check::terms::{Flag, Terms, Word};
use crate::x86_64::program::{Condition, Gpr, Inst, Opcode, Operand, Program};

/// What a register or a stack slot holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Content {
    /// A word whose low `bits` bits are defined.
    Word(Word, u8),
    /// 64 bits that derive from constants alone: the same number for all inputs, admissible or not.
    Known(u64),
    /// An address: element bytes of a parameter's array, from its start.
    Array(usize, i64),
    /// An address in the stack, from where `rsp` points at entry.
    Stack(i64),
    /// An address in an aligned part of the stack, from where it begins; and which one: each that is opened is another.
    Frame(u64, i64),
    /// What a saved register held at entry.
    Saved(Gpr),
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
}

/// What the zero flag says.
#[derive(Clone, Copy, Debug)]
enum Zero {
    /// Whether this word is 0.
    Of(Word),
    /// That; it derives from constants alone.
    Known(bool),
}

/// The most instructions that are run.
const MOST_STEPS: u64 = 20_000_000;

/// The most bytes of stack that a function may reach below where it was entered.
pub const MOST_STACK: i64 = 1 << 18;

/// A red zone of that many bytes below the stack pointer is the function's own.
const RED_ZONE: i64 = 128;

/// What is run.
#[derive(Clone, Copy)]
pub struct Code<'a> {
    /// The instructions; its parameters are those of the function or the routine that is run.
    pub program: &'a Program,
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
    pub keeps: [bool; 16],
    /// Was an element of an input read after it was written, if the input and the output are the same array?
    pub late: bool,
}

struct Machine<'a> {
    terms: &'a mut Terms,
    memory: &'a mut Arrays,
    program: &'a Program,
    routines: &'a Routines<'a>,
    is_routine: bool,
    order: Order,
    lowest: i64,
    registers: [Content; 16],
    carry: Option<Flag>,
    overflow: Option<Flag>,
    zero: Option<Zero>,
    stack: BTreeMap<i64, Content>,
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

/// Runs code until it returns, `most` instructions at most. `over`: the written parameters that one which is only read
/// may be.
///
/// # Errors
/// The instruction that is refused, and why.
pub fn run(
    terms: &mut Terms,
    code: Code<'_>,
    memory: &mut Arrays,
    over: Vec<Vec<usize>>,
    most: u64,
) -> Result<Ran, (usize, Fault)> {
    let program = code.program;
    let order = Order::new(over, memory.class.iter().map(|class| memory.elements[*class].len()));
    let mut machine = Machine {
        terms,
        memory,
        program,
        routines: code.routines,
        is_routine: code.routine.is_some(),
        order,
        lowest: 0,
        registers: [Content::Undefined; 16],
        carry: None,
        overflow: None,
        zero: None,
        stack: BTreeMap::from([(0, Content::Return(None))]),
        each: program.elements_followed().unwrap_or(1),
        units: program.units_followed() as usize,
        unit: 0,
        group: None,
        vectors: [[None; 32]; 2],
        masks: [[None; 8]; 2],
        frame_number: 0,
        frame_bytes: 0,
        frame: Default::default(),
    };
    for gpr in Gpr::SAVED {
        machine.registers[gpr.number() as usize] = Content::Saved(gpr);
    }
    machine.registers[Gpr::Rsp.number() as usize] = Content::Stack(0);
    for p in 0..program.params.len() {
        match Gpr::PARAMETERS.get(p) {
            Some(gpr) => machine.registers[gpr.number() as usize] = Content::Array(p, 0),
            None => {
                machine.stack.insert(8 * (p as i64 - 5), Content::Array(p, 0));
            }
        }
    }
    let labels = labels(program)?;
    let mut at = match code.routine {
        Some(label) => *labels.get(&label).ok_or((0, Fault::Form))?,
        None => 0,
    };
    let mut steps = 0;
    loop {
        let inst = program.code.get(at).ok_or((at, Fault::Endless))?;
        steps += 1;
        if steps > most.min(MOST_STEPS) {
            return Err((at, Fault::Endless));
        }
        match machine.step(inst, at, &labels).map_err(|fault| (at, fault))? {
            Next::Behind => at += 1,
            Next::At(place) => at = place,
            Next::Done => {
                let keeps = std::array::from_fn(|r| machine.keeps(r));
                return Ok(Ran { steps, lowest: machine.lowest, keeps, late: machine.order.late });
            }
        }
    }
}

/// Label → place. The encoder would refuse a label that is there twice; what it means must not depend on that.
fn labels(program: &Program) -> Result<HashMap<u32, usize>, (usize, Fault)> {
    let mut labels = HashMap::new();
    for (at, inst) in program.code.iter().enumerate() {
        match (inst.op, inst.operands) {
            (Opcode::Label, [Some(Operand::Label(l)), None, None]) if labels.insert(l, at).is_none() => {}
            (Opcode::Label, _) => return Err((at, Fault::Form)),
            _ => {}
        }
    }
    Ok(labels)
}

enum Next {
    Behind,
    At(usize),
    Done,
}

impl Machine<'_> {
    fn step(&mut self, inst: &Inst, at: usize, labels: &HashMap<u32, usize>) -> Result<Next, Fault> {
        let features = self.program.features;
        let needs_bmi2 = matches!(inst.op, Opcode::Mulx | Opcode::Andn | Opcode::Rorx | Opcode::Shlx | Opcode::Shrx);
        if needs_bmi2 && !features.bmi2 || matches!(inst.op, Opcode::Adcx | Opcode::Adox) && !features.adx {
            return Err(Fault::Feature);
        }
        if !matches!(inst.bits, 8 | 16 | 32 | 64) {
            return Err(Fault::Form);
        }
        let target = || match inst.operands {
            [Some(Operand::Label(l)), None, None] => labels.get(&l).copied().ok_or(Fault::Form),
            _ => Err(Fault::Form),
        };
        match inst.op {
            Opcode::Label | Opcode::EndBranch => {}
            Opcode::Jump => return Ok(Next::At(target()?)),
            Opcode::JumpIf(condition) => {
                let taken = self.known_condition(condition)?;
                return if taken { Ok(Next::At(target()?)) } else { Ok(Next::Behind) };
            }
            Opcode::Call => {
                if let [Some(Operand::Label(l)), None, None] = inst.operands
                    && let Some(routine) = self.routines.at(l)
                {
                    let shown = routine.shown.as_ref();
                    let shown = shown.ok_or(Fault::Call("the routine stands before its caller, or calls itself"))?;
                    self.call_routine(routine.kernel, shown)?;
                    return Ok(Next::Behind);
                }
                self.push(Content::Return(Some(at + 1)))?;
                return Ok(Next::At(target()?));
            }
            Opcode::Return => {
                return match self.pop()? {
                    Content::Return(Some(behind)) => Ok(Next::At(behind)),
                    Content::Return(None) => {
                        // The return address may have been copied: that `rsp` is right does not follow.
                        let kept = self.is_routine || Gpr::SAVED.iter().all(|g| self.keeps(g.number().into()));
                        if kept && self.top()? == 8 { Ok(Next::Done) } else { Err(Fault::Convention) }
                    }
                    _ => Err(Fault::Convention),
                };
            }
            Opcode::Vector(op, width) => {
                self.group = None;
                self.vector(inst, op, width)?;
            }
            Opcode::And if self.opens_frame(inst)? => {}
            _ => self.execute(inst)?,
        }
        Ok(Next::Behind)
    }

    /// Does a register hold what it held at entry, and must a function see to that?
    fn keeps(&self, register: usize) -> bool {
        matches!(self.registers[register], Content::Saved(g) if usize::from(g.number()) == register)
    }

    fn execute(&mut self, inst: &Inst) -> Result<(), Fault> {
        let n = u32::from(inst.bits);
        let operands: Vec<Operand> = inst.operands().collect();
        if n == 64 && self.on_constants(inst.op, &operands)? {
            return Ok(());
        }
        match (inst.op, operands.as_slice()) {
            (Opcode::ClearCarry, []) => self.carry = Some(self.known_flag(0)),
            (Opcode::SetCarry, []) => self.carry = Some(self.known_flag(1)),
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
                self.carry = Some(borrow);
                self.overflow = if inst.op == Opcode::Xor { Some(borrow) } else { None };
                self.zero = Some(Zero::Of(x));
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
                (self.carry, self.overflow, self.zero) = (Some(carry), None, Some(Zero::Of(z)));
            }
            (Opcode::Adcx | Opcode::Adox, [Operand::Register(a), b]) if n == 64 => {
                let (x, y) = (self.read(operands[0], n)?, self.read(*b, n)?);
                let condition = if inst.op == Opcode::Adcx { Condition::Carry } else { Condition::Overflow };
                let carry = self.condition(condition)?;
                let (z, carry) = self.terms.add_carry(x, y, carry, n);
                self.set(*a, Content::Word(z, 64))?;
                if inst.op == Opcode::Adcx {
                    self.carry = Some(carry);
                } else {
                    self.overflow = Some(carry);
                }
            }
            (Opcode::Neg, [a]) => {
                let x = self.read(*a, n)?;
                let (zero, none) = (self.terms.word_constant(0), self.known_flag(0));
                let (z, carry) = self.terms.sub_borrow(zero, x, none, n);
                self.write(*a, z, n)?;
                (self.carry, self.overflow, self.zero) = (Some(carry), None, Some(Zero::Of(z)));
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
                self.carry = Some(self.terms.bit(x, *k as u32));
                self.overflow = None;
            }
            (Opcode::Imul, [Operand::Register(a), rest @ ..]) if matches!(rest.len(), 1 | 2) => {
                let (b, c) = if rest.len() == 1 { (operands[0], rest[0]) } else { (rest[0], rest[1]) };
                let (x, y) = (self.read(b, n)?, self.read(c, n)?);
                let (lo, _) = self.terms.mul(x, y);
                let lo = self.terms.low(lo, n);
                self.write(Operand::Register(*a), lo, n)?;
                (self.carry, self.overflow, self.zero) = (None, None, None);
            }
            (Opcode::Mul, [b]) if n == 64 => {
                let (x, y) = (self.read(Operand::Register(Gpr::Rax), n)?, self.read(*b, n)?);
                let (lo, hi) = self.terms.mul(x, y);
                self.set(Gpr::Rax, Content::Word(lo, 64))?;
                self.set(Gpr::Rdx, Content::Word(hi, 64))?;
                (self.carry, self.overflow, self.zero) = (None, None, None);
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
                (self.carry, self.overflow, self.zero) = (None, None, Some(Zero::Of(z)));
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
        self.carry = None;
        self.overflow = None;
        if op != Opcode::Rol {
            self.zero = Some(Zero::Of(z));
        }
        Ok(())
    }

    fn logic_flags(&mut self, z: Word) {
        let zero = self.known_flag(0);
        (self.carry, self.overflow, self.zero) = (Some(zero), Some(zero), Some(Zero::Of(z)));
    }

    fn known_flag(&mut self, value: i128) -> Flag {
        Flag(self.terms.constant(value))
    }

    fn condition(&mut self, condition: Condition) -> Result<Flag, Fault> {
        let (flag, negate) = match condition {
            Condition::Carry => (self.carry.ok_or(Fault::Undefined("CF"))?, false),
            Condition::NotCarry => (self.carry.ok_or(Fault::Undefined("CF"))?, true),
            Condition::Overflow => (self.overflow.ok_or(Fault::Undefined("OF"))?, false),
            Condition::NotOverflow => (self.overflow.ok_or(Fault::Undefined("OF"))?, true),
            Condition::Zero | Condition::NotZero => {
                let nonzero = match self.zero.ok_or(Fault::Undefined("ZF"))? {
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

    /// The number that a register or slot holds, and how many bits of it are defined.
    fn number(&mut self, content: Content) -> Option<(Word, u8)> {
        match content {
            Content::Word(x, bits) => Some((x, bits)),
            Content::Known(x) => Some((self.terms.word_constant(x), 64)),
            _ => None,
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
