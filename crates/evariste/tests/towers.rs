//! Every plan of the operations of towers, beside the reference: random elements and those with coordinates at the edges.

use evariste::builder::{Layout, Tower};
use evariste::{BigUint, Field, Op};
use evariste_testing::{Random, one_of_each, sample};

const TOWERS: [&str; 14] = [
    "bls12-381-fp2",
    "bls12-381-fp6",
    "bls12-381-fp12",
    "bn254-fp6",
    "ss-b160-fp6",
    "bls12-377-fp2",
    "7[u]/(u^2+1)",
    "13[x]/(x^3-2)",
    // Roots of unity in the prime field, in the floor below, and below that.
    "13[x]/(x^4-2)",
    "13[x]/(x^6-2)",
    "5[w]/(w^2-w+1)[x]/(x^4-(1+w))",
    "5[w]/(w^2+w+1)[x]/(x^4-(2+w))",
    "7[u]/(u^2+1)[x]/(x^6-(2+u))",
    "7[z]/(z^4+z^3+z^2+z+1)",
];

/// Whose proofs take seconds each.
const LONG: [&str; 2] = ["7[z]/(z^4+z^3+z^2+z+1)[x]/(x^6-(3+z))", "bls12-381-fp2[x]/(x^6-(1+u))"];

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
    let long = evariste_testing::full().then_some(LONG);
    for text in sample("towers", TOWERS.into_iter().chain(long.into_iter().flatten()).collect(), usize::MAX, degree) {
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
        ("448[w]/(w^2-w+1)[x]/(x^4-(2+w))", Op::MUL, "quartic-sixth-roots"),
        ("448[w]/(w^2-w+1)[x]/(x^4-(2+w))", Op::SQUARE, "quartic-sixth-roots-square"),
        ("bls12-381-fp2[x]/(x^6-(1+u))", Op::MUL, "sextic-low-norm"),
        ("bls12-381-fp[z]/(z^4+z^3+z^2+z+1)[x]/(x^6-(2+z))", Op::SQUARE, "sextic-fifth-roots-square"),
    ] {
        let field = Field::parse(text).unwrap();
        let layout = field.layouts().into_iter().find(|l| l.montgomery.is_some()).unwrap();
        let all = field.plans_in(&[layout], &operation);
        assert!(all.iter().any(|p| p.name().starts_with(&format!("{plan}/"))), "{text} {plan}");
    }
}

/// Formulas at roots of unity are for fields with the root, in the prime field below one floor or in a floor below, and no
/// floor of another polynomial has formulas: what there is instead are sums and Frobenius maps.
#[test]
fn formulas_without_their_roots_are_refused() {
    let has = |text: &str, operation: &Op, algorithm: &str| {
        let field = Field::parse(text).unwrap();
        let all = field.plans_in(&field.layouts()[..1], operation);
        all.iter().any(|plan| plan.name().starts_with(&format!("{algorithm}/")))
    };
    for (text, algorithm, applies) in [
        ("13[x]/(x^4-2)", "quartic-sixth-roots", true),
        ("5[x]/(x^4-2)", "quartic-sixth-roots", false),
        ("5[w]/(w^2-w+1)[x]/(x^4-(1+w))", "quartic-sixth-roots", true),
        ("bls12-381-fp2[x]/(x^4-(1+u))", "quartic-sixth-roots", false),
        ("bls12-381-fp2[x]/(x^4-(1+u))", "karatsuba-2-2", true),
        ("7[u]/(u^2+1)[x]/(x^6-(2+u))", "sextic-low-norm", true),
        ("7[u]/(u^2+1)[x]/(x^6-(2+u))", "sextic-fifth-roots", false),
        ("7[u]/(u^2-3)[x]/(x^6-(1+u))", "sextic-low-norm", false),
        ("7[z]/(z^4+z^3+z^2+z+1)[x]/(x^6-(3+z))", "sextic-fifth-roots", true),
    ] {
        assert_eq!(has(text, &Op::MUL, algorithm), applies, "{text} {algorithm}");
    }
    let other = Field::parse("7[x]/(x^4+x+1)").unwrap();
    let layouts = other.layouts();
    let counts = [Op::MUL, Op::INVERSE, Op::ADD, Op::FROBENIUS].map(|op| other.plans_in(&layouts[..1], &op).len());
    assert_eq!(counts, [0, 0, 1, 1]);
}
