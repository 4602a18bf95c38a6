//! The seam, with the smallest instruction set that there is: the checker's shared part asks nothing else, and a caller
//! that names none compiles for it. That it is printed for packages is a test of `emit`.

use evariste_codegen::Aim;
use evariste_codegen::check::machine::Fault;
use evariste_codegen::check::{CheckError, check_kernel};
use evariste_codegen::compile::Compile;
use evariste_codegen::graph::Graph;
use evariste_codegen::lower::lower;
use evariste_codegen::program::{Lanes, Parameter, Program, Role};
use evariste_codegen::schedule::candidates;
use evariste_codegen::x86_64::{Features, X86_64};
use evariste_ir::Kernel;
use evariste_proof::{Outcome, prove};
use evariste_testing::small::{Inst, KEPT, LINK, NoFeatures, STACK, Small};

fn kernel() -> Kernel {
    let text = "kernel k: word 64 {
    output out: 1 x w64
    input a: 4 x w64
    input b: 2 x w64

    given x <= (2^64-1) = a[3] * 2^0 max (2^64-1)
    gives out <= (2^64-1) = out[0] * 2^0 max (2^64-1): value 1 it = x

    %0: w64 = a[3]
    out[0] = %0
}
";
    Kernel::parse(text).unwrap_or_else(|e| panic!("{e}"))
}

fn run(code: &[Inst]) -> Result<(), Fault> {
    let param = |name: &str, len, written| Parameter {
        name: name.into(),
        element_bytes: 8,
        len,
        role: if written { Role::Output } else { Role::Input },
    };
    let program: Program<Small> = Program {
        name: "k".into(),
        features: NoFeatures,
        lanes: Lanes::ONE,
        params: vec![param("out", 1, true), param("a", 4, false), param("b", 2, false)],
        disjoint: vec![(0, 1), (0, 2), (1, 2)],
        constants: vec![],
        code: code.to_vec(),
        callees: vec![],
    };
    match check_kernel(&kernel(), &program) {
        Ok(_) => Ok(()),
        Err(CheckError::Instruction { fault, .. }) => Err(fault),
        Err(CheckError::Differs { .. }) => Err(Fault::Undefined("another value")),
        Err(other) => panic!("{other}"),
    }
}

fn load(to: usize, base: usize, offset: i64) -> Inst {
    Inst::Load { to, base, offset }
}

fn store(from: usize, base: usize, offset: i64) -> Inst {
    Inst::Store { from, base, offset }
}

fn stack(bytes: i64) -> Inst {
    Inst::Step { to: STACK, from: STACK, bytes }
}

const END: Inst = Inst::Return(LINK);

#[test]
fn a_function_of_another_processor_is_followed() {
    assert_eq!(run(&[load(2, 1, 24), store(2, 0, 0), END]), Ok(()));
    assert_eq!(run(&[load(2, 1, 16), store(2, 0, 0), END]), Err(Fault::Undefined("another value")));
    // The third parameter lies where the stack pointer points.
    assert_eq!(run(&[load(2, STACK, 0), load(2, 2, 8), load(2, 1, 24), store(2, 0, 0), END]), Ok(()));
    assert_eq!(run(&[load(2, STACK, 0), load(2, 2, 16), END]), Err(Fault::Access));
}

#[test]
fn the_return_address_is_in_its_register() {
    let saved = [stack(-16), store(LINK, STACK, 0), Inst::Call(0), load(LINK, STACK, 0), stack(16)];
    let rest = [store(2, 0, 0), END, Inst::Label(0), load(2, 1, 24), END];
    let whole: Vec<Inst> = saved.iter().chain(&rest).copied().collect();
    assert_eq!(run(&whole), Ok(()));
    // A call without saving it: the function returns behind its own call.
    let lost: Vec<Inst> = [Inst::Call(0)].iter().chain(&rest).copied().collect();
    assert_eq!(run(&lost), Err(Fault::Endless));
    assert_eq!(run(&[load(2, 1, 24), store(2, 0, 0), Inst::Return(2)]), Err(Fault::Convention));
}

#[test]
fn what_the_convention_says_is_asked_for() {
    let value = [load(2, 1, 24), store(2, 0, 0)];
    let with = |first: &[Inst], last: &[Inst]| run(&[first, &value, last, &[END]].concat());
    assert_eq!(with(&[load(KEPT, 1, 0)], &[]), Err(Fault::Convention));
    assert_eq!(
        with(&[stack(-16), store(KEPT, STACK, 0), load(KEPT, 1, 0)], &[load(KEPT, STACK, 0), stack(16)]),
        Ok(())
    );
    assert_eq!(with(&[stack(-16)], &[]), Err(Fault::Convention));
    assert_eq!(with(&[stack(-8)], &[stack(8)]), Err(Fault::Stack));
    assert_eq!(with(&[stack(16)], &[stack(-16)]), Err(Fault::Stack));
    // No red zone below the stack pointer, and the caller's memory above it.
    assert_eq!(with(&[store(LINK, STACK, -8)], &[]), Err(Fault::Stack));
    assert_eq!(with(&[store(LINK, STACK, 8)], &[]), Err(Fault::Stack));
}

/// Compiles a kernel in every order that there is, for any processor.
fn compiled<I: Compile>(kernel: &Kernel, features: I::Features) {
    let Outcome::Proved(proved) = prove(kernel) else { panic!("{} is not proved", kernel.name) };
    let graph: Graph = lower(kernel).expect("a graph");
    let mut allocator = I::allocator(&graph, features);
    let aim = Aim::from(features);
    let orders = candidates(&graph, I::resources(aim));
    assert!(I::has_orders(kernel) && !orders.is_empty());
    let heuristic = I::checked(&proved, aim, None).unwrap_or_else(|e| panic!("{}: {e}", I::NAME));
    let same = I::checked(&proved, aim, Some(&I::heuristic(&graph, aim))).expect("the same order");
    assert_eq!(heuristic.program(), same.program());
    for schedule in &orders {
        let program = allocator(schedule, false).expect("code in that order");
        assert_eq!(I::checked(&proved, aim, Some(schedule)).expect("code").program(), &program);
    }
}

#[test]
fn a_caller_that_names_no_processor_compiles() {
    let text = "kernel k: word 64 {
    output out: 2 x w64
    input a: 2 x w64
    input b: 2 x w64

    %0: w64 = a[0]
    %1: w64 = a[1]
    %2: w64 = b[0]
    %3: w64 = b[1]
    %4: w64 = xor %0, %3
    %5: w64 = xor %1, %2
    out[0] = %4
    out[1] = %5
}
";
    let sums = Kernel::parse(text).unwrap_or_else(|e| panic!("{e}"));
    for kernel in [&kernel(), &sums] {
        compiled::<Small>(kernel, NoFeatures);
        compiled::<X86_64>(kernel, Features::BASELINE);
    }
    let product = text.replace("xor %0, %3", "and %0, %3");
    let product = Kernel::parse(&product).unwrap_or_else(|e| panic!("{e}"));
    let Outcome::Proved(proved) = prove(&product) else { panic!("not proved") };
    let refused = Small::checked(&proved, NoFeatures.into(), None).map(|_| ()).expect_err("it has no such instruction");
    assert_eq!(refused.to_string(), "it only moves words and adds them over GF(2)");
}
