//! Products, squares and additions of every plan at 64 bits, interpreted with every range checked, against two
//! libraries of big integers by different authors: num-bigint and dashu-int. Operands crowd at the edges; products also
//! run in chains, each on the results before.
//!
//! By default one product, drawn anew each day, stands before each reduction; with `EVARISTE_FULL=1` every pair is tried.
//! Streams are fixed: a complaint names its seed. `EVARISTE_FULL=1` takes sixteen seeds where a default run takes one.

use crate::support;

use crate::support::{Case, Form, encoded, field, full, interpret, sampled_cases};
use dashu_int::UBig;
use evariste_algorithms::Operation;
use evariste_descriptions::{Field, Modulus};
use evariste_ir::Interpreter;
use evariste_tune::encode::{bits, decode};
use evariste_tune::operands::{Stream, edges};
use num_bigint::{BigInt, BigUint};
use rayon::prelude::*;

/// What people use, and moduli with the properties that break hasty code.
const FIELDS: &[&str] = &[
    "p256",
    "25519",
    "secp256k1",
    "bls12-381-fp",
    "p521",
    "448",
    "dfc",
    "goldilocks",
    // Top bit set, lowest digit all ones.
    "0xf7d3a1b59c3e5f86e1a4d92b0c77a3516b9d0e8f2c4a6b8dffffffffffffffff",
    // Top digit 1.
    "0x1b3d5f7192a4c6e80f1e2d3c4b5a69788796a5b4c3d2e1f01",
    // Digits almost all ones, the lowest 1.
    "0xfffffffffffffffefffffffffffffffefffffffffffffffd0000000000000001",
    // Top bit set and little else.
    "0x8000000000000000000000000000000000000000000000000000000000000003",
    // All digits all ones but one bit.
    "0xffffffffffffffffffffffffffffffffffffffffffffffffefffffffffffffff",
    // One digit, top bit set and dense.
    "0xfedcba9876543211",
];

/// Sets of operands for each plan and seed.
const SETS: usize = 512;

/// Steps of a chain, and chains side by side.
const STEPS: usize = 300;
const CHAINS: usize = 8;

fn seeds() -> std::ops::Range<u64> {
    0..if full() { 16 } else { 1 }
}

/// The edges of an operand: those of its bound and of the modulus, 2^k − 1, 2^k, 2^k + 1, the factor of its form.
fn all_edges(bound: &BigInt, p: &BigInt, factor: &BigInt) -> Vec<BigInt> {
    let mut all = edges(bound, 64);
    all.extend([
        p - 1,
        p.clone(),
        p + 1,
        (p - 1) / 2,
        (p + 1) / 2,
        p * 2 - 1,
        factor % p,
        p - factor % p,
        factor * factor % p,
    ]);
    for k in 1..=bound.bits() {
        if k % 32 <= 1 || k % 32 == 31 || k + 2 > bound.bits() {
            let power = BigInt::from(1) << k;
            all.extend([&power - 1, &power + 1, power]);
        }
    }
    all.retain(|x| *x >= BigInt::ZERO && x <= bound);
    all.sort();
    all.dedup();
    all
}

/// A number in `[0, bound]`: an edge, one of them from below the bound, a run of ones in zeros or of zeros in ones, or
/// random.
fn operand(stream: &mut Stream, bound: &BigInt, edges: &[BigInt]) -> BigInt {
    let edge = |stream: &mut Stream| edges[(stream.word() % edges.len() as u64) as usize].clone();
    let x = match stream.word() % 8 {
        0..=2 => edge(stream),
        3 => bound - edge(stream),
        4 | 5 => {
            let size = bound.bits() + 1;
            let (i, j) = (stream.word() % size, stream.word() % size);
            let run = (BigInt::from(1) << i.max(j)) - (BigInt::from(1) << i.min(j));
            if stream.word() & 1 == 0 { run } else { (BigInt::from(1) << bound.bits()) - 1 - run }
        }
        _ => stream.number(bound),
    };
    x % (bound + 1)
}

/// Residues by one library: of `out·factor`, and of what it should be.
trait Residues {
    fn residues(operation: &Operation, p: &BigInt, factor: &BigInt, x: &[BigInt], out: &BigInt) -> (String, String);
}

struct NumBigint;
impl Residues for NumBigint {
    fn residues(operation: &Operation, p: &BigInt, factor: &BigInt, x: &[BigInt], out: &BigInt) -> (String, String) {
        let (p, factor, out) = (p.magnitude(), factor.magnitude(), out.magnitude());
        let x: Vec<&BigUint> = x.iter().map(BigInt::magnitude).collect();
        let negative = |y: &BigUint| p - y % p;
        let right = match operation.row().name {
            "mul" => x[0] * x[1],
            "square" => x[0] * x[0],
            "add" => x[0] + x[1],
            "sub" => x[0] + negative(x[1]),
            _ => negative(x[0]),
        };
        let left = if operation.is_any(&[Operation::MUL, Operation::SQUARE]) { out * factor } else { out.clone() };
        ((left % p).to_str_radix(16), (right % p).to_str_radix(16))
    }
}

struct Dashu;
impl Residues for Dashu {
    fn residues(operation: &Operation, p: &BigInt, factor: &BigInt, x: &[BigInt], out: &BigInt) -> (String, String) {
        let take = |y: &BigInt| UBig::from_le_bytes(&y.magnitude().to_bytes_le());
        let (p, factor, out) = (take(p), take(factor), take(out));
        let x: Vec<UBig> = x.iter().map(take).collect();
        let negative = |y: &UBig| &p - y % &p;
        let right = match operation.row().name {
            "mul" => &x[0] * &x[1],
            "square" => x[0].sqr(),
            "add" => &x[0] + &x[1],
            "sub" => &x[0] + negative(&x[1]),
            _ => negative(&x[0]),
        };
        let left = if operation.is_any(&[Operation::MUL, Operation::SQUARE]) { out * factor } else { out };
        ((left % &p).in_radix(16).to_string(), (right % &p).in_radix(16).to_string())
    }
}

fn modulus(field: &Field) -> BigInt {
    let Some(m) = field.get::<Modulus>() else { panic!("{} is not a modulus", field.name()) };
    m.value.clone().into()
}

/// The first few results of a case that are not as either library says, or not within their bound.
fn differences(case: &Case, seed: u64) -> Vec<String> {
    let kernel = case.kernel();
    let (p, factor) = (modulus(&case.plan.field), case.plan.layout.factor());
    let edges: Vec<Vec<BigInt>> = kernel.contract.inputs.iter().map(|o| all_edges(&o.bound, &p, &factor)).collect();
    let mut stream = Stream::new(seed);
    let set = |_| kernel.contract.inputs.iter().zip(&edges).map(|(o, e)| operand(&mut stream, &o.bound, e)).collect();
    let sets: Vec<Vec<BigInt>> = (0..SETS).map(set).collect();
    let results = match interpret(&Interpreter::checking_ranges(kernel), &sets) {
        Ok(results) => results,
        Err(e) => return vec![format!("{}, seed {seed}: {e}", case.title())],
    };
    let bound = &kernel.contract.claims[0].output().bound;
    let mut complaints = Vec::new();
    for (x, out) in sets.iter().zip(&results) {
        let judges = [
            ("num-bigint", NumBigint::residues(&case.plan.operation, &p, &factor, x, out)),
            ("dashu-int", Dashu::residues(&case.plan.operation, &p, &factor, x, out)),
        ];
        for (library, (left, right)) in judges {
            if left != right {
                complaints.push(format!(
                    "{}, seed {seed}: {x:x?} gives {out:x}: residue {left}, by {library} {right}",
                    case.title()
                ));
            }
        }
        if *out < BigInt::ZERO || out > bound {
            complaints.push(format!("{}, seed {seed}: {x:x?} gives {out:x}, above {bound:x}", case.title()));
        }
    }
    complaints.truncate(4);
    complaints
}

/// `(a, b) ← (a·b, a)` (`a ← a²` for squares), the words of each result handed on as they are; the value compared at
/// every step.
fn chain(case: &Case, seed: u64) -> Option<String> {
    let kernel = case.kernel();
    let form = Form::new(&case.plan.field, &case.plan.layout).expect("a modulus prime to 2");
    let p = modulus(&case.plan.field);
    let mut stream = Stream::new(seed);
    let inputs = &kernel.contract.inputs;
    let arrays: Vec<_> = inputs.iter().map(|o| o.digits[0].array).collect();
    let output = kernel.contract.claims[0].output();
    let out = output.digits[0].array;
    let interpreter = Interpreter::checking_ranges(kernel);
    let mut batch = interpreter.batch(CHAINS);
    // Plain values of the operands of each chain.
    let mut values: Vec<Vec<BigUint>> = Vec::new();
    let edges = all_edges(&inputs[0].bound, &p, &case.plan.layout.factor());
    for lane in 0..CHAINS {
        let x: Vec<BigInt> =
            inputs.iter().map(|o| operand(&mut stream, &o.bound, &edges).max(BigInt::from(2))).collect();
        for (array, elements) in encoded(kernel, &x) {
            for (i, e) in elements.iter().enumerate() {
                batch.set(array, i as u32, lane, bits(e) as u128);
            }
        }
        values.push(x.iter().map(|x| form.plain(x)).collect());
    }
    for step in 0..STEPS {
        if let Some(v) = interpreter.run(&mut batch).violations.first() {
            return Some(format!("{}, seed {seed}, chain {}, step {step}: {v}", case.title(), v.lane));
        }
        for (lane, x) in values.iter_mut().enumerate() {
            let right =
                x.iter().product::<BigUint>() * if x.len() == 1 { x[0].clone() } else { 1u32.into() } % p.magnitude();
            let words: Vec<_> = kernel.params().map(|a| (a, interpreter.values(&batch, a, lane))).collect();
            let held = decode(output, &words);
            if form.plain(&held) != right {
                return Some(format!(
                    "{}, seed {seed}, chain {lane}, step {step}: {x:x?} gives {:x}, not {right:x}",
                    case.title(),
                    form.plain(&held)
                ));
            }
            // What a and the result hold moves to b and a.
            for i in 0..kernel.array(out).len {
                if let Some(b) = arrays.get(1) {
                    let word = batch.get(arrays[0], i, lane);
                    batch.set(*b, i, lane, word);
                }
                let word = batch.get(out, i, lane);
                batch.set(arrays[0], i, lane, word);
            }
            x.truncate(arrays.len());
            x.insert(0, right);
            x.truncate(arrays.len());
        }
    }
    None
}

#[test]
fn results_agree_with_two_libraries() {
    let operations = [Operation::MUL, Operation::SQUARE, Operation::ADD, Operation::SUB, Operation::OPP];
    let mut complaints = Vec::new();
    for name in FIELDS {
        let cases = sampled_cases(&field(name), &[64], &operations);
        for operation in &operations {
            assert!(cases.iter().any(|c| c.plan.operation == *operation), "{name}: no plan for {}", operation.name());
        }
        println!("{name}: {} plans, {} sets of operands each", cases.len(), SETS * seeds().count());
        complaints.par_extend(
            cases.par_iter().flat_map(|case| seeds().flat_map(|seed| differences(case, seed)).collect::<Vec<_>>()),
        );
    }
    support::none(&complaints);
}

#[test]
fn chains_of_products_stay_right() {
    let mut complaints = Vec::new();
    for name in FIELDS {
        let cases = sampled_cases(&field(name), &[64], &[Operation::MUL, Operation::SQUARE]);
        println!("{name}: {} plans, {CHAINS} chains of {STEPS} steps", cases.len());
        complaints.par_extend(
            cases.par_iter().flat_map(|case| seeds().filter_map(|seed| chain(case, seed)).collect::<Vec<_>>()),
        );
    }
    support::none(&complaints);
}

#[test]
fn the_libraries_see_an_error_of_one() {
    let (p, r) = (BigInt::from(101), BigInt::from(128));
    let right: BigInt = BigInt::from(7) * 9 * r.modinv(&p).expect("a prime") % &p;
    for (out, agrees) in [(right.clone(), true), (&right + 1, false), (&right + &p, true)] {
        let x = [BigInt::from(7), BigInt::from(9)];
        let (a, b) = (
            NumBigint::residues(&Operation::MUL, &p, &r, &x, &out),
            Dashu::residues(&Operation::MUL, &p, &r, &x, &out),
        );
        assert_eq!((a.0 == a.1, b.0 == b.1), (agrees, agrees));
        assert_eq!(a, b);
    }
}
