//! Pairings as kernels, beside the definition: multiples of the base points, neutral points, values.

use evariste::builder::{Curve, Layout, Pairing};
use evariste::{BigUint, Field, Op};
use evariste_testing::{Random, one_of_each, sample};

/// One a day, or all.
fn pairings() -> Vec<&'static str> {
    sample(
        "pairings",
        vec!["pairing:bls12-381", "pairing:bn254", "pairing:ss-a512", "pairing:ss-b160"],
        usize::MAX,
        |_| (),
    )
}

fn described(text: &str) -> (Field, Pairing) {
    let field = Field::parse(text).unwrap();
    let pairing = field.spec().get::<Pairing>().unwrap().clone();
    (field, pairing)
}

/// Of the layouts of 64 bits in which there are plans of an operation, those in Montgomery form before others, one a day,
/// or all. Loops have none where elements rest below 2p.
fn layouts(text: &str, field: &Field, operation: &Op) -> Vec<Layout> {
    let mut of_64 = field.layouts();
    of_64.retain(|l| l.word == 64 && !field.plans_in(std::slice::from_ref(l), operation).is_empty());
    if of_64.iter().any(|l| l.montgomery.is_some()) {
        of_64.retain(|l| l.montgomery.is_some());
    }
    assert!(!of_64.is_empty(), "{text} has {} in no layout", operation.name());
    one_of_each(&format!("layouts of {text}"), of_64, |layout: &Layout| layout.word)
}

#[track_caller]
fn agree(text: &str, field: &Field, layout: &Layout, operation: &Op, all: &[Vec<BigUint>]) {
    let chosen = field.choose_first(Some(&layout.name), None, operation).unwrap();
    let evaluator = field.evaluator(&chosen, operation, None, None).unwrap();
    for operands in all {
        let answer = evaluator.evaluate(operands).unwrap();
        assert!(answer.agrees(), "{text} {} in {} {operands:?}", operation.name(), layout.name);
    }
}

#[test]
fn loops_and_pairings_agree_with_the_definition() {
    let mut rng = Random(0x510e_527f_ade6_82d1);
    for text in pairings() {
        let (field, pairing) = described(text);
        let multiple = |curve: &Curve, k: u64| curve.scale_base(&BigUint::from(k)).unwrap();
        let pair = |k: u64, l: u64| vec![multiple(&pairing.first, k), multiple(&pairing.second, l)];
        let all = [pair(rng.word(), rng.word()), pair(1, 1), pair(0, 5), pair(3, 0)];
        for layout in layouts(text, &field, &Op::PAIRING) {
            agree(text, &field, &layout, &Op::MILLER, &all[..1]);
            agree(text, &field, &layout, &Op::PAIRING_MULTIPLE, &all[..2]);
            agree(text, &field, &layout, &Op::PAIRING, &all);
        }
    }
}

/// Of any element, not of values of loops alone.
#[test]
fn exponentiations_agree_with_powers() {
    let mut rng = Random(0x9b05_688c_2b3e_6c1f);
    for text in pairings() {
        let (field, pairing) = described(text);
        let (degree, p) = (pairing.target.degree(), &pairing.target.base.value);
        let mut coordinate = || (0..8).fold(BigUint::ZERO, |x, _| (x << 64u32) + rng.word()) % p;
        let element: Vec<BigUint> = (0..degree).map(|_| coordinate()).collect();
        let mut sparse = vec![BigUint::ZERO; degree];
        sparse[degree / 2] = p - 1u32;
        let all = [element, sparse].map(|x| vec![pairing.target.packed(&x)]);
        for layout in layouts(text, &field, &Op::FINAL_EXPONENTIATION) {
            agree(text, &field, &layout, &Op::FINAL_EXPONENTIATION, &all);
            agree(text, &field, &layout, &Op::FINAL_EXPONENTIATION_MULTIPLE, &all);
        }
    }
}
