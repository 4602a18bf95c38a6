//! Faults that aim at one rule of the checker each: addresses and branches that hang on data, frames and pointers that
//! are not where they were, counters and limits, rules of aliasing. What is accepted keeps to its arrays on any words at
//! all, by the same number of instructions, in the emulator, and is right on admissible ones; and of each aim some are
//! accepted or all are refused, as it must be.

use std::collections::BTreeMap;
use std::fmt::Debug;

use evariste_codegen::check::check_kernel;
use evariste_codegen::outline::Limits;
use evariste_codegen::x86_64::lanes::{self, Shape};
use evariste_codegen::x86_64::{
    Address, Base, Condition, Features, Gpr, Inst, Opcode, Operand, Program, Width, compile_within,
};
use evariste_emulator::{Array, Image, call};
use evariste_ir::Kernel;
use evariste_jit::encode;

use crate::common::{Rng, Vectors};
use crate::kernels::{random, rolled};

/// Mutants of one run: ten thousand, or as many as the environment says.
fn budget() -> usize {
    let asked = std::env::var("EVARISTE_AIMED").ok().and_then(|n| n.parse().ok());
    asked.unwrap_or(if std::env::var_os("EVARISTE_FULL").is_some() { 1_000_000 } else { 10_000 })
}

/// What a fault aims at.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Aim {
    /// A register of an address becomes a word of an array, masked to what it was or not.
    DataAddress,
    /// An address is elsewhere: another displacement, index, scale, base.
    Address,
    /// A comparison before a branch is with data.
    DataBranch,
    /// A counter's step, limit or condition.
    Counter,
    /// The stack pointer, slots, what is pushed and popped.
    Frame,
    /// Two arrays may be the same one, or may not.
    Aliasing,
    /// A store and a load change places.
    Order,
    /// A call, its arguments, or what is said of the routine.
    Routine,
}

const AIMS: [Aim; 8] = [
    Aim::DataAddress,
    Aim::Address,
    Aim::DataBranch,
    Aim::Counter,
    Aim::Frame,
    Aim::Aliasing,
    Aim::Order,
    Aim::Routine,
];

pub fn pick<T: Clone>(all: &[T], rng: &mut Rng) -> Option<T> {
    if all.is_empty() { None } else { Some(all[rng.below(all.len() as u64) as usize].clone()) }
}

/// Places of operands in memory that are no constants: instruction, operand, address.
fn addresses(program: &Program) -> Vec<(usize, usize, Address)> {
    let mut all = Vec::new();
    for (at, inst) in program.code.iter().enumerate() {
        for i in 0..3 {
            if let Some(Operand::Memory(a) | Operand::Broadcast(a)) = inst.operands[i]
                && a.base != Base::Constants
            {
                all.push((at, i, a));
            }
        }
    }
    all
}

fn with_address(program: &Program, at: usize, i: usize, address: Address) -> Program {
    let mut mutant = program.clone();
    mutant.code[at].operands[i] = Some(Operand::Memory(address));
    mutant
}

/// A load of a word of an array into a register, by a pointer that holds at entry: where `at` is still near it.
fn load_of_data(rng: &mut Rng, to: Gpr) -> Inst {
    let pointer = Gpr::PARAMETERS[rng.below(2) as usize];
    Inst::new(Opcode::Mov, &[Operand::Register(to), Operand::Memory(Address::at(pointer, 0))])
}

/// One fault with that aim; `None` where the program has no place for it.
fn fault(program: &Program, aim: Aim, rng: &mut Rng) -> Option<Program> {
    let code = &program.code;
    let find =
        |wanted: &dyn Fn(&Inst) -> bool| -> Vec<usize> { (0..code.len()).filter(|at| wanted(&code[*at])).collect() };
    let mut mutant = program.clone();
    match aim {
        Aim::DataAddress => {
            // The sums of `lea` may be of data.
            let accesses: Vec<_> =
                addresses(program).into_iter().filter(|(at, ..)| code[*at].op != Opcode::Lea).collect();
            let (at, i, a) = pick(&accesses, rng)?;
            let free = pick(&[Gpr::Rax, Gpr::R10, Gpr::R11, Gpr::Rcx], rng)?;
            mutant.code[at].operands[i] =
                Some(Operand::Memory(Address { index: Some((free, [1, 2, 4, 8][rng.below(4) as usize])), ..a }));
            let mut before = vec![load_of_data(rng, free)];
            let r = Operand::Register(free);
            // The number that it was, as far as the checker's algebra goes: data minus itself, no bit of it.
            match rng.below(4) {
                0 => before.push(Inst::new(Opcode::And, &[r, Operand::Immediate(0)])),
                1 => before.push(Inst::new(Opcode::Shr, &[r, Operand::Immediate(63)])),
                2 => before.push(Inst::new(Opcode::Sub, &[r, before[0].operands[1]?])),
                _ => {}
            }
            mutant.code.splice(at..at, before);
        }
        Aim::Address => {
            let (at, i, a) = pick(&addresses(program), rng)?;
            let step = [8, -8, 64, -64, 32, 1, -4096, i32::MAX, i32::MIN][rng.below(9) as usize];
            let other = Gpr::ALL[rng.below(16) as usize];
            let address = match rng.below(4) {
                0 => Address { base: Base::Register(other), ..a },
                1 => Address { index: Some((other, 8)), ..a },
                _ => Address { displacement: a.displacement.wrapping_add(step), ..a },
            };
            return Some(with_address(program, at, i, address));
        }
        Aim::DataBranch => {
            let at = pick(&find(&|inst| matches!(inst.op, Opcode::JumpIf(_))), rng)?;
            let conditions = [Condition::Carry, Condition::NotCarry, Condition::Zero, Condition::NotZero];
            if rng.below(2) == 0 {
                mutant.code[at].op = Opcode::JumpIf(conditions[rng.below(4) as usize]);
            }
            let data = load_of_data(rng, Gpr::R11);
            let r = Operand::Register(Gpr::R11);
            let compare = match rng.below(3) {
                0 => Inst::new(Opcode::Test, &[r, r]),
                1 => Inst::new(Opcode::Sub, &[r, data.operands[1]?]),
                _ => Inst::new(Opcode::Cmp, &[r, Operand::Immediate(rng.below(4) as i64)]),
            };
            mutant.code.splice(at..at, [data, compare]);
        }
        Aim::Counter => {
            let at = pick(
                &find(&|inst| matches!(inst.op, Opcode::Cmp | Opcode::Add | Opcode::JumpIf(_) | Opcode::Imul)),
                rng,
            )?;
            let inst = &mut mutant.code[at];
            match (inst.op, inst.operands[1]) {
                (Opcode::JumpIf(Condition::NotZero), _) => inst.op = Opcode::JumpIf(Condition::Zero),
                (_, Some(Operand::Immediate(v))) => {
                    let other = [v + 1, v - 1, -v, 2 * v, 0, i64::MIN, i64::MAX, i64::from(i32::MIN)];
                    inst.operands[1] = Some(Operand::Immediate(other[rng.below(8) as usize]));
                }
                _ => return None,
            }
        }
        Aim::Frame => {
            let rsp = Operand::Register(Gpr::Rsp);
            let stack = find(&|inst| {
                inst.operands[0] == Some(rsp)
                    || matches!(inst.op, Opcode::Push | Opcode::Pop | Opcode::Call | Opcode::Return)
            });
            let at = pick(&stack, rng)?;
            match (mutant.code[at].operands[1], rng.below(3)) {
                (Some(Operand::Immediate(v)), 0) => {
                    let step = [8, -8, 64, -64, 1 << 20][rng.below(5) as usize];
                    mutant.code[at].operands[1] = Some(Operand::Immediate(v + step));
                }
                (_, 1) => {
                    mutant.code.remove(at);
                }
                _ => {
                    let to = rng.below(code.len() as u64) as usize;
                    let moved = mutant.code.remove(at);
                    mutant.code.insert(to.min(mutant.code.len()), moved);
                }
            }
        }
        Aim::Aliasing => {
            let n = program.params.len() as u64;
            let (i, j) = (rng.below(n) as u32, rng.below(n) as u32);
            let (p, q) = (&program.params[i as usize], &program.params[j as usize]);
            if p.role.is_written() == q.role.is_written() || p.len != q.len || p.element_bytes != q.element_bytes {
                return None;
            }
            let pair = (i.min(j), i.max(j));
            match mutant.disjoint.iter().position(|p| *p == pair) {
                Some(k) => {
                    mutant.disjoint.remove(k);
                }
                None => {
                    mutant.disjoint.push(pair);
                    mutant.disjoint.sort_unstable();
                }
            }
        }
        Aim::Order => {
            let moves = |inst: &Inst| matches!(inst.operands[0], Some(Operand::Memory(_)));
            let at = pick(&find(&|inst| moves(inst)), rng)?;
            // A store comes earlier or later by a few instructions.
            let to = (at + rng.below(8) as usize).saturating_sub(4);
            let store = mutant.code.remove(at);
            mutant.code.insert(to.min(mutant.code.len()), store);
        }
        Aim::Routine => routine(&mut mutant, rng)?,
    }
    (mutant != *program).then_some(mutant)
}

/// A fault in a call, its arguments, or in what is said of the routine that is called.
fn routine(mutant: &mut Program, rng: &mut Rng) -> Option<()> {
    let calls: Vec<usize> = (0..mutant.code.len()).filter(|at| mutant.code[*at].op == Opcode::Call).collect();
    let at = pick(&calls, rng)?;
    let n = mutant.callees.len() as u64;
    let which = rng.below(n.max(1)) as usize;
    let param = |callee: &evariste_codegen::program::Callee, rng: &mut Rng| {
        pick(&(0..callee.params.len()).collect::<Vec<_>>(), rng)
    };
    match rng.below(9) {
        // Another routine, none, twice, elsewhere.
        0 => mutant.code[at].operands[0] = Some(Operand::Label(mutant.callees.get(which)?.label)),
        1 => drop(mutant.code.splice(at..=at, [])),
        2 => mutant.code.insert(at, mutant.code[at]),
        3 => {
            let call = mutant.code.remove(at);
            let to = (at + rng.below(8) as usize).saturating_sub(4).min(mutant.code.len());
            mutant.code.insert(to, call);
        }
        // A register that is kept, or that holds an argument, holds something else.
        4 => {
            let lost = pick(&Gpr::ALL, rng)?;
            let other = pick(&Gpr::ALL, rng)?;
            let to = rng.below(mutant.code.len() as u64) as usize;
            mutant.code.insert(to, Inst::new(Opcode::Mov, &[Operand::Register(lost), Operand::Register(other)]));
        }
        5 => {
            let callee = mutant.callees.get_mut(which)?;
            let p = param(callee, rng)?;
            let step = [1, u32::MAX][rng.below(2) as usize];
            callee.params[p].len = callee.params[p].len.wrapping_add(step);
        }
        6 => {
            let callee = mutant.callees.get_mut(which)?;
            let (p, q) = (param(callee, rng)? as u32, param(callee, rng)? as u32);
            match callee.disjoint.pop() {
                Some(_) if rng.below(2) == 0 => {}
                _ => callee.disjoint.push((p.min(q), p.max(q))),
            }
        }
        7 => {
            let callee = mutant.callees.get_mut(which)?;
            match callee.path.last_mut() {
                Some(last) if rng.below(2) == 0 => *last += 1,
                _ => drop(callee.path.pop()),
            }
        }
        // Nothing is said of it: it is entered.
        _ => drop(mutant.callees.splice(which..=which.min(n as usize - 1), [])),
    }
    Some(())
}

/// Runs an accepted program in the emulator on words that no contract admits: it must not fault, and take as many
/// instructions as on other words.
pub fn keeps_to_its_arrays(program: &Program, rng: &mut Rng) -> Result<(), String> {
    let Ok(code) = encode(program) else { return Ok(()) };
    let image = Image::new(0x5555_0000, &code.bytes, code.code_len, code.constants_at);
    let mut steps = None;
    for round in 0..3 {
        let array = |p: &evariste_codegen::program::Parameter, rng: &mut Rng| Array {
            bytes: (0..p.element_bytes * p.len)
                .map(|_| if round == 0 { 0xff } else { rng.edge_word() as u8 })
                .collect(),
            writable: p.role.is_written(),
            filled: p.role.is_read(),
            element_bytes: p.element_bytes as usize,
        };
        let mut arrays: Vec<Array> = program.params.iter().map(|p| array(p, rng)).collect();
        let pointers: Vec<usize> = (0..arrays.len()).collect();
        let taken = call(&image, code.entry as u64, &mut arrays, &pointers, rng.word()).map_err(|e| e.to_string())?;
        if *steps.get_or_insert(taken) != taken {
            return Err(format!("{taken} instructions, and on other words {steps:?}"));
        }
    }
    Ok(())
}

/// Faults by what they aim at: how many were refused, and how many accepted.
pub struct Faults<A> {
    pub tried: usize,
    tally: BTreeMap<A, [usize; 2]>,
}

impl<A: Copy + Ord + Debug> Faults<A> {
    pub fn new() -> Faults<A> {
        Faults { tried: 0, tally: BTreeMap::new() }
    }

    /// Makes so many faults of a program that the checker accepts, aims in turn, and judges those that it accepts too: in the
    /// emulator, and beside the kernel on so many vectors.
    pub fn judge(
        &mut self,
        (kernel, program): (&Kernel, &Program),
        aims: &[A],
        (count, inputs): (usize, usize),
        fault: impl Fn(&Program, A, &mut Rng) -> Option<Program>,
        rng: &mut Rng,
    ) {
        let mut vectors = None;
        for aim in aims.iter().cycle().take(count) {
            let Some(mutant) = fault(program, *aim, rng) else { continue };
            self.tried += 1;
            let counts = self.tally.entry(*aim).or_default();
            let Ok(report) = check_kernel(kernel, &mutant) else {
                counts[0] += 1;
                continue;
            };
            counts[1] += 1;
            // A form that the checker follows and the encoder has not is no program; nothing runs.
            if encode(&mutant).is_err() {
                continue;
            }
            let at = |e: String| format!("{aim:?}, accepted: {e}\n{kernel}\n{program}\n{mutant}");
            keeps_to_its_arrays(&mutant, rng).unwrap_or_else(|e| panic!("{}", at(e)));
            let vectors = vectors.get_or_insert_with(|| Vectors::new(kernel, program, rng, inputs));
            vectors.judge(report, &mutant).unwrap_or_else(|e| panic!("{}", at(e)));
        }
    }

    /// Prints the tally, of which every aim must have been refused more than a few times.
    pub fn tally(self, aims: &[A]) -> BTreeMap<A, [usize; 2]> {
        for (aim, [refused, accepted]) in &self.tally {
            println!("{aim:?}: {refused} refused, {accepted} accepted and harmless");
        }
        assert_eq!(self.tally.len(), aims.len(), "every aim is taken: {:?}", self.tally);
        for (aim, [refused, _]) in &self.tally {
            assert!(*refused > 10, "{aim:?}: {refused} refused");
        }
        self.tally
    }
}

/// A kernel with its program: straight, rolled, on vectors, in turn.
fn subject(round: usize, rng: &mut Rng) -> Option<(Kernel, Program)> {
    let level = [Features::BASELINE, Features::BMI2, Features::ADX][round % 3];
    if round.is_multiple_of(4) {
        let kernel = random::kernel(rng, 12);
        let shape = Shape { groups: 2, iterations: 1 + round as u32 / 4 % 2, active: 2, ..Shape::single(Width::Y) };
        let program = lanes::compile_kernel(&kernel, Features::AVX2, shape).ok();
        let program = program.or_else(|| compile_within(&kernel, level, None, &Limits::default()).ok())?;
        return Some((kernel, program));
    }
    let limits = Limits { straight: 0, segment: [0, 4, 12][round % 3], inline: 0, data: 0 };
    loop {
        let kernel = rolled::kernel(rng);
        let program = compile_within(&kernel, level, None, &limits).ok()?;
        // Most random kernels call nothing that becomes a routine.
        if !round.is_multiple_of(2) || !program.callees.is_empty() {
            return Some((kernel, program));
        }
    }
}

#[test]
fn aimed_faults_are_refused_or_harmless() {
    let mut rng = Rng(0x9216_d5d9_8979_fb1b);
    let (mut faults, mut round) = (Faults::new(), 0);
    while faults.tried < budget() {
        round += 1;
        let Some((kernel, program)) = subject(round, &mut rng) else { continue };
        if program.code.len() > 400 || check_kernel(&kernel, &program).is_err() {
            continue;
        }
        keeps_to_its_arrays(&program, &mut rng).unwrap_or_else(|e| panic!("{e}\n{kernel}\n{program}"));
        faults.judge((&kernel, &program), &AIMS, (32, 6), fault, &mut rng);
    }
    for (aim, [_, accepted]) in &faults.tally(&AIMS) {
        // Which fault leaves the program as it was, or is harmless.
        let harmless = matches!(aim, Aim::Order | Aim::Address | Aim::Frame | Aim::Routine);
        assert!(*accepted > 0 || !harmless, "{aim:?}: none accepted");
        assert!(
            *accepted == 0 || !matches!(aim, Aim::DataAddress | Aim::DataBranch | Aim::Aliasing),
            "{aim:?}: {accepted} accepted"
        );
    }
}
