//! Attacks on the checker's rules for registers of four words, by [random programs](crate::words) on them. Most are
//! recognised, and all are right. Beside a kernel that reads an instruction wrongly a program is refused, or the reading
//! makes no difference. Faults aim at one rule each (where words come from, what clears or keeps them, how wide
//! instructions and elements are, which memory they reach, what lies on the stack, what a call leaves): they are refused or
//! harmless.

use std::collections::{BTreeMap, BTreeSet};

use evariste_codegen::check::check_kernel;
use evariste_codegen::x86_64::{Address, Base, Condition, Gpr, Inst, Opcode, Operand, Program, Vector, Width};
use evariste_ir::Kernel;
use evariste_ir::verify::verify;
use evariste_testing::machine::Callable;

use crate::aimed::{Faults, pick};
use crate::aimed_lanes::{elsewhere, find, frame};
use crate::common::{Rng, Vectors};
use crate::words::{READINGS, Source, Wrong};

/// Mutants of one run, or wrong readings, which are half as many.
fn budget() -> usize {
    let asked = std::env::var("EVARISTE_AIMED").ok().and_then(|n| n.parse().ok());
    asked.unwrap_or(if evariste_testing::full() { 200_000 } else { 4_000 })
}

fn subject(rng: &mut Rng) -> (Source, Kernel, Program) {
    let source = Source::new(rng);
    let kernel = source.kernel(None).unwrap_or_else(|| panic!("no kernel:\n{}", source.program()));
    verify(&kernel).unwrap_or_else(|e| panic!("{e:?}\n{kernel}"));
    let program = source.program();
    assert_eq!(program.units_followed(), 4, "{program}");
    (source, kernel, program)
}

/// A vector instruction's name, with the bits of its elements.
fn name_of(inst: &Inst) -> Option<String> {
    let Opcode::Vector(op, width) = inst.op else { return None };
    Some(format!("{} of {} bits", op.name(inst.bits, width), inst.bits))
}

#[test]
fn programs_on_four_words_are_followed() {
    let mut rng = Rng(0x1f83_d9ab_fb41_bd6b ^ evariste_testing::seed());
    println!("seed {}", evariste_testing::seed());
    let wanted = if evariste_testing::full() { 20_000 } else { 300 };
    let (mut refused, mut kinds) = (Vec::new(), BTreeMap::<String, [usize; 2]>::new());
    for _ in 0..wanted {
        let seed = rng.0;
        let (_, kernel, program) = subject(&mut rng);
        let vectors = Vectors::new(&kernel, &program, &mut rng, 12);
        let checked = check_kernel(&kernel, &program);
        let names: BTreeSet<String> = program.code.iter().filter_map(name_of).collect();
        for name in names {
            kinds.entry(name).or_default()[usize::from(checked.is_ok())] += 1;
        }
        match checked {
            Ok(report) => vectors.judge(report, &program),
            Err(e) => {
                refused.push(format!("seed {seed:#x}: {e}"));
                // What the manual says stands there, or nothing below is worth anything.
                let emulated = Callable::emulated(&program).unwrap_or_else(|e| panic!("{e}"));
                vectors.compare(&emulated, program.lanes, 2)
            }
        }
        .unwrap_or_else(|e| panic!("seed {seed:#x}: {e}\n{kernel}\n{program}"));
    }
    println!("{wanted} programs, of which not recognised: {}", refused.len());
    for (name, [refused, accepted]) in kinds {
        println!("with {name}: {refused} refused, {accepted} accepted");
        assert!(accepted * 3 > refused, "{name}");
    }
    assert!(refused.len() * 3 <= wanted, "the checker recognises two of three:\n{}", refused.join("\n"));
}

#[test]
fn wrong_readings_are_refused_or_make_no_difference() {
    let mut rng = Rng(0x5be0_cd19_137e_2179 ^ evariste_testing::seed());
    println!("seed {}", evariste_testing::seed());
    let (mut tried, mut refused, mut same) = (0, 0, 0);
    while tried < budget() / 2 {
        let (source, kernel, program) = subject(&mut rng);
        for _ in 0..16 {
            let (place, how) = (source.place(&mut rng), rng.below(READINGS) as usize);
            let wrong = Wrong { place, alike: rng.below(2) == 0, how };
            let Some(other) = source.kernel(Some(wrong)).filter(|other| verify(other).is_ok()) else { continue };
            tried += 1;
            let Ok(report) = check_kernel(&other, &program) else {
                refused += 1;
                continue;
            };
            same += 1;
            Vectors::new(&other, &program, &mut rng, 40)
                .judge(report, &program)
                .unwrap_or_else(|e| panic!("read as {wrong:?}, and accepted: {e}\n{kernel}\n{other}\n{program}"));
        }
    }
    println!("{tried} wrong readings: {refused} refused, {same} make no difference");
    assert!(refused * 2 > same && same > 0, "{refused} refused, {same} the same");
}

/// What a fault aims at.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Aim {
    /// Which words go where.
    Moved,
    /// How wide an instruction is.
    Width,
    /// How many bits elements have.
    Element,
    /// One word, one for all, a whole register.
    Load,
    /// The place in memory, and operands there.
    Place,
    /// Something is written between: registers, in part or as a whole, flags, words that were pushed.
    Written,
    /// How far a shift goes.
    Amount,
    /// Which operation it is.
    Operation,
    /// Which registers it has.
    Register,
    /// The stack pointer, the aligned part, what is pushed.
    Frame,
    /// A register is put over a part of what lies on the stack.
    Over,
    /// Calls, and what is between them.
    Call,
    /// Steps and limits of loops, and where they go.
    Counter,
    /// An instruction is made earlier or later.
    Order,
    /// A bit of a constant.
    Constant,
    /// Which arrays may be the same.
    Aliasing,
    /// A word of the output is written for a while before one of the input is read.
    Late,
}

const AIMS: [Aim; 17] = [
    Aim::Moved,
    Aim::Width,
    Aim::Element,
    Aim::Load,
    Aim::Place,
    Aim::Written,
    Aim::Amount,
    Aim::Operation,
    Aim::Register,
    Aim::Frame,
    Aim::Over,
    Aim::Call,
    Aim::Counter,
    Aim::Order,
    Aim::Constant,
    Aim::Aliasing,
    Aim::Late,
];

const WIDTHS: [Width; 4] = [Width::S, Width::X, Width::Y, Width::Z];

/// The places of vector instructions that are so.
fn vectors(program: &Program, wanted: impl Fn(Vector) -> bool) -> Vec<usize> {
    find(program, |inst| matches!(inst.op, Opcode::Vector(op, _) if wanted(op)))
}

/// Where a register goes to the stack.
fn spills(program: &Program) -> Vec<usize> {
    find(program, |inst| {
        matches!((inst.op, inst.operands[0]), (Opcode::Vector(Vector::Move, _), Some(Operand::Memory(_))))
    })
}

/// Another operation with operands of the same kinds.
fn relative(op: Vector, rng: &mut Rng) -> Vector {
    use Vector::*;
    let k = rng.below(64) as u8;
    match op {
        Shl(k) | Shr(k) | Sar(k) => *rng.pick(&[Shl(k), Shr(k), Sar(k), Rol(k)]),
        CopyLow | CopyHigh | PermuteWords(_) | Move | Broadcast | MoveLowest => {
            *rng.pick(&[CopyLow, CopyHigh, PermuteWords(k), Move, Broadcast, MoveLowest])
        }
        _ => *rng.pick(&[
            Add,
            Sub,
            And,
            Or,
            Xor,
            AndNot,
            MulHalf,
            MulLow,
            MaddLow,
            MaddHigh,
            Greater,
            Lesser,
            BlendHalves(k & 1 == 0),
            BlendWords(k & 15),
            UnpackEven,
            UnpackOdd,
            ClmulEven,
            ClmulOdd,
            Ternary(0x96),
            Funnel(k),
            FloatAdd,
            Blend,
        ]),
    }
}

/// Something that writes a register, flags or memory.
fn between(program: &Program, rng: &mut Rng) -> Inst {
    let (x, y) = (Operand::Vector(rng.below(16) as u8), Operand::Vector(rng.below(16) as u8));
    let (width, r) = (*rng.pick(&WIDTHS), Operand::Register(*rng.pick(&Gpr::ALL)));
    let (any, own) = (*rng.pick(&Gpr::ALL), *rng.pick(&[Gpr::Rsp, Gpr::Rbx, Gpr::R12, Gpr::R13]));
    let base = if rng.below(3) == 0 { any } else { own };
    let word = Operand::Memory(Address::at(base, 8 * (rng.below(16) as i32 - 4)));
    let lying = Operand::Memory(Address::at(Gpr::Rsp, 8 * rng.below(10) as i32));
    let vector = |op, width, operands: &[Operand]| Inst::new(Opcode::Vector(op, width), operands);
    match rng.below(12) {
        10 | 11 => vector(Vector::Move, Width::Y, &[lying, x]),
        0 => vector(Vector::ZeroUpper, width, &[]),
        1 => vector(Vector::MoveLowest, Width::X, &[x, word]),
        2 => vector(Vector::MoveLowest, Width::X, &[word, x]),
        3 => vector(Vector::Xor, width, &[x, y, y]),
        4 => vector(Vector::Move, width, &[x, y]),
        5 => vector(Vector::Move, width, &[word, x]),
        6 => vector(Vector::Add, width, &[x, x, word]),
        7 => Inst::new(Opcode::Mov, &[word, r]),
        8 => Inst::new(*rng.pick(&[Opcode::Push, Opcode::Pop]), &[r]),
        _ => program.code[rng.index(program.code.len())],
    }
}

/// One fault with that aim; `None` where the program has no place for it.
fn fault(program: &Program, aim: Aim, rng: &mut Rng) -> Option<Program> {
    let mut mutant = program.clone();
    let (code, n) = (&mut mutant.code, program.code.len());
    match aim {
        Aim::Moved => {
            let at = pick(&vectors(program, |op| op.moves_words() || matches!(op, Vector::BlendHalves(_))), rng)?;
            let Opcode::Vector(op, width) = code[at].op else { return None };
            let other = match op {
                Vector::PermuteWords(places) if rng.below(2) == 0 => Vector::PermuteWords(places ^ 1 << rng.below(8)),
                Vector::PermuteWords(_) => Vector::PermuteWords(rng.below(256) as u8),
                Vector::BlendWords(words) => Vector::BlendWords(words ^ 1 << rng.below(5)),
                _ => *rng.pick(&[Vector::BlendHalves(true), Vector::BlendHalves(false), Vector::BlendWords(10)]),
            };
            code[at].op = Opcode::Vector(other, width);
            if rng.below(8) == 0 {
                code[at].operands.swap(1, 2);
            }
        }
        Aim::Width => {
            let at = pick(&vectors(program, |_| true), rng)?;
            let Opcode::Vector(op, _) = code[at].op else { return None };
            let other = *rng.pick(&WIDTHS);
            code[at].op = Opcode::Vector(op, other);
            if other == Width::S && rng.below(2) == 0 && code[at].operands[0] == code[at].operands[1] {
                code[at].operands = [code[at].operands[0], code[at].operands[2], None];
            }
            // All at once, so that none is of another width.
            if rng.below(4) == 0 {
                for inst in code.iter_mut() {
                    if let Opcode::Vector(op, Width::Y) = inst.op {
                        inst.op = Opcode::Vector(op, other);
                    }
                }
            }
        }
        Aim::Element => {
            let at = pick(&vectors(program, |_| true), rng)?;
            code[at].bits = *rng.pick(&[96 - code[at].bits, 8, 16]);
        }
        Aim::Load => {
            let loads = |op| matches!(op, Vector::Move | Vector::MoveLowest | Vector::Broadcast);
            let at = pick(&vectors(program, loads), rng)?;
            let op = *rng.pick(&[Vector::Move, Vector::MoveLowest, Vector::Broadcast]);
            code[at].op = Opcode::Vector(op, *rng.pick(&[Width::X, Width::Y]));
        }
        Aim::Place => {
            let at = pick(&vectors(program, |_| true), rng)?;
            let place = rng.index(code[at].operands().count().max(1));
            let operand = &mut code[at].operands[place];
            let step = *rng.pick(&[1, 4, 8, -8, 16, 24, 32, -32, 64, 96, i32::MIN]);
            *operand = Some(match (*operand)? {
                Operand::Memory(a) => match rng.below(4) {
                    0 => Operand::Memory(Address { base: Base::Register(*rng.pick(&Gpr::ALL)), ..a }),
                    1 => Operand::Memory(Address { index: Some((*rng.pick(&Gpr::ALL), 8)), ..a }),
                    2 => Operand::Broadcast(a),
                    _ => Operand::Memory(Address { displacement: a.displacement.wrapping_add(step), ..a }),
                },
                _ => {
                    let base = *rng.pick(&[Gpr::Rsp, Gpr::Rbx, Gpr::R12, Gpr::R13]);
                    let own = Address::at(base, 8 * rng.below(16) as i32);
                    let address = if rng.below(4) == 0 { Address::constant(rng.index(14)) } else { own };
                    if rng.below(4) == 0 { Operand::Broadcast(address) } else { Operand::Memory(address) }
                }
            });
        }
        Aim::Written => code.insert(rng.index(n), between(program, rng)),
        Aim::Amount => {
            let at = pick(&vectors(program, |op| matches!(op, Vector::Shl(_) | Vector::Shr(_) | Vector::Sar(_))), rng)?;
            let k = *rng.pick(&[0, 1, 31, 32, 33, 63, 64, 65, 96, 128, 255]);
            let op = *rng.pick(&[Vector::Shl(k), Vector::Shr(k), Vector::Sar(k)]);
            code[at].op = Opcode::Vector(op, Width::Y);
        }
        Aim::Operation => {
            let at = pick(&vectors(program, |_| true), rng)?;
            let Opcode::Vector(op, width) = code[at].op else { return None };
            code[at].op = Opcode::Vector(relative(op, rng), width);
        }
        Aim::Register => {
            let at = pick(&vectors(program, |_| true), rng)?;
            let place = rng.index(code[at].operands().count().max(1));
            code[at].operands[place] = Some(match code[at].operands[place]? {
                Operand::Vector(r) => *rng.pick(&[
                    Operand::Vector((r + 1) % 6),
                    Operand::Vector((r + 3) % 16),
                    Operand::Vector(r + 16),
                    Operand::Masked(r, 1),
                    Operand::Mask(r),
                ]),
                other => elsewhere(other, 32, rng),
            });
        }
        Aim::Frame if rng.below(2) == 0 => frame(program, code, 32, rng)?,
        // The aligned part is opened again, longer or shorter, and a pointer into it from before is kept.
        Aim::Frame => {
            // Behind what lies there already, or before all of it.
            let spills = spills(program);
            let at = if rng.below(2) == 0 { pick(&spills, rng)? + 1 } else { *spills.first()? };
            let r = Operand::Register;
            let size = *rng.pick(&[96, 160, 224, 32]);
            let again = [
                Inst::new(Opcode::Lea, &[r(Gpr::R8), Operand::Memory(Address::at(Gpr::Rsp, 0))]),
                Inst::new(Opcode::Mov, &[r(Gpr::Rsp), r(Gpr::Rbp)]),
                Inst::new(Opcode::Sub, &[r(Gpr::Rsp), Operand::Immediate(size)]),
                Inst::new(Opcode::And, &[r(Gpr::Rsp), Operand::Immediate(-64)]),
            ];
            code.splice(at..at, again);
            for inst in &mut code[at + 4..] {
                for operand in inst.operands.iter_mut().flatten() {
                    if let Operand::Memory(a) = operand
                        && a.base == Base::Register(Gpr::Rsp)
                        && rng.below(3) == 0
                    {
                        a.base = Base::Register(Gpr::R8);
                    }
                }
            }
        }
        Aim::Over => {
            let at = pick(&spills(program), rng)?;
            let Some(Operand::Memory(a)) = code[at].operands[0] else { return None };
            let displacement = a.displacement + *rng.pick(&[-24, -16, -8, 8, 16, 24, 32]);
            let mut over = Operand::Memory(Address { displacement, ..a });
            if rng.below(4) == 0 {
                over = Operand::Memory(Address::at(Gpr::Rbp, -8 * rng.below(18) as i32));
            }
            let (op, of) = match rng.below(6) {
                0 => (Opcode::Vector(Vector::MoveLowest, Width::X), code[at].operands[1]?),
                1 => (Opcode::Mov, Operand::Register(Gpr::R12)),
                2 => (Opcode::Vector(Vector::Move, Width::X), code[at].operands[1]?),
                _ => (code[at].op, Operand::Vector(rng.below(12) as u8)),
            };
            code.insert(at + 1 + rng.index(8).min(n - at - 1), Inst::new(op, &[over, of]));
        }
        Aim::Call => {
            let at = pick(&find(program, |inst| inst.op == Opcode::Call), rng)?;
            match rng.below(6) {
                0 => drop(code.remove(at)),
                1 => code.insert(rng.index(n), code[at]),
                2 => {
                    let call = code.remove(at);
                    code.insert((at + rng.index(12)).saturating_sub(6).min(code.len()), call);
                }
                3 => {
                    let argument = &mut code[at - 1 - rng.index(2)].operands[1];
                    *argument = argument.map(|from| elsewhere(from, 8, rng));
                }
                // Nothing is said of the routine: it is entered; or other lengths are.
                4 => drop(mutant.callees.pop()),
                _ => mutant.callees[0].params[rng.index(2)].len += 1,
            }
        }
        // (Loops without end have their test elsewhere: they take long to be refused.)
        Aim::Counter => {
            let counts = |inst: &Inst| {
                matches!(inst.op, Opcode::JumpIf(_))
                    || matches!(inst.op, Opcode::Cmp | Opcode::Mov)
                        && inst.operands[0] == Some(Operand::Register(Gpr::Rcx))
            };
            let at = pick(&find(program, counts), rng)?;
            let more = rng.below(4) as i64 + 1;
            match (code[at].op, code[at].operands[1]) {
                (Opcode::Mov, Some(Operand::Immediate(v))) => code[at].operands[1] = Some(Operand::Immediate(v - more)),
                (_, Some(Operand::Immediate(v))) => {
                    let less = (v - 1).max(1);
                    code[at].operands[1] = Some(Operand::Immediate(*rng.pick(&[v + more, less])));
                }
                _ => code[at].op = Opcode::JumpIf(*rng.pick(&[Condition::Zero, Condition::Carry])),
            }
        }
        Aim::Order => {
            let inst = code.remove(rng.index(n));
            code.insert(rng.index(n), inst);
        }
        Aim::Constant => {
            let places = program.code.iter().filter_map(|inst| match inst.operands().last()? {
                Operand::Memory(Address { base: Base::Constants, displacement, .. }) => Some((inst.op, displacement)),
                _ => None,
            });
            let (op, place) = pick(&places.collect::<Vec<_>>(), rng)?;
            let words = if matches!(op, Opcode::Vector(Vector::LookUpHalves, _)) { 4 } else { 1 };
            mutant.constants[place as usize / 8 + rng.index(words)] ^= 1 << rng.below(64);
        }
        Aim::Aliasing => match mutant.disjoint.first() {
            Some((0, 1)) => drop(mutant.disjoint.remove(0)),
            _ => mutant.disjoint.insert(0, (0, 1)),
        },
        Aim::Late => {
            let read = |inst: &Inst| match inst.operands[1] {
                Some(Operand::Memory(a)) if a.base == Base::Register(Gpr::R12) && a.index.is_none() => Some(a),
                _ => None,
            };
            let at = pick(&find(program, |inst| read(inst).is_some()), rng)?;
            let place = Operand::Memory(Address { base: Base::Register(Gpr::Rbx), ..read(&code[at])? });
            let lowest = Opcode::Vector(Vector::MoveLowest, Width::X);
            code.insert(at, Inst::new(lowest, &[place, Operand::Vector(rng.below(12) as u8)]));
        }
    }
    (mutant != *program).then_some(mutant)
}

#[test]
fn faults_on_four_words_are_refused_or_harmless() {
    let mut rng = Rng(0x510e_527f_ade6_82d1 ^ evariste_testing::seed());
    println!("seed {}", evariste_testing::seed());
    let mut faults = Faults::new();
    while faults.tried < budget() {
        let (_, kernel, program) = subject(&mut rng);
        if check_kernel(&kernel, &program).is_ok() {
            faults.judge((&kernel, &program), &AIMS, (90, 24), fault, &mut rng);
        }
    }
    let tally = faults.tally(&AIMS);
    assert_eq!(tally[&Aim::Aliasing][1], 0, "another rule of aliasing");
}
