//! Routines that the checker must not accept, and what a call must not take for granted: a right program, and faults of
//! it that each break one rule.

use std::sync::Arc;

use evariste_codegen::check::machine::Fault;
use evariste_codegen::check::{CheckError, check_kernel};
use evariste_codegen::program::{Callee, Lanes, Parameter, Role};
use evariste_codegen::x86_64::{Address, Condition, Features, Gpr, Inst, Opcode, Operand, Program};
use evariste_ir::verify::verify;
use evariste_ir::{ArrayKind, Builder, Contract, Interval, Kernel, Type, View};

const WORD: Type = Type::Word(64);

fn r(gpr: Gpr) -> Operand {
    Operand::Register(gpr)
}

fn m(base: Gpr, displacement: i32) -> Operand {
    Operand::Memory(Address::at(base, displacement))
}

fn i(value: i64) -> Operand {
    Operand::Immediate(value)
}

fn op(op: Opcode, operands: &[Operand]) -> Inst {
    Inst::new(op, operands)
}

fn mov(to: Operand, from: Operand) -> Inst {
    op(Opcode::Mov, &[to, from])
}

fn call(label: u32) -> Inst {
    op(Opcode::Call, &[Operand::Label(label)])
}

fn label(label: u32) -> Inst {
    op(Opcode::Label, &[Operand::Label(label)])
}

fn ret() -> Inst {
    op(Opcode::Return, &[])
}

fn param(name: &str, len: u32, written: bool) -> Parameter {
    Parameter { name: name.into(), element_bytes: 8, len, role: if written { Role::Output } else { Role::Input } }
}

/// `p[j] = x[j] + factor·y[j]`, `q[j] = x[j] xor y[j]`, of so many elements; `apart`: p must not be x. The inputs are
/// below `bound`.
fn inner(name: &str, len: u32, factor: u32, apart: bool, bound: u64) -> Kernel {
    let mut b = Builder::new(name, 64);
    let full = || vec![WORD.full()];
    let below = || vec![Interval::new(0, bound)];
    let (p, q) =
        (b.array("p", WORD, len, ArrayKind::Output, full()), b.array("q", WORD, len, ArrayKind::Output, full()));
    let (x, y) =
        (b.array("x", WORD, len, ArrayKind::Input, below()), b.array("y", WORD, len, ArrayKind::Input, below()));
    if apart {
        b.must_be_disjoint(p, x);
    }
    for array in [x, y] {
        b.must_be_disjoint(q, array);
    }
    b.must_be_disjoint(p, y);
    let values: Vec<_> = (0..len).map(|j| (b.load(x, j), b.load(y, j))).collect();
    for (j, (x, y)) in (0..len).zip(values) {
        let mut sum = x;
        for _ in 0..factor {
            sum = b.wrapping_add(sum, y);
        }
        let bits = b.xor(x, y);
        b.store(p, j, sum);
        b.store(q, j, bits);
    }
    b.finish(Contract::default())
}

/// `out, rest = inner(inner(a, b).0, a)`, by two calls, or by as many more as are asked for of `out = inner(out, a)`.
fn outer(callee: Kernel, more: u32) -> Kernel {
    let len = callee.arrays[0].len;
    let bound = callee.arrays[2].ranges[0].clone();
    let mut b = Builder::new("k", 64);
    let full = || vec![WORD.full()];
    let (out, rest) =
        (b.array("out", WORD, len, ArrayKind::Output, full()), b.array("rest", WORD, len, ArrayKind::Output, full()));
    let (a, c) = (
        b.array("a", WORD, len, ArrayKind::Input, vec![bound.clone()]),
        b.array("b", WORD, len, ArrayKind::Input, vec![bound]),
    );
    for (p, q) in [(out, a), (out, c), (rest, a), (rest, c)] {
        b.must_be_disjoint(p, q);
    }
    let t = b.array("t", WORD, len, ArrayKind::Local, full());
    let callee = b.callee(Arc::new(callee));
    b.call(callee, [t, rest, a, c].map(View::whole).to_vec());
    b.call(callee, [out, rest, t, a].map(View::whole).to_vec());
    if more > 0 {
        b.repeat(more, &[], |b, _, _| {
            b.call(callee, [out, rest, out, a].map(View::whole).to_vec());
            Vec::new()
        });
    }
    let kernel = b.finish(Contract::default());
    assert!(verify(&kernel).is_ok(), "{:?}", verify(&kernel));
    kernel
}

/// The routine of [`inner`] with factor 2 and one element.
fn routine() -> Vec<Inst> {
    let (a, c, d) = (r(Gpr::Rax), r(Gpr::R8), Gpr::Rdx);
    vec![
        mov(a, m(Gpr::Rcx, 0)),
        mov(c, m(d, 0)),
        mov(r(Gpr::R9), a),
        op(Opcode::Xor, &[r(Gpr::R9), c]),
        op(Opcode::Add, &[a, a]),
        op(Opcode::Add, &[a, c]),
        mov(m(Gpr::Rdi, 0), a),
        mov(m(Gpr::Rsi, 0), r(Gpr::R9)),
        ret(),
    ]
}

/// Word of the frame: t, then the four pointers.
fn slot(word: i32) -> Operand {
    m(Gpr::Rsp, 8 * word)
}

/// The function of [`outer`], t at the bottom of its frame.
fn function(more: u32) -> Vec<Inst> {
    let pointers = [Gpr::Rdi, Gpr::Rsi, Gpr::Rdx, Gpr::Rcx];
    let mut code = vec![op(Opcode::Sub, &[r(Gpr::Rsp), i(48)])];
    code.extend((1..).zip(pointers).map(|(word, p)| mov(slot(word), r(p))));
    code.extend([op(Opcode::Lea, &[r(Gpr::Rdi), slot(0)]), call(1)]);
    code.extend([mov(r(Gpr::Rdi), slot(1)), mov(r(Gpr::Rsi), slot(2)), op(Opcode::Lea, &[r(Gpr::Rdx), slot(0)])]);
    code.extend([mov(r(Gpr::Rcx), slot(3)), call(1)]);
    if more > 0 {
        code.extend([mov(slot(5), i(0)), label(9)]);
        code.extend([mov(r(Gpr::Rdi), slot(1)), mov(r(Gpr::Rsi), slot(2)), mov(r(Gpr::Rdx), slot(1))]);
        code.extend([mov(r(Gpr::Rcx), slot(3)), call(1), mov(r(Gpr::Rax), slot(5))]);
        code.extend([op(Opcode::Add, &[r(Gpr::Rax), i(1)]), mov(slot(5), r(Gpr::Rax))]);
        code.push(op(Opcode::Cmp, &[r(Gpr::Rax), i(i64::from(more))]));
        code.push(op(Opcode::JumpIf(Condition::NotZero), &[Operand::Label(9)]));
    }
    code.extend([op(Opcode::Add, &[r(Gpr::Rsp), i(48)]), ret()]);
    code
}

fn callee(label: u32, apart: bool) -> Callee {
    let params = ["p", "q", "x", "y"].iter().enumerate().map(|(at, name)| param(name, 1, at < 2)).collect();
    let disjoint = if apart { vec![(0, 2), (0, 3), (1, 2), (1, 3)] } else { vec![(0, 3), (1, 2), (1, 3)] };
    Callee { label, path: vec![0], params, disjoint }
}

fn program(function: Vec<Inst>, routine: Vec<Inst>) -> Program {
    let names = ["out", "rest", "a", "b"];
    Program {
        name: "k".into(),
        features: Features::BASELINE,
        lanes: Lanes::ONE,
        params: names.iter().enumerate().map(|(at, name)| param(name, 1, at < 2)).collect(),
        disjoint: vec![(0, 2), (0, 3), (1, 2), (1, 3)],
        constants: vec![],
        code: function.into_iter().chain([label(1)]).chain(routine).collect(),
        callees: vec![callee(1, false)],
    }
}

fn kernel(more: u32) -> Kernel {
    outer(inner("inner", 1, 2, false, u64::MAX), more)
}

fn right(more: u32) -> Program {
    program(function(more), routine())
}

/// The fault of an instruction of the function.
fn fault(kernel: &Kernel, program: &Program) -> Fault {
    match check_kernel(kernel, program) {
        Err(CheckError::Instruction { fault, .. }) => fault,
        other => panic!("{other:?}"),
    }
}

/// Why the routine is refused.
fn in_routine(kernel: &Kernel, program: &Program) -> CheckError {
    match check_kernel(kernel, program) {
        Err(CheckError::Routine { why, .. }) => *why,
        other => panic!("{other:?}"),
    }
}

/// The place of an instruction of the code, the how many-th of its kind.
fn place(program: &Program, inst: Inst, n: usize) -> usize {
    let found = program.code.iter().enumerate().filter(|(_, other)| **other == inst).nth(n);
    found.unwrap_or_else(|| panic!("no {inst:?}")).0
}

fn remove(program: &mut Program, inst: Inst, n: usize) {
    let at = place(program, inst, n);
    program.code.remove(at);
}

fn with(mut program: Program, change: impl FnOnce(&mut Program)) -> Program {
    change(&mut program);
    program
}

#[test]
fn right_programs_are_accepted() {
    for more in [0, 1, 2, 7] {
        let report = check_kernel(&kernel(more), &right(more)).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(report.routines, 1);
    }
    // Without a word of the routine its calls are entered.
    let entered = with(right(7), |p| p.callees.clear());
    assert_eq!(check_kernel(&kernel(7), &entered).map(|report| report.routines), Ok(0));
}

#[test]
fn arguments_are_those_of_the_kernel() {
    let k = kernel(0);
    let no_call = Fault::Call("the kernel makes no such call");
    // In the wrong order.
    let order = with(right(0), |p| {
        let at = place(p, call(1), 1);
        p.code[at - 2] = op(Opcode::Lea, &[r(Gpr::Rcx), slot(0)]);
        p.code[at - 1] = mov(r(Gpr::Rdx), slot(3));
    });
    assert_eq!(fault(&k, &order), no_call);
    // The wrong array.
    let other = with(right(0), |p| {
        let at = place(p, mov(r(Gpr::Rcx), slot(3)), 0);
        p.code[at] = mov(r(Gpr::Rcx), slot(4));
    });
    assert_eq!(fault(&k, &other), no_call);
    // The outputs exchanged: the kernel's second call gets the wrong one.
    let outputs = with(right(0), |p| {
        let at = place(p, call(1), 1);
        p.code[at - 4] = mov(r(Gpr::Rdi), slot(2));
        p.code[at - 3] = mov(r(Gpr::Rsi), slot(1));
    });
    assert!(matches!(check_kernel(&k, &outputs), Err(CheckError::Differs { .. })));
    // A call too many, one too few.
    let twice = with(right(0), |p| {
        let at = place(p, call(1), 1);
        p.code.insert(at, call(1));
    });
    assert_eq!(fault(&k, &twice), Fault::Call("an argument is no pointer"));
    let once = with(right(0), |p| remove(p, call(1), 1));
    assert!(check_kernel(&k, &once).is_err());
    let first = with(right(0), |p| remove(p, call(1), 0));
    assert!(matches!(fault(&k, &first), Fault::Undefined(_)));
}

/// What is known of a callee's results holds for the calls of the kernel, whose inputs its contract admits, and for no
/// other.
#[test]
fn no_call_that_the_kernel_does_not_make() {
    let k = outer(inner("inner", 1, 0, false, 1), 0);
    let routine: Vec<Inst> = routine().into_iter().filter(|inst| *inst != op(Opcode::Add, &[r(Gpr::Rax); 2])).collect();
    let plain = routine.iter().map(|inst| match inst {
        inst if *inst == op(Opcode::Add, &[r(Gpr::Rax), r(Gpr::R8)]) => mov(r(Gpr::Rax), r(Gpr::R8)),
        inst => *inst,
    });
    let right = program(function(0), plain.collect());
    assert!(check_kernel(&k, &right).is_ok());
    // A call before the others, on b and b.
    let more = with(right, |p| {
        let at = place(p, op(Opcode::Lea, &[r(Gpr::Rdi), slot(0)]), 0);
        let before = [slot(1), slot(2), slot(4), slot(4)].into_iter().zip([Gpr::Rdi, Gpr::Rsi, Gpr::Rdx, Gpr::Rcx]);
        let before = before.map(|(from, to)| mov(r(to), from));
        let again = (2..).zip([Gpr::Rsi, Gpr::Rdx, Gpr::Rcx]).map(|(word, to)| mov(r(to), slot(word)));
        p.code.splice(at..at, before.chain([call(1)]).chain(again).collect::<Vec<_>>());
    });
    assert_eq!(fault(&k, &more), Fault::Call("the kernel makes no such call"));
}

#[test]
fn the_routine_is_that_of_the_kernel() {
    let k = kernel(0);
    // Of another kernel: one product by two too few.
    let wrong = with(right(0), |p| remove(p, op(Opcode::Add, &[r(Gpr::Rax); 2]), 0));
    assert!(matches!(in_routine(&k, &wrong), CheckError::Differs { .. }));
    // An output that is not written.
    let skips = with(right(0), |p| remove(p, mov(m(Gpr::Rsi, 0), r(Gpr::R9)), 0));
    assert!(matches!(in_routine(&k, &skips), CheckError::Differs { .. }));
    // Another kernel of the same parameters.
    let mut b = outer(inner("inner", 1, 2, false, u64::MAX), 0);
    b.callees.push(Arc::new(inner("inner", 1, 3, false, u64::MAX)));
    let other = with(right(0), |p| p.callees[0].path = vec![1]);
    assert!(matches!(in_routine(&b, &other), CheckError::Differs { .. }));
    assert!(matches!(check_kernel(&k, &other), Err(CheckError::Kernel(_))));
    // The function itself for a callee.
    let itself = with(right(0), |p| p.callees[0].path = vec![]);
    assert!(check_kernel(&k, &itself).is_err());
}

#[test]
fn parameters_are_described_as_they_are() {
    let k = kernel(0);
    type Change = fn(&mut Callee);
    let changes: [Change; 7] = [
        |c| c.params[0].len = 2,
        |c| c.params[0].role = Role::Input,
        |c| c.params[2].role = Role::InOut,
        |c| c.params[2].role = Role::Output,
        |c| c.params[3].element_bytes = 4,
        |c| c.params.truncate(3),
        |c| c.disjoint.truncate(2),
    ];
    for (at, change) in changes.into_iter().enumerate() {
        let wrong = with(right(0), |p| change(&mut p.callees[0]));
        assert!(matches!(in_routine(&k, &wrong), CheckError::Parameters(_)), "{at}");
    }
    // A routine may allow less than its kernel, and is called by its own rule.
    let less = with(right(0), |p| p.callees[0].disjoint.insert(0, (0, 2)));
    assert!(check_kernel(&k, &less).is_ok());
    let called = with(right(3), |p| p.callees[0].disjoint.insert(0, (0, 2)));
    assert_eq!(fault(&kernel(3), &called), Fault::Call("two arguments overlap as the routine does not allow"));
    // What a routine's parameters may not be the same as, by the kernel's rule.
    let apart = outer(inner("inner", 1, 2, true, u64::MAX), 0);
    assert!(matches!(in_routine(&apart, &right(0)), CheckError::Parameters(_)));
    assert!(check_kernel(&apart, &with(right(0), |p| p.callees[0] = callee(1, true))).is_ok());
    let again = with(right(0), |p| p.callees.push(callee(1, false)));
    assert!(matches!(check_kernel(&k, &again), Err(CheckError::Kernel(_))));
    let nowhere = with(right(0), |p| p.callees.push(callee(5, false)));
    assert!(matches!(in_routine(&k, &nowhere), CheckError::Instruction { fault: Fault::Form, .. }));
}

#[test]
fn a_call_leaves_registers_flags_and_the_stack_below_undefined() {
    let k = kernel(0);
    // A pointer in a register that the routine does not even touch, but may.
    let kept_in = |gpr: Gpr| {
        with(right(0), |p| {
            let at = place(p, call(1), 0);
            let second = place(p, mov(r(Gpr::Rcx), slot(3)), 0);
            p.code[second] = mov(r(Gpr::Rcx), r(gpr));
            p.code.insert(at, mov(r(gpr), r(Gpr::Rdx)));
            let end = p.code.len() - routine().len() - 3;
            p.code.insert(end, mov(r(Gpr::Rbx), slot(5)));
            p.code.insert(1, mov(slot(5), r(Gpr::Rbx)));
        })
    };
    assert_eq!(fault(&k, &kept_in(Gpr::R11)), Fault::Call("an argument is no pointer"));
    // In one that it keeps, and in the same while the routine clobbers it.
    assert!(check_kernel(&k, &kept_in(Gpr::Rbx)).is_ok());
    let clobbers = |gpr| {
        with(kept_in(Gpr::Rbx), |p| {
            let at = place(p, label(1), 0);
            p.code.insert(at + 1, op(Opcode::Xor, &[r(gpr), r(gpr)]));
        })
    };
    assert_eq!(fault(&k, &clobbers(Gpr::Rbx)), Fault::Call("an argument is no pointer"));
    assert_eq!(fault(&k, &clobbers(Gpr::R12)), Fault::Convention);
    // Exchanged and not exchanged back: each holds what another must keep.
    let exchanged = with(right(0), |p| {
        let at = place(p, label(1), 0);
        let swap = [mov(r(Gpr::R10), r(Gpr::R12)), mov(r(Gpr::R12), r(Gpr::R13)), mov(r(Gpr::R13), r(Gpr::R10))];
        p.code.splice(at + 1..at + 1, swap);
    });
    assert_eq!(fault(&k, &exchanged), Fault::Convention);
    // A flag, the red zone.
    let carry = with(right(0), |p| {
        let at = place(p, call(1), 0);
        p.code.insert(at + 1, op(Opcode::Adc, &[r(Gpr::R11), i(0)]));
        p.code.insert(at + 1, mov(r(Gpr::R11), i(0)));
        p.code.insert(at, op(Opcode::ClearCarry, &[]));
    });
    assert_eq!(fault(&k, &carry), Fault::Undefined("CF"));
    let zone = with(right(0), |p| {
        let at = place(p, call(1), 0);
        p.code.insert(at + 1, mov(r(Gpr::R11), slot(-3)));
        p.code.insert(at, mov(slot(-3), r(Gpr::Rcx)));
    });
    assert_eq!(fault(&k, &zone), Fault::Undefined("stack slot"));
}

#[test]
fn arguments_show_memory_that_is_the_callers_to_show() {
    let k = kernel(0);
    let wrong = Fault::Call("an argument is not what the routine's parameter asks for");
    let first = |from: Operand| {
        with(right(0), |p| {
            let at = place(p, op(Opcode::Lea, &[r(Gpr::Rdi), slot(0)]), 0);
            p.code[at] = op(Opcode::Lea, &[r(Gpr::Rdi), from]);
        })
    };
    // Below the stack pointer, the return address, above it; an array's next element, one that is only read.
    for place in [slot(-1), slot(6), slot(7), m(Gpr::Rdi, 8), m(Gpr::Rdi, -8), m(Gpr::Rdi, 4), m(Gpr::Rdx, 0)] {
        assert_eq!(fault(&k, &first(place)), wrong, "{place:?}");
    }
    // A slot that holds a pointer is overwritten.
    assert!(check_kernel(&k, &first(slot(1))).is_err());
    // A number.
    let number = with(right(0), |p| {
        let at = place(p, op(Opcode::Lea, &[r(Gpr::Rdi), slot(0)]), 0);
        p.code[at] = mov(r(Gpr::Rdi), i(64));
    });
    assert_eq!(fault(&k, &number), Fault::Call("an argument is no pointer"));
    // A word of an array.
    let data = with(right(0), |p| {
        let at = place(p, op(Opcode::Lea, &[r(Gpr::Rdi), slot(0)]), 0);
        p.code[at] = mov(r(Gpr::Rdi), m(Gpr::Rdx, 0));
    });
    assert_eq!(fault(&k, &data), Fault::Call("an argument is no pointer"));
    // Two outputs in one place; an input where an output goes that must be apart.
    let overlap = Fault::Call("two arguments overlap as the routine does not allow");
    let both = with(right(0), |p| {
        let at = place(p, mov(r(Gpr::Rsi), slot(2)), 0);
        p.code[at] = mov(r(Gpr::Rsi), slot(1));
    });
    assert_eq!(fault(&k, &both), overlap);
    let over = with(right(0), |p| {
        let at = place(p, mov(r(Gpr::Rsi), slot(2)), 0);
        p.code[at] = op(Opcode::Lea, &[r(Gpr::Rsi), slot(0)]);
    });
    assert_eq!(fault(&k, &over), overlap);
}

/// The function with an aligned part of the stack between its words and what it calls, and t at that place of its frame.
fn above_an_aligned_part(t: i32) -> Program {
    let (rbp, rsp) = (r(Gpr::Rbp), r(Gpr::Rsp));
    let mut code = vec![op(Opcode::Push, &[rbp]), mov(rbp, rsp)];
    // The pointers, and a word for t.
    code.extend([Gpr::Rdi, Gpr::Rsi, Gpr::Rdx, Gpr::Rcx, Gpr::Rcx].map(|p| op(Opcode::Push, &[r(p)])));
    code.extend([op(Opcode::Sub, &[rsp, i(64)]), op(Opcode::And, &[rsp, i(-64)])]);
    code.extend([op(Opcode::Lea, &[r(Gpr::Rdi), m(Gpr::Rbp, t)]), call(1)]);
    code.extend([mov(r(Gpr::Rdi), m(Gpr::Rbp, -8)), mov(r(Gpr::Rsi), m(Gpr::Rbp, -16))]);
    code.extend([op(Opcode::Lea, &[r(Gpr::Rdx), m(Gpr::Rbp, t)]), mov(r(Gpr::Rcx), m(Gpr::Rbp, -24)), call(1)]);
    code.extend([mov(rsp, rbp), op(Opcode::Pop, &[rbp]), ret()]);
    program(code, routine())
}

/// Where an aligned part of the stack begins nobody knows: what an argument shows must be sure to lie above it, and above
/// the return address of the call below it, which a routine wrote over before.
#[test]
fn arguments_lie_above_an_aligned_part() {
    let k = kernel(0);
    assert_eq!(check_kernel(&k, &above_an_aligned_part(-40)).map(|report| report.routines), Ok(1));
    let wrong = Fault::Call("an argument is not what the routine's parameter asks for");
    // In it, just below it, where the return address may be, and farther down.
    for t in [-48, -56, -96, -104, -112, -120, -160, -168, -176, -512] {
        assert_eq!(fault(&k, &above_an_aligned_part(t)), wrong, "{t}");
    }
    // The words that were pushed, and what the caller keeps above them.
    for t in [-8, -16, -24, 0, 8, 16] {
        assert!(check_kernel(&k, &above_an_aligned_part(t)).is_err(), "{t}");
    }
}

#[test]
fn loops_run_as_often_as_the_kernels() {
    for (kernel_runs, program_runs) in [(3, 2), (3, 4), (1, 2), (2, 1)] {
        assert!(check_kernel(&kernel(kernel_runs), &right(program_runs)).is_err(), "{kernel_runs} {program_runs}");
    }
    let k = kernel(3);
    // The counter in a register that the call loses.
    let lost = with(right(3), |p| {
        let at = place(p, mov(r(Gpr::Rax), slot(5)), 0);
        p.code.remove(at);
    });
    assert!(matches!(fault(&k, &lost), Fault::Undefined(_)));
    // What the loop needs again and changes: a pointer, the operand.
    let changed = with(right(3), |p| {
        let at = place(p, mov(r(Gpr::Rax), slot(5)), 0);
        p.code.insert(at, mov(slot(3), r(Gpr::Rsp)));
    });
    assert!(check_kernel(&k, &changed).is_err());
    let other = with(right(3), |p| {
        let at = place(p, mov(r(Gpr::Rax), slot(5)), 0);
        p.code.splice(at..at, [mov(r(Gpr::Rax), slot(4)), mov(slot(3), r(Gpr::Rax))]);
    });
    assert_eq!(fault(&k, &other), Fault::Call("the kernel makes no such call"));
    // Without an end.
    let endless = with(right(3), |p| {
        let at = place(p, op(Opcode::Add, &[r(Gpr::Rax), i(1)]), 0);
        p.code[at] = op(Opcode::Add, &[r(Gpr::Rax), i(0)]);
    });
    assert!(matches!(fault(&k, &endless), Fault::Endless | Fault::Call(_)));
}

#[test]
fn routines_return_to_their_callers() {
    let k = kernel(0);
    let ends_by = |code: &[Inst]| {
        let mut routine = routine();
        routine.pop();
        program(function(0), routine.into_iter().chain(code.iter().copied()).collect())
    };
    let fault = |code: &[Inst]| match in_routine(&k, &ends_by(code)) {
        CheckError::Instruction { fault, .. } => fault,
        other => panic!("{other:?}"),
    };
    assert!(check_kernel(&k, &ends_by(&[ret()])).is_ok());
    let rsp = r(Gpr::Rsp);
    assert_eq!(fault(&[op(Opcode::Push, &[r(Gpr::Rax)]), ret()]), Fault::Convention);
    assert_eq!(fault(&[op(Opcode::Sub, &[rsp, i(8)]), ret()]), Fault::Undefined("stack slot"));
    assert_eq!(fault(&[op(Opcode::Add, &[rsp, i(8)]), ret()]), Fault::Undefined("stack slot"));
    // The address comes along, the stack pointer does not come back.
    let copied = [mov(r(Gpr::Rax), m(Gpr::Rsp, 0)), op(Opcode::Push, &[r(Gpr::Rax)]), ret()];
    assert_eq!(fault(&copied), Fault::Convention);
    // To another place of the code, by a jump, and off the end.
    assert!(matches!(fault(&[op(Opcode::Jump, &[Operand::Label(7)])]), Fault::Form));
    assert_eq!(fault(&[]), Fault::Endless);
    // The return address is the caller's, and so is what lies above it.
    assert_eq!(fault(&[mov(m(Gpr::Rsp, 0), r(Gpr::Rax)), ret()]), Fault::Stack);
    assert_eq!(fault(&[mov(m(Gpr::Rsp, 8), r(Gpr::Rax)), ret()]), Fault::Stack);
    assert_eq!(fault(&[mov(r(Gpr::Rax), m(Gpr::Rsp, 8)), ret()]), Fault::Undefined("stack slot"));
}

#[test]
fn routines_do_not_call_themselves_or_their_callers() {
    let k = kernel(0);
    let early = Fault::Call("the routine stands before its caller, or calls itself");
    let itself = program(function(0), [call(1)].into_iter().chain(routine()).collect());
    assert!(matches!(in_routine(&k, &itself), CheckError::Instruction { fault, .. } if fault == early));
    // Two of one kernel, each in terms of the other.
    let mut both = program(function(0), vec![call(2), ret(), label(2), call(1), ret()]);
    both.callees.push(callee(2, false));
    assert!(matches!(in_routine(&k, &both), CheckError::Instruction { fault, .. } if fault == early));
    // Without a word of the routine: without an end.
    let entered = with(itself, |p| p.callees.clear());
    assert!(matches!(fault(&k, &entered), Fault::Stack | Fault::Endless));
    // The stack of all that are entered is bounded together.
    let deep = with(right(0), |p| {
        let at = place(p, label(1), 0);
        p.code.insert(at + 1, op(Opcode::Sub, &[r(Gpr::Rsp), i((1 << 19) - 56)]));
        let end = p.code.len() - 1;
        p.code.insert(end, op(Opcode::Add, &[r(Gpr::Rsp), i((1 << 19) - 56)]));
    });
    assert!(check_kernel(&k, &deep).is_ok());
    let deeper = with(deep, |p| {
        for (op, by) in [(Opcode::Sub, i(64)), (Opcode::Add, i(64))] {
            let at = place(p, Inst::new(op, &[r(Gpr::Rsp), i(48)]), 0);
            p.code[at] = Inst::new(op, &[r(Gpr::Rsp), by]);
        }
    });
    assert_eq!(fault(&k, &deeper), Fault::Stack);
}
