//! Programs on vectors with more arrays than registers of parameters: pointers 7 to 12 come on the stack, above what the
//! function has pushed. Right programs run in the processor and in the emulator; faults in how pointers are taken, kept
//! and given back are refused, or right all the same.

use evariste_codegen::check::{CheckError, check_kernel};
use evariste_codegen::x86_64::lanes::{self, Shape};
use evariste_codegen::x86_64::{Address, CompileError, Features, Gpr, Inst, Opcode, Operand, Program, Width};
use evariste_ir::{Array, ArrayKind, Builder, Contract, Kernel, Op, Type, Value};
use evariste_jit::encode;
use evariste_testing::machine::Callable;

use crate::common::{Rng, Vectors};

/// `inputs` arrays of different lengths and some outputs, all of which matter: every word is read, and each output word
/// is a random sum of such words.
fn kernel(rng: &mut Rng, arrays: u32, bits: u8) -> Kernel {
    let word = Type::Word(bits);
    let mut b = Builder::new("many", u32::from(bits));
    let full = || vec![word.full()];
    let outputs = 1 + rng.below(u64::from(arrays) / 3) as u32;
    let outs: Vec<Array> = (0..outputs)
        .map(|i| b.array(format!("out{i}"), word, 1 + rng.below(2) as u32, ArrayKind::Output, full()))
        .collect();
    let ins: Vec<Array> = (outputs..arrays)
        .map(|i| b.array(format!("in{i}"), word, 1 + rng.below(2) as u32, ArrayKind::Input, full()))
        .collect();
    for (out, input) in outs.iter().flat_map(|o| ins.iter().map(move |i| (*o, *i))) {
        if rng.below(2) == 0 {
            b.must_be_disjoint(out, input);
        }
    }
    let words: Vec<Value> = ins.iter().flat_map(|a| b.load_all(*a)).collect();
    let step = |b: &mut Builder, rng: &mut Rng, x, y| {
        let op = [Op::WrappingAdd, Op::WrappingSub, Op::Xor, Op::And][rng.below(4) as usize].clone();
        b.op(op, &[x, y], &[word])[0]
    };
    for out in outs {
        let len = b.kernel().array(out).len;
        let mut sum = words[rng.below(words.len() as u64) as usize];
        for x in &words {
            sum = step(&mut b, rng, sum, *x);
        }
        for i in 0..len {
            sum = step(&mut b, rng, sum, words[i as usize]);
            b.store(out, i, sum);
        }
    }
    b.finish(Contract::default())
}

fn shape(rng: &mut Rng, width: Width) -> Shape {
    Shape {
        groups: 1 + rng.below(3) as u32,
        iterations: 1 + rng.below(2) as u32,
        active: 1 + rng.below(2) as u32,
        ..Shape::single(width)
    }
}

/// A program and its kernel, of so many arrays; `None` where there is no form of that width.
fn subject(rng: &mut Rng, arrays: u32) -> Option<(Kernel, Program)> {
    let bits = [64, 64, 32][rng.below(3) as usize];
    let kernel = kernel(rng, arrays, bits);
    let width = [Width::Z, Width::Y, Width::X][rng.below(3) as usize];
    let shape = shape(rng, width);
    let program = if rng.below(5) == 0 && kernel.word == 64 {
        lanes::compile_one(&kernel, Features::AVX2)
    } else {
        lanes::compile_kernel(&kernel, Features::AVX512, shape)
    };
    match program {
        Ok(program) => Some((kernel, program)),
        Err(CompileError::Lower(_)) => None,
        Err(e) => panic!("{e}\n{kernel}"),
    }
}

#[test]
fn more_arrays_than_registers_of_parameters_run() {
    let mut rng = Rng(0x7109_2f2a_1c33_60b1);
    let (mut ran, mut vectors, mut refused) = ([0u32; 13], 0, Vec::new());
    for round in 0..if evariste_testing::full() { 3000 } else { 84 } {
        let seed = rng.0;
        let arrays = 6 + round % 7;
        let Some((kernel, program)) = subject(&mut rng, arrays) else { continue };
        let prepared = Vectors::new(&kernel, &program, &mut rng, 16);
        let judged = match check_kernel(&kernel, &program) {
            Ok(report) => prepared.judge(report, &program),
            Err(e) => {
                refused.push(format!("seed {seed:#x}: {e}"));
                // Nobody has checked it: in the emulator only.
                let emulated = Callable::emulated(&program).unwrap_or_else(|e| panic!("seed {seed:#x}: {e}"));
                prepared.compare(&emulated, program.lanes, usize::MAX)
            }
        };
        judged.unwrap_or_else(|e| panic!("seed {seed:#x}: {e}\n{kernel}\n{program}"));
        ran[arrays as usize] += 1;
        vectors += prepared.len();
    }
    println!("programs by number of arrays: {ran:?}, on {vectors} vectors; not recognised: {refused:?}");
    assert!(ran[6..].iter().all(|n| *n > 3), "{ran:?}");
    assert!(refused.len() as u32 * 20 <= ran.iter().sum(), "the checker recognises 19 of 20:\n{}", refused.join("\n"));
}

#[test]
fn more_arrays_than_registers_for_pointers_are_refused() {
    let kernel = kernel(&mut Rng(1), 13, 64);
    let refused = lanes::compile_kernel(&kernel, Features::AVX512, Shape::single(Width::Z));
    assert!(matches!(refused, Err(CompileError::Lower(_) | CompileError::Infeasible(_))), "{refused:?}");
}

/// Every instruction on general registers dropped, twice, exchanged with the next, with other registers, another place,
/// another number; and pointers that come from where others lie.
fn faults(program: &Program) -> Vec<(String, Program)> {
    let mut all = Vec::new();
    for (at, inst) in program.code.iter().enumerate() {
        if matches!(inst.op, Opcode::Vector(..) | Opcode::Return) {
            continue;
        }
        let mut push = |what: &str, change: &dyn Fn(&mut Vec<Inst>)| {
            let mut p = program.clone();
            change(&mut p.code);
            all.push((format!("instruction {at} {inst}: {what}"), p));
        };
        push("dropped", &|code| {
            code.remove(at);
        });
        push("twice", &|code| code.insert(at, *inst));
        push("exchanged with the next", &|code| code.swap(at, at + 1));
        for i in 0..3 {
            let others: Vec<Operand> = match inst.operands[i] {
                Some(Operand::Register(r)) => {
                    (1..16).map(|k| Operand::Register(Gpr::ALL[(r.number() as usize + k) % 16])).collect()
                }
                Some(Operand::Immediate(v)) => [v + 1, v - 1, v + 8, -v].map(Operand::Immediate).into(),
                Some(Operand::Memory(a)) => [-64, -16, -8, -1, 1, 8, 16, 24]
                    .map(|step| Operand::Memory(Address { displacement: a.displacement + step, ..a }))
                    .into(),
                _ => Vec::new(),
            };
            for other in others {
                push(&format!("operand {i} is {other:?}"), &|code| code[at].operands[i] = Some(other));
            }
        }
    }
    all
}

#[test]
fn faults_of_pointers_on_the_stack_are_refused_or_right() {
    let mut rng = Rng(0xa1b2_7c53_19d4_0f6e);
    let (mut refused, mut accepted, mut programs) = (0, 0, 0);
    let wanted = if evariste_testing::full() { 200 } else { 8 };
    while programs < wanted {
        let arrays = 7 + rng.below(6) as u32;
        let Some((kernel, program)) = subject(&mut rng, arrays) else { continue };
        if check_kernel(&kernel, &program).is_err() {
            continue;
        }
        programs += 1;
        let vectors = Vectors::new(&kernel, &program, &mut rng, 16);
        for (what, mutant) in faults(&program) {
            let report = match check_kernel(&kernel, &mutant) {
                Ok(report) if encode(&mutant).is_ok() => report,
                _ => {
                    refused += 1;
                    continue;
                }
            };
            accepted += 1;
            vectors.judge(report, &mutant).unwrap_or_else(|e| panic!("{what} is accepted: {e}\n{kernel}\n{mutant}"));
        }
    }
    println!("{programs} programs, {refused} faults refused, {accepted} accepted and right");
    assert!(refused > 500 && refused > 5 * accepted, "{refused} refused, {accepted} accepted");
}

/// The pointer to the seventh array is 8 bytes above the return address, whatever is pushed before: one place off it is
/// another array's, or the return address, and a push that nobody counted moves it.
#[test]
fn a_pointer_from_another_place_is_another_array() {
    let mut rng = Rng(7);
    let (kernel, program) = loop {
        let found = subject(&mut rng, 12);
        if let Some((kernel, program)) = found.filter(|(k, p)| p.lanes.count > 1 && check_kernel(k, p).is_ok()) {
            break (kernel, program);
        }
    };
    let from_stack = |inst: &Inst| {
        let from = matches!(inst.operands[1], Some(Operand::Memory(a)) if a == Address::at(Gpr::Rsp, a.displacement));
        inst.op == Opcode::Mov && from
    };
    let loads: Vec<usize> = (0..program.code.len()).filter(|at| from_stack(&program.code[*at])).collect();
    assert_eq!(loads.len(), 6, "{program}");
    // Each pair of pointers exchanged.
    for (n, i) in loads.iter().enumerate() {
        for j in &loads[..n] {
            let mut exchanged = program.clone();
            let (a, b) = (program.code[*i].operands[0], program.code[*j].operands[0]);
            (exchanged.code[*i].operands[0], exchanged.code[*j].operands[0]) = (b, a);
            assert!(check_kernel(&kernel, &exchanged).is_err(), "pointers {i} and {j} exchanged\n{kernel}");
        }
    }
    // A word that is pushed before them and taken back at the end.
    let mut pushed = program.clone();
    let end = pushed.code.len() - 1;
    pushed.code.insert(end, Inst::new(Opcode::Pop, &[Operand::Register(Gpr::Rax)]));
    pushed.code.insert(0, Inst::new(Opcode::Push, &[Operand::Register(Gpr::Rdi)]));
    let fault = check_kernel(&kernel, &pushed).expect_err("the pointers are elsewhere");
    assert!(matches!(fault, CheckError::Instruction { .. } | CheckError::Differs { .. }), "{fault}");
}
