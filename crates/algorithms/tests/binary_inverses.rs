//! Inverses in binary fields: every element of every small one, stored vectors, and how many products they take.

use evariste_algorithms::prime::addition_chain;
use evariste_algorithms::{Operation, Plan, layouts, plans};
use evariste_descriptions::{BinaryField, Field, gaussian_types};
use evariste_ir::Interpreter;
use num_bigint::{BigInt, BigUint};

/// Every basis of a degree: normal ones of types up to six, and the polynomials modulo every irreducible one.
fn bases(m: u32) -> Vec<BinaryField> {
    let normal = gaussian_types(m, 6).into_iter().filter_map(|t| BinaryField::normal(m, t));
    normal.chain((1u32 << m..2 << m).filter_map(|f| BinaryField::polynomial(&BigUint::from(f)).ok())).collect()
}

/// The plans for an operation in words of these sizes.
fn candidates(f: &BinaryField, words: &[u32], op: &Operation) -> Vec<Plan> {
    let field = Field::new(f.clone());
    let layouts = words
        .iter()
        .flat_map(|w| layouts(&field, *w))
        .filter(|l| f.basis_type().is_none() || l.word == 1 || l.word >= 8);
    let mut all: Vec<Plan> = layouts.flat_map(|l| plans(&field, &l, op)).collect();
    all.dedup_by_key(|p| p.name());
    all
}

#[test]
fn every_element_of_small_fields() {
    let mut kernels = 0;
    for f in (2..=7).flat_map(bases) {
        let inverses: Vec<u128> =
            (0..1u32 << f.degree).map(|x| f.inverse(&x.into()).map_or(0, |y| y.try_into().expect("small"))).collect();
        for plan in candidates(&f, &[1, 3, 4, 8], &Operation::INVERSE) {
            let at = format!("{} {}", f.text(), plan.name());
            let kernel = plan.write().expect("applies");
            assert_eq!(evariste_ir::verify(&kernel).err(), None, "{at}");
            let interpreter = Interpreter::checking_ranges(&kernel);
            let (a, out, w) = (kernel.find("a").expect("a"), kernel.find("out").expect("out"), plan.layout.word);
            let mut batch = interpreter.batch(inverses.len());
            let digits = plan.layout.digits() as u32;
            for lane in 0..inverses.len() {
                (0..digits).for_each(|i| batch.set(a, i, lane, (lane >> (i * w) & ((1 << w) - 1)) as u128));
            }
            assert!(interpreter.run(&mut batch).is_clean(), "{at}");
            for (lane, right) in inverses.iter().enumerate() {
                assert_eq!(
                    (0..digits).map(|i| batch.get(out, i, lane) << (i * w)).sum::<u128>(),
                    *right,
                    "{at} of {lane:#x}"
                );
            }
            kernels += 1;
        }
    }
    println!("{kernels} kernels");
    assert!(kernels > 200);
}

#[test]
fn stored_inverses_and_linear_maps() {
    let vectors: serde_json::Value =
        serde_json::from_str(include_str!("../../../vectors/gnb-products.json")).expect("JSON");
    let hex = |v: &serde_json::Value| {
        BigInt::from(BigUint::parse_bytes(v.as_str().expect("a string").as_bytes(), 16).expect("hexadecimal"))
    };
    let full = std::env::var_os("EVARISTE_FULL").is_some();
    let mut compared = [0; 4];
    for basis in vectors["bases"].as_array().expect("bases") {
        let m = basis["m"].as_u64().expect("a degree") as u32;
        // The unrolled products of long fields take seconds to write.
        if m > 90 && !full {
            continue;
        }
        let f =
            BinaryField::normal(m, basis["type"].as_u64().expect("a type") as u32).expect("a degree with this basis");
        let wanted = [
            ("a_inverse", Operation::INVERSE),
            ("a_trace", Operation::TRACE),
            ("a_half_trace", Operation::HALF_TRACE),
            ("root_of_z2_z_a_with_z0_0", Operation::SOLVE_QUADRATIC),
        ];
        for ((key, op), compared) in wanted.into_iter().zip(&mut compared) {
            let cases: Vec<_> =
                basis["cases"].as_array().expect("cases").iter().filter(|c| !c[key].is_null()).collect();
            for plan in candidates(&f, if m < 60 { &[1, 8, 64] } else { &[1, 64] }, &op) {
                let kernel = plan.write().expect("applies");
                let interpreter = Interpreter::checking_ranges(&kernel);
                let w = plan.layout.word;
                let words = |x: &BigInt| {
                    (0..plan.layout.digits() as u32)
                        .map(|i| (x >> (i * w)) & ((BigInt::from(1) << w) - 1))
                        .collect::<Vec<BigInt>>()
                };
                for case in &cases {
                    let out = interpreter.run_one(&[("a", words(&hex(&case["a"])))]).expect("clean");
                    let right = if op == Operation::TRACE {
                        vec![BigInt::from(case[key].as_u64().expect("a bit"))]
                    } else {
                        words(&hex(&case[key]))
                    };
                    assert_eq!(out[0].1, right, "{} {}", f.text(), plan.name());
                    *compared += 1;
                }
            }
        }
    }
    println!("inverses, traces, half-traces, roots: {compared:?}");
    assert!(compared.iter().all(|n| *n >= 60), "{compared:?}");
}

/// Products that the binary chain takes.
fn binary_chain(m: u32) -> usize {
    ((m - 1).ilog2() + (m - 1).count_ones() - 1) as usize
}

#[test]
fn chains_are_no_longer_than_the_binary_one() {
    let mut shorter = 0;
    for m in 2..=1024u32 {
        let steps = addition_chain::find(&BigUint::from(m - 1)).steps.len();
        assert!(steps <= binary_chain(m), "{m}: {steps} products");
        shorter += usize::from(steps < binary_chain(m));
    }
    println!("{shorter} of 1023 degrees take fewer");
    for (m, products) in [(131, 8), (163, 9), (191, 10), (233, 10), (239, 10)] {
        let f = BinaryField::normal(m, gaussian_types(m, 6)[0]).expect("a basis");
        let kernel = candidates(&f, &[64], &Operation::INVERSE)[0].write().expect("applies");
        let calls = kernel.callees.iter().position(|c| c.name.starts_with("mul")).expect("a product");
        let made = kernel
            .body
            .iter()
            .filter(|s| matches!(s, evariste_ir::Stmt::Call { callee, .. } if *callee as usize == calls))
            .count();
        assert!(made <= products, "{m}: {made} products");
    }
}
