//! Bit-sliced products on vectors, in shapes with and without operands from memory: every program is checked against
//! its kernel.

use crate::support::{Case, field, full, prove_plans};
use evariste_algorithms::{Operation, layouts, plans};
use evariste_codegen::lower::LowerError;
use evariste_codegen::x86_64::lanes::{self, Shape};
use evariste_codegen::x86_64::{self, Address, CompileError, Features, Gpr, Inst, Opcode, Operand, Vector, Width};
use evariste_testing::machine::Callable;

/// A field some of whose products are longer than machine code may be.
const LONGEST: &str = "GF(2^131):onb2";

/// With `fold` an operand that lies on the stack is read within the instruction that uses it: its place once went to a
/// value that was stored before that, which the products of GF(2^29) showed.
#[test]
fn operands_from_memory_keep_their_place() {
    let fields: &[&str] = if full() {
        &["GF(2^23):onb2", "GF(2^29):onb2", "GF(2^35):onb2", "GF(2^36):onb1", "GF(2^31)", LONGEST]
    } else {
        &["GF(2^29):onb2"]
    };
    let (mut made, mut long) = (0, 0);
    for text in fields {
        let f = field(text);
        let layout = layouts(&f, 1).remove(0);
        let mut candidates = plans(&f, &layout, &Operation::MUL);
        candidates.retain(|p| full() || p.algorithm.starts_with("optimal") || p.algorithm.starts_with("fan"));
        let (cases, failures) = prove_plans(&candidates);
        assert!(failures.is_empty(), "{failures:?}");
        for case in &cases {
            for (width, source) in [(Width::Z, true), (Width::Z, false), (Width::Y, true), (Width::X, true)] {
                let shape = Shape { fold: true, source, ..Shape::single(width) };
                match lanes::compile(&case.proved, Features::AVX512, shape) {
                    Err(CompileError::Lower(LowerError::TooLong { .. }) | CompileError::Frame(_))
                        if *text == LONGEST =>
                    {
                        long += 1
                    }
                    _ => {
                        checked(case, shape);
                        made += 1;
                    }
                }
            }
        }
    }
    println!("{made} programs; {long} are longer than machine code may be");
}

/// A product as a checked program in that shape.
fn checked(case: &Case, shape: Shape) -> evariste_codegen::Checked<x86_64::X86_64> {
    let program = lanes::compile(&case.proved, Features::AVX512, shape)
        .unwrap_or_else(|e| panic!("{} {shape}: {e}", case.title()));
    evariste_codegen::check::check(&case.proved, &program).unwrap_or_else(|e| panic!("{} {shape}: {e}", case.title()))
}

/// Code that is repeated for all blocks and straight code give the same products of the same words.
#[test]
fn loops_on_vectors_give_what_straight_code_gives() {
    let mut compared = 0;
    for (text, algorithm) in [
        ("GF(2^50):onb2", "optimal-polynomial"),
        ("GF(2^51):onb2", "optimal-polynomial"),
        ("GF(2^57)", "polynomial"),
        ("GF(2^98):onb2", "optimal-polynomial"),
    ] {
        let f = field(text);
        let layout = layouts(&f, 1).remove(0);
        let mut candidates = plans(&f, &layout, &Operation::MUL);
        candidates
            .retain(|p| p.algorithm == format!("{algorithm}-rolled") || p.algorithm == format!("{algorithm}-blocks"));
        let (cases, failures) = prove_plans(&candidates);
        assert!(failures.is_empty() && cases.len() == 2, "{text}: {failures:?}");
        // The narrowest for one of them.
        for width in [Width::Z, Width::Y].into_iter().chain((text == "GF(2^57)").then_some(Width::X)) {
            let mut results: Vec<Vec<u64>> = Vec::new();
            for case in &cases {
                let rolled = case.plan.algorithm.ends_with("rolled");
                let shape =
                    Shape { source: true, fold: compared % 2 == 0, rolled, iterations: 2, ..Shape::single(width) };
                let checked = checked(case, shape);
                let callable = Callable::new(&checked).unwrap_or_else(|e| panic!("{} {shape}: {e}", case.title()));
                let len = checked.program().params[0].len as usize;
                let mut word = 0x9e37_79b9_7f4a_7c15u64;
                let mut operand = || -> Vec<u64> {
                    let next = |_| {
                        word ^= word << 13;
                        word ^= word >> 7;
                        word ^= word << 17;
                        word
                    };
                    (0..len).map(next).collect()
                };
                let mut arrays = vec![vec![0; len], operand(), operand()];
                callable.call(&mut arrays).unwrap_or_else(|e| panic!("{} {shape}: {e}", case.title()));
                results.push(arrays.swap_remove(0));
            }
            assert!(results.windows(2).all(|pair| pair[0] == pair[1]), "{text} {width:?}");
            compared += results.len() / 2;
        }
    }
    println!("{compared} pairs of programs compared");
}

/// What has no long loop is straight code, and says so.
#[test]
fn what_cannot_be_rolled_is_named() {
    let f = field("GF(2^5):onb2");
    let layout = layouts(&f, 1).remove(0);
    let (cases, _) = prove_plans(&plans(&f, &layout, &Operation::MUL));
    let case = cases.iter().find(|c| c.plan.algorithm == "optimal-polynomial").expect("a plan");
    let refused = lanes::compile(&case.proved, Features::AVX512, Shape { rolled: true, ..Shape::single(Width::Z) })
        .expect_err("no loops");
    assert_eq!(
        refused.to_string(),
        "no loop of the kernel can stay one on vectors: only long ones of bit-sliced kernels do"
    );
}

/// Saved registers lie above the part of the stack that belongs to vectors: they come back, and no vector may be
/// written over them.
#[test]
fn saved_registers_are_out_of_the_reach_of_vectors() {
    let f = field("GF(2^29):onb2");
    let layout = layouts(&f, 1).remove(0);
    let mut candidates = plans(&f, &layout, &Operation::MUL);
    candidates.retain(|p| p.algorithm == "optimal-polynomial-blocks");
    let (cases, _) = prove_plans(&candidates);
    let mut program = checked(&cases[0], Shape::single(Width::Z)).program().clone();
    let find = |program: &x86_64::Program, wanted: &dyn Fn(&Inst) -> bool| {
        program.code.iter().position(wanted).expect("an instruction")
    };
    let stack = Operand::Register(Gpr::Rsp);
    // Eight words: a whole vector.
    let end = find(&program, &|inst| inst.op == Opcode::Mov && inst.operands[0] == Some(stack)) + 1;
    program.code.splice(end..end, [Inst::new(Opcode::Pop, &[Operand::Register(Gpr::Rbx)]); 8]);
    program.code.splice(0..0, [Inst::new(Opcode::Push, &[Operand::Register(Gpr::Rbx)]); 8]);
    evariste_codegen::check::check(&cases[0].proved, &program).expect("the register comes back");
    let opened = find(&program, &|inst| inst.op == Opcode::And) + 1;
    let Some(Operand::Immediate(room)) = program.code[opened - 2].operands[1] else {
        panic!("no room for slots: {:?}", program.code[opened - 2])
    };
    let zero = Operand::Vector(0);
    for (bytes, accepted) in [(room - 64, true), (room, false)] {
        let mut program = program.clone();
        let place = Operand::Memory(Address::at(Gpr::Rsp, bytes as i32));
        let clear = Inst::new(Opcode::Vector(Vector::Xor, Width::Z), &[zero, zero, zero]);
        program.code.splice(opened..opened, [clear, Inst::new(Opcode::Vector(Vector::Move, Width::Z), &[place, zero])]);
        assert_eq!(evariste_codegen::check::check(&cases[0].proved, &program).is_ok(), accepted, "{bytes} of {room}");
    }
}
