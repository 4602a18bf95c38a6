//! Attacks through the stack: a program that needs more of it than a thread has, which safe code may call.

#![cfg(all(target_arch = "x86_64", not(windows)))]

use std::process::Command;

use evariste_codegen::check::check;
use evariste_codegen::program::{Lanes, Parameter, Role};
use evariste_codegen::x86_64::{Address, Features, Gpr, Inst, Opcode, Operand, Program, X86_64};
use evariste_ir::Kernel;
use evariste_jit::{Argument, Function, available};
use evariste_proof::{Outcome, prove};

/// Tells the child process that it is one.
const CHILD: &str = "EVARISTE_TEST_SMALL_STACK";

/// Bytes of stack below the entry.
const DEPTH: i64 = 200_000;

/// A copy of a word by way of the far end of a long frame, which is touched nowhere else.
fn deep() -> Function {
    let kernel = Kernel::parse(
        "kernel copy: word 64 {
    output out: 1 x w64
    input a: 1 x w64

    %0: w64 = a[0]
    out[0] = %0
}
",
    )
    .unwrap_or_else(|e| panic!("{e}"));
    let Outcome::Proved(proved) = prove(&kernel) else { panic!("a copy is proved") };
    let (r, m) = (Operand::Register, |base, at| Operand::Memory(Address::at(base, at)));
    let step = |op| Inst::new(op, &[r(Gpr::Rsp), Operand::Immediate(DEPTH)]);
    let mov = |to, from| Inst::new(Opcode::Mov, &[to, from]);
    let code = vec![
        step(Opcode::Sub),
        mov(r(Gpr::Rax), m(Gpr::Rsi, 0)),
        mov(m(Gpr::Rsp, 0), r(Gpr::Rax)),
        mov(r(Gpr::Rcx), m(Gpr::Rsp, 0)),
        mov(m(Gpr::Rdi, 0), r(Gpr::Rcx)),
        step(Opcode::Add),
        Inst::new(Opcode::Return, &[]),
    ];
    let param = |name: &str, written| Parameter {
        name: name.into(),
        element_bytes: 8,
        len: 1,
        role: if written { Role::Output } else { Role::Input },
    };
    let program = Program {
        name: "copy".into(),
        features: Features::BASELINE,
        lanes: Lanes::ONE,
        params: vec![param("out", true), param("a", false)],
        disjoint: vec![],
        constants: vec![],
        code,
        callees: Vec::new(),
    };
    let checked = check(&proved, &program).unwrap_or_else(|e| panic!("{e}"));
    assert!(i64::from(checked.report().stack) >= DEPTH, "{:?}", checked.report());
    Function::new(&checked).unwrap_or_else(|e| panic!("{e}"))
}

/// Calls it in a thread that has so many bytes of stack.
fn call_with(stack: usize) -> u64 {
    let function = deep();
    let call = move || {
        let (mut out, a) = ([0u64], [0x1234_5678_9abc_def0u64]);
        function.call(&[Argument::from(&mut out[..]), Argument::from(&a[..])]).unwrap_or_else(|e| panic!("{e}"));
        out[0]
    };
    let thread = std::thread::Builder::new().stack_size(stack).spawn(call).unwrap_or_else(|e| panic!("{e}"));
    thread.join().unwrap_or_else(|_| panic!("the thread panicked"))
}

#[test]
fn a_frame_longer_than_the_stack_stops_at_the_guard_page() {
    if available::<X86_64>().is_err() {
        return;
    }
    if std::env::var_os(CHILD).is_some() {
        println!("returned {:x}", call_with(1 << 16));
        return;
    }
    assert_eq!(call_with(1 << 20), 0x1234_5678_9abc_def0);
    let this = std::env::current_exe().unwrap_or_else(|e| panic!("{e}"));
    let name = concat!(module_path!(), "::a_frame_longer_than_the_stack_stops_at_the_guard_page");
    let name = name.split_once("::").map_or(name, |(_, name)| name);
    let output = Command::new(this).args(["--exact", name, "--nocapture"]).env(CHILD, "1").output();
    let output = output.unwrap_or_else(|e| panic!("{e}"));
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && told.contains("overflowed its stack"), "{output:?}");
}
