//! Square roots, on every element of small prime and binary fields, in every layout whose words are bytes: the root, the
//! flag, and the question, against squares as they are counted.

use evariste_algorithms::{Layout, Operation, layouts, plans};
use evariste_descriptions::{BinaryField, Field, Modulus};
use evariste_ir::{Interpreter, Kernel};
use num_bigint::{BigInt, BigUint};

use crate::common::{digits_of, value_of};

/// Every two-adicity from 1 to 8, and shapes with layouts of their own.
const PRIMES: [u32; 14] = [3, 5, 7, 13, 17, 31, 41, 97, 127, 193, 241, 251, 257, 509];

/// What a kernel writes for the elements 0 to count − 1, as the layout holds them: of each output number its value.
fn outputs(kernel: &Kernel, held: &[BigInt]) -> Vec<Vec<BigInt>> {
    let interpreter = Interpreter::checking_ranges(kernel);
    let mut batch = interpreter.batch(held.len());
    let operand = &kernel.contract.inputs[0];
    for (lane, x) in held.iter().enumerate() {
        let digits = digits_of(operand, x).expect("an element");
        for (digit, x) in operand.digits.iter().zip(digits) {
            batch.set(digit.array, digit.index, lane, x.try_into().expect("a word"));
        }
    }
    assert!(interpreter.run(&mut batch).is_clean(), "{}", kernel.name);
    let number = |output: &evariste_ir::Operand, lane: usize| {
        let digits: Vec<BigInt> =
            output.digits.iter().map(|d| BigInt::from(batch.get(d.array, d.index, lane))).collect();
        value_of(output, &digits)
    };
    let all = |lane| kernel.contract.claims.iter().map(|claim| number(claim.output(), lane)).collect();
    (0..held.len()).map(all).collect()
}

fn kernels(field: &Field, layout: &Layout, op: &Operation) -> Vec<Kernel> {
    let write = |plan: evariste_algorithms::Plan| {
        let kernel = plan.write().unwrap_or_else(|e| panic!("{} {}: {e}", field.text(), plan.name()));
        assert!(evariste_ir::verify(&kernel).is_ok(), "{} {}", field.text(), plan.name());
        kernel
    };
    plans(field, layout, op).into_iter().map(write).collect()
}

#[test]
fn of_every_element_of_small_prime_fields() {
    let mut met = [0; 2];
    for p in PRIMES {
        let field = Field::parse(&format!("({p})")).expect("a modulus");
        assert!(field.get::<Modulus>().is_some_and(|m| m.prime), "{p}");
        let number = BigInt::from(p);
        let all = [8, 16, 32].into_iter().flat_map(|word| layouts(&field, word));
        // (Of so small numbers some layouts have no differences.)
        for layout in all.filter(|layout| plans(&field, layout, &Operation::SUB).iter().any(|p| p.write().is_ok())) {
            let at = format!("{p} in {}", layout.name);
            let r = layout.factor() % &number;
            // Every element, and where it has several forms those too.
            let held: Vec<BigInt> = (0u32..4 * p).map(BigInt::from).filter(|x| *x <= layout.resting.bound).collect();
            let squares: Vec<BigInt> = (0..p).map(|x| BigInt::from(x * x % p)).collect();
            let root_of_r = |x: &BigInt| squares.contains(&(x * r.modpow(&(&number - 2), &number) % &number));
            for kernel in kernels(&field, &layout, &Operation::SQRT) {
                for (x, out) in held.iter().zip(outputs(&kernel, &held)) {
                    let [root, valid] = &out[..] else { panic!("{at}: {} results", out.len()) };
                    let is = root_of_r(x);
                    assert_eq!(*valid, BigInt::from(u8::from(is)), "{at}: {x}");
                    let right = if is { (root * root - x * &r) % &number } else { root.clone() };
                    assert_eq!(right, BigInt::from(0), "{at}: {x} gives {root}");
                }
                met[0] += 1;
            }
            for kernel in kernels(&field, &layout, &Operation::IS_SQUARE) {
                for (x, out) in held.iter().zip(outputs(&kernel, &held)) {
                    assert_eq!(out, [BigInt::from(u8::from(root_of_r(x)))], "{at}: {x}");
                }
                met[1] += 1;
            }
        }
    }
    assert!(met.iter().all(|count| *count > 2 * PRIMES.len()), "{met:?}");
}

#[test]
fn of_every_element_of_small_binary_fields() {
    let mut met = 0;
    for m in 2..=8u32 {
        let bases = [BinaryField::standard(m), BinaryField::normal(m, 1), BinaryField::normal(m, 2)];
        for f in bases.into_iter().flatten() {
            let field = Field::new(f.clone());
            let held: Vec<BigInt> = (0u32..1 << m).map(BigInt::from).collect();
            for layout in [1, 8, 64].into_iter().flat_map(|word| layouts(&field, word)) {
                for kernel in kernels(&field, &layout, &Operation::SQRT) {
                    for (x, out) in held.iter().zip(outputs(&kernel, &held)) {
                        // There is always one, and nothing that says so.
                        let [root] = &out[..] else { panic!("{} results", out.len()) };
                        let root: &BigUint = root.magnitude();
                        assert_eq!(BigInt::from(f.multiply(root, root)), *x, "{} in {}", field.text(), layout.name);
                    }
                    met += 1;
                }
            }
        }
    }
    assert!(met > 30, "{met}");
}

#[test]
fn rings_have_none() {
    for text in ["2^64 - 57", "(15)", "2^64"] {
        let field = Field::parse(text).expect("a modulus");
        for layout in layouts(&field, 64) {
            for op in [Operation::SQRT, Operation::IS_SQUARE] {
                assert!(plans(&field, &layout, &op).is_empty(), "{text} {}", op.name());
            }
        }
    }
}
