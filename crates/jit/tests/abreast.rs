//! Random kernels that are made of calls, computed side by side in the words of registers: checked, and equal to the
//! interpreter on the processor and in the emulator; faults of their programs are refused or harmless.

use std::sync::Arc;

use evariste_codegen::check::check_kernel;
use evariste_codegen::x86_64::{Features, Inst, Opcode, Operand, Program, Vector, Width, compile_abreast};
use evariste_ir::verify::verify;
use evariste_ir::{Array, ArrayKind, Builder, Contract, Kernel, Type, View};

use crate::common::{Judged, Rng, Vectors, lane_mutants};
use crate::lanes::{Use, kernel};

/// A random kernel that calls random ones, many times, and copies; in half of all cases one of these is made of calls too.
fn caller(rng: &mut Rng) -> Kernel {
    let mut callees: Vec<Arc<Kernel>> = (0..1 + rng.below(3))
        .map(|i| {
            let size = 1 + rng.below(12) as usize;
            let of = if rng.below(4) == 0 { Use::Plain } else { Use::All };
            Arc::new(Kernel { name: format!("callee{i}"), ..kernel(rng, size, 64, false, of) })
        })
        .collect();
    if rng.below(2) == 0 {
        let made = calls_of(rng, "made_of_calls", &callees, 2);
        callees.push(Arc::new(made));
    }
    let calls = 2 + rng.below(14);
    calls_of(rng, "caller", &callees, calls)
}

/// A random kernel that calls these so often.
fn calls_of(rng: &mut Rng, name: &str, callees: &[Arc<Kernel>], calls: u64) -> Kernel {
    let word = Type::Word(64);
    let mut b = Builder::new(name, 64);
    let full = || vec![word.full()];
    let out = b.array("out", word, 9, ArrayKind::Output, full());
    let inputs: Vec<Array> = ["a", "b"].map(|name| b.array(name, word, 9, ArrayKind::Input, full())).to_vec();
    let locals: Vec<Array> = ["s", "t", "u"].map(|name| b.array(name, word, 20, ArrayKind::Local, full())).to_vec();
    for (at, local) in locals.iter().enumerate() {
        for i in 0..20u32 {
            let x = if rng.below(5) == 0 {
                b.word_constant(rng.edge_word())
            } else {
                b.load(inputs[at % 2], (i + at as u32) % 9)
            };
            b.store(*local, i, x);
        }
    }
    let numbers: Vec<u32> = callees.iter().map(|callee| b.callee(callee.clone())).collect();
    let all: Vec<Array> = inputs.iter().chain(&locals).copied().collect();
    // Where calls wrote.
    let mut made: Vec<(Array, u32)> = Vec::new();
    for _ in 0..calls {
        let which = rng.index(callees.len());
        let mut views: Vec<View> = Vec::new();
        for p in callees[which].params() {
            let len = callees[which].array(p).len;
            let written = views.first().map(|view| view.array);
            let from = if written.is_none() { &locals } else { &all };
            let others: Vec<Array> = from.iter().copied().filter(|a| Some(*a) != written).collect();
            let array = *rng.pick(&others);
            let room = b.kernel().array(array).len - len;
            // Every other operand is what a call left.
            let known = made.iter().rev().find(|(of, from)| written.is_some() && *of == array && *from <= room);
            let from = match known.filter(|_| rng.below(2) == 0) {
                Some((_, from)) => *from,
                None => rng.below(u64::from(room) + 1) as u32,
            };
            if written.is_none() {
                made.push((array, from));
            }
            views.push(View::from(array, from));
        }
        b.call(numbers[which], views);
    }
    for i in 0..9u32 {
        let (array, from) = if i < 6 { made[made.len() - 1 - i as usize % made.len()] } else { (*rng.pick(&all), i) };
        let x = b.load(array, from);
        b.store(out, i, x);
    }
    b.finish(Contract::default())
}

/// A kernel with its program, where it has one.
fn subject(rng: &mut Rng) -> Option<(Kernel, Program)> {
    let kernel = caller(rng);
    verify(&kernel).ok()?;
    let program = compile_abreast(&kernel, Features::AVX512).ok()?;
    assert_eq!(program.units_followed(), 4);
    Some((kernel, program))
}

fn counts(program: &Program, wanted: impl Fn(Vector) -> bool) -> bool {
    program.code.iter().any(|inst| matches!(inst.op, Opcode::Vector(op, _) if wanted(op)))
}

#[test]
fn random_calls_run_side_by_side() {
    let mut rng = Rng(0xcbbb_9d5d_c105_9ed8 ^ evariste_testing::seed());
    println!("seed {}", evariste_testing::seed());
    let wanted = if evariste_testing::full() { 4000 } else { 150 };
    let (mut made, mut refused, mut permuted, mut blended, mut multiplied) = (0, Vec::new(), 0, 0, 0);
    while made < wanted {
        let seed = rng.0;
        let Some((kernel, program)) = subject(&mut rng) else { continue };
        made += 1;
        permuted += u32::from(counts(&program, |op| matches!(op, Vector::PermuteWords(_))));
        blended += u32::from(counts(&program, |op| matches!(op, Vector::BlendWords(_))));
        multiplied += u32::from(counts(&program, |op| matches!(op, Vector::MaddLow | Vector::MaddHigh)));
        let checked = match check_kernel(&kernel, &program) {
            Ok(checked) => checked,
            Err(e) => {
                refused.push(format!("seed {seed:#x}: {e}"));
                continue;
            }
        };
        Vectors::new(&kernel, &program, &mut rng, 24)
            .judge(checked, &program)
            .unwrap_or_else(|e| panic!("seed {seed:#x}: {e}\n{kernel}\n{program}"));
    }
    println!(
        "{made} programs: {permuted} permute words, {blended} blend, {multiplied} multiply; not recognised: {}",
        refused.len()
    );
    assert!(permuted > 0 && blended > 0 && multiplied > 0, "some programs move words, some multiply");
    assert!(refused.len() * 20 <= made, "the checker recognises at least 19 of 20:\n{}", refused.join("\n"));
}

/// Beside the faults of every program on vectors: another width, and a word that is loaded into one or into all.
fn faults(program: &Program) -> Vec<(String, Program)> {
    let mut all = lane_mutants(program);
    for (at, inst) in program.code.iter().enumerate() {
        let Opcode::Vector(op, width) = inst.op else { continue };
        let mut push = |inst: Inst| {
            let mut wrong = program.clone();
            wrong.code[at] = inst;
            all.push((format!("instruction {at}: {inst}"), wrong));
        };
        for other in [Width::X, Width::Y, Width::Z].into_iter().filter(|other| *other != width) {
            push(Inst { op: Opcode::Vector(op, other), ..*inst });
        }
        let loads = matches!(inst.operands[1], Some(Operand::Memory(_)));
        match op {
            Vector::Broadcast if loads => {
                push(Inst { op: Opcode::Vector(Vector::MoveLowest, Width::X), ..*inst });
                push(Inst { op: Opcode::Vector(Vector::Move, width), ..*inst });
            }
            Vector::MoveLowest => {
                push(Inst { op: Opcode::Vector(Vector::Move, Width::X), ..*inst });
                push(Inst { op: Opcode::Vector(Vector::Move, Width::Y), ..*inst });
            }
            _ => {}
        }
    }
    all
}

#[test]
fn faults_of_calls_side_by_side_are_refused_or_harmless() {
    let mut rng = Rng(0x629a_292a_367c_d507 ^ evariste_testing::seed());
    println!("seed {}", evariste_testing::seed());
    let kernels = if evariste_testing::full() { 200 } else { 6 };
    let (mut made, mut judged) = (0, Judged::default());
    while made < kernels {
        let Some((kernel, program)) = subject(&mut rng) else { continue };
        if program.code.len() > 400 || check_kernel(&kernel, &program).is_err() {
            continue;
        }
        made += 1;
        let vectors = Vectors::new(&kernel, &program, &mut rng, 40);
        judged.judge(&kernel, &vectors, faults(&program));
    }
    let Judged { refused, accepted } = judged;
    println!("{refused} mutants refused, {accepted} accepted and right");
    assert!(refused > accepted && refused > 500, "{refused} refused, {accepted} accepted");
}
