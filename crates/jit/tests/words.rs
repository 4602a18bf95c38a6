//! Random programs on registers of four words, of the integer instructions that the checker knows there, as no compiler
//! writes for one element: loads and stores of one word, whole registers on the stack, loops, a routine, look-ups. Each has
//! a kernel, written from what the manual says of its instructions, word by word, or from a wrong reading of one of them.

use std::array::from_fn;
use std::mem::{Discriminant, discriminant};

use evariste_codegen::program::{Callee, Lanes, Parameter, Role};
use evariste_codegen::x86_64::{Address, Condition, Features, Gpr, Inst, Opcode, Operand, Program, Vector, Width};
use evariste_ir::{Array, ArrayKind, Builder, Contract, Kernel, Type, Value};
use num_bigint::BigInt;

use crate::aimed::pick;
use crate::common::Rng;

mod reading;

use reading::Reading;

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
                let (a, b) = (written.register(rng)?, written.operand(rng)?);
                match rng.below(3) {
                    0 => y(Vector::PermuteWords(rng.below(256) as u8), 64, &[to, b]),
                    _ => y(Vector::BlendWords(rng.below(16) as u8), 64, &[to, a, b]),
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
