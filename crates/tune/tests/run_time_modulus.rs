//! Operations by moduli supplied at run time: every plan against big integers, with another random odd modulus for each call,
//! through the interpreter, machine code and C. (In lanes, one modulus in each: `lane_vectors.rs`.)

use crate::support;

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::support::{Case, cases, encoded, field, full, interpret};
use evariste_algorithms::Operation;
use evariste_algorithms::reduction::run_time_modulus::inverse;
use evariste_descriptions::OddModuli;
use evariste_testing::turn;
use evariste_tune::evaluate::{Callable, Evaluator, reference};
use evariste_tune::operands::Stream;
use num_bigint::{BigInt, BigUint};

/// Calls of each kernel.
const SETS: usize = 40;
/// One kernel in that many is compiled as C in a default run.
const C_STRIDE: usize = 40;
/// The same in a full run, where compilers take too long for all: others each day.
const C_STRIDE_FULL: usize = 5;

/// A modulus: short, long, all ones but some, one bit and little else; 1 now and then.
fn modulus(stream: &mut Stream, bits: u32) -> BigInt {
    let bound: BigInt = (BigInt::from(1) << bits) - 1;
    let mut p = match stream.word() % 8 {
        0 => BigInt::from(1),
        1 => bound.clone(),
        2 => (BigInt::from(1) << (bits - 1)) + 1,
        3 => stream.number(&BigInt::from(u32::MAX)),
        4 => &bound - (stream.word() >> 8),
        _ => stream.number(&bound),
    };
    p.set_bit(0, true);
    p
}

/// Numbers of a call, by their names: operands, modulus, inverse, `R² mod p`.
fn sets(case: &Case, bits: u32, seed: u64) -> Vec<Vec<BigInt>> {
    let (kernel, mut stream) = (case.kernel(), Stream::new(seed));
    let (inputs, r) = (&kernel.contract.inputs, case.plan.layout.factor());
    let one = |i: usize, stream: &mut Stream| {
        let p = modulus(stream, bits);
        let operand = |(j, o): (usize, &evariste_ir::Operand)| {
            // The greatest of all, the greatest by the modulus, any.
            let most = o.below.map_or_else(|| o.bound.clone(), |b| &p * b.multiple - 1);
            match (o.name.as_str(), (i + j) % 5) {
                ("modulus", _) => p.clone(),
                ("inverse", _) => inverse(&p, case.plan.layout.word),
                ("square", _) => &r * &r % &p,
                (_, 0) => most,
                (_, 1) => (&p - 1u32).min(most),
                _ => stream.number(&most),
            }
        };
        inputs.iter().enumerate().map(operand).collect()
    };
    (0..SETS).map(|i| one(i, &mut stream)).collect()
}

/// Is the result what it should be: congruent, and as small as the contract says?
fn complaint(case: &Case, set: &[BigInt], out: &BigInt) -> Option<String> {
    let inputs = &case.kernel().contract.inputs;
    let at = |name: &str| inputs.iter().position(|o| o.name == name).map(|i| &set[i]);
    let (one, a, r) = (BigInt::from(1), &set[0], case.plan.layout.factor());
    let b = set.get(1).unwrap_or(a);
    // What `factor · out` is, or out itself.
    let (factor, right) = match case.plan.operation.row().name {
        "mul" => (&r, a * b),
        "square" => (&r, a * a),
        "from_montgomery" => (&r, a.clone()),
        "to_montgomery" => (&one, a * &r),
        "add" => (&one, a + b),
        "sub" => (&one, a - b),
        "opp" => (&one, -a),
        "equal" => {
            return (*out != BigInt::from(u32::from(a == b)))
                .then(|| format!("{}: {set:x?} gives {out}", case.title()));
        }
        _ => (&one, a.clone()),
    };
    let p = at("modulus")?;
    let claim = case.kernel().contract.claims[0].output();
    let fine = (factor * out - right) % p == BigInt::ZERO && claim.below.is_some_and(|b| *out < p * b.multiple);
    (!fine).then(|| format!("{}: {set:x?} gives {out:x}", case.title()))
}

/// Every operation by a run-time modulus.
const OPERATIONS: [Operation; 9] = [
    Operation::MUL,
    Operation::SQUARE,
    Operation::ADD,
    Operation::SUB,
    Operation::OPP,
    Operation::TO_MONTGOMERY,
    Operation::FROM_MONTGOMERY,
    Operation::CANONICAL,
    Operation::EQUAL,
];

#[test]
fn every_plan_agrees_with_big_integers() {
    let seeds = if full() { 8 } else { 1 };
    let in_c = |i: usize| if full() { turn(i, C_STRIDE_FULL) == 0 } else { i.is_multiple_of(C_STRIDE) };
    let compiler = support::compilers("operations by run-time moduli").into_iter().next();
    let features = evariste_backend::features::<evariste_codegen::x86_64::X86_64>().ok();
    let (mut complaints, mut kernels) = (Vec::new(), 0);
    let (calls, assembled, compiled) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
    let all_bits: &[u32] = if full() { &[62, 254, 256, 381] } else { &[254, 256] };
    for &bits in all_bits {
        let f = field(&format!("odd{bits}"));
        let words: &[u32] = if full() { &[64, 32] } else { &[64] };
        let all: Vec<Case> = cases(&f, words, &OPERATIONS)
            .into_iter()
            .enumerate()
            .filter(|(i, _)| full() || i % 3 == 0)
            .map(|(_, case)| case)
            .collect();
        assert!(all.len() > 40, "odd{bits}: {} kernels are proved", all.len());
        for (i, case) in all.iter().enumerate() {
            kernels += 1;
            let sets: Vec<_> = (0..seeds).flat_map(|seed| sets(case, bits, seed + i as u64)).collect();
            let mut judge = |results: Vec<BigInt>| {
                calls.fetch_add(results.len(), Ordering::Relaxed);
                complaints.extend(sets.iter().zip(&results).filter_map(|(set, out)| complaint(case, set, out)));
            };
            judge(
                interpret(&evariste_ir::Interpreter::checking_ranges(case.kernel()), &sets)
                    .unwrap_or_else(|e| panic!("{}: {e}", case.title())),
            );
            let run = |code: &evariste_backend::Made| {
                sets.iter().map(|set| support::run_compiled(case.kernel(), code, set)).collect()
            };
            if let Some(code) = features.filter(|_| case.plan.layout.word == 64).and_then(|features| {
                evariste_backend::assemble::<evariste_codegen::x86_64::X86_64>(&case.proved, features, None).ok()
            }) {
                assembled.fetch_add(1, Ordering::Relaxed);
                judge(run(&code));
            }
            if let Some(compiler) = compiler.as_ref().filter(|_| in_c(i)) {
                compiled.fetch_add(1, Ordering::Relaxed);
                judge(run(&evariste_backend::c::compile(&case.proved, compiler)
                    .unwrap_or_else(|e| panic!("{}: {e}", case.title()))));
            }
        }
    }
    println!("{kernels} kernels, {assembled:?} assembled, {compiled:?} compiled, {calls:?} results");
    support::none(&complaints);
    assert!(features.is_none() || assembled.into_inner() > 40);
}

#[test]
fn numbers_go_in_and_come_out() {
    let f = field("odd254");
    let number = |text: &str| BigUint::parse_bytes(text.as_bytes(), 10).expect("decimal digits");
    let operations = [
        Operation::MUL,
        Operation::ADD,
        Operation::SUB,
        Operation::OPP,
        Operation::TO_MONTGOMERY,
        Operation::FROM_MONTGOMERY,
        Operation::CANONICAL,
        Operation::IS_ZERO,
        Operation::EQUAL,
        Operation::SELECTZNZ,
    ];
    let mut known = 0;
    for operation in &operations {
        let (cases, names) =
            (cases(&f, &[64], std::slice::from_ref(operation)), evariste_tune::evaluate::operand_names(&f, operation));
        for p in
            ["1", "3", "15", "1000003", "28948022309329048855892746252171976963317496166410141009864396001978282409983"]
        {
            let value = |name: &&str| match *name {
                "modulus" => number(p),
                "flag" => BigUint::from(1u32),
                "a" => number("123456789123456789"),
                _ => number("987654321"),
            };
            let x: Vec<BigUint> = names.iter().map(value).collect();
            let right = reference(&f, operation, &x).expect("a reference");
            for case in cases.iter().take(3) {
                let out = Callable::new(case.proved.clone(), None, None)
                    .map(|callable| Evaluator::new(&f, operation, &case.plan.layout, callable))
                    .and_then(|kernel| kernel.evaluate(&x))
                    .unwrap_or_else(|e| panic!("{e}"));
                assert_eq!(out, right, "modulo {p} by {}", case.title());
                known += 1;
            }
            if *operation == Operation::MUL {
                assert_eq!(right, &x[0] * &x[1] % &x[2]);
            }
        }
    }
    assert!(known > 80, "{known} results");
    let fails = |x: &[&str]| {
        reference(&f, &Operation::MUL, &x.iter().map(|x| number(x)).collect::<Vec<_>>())
            .expect_err("no answer")
            .to_string()
    };
    assert_eq!(
        fails(&["1", "2", "16"]),
        "the modulus 0x10 is even: Montgomery needs an odd modulus\nhelp: write an odd number of at most 254 bits"
    );
    assert!(
        fails(&["1", "2", "57896044618658097711785492504343953926634992332820282019728792003956564819949"])
            .contains("has 255 bits, more than 254")
    );
    assert!(fails(&["1", "2"]).contains("`mul` takes 3 operands (a, b, modulus), and got 2"));
}

#[test]
fn inputs_of_vectors_are_admissible() {
    let f = field("odd256");
    for case in cases(&f, &[64], &OPERATIONS).iter().step_by(3) {
        for set in evariste_tune::operands::operand_values(case.kernel(), 24, 1) {
            let named = evariste_tune::encode::named(case.kernel(), &encoded(case.kernel(), &set));
            assert_eq!(evariste_ir::inadmissible(case.kernel(), &named), None, "{}", case.title());
        }
    }
    assert!(f.get::<OddModuli>().is_some());
}
