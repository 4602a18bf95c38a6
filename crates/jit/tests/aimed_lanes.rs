//! Faults of programs with routines in vector registers: many lanes, pairs of lanes, bit-sliced ones, and one lane that
//! scalar code calls. Each aims at what a call promises (arguments, frames, registers, what is left of vectors and masks),
//! at loops, at where control goes, or at one vector instruction. What is accepted keeps to its arrays on any words, from
//! every alignment of the stack, and does what the interpreter does.

use std::sync::Arc;

use evariste_codegen::check::check_kernel;
use evariste_codegen::outline::Limits;
use evariste_codegen::x86_64::lanes as vectors;
use evariste_codegen::x86_64::{Address, Base, Features, Gpr, Inst, Opcode, Operand, Program, Vector, compile_within};
use evariste_ir::verify::verify;
use evariste_ir::{Array, ArrayKind, Builder, Contract, Counter, Index, Kernel, Type, View, times};
use evariste_testing::levels::levels;

use crate::aimed::{Faults, pick};
use crate::common::Rng;
use crate::lanes::{Use, kernel};

/// Mutants of one run.
fn budget() -> usize {
    let asked = std::env::var("EVARISTE_AIMED").ok().and_then(|n| n.parse().ok());
    asked.unwrap_or(if evariste_testing::full() { 500_000 } else { 4_000 })
}

/// What a fault aims at.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Aim {
    /// Pointers that a call gets.
    Argument,
    /// Which routine is called, how often and when.
    Call,
    /// The stack pointer, the aligned part, what is pushed.
    Frame,
    /// A register that must be kept, or that something else needs.
    Register,
    /// Steps, limits and strides of loops.
    Counter,
    /// An instruction is made earlier or later, beyond calls and ends of loops too.
    Order,
    /// Returns and jumps where there were none.
    Control,
    /// What is said of a routine.
    Routine,
    /// A vector instruction: operation, registers, immediate, size of elements, place in memory.
    Vector,
    /// A constant in memory.
    Constant,
}

const AIMS: [Aim; 10] = [
    Aim::Argument,
    Aim::Call,
    Aim::Frame,
    Aim::Register,
    Aim::Counter,
    Aim::Order,
    Aim::Control,
    Aim::Routine,
    Aim::Vector,
    Aim::Constant,
];

/// A random kernel that calls random ones of words of `bits` bits, in a line and in a loop.
fn caller(rng: &mut Rng, bits: u8, of: Use) -> Kernel {
    loop {
        let callees: Vec<Arc<Kernel>> = (0..1 + rng.below(2))
            .map(|i| {
                let size = 2 + rng.below(10) as usize;
                Arc::new(Kernel { name: format!("callee{i}"), ..kernel(rng, size, bits, false, of) })
            })
            .collect();
        let kernel = of_callees(rng, bits, &callees);
        if verify(&kernel).is_ok() {
            return kernel;
        }
    }
}

fn of_callees(rng: &mut Rng, bits: u8, callees: &[Arc<Kernel>]) -> Kernel {
    let word = Type::Word(bits);
    let mut b = Builder::new("caller", u32::from(bits));
    let full = || vec![word.full()];
    let out = b.array("out", word, 4, ArrayKind::Output, full());
    let inputs: Vec<Array> = ["a", "b"].map(|name| b.array(name, word, 9, ArrayKind::Input, full())).to_vec();
    let locals: Vec<Array> = ["s", "t", "u"].map(|name| b.array(name, word, 12, ArrayKind::Local, full())).to_vec();
    for (at, local) in locals.iter().enumerate() {
        for i in 0..12u32 {
            let x = b.load(inputs[at % 2], (i + at as u32) % 9);
            b.store(*local, i, x);
        }
    }
    let numbers: Vec<u32> = callees.iter().map(|callee| b.callee(callee.clone())).collect();
    let all: Vec<Array> = inputs.iter().chain(&locals).copied().collect();
    let mut call = |b: &mut Builder, counter: Option<(Counter, u32)>| {
        let which = rng.index(callees.len());
        let views = views(rng, b, &callees[which], (&all, &locals), counter);
        b.call(numbers[which], views);
    };
    for _ in 0..2 {
        call(&mut b, None);
    }
    let count = 2 + (callees.len() as u32 & 1);
    b.repeat(count, &[], |b, counter, _| {
        call(b, Some((counter, count - 1)));
        call(b, Some((counter, count - 1)));
        Vec::new()
    });
    call(&mut b, None);
    for i in 0..4u32 {
        let (x, y) = (b.load(locals[i as usize % 3], 3 * i), b.load(locals[1], i));
        let sum = b.xor(x, y);
        b.store(out, i, sum);
    }
    b.finish(Contract::default())
}

/// Views for each parameter of a callee: of other arrays than the one that is written, or the very same.
fn views(
    rng: &mut Rng,
    b: &Builder,
    callee: &Kernel,
    (readable, writable): (&[Array], &[Array]),
    counter: Option<(Counter, u32)>,
) -> Vec<View> {
    let start = |rng: &mut Rng, array: Array, len: u32| {
        let room = b.kernel().array(array).len - len;
        match counter {
            Some((counter, most)) if room >= most && rng.below(3) > 0 => {
                Index::default().plus(counter, 1).offset(rng.below(u64::from(room - most) + 1) as i64)
            }
            _ => Index::at(rng.below(u64::from(room) + 1) as i64),
        }
    };
    let mut views: Vec<View> = Vec::new();
    for p in callee.params() {
        let len = callee.array(p).len;
        let written = views.first().cloned();
        let same = written.clone().filter(|_| callee.arrays[0].len == len && rng.below(4) == 0);
        views.push(same.unwrap_or_else(|| {
            let from = if written.is_none() { writable } else { readable };
            let others: Vec<Array> =
                from.iter().copied().filter(|a| written.as_ref().is_none_or(|w| w.array != *a)).collect();
            let array = *rng.pick(&others);
            View::from(array, start(rng, array, len))
        }));
    }
    views
}

/// A kernel with its program: of many lanes, bit-sliced, or of one lane that scalar code calls.
fn subject(
    round: usize,
    features: Features,
    widths: &[evariste_codegen::x86_64::Width],
    rng: &mut Rng,
) -> Option<(Kernel, Program)> {
    let limits = Limits { straight: [0, 6000][round / 3 % 2], segment: [0, 12][round % 2], inline: 0, data: 0 };
    let of = if round.is_multiple_of(5) { Use::All } else { Use::Plain };
    if round % 4 == 3 {
        let kernel = caller(rng, 64, Use::Plain);
        let features = Features { avx2: true, ..features };
        let program = compile_within(&kernel, features, None, &limits).ok()?;
        return Some((kernel, program));
    }
    let kernel = caller(rng, [64, 1, 64][round % 4], of);
    let width = widths[round % widths.len()];
    let routines = vectors::routines_within(&kernel, features, width, &limits).ok()??;
    // Every other one for two groups side by side.
    let (kernel, routines) = match round / 4 % 2 {
        0 => (kernel, routines),
        _ => (times(Arc::new(kernel), 2), routines.beside(2)?),
    };
    let program = routines.compile(features.into()).ok()?;
    Some((kernel, program))
}

/// Places of instructions that are so.
pub fn find(program: &Program, wanted: impl Fn(&Inst) -> bool) -> Vec<usize> {
    (0..program.code.len()).filter(|at| wanted(&program.code[*at])).collect()
}

fn writes(inst: &Inst, of: impl Fn(Gpr) -> bool) -> bool {
    matches!(inst.operands[0], Some(Operand::Register(r)) if of(r))
}

/// One fault with that aim; `None` where the program has no place for it.
fn fault(program: &Program, aim: Aim, rng: &mut Rng) -> Option<Program> {
    let mut mutant = program.clone();
    let (code, n) = (&mut mutant.code, program.code.len());
    let anywhere = |rng: &mut Rng| rng.index(n);
    let vector = 8 * program.lanes.count.max(2) as i32;
    match aim {
        Aim::Argument => {
            let at = pick(&find(program, |inst| writes(inst, |r| Gpr::PARAMETERS.contains(&r))), rng)?;
            match (&mut code[at], rng.below(4)) {
                (inst, 0) => inst.operands[0] = Some(Operand::Register(*rng.pick(&Gpr::PARAMETERS))),
                (inst, 1) => inst.operands[1] = inst.operands[1].map(|from| elsewhere(from, vector, rng)),
                (inst, 2) => inst.operands[1] = Some(Operand::Register(*rng.pick(&Gpr::ALL))),
                _ => drop(code.remove(at)),
            }
        }
        Aim::Call => {
            let at = pick(&find(program, |inst| inst.op == Opcode::Call), rng)?;
            match rng.below(4) {
                0 => code[at].operands[0] = Some(Operand::Label(pick(&program.callees, rng)?.label)),
                1 => drop(code.remove(at)),
                2 => code.insert(at, code[at]),
                _ => {
                    let call = code.remove(at);
                    code.insert((at + rng.index(12)).saturating_sub(6).min(code.len()), call);
                }
            }
        }
        Aim::Frame => frame(program, code, vector, rng)?,
        Aim::Register => {
            let lost = *rng.pick(&Gpr::ALL);
            let inst = match rng.below(4) {
                0 => Inst::new(Opcode::Xor, &[Operand::Register(lost), Operand::Register(lost)]),
                1 => Inst::new(Opcode::Mov, &[Operand::Register(lost), Operand::Register(*rng.pick(&Gpr::ALL))]),
                2 => Inst::new(
                    Opcode::Lea,
                    &[
                        Operand::Register(lost),
                        Operand::Memory(Address::at(
                            *rng.pick(&[Gpr::Rsp, Gpr::Rbp]),
                            vector * (rng.below(9) as i32 - 4),
                        )),
                    ],
                ),
                _ => {
                    let (x, y) = (rng.below(16) as u8, rng.below(16) as u8);
                    let op = find(program, |inst| matches!(inst.op, Opcode::Vector(Vector::Xor, _)));
                    let op = program.code[pick(&op, rng)?].op;
                    Inst::new(op, &[Operand::Vector(x), Operand::Vector(x), Operand::Vector(y)])
                }
            };
            code.insert(anywhere(rng), inst);
        }
        Aim::Counter => {
            let counts = |inst: &Inst| {
                matches!(inst.op, Opcode::Cmp | Opcode::Add | Opcode::Imul | Opcode::Mov)
                    && inst.operands.iter().any(|o| matches!(o, Some(Operand::Immediate(_))))
            };
            let at = pick(&find(program, counts), rng)?;
            for operand in code[at].operands.iter_mut().flatten() {
                if let Operand::Immediate(v) = operand {
                    let (now, step) = (*v, *rng.pick(&[1, -1, 8, -64]));
                    *v = *rng.pick(&[now.wrapping_add(step), now.wrapping_neg(), now.wrapping_mul(2), 0, i64::MIN]);
                }
            }
        }
        Aim::Order => {
            let at = anywhere(rng);
            let inst = code.remove(at);
            code.insert((at + rng.index(24)).saturating_sub(12).min(code.len()), inst);
        }
        Aim::Control => {
            let labels: Vec<u32> = program.code.iter().filter_map(label_of).collect();
            let label = Operand::Label(pick(&labels, rng)?);
            let at = anywhere(rng);
            match rng.below(4) {
                0 => code.insert(at, Inst::new(Opcode::Return, &[])),
                1 => code.insert(at, Inst::new(Opcode::Jump, &[label])),
                2 => code.insert(at, Inst::new(Opcode::Call, &[label])),
                _ => {
                    let ends =
                        find(program, |inst| matches!(inst.op, Opcode::Return | Opcode::Label | Opcode::JumpIf(_)));
                    let end = code.remove(pick(&ends, rng)?);
                    code.insert(at.min(code.len()), end);
                }
            }
        }
        Aim::Routine => {
            let which = rng.index(mutant.callees.len().max(1));
            let callee = mutant.callees.get_mut(which)?;
            let p = rng.index(callee.params.len());
            match rng.below(6) {
                0 => callee.params[p].len += program.lanes.elements(),
                1 => callee.params[p].len -= 1,
                2 => callee.disjoint.clear(),
                3 => callee.disjoint.push((0, p as u32)),
                4 => callee.path = vec![rng.below(2) as u32],
                _ => callee.params.swap(0, p),
            }
        }
        Aim::Vector => {
            let at = pick(&find(program, |inst| matches!(inst.op, Opcode::Vector(..))), rng)?;
            code[at] = another_vector(code[at], vector, rng);
        }
        Aim::Constant => {
            let at = rng.index(mutant.constants.len());
            *mutant.constants.get_mut(at)? ^= 1 << rng.below(64);
        }
    }
    (mutant != *program).then_some(mutant)
}

fn label_of(inst: &Inst) -> Option<u32> {
    match inst.operands[0] {
        Some(Operand::Label(label)) if inst.op == Opcode::Label => Some(label),
        _ => None,
    }
}

/// An operand in memory at another place.
pub fn elsewhere(operand: Operand, vector: i32, rng: &mut Rng) -> Operand {
    let step = *rng.pick(&[vector, -vector, 8, -8, 64, 4 * vector, -4 * vector, 1 << 20]);
    match operand {
        Operand::Memory(a) => Operand::Memory(match rng.below(5) {
            0 => Address { base: Base::Register(*rng.pick(&Gpr::ALL)), ..a },
            _ => Address { displacement: a.displacement.wrapping_add(step), ..a },
        }),
        Operand::Immediate(v) => Operand::Immediate(v.wrapping_add(i64::from(step))),
        Operand::Broadcast(a) => Operand::Broadcast(Address { displacement: a.displacement ^ 8, ..a }),
        other => other,
    }
}

/// A fault of the stack pointer, of the words that were pushed, or of the aligned part.
pub fn frame(program: &Program, code: &mut Vec<Inst>, vector: i32, rng: &mut Rng) -> Option<()> {
    let stack = find(program, |inst| {
        inst.operands[0] == Some(Operand::Register(Gpr::Rsp)) || matches!(inst.op, Opcode::Push | Opcode::Pop)
    });
    let memory = find(program, |inst| {
        inst.operands.iter().any(|o| matches!(o, Some(Operand::Memory(a)) if a.base != Base::Constants))
    });
    match rng.below(4) {
        0 => {
            let at = pick(&stack, rng)?;
            code[at].operands[1] = code[at].operands[1].map(|x| elsewhere(x, vector, rng));
        }
        1 => drop(code.remove(pick(&stack, rng)?)),
        2 => {
            let at = pick(&stack, rng)?;
            let inst = code.remove(at);
            code.insert((at + rng.index(16)).saturating_sub(8).min(code.len()), inst);
        }
        _ => {
            let at = pick(&memory, rng)?;
            for operand in &mut code[at].operands {
                *operand = operand.map(|x| if matches!(x, Operand::Memory(_)) { elsewhere(x, vector, rng) } else { x });
            }
        }
    }
    Some(())
}

/// A vector instruction with one thing changed.
fn another_vector(inst: Inst, vector: i32, rng: &mut Rng) -> Inst {
    let mut new = inst;
    let Opcode::Vector(op, width) = inst.op else { return inst };
    match rng.below(4) {
        0 => {
            const OTHERS: [Vector; 14] = [
                Vector::Add,
                Vector::Sub,
                Vector::And,
                Vector::Or,
                Vector::Xor,
                Vector::AndNot,
                Vector::MaddLow,
                Vector::MaddHigh,
                Vector::MulHalf,
                Vector::MulLow,
                Vector::ClmulEven,
                Vector::ClmulOdd,
                Vector::UnpackEven,
                Vector::UnpackOdd,
            ];
            let other = match op {
                Vector::Shl(k) => *rng.pick(&[Vector::Shl(k ^ 1), Vector::Shr(k), Vector::Shl(64 - k.min(63))]),
                Vector::Shr(k) => *rng.pick(&[Vector::Shr(k ^ 1), Vector::Shl(k), Vector::Sar(k)]),
                Vector::Funnel(k) => Vector::Funnel(k ^ 1),
                Vector::Ternary(table) => Vector::Ternary(table ^ 1 << rng.below(8)),
                Vector::BlendHalves(high) => Vector::BlendHalves(!high),
                Vector::CopyLow => Vector::CopyHigh,
                _ => *rng.pick(&OTHERS),
            };
            new.op = Opcode::Vector(other, width);
        }
        1 => new.bits = 96 - inst.bits,
        _ => {
            let places: Vec<usize> = (0..3).filter(|i| inst.operands[*i].is_some()).collect();
            let Some(i) = pick(&places, rng) else { return inst };
            new.operands[i] = inst.operands[i].map(|operand| match operand {
                Operand::Vector(r) => {
                    *rng.pick(&[Operand::Vector((r + 1) % 16), Operand::Vector((r + 3) % 16), Operand::Masked(r, 1)])
                }
                Operand::Masked(r, k) => *rng.pick(&[Operand::Vector(r), Operand::Masked(r, k % 7 + 1)]),
                Operand::Mask(k) => Operand::Mask(k % 7 + 1),
                other => elsewhere(other, vector, rng),
            });
        }
    }
    new
}

#[test]
fn faults_of_routines_on_vectors_are_refused_or_harmless() {
    let mut rng = Rng(0x3c6e_f372_fe94_f82b ^ evariste_testing::seed());
    println!("seed {}", evariste_testing::seed());
    let levels = levels("faults of routines on vectors");
    let (mut faults, mut round, mut kinds, mut beside) = (Faults::new(), 0, [0; 4], 0);
    while faults.tried < budget() {
        round += 1;
        let level = levels[round / 4 % levels.len()];
        let Some((kernel, program)) = subject(round, level.features, &level.widths(), &mut rng) else { continue };
        if program.code.len() > 700 || program.callees.is_empty() || check_kernel(&kernel, &program).is_err() {
            continue;
        }
        kinds[match (program.lanes.count, kernel.word, program.units_followed()) {
            (1, ..) => 0,
            (_, 1, _) => 1,
            (_, _, 2) => 2,
            _ => 3,
        }] += 1;
        beside += usize::from(kernel.name.ends_with("_times_2"));
        faults.judge((&kernel, &program), &AIMS, (40, 16), fault, &mut rng);
    }
    println!(
        "{round} kernels; of one lane {}, bit-sliced {}, of pairs {}, of lanes {}; two groups side by side {beside}",
        kinds[0], kinds[1], kinds[2], kinds[3]
    );
    faults.tally(&AIMS);
    assert!(beside > 0, "some compute two groups");
    assert!(kinds.iter().all(|n| *n > 0), "every kind of program is taken: {kinds:?}");
}
