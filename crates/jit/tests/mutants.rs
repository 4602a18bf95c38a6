//! The checker on mutated programs: every change of one instruction is refused, or computes the same on every vector.

use crate::common::judge as mutants;
use crate::kernels::random;

use crate::common::Rng;
use evariste_algorithms::field_set::operations;
use evariste_algorithms::layouts;
use evariste_algorithms::plans;
use evariste_codegen::check::check_kernel;
use evariste_codegen::program::{Lanes, Parameter, Role};
use evariste_codegen::x86_64::{
    Address, Condition, Features, Gpr, Inst, Opcode, Operand, Program, compile, compile_kernel,
};
use evariste_descriptions::Field;
use evariste_ir::{ArrayKind, Builder, Contract, Kernel, Type};
use evariste_proof::{Outcome, prove};
use mutants::judge;

/// All programs, not only short ones: with `EVARISTE_FULL=1`.
fn full() -> bool {
    std::env::var("EVARISTE_FULL").is_ok_and(|v| v == "1")
}

fn longest() -> usize {
    if full() { 300 } else { 80 }
}

const LEVELS: [Features; 3] = [Features::BASELINE, Features::BMI2, Features::ADX];

fn param(name: &str, len: u32, written: bool) -> Parameter {
    Parameter { name: name.to_string(), element_bytes: 8, len, role: if written { Role::Output } else { Role::Input } }
}

fn r(gpr: Gpr) -> Operand {
    Operand::Register(gpr)
}

fn m(base: Gpr, displacement: i32) -> Operand {
    Operand::Memory(Address::at(base, displacement))
}

/// A sum of two 128-bit numbers with its carry, and a sum minus a constant where that fits, written by hand with a loop
/// over a counter.
fn by_hand() -> Vec<(Kernel, Program)> {
    let word = Type::Word(64);
    let mut b = Builder::new("sum", 64);
    let o = b.array("o", word, 3, ArrayKind::Output, vec![word.full()]);
    let x = b.array("x", word, 2, ArrayKind::Input, vec![word.full()]);
    let y = b.array("y", word, 2, ArrayKind::Input, vec![word.full()]);
    let (xs, ys) = (b.load_all(x), b.load_all(y));
    let mut carry = b.no_flag();
    for i in 0..2 {
        let (s, c) = b.add_carry(xs[i], ys[i], carry);
        b.store(o, i, s);
        carry = c;
    }
    let top = b.flag_to_word(carry, word);
    b.store(o, 2u32, top);
    let sum = b.finish(Contract::default());
    let code = vec![
        Inst::new(Opcode::Push, &[r(Gpr::Rbx)]),
        Inst::new(Opcode::Mov, &[r(Gpr::Rbx), m(Gpr::Rsi, 0)]),
        Inst::new(Opcode::Add, &[r(Gpr::Rbx), m(Gpr::Rdx, 0)]),
        Inst::new(Opcode::Mov, &[r(Gpr::Rax), m(Gpr::Rsi, 8)]),
        Inst::new(Opcode::Adc, &[r(Gpr::Rax), m(Gpr::Rdx, 8)]),
        Inst::new(Opcode::Mov, &[m(Gpr::Rdi, 0), r(Gpr::Rbx)]),
        Inst::new(Opcode::Mov, &[m(Gpr::Rdi, 8), r(Gpr::Rax)]),
        Inst::sized(Opcode::Set(Condition::Carry), 8, &[r(Gpr::Rcx)]),
        Inst::sized(Opcode::MovZeroExtend, 8, &[r(Gpr::Rcx), r(Gpr::Rcx)]),
        Inst::new(Opcode::Mov, &[m(Gpr::Rdi, 16), r(Gpr::Rcx)]),
        Inst::new(Opcode::Pop, &[r(Gpr::Rbx)]),
        Inst::new(Opcode::Return, &[]),
    ];
    let features = Features::BASELINE;
    let params = vec![param("o", 3, true), param("x", 2, false), param("y", 2, false)];
    let first = Program {
        name: "sum".to_string(),
        features,
        lanes: Lanes::ONE,
        params,
        disjoint: vec![(0, 1), (0, 2)],
        constants: vec![],
        code,
        callees: Vec::new(),
    };

    // o[i] = x[i] − 7 where x[i] ≥ 7, else x[i]; four words in a loop.
    let mut b = Builder::new("less_seven", 64);
    let o = b.array("o", word, 4, ArrayKind::Output, vec![word.full()]);
    let x = b.array("x", word, 4, ArrayKind::Input, vec![word.full()]);
    let seven = b.word_constant(7);
    let none = b.no_flag();
    for i in 0..4u32 {
        let v = b.load(x, i);
        let (d, borrow) = b.sub_borrow(v, seven, none);
        let mask = b.flag_to_mask(borrow);
        let picked = b.select(mask, v, d);
        b.store(o, i, picked);
    }
    let less = b.finish(Contract::default());
    let code = vec![
        Inst::new(Opcode::Mov, &[r(Gpr::Rcx), Operand::Immediate(4)]),
        Inst::new(Opcode::Label, &[Operand::Label(0)]),
        Inst::new(Opcode::Mov, &[r(Gpr::Rax), m(Gpr::Rsi, 0)]),
        Inst::new(Opcode::Mov, &[r(Gpr::Rdx), r(Gpr::Rax)]),
        Inst::new(Opcode::Sub, &[r(Gpr::Rdx), Operand::Memory(Address::constant(0))]),
        Inst::new(Opcode::Cmov(Condition::NotCarry), &[r(Gpr::Rax), r(Gpr::Rdx)]),
        Inst::new(Opcode::Mov, &[m(Gpr::Rdi, 0), r(Gpr::Rax)]),
        Inst::new(Opcode::Add, &[r(Gpr::Rsi), Operand::Immediate(8)]),
        Inst::new(Opcode::Lea, &[r(Gpr::Rdi), m(Gpr::Rdi, 8)]),
        Inst::new(Opcode::Sub, &[r(Gpr::Rcx), Operand::Immediate(1)]),
        Inst::new(Opcode::JumpIf(Condition::NotZero), &[Operand::Label(0)]),
        Inst::new(Opcode::Return, &[]),
    ];
    let params = vec![param("o", 4, true), param("x", 4, false)];
    let second = Program {
        name: "less_seven".to_string(),
        features,
        lanes: Lanes::ONE,
        params,
        disjoint: vec![],
        constants: vec![7],
        code,
        callees: Vec::new(),
    };
    vec![(sum, first), (less, second)]
}

#[test]
fn programs_written_by_hand() {
    let mut rng = Rng(3);
    for (kernel, program) in by_hand() {
        let (refused, accepted) = judge(&kernel, &program, &mut rng);
        println!("{}: {refused} mutants refused, {accepted} accepted and right", kernel.name);
        assert!(refused > 5 * accepted);
    }
}

#[test]
fn random_programs() {
    let mut rng = Rng(4);
    let (mut refused, mut accepted) = (0, 0);
    for _ in 0..if full() { 100 } else { 8 } {
        let kernel = random::kernel(&mut rng, 20);
        for level in LEVELS {
            let program = compile_kernel(&kernel, level, None).unwrap_or_else(|e| panic!("{e}\n{kernel}"));
            if check_kernel(&kernel, &program).is_err() {
                continue;
            }
            let (no, yes) = judge(&kernel, &program, &mut rng);
            refused += no;
            accepted += yes;
        }
    }
    println!("random kernels: {refused} mutants refused, {accepted} accepted and right");
}

#[test]
fn programs_of_fields() {
    let mut rng = Rng(5);
    let fields = vec![("2^255-19", 64), ("p256", 64), ("goldilocks", 64), ("mersenne31", 32)];
    // By default one field of several words and one of a single one, others each day.
    for (text, word) in
        evariste_testing::sample("mutants", fields, usize::MAX, |(text, _)| ["goldilocks", "mersenne31"].contains(text))
    {
        let field = Field::parse(text).unwrap_or_else(|e| panic!("{text}: {e:?}"));
        let (mut refused, mut accepted, mut programs) = (0, 0, 0);
        for layout in layouts(&field, word) {
            for op in operations(&field, &layout) {
                // One algorithm an operation and layout.
                let Some(plan) = plans(&field, &layout, &op).into_iter().next() else { continue };
                let Ok(kernel) = plan.write() else { continue };
                let Outcome::Proved(proved) = prove(&kernel) else { continue };
                let Ok(program) = compile(&proved, Features::ADX, None) else { continue };
                if program.code.len() > longest() {
                    continue;
                }
                let (no, yes) = judge(proved.kernel(), &program, &mut rng);
                (refused, accepted, programs) = (refused + no, accepted + yes, programs + 1);
            }
        }
        println!("{text}: {programs} programs, {refused} mutants refused, {accepted} accepted and right");
        assert!(programs > 3 && refused > 10 * accepted);
    }
}
