//! Tables beside the code: what a program that reads one at a counter may do, and faults that each break one rule.

use evariste_codegen::check::machine::Fault;
use evariste_codegen::check::{CheckError, check_kernel};
use evariste_codegen::outline::Limits;
use evariste_codegen::program::{Lanes, Parameter, Role};
use evariste_codegen::x86_64::{
    Address, Base, Condition, Features, Gpr, Inst, Opcode, Operand, Program, compile_within,
};
use evariste_ir::verify::verify;
use evariste_ir::{ArrayKind, Builder, Contract, Index, Kernel, Type};

const WORD: Type = Type::Word(64);
const ENTRIES: [u64; 4] = [3, u64::MAX, 0x0123_4567_89ab_cdef, 12];

/// `out[i] = table[i] xor a[0]`.
fn kernel() -> Kernel {
    let mut b = Builder::new("k", 64);
    let full = || vec![WORD.full()];
    let out = b.array("out", WORD, 4, ArrayKind::Output, full());
    let a = b.array("a", WORD, 1, ArrayKind::Input, full());
    let table = b.table("table", ENTRIES.map(Into::into).to_vec());
    let x = b.load(a, 0u32);
    b.repeat(4, &[], |b, i, _| {
        let entry = b.load(table, Index::counter(i));
        let y = b.xor(entry, x);
        b.store(out, Index::counter(i), y);
        Vec::new()
    });
    let kernel = b.finish(Contract::default());
    assert!(verify(&kernel).is_ok(), "{:?}", verify(&kernel));
    kernel
}

fn r(gpr: Gpr) -> Operand {
    Operand::Register(gpr)
}

fn m(base: Gpr, displacement: i32) -> Operand {
    Operand::Memory(Address::at(base, displacement))
}

fn constant(displacement: i32, index: Option<(Gpr, u8)>) -> Operand {
    Operand::Memory(Address { base: Base::Constants, index, displacement })
}

fn i(value: i64) -> Operand {
    Operand::Immediate(value)
}

fn op(op: Opcode, operands: &[Operand]) -> Inst {
    Inst::new(op, operands)
}

/// The loop, with what takes the address of an entry into r11 where rax is eight times the counter.
fn program(address: &[Inst], load: Inst, count: i64) -> Program {
    let param = |name: &str, len, role| Parameter { name: name.into(), element_bytes: 8, len, role };
    let mut code = vec![op(Opcode::Mov, &[r(Gpr::Rcx), i(0)]), op(Opcode::Label, &[Operand::Label(1)])];
    code.extend([op(Opcode::Mov, &[r(Gpr::Rax), r(Gpr::Rcx)]), op(Opcode::Shl, &[r(Gpr::Rax), i(3)])]);
    code.extend_from_slice(address);
    code.extend([load, op(Opcode::Xor, &[r(Gpr::R8), m(Gpr::Rsi, 0)])]);
    code.extend([op(Opcode::Mov, &[r(Gpr::R10), r(Gpr::Rdi)]), op(Opcode::Add, &[r(Gpr::R10), r(Gpr::Rax)])]);
    code.extend([op(Opcode::Mov, &[m(Gpr::R10, 0), r(Gpr::R8)]), op(Opcode::Add, &[r(Gpr::Rcx), i(1)])]);
    code.push(op(Opcode::Cmp, &[r(Gpr::Rcx), i(count)]));
    code.push(op(Opcode::JumpIf(Condition::NotZero), &[Operand::Label(1)]));
    code.push(op(Opcode::Return, &[]));
    Program {
        name: "k".into(),
        features: Features::BASELINE,
        lanes: Lanes::ONE,
        params: vec![param("out", 4, Role::Output), param("a", 1, Role::Input)],
        disjoint: vec![(0, 1)],
        constants: ENTRIES.to_vec(),
        code,
        callees: Vec::new(),
    }
}

fn lea(displacement: i32) -> Inst {
    op(Opcode::Lea, &[r(Gpr::R11), constant(displacement, None)])
}

fn add(operand: Operand) -> Inst {
    op(Opcode::Add, &[r(Gpr::R11), operand])
}

fn load(displacement: i32) -> Inst {
    op(Opcode::Mov, &[r(Gpr::R8), m(Gpr::R11, displacement)])
}

fn refused(program: &Program) -> CheckError {
    check_kernel(&kernel(), program).expect_err("it must not be accepted")
}

#[track_caller]
fn faults(program: &Program, fault: Fault) {
    match refused(program) {
        CheckError::Instruction { fault: found, .. } => assert_eq!(found, fault),
        other => panic!("{other}"),
    }
}

#[test]
fn entries_are_read_at_counters() {
    let at_counter = [lea(0), add(r(Gpr::Rax))];
    check_kernel(&kernel(), &program(&at_counter, load(0), 4)).unwrap_or_else(|e| panic!("{e}"));
    // A pointer goes where its steps lead, also by way of places where nothing is.
    let there_and_back = [lea(-64), add(r(Gpr::Rax)), add(i(128)), op(Opcode::Sub, &[r(Gpr::R11), i(56)])];
    check_kernel(&kernel(), &program(&there_and_back, load(-8), 4)).unwrap_or_else(|e| panic!("{e}"));
    let kept = [
        lea(0),
        op(Opcode::Push, &[r(Gpr::R11)]),
        op(Opcode::Pop, &[r(Gpr::R9)]),
        op(Opcode::Lea, &[r(Gpr::R11), m(Gpr::R9, 0)]),
        add(r(Gpr::Rax)),
    ];
    check_kernel(&kernel(), &program(&kept, load(0), 4)).unwrap_or_else(|e| panic!("{e}"));
}

#[test]
fn what_leaves_the_constants_or_reads_another_entry_is_refused() {
    let at = |first: i32| [lea(first), add(r(Gpr::Rax))];
    // Before the first, behind the last, over the end of a word.
    faults(&program(&at(-8), load(0), 4), Fault::Access);
    faults(&program(&at(8), load(0), 4), Fault::Access);
    faults(&program(&at(0), load(4), 4), Fault::Access);
    faults(&program(&at(0), load(0), 5), Fault::Access);
    let mut short = program(&at(0), load(0), 4);
    short.constants.pop();
    faults(&short, Fault::Access);
    // Another entry, another content, always the first.
    let differs = |program: &Program| assert!(matches!(refused(program), CheckError::Differs { .. }));
    let mut longer = program(&at(8), load(0), 4);
    longer.constants.push(5);
    differs(&longer);
    let mut other = program(&at(0), load(0), 4);
    other.constants[2] ^= 1 << 40;
    differs(&other);
    differs(&program(&[lea(0)], load(0), 4));
}

#[test]
fn addresses_of_entries_derive_from_constants_alone() {
    let secret = op(Opcode::Mov, &[r(Gpr::Rdx), m(Gpr::Rsi, 0)]);
    let indexed =
        Operand::Memory(Address { base: Base::Register(Gpr::R11), index: Some((Gpr::Rdx, 8)), displacement: 0 });
    // An index that depends on data, however it comes into the address.
    let scaled = op(Opcode::Mov, &[r(Gpr::R8), indexed]);
    faults(&program(&[lea(0), secret], scaled, 4), Fault::Address);
    let direct = op(Opcode::Mov, &[r(Gpr::R8), constant(0, Some((Gpr::Rdx, 8)))]);
    faults(&program(&[secret], direct, 4), Fault::Access);
    let taken = op(Opcode::Lea, &[r(Gpr::R11), constant(0, Some((Gpr::Rdx, 8)))]);
    faults(&program(&[secret, taken], load(0), 4), Fault::Address);
    assert!(matches!(
        refused(&program(&[lea(0), secret, add(r(Gpr::Rdx))], load(0), 4)),
        CheckError::Instruction { .. }
    ));
    let bit = [lea(0), secret, op(Opcode::And, &[r(Gpr::Rdx), i(8)]), op(Opcode::Add, &[r(Gpr::Rdx), r(Gpr::R11)])];
    let by_bit = op(Opcode::Mov, &[r(Gpr::R8), m(Gpr::Rdx, 0)]);
    assert!(matches!(refused(&program(&bit, by_bit, 4)), CheckError::Instruction { .. }));
}

#[test]
fn constants_are_not_written_and_their_addresses_are_no_numbers() {
    let at = [lea(0), add(r(Gpr::Rax))];
    let store = op(Opcode::Mov, &[m(Gpr::R11, 0), r(Gpr::Rcx)]);
    faults(&program(&[at[0], at[1], store], load(0), 4), Fault::Address);
    // What code lies at differs from run to run.
    let number = op(Opcode::Mov, &[r(Gpr::R8), r(Gpr::R11)]);
    assert!(matches!(refused(&program(&at, number, 4)), CheckError::Instruction { .. }));
    // Nor does a comparison with such an address decide.
    let compared = [at[0], at[1], op(Opcode::Cmp, &[r(Gpr::R11), i(0)])];
    faults(&program(&compared, load(0), 4), Fault::Address);
}

#[test]
fn compiled_loops_read_tables_where_they_are_long_enough() {
    let limits = |data| Limits { straight: 0, segment: 0, inline: 0, data };
    let program = compile_within(&kernel(), Features::ADX, None, &limits(3)).unwrap_or_else(|e| panic!("{e}"));
    let reads =
        |p: &Program| p.code.iter().any(|inst| inst.op == Opcode::Lea && inst.operands[1] == Some(constant(0, None)));
    assert!(reads(&program) && program.constants == ENTRIES, "{program}");
    check_kernel(&kernel(), &program).unwrap_or_else(|e| panic!("{e}\n{program}"));
    let program = compile_within(&kernel(), Features::ADX, None, &limits(4)).unwrap_or_else(|e| panic!("{e}"));
    assert!(!reads(&program), "{program}");
    check_kernel(&kernel(), &program).unwrap_or_else(|e| panic!("{e}\n{program}"));
}
