//! Pairings as kernels: against the definition, and bilinear.

use evariste::builder::{Curve, Pairing};
use evariste::{BigUint, Field, Op};

#[test]
fn kernels_agree_with_the_definition() {
    for text in ["pairing:bls12-381", "pairing:bn254"] {
        let field = Field::parse(text).unwrap();
        let pairing = field.spec().get::<Pairing>().unwrap().clone();
        let multiple = |curve: &Curve, k: u64| curve.scale_base(&BigUint::from(k)).unwrap();
        let points = [(3, 5), (0, 5), (3, 0)].map(|(k, l)| vec![multiple(&pairing.first, k), multiple(&pairing.second, l)]);
        let layout = field.layouts().into_iter().find(|l| l.word == 64 && l.name.starts_with("montgomery")).unwrap();
        for operation in [Op::MILLER, Op::PAIRING_MULTIPLE, Op::PAIRING] {
            let chosen = field.choose_first(Some(&layout.name), None, &operation).unwrap();
            let start = std::time::Instant::now();
            let evaluator = field.evaluator(&chosen, &operation, None, None).unwrap();
            eprintln!("{text} {}: made in {:?}", operation.name(), start.elapsed());
            for operands in &points {
                let start = std::time::Instant::now();
                let answer = evaluator.evaluate(operands).unwrap();
                eprintln!("  {:?} {:?}", answer.runner, start.elapsed());
                assert!(answer.agrees(), "{text} {}", operation.name());
            }
        }
    }
}
