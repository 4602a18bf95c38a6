//! Functions in memory are called with checked arguments.

use std::cell::Cell;

use evariste_codegen::program::{Lanes, Parameter, Role};
use evariste_codegen::x86_64::X86_64;
use evariste_codegen::x86_64::{Address, Features, Gpr, Inst, Opcode, Operand, Program};
use evariste_jit::{Argument, CallError, Function, JitError, Limit, OnPairs, OnTriples, Prefetch, features, is_native};

fn param(name: &str, element_bytes: u32, len: u32, written: bool) -> Parameter {
    Parameter { name: name.to_string(), element_bytes, len, role: if written { Role::Output } else { Role::Input } }
}

fn r(gpr: Gpr) -> Operand {
    Operand::Register(gpr)
}

fn m(base: Gpr, displacement: i32) -> Operand {
    Operand::Memory(Address::at(base, displacement))
}

/// `o[0..2] = a[0..2] + b[0..2] + K` as 128-bit numbers, `K` from the constants.
fn sum() -> Program {
    let code = vec![
        Inst::new(Opcode::EndBranch, &[]),
        Inst::new(Opcode::Mov, &[r(Gpr::Rax), m(Gpr::Rsi, 0)]),
        Inst::new(Opcode::Mov, &[r(Gpr::Rcx), m(Gpr::Rsi, 8)]),
        Inst::new(Opcode::Add, &[r(Gpr::Rax), m(Gpr::Rdx, 0)]),
        Inst::new(Opcode::Adc, &[r(Gpr::Rcx), m(Gpr::Rdx, 8)]),
        Inst::new(Opcode::Add, &[r(Gpr::Rax), Operand::Memory(Address::constant(1))]),
        Inst::new(Opcode::Adc, &[r(Gpr::Rcx), Operand::Memory(Address::constant(0))]),
        Inst::new(Opcode::Mov, &[m(Gpr::Rdi, 0), r(Gpr::Rax)]),
        Inst::new(Opcode::Mov, &[m(Gpr::Rdi, 8), r(Gpr::Rcx)]),
        Inst::new(Opcode::Return, &[]),
    ];
    Program {
        name: "sum".to_string(),
        features: Features::BASELINE,
        lanes: Lanes::ONE,
        params: vec![param("o", 8, 2, true), param("a", 8, 2, false), param("b", 8, 2, false)],
        disjoint: vec![(0, 2)],
        constants: vec![5, u64::MAX],
        code,
        callees: Vec::new(),
    }
}

/// `o = a + b + c + K`.
fn sum_of_three() -> Program {
    let mut program = Program { name: "sum_of_three".to_string(), ..sum() };
    program.params.push(param("c", 8, 2, false));
    program.disjoint.push((0, 3));
    let more =
        [Inst::new(Opcode::Add, &[r(Gpr::Rax), m(Gpr::Rcx, 0)]), Inst::new(Opcode::Adc, &[r(Gpr::R8), m(Gpr::Rcx, 8)])];
    // The fourth pointer is in `rcx`.
    for inst in &mut program.code {
        for operand in inst.operands.iter_mut().filter(|operand| **operand == Some(r(Gpr::Rcx))) {
            *operand = Some(r(Gpr::R8));
        }
    }
    program.code.splice(5..5, more);
    program
}

fn load(program: &Program) -> Function {
    // SAFETY: the programs of this file are read with the eye: they touch their arrays only.
    unsafe { Function::from_unchecked(program) }.unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn calls_are_repeated_block_by_block() {
    if !is_native::<X86_64>() {
        return;
    }
    let sum = load(&sum());
    let once = |a: [u64; 2], b: [u64; 2]| {
        let mut o = [0; 2];
        sum.call(&[(&mut o).into(), (&a).into(), (&b).into()]).unwrap_or_else(|e| panic!("{e}"));
        o
    };
    let (a, b) = ([1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 11, u64::MAX]);
    let mut o = [0; 6];
    sum.call_repeated(3, &[(&mut o).into(), (&a).into(), (&b).into()]).unwrap_or_else(|e| panic!("{e}"));
    let expected: Vec<u64> = (0..3).flat_map(|i| once([a[2 * i], a[2 * i + 1]], [b[2 * i], b[2 * i + 1]])).collect();
    assert_eq!(o.as_slice(), expected);
    // Memory that is asked for is there or not, more than there are calls or less: nothing else changes.
    let mut again = [0; 6];
    let long = [0u8; 1000];
    let prefetches = [
        Prefetch::read(&a, 1 << 40),
        Prefetch::write(&o, 6),
        Prefetch::read(&long, 0),
        Prefetch::write(&long[..0], usize::MAX / 2),
    ];
    sum.call_prefetching(3, &[(&mut again).into(), (&a).into(), (&b).into()], &prefetches)
        .unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(again, o);
    // One block for all calls; the output over an input.
    let cells = Cell::from_mut(o.as_mut_slice()).as_slice_of_cells();
    sum.call_repeated(3, &[cells.into(), cells.into(), (&b[..2]).into()]).unwrap_or_else(|e| panic!("{e}"));
    let expected: Vec<u64> = (0..3).flat_map(|i| once([expected[2 * i], expected[2 * i + 1]], [b[0], b[1]])).collect();
    assert_eq!(o.as_slice(), expected);
    // Neither one block nor as many; an output of one block.
    let error = sum.call_repeated(3, &[(&mut o).into(), (&a).into(), (&b[..4]).into()]);
    assert_eq!(error, Err(CallError::Length { parameter: "b".into(), expected: 6, given: 4 }));
    let error = sum.call_repeated(3, &[(&mut o[..2]).into(), (&a).into(), (&b).into()]);
    assert_eq!(error, Err(CallError::Length { parameter: "o".into(), expected: 6, given: 2 }));
    // A number of calls that no array has: 2^63 times two elements are no `usize`.
    let error = sum.call_repeated(1 << 63, &[(&mut [0u64; 0]).into(), (&a[..2]).into(), (&b[..2]).into()]);
    assert_eq!(error, Err(CallError::Length { parameter: "o".into(), expected: usize::MAX, given: 0 }));
    // An output that begins with an input but is longer: a call would write what a later one reads.
    let mut o = [0u64; 6];
    let cells = Cell::from_mut(o.as_mut_slice()).as_slice_of_cells();
    let error = sum.call_repeated(3, &[cells.into(), (&cells[..2]).into(), (&b).into()]);
    assert!(matches!(error, Err(CallError::Overlap { .. })), "{error:?}");
    assert!(sum.call_repeated(0, &[(&mut [0u64; 0]).into(), (&[0u64; 0]).into(), (&[0u64; 0]).into()]).is_ok());
}

/// Pairs of blocks are seen before they are computed; what does not fit is as wrong as in other calls.
#[test]
fn calls_on_pairs_are_repeated_calls() {
    if !is_native::<X86_64>() {
        return;
    }
    let sum = load(&sum());
    let (a, b) = ([1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 11, u64::MAX]);
    let (mut wanted, mut given) = ([0; 6], [0; 6]);
    sum.call_repeated(3, &[(&mut wanted).into(), (&a).into(), (&b).into()]).unwrap_or_else(|e| panic!("{e}"));
    let pairs = OnPairs::new(sum).expect("an output and two inputs of two words");
    let (x, y, mut out) = (a.as_chunks::<2>().0, b.as_chunks::<2>().0, [[0; 2]; 3]);
    // Whatever number of calls, of code for more words before; in place.
    let all = [pairs.clone(), pairs.clone()];
    for codes in [&all[..1], &all[..]] {
        given.fill(0);
        assert!(OnPairs::some_at_once(codes, &mut given, Some(&a), &[&b]));
        assert_eq!(given, wanted);
        let mut own = a;
        assert!(OnPairs::some_at_once(codes, &mut own, None, &[&b]));
        assert_eq!(own, wanted);
        assert!(OnPairs::some_at_once(codes, &mut given[..0], Some(&[]), &[&[]]));
        // Arrays of different length, and what is no whole number of calls.
        given.fill(0);
        assert!(!OnPairs::some_at_once(codes, &mut given, Some(&a[..4]), &[&b]));
        assert!(!OnPairs::some_at_once(codes, &mut given, Some(&a), &[&b[..4]]));
        assert!(!OnPairs::some_at_once(codes, &mut given[..4], Some(&a), &[&b]));
        assert_eq!(given, [0; 6]);
        assert!(!OnPairs::some_at_once(codes, &mut given[..5], Some(&a[..5]), &[&b[..5]]));
        assert_eq!((&given[..4], &given[4..]), (&wanted[..4], &[0; 2][..]));
    }
    assert!(!OnPairs::some_at_once(&[], &mut given, Some(&a), &[&b]));
    // Tested, in place as well; of one number a call or of two of one word.
    let (limit, short) = (Limit::new(&[7, u64::MAX]).expect("two words"), Limit::new(&[7]).expect("a word"));
    assert_eq!(pairs.tested(&limit, &mut out, Some(x), &[y]), Some(true));
    assert_eq!(out.as_flattened(), wanted);
    assert_eq!(pairs.tested(&limit, &mut out, Some(x), &[&[[7, 8]; 3]]), Some(false));
    let (mut twice, mut first) = (x.to_vec(), a);
    assert_eq!(pairs.tested(&limit, &mut twice, None, &[y]), Some(true));
    assert_eq!(twice.as_flattened(), wanted);
    assert_eq!(pairs.tested(&short, first.as_chunks_mut::<1>().0, None, &[b.as_chunks::<1>().0]), Some(true));
    assert_eq!(first, wanted);
    assert_eq!(pairs.tested(&limit, &mut out[..2], Some(x), &[y]), None);
    assert_eq!(pairs.tested(&short, &mut [[0]; 5], None, &[&[[0]; 5]]), None);
    assert_eq!(pairs.tested(&short, &mut out, None, &[y]), None);
}

/// One number, of two inputs and of three, by a call with its checks and by the call alone.
#[test]
fn calls_on_one_number() {
    if !is_native::<X86_64>() {
        return;
    }
    let wide = |x: &[u64]| u128::from(x[0]) | u128::from(x[1]) << 64;
    let k = wide(&[u64::MAX, 5]);
    let (a, b, c) = ([u64::MAX, 3], [2, 4], [u64::MAX, 6]);
    let pairs = OnPairs::new(load(&sum())).expect("two inputs");
    let triples = OnTriples::new(load(&sum_of_three())).expect("three inputs");
    assert!(OnPairs::new(load(&sum_of_three())).is_none() && OnTriples::new(load(&sum())).is_none());
    for call in [OnPairs::alone, OnPairs::at_once] {
        let mut out = [9; 2];
        assert!(call(&pairs, &mut out, Some(&a), &[&b]));
        assert_eq!(wide(&out), wide(&a).wrapping_add(wide(&b)).wrapping_add(k));
        assert!(call(&pairs, &mut out, None, &[&b]));
        assert_eq!(wide(&out), wide(&a).wrapping_add(2 * wide(&b)).wrapping_add(k).wrapping_add(k));
        let before = out;
        assert!(!call(&pairs, &mut out, Some(&a[..1]), &[&b]) && !call(&pairs, &mut out, Some(&a), &[&[1; 4]]));
        assert!(!call(&pairs, &mut out[..1], Some(&a), &[&b]) && !call(&pairs, &mut out, None, &[&[]]));
        assert_eq!(out, before);
        assert!(!call(&pairs, &mut [0; 4], Some(&[0; 4]), &[&[0; 4]]), "two numbers");
    }
    for call in [OnTriples::alone, OnTriples::at_once] {
        let mut out = [9; 2];
        assert!(call(&triples, &mut out, Some(&a), &[&b, &c]));
        assert_eq!(wide(&out), wide(&a).wrapping_add(wide(&b)).wrapping_add(wide(&c)).wrapping_add(k));
        let before = out;
        assert!(!call(&triples, &mut out, Some(&a), &[&b, &c[..1]]) && !call(&triples, &mut out, Some(&a), &[&[], &c]));
        assert_eq!(out, before);
    }
}

#[test]
fn a_call_computes() {
    if !is_native::<X86_64>() {
        return;
    }
    let sum = load(&sum());
    let mut o = [0; 2];
    let (a, b) = ([u64::MAX, 3], [2, 4]);
    sum.call(&[(&mut o).into(), (&a).into(), (&b).into()]).unwrap_or_else(|e| panic!("{e}"));
    let wide = |x: [u64; 2]| u128::from(x[0]) | u128::from(x[1]) << 64;
    assert_eq!(wide(o), wide(a) + wide(b) + wide([u64::MAX, 5]));
    // The same array twice as inputs, and the output exactly over the first input.
    let x = [Cell::new(1u64 << 63), Cell::new(1)];
    sum.call(&[Argument::from(&x[..]), Argument::from(&x[..]), (&a).into()]).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(wide([x[0].get(), x[1].get()]), (1u128 << 63 | 1 << 64) + wide(a) + wide([u64::MAX, 5]));
    sum.call(&[(&mut o).into(), (&a).into(), (&a).into()]).unwrap_or_else(|e| panic!("{e}"));
}

#[test]
fn wrong_arguments_run_nothing() {
    if !is_native::<X86_64>() {
        return;
    }
    let sum = load(&sum());
    let (mut o, a) = ([0u64; 2], [1u64; 2]);
    let call = |arguments: &[Argument<'_>]| sum.call(arguments).map_err(|e| e.to_string());
    assert_eq!(call(&[(&mut o).into(), (&a).into()]), Err("sum takes 3 arguments, not 2".to_string()));
    assert_eq!(call(&[(&mut o).into(), (&a).into(), (&[1u64; 3]).into()]), Err("b has 2 elements, not 3".to_string()));
    assert_eq!(
        call(&[(&mut o).into(), (&a).into(), (&[1u32; 4]).into()]),
        Err("b has elements of 8 bytes, not 4".to_string())
    );
    assert_eq!(
        call(&[(&a).into(), (&a).into(), (&a).into()]),
        Err("o is written: give it a mutable slice or a slice of cells".to_string())
    );
    let x: Vec<Cell<u64>> = (0..4).map(Cell::new).collect();
    let overlap = |i: usize, j: usize, k: usize| {
        sum.call(&[Argument::from(&x[i..i + 2]), Argument::from(&x[j..j + 2]), Argument::from(&x[k..k + 2])])
    };
    let error =
        |first: &str, second: &str| Err(CallError::Overlap { first: first.to_string(), second: second.to_string() });
    assert_eq!(overlap(0, 1, 2), error("o", "a"), "half over it");
    assert_eq!(overlap(0, 2, 0), error("o", "b"), "exactly over an input that the program names");
    assert_eq!(overlap(1, 1, 2), error("o", "b"));
    assert_eq!(o, [0; 2]);
    assert_eq!(x.iter().map(Cell::get).collect::<Vec<_>>(), [0, 1, 2, 3]);
    assert_eq!(overlap(0, 0, 2), Ok(()));
    assert_eq!(overlap(0, 2, 2), Ok(()), "what is only read may lie as it likes");
}

#[test]
fn what_cannot_run_is_an_error() {
    let mut p = sum();
    p.params.clear();
    // SAFETY: nothing is called.
    let refused = |p: &Program| unsafe { Function::from_unchecked(p) }.expect_err("refused");
    if !is_native::<X86_64>() {
        assert!(matches!(refused(&p), JitError::AnotherProcessor(_)));
        return;
    }
    assert_eq!(refused(&p).to_string(), "sum has 0 parameters; calls pass 1 to 16");
    p = sum();
    p.params[1].element_bytes = 3;
    assert!(matches!(refused(&p), JitError::ElementSize { bytes: 3, .. }));
    p = sum();
    p.features = Features::ADX;
    let offered = features::<X86_64>().expect("native");
    // SAFETY: as above; and the code is that of `sum`, which runs anywhere.
    assert_eq!(unsafe { Function::from_unchecked(&p) }.is_ok(), offered.covers(Features::ADX));
    p.code.push(Inst::new(Opcode::Jump, &[Operand::Label(9)]));
    assert!(matches!(refused(&p), JitError::Encode(_)) || !offered.covers(Features::ADX));
}

#[test]
fn eight_parameters_reach_the_stack() {
    if !is_native::<X86_64>() {
        return;
    }
    // o = the words behind all seven other pointers, added: the seventh and eighth pointer lie above the return
    // address.
    let mut code = vec![Inst::new(Opcode::Mov, &[r(Gpr::Rax), m(Gpr::Rsi, 0)])];
    for gpr in [Gpr::Rdx, Gpr::Rcx, Gpr::R8, Gpr::R9] {
        code.push(Inst::new(Opcode::Add, &[r(Gpr::Rax), m(gpr, 0)]));
    }
    for displacement in [8, 16] {
        code.push(Inst::new(Opcode::Mov, &[r(Gpr::R10), m(Gpr::Rsp, displacement)]));
        code.push(Inst::new(Opcode::Add, &[r(Gpr::Rax), m(Gpr::R10, 0)]));
    }
    code.push(Inst::new(Opcode::Mov, &[m(Gpr::Rdi, 0), r(Gpr::Rax)]));
    code.push(Inst::new(Opcode::Return, &[]));
    let names = ["o", "a", "b", "c", "d", "e", "f", "g"];
    let params = names.iter().map(|n| param(n, 8, 1, *n == "o")).collect();
    let program = Program {
        name: "eight".to_string(),
        features: Features::BASELINE,
        lanes: Lanes::ONE,
        params,
        disjoint: vec![],
        constants: vec![],
        code,
        callees: Vec::new(),
    };
    let words: Vec<[u64; 1]> = (0..7).map(|i| [10u64.pow(i)]).collect();
    let mut o = [0u64];
    let mut arguments = vec![Argument::from(&mut o)];
    arguments.extend(words.iter().map(Argument::from));
    load(&program).call(&arguments).unwrap_or_else(|e| panic!("{e}"));
    drop(arguments);
    assert_eq!(o, [1_111_111]);
}
