//! Faults of look-ups in registers, and of those in halves of words: which lines they read, where these come from, what is written between, and what else
//! reads a line. What is accepted keeps to its arrays and does what the interpreter does, in every lane.

use evariste_codegen::check::check_kernel;
use evariste_codegen::x86_64::lanes::{self, Shape};
use evariste_codegen::x86_64::{Address, Base, Comparison, Features, Inst, Opcode, Operand, Program, Vector, Width};
use evariste_ir::range::Interval;
use evariste_ir::{Array, ArrayKind, Builder, Contract, Kernel, Op, Value};
use num_bigint::BigInt;

use crate::aimed::{Faults, pick};
use crate::common::Rng;

/// Mutants of one run.
fn budget() -> usize {
    let asked = std::env::var("EVARISTE_AIMED").ok().and_then(|n| n.parse().ok());
    asked.unwrap_or(if evariste_testing::full() { 400_000 } else { 4_000 })
}

/// What a fault aims at.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Aim {
    /// The registers of a look-up.
    Operands,
    /// Which bytes are a line.
    Line,
    /// Something is written between, in part or as a whole.
    Written,
    /// Something reads a register that may be a line.
    Read,
    /// A look-up more or less.
    LookUp,
    /// An instruction is made earlier or later.
    Order,
    /// What cuts an index or what was found.
    Cut,
    /// A bit of a constant.
    Constant,
}

const AIMS: [Aim; 8] =
    [Aim::Operands, Aim::Line, Aim::Written, Aim::Read, Aim::LookUp, Aim::Order, Aim::Cut, Aim::Constant];

/// Tables of so many entries, and what is found in one or two halves of words.
fn kernel_of_halves(rng: &mut Rng, count: usize) -> Kernel {
    let mut b = Builder::new("k", 64);
    let word = b.word_type();
    let out = b.array("out", word, 2, ArrayKind::Output, vec![Interval::bits(64)]);
    let a = b.array("a", word, 2, ArrayKind::Input, vec![Interval::bits(64)]);
    let entries: Vec<u64> =
        (0..count).map(|i| if i == 0 && rng.below(2) == 0 { 0 } else { rng.below(1 << 32) }).collect();
    let tables: Vec<(u32, Array)> = (0..1 + rng.below(3))
        .map(|i| {
            let mut own = entries.clone();
            match rng.below(3) {
                0 => own[count / 2..].iter_mut().for_each(|e| *e = rng.below(1 << 32)),
                1 => own.rotate_left(2),
                _ => own.iter_mut().for_each(|e| *e = rng.below(1 << 32)),
            }
            own.truncate(*rng.pick(&[count, count, count, count - 1, count / 2, 2, 1]));
            (own.len() as u32, b.table(format!("t{i}"), own.into_iter().map(BigInt::from).collect()))
        })
        .collect();
    let mut words: Vec<Value> = b.load_all(a);
    for _ in 0..3 + rng.below(8) {
        let (x, y) = (*rng.pick(&words), *rng.pick(&words));
        let next = match rng.below(8) {
            0 => b.xor(x, y),
            1 => b.wrapping_add(x, y),
            2 => b.wrapping_shl(x, *rng.pick(&[32u32, 3, 29])),
            _ => {
                let ((len, table), (other_len, other)) = (*rng.pick(&tables), *rng.pick(&tables));
                let moved = b.shr(x, *rng.pick(&[0u32, 3, 26, 29, 32]));
                let index = b.low_bits(moved, len.ilog2());
                let found = b.lookup(table, index);
                match rng.below(4) {
                    0 => found,
                    // In the other half of the word, or elsewhere; in the same table, or in another one.
                    n => {
                        let (len, table) = if n == 1 { (other_len, other) } else { (len, table) };
                        let above = b.shr(if n == 2 { y } else { moved }, *rng.pick(&[32u32, 32, 32, 31, 29]));
                        let index = b.low_bits(above, len.ilog2());
                        let high = b.lookup(table, index);
                        let high = b.shl(high, 32u32);
                        b.add(found, high)
                    }
                }
            }
        };
        words.push(next);
    }
    for i in 0..2u32 {
        let v = words[words.len() - 1 - i as usize];
        b.store(out, i, v);
    }
    b.finish(Contract::default())
}

/// Tables of which some have entries in common, and indices of every length and place.
fn kernel(rng: &mut Rng) -> Kernel {
    let mut b = Builder::new("k", 64);
    let word = b.word_type();
    let out = b.array("out", word, 2, ArrayKind::Output, vec![Interval::bits(64)]);
    let a = b.array("a", word, 2, ArrayKind::Input, vec![Interval::bits(64)]);
    let mut entries: Vec<u64> = (0..64).map(|_| rng.below(1 << 16)).collect();
    if rng.below(2) == 0 {
        entries[0] = 0;
    }
    let tables: Vec<(u32, Array)> = (0..1 + rng.below(3))
        .map(|i| {
            let mut own = entries.clone();
            match rng.below(4) {
                // Other lines in part.
                0 => own[32..].iter_mut().for_each(|e| *e = rng.below(1 << 16)),
                1 => own[..32].iter_mut().for_each(|e| *e = rng.below(1 << 16)),
                2 => own.rotate_left(32),
                _ => own.iter_mut().for_each(|e| *e = rng.below(1 << 16)),
            }
            own.truncate(*rng.pick(&[64, 64, 64, 32, 33, 40, 8, 1]));
            (own.len() as u32, b.table(format!("t{i}"), own.into_iter().map(BigInt::from).collect()))
        })
        .collect();
    let mut words: Vec<Value> = b.load_all(a);
    for _ in 0..3 + rng.below(8) {
        let (x, y) = (*rng.pick(&words), *rng.pick(&words));
        let k = 1 + rng.below(63);
        let next = match rng.below(8) {
            0 => b.xor(x, y),
            1 => b.wrapping_add(x, y),
            2 => b.wrapping_shl(x, *rng.pick(&[16u32, 32, 20])),
            3 => b.op(Op::Rotate((k as u32).into()), &[x], &[word])[0],
            _ => {
                let (len, table) = *rng.pick(&tables);
                let shift = *rng.pick(&[0, 16, 32, 48, k as u32]);
                let moved = b.shr(x, shift);
                let index = b.low_bits(moved, len.ilog2());
                // Indices beyond the greatest power of two too.
                let more = len - len.next_power_of_two() / if len.is_power_of_two() { 1 } else { 2 };
                let index = if more > 1 {
                    let rest = b.low_bits(y, more.ilog2());
                    b.add(index, rest)
                } else {
                    index
                };
                b.lookup(table, index)
            }
        };
        words.push(next);
    }
    for i in 0..2u32 {
        let v = words[words.len() - 1 - i as usize];
        b.store(out, i, v);
    }
    b.finish(Contract::default())
}

fn subject(rng: &mut Rng) -> Option<(Kernel, Program)> {
    let (kernel, width, features) = match rng.below(3) {
        0 => (kernel(rng), Width::Z, Features::AVX512),
        1 => (kernel_of_halves(rng, 32), Width::Z, Features::AVX512),
        _ => (kernel_of_halves(rng, 8), Width::Y, Features::AVX2),
    };
    let shape = Shape {
        groups: 1 + rng.below(2) as u32,
        iterations: 1 + rng.below(2) as u32,
        active: 1 + rng.below(2) as u32,
        fold: rng.below(2) == 0,
        source: rng.below(3) == 0,
        ..Shape::single(width)
    };
    let program = lanes::compile_kernel(&kernel, features, shape).ok()?;
    program.code.iter().any(is_look_up).then_some((kernel, program))
}

fn is_look_up(inst: &Inst) -> bool {
    matches!(inst.op, Opcode::Vector(Vector::LookUp | Vector::LookUpHalves | Vector::LookUpHalvesOfTwo, _))
}

/// Which operand is a table in the constants.
fn table(inst: &Inst) -> Option<usize> {
    if is_line(inst) {
        return Some(1);
    }
    matches!(inst.op, Opcode::Vector(Vector::LookUpHalves, _)).then_some(2)
}

fn width(program: &Program) -> Width {
    if program.lanes.count == 8 { Width::Z } else { Width::Y }
}

fn is_line(inst: &Inst) -> bool {
    let of_constants = matches!(inst.operands[1], Some(Operand::Memory(Address { base: Base::Constants, .. })));
    matches!(inst.op, Opcode::Vector(Vector::Move, _)) && of_constants
}

fn places(program: &Program, wanted: impl Fn(&Inst) -> bool) -> Vec<usize> {
    (0..program.code.len()).filter(|at| wanted(&program.code[*at])).collect()
}

/// A register that the program uses, of lines most often.
fn register(program: &Program, rng: &mut Rng) -> u8 {
    let of = |inst: &Inst| match inst.operands[0] {
        Some(Operand::Vector(r)) => Some(r),
        _ => None,
    };
    let all: Vec<u8> = program.code.iter().filter_map(of).collect();
    let lines: Vec<u8> = program.code.iter().filter(|inst| is_line(inst)).filter_map(of).collect();
    pick(if rng.below(3) > 0 { &lines } else { &all }, rng).unwrap_or(0)
}

/// An instruction on these registers.
fn anything(rng: &mut Rng, width: Width, d: Operand, a: u8, b: u8) -> Inst {
    let v = Operand::Vector;
    let bits = *rng.pick(&[64, 64, 32]);
    let two = [Vector::Add, Vector::Sub, Vector::And, Vector::Or, Vector::Xor, Vector::AndNot, Vector::Ternary(0x96)];
    let (op, bits, operands) = match rng.below(9) {
        0 => (Vector::Move, 64, vec![d, v(a)]),
        1 => (Vector::Shr(rng.below(32) as u8), bits, vec![d, v(a)]),
        2 => (*rng.pick(&[Vector::CopyLow, Vector::CopyHigh]), 32, vec![d, v(a)]),
        3 => (*rng.pick(&[Vector::MulHalf, Vector::MaddLow, Vector::MaddHigh]), 64, vec![d, v(a), v(b)]),
        4 => (Vector::Blend, bits, vec![Operand::Masked(a, 1), v(b), v(a)]),
        5 => (*rng.pick(&[Vector::UnpackEven, Vector::UnpackOdd]), 64, vec![d, v(a), v(b)]),
        _ => (*rng.pick(&two), bits, vec![d, v(a), v(b)]),
    };
    Inst::sized(Opcode::Vector(op, width), bits, &operands)
}

/// One fault with that aim; `None` where the program has no place for it.
fn fault(program: &Program, aim: Aim, rng: &mut Rng) -> Option<Program> {
    let mut mutant = program.clone();
    let n = program.code.len();
    let find = pick(&places(program, is_look_up), rng)?;
    let (own, other) = (register(program, rng), register(program, rng));
    let code = &mut mutant.code;
    match aim {
        Aim::Operands => match rng.below(4) {
            0 => code[find].operands.swap(1, 2),
            1 => code[find].operands.swap(rng.index(3), rng.index(3)),
            _ => code[find].operands[rng.index(3)] = Some(Operand::Vector(own)),
        },
        Aim::Line => {
            let lines = places(program, |inst| table(inst).is_some());
            let (at, from) = (pick(&lines, rng)?, pick(&lines, rng)?);
            let (own_table, other_table) = (table(&program.code[at])?, table(&program.code[from])?);
            let Some(Operand::Memory(a)) = program.code[at].operands[own_table] else { return None };
            let step = *rng.pick(&[64, -64, 128, 8, -8, 4, 2, -2, 32, 16, 6, 1 << 20]);
            let moved = Operand::Memory(Address { displacement: a.displacement + step, ..a });
            match rng.below(4) {
                0 => code[at].operands[own_table] = program.code[from].operands[other_table],
                1 => code[at].operands[0] = Some(Operand::Vector(own)),
                2 => code[at].operands[0] = Some(Operand::Masked(own, 1)),
                _ => code[at].operands[own_table] = Some(moved),
            }
        }
        Aim::Written => {
            let d = if rng.below(2) == 0 { Operand::Vector(own) } else { Operand::Masked(own, 1) };
            let index = rng.below(4) as u8;
            let inst = match rng.below(5) {
                0 => program.code[pick(&places(program, |inst| matches!(inst.op, Opcode::Vector(..))), rng)?],
                1 => Inst::sized(Opcode::Vector(Vector::ZeroUpper, Width::Y), 64, &[]),
                _ => anything(rng, width(program), d, other, index),
            };
            let at = rng.index(n);
            code.insert(at, inst);
            if rng.below(2) == 0 {
                let x = Operand::Vector(index);
                let set = Vector::Compare(*rng.pick(&[Comparison::Less, Comparison::Equal]));
                code.insert(at, Inst::sized(Opcode::Vector(set, width(program)), 64, &[Operand::Mask(1), x, x]));
            }
        }
        Aim::Read => {
            let at = pick(&places(program, |inst| matches!(inst.op, Opcode::Vector(..))), rng)?;
            let operands: Vec<usize> =
                (1..3).filter(|i| matches!(code[at].operands[*i], Some(Operand::Vector(_)))).collect();
            match pick(&operands, rng) {
                Some(i) if rng.below(2) == 0 => code[at].operands[i] = Some(Operand::Vector(own)),
                _ => {
                    let d = Operand::Vector(rng.below(width(program).registers() as u64) as u8);
                    code.insert(at, anything(rng, width(program), d, own, other));
                }
            }
        }
        Aim::LookUp => match rng.below(3) {
            0 => drop(code.remove(find)),
            1 => code.insert(rng.index(n), program.code[find]),
            _ => {
                let mut inst = program.code[find];
                inst.operands[0] = Some(Operand::Vector(own));
                code.insert(rng.index(n), inst);
            }
        },
        Aim::Order => {
            let from = if rng.below(2) == 0 { find } else { rng.index(n) };
            let inst = code.remove(from);
            code.insert((from + rng.index(20)).saturating_sub(10).min(code.len()), inst);
        }
        Aim::Cut => {
            let cuts = |inst: &Inst| {
                matches!(inst.op, Opcode::Vector(Vector::And | Vector::Shr(_) | Vector::Shl(_) | Vector::Rol(_), _))
            };
            let at = pick(&places(program, cuts), rng)?;
            match (&mut code[at].op, rng.below(2)) {
                (Opcode::Vector(Vector::Shr(k) | Vector::Shl(k) | Vector::Rol(k), _), 0) => {
                    *k = k.wrapping_add(*rng.pick(&[1, 255, 16, 48, 6])) % 64
                }
                (Opcode::Vector(op, _), 0) => *op = *rng.pick(&[Vector::Or, Vector::Xor, Vector::AndNot]),
                _ => drop(code.remove(at)),
            }
        }
        Aim::Constant => {
            let at = rng.index(mutant.constants.len());
            *mutant.constants.get_mut(at)? ^= 1 << rng.below(64);
        }
    }
    (mutant != *program).then_some(mutant)
}

#[test]
fn faults_of_look_ups_are_refused_or_harmless() {
    let mut rng = Rng(0x6a09_e667_f3bc_c908 ^ evariste_testing::seed());
    println!("seed {}", evariste_testing::seed());
    let (mut faults, mut kernels, mut unknown) = (Faults::new(), 0, 0);
    while faults.tried < budget() {
        let Some((kernel, program)) = subject(&mut rng) else { continue };
        if check_kernel(&kernel, &program).is_err() {
            unknown += 1;
            continue;
        }
        kernels += 1;
        faults.judge((&kernel, &program), &AIMS, (40, 48), fault, &mut rng);
    }
    println!("{kernels} kernels, and {unknown} that are not recognised");
    assert!(20 * unknown <= kernels, "{unknown} beside {kernels}");
    faults.tally(&AIMS);
}
