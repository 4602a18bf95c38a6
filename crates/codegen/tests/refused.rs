//! Programs and kernels that the checker must not accept: each was a fault of it once, and has its name.

use evariste_codegen::check::machine::Fault;
use evariste_codegen::check::{CheckError, check, check_kernel};
use evariste_codegen::program::{Lanes, Parameter, Role};
use evariste_codegen::x86_64::{
    Address, Base, Condition, Features, Gpr, Inst, Opcode, Operand, Program, Vector, Width, compile,
};
use evariste_ir::Kernel;
use evariste_proof::{Outcome, Proved, prove};

fn parse(text: &str) -> Kernel {
    Kernel::parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn proved(text: &str) -> Proved {
    match prove(&parse(text)) {
        Outcome::Proved(proved) => proved,
        other => panic!("{other:?}\n{text}"),
    }
}

fn r(gpr: Gpr) -> Operand {
    Operand::Register(gpr)
}

fn m(base: Gpr, displacement: i32) -> Operand {
    Operand::Memory(Address::at(base, displacement))
}

fn indexed(base: Gpr, index: Gpr, scale: u8) -> Operand {
    Operand::Memory(Address { base: Base::Register(base), index: Some((index, scale)), displacement: 0 })
}

fn i(value: i64) -> Operand {
    Operand::Immediate(value)
}

fn param(name: &str, len: u32, written: bool) -> Parameter {
    Parameter { name: name.into(), element_bytes: 8, len, role: if written { Role::Output } else { Role::Input } }
}

fn program(params: Vec<Parameter>, disjoint: &[(u32, u32)], code: &[(Opcode, &[Operand])]) -> Program {
    let code = code.iter().map(|(op, operands)| Inst::new(*op, operands)).chain([Inst::new(Opcode::Return, &[])]);
    Program {
        name: "k".into(),
        features: Features::BASELINE,
        lanes: Lanes::ONE,
        params,
        disjoint: disjoint.to_vec(),
        constants: vec![],
        code: code.collect(),
        callees: Vec::new(),
    }
}

/// The kernel `out = a[3]`, of which the contract says that a[0] is 3.
fn known_input() -> Proved {
    proved(
        "kernel k: word 64 {
    output out: 1 x w64
    input a: 4 x w64 each ([3], <2^64, <2^64, <2^64)

    given x <= (2^64-1) = a[3] * 2^0 max (2^64-1)
    gives out <= (2^64-1) = out[0] * 2^0 max (2^64-1): value 1 it = x

    %0: w64 = a[3]
    out[0] = %0
}
",
    )
}

fn of_known_input(code: &[(Opcode, &[Operand])]) -> Result<(), Fault> {
    let program = program(vec![param("out", 1, true), param("a", 4, false)], &[(0, 1)], code);
    match check(&known_input(), &program) {
        Ok(_) => Ok(()),
        Err(CheckError::Instruction { fault, .. }) => Err(fault),
        Err(other) => panic!("{other}"),
    }
}

const LOAD: (Opcode, &[Operand]) = (
    Opcode::Mov,
    &[
        Operand::Register(Gpr::Rax),
        Operand::Memory(Address { base: Base::Register(Gpr::Rsi), index: None, displacement: 0 }),
    ],
);

/// C10: the checker took an input that the contract fixes for an address: a call with another one reads elsewhere.
#[test]
fn an_input_that_the_contract_fixes_is_no_address() {
    let store: (Opcode, &[Operand]) = (Opcode::Mov, &[m(Gpr::Rdi, 0), r(Gpr::Rcx)]);
    let at = |code: &[(Opcode, &[Operand])]| of_known_input(code).expect_err("refused");
    assert_eq!(of_known_input(&[(Opcode::Mov, &[r(Gpr::Rcx), m(Gpr::Rsi, 24)]), store]), Ok(()));
    assert_eq!(at(&[LOAD, (Opcode::Mov, &[r(Gpr::Rcx), indexed(Gpr::Rsi, Gpr::Rax, 8)]), store]), Fault::Address);
    // By a sum, and through the stack.
    let shifted: (Opcode, &[Operand]) = (Opcode::Shl, &[r(Gpr::Rax), i(3)]);
    let moved: (Opcode, &[Operand]) = (Opcode::Add, &[r(Gpr::Rsi), r(Gpr::Rax)]);
    let load: (Opcode, &[Operand]) = (Opcode::Mov, &[r(Gpr::Rcx), m(Gpr::Rsi, 0)]);
    assert_ne!(at(&[LOAD, shifted, moved, load, store]), Fault::Convention);
    assert_eq!(
        at(&[
            LOAD,
            (Opcode::Mov, &[m(Gpr::Rsp, -8), r(Gpr::Rax)]),
            (Opcode::Mov, &[r(Gpr::Rdx), m(Gpr::Rsp, -8)]),
            (Opcode::Mov, &[r(Gpr::Rcx), indexed(Gpr::Rsi, Gpr::Rdx, 8)]),
            store,
        ]),
        Fault::Address
    );
    // A number that only the checker's algebra finds constant: a[0] − a[0] + 3.
    assert_eq!(
        at(&[
            LOAD,
            (Opcode::Mov, &[r(Gpr::Rdx), r(Gpr::Rax)]),
            (Opcode::Sub, &[r(Gpr::Rdx), m(Gpr::Rsi, 0)]),
            (Opcode::Add, &[r(Gpr::Rdx), i(3)]),
            (Opcode::Mov, &[r(Gpr::Rcx), indexed(Gpr::Rsi, Gpr::Rdx, 8)]),
            store,
        ]),
        Fault::Address
    );
    // The same number as a constant is an address.
    let three: (Opcode, &[Operand]) = (Opcode::Mov, &[r(Gpr::Rax), i(3)]);
    assert_eq!(of_known_input(&[three, (Opcode::Mov, &[r(Gpr::Rcx), indexed(Gpr::Rsi, Gpr::Rax, 8)]), store]), Ok(()));
}

/// C10: such an input decides no branch and counts no loop either.
#[test]
fn an_input_that_the_contract_fixes_decides_no_branch() {
    let done = Operand::Label(0);
    let copy: [(Opcode, &[Operand]); 2] =
        [(Opcode::Mov, &[r(Gpr::Rcx), m(Gpr::Rsi, 24)]), (Opcode::Mov, &[m(Gpr::Rdi, 0), r(Gpr::Rcx)])];
    for condition in [Condition::Zero, Condition::NotZero, Condition::Carry, Condition::NotCarry] {
        let label: (Opcode, &[Operand]) = (Opcode::Label, &[done]);
        let jump = |compare: &[(Opcode, &[Operand])]| {
            let mut code = copy.to_vec();
            code.extend_from_slice(compare);
            let operands = [done];
            code.extend([(Opcode::JumpIf(condition), &operands[..]), label]);
            of_known_input(&code)
        };
        assert_eq!(jump(&[LOAD, (Opcode::Cmp, &[r(Gpr::Rax), i(3)])]), Err(Fault::SecretBranch), "{condition:?}");
        let public = jump(&[(Opcode::Mov, &[r(Gpr::Rax), i(3)]), (Opcode::Cmp, &[r(Gpr::Rax), i(3)])]);
        let zero = matches!(condition, Condition::Zero | Condition::NotZero);
        assert_eq!(public, if zero { Ok(()) } else { Err(Fault::SecretBranch) }, "{condition:?}");
    }
}

/// C10: what an unproved kernel states of its values was believed for addresses.
#[test]
fn an_interval_is_no_address() {
    let kernel = parse(
        "kernel k: word 64 {
    output out: 1 x w64
    input a: 4 x w64

    %0: w64 [3] = a[0]
    %1: w64 = a[3]
    out[0] = %1
}
",
    );
    let program = program(
        vec![param("out", 1, true), param("a", 4, false)],
        &[(0, 1)],
        &[
            LOAD,
            (Opcode::Mov, &[r(Gpr::Rcx), indexed(Gpr::Rsi, Gpr::Rax, 8)]),
            (Opcode::Mov, &[m(Gpr::Rdi, 0), r(Gpr::Rcx)]),
        ],
    );
    assert!(matches!(check_kernel(&kernel, &program), Err(CheckError::Instruction { fault: Fault::Address, .. })));
}

/// A copy of four words by way of an aligned frame of vectors, with these instructions before the last pointer is used.
fn through_frames(stale: bool) -> Result<(), CheckError> {
    let k = proved(
        "kernel k: word 64 {
    output out: 4 x w64
    input a: 4 x w64

    %0: w64 = a[0]
    %1: w64 = a[1]
    %2: w64 = a[2]
    %3: w64 = a[3]
    out[0] = %0
    out[1] = %1
    out[2] = %2
    out[3] = %3
}
",
    );
    let vector = |op: Vector, operands: &[Operand]| Inst::new(Opcode::Vector(op, Width::Y), operands);
    let open =
        |bytes: i64| [Inst::new(Opcode::Sub, &[r(Gpr::Rsp), i(bytes)]), Inst::new(Opcode::And, &[r(Gpr::Rsp), i(-64)])];
    let close = Inst::new(Opcode::Mov, &[r(Gpr::Rsp), r(Gpr::Rbp)]);
    let keep = Inst::new(Opcode::Mov, &[r(Gpr::Rax), r(Gpr::Rsp)]);
    let mut code = vec![Inst::new(Opcode::Push, &[r(Gpr::Rbp)]), Inst::new(Opcode::Mov, &[r(Gpr::Rbp), r(Gpr::Rsp)])];
    code.extend(open(64));
    code.extend([keep, close]);
    code.extend(open(256));
    if !stale {
        code.push(keep);
    }
    code.extend([
        vector(Vector::Move, &[Operand::Vector(0), m(Gpr::Rsi, 0)]),
        vector(Vector::Move, &[Operand::Vector(1), m(Gpr::Rsi, 32)]),
        vector(Vector::Move, &[m(Gpr::Rax, 0), Operand::Vector(1)]),
        vector(Vector::Move, &[Operand::Vector(2), m(Gpr::Rsp, 0)]),
        vector(Vector::Move, &[m(Gpr::Rdi, 32), Operand::Vector(2)]),
        vector(Vector::Move, &[m(Gpr::Rdi, 0), Operand::Vector(0)]),
    ]);
    for word in [64, 96] {
        code.push(vector(Vector::Move, &[Operand::Vector(3), m(Gpr::Rsi, word)]));
        code.push(vector(Vector::Move, &[m(Gpr::Rdi, word), Operand::Vector(3)]));
    }
    code.extend([
        close,
        Inst::new(Opcode::Pop, &[r(Gpr::Rbp)]),
        vector(Vector::ZeroUpper, &[]),
        Inst::new(Opcode::Return, &[]),
    ]);
    let program = Program {
        features: Features::AVX2,
        lanes: Lanes { count: 4, groups: 1 },
        code,
        ..program(vec![param("out", 16, true), param("a", 16, false)], &[], &[])
    };
    check(&k, &program).map(|_| ())
}

/// C11: a pointer into a frame that was left, used after another one was opened at another place.
#[test]
fn a_pointer_into_a_frame_dies_with_it() {
    assert_eq!(through_frames(false), Ok(()));
    let fault = through_frames(true).expect_err("refused");
    assert!(matches!(fault, CheckError::Instruction { fault: Fault::Stack, .. }), "{fault}");
}

/// C12: `word 1` alone was taken for bit-slicing, so that an exclusive or passed for a sum of bytes.
#[test]
fn words_of_more_bits_are_not_sliced() {
    let text = |a: &str| {
        format!(
            "kernel k: word 1 {{
    output out: 1 x {a}
    input a: 1 x {a}
    input b: 1 x {a}

    %0: {a} = a[0]
    %1: {a} = b[0]
    %2: {a} = wrapping_add %0, %1
    out[0] = %2
}}
"
        )
    };
    let xor = |text: &str| {
        let program = program(
            vec![param("out", 1, true), param("a", 1, false), param("b", 1, false)],
            &[],
            &[
                (Opcode::Mov, &[r(Gpr::Rax), m(Gpr::Rsi, 0)]),
                (Opcode::Xor, &[r(Gpr::Rax), m(Gpr::Rdx, 0)]),
                (Opcode::Mov, &[m(Gpr::Rdi, 0), r(Gpr::Rax)]),
            ],
        );
        check_kernel(&parse(text), &program).map(|_| ())
    };
    assert_eq!(xor(&text("w1")), Ok(()));
    assert!(matches!(xor(&text("w8")), Err(CheckError::Kernel(_))));
}

/// C12: a kernel of sliced bits was followed into a callee of other words, and the other way round.
#[test]
fn sliced_kernels_and_others_do_not_call_each_other() {
    for (inner, outer) in [(2, 1), (1, 2)] {
        let text = format!(
            "kernel @0 inner: word {inner} {{
    output r: 1 x w1
    input x: 1 x w1

    %0: w1 = x[0]
    %1: w1 = not %0
    r[0] = %1
}}
kernel k: word {outer} {{
    output out: 1 x w1
    input a: 1 x w1
    callees @0

    call 0 inner(out, a)
}}
"
        );
        let Ok(kernel) = Kernel::parse(&text) else { continue };
        let program = program(vec![param("out", 1, true), param("a", 1, false)], &[], &[]);
        assert!(matches!(check_kernel(&kernel, &program), Err(CheckError::Kernel(_))), "{inner} in {outer}");
    }
}

/// C12: a flag as a double word had one limb, and sums with it lost the other one.
#[test]
fn a_flag_as_a_double_word_has_both_limbs() {
    let k = proved(
        "kernel k: word 64 {
    output out: 2 x w64
    input a: 3 x w64

    %0: w64 = a[0]
    %1: w64 = a[1]
    %2: w64 = a[2]
    %3: flag [0] = const(0)
    %4: w64, %5: flag = add_carry %0, %1, %3
    %6: d128 = flag_to_word %5
    %7: d128 = mul_full %0, %2
    %8: d128 = wrapping_add %6, %7
    %9: w64, %10: w64 = split %8
    out[0] = %9
    out[1] = %10
}
",
    );
    let high = |last: &[(Opcode, &[Operand])]| {
        let mut code: Vec<(Opcode, &[Operand])> = Vec::new();
        let first: [(Opcode, &[Operand]); 7] = [
            (Opcode::Mov, &[r(Gpr::Rcx), m(Gpr::Rsi, 0)]),
            (Opcode::Mov, &[r(Gpr::Rax), r(Gpr::Rcx)]),
            (Opcode::Mov, &[r(Gpr::R9), m(Gpr::Rsi, 16)]),
            (Opcode::Mul, &[r(Gpr::R9)]),
            (Opcode::Add, &[r(Gpr::Rcx), m(Gpr::Rsi, 8)]),
            (Opcode::Adc, &[r(Gpr::Rax), i(0)]),
            (Opcode::Mov, &[m(Gpr::Rdi, 0), r(Gpr::Rax)]),
        ];
        code.extend(first);
        code.extend_from_slice(last);
        let program = program(vec![param("out", 2, true), param("a", 3, false)], &[(0, 1)], &code);
        check(&k, &program).map(|_| ())
    };
    assert_eq!(high(&[(Opcode::Adc, &[r(Gpr::Rdx), i(0)]), (Opcode::Mov, &[m(Gpr::Rdi, 8), r(Gpr::Rdx)])]), Ok(()));
    // A program that forgets the high word.
    let lost = high(&[(Opcode::Mov, &[m(Gpr::Rdi, 8), i(0)])]);
    assert!(matches!(lost, Err(CheckError::Differs { .. })), "{lost:?}");
    let own = compile(&k, Features::BASELINE, None).unwrap_or_else(|e| panic!("{e}"));
    assert!(check(&k, &own).is_ok());
}

/// C12: a table of masks may hold what is no mask; interpreter and C differ there.
#[test]
fn an_entry_that_is_no_mask_is_refused() {
    let text = "kernel k: word 8 {
    output out: 1 x w8 [3, 4]
    input a: 1 x w8
    table m: 1 x m8 [5] = (5)

    %0: m8 [5] = m[0]
    %1: w8 [3] = const(3)
    %2: w8 [4] = const(4)
    %3: w8 [3, 4] = select %0, %1, %2
    out[0] = %3
}
";
    // The verifier may refuse it first.
    let Ok(kernel) = Kernel::parse(text) else { return };
    let program = program(
        vec![param("out", 1, true), param("a", 1, false)],
        &[],
        &[(Opcode::Mov, &[r(Gpr::Rax), i(3)]), (Opcode::Mov, &[m(Gpr::Rdi, 0), r(Gpr::Rax)])],
    );
    assert!(matches!(check_kernel(&kernel, &program), Err(CheckError::Kernel(_))));
}

/// A kernel of one sum or one product.
fn of_two(name: &str, op: &str, value: &str) -> Proved {
    proved(&format!(
        "kernel {name}: word 64 {{
    output out: 1 x w64
    input a: 1 x w64 <2^31
    input b: 1 x w64 <2^31

    given a <= (2^31-1) = a[0] * 2^0 max (2^31-1)
    given b <= (2^31-1) = b[0] * 2^0 max (2^31-1)
    gives out <= 2^62 = out[0] * 2^0 max 2^62: value 1 it = {value}

    %0: w64 <2^31 = a[0]
    %1: w64 <2^31 = b[0]
    %2: w64 <2^63 = {op} %0, %1
    out[0] = %2
}}
"
    ))
}

/// C13: `Checked` did not say of which kernel.
#[test]
fn a_checked_program_belongs_to_its_kernel() {
    let (product, sum) = (of_two("k", "mul", "a*b"), of_two("k", "add", "a + b"));
    let program = compile(&sum, Features::BASELINE, None).unwrap_or_else(|e| panic!("{e}"));
    let checked = check(&sum, &program).unwrap_or_else(|e| panic!("{e}"));
    assert!(checked.is_of(sum.kernel()) && !checked.is_of(product.kernel()));
    assert!(check(&product, &program).is_err());
}

/// C13: a program that asks more of its caller than the kernel does.
#[test]
fn a_narrower_rule_of_aliasing_is_refused() {
    let swap = proved(
        "kernel k: word 64 {
    output out: 2 x w64
    input a: 2 x w64

    given a <= (2^128-1) = a[0..2] * 2^0 step 64 max (2^64-1)

    %0: w64 = a[0]
    %1: w64 = a[1]
    out[0] = %1
    out[1] = %0
}
",
    );
    let load = |word| m(Gpr::Rsi, word);
    let verdict = |disjoint: &[(u32, u32)], second: Operand| {
        let program = program(
            vec![param("out", 2, true), param("a", 2, false)],
            disjoint,
            &[
                (Opcode::Mov, &[r(Gpr::Rax), load(8)]),
                (Opcode::Mov, &[r(Gpr::Rcx), load(0)]),
                (Opcode::Mov, &[m(Gpr::Rdi, 0), r(Gpr::Rax)]),
                (Opcode::Mov, &[m(Gpr::Rdi, 8), second]),
            ],
        );
        check(&swap, &program).map(|_| ())
    };
    assert_eq!(verdict(&[], r(Gpr::Rcx)), Ok(()));
    assert!(matches!(verdict(&[(0, 1)], r(Gpr::Rcx)), Err(CheckError::Parameters(_))));
}

/// C14, and what else is no program: refused, without a panic.
#[test]
fn nonsense_is_refused_without_a_panic() {
    let one = |inst: Inst| {
        let mut program = program(vec![param("out", 1, true), param("a", 4, false)], &[(0, 1)], &[]);
        program.code.insert(0, inst);
        assert!(check(&known_input(), &program).is_err(), "{inst:?}");
    };
    let registers = [Gpr::Rax, Gpr::Rsp, Gpr::Rsi, Gpr::Rdi];
    let extremes = [i64::MIN, i64::MIN + 1, -1 << 40, -(1 << 20), 1 << 40, i64::MAX];
    for register in registers {
        for extreme in extremes {
            for op in [Opcode::Add, Opcode::Sub, Opcode::Imul, Opcode::Cmp, Opcode::Shl, Opcode::And, Opcode::Rorx] {
                one(Inst::new(op, &[r(register), i(extreme)]));
            }
        }
        for displacement in [i32::MIN, i32::MAX] {
            one(Inst::new(Opcode::Lea, &[r(Gpr::Rsp), m(register, displacement)]));
            one(Inst::new(Opcode::Mov, &[m(register, displacement), r(register)]));
        }
    }
    let all = [Opcode::Add, Opcode::Neg, Opcode::Mov, Opcode::MovZeroExtend, Opcode::Shl, Opcode::Mul, Opcode::BitTest];
    for bits in [0, 1, 7, 24, 65, 128, 255] {
        for op in all {
            one(Inst::sized(op, bits, &[r(Gpr::Rbx), i(1)]));
            one(Inst::sized(op, bits, &[r(Gpr::Rbx), m(Gpr::Rsi, 0)]));
        }
    }
    for element_bytes in [0, 3, u32::MAX] {
        let mut program = program(vec![param("out", 1, true), param("a", 4, false)], &[(0, 1)], &[]);
        program.params[1].element_bytes = element_bytes;
        assert!(matches!(check(&known_input(), &program), Err(CheckError::Parameters(_))));
    }
    for (count, groups) in [(u32::MAX, u32::MAX), (0, 1), (1 << 16, 1 << 16), (1, 2), (8, u32::MAX)] {
        let mut program = program(vec![param("out", 1, true), param("a", 4, false)], &[(0, 1)], &[]);
        program.lanes = Lanes { count, groups };
        assert!(matches!(check(&known_input(), &program), Err(CheckError::Parameters(_))));
    }
}

/// A function may not go further down than the stack of its caller is sure to reach, by one step or by many.
#[test]
fn the_stack_is_bounded() {
    let step: (Opcode, &[Operand]) = (Opcode::Sub, &[r(Gpr::Rsp), i(1 << 12)]);
    assert_eq!(of_known_input(&vec![step; 200]), Err(Fault::Stack));
    assert_eq!(of_known_input(&[(Opcode::Sub, &[r(Gpr::Rsp), i(1 << 30)])]), Err(Fault::Stack));
    let label: (Opcode, &[Operand]) = (Opcode::Label, &[Operand::Label(0)]);
    assert_eq!(of_known_input(&[label, (Opcode::Call, &[Operand::Label(0)])]), Err(Fault::Endless));
}

/// A label that is there twice means neither place.
#[test]
fn a_label_is_there_once() {
    let label: (Opcode, &[Operand]) = (Opcode::Label, &[Operand::Label(0)]);
    assert_eq!(of_known_input(&[label, label]), Err(Fault::Form));
}

/// A copy of the return address was taken for the place that it came from: `rsp` was eight bytes off for the caller.
#[test]
fn a_return_leaves_the_stack_pointer_behind_the_address() {
    let k = known_input();
    let out: [(Opcode, &[Operand]); 2] =
        [(Opcode::Mov, &[r(Gpr::Rax), m(Gpr::Rsi, 24)]), (Opcode::Mov, &[m(Gpr::Rdi, 0), r(Gpr::Rax)])];
    let of = |code: &[(Opcode, &[Operand])]| {
        let all: Vec<_> = out.iter().chain(code).copied().collect();
        check(&k, &program(vec![param("out", 1, true), param("a", 4, false)], &[(0, 1)], &all)).map(|_| ())
    };
    assert_eq!(of(&[]), Ok(()));
    let fault = of(&[(Opcode::Mov, &[r(Gpr::Rax), m(Gpr::Rsp, 0)]), (Opcode::Push, &[r(Gpr::Rax)])]);
    assert!(matches!(fault, Err(CheckError::Instruction { fault: Fault::Convention, .. })), "{fault:?}");
}

/// What is read of an input after that element was written of an output that may be the same array is run for each way
/// in which they may be the same; what is read before, once.
#[test]
fn inputs_are_read_before_outputs_are_written() {
    let k = parse(
        "kernel k: word 64 {
    output out: 2 x w64
    input a: 2 x w64

    %0: w64 = a[0]
    %1: w64 = a[1]
    out[0] = %1
    out[1] = %0
}
",
    );
    let of = |code: &[(Opcode, &[Operand])]| {
        check_kernel(&k, &program(vec![param("out", 2, true), param("a", 2, false)], &[], code)).map(|r| r.patterns)
    };
    let [rax, rcx] = [r(Gpr::Rax), r(Gpr::Rcx)];
    let [load, other, again]: [(Opcode, &[Operand]); 3] = [
        (Opcode::Mov, &[rax, m(Gpr::Rsi, 0)]),
        (Opcode::Mov, &[rcx, m(Gpr::Rsi, 8)]),
        (Opcode::Mov, &[rcx, m(Gpr::Rsi, 0)]),
    ];
    let [first, second]: [(Opcode, &[Operand]); 2] =
        [(Opcode::Mov, &[m(Gpr::Rdi, 0), rcx]), (Opcode::Mov, &[m(Gpr::Rdi, 8), rax])];
    assert_eq!(of(&[load, other, first, second]), Ok(1));
    // Read again when it is no longer needed.
    assert_eq!(of(&[load, other, first, again, second]), Ok(2));
    // Read too late: right only where the arrays lie apart.
    let late = of(&[other, first, load, second]);
    assert!(matches!(&late, Err(CheckError::Differs { pattern, .. }) if pattern == "out = a"), "{late:?}");
}

/// A program of two lanes (sixteen of bytes) on vectors of SSE2 that adds a constant (by exclusive or) to each element.
fn with_constant(bytes: u32, constants: &[u64], sum: &[Operand]) -> Result<(), CheckError> {
    let w = 8 * bytes;
    let k = parse(&format!(
        "kernel k: word {w} {{
    output out: 1 x w{w}
    input a: 1 x w{w}

    %0: w{w} = a[0]
    %1: w{w} [5] = const(5)
    %2: w{w} = xor %0, %1
    out[0] = %2
}}
"
    ));
    let vector = |op: Vector, operands: &[Operand]| Inst::new(Opcode::Vector(op, Width::S), operands);
    let array = |name: &str, written: bool| Parameter { element_bytes: bytes, ..param(name, 16 / bytes, written) };
    let program = Program {
        lanes: Lanes { count: 16 / bytes, groups: 1 },
        constants: constants.to_vec(),
        code: vec![
            vector(Vector::Move, &[Operand::Vector(0), m(Gpr::Rsi, 0)]),
            vector(Vector::Move, &[Operand::Vector(1), Operand::Memory(Address::constant(0))]),
            vector(Vector::Xor, sum),
            vector(Vector::Move, &[m(Gpr::Rdi, 0), Operand::Vector(0)]),
            Inst::new(Opcode::Return, &[]),
        ],
        ..program(vec![array("out", true), array("a", false)], &[], &[])
    };
    check_kernel(&k, &program).map(|_| ())
}

/// A constant of bytes lay there once for each word, and the other seven bytes of it were taken for the same.
#[test]
fn constants_of_sse2_lie_there_for_each_word() {
    let registers = [Operand::Vector(0), Operand::Vector(1)];
    assert_eq!(with_constant(8, &[5, 5], &registers), Ok(()));
    for bytes in [1, 4] {
        assert!(with_constant(bytes, &[5, 5], &registers).is_err(), "{bytes}");
    }
    // Another one in the second lane; none there; one that is as wrong in both.
    for constants in [&[5, 6][..], &[5], &[4, 4]] {
        assert!(with_constant(8, constants, &registers).is_err(), "{constants:?}");
    }
    // Memory that need not be aligned; a destination of its own; none of the constant at all.
    for sum in [
        &[Operand::Vector(0), Operand::Memory(Address::constant(0))][..],
        &[Operand::Vector(0), Operand::Vector(0), Operand::Vector(1)],
        &[Operand::Vector(0)],
    ] {
        assert!(with_constant(8, &[5, 5], sum).is_err(), "{sum:?}");
    }
}
