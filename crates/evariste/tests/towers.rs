//! Every plan of the operations of towers, beside the reference: random elements and those with coordinates at the edges.

use evariste::builder::{Layout, Tower};
use evariste::{BigUint, Field, Op};
use evariste_testing::{Random, one_of_each, sample};

const TOWERS: [&str; 8] = [
    "bls12-381-fp2",
    "bls12-381-fp6",
    "bls12-381-fp12",
    "bn254-fp6",
    "ss-b160-fp6",
    "bls12-377-fp2",
    "7[u]/(u^2+1)",
    "13[x]/(x^3-2)",
];

/// An element: each coordinate is 0, 1, p − 1 or any.
fn element(tower: &Tower, rng: &mut Random) -> BigUint {
    let p = &tower.base.value;
    let coordinate = |rng: &mut Random| match rng.word() % 6 {
        0 => BigUint::ZERO,
        1 => BigUint::from(1u32),
        2 => p - 1u32,
        _ => (0..=p.bits() / 64).fold(BigUint::ZERO, |x, _| (x << 64u32) + rng.word()) % p,
    };
    let coordinates: Vec<BigUint> = (0..tower.degree()).map(|_| coordinate(rng)).collect();
    tower.packed(&coordinates)
}

#[test]
fn every_plan_agrees_with_the_reference() {
    let mut rng = Random(0x6a09_e667_f3bc_c908);
    let (mut evaluated, mut programs) = (0, 0);
    // One of each degree over large primes a day, or all.
    let degree = |text: &&str| text.rsplit_once("-fp").map_or_else(|| text.to_string(), |(_, degree)| degree.into());
    for text in sample("towers", TOWERS.to_vec(), usize::MAX, degree) {
        let field = Field::parse(text).unwrap();
        let tower = field.spec().get::<Tower>().unwrap().clone();
        // One layout of each word size a day.
        let layouts = one_of_each(&format!("layouts of {text}"), field.layouts(), |layout: &Layout| layout.word);
        let operations = [Op::MUL, Op::SQUARE, Op::ADD, Op::SUB, Op::OPP, Op::CONJUGATE, Op::INVERSE, Op::FROBENIUS];
        for (layout, operation) in layouts.iter().flat_map(|l| operations.iter().map(move |op| (l, op))) {
            let chosen = field.choose_first(Some(&layout.name), None, operation);
            let Ok(chosen) = chosen else { continue };
            for plan in &field.plans_in(std::slice::from_ref(layout), operation) {
                let Ok(evaluator) = field.evaluator(&chosen, operation, Some(&plan.name()), None) else { continue };
                for _ in 0..8 {
                    let count = operation.row().inputs.len();
                    let numbers: Vec<BigUint> = (0..count).map(|_| element(&tower, &mut rng)).collect();
                    let answer = evaluator.evaluate(&numbers).unwrap();
                    assert!(answer.agrees(), "{text} {}: {answer:?}", plan.name());
                    evaluated += 1;
                    programs += usize::from(operation.is_any(&[Op::INVERSE, Op::FROBENIUS]));
                }
            }
        }
    }
    assert!(evaluated > 300 && programs > 50, "{evaluated} results, {programs} of inverses and Frobenius maps");
}

/// Products of other factors than 1 come out as products.
#[test]
fn scaled_formulas_have_plans() {
    for (text, operation, plan) in [
        ("bls12-381-fp6", Op::MUL, "toom-3i"),
        ("bls12-381-fp6", Op::SQUARE, "toom-3i-square"),
        ("bls12-381-fp12", Op::MUL, "quadratic-karatsuba-toom-3i"),
        ("ss-b160-fp6", Op::MUL, "toom-3-tripled-once"),
    ] {
        let field = Field::parse(text).unwrap();
        let layout = field.layouts().into_iter().find(|l| l.montgomery.is_some()).unwrap();
        let all = field.plans_in(&[layout], &operation);
        assert!(all.iter().any(|p| p.name().starts_with(&format!("{plan}/"))), "{text} {plan}");
    }
}
