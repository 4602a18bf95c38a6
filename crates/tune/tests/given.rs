//! Products by moduli that are given: every plan against big integers, with another random odd modulus for each call, through the interpreter, machine code and C.
//! (In lanes, one modulus in each: `lane_vectors.rs`.)

mod support;

use std::sync::atomic::{AtomicUsize, Ordering};

use evariste_algorithms::Operation;
use evariste_algorithms::reduction::given::inverse;
use evariste_spec::Field;
use evariste_tune::evaluate::{by_kernel, reference};
use evariste_tune::measure;
use evariste_tune::operands::Stream;
use num_bigint::{BigInt, BigUint};
use support::{Case, cases, encoded, field, full, interpret};

/// Calls of each kernel.
const SETS: usize = 40;
/// One kernel in that many is compiled as C in a default run.
const C_STRIDE: usize = 40;

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

/// Numbers of a call: operands, modulus, inverse.
fn sets(case: &Case, bits: u32, seed: u64) -> Vec<Vec<BigInt>> {
    let (kernel, mut stream) = (case.kernel(), Stream::new(seed));
    let operands = kernel.contract.inputs.len() - 2;
    let one = |i: usize, stream: &mut Stream| {
        let p = modulus(stream, bits);
        let mut all: Vec<BigInt> = (0..operands)
            .map(|j| match (i + j) % 5 {
                // What is not below p, too.
                0 => kernel.contract.inputs[j].bound.clone(),
                1 => BigInt::from(&p * 2 - 1).min(kernel.contract.inputs[j].bound.clone()),
                _ => stream.number(&kernel.contract.inputs[j].bound),
            })
            .collect();
        all.push(p.clone());
        all.push(inverse(&p, case.plan.layout.word));
        all
    };
    (0..SETS).map(|i| one(i, &mut stream)).collect()
}

/// Is `R·out ≡ a·b` (or `a²`, or `a`)?
fn complaint(case: &Case, set: &[BigInt], out: &BigInt) -> Option<String> {
    let (operands, p) = (&set[..set.len() - 2], &set[set.len() - 2]);
    let product = match case.plan.operation {
        Operation::Mul => &operands[0] * &operands[1],
        Operation::Square => &operands[0] * &operands[0],
        _ => operands[0].clone(),
    };
    let claim = case.kernel().contract.claims[0].output();
    let right = (case.plan.layout.factor() * out - product) % p == BigInt::ZERO && *out <= claim.bound;
    (!right).then(|| format!("{}: {set:x?} gives {out:x}", case.title()))
}

#[test]
fn every_plan_agrees_with_big_integers() {
    let seeds = if full() { 8 } else { 1 };
    let compiler = support::compilers("products by given moduli").into_iter().next();
    let features = measure::machine_code().ok();
    let (mut complaints, mut kernels) = (Vec::new(), 0);
    let (calls, assembled, compiled) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
    let all_bits: &[u32] = if full() { &[62, 254, 256, 381] } else { &[254, 256] };
    for &bits in all_bits {
        let f = field(&format!("odd{bits}"));
        let words: &[u32] = if full() { &[64, 32] } else { &[64] };
        let all = cases(&f, words, &[Operation::Mul, Operation::Square, Operation::FromMontgomery]);
        assert!(all.len() > 40, "odd{bits}: {} kernels are proved", all.len());
        for (i, case) in all.iter().enumerate() {
            kernels += 1;
            let sets: Vec<_> = (0..seeds).flat_map(|seed| sets(case, bits, seed + i as u64)).collect();
            let mut judge = |results: Vec<BigInt>| {
                calls.fetch_add(results.len(), Ordering::Relaxed);
                complaints.extend(sets.iter().zip(&results).filter_map(|(set, out)| complaint(case, set, out)));
            };
            judge(interpret(&evariste_ir::Interpreter::checking_ranges(case.kernel()), &sets).unwrap_or_else(|e| panic!("{}: {e}", case.title())));
            let run = |code: &measure::Compiled| sets.iter().map(|set| support::run_compiled(case.kernel(), code, set)).collect();
            if let Some(code) = features.filter(|_| case.plan.layout.word == 64).and_then(|features| measure::assemble(&case.proved, features, None).ok()) {
                assembled.fetch_add(1, Ordering::Relaxed);
                judge(run(&code));
            }
            if let Some(compiler) = compiler.as_ref().filter(|_| full() || i % C_STRIDE == 0) {
                compiled.fetch_add(1, Ordering::Relaxed);
                judge(run(&measure::compile(&case.proved, compiler).unwrap_or_else(|e| panic!("{}: {e}", case.title()))));
            }
        }
    }
    println!("{kernels} kernels, {assembled:?} assembled, {compiled:?} compiled, {calls:?} results");
    support::none(&complaints);
    assert!(features.is_none() || assembled.into_inner() > 60);
}

#[test]
fn numbers_go_in_and_come_out() {
    let f = field("odd254");
    let number = |text: &str| BigUint::parse_bytes(text.as_bytes(), 10).expect("decimal digits");
    for p in ["1", "3", "15", "1000003", "28948022309329048855892746252171976963317496166410141009864396001978282409983"] {
        let x = [number("123456789123456789"), number("987654321"), number(p)];
        let right = &x[0] * &x[1] % &x[2];
        assert_eq!(reference(&f, &Operation::Mul, &x).expect("a reference"), right);
        for case in cases(&f, &[64], &[Operation::Mul]).iter().take(3) {
            let (out, _) = by_kernel(&f, &case.plan.layout, &case.proved, None, &x, None).unwrap_or_else(|e| panic!("{e}"));
            assert_eq!(out, right, "modulo {p} by {}", case.title());
        }
    }
    let fails = |x: &[&str]| reference(&f, &Operation::Mul, &x.iter().map(|x| number(x)).collect::<Vec<_>>()).expect_err("no answer").to_string();
    assert_eq!(fails(&["1", "2", "16"]), "the modulus 0x10 is even: Montgomery needs an odd modulus\nhelp: write an odd number of at most 254 bits");
    assert!(fails(&["1", "2", "57896044618658097711785492504343953926634992332820282019728792003956564819949"]).contains("has 255 bits, more than 254"));
    assert!(fails(&["1", "2"]).contains("`mul` takes 3 operands (a, b, modulus), 2 given"));
}

#[test]
fn inputs_of_vectors_are_admissible() {
    let f = field("odd256");
    for case in cases(&f, &[64], &[Operation::Mul, Operation::FromMontgomery]).iter().take(40) {
        for set in evariste_tune::operands::operand_values(case.kernel(), 24, 1) {
            let named = evariste_tune::encode::named(case.kernel(), &encoded(case.kernel(), &set));
            assert_eq!(evariste_ir::inadmissible(case.kernel(), &named), None, "{}", case.title());
        }
    }
    assert!(matches!(f, Field::Odd(_)));
}
