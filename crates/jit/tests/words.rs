//! Random programs on registers of four words, of the integer instructions that the checker knows there, as no compiler
//! writes for one element: loads and stores of one word, whole registers on the stack, loops, a routine, look-ups. Each has
//! a kernel, written from what the manual says of its instructions, word by word, or from a wrong reading of one of them.

use std::array::from_fn;
use std::mem::{Discriminant, discriminant};
use std::sync::Arc;

use evariste_codegen::program::{Callee, Lanes, Parameter, Role};
use evariste_codegen::x86_64::{
    Address, Base, Condition, Features, Gpr, Inst, Opcode, Operand, Program, Vector, Width,
};
use evariste_ir::{Array, ArrayKind, Builder, Contract, Kernel, Type, Value, View};
use num_bigint::BigInt;

use crate::aimed::pick;
use crate::common::Rng;

/// Words of the output, of an input that may be the same array, and of another.
const LENGTHS: [usize; 3] = [6, 6, 3];
/// Where their addresses are kept.
const POINTERS: [Gpr; 3] = [Gpr::Rbx, Gpr::R12, Gpr::R13];
/// Places for a register on the stack.
const SLOTS: usize = 3;
/// Registers that programs write at random; the last one is for what is stored.
const REGISTERS: u8 = 12;
const LAST: u8 = 15;
/// Words of the constants that tables take, and others.
const OF_TABLES: usize = 8;
const CONSTANTS: usize = 6;
const ROUTINE: u32 = 7;

/// What a program does.
pub enum Step {
    One(Inst),
    /// So many times, `rcx` counting.
    Loop(u32, Vec<Inst>),
    /// A word of the output becomes the sum of two words of an array that lie one after the other.
    Call {
        to: usize,
        array: usize,
        from: usize,
    },
}

impl Step {
    /// Instructions, but for those that count, and a call as one.
    fn len(&self) -> usize {
        if let Step::Loop(_, body) = self { body.len() } else { 1 }
    }
}

/// A program before its frame.
pub struct Source {
    steps: Vec<Step>,
    /// Must output and input be different arrays?
    apart: bool,
    tables: [[u32; 8]; 2],
    constants: [u64; CONSTANTS],
}

/// What is read wrongly.
#[derive(Clone, Copy, Debug)]
pub struct Wrong {
    /// The instruction, by its place among all.
    pub place: usize,
    /// Are all of its kind?
    pub alike: bool,
    /// The how many-th wrong reading.
    pub how: usize,
}

/// Wrong readings of an instruction, at most.
pub const READINGS: u64 = 7;

fn at(base: Gpr, bytes: i32) -> Operand {
    Operand::Memory(Address::at(base, bytes))
}

fn at_word(i: usize) -> Operand {
    at(POINTERS[0], 8 * i as i32)
}

fn slot(rng: &mut Rng) -> Operand {
    at(Gpr::Rsp, 32 * rng.below(SLOTS as u64) as i32)
}

fn y(op: Vector, bits: u8, operands: &[Operand]) -> Inst {
    Inst::sized(Opcode::Vector(op, Width::Y), bits, operands)
}

fn lowest(operands: &[Operand]) -> Inst {
    Inst::new(Opcode::Vector(Vector::MoveLowest, Width::X), operands)
}

/// What is written so far, and which registers nobody has read since.
#[derive(Clone)]
struct Written {
    registers: [bool; 16],
    unread: [bool; 16],
    slots: [bool; SLOTS],
    out: [bool; LENGTHS[0]],
}

impl Written {
    fn new() -> Written {
        Written { registers: [false; 16], unread: [false; 16], slots: [false; SLOTS], out: [false; LENGTHS[0]] }
    }

    /// Registers that hold something: most of the time only those that nobody has read, if there are any.
    fn register(&mut self, rng: &mut Rng) -> Option<Operand> {
        let all: Vec<u8> = (0..LAST).filter(|r| self.registers[usize::from(*r)]).collect();
        let unread: Vec<u8> = all.iter().copied().filter(|r| self.unread[usize::from(*r)]).collect();
        let r = pick(if unread.is_empty() || rng.below(3) == 0 { &all } else { &unread }, rng)?;
        self.unread[usize::from(r)] = false;
        Some(Operand::Vector(r))
    }

    /// A register to write: one that somebody has read, if there is any.
    fn destination(&self, rng: &mut Rng) -> Operand {
        let read: Vec<u8> = (0..REGISTERS).filter(|r| !self.unread[usize::from(*r)]).collect();
        Operand::Vector(pick(&read, rng).unwrap_or(rng.below(u64::from(REGISTERS)) as u8))
    }

    fn set(&mut self, r: u8) {
        (self.registers[usize::from(r)], self.unread[usize::from(r)]) = (true, true);
    }

    fn clear(&mut self) {
        (self.registers, self.unread) = ([false; 16], [false; 16]);
    }

    /// A register, or where one lies.
    fn operand(&mut self, rng: &mut Rng) -> Option<Operand> {
        let at = slot(rng);
        match at {
            Operand::Memory(a) if self.slots[a.displacement as usize / 32] && rng.below(4) == 0 => Some(at),
            _ => self.register(rng),
        }
    }
}

impl Source {
    pub fn new(rng: &mut Rng) -> Source {
        let apart = rng.below(3) > 0;
        let tables = from_fn(|_| from_fn(|_| rng.edge_word() as u32));
        let mut source = Source { steps: Vec::new(), apart, tables, constants: from_fn(|_| rng.edge_word()) };
        let mut written = Written::new();
        (0..2).for_each(|_| source.gather(rng, &mut written));
        let length = *rng.pick(&[3, 10, 28]);
        for _ in 0..3 + rng.below(length) {
            match rng.below(40) {
                0..=2 => {
                    let mut body = Vec::new();
                    let (before, count) = (written.clone(), 1 + rng.below(3) as u32);
                    for _ in 0..1 + rng.below(6) {
                        source.one(rng, &mut written, true).inspect(|inst| body.push(*inst));
                    }
                    // What the body writes it may have read before.
                    let read = |inst: &Inst| !matches!(inst.op, Opcode::Vector(Vector::ZeroUpper, _));
                    if body.iter().all(read) { source.steps.push(Step::Loop(count, body)) } else { written = before }
                }
                3..=5 => {
                    let array = if apart && rng.below(2) == 0 { 1 } else { 2 };
                    let from = rng.index(LENGTHS[array] - 1);
                    let to = rng.index(LENGTHS[0]);
                    if apart {
                        source.steps.push(Step::Call { to, array, from });
                        written.clear();
                        written.out[to] = true;
                    }
                }
                6..=11 => source.gather(rng, &mut written),
                _ => {
                    if let Some(inst) = source.one(rng, &mut written, false) {
                        source.steps.push(Step::One(inst));
                    }
                }
            }
        }
        source.store_all(rng, &mut written);
        source
    }

    /// Four words of other places in one register.
    fn gather(&mut self, rng: &mut Rng, written: &mut Written) {
        let Operand::Vector(d) = written.destination(rng) else { return };
        let spare = Operand::Vector(LAST);
        let mut places: Vec<Operand> =
            [1, 2].iter().flat_map(|a| (0..LENGTHS[*a]).map(|i| at(POINTERS[*a], 8 * i as i32))).collect();
        // (Where the input may lie there, of it only what is not written over.)
        if !self.apart {
            places = places.split_off(LENGTHS[1]);
            places.extend((0..LENGTHS[1]).filter(|i| !written.out[*i]).map(|i| at(POINTERS[1], 8 * i as i32)));
        }
        let mut take = |rng: &mut Rng| {
            let place = rng.index(places.len());
            if places.len() > 1 { places.swap_remove(place) } else { places[0] }
        };
        let first = match rng.below(2) {
            0 => lowest(&[Operand::Vector(d), take(rng)]),
            _ => y(Vector::Broadcast, 64, &[Operand::Vector(d), take(rng)]),
        };
        self.steps.push(Step::One(first));
        for l in 1..4 {
            let constant = Operand::Memory(Address::constant(OF_TABLES + rng.index(CONSTANTS)));
            let word = if rng.below(5) == 0 { constant } else { take(rng) };
            self.steps.push(Step::One(y(Vector::Broadcast, 64, &[spare, word])));
            self.steps.push(Step::One(y(
                Vector::BlendWords(1 << l),
                64,
                &[Operand::Vector(d), Operand::Vector(d), spare],
            )));
        }
        written.set(d);
    }

    /// All words that nobody wrote yet (where the input may lie there, all): of what nobody has read.
    fn store_all(&mut self, rng: &mut Rng, written: &mut Written) {
        let mut unread: Vec<u8> = (0..LAST).filter(|r| written.unread[usize::from(*r)]).collect();
        while unread.is_empty() {
            self.steps.extend(self.one(rng, written, false).map(Step::One));
            unread = (0..LAST).filter(|r| written.unread[usize::from(*r)]).collect();
        }
        let (sum, moved) = (Operand::Vector(LAST), Operand::Vector(LAST - 1));
        self.steps.push(Step::One(y(Vector::Move, 64, &[sum, Operand::Vector(unread[0])])));
        let lying = (0..SLOTS).filter(|slot| written.slots[*slot]).map(|slot| at(Gpr::Rsp, 32 * slot as i32));
        for more in unread[1..].iter().map(|r| Operand::Vector(*r)).chain(lying) {
            // Every word of each comes into every word.
            self.steps.push(Step::One(y(Vector::PermuteWords(*rng.pick(&[0x39, 0x4e, 0x93])), 64, &[sum, sum])));
            let op = if rng.below(3) == 0 { Vector::Xor } else { Vector::Add };
            self.steps.push(Step::One(y(op, 64, &[sum, sum, more])));
        }
        for (at, i) in (0..LENGTHS[0]).filter(|i| !written.out[*i]).enumerate() {
            let from = if at == 0 { sum } else { moved };
            if at > 0 {
                let places = (at % 4) as u8 | 4 * rng.below(64) as u8;
                self.steps.push(Step::One(y(Vector::PermuteWords(places), 64, &[moved, sum])));
            }
            self.steps.push(Step::One(lowest(&[at_word(i), from])));
        }
    }

    /// A random instruction on what is written; `None`: there is nothing for it.
    fn one(&self, rng: &mut Rng, written: &mut Written, in_loop: bool) -> Option<Inst> {
        let to = written.destination(rng);
        let inst = match rng.below(20) {
            0..=2 => {
                let mut array = 1 + rng.index(2);
                let mut i = rng.index(LENGTHS[array]);
                if self.apart && rng.below(4) == 0 && written.out[i] {
                    array = 0;
                }
                // What may be written over is not read any more.
                if !self.apart && array == 1 && (in_loop || written.out[i]) {
                    (array, i) = (2, i % LENGTHS[2]);
                }
                let mut address = Address::at(POINTERS[array], 8 * i as i32);
                if in_loop && array > 0 && rng.below(2) == 0 {
                    i = rng.index(LENGTHS[array] - 2);
                    address = Address { index: Some((Gpr::Rcx, 8)), ..Address::at(POINTERS[array], 8 * i as i32) };
                }
                match rng.below(5) {
                    0 | 1 => lowest(&[to, Operand::Memory(address)]),
                    2 => y(Vector::Broadcast, 64, &[to, Operand::Memory(Address::constant(OF_TABLES + i))]),
                    _ => y(Vector::Broadcast, 64, &[to, Operand::Memory(address)]),
                }
            }
            3 | 18 => y(Vector::Move, 64, &[slot(rng), written.register(rng)?]),
            4 if rng.below(16) == 0 => y(Vector::ZeroUpper, 64, &[]),
            4 => y(Vector::Move, 64, &[to, written.operand(rng)?]),
            5 if self.apart || !in_loop => {
                let i = rng.index(LENGTHS[0]);
                let address = match in_loop && rng.below(2) == 0 {
                    true => Address { index: Some((Gpr::Rcx, 8)), ..Address::at(POINTERS[0], 8 * (i as i32).min(3)) },
                    false => Address::at(POINTERS[0], 8 * i as i32),
                };
                let from = written.register(rng)?;
                // (In a loop the first iteration alone is sure to write.)
                written.out[address.displacement as usize / 8] = true;
                return Some(lowest(&[Operand::Memory(address), from]));
            }
            6..=8 => {
                let a = written.register(rng)?;
                match rng.below(3) {
                    0 => y(Vector::PermuteWords(rng.below(256) as u8), 64, &[to, a]),
                    _ => y(Vector::BlendWords(rng.below(16) as u8), 64, &[to, a, written.register(rng)?]),
                }
            }
            _ => self.computed(rng, written, to)?,
        };
        match (inst.op, inst.operands[0]) {
            (Opcode::Vector(Vector::ZeroUpper, _), _) => written.clear(),
            (_, Some(Operand::Memory(a))) => written.slots[a.displacement as usize / 32] = true,
            (_, Some(Operand::Vector(d))) => written.set(d),
            _ => {}
        }
        Some(inst)
    }

    fn computed(&self, rng: &mut Rng, written: &mut Written, to: Operand) -> Option<Inst> {
        let bits = if rng.below(3) == 0 { 32 } else { 64 };
        let amount = |rng: &mut Rng| match rng.below(3) {
            0 => *rng.pick(&[1, bits - 1, bits / 2]),
            _ => rng.below(u64::from(bits)) as u8,
        };
        let (a, b) = (written.register(rng)?, written.operand(rng)?);
        Some(match rng.below(16) {
            0 => y(Vector::Shl(amount(rng)), bits, &[to, a]),
            1 => y(Vector::Shr(amount(rng)), bits, &[to, a]),
            2 => y(Vector::Sar(amount(rng) % 32), 32, &[to, a]),
            3 => y(*rng.pick(&[Vector::CopyLow, Vector::CopyHigh]), 32, &[to, b]),
            4 => y(Vector::BlendHalves(rng.below(2) == 0), 32, &[to, a, b]),
            5 => {
                let line = Address::constant(4 * rng.index(self.tables.len()));
                y(Vector::LookUpHalves, 64, &[to, a, Operand::Memory(line)])
            }
            6 => y(Vector::Greater, bits, &[to, a, b]),
            7 => y(*rng.pick(&[Vector::Lesser, Vector::MulLow]), 32, &[to, a, b]),
            8 => y(Vector::MulHalf, 64, &[to, a, b]),
            9..=11 => {
                // The sum goes on in a register that is written.
                let to = written.register(rng)?;
                y(*rng.pick(&[Vector::MaddLow, Vector::MaddHigh]), 64, &[to, a, b])
            }
            _ => {
                let op = *rng.pick(&[Vector::Add, Vector::Sub, Vector::And, Vector::Or, Vector::Xor, Vector::AndNot]);
                y(op, bits, &[to, a, b])
            }
        })
    }

    /// The instruction at a place; `None`: a call.
    fn instruction(&self, place: usize) -> Option<&Inst> {
        let mut all: Vec<Option<&Inst>> = Vec::new();
        for step in &self.steps {
            match step {
                Step::One(inst) => all.push(Some(inst)),
                Step::Loop(_, body) => all.extend(body.iter().map(Some)),
                Step::Call { .. } => all.push(None),
            }
        }
        *all.get(place)?
    }

    /// A place among those of instructions and calls, of every kind as often.
    pub fn place(&self, rng: &mut Rng) -> usize {
        let count = self.steps.iter().map(Step::len).sum();
        let kinds: Vec<_> = (0..count).map(|place| self.instruction(place).map(kind_of)).collect();
        let mut each = kinds.clone();
        each.sort_by_key(|kind| format!("{kind:?}"));
        each.dedup();
        let kind = rng.pick(&each);
        let places: Vec<usize> = (0..count).filter(|place| kinds[*place] == *kind).collect();
        *rng.pick(&places)
    }

    /// The program: saved registers, pointers, an aligned part of the stack, the steps, and behind them the routine.
    pub fn program(&self) -> Program {
        let r = Operand::Register;
        let saved = [Gpr::Rbp, Gpr::Rbx, Gpr::R12, Gpr::R13];
        let mut code: Vec<Inst> = saved.iter().map(|s| Inst::new(Opcode::Push, &[r(*s)])).collect();
        code.push(Inst::new(Opcode::Mov, &[r(Gpr::Rbp), r(Gpr::Rsp)]));
        for (kept, given) in POINTERS.iter().zip(Gpr::PARAMETERS) {
            code.push(Inst::new(Opcode::Mov, &[r(*kept), r(given)]));
        }
        open(&mut code);
        for (label, step) in (100u32..).zip(&self.steps) {
            match step {
                Step::One(inst) => code.push(*inst),
                Step::Loop(count, body) => {
                    code.push(Inst::new(Opcode::Mov, &[r(Gpr::Rcx), Operand::Immediate(0)]));
                    code.push(Inst::new(Opcode::Label, &[Operand::Label(label)]));
                    code.extend(body);
                    code.push(Inst::new(Opcode::Add, &[r(Gpr::Rcx), Operand::Immediate(1)]));
                    code.push(Inst::new(Opcode::Cmp, &[r(Gpr::Rcx), Operand::Immediate(i64::from(*count))]));
                    code.push(Inst::new(Opcode::JumpIf(Condition::NotZero), &[Operand::Label(label)]));
                }
                Step::Call { to, array, from } => {
                    code.push(Inst::new(Opcode::Lea, &[r(Gpr::Rdi), at(POINTERS[0], 8 * *to as i32)]));
                    code.push(Inst::new(Opcode::Lea, &[r(Gpr::Rsi), at(POINTERS[*array], 8 * *from as i32)]));
                    code.push(Inst::new(Opcode::Call, &[Operand::Label(ROUTINE)]));
                }
            }
        }
        code.push(Inst::new(Opcode::Mov, &[r(Gpr::Rsp), r(Gpr::Rbp)]));
        code.extend(saved.iter().rev().map(|s| Inst::new(Opcode::Pop, &[r(*s)])));
        code.push(Inst::new(Opcode::Return, &[]));
        let calls = self.calls();
        if calls {
            code.push(Inst::new(Opcode::Label, &[Operand::Label(ROUTINE)]));
            routine(&mut code);
        }
        let param =
            |name: &str, len: usize, role| Parameter { name: name.into(), element_bytes: 8, len: len as u32, role };
        let tables = self.tables.iter().flatten().copied().collect::<Vec<u32>>();
        let lines = tables.as_chunks().0.iter().map(|[low, high]| u64::from(*low) | u64::from(*high) << 32);
        Program {
            name: "words".into(),
            features: Features::AVX512,
            lanes: Lanes::ONE,
            params: vec![
                param("out", LENGTHS[0], Role::Output),
                param("a", LENGTHS[1], Role::Input),
                param("b", LENGTHS[2], Role::Input),
            ],
            disjoint: if self.apart { vec![(0, 1), (0, 2), (1, 2)] } else { vec![(0, 2), (1, 2)] },
            constants: lines.chain(self.constants).collect(),
            code,
            callees: Vec::from_iter(calls.then(|| Callee {
                label: ROUTINE,
                path: vec![0],
                params: vec![param("y", 1, Role::Output), param("x", 2, Role::Input)],
                disjoint: vec![(0, 1)],
            })),
        }
    }

    fn calls(&self) -> bool {
        self.steps.iter().any(|step| matches!(step, Step::Call { .. }))
    }

    /// The kernel that the program computes, or that of a wrong reading: `None` where the instruction has no such.
    pub fn kernel(&self, wrong: Option<Wrong>) -> Option<Kernel> {
        let (mut b, full) = (Builder::new("words", 64), || vec![Type::Word(64).full()]);
        let out = b.array("out", Type::Word(64), LENGTHS[0] as u32, ArrayKind::Output, full());
        let [a, c] =
            [1, 2].map(|i| b.array(["a", "b"][i - 1], Type::Word(64), LENGTHS[i] as u32, ArrayKind::Input, full()));
        if self.apart {
            b.must_be_disjoint(out, a);
        }
        let tables = from_fn(|i| b.table(format!("t{i}"), self.tables[i].map(BigInt::from).to_vec()));
        let memory = [vec![None; LENGTHS[0]], loaded(&mut b, a), loaded(&mut b, c)];
        let mut reading =
            Reading { b, source: self, tables, memory, registers: [None; 16], slots: [None; SLOTS], counter: 0 };
        let mut place = 0;
        let wrongly = wrong.and_then(|wrong| Some((wrong, kind_of(self.instruction(wrong.place)?))));
        let how = |at: usize, inst: &Inst| {
            let is = |(wrong, kind): &(Wrong, _)| at == wrong.place || wrong.alike && *kind == kind_of(inst);
            wrongly.filter(is).map(|(wrong, _)| wrong.how)
        };
        for step in &self.steps {
            match step {
                Step::One(inst) => reading.run(inst, how(place, inst))?,
                Step::Loop(count, body) => {
                    for i in 0..*count {
                        reading.counter = i as usize;
                        for (k, inst) in body.iter().enumerate() {
                            reading.run(inst, how(place + k, inst))?;
                        }
                    }
                }
                Step::Call { to, array, from } => {
                    let how = wrong.filter(|wrong| wrong.place == place).map(|wrong| wrong.how);
                    reading.call(*to, *array, *from, how)?;
                }
            }
            place += step.len();
        }
        let words: Vec<Value> = reading.memory[0].iter().copied().collect::<Option<_>>()?;
        reading.b.store_all(out, &words);
        Some(reading.b.finish(Contract::default()))
    }
}

/// Instructions of one kind have one reading.
fn kind_of(inst: &Inst) -> (Option<Discriminant<Vector>>, u8, bool) {
    let vector = if let Opcode::Vector(op, _) = inst.op { Some(discriminant(&op)) } else { None };
    (vector, inst.bits, matches!(inst.operands[0], Some(Operand::Memory(_))))
}

fn loaded(b: &mut Builder, array: Array) -> Vec<Option<Value>> {
    b.load_all(array).into_iter().map(Some).collect()
}

/// Opens an aligned part of the stack.
fn open(code: &mut Vec<Inst>) {
    let rsp = Operand::Register(Gpr::Rsp);
    code.push(Inst::new(Opcode::Sub, &[rsp, Operand::Immediate(32 * SLOTS as i64)]));
    code.push(Inst::new(Opcode::And, &[rsp, Operand::Immediate(-64)]));
}

/// The sum of two words; it writes over every register and over its own part of the stack.
fn routine(code: &mut Vec<Inst>) {
    let (v, r) = (Operand::Vector, Operand::Register);
    code.push(Inst::new(Opcode::Mov, &[r(Gpr::Rax), r(Gpr::Rsp)]));
    open(code);
    code.push(lowest(&[v(0), at(Gpr::Rsi, 0)]));
    code.push(y(Vector::Broadcast, 64, &[v(1), at(Gpr::Rsi, 8)]));
    code.push(y(Vector::Add, 64, &[v(0), v(0), v(1)]));
    code.push(lowest(&[at(Gpr::Rdi, 0), v(0)]));
    code.extend((0..SLOTS as i32).map(|i| y(Vector::Move, 64, &[at(Gpr::Rsp, 32 * i), v(1)])));
    code.extend((2..16).map(|n| y(Vector::Move, 64, &[v(n), v(0)])));
    code.push(Inst::new(Opcode::Mov, &[r(Gpr::Rsp), r(Gpr::Rax)]));
    code.push(Inst::new(Opcode::Return, &[]));
}

fn sum_of_two() -> Kernel {
    let (mut b, full) = (Builder::new("sum", 64), || vec![Type::Word(64).full()]);
    let out = b.array("y", Type::Word(64), 1, ArrayKind::Output, full());
    let x = b.array("x", Type::Word(64), 2, ArrayKind::Input, full());
    let (x0, x1) = (b.load(x, 0u32), b.load(x, 1u32));
    let sum = b.wrapping_add(x0, x1);
    b.store(out, 0u32, sum);
    b.finish(Contract::default())
}

type Four = [Value; 4];

/// A kernel in the making: what registers, stack and arrays hold.
struct Reading<'s> {
    b: Builder,
    source: &'s Source,
    tables: [Array; 2],
    memory: [Vec<Option<Value>>; 3],
    registers: [Option<Four>; 16],
    slots: [Option<Four>; SLOTS],
    counter: usize,
}

impl Reading<'_> {
    /// A word of an array.
    fn element(&self, a: Address) -> Option<(usize, usize)> {
        let array = POINTERS.iter().position(|p| a.base == Base::Register(*p))?;
        Some((array, a.displacement as usize / 8 + a.index.map_or(0, |_| self.counter)))
    }

    fn loaded(&mut self, a: Address) -> Option<Value> {
        if a.base == Base::Constants {
            return Some(self.b.word_constant(self.source.constants[a.displacement as usize / 8 - OF_TABLES]));
        }
        let (array, i) = self.element(a)?;
        *self.memory[array].get(i)?
    }

    fn four(&self, operand: Operand) -> Option<Four> {
        match operand {
            Operand::Vector(r) => self.registers[usize::from(r)],
            Operand::Memory(a) if a.base == Base::Register(Gpr::Rsp) => self.slots[a.displacement as usize / 32],
            _ => None,
        }
    }

    fn call(&mut self, to: usize, array: usize, from: usize, wrong: Option<usize>) -> Option<()> {
        let of = |i: usize| self.memory[array][i];
        let (x0, x1) = match wrong {
            None => (of(from)?, of(from + 1)?),
            Some(0) => (of(from + 1)?, of(from)?),
            Some(1) => (of(from)?, of(from)?),
            Some(_) => return None,
        };
        let callee = self.b.callee(Arc::new(sum_of_two()));
        let full = Type::Word(64).full();
        let n = self.b.kernel().arrays.len();
        let (x, y) = (self.b.local(format!("x{n}"), 2, full.clone()), self.b.local(format!("y{n}"), 1, full));
        self.b.store_all(x, &[x0, x1]);
        self.b.call(callee, vec![View::whole(y), View::whole(x)]);
        self.memory[0][to] = Some(self.b.load(y, 0u32));
        self.registers = [None; 16];
        Some(())
    }

    fn run(&mut self, inst: &Inst, wrong: Option<usize>) -> Option<()> {
        let Opcode::Vector(op, _) = inst.op else { return None };
        let operands: Vec<Operand> = inst.operands().collect();
        match (op, operands.as_slice()) {
            (Vector::ZeroUpper, _) if wrong.is_none() => self.registers = [None; 16],
            (Vector::MoveLowest, [Operand::Memory(a), from]) => {
                let word = match wrong {
                    None => 0,
                    Some(how) => *[1, 2, 3].get(how)?,
                };
                let (array, i) = self.element(*a)?;
                *self.memory[array].get_mut(i)? = Some(self.four(*from)?[word]);
            }
            (Vector::Move, [Operand::Memory(a), from]) => {
                let place = a.displacement as usize / 32;
                // Half of it stays, or it goes elsewhere.
                let (four, old) = (self.four(*from)?, self.slots[place]);
                match wrong {
                    None => self.slots[place] = Some(four),
                    Some(0) => self.slots[(place + 1) % SLOTS] = Some(four),
                    Some(1) => self.slots[place] = Some(old.map_or(four, |old| [four[0], four[1], old[2], old[3]])),
                    Some(_) => return None,
                }
            }
            (_, [Operand::Vector(d), rest @ ..]) => {
                let four = self.made(op, inst.bits, *d, rest, wrong)?;
                self.registers[usize::from(*d)] = Some(four);
            }
            _ => return None,
        }
        Some(())
    }

    /// The words that an instruction leaves in a register.
    fn made(&mut self, op: Vector, bits: u8, d: u8, from: &[Operand], wrong: Option<usize>) -> Option<Four> {
        let old = self.registers[usize::from(d)];
        if let (Vector::MoveLowest | Vector::Broadcast, [Operand::Memory(a)]) = (op, from) {
            let (x, zero) = (self.loaded(*a)?, self.b.word_constant(0));
            let alone = [x, zero, zero, zero];
            return Some(match (op, wrong) {
                (Vector::MoveLowest, None) | (Vector::Broadcast, Some(0)) => alone,
                (Vector::MoveLowest, Some(0)) | (Vector::Broadcast, None) => [x; 4],
                // It leaves what was above, or half of that.
                (Vector::MoveLowest, Some(1)) => old.map_or(alone, |old| [x, old[1], old[2], old[3]]),
                (Vector::MoveLowest, Some(2)) => old.map_or(alone, |old| [x, zero, old[2], old[3]]),
                (Vector::Broadcast, Some(1)) => [x, x, zero, zero],
                (_, Some(3)) if a.base != Base::Constants => {
                    let x = self.loaded(Address { displacement: a.displacement + 8, ..*a })?;
                    if op == Vector::Broadcast { [x; 4] } else { [x, zero, zero, zero] }
                }
                _ => return None,
            });
        }
        let x = self.four(from[0])?;
        let y = match from.get(1) {
            Some(Operand::Memory(Address { base: Base::Constants, .. })) | None => x,
            Some(operand) => self.four(*operand)?,
        };
        match (op, wrong) {
            (Vector::Move, None) => return Some(x),
            (Vector::Move, Some(0)) => return Some(old.map_or(x, |old| [x[0], x[1], old[2], old[3]])),
            (Vector::Move, Some(1)) => return Some([x[2], x[3], x[0], x[1]]),
            (Vector::Move, _) => return None,
            (Vector::PermuteWords(places), _) => return permuted(places, x, wrong),
            (Vector::BlendWords(words), _) => return blended(words, x, y, wrong),
            _ => {}
        }
        let table = match from.get(1) {
            Some(Operand::Memory(a)) if a.base == Base::Constants => Some(self.tables[a.displacement as usize / 32]),
            _ => None,
        };
        let mut words = Vec::new();
        for l in 0..4 {
            let (x, y, l) = match wrong {
                Some(0) => (x[l], y[(l + 1) % 4], l),
                Some(1) => (x[0], y[0], 0),
                Some(2) => (x[l & 2], y[l & 2], l & 2),
                _ => (x[l], y[l], l),
            };
            let old = old.map(|old| old[l]);
            words.push(self.word(op, bits, (old, x, y, table), wrong.filter(|how| *how > 2))?);
        }
        words.try_into().ok()
    }

    fn halves(&mut self, x: Value) -> [Value; 2] {
        let halves = self.b.split(x, 32);
        [halves[0], halves[1]]
    }

    /// One word of the result.
    fn word(
        &mut self,
        op: Vector,
        bits: u8,
        (old, x, y, table): (Option<Value>, Value, Value, Option<Array>),
        wrong: Option<usize>,
    ) -> Option<Value> {
        // Wrong: elements of the other size, or the operands exchanged.
        let other_size = matches!(op, Vector::Add | Vector::Sub | Vector::Greater | Vector::Shl(_) | Vector::Shr(_));
        let (bits, wrong) = match wrong {
            Some(3) if other_size => (96 - bits, None),
            other => (bits, other),
        };
        let exchanged = matches!(op, Vector::Sub | Vector::AndNot | Vector::Greater | Vector::BlendHalves(_));
        let (x, y, wrong) = if wrong == Some(4) && exchanged { (y, x, None) } else { (x, y, wrong) };
        match (op, wrong) {
            (Vector::MaddLow | Vector::MaddHigh, _) => return self.product_of_52((op, wrong), old?, x, y),
            (Vector::Shl(k) | Vector::Shr(k) | Vector::Sar(k), _) if k >= bits => return None,
            _ => {}
        }
        if bits == 64 && !matches!(op, Vector::MulHalf | Vector::LookUpHalves) {
            return self.element_of(op, 64, x, y, wrong);
        }
        let ([x0, x1], [y0, y1]) = (self.halves(x), self.halves(y));
        let both = match (op, wrong) {
            (Vector::CopyLow, None) | (Vector::CopyHigh, Some(3)) => [x0, x0],
            (Vector::CopyHigh, None) | (Vector::CopyLow, Some(3)) => [x1, x1],
            (Vector::CopyLow | Vector::CopyHigh, Some(4)) => [x1, x0],
            (Vector::BlendHalves(true), None) | (Vector::BlendHalves(false), Some(3)) => [x0, y1],
            (Vector::BlendHalves(false), None) | (Vector::BlendHalves(true), Some(3)) => [y0, x1],
            (Vector::MulHalf, Some(3)) => return Some(self.b.wrapping_mul(x, y)),
            (Vector::MulHalf, None | Some(4)) => {
                let [p, q] = if wrong.is_none() { [x0, y0] } else { [x1, y1] }.map(|z| self.b.widen(z, Type::Word(64)));
                return Some(self.b.mul(p, q));
            }
            (Vector::LookUpHalves, how) => {
                let table = match how {
                    Some(5) => self.tables[usize::from(Some(self.tables[0]) == table)],
                    _ => table?,
                };
                let found = [x0, x1].map(|half| {
                    let cut = if how == Some(3) { 2 } else { 3 };
                    let half = self.b.widen(half, Type::Word(64));
                    let half = if how == Some(6) { self.b.shr(half, 1u32) } else { half };
                    let index = self.b.low_bits(half, cut);
                    let found = self.b.lookup(table, index);
                    self.b.narrow(found, Type::Word(32))
                });
                match how {
                    None | Some(3 | 5 | 6) => found,
                    Some(4) => [found[1], found[0]],
                    Some(_) => return None,
                }
            }
            (_, Some(5)) => [self.element_of(op, 32, x0, y0, None)?, self.b.zero(Type::Word(32))],
            (_, Some(6)) => [self.element_of(op, 32, x0, y0, None)?, x1],
            _ => [self.element_of(op, 32, x0, y0, wrong)?, self.element_of(op, 32, x1, y1, wrong)?],
        };
        Some(self.b.join(&both, Type::Word(64)))
    }

    fn product_of_52(&mut self, how: (Vector, Option<usize>), old: Value, x: Value, y: Value) -> Option<Value> {
        let b = &mut self.b;
        let zero = b.word_constant(0);
        let (low, high) = (b.madd_lo(52, zero, x, y), b.madd_hi(52, zero, x, y));
        let (right, other) = if how.0 == Vector::MaddLow { (low, high) } else { (high, low) };
        Some(match how.1 {
            None => b.wrapping_add(old, right),
            Some(3) => b.wrapping_add(old, other),
            Some(4) => right,
            // The sum before is cut, the sum is, or one factor's bits above are what is multiplied.
            Some(5) => {
                let old = b.low_bits(old, 52);
                b.add(old, right)
            }
            Some(6) => {
                let sum = b.wrapping_add(old, right);
                b.low_bits(sum, 52)
            }
            Some(_) => return None,
        })
    }

    /// A result of elements of n bits.
    fn element_of(&mut self, op: Vector, n: u8, x: Value, y: Value, wrong: Option<usize>) -> Option<Value> {
        let (b, ty) = (&mut self.b, Type::Word(n));
        let [zero, ones, half] = [0, u64::MAX >> (64 - n), 1 << (n - 1)].map(|c: u64| b.constant(ty, c));
        Some(match (op, wrong) {
            (Vector::Add, None) => b.wrapping_add(x, y),
            (Vector::Sub, None) => b.wrapping_sub(x, y),
            (Vector::And, None) => b.and(x, y),
            (Vector::Or, None) => b.or(x, y),
            (Vector::Xor, None) => b.xor(x, y),
            (Vector::AndNot, None) => b.and_not(y, x),
            (Vector::MulLow, None) => b.wrapping_mul(x, y),
            (Vector::MulLow, Some(3)) => b.mul_wide(x, y).1,
            (Vector::Shl(k), None) | (Vector::Shr(k), Some(5)) => b.wrapping_shl(x, u32::from(k)),
            (Vector::Shr(k), None) | (Vector::Sar(k), Some(4)) | (Vector::Shl(k), Some(5)) => b.shr(x, u32::from(k)),
            (Vector::Sar(k), None) | (Vector::Shr(k), Some(4)) => b.sar(x, u32::from(k)),
            (Vector::Shl(k), Some(4)) => b.rotate(x, u32::from(k)),
            // The other one, or by the signed readings.
            (Vector::Lesser, None | Some(3 | 4)) => {
                let [p, q] = [x, y].map(|z| if wrong == Some(4) { b.wrapping_sub(z, half) } else { z });
                let less = b.less(q, p);
                if wrong == Some(3) { b.select(less, x, y) } else { b.select(less, y, x) }
            }
            // Of the signed readings; or of those without a sign, or at least.
            (Vector::Greater, None | Some(5 | 6)) => {
                let [p, q] = [x, y].map(|z| if wrong == Some(5) { z } else { b.wrapping_sub(z, half) });
                if wrong == Some(6) {
                    let less = b.less(p, q);
                    b.select(less, zero, ones)
                } else {
                    let less = b.less(q, p);
                    b.select(less, ones, zero)
                }
            }
            _ => return None,
        })
    }
}

/// Words of other places; or each goes to the place that is named, or they are named from the top.
fn permuted(places: u8, x: Four, wrong: Option<usize>) -> Option<Four> {
    let place = |l: usize| usize::from(places >> (2 * l) & 3);
    match wrong {
        None => Some(from_fn(|l| x[place(l)])),
        Some(0) => {
            let mut moved = x;
            (0..4).for_each(|l| moved[place(l)] = x[l]);
            Some(moved)
        }
        Some(1) => Some(from_fn(|l| x[place(3 - l)])),
        // Within each pair.
        Some(2) => Some(from_fn(|l| x[l & 2 | place(l) & 1])),
        Some(_) => None,
    }
}

/// Words of one or the other register.
fn blended(words: u8, x: Four, y: Four, wrong: Option<usize>) -> Option<Four> {
    let bit = |l: usize| words >> l & 1 == 1;
    let of = |l: usize, second: bool| if second { y[l] } else { x[l] };
    match wrong {
        None => Some(from_fn(|l| of(l, bit(l)))),
        Some(0) => Some(from_fn(|l| of(l, !bit(l)))),
        Some(1) => Some(from_fn(|l| of(l, bit(3 - l)))),
        Some(2) => Some(from_fn(|l| of(l, bit(l / 2)))),
        Some(_) => None,
    }
}
