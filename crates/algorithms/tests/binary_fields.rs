//! Normal bases of type 2 in one-bit words: every degree that has one up to 131, against products of polynomials and stored vectors; gate counts.

mod common;

use common::{Random, aliases, count, counts, run, unsigned};
use evariste_algorithms::{Operation, layout, plans};
use evariste_ir::Op;
use evariste_spec::{Field, gaussian_types};
use num_bigint::{BigInt, BigUint};

/// Degrees up to 131 with an optimal normal basis of type 2.
fn degrees() -> Vec<u32> {
    (2..=131).filter(|m| gaussian_types(*m, 2).contains(&2)).collect()
}

fn field(m: u32) -> Field {
    Field::parse(&format!("GF(2^{m}):onb2")).expect("a degree with this basis")
}

#[test]
fn every_degree_agrees_with_products_of_polynomials() {
    let degrees = degrees();
    assert!(degrees.len() > 30 && degrees.contains(&29) && degrees.contains(&131));
    for m in degrees {
        let f = field(m);
        let Field::Binary(reference) = &f else { panic!("a binary field") };
        let layout = &layout::layouts(&f, 64)[0];
        for op in [Operation::Mul, Operation::Square, Operation::Add] {
            let plans = plans(&f, layout, &op);
            assert_eq!(plans.len(), if op == Operation::Mul { 2 } else { 1 });
            for plan in plans {
                let kernel = plan.write().expect("applies");
                assert!(evariste_ir::verify(&kernel).is_ok(), "{m} {}", plan.name());
                for alias in std::iter::once(None).chain(aliases(&kernel).into_iter().map(Some)) {
                    let lanes = run(&kernel, &mut Random(m.into()), 64, &[BigInt::from(reference.one())], alias).unwrap_or_else(|e| panic!("{m} {}: {e}", plan.name()));
                    for lane in lanes {
                        let x: Vec<BigUint> = lane.inputs.iter().map(unsigned).collect();
                        let expected = match op {
                            Operation::Mul => reference.multiply(&x[0], &x[1]),
                            Operation::Square => reference.square(&x[0]),
                            // Both operands are one vector of the contract.
                            _ => (&x[0] ^ (&x[0] >> m)) & reference.one(),
                        };
                        assert_eq!(unsigned(&lane.output), expected, "{m} {}", plan.name());
                    }
                }
            }
        }
    }
}

#[test]
fn small_fields_exhaustively() {
    for m in degrees().into_iter().filter(|m| *m <= 9) {
        let f = field(m);
        let Field::Binary(reference) = &f else { panic!("a binary field") };
        for plan in plans(&f, &layout::layouts(&f, 1)[0], &Operation::Mul) {
            let kernel = plan.write().expect("applies");
            let interpreter = evariste_ir::Interpreter::new(&kernel);
            let (a, b, out) = (kernel.find("a").expect("a"), kernel.find("b").expect("b"), kernel.find("out").expect("out"));
            let mut batch = interpreter.batch(1 << (2 * m));
            for pair in 0..1usize << (2 * m) {
                for i in 0..m {
                    batch.set(a, i, pair, (pair >> i & 1) as u128);
                    batch.set(b, i, pair, (pair >> (m + i) & 1) as u128);
                }
            }
            assert!(interpreter.run(&mut batch).is_clean());
            for pair in 0..1usize << (2 * m) {
                let x: u128 = (0..m).map(|i| batch.get(out, i, pair) << i).sum();
                let expected = reference.multiply(&BigUint::from(pair & ((1 << m) - 1)), &BigUint::from(pair >> m));
                assert_eq!(BigUint::from(x), expected);
            }
        }
    }
}

#[test]
fn stored_products() {
    let text = include_str!("../../../vectors/gnb-products.json");
    let vectors: serde_json::Value = serde_json::from_str(text).expect("JSON");
    let hex = |v: &serde_json::Value| BigUint::parse_bytes(v.as_str().expect("a string").as_bytes(), 16).expect("hexadecimal");
    let mut products = 0;
    for basis in vectors["bases"].as_array().expect("bases") {
        let m = basis["m"].as_u64().expect("a degree") as u32;
        assert_eq!(basis["type"], 2);
        let f = field(m);
        for op in [Operation::Mul, Operation::Square] {
            for plan in plans(&f, &layout::layouts(&f, 1)[0], &op) {
                let kernel = plan.write().expect("applies");
                let interpreter = evariste_ir::Interpreter::new(&kernel);
                let bits = |x: &BigUint| (0..u64::from(m)).map(|i| BigInt::from(u8::from(x.bit(i)))).collect::<Vec<_>>();
                for case in basis["cases"].as_array().expect("cases") {
                    let (expected, mut inputs) = match op {
                        Operation::Mul => (&case["product"], vec![("a", bits(&hex(&case["a"])))]),
                        _ if case.get("a_squared").is_none() => continue,
                        _ => (&case["a_squared"], vec![("a", bits(&hex(&case["a"])))]),
                    };
                    if op == Operation::Mul {
                        inputs.push(("b", bits(&hex(&case["b"]))));
                    }
                    let out = interpreter.run_one(&inputs).expect("clean");
                    assert_eq!(out[0].1, bits(&hex(expected)), "{m} {}", plan.name());
                    products += 1;
                }
            }
        }
    }
    println!("{products} products and squares");
    assert!(products > 200);
}

/// Counts measured on generated circuits, type 2: `(m, AND, XOR of m clocks, XOR unrolled)`; a clock of m = 29 is 15 AND and 57 XOR.
const GATES: &[(u32, u64, u64, u64)] =
    &[(29, 435, 1653, 1624), (35, 630, 2415, 2380), (53, 1431, 5565, 5512), (65, 2145, 8385, 8320), (81, 3321, 13041, 12960), (113, 6441, 25425, 25312), (131, 8646, 34191, 34060)];

#[test]
fn gates_are_those_of_the_literature() {
    for (m, and, rolled, unrolled) in GATES {
        let f = field(*m);
        for plan in plans(&f, &layout::layouts(&f, 64)[0], &Operation::Mul) {
            let kernel = plan.write().expect("applies");
            let xor = if plan.algorithm == "aesmpo" { rolled } else { unrolled };
            assert_eq!((count(&kernel, &Op::And), count(&kernel, &Op::Xor)), (*and, *xor), "{m} {}", plan.name());
            if plan.algorithm == "aesmpo" {
                // Size does not grow with the degree; a clock is the m-th part.
                assert!(kernel.values.len() < 60);
                assert_eq!((and / u64::from(*m), xor / u64::from(*m)), (u64::from(m.div_ceil(2)), u64::from(2 * m - 1)));
            } else {
                assert!(!counts(&kernel).contains_key("loop"));
            }
        }
        let square = plans(&f, &layout::layouts(&f, 64)[0], &Operation::Square)[0].write().expect("applies");
        let moves = counts(&square);
        assert_eq!(moves.len(), 2, "loads and stores alone: {moves:?}");
    }
}
