//! Kernels of points beside the reference: every pair of points and every scalar of toy curves, edges and random scalars
//! of named ones.

use evariste::builder::{Curve, CurveShape, Layout, Plan};
use evariste::{BigUint, Field, Op};
use evariste_testing::{Random, one_of_each, sample};

/// Every point of a small curve.
pub fn points(curve: &Curve) -> Vec<BigUint> {
    let order: u32 = curve.field().order().try_into().expect("a small field");
    let affine = (0..order).flat_map(|x| (0..order).map(move |y| (BigUint::from(x), BigUint::from(y))));
    let on_curve = affine.filter(|(x, y)| curve.equation.holds(x, y)).map(|point| curve.packed(&Some(point)));
    let neutral = curve.packed(&None);
    let flagged = curve.equation.shape != CurveShape::Edwards;
    flagged.then_some(neutral).into_iter().chain(on_curve).collect()
}

pub fn described(text: &str) -> (Field, Curve) {
    let field = Field::parse(text).unwrap_or_else(|e| panic!("{text}: {e}"));
    let curve = field.spec().get::<Curve>().unwrap().clone();
    (field, curve)
}

/// Layouts of a field in which there are plans of an operation, one of each word size a day.
fn layouts(text: &str, field: &Field, operation: &Op) -> Vec<Layout> {
    let mut all = field.layouts();
    all.retain(|layout| !field.plans_in(std::slice::from_ref(layout), operation).is_empty());
    one_of_each(&format!("layouts of {text}"), all, |layout: &Layout| layout.word)
}

/// Every plan of an operation in the layouts of the day, on all these operands.
#[track_caller]
pub fn agree(text: &str, field: &Field, operation: &Op, all: &[Vec<BigUint>]) -> usize {
    let mut evaluated = 0;
    for layout in layouts(text, field, operation) {
        let chosen = field.choose_first(Some(&layout.name), None, operation).unwrap();
        for plan in &field.plans_in(std::slice::from_ref(&layout), operation) {
            let evaluator = field.evaluator(&chosen, operation, Some(&plan.name()), None).unwrap();
            for operands in all {
                let answer = evaluator.evaluate(operands).unwrap_or_else(|e| panic!("{text} {}: {e}", plan.name()));
                assert!(answer.agrees(), "{text} {} {operands:?}: {answer:?}", plan.name());
                evaluated += 1;
            }
        }
    }
    assert!(evaluated > 0, "{text} has no plan of {}", operation.name());
    evaluated
}

/// Curves whose sums have no exceptions: a = −3, a = 0, any a, and Edwards curves; and with one point of order two or
/// three, of order four or not.
const TOYS: [&str; 9] = [
    "curve:y^2=x^3-3x+3@19",
    "curve:y^2=x^3+3@31",
    "curve:y^2=x^3+2x+5@23",
    "curve:-x^2+y^2=1+2x^2y^2@13",
    "curve:x^2+y^2=1+3x^2y^2@19",
    "curve:y^2=x^3+x@23",
    "curve:y^2=x^3-x@13",
    "curve:y^2=x^3+8@13",
    "curve:y^2=x^3-3x+5@19",
];

#[test]
fn every_pair_of_points_and_every_scalar_of_toy_curves() {
    for text in TOYS {
        let (field, curve) = described(text);
        let all = points(&curve);
        let one: Vec<Vec<BigUint>> = all.iter().map(|p| vec![p.clone()]).collect();
        let pairs: Vec<Vec<BigUint>> =
            all.iter().flat_map(|p| all.iter().map(|q| vec![p.clone(), q.clone()])).collect();
        agree(text, &field, &Op::ADD, &pairs);
        agree(text, &field, &Op::DOUBLE, &one);
        agree(text, &field, &Op::OPP, &one);
        let scalars = 0..=all.len() as u32 + 2;
        let multiples: Vec<Vec<BigUint>> =
            scalars.flat_map(|k| all.iter().map(move |p| vec![k.into(), p.clone()])).collect();
        agree(text, &field, &Op::SCALAR_MUL, &multiples);
    }
}

/// `k·P + l·G`, of multiples on both sides of every sum: equal, opposite, neutral.
#[test]
fn sums_of_two_multiples_on_toy_curves() {
    let toys = [
        "curve:y^2=x^3+3@31,base=[1,2],order=43,cofactor=1",
        "curve:y^2=x^3-3x+9@19,base=[0,3],order=19,cofactor=1",
        "curve:-x^2+y^2=1+6x^2y^2@13,base=[3,9],order=5,cofactor=4",
    ];
    for text in toys {
        let (field, curve) = described(text);
        let all = points(&curve);
        let scalars: Vec<u32> = (0..=all.len() as u32 + 1).collect();
        let some = |at: usize| scalars.iter().copied().skip(at % 5).step_by(5);
        let operands = all.iter().enumerate().flat_map(|(at, p)| {
            let pairs = some(at).flat_map(move |k| some(at + k as usize).map(move |l| (k, l)));
            pairs.map(move |(k, l)| vec![k.into(), p.clone(), l.into()])
        });
        agree(text, &field, &Op::DOUBLE_SCALAR_MUL, &operands.collect::<Vec<Vec<BigUint>>>());
    }
}

/// Every plan for multiples of the base point, as code that runs: every scalar of toy curves, and of named ones, whose tables
/// lie beside machine code, those at the edges.
#[test]
fn multiples_of_base_points() {
    let toys = [
        "curve:y^2=x^3+3@31,base=[1,2],order=43,cofactor=1",
        "curve:y^2=x^3-3x+9@19,base=[0,3],order=19,cofactor=1",
        "curve:y^2=x^3+2x+11@131,base=[0,50],order=127,cofactor=1",
        "curve:-x^2+y^2=1+5x^2y^2@37,base=[3,5],order=7,cofactor=4",
        "curve:x^2+y^2=1+5x^2y^2@43,base=[2,39],order=13,cofactor=4",
    ];
    for text in toys {
        let (field, curve) = described(text);
        let scalars = 0..1u32 << (curve.order.unwrap() * curve.cofactor.unwrap()).bits();
        agree(text, &field, &Op::MUL_BASE, &scalars.map(|k| vec![k.into()]).collect::<Vec<_>>());
    }
    let montgomery = [
        "curve:y^2=x^3+10x^2+x@61,base=[5,21],order=7,cofactor=8",
        "curve:y^2=x^3+3x^2+x@43,base=[9,11],order=13,cofactor=4",
    ];
    for text in montgomery {
        let (field, _) = described(text);
        agree(text, &field, &Op::CLAMPED_MUL_BASE, &(0..1u32 << 6).map(|k| vec![k.into()]).collect::<Vec<_>>());
    }
    for (name, operation) in [
        ("p256", Op::MUL_BASE),
        ("secp256k1", Op::MUL_BASE),
        ("ed25519", Op::MUL_BASE),
        ("ed448", Op::MUL_BASE),
        ("25519", Op::CLAMPED_MUL_BASE),
        ("448", Op::CLAMPED_MUL_BASE),
    ] {
        let text = format!("curve:{name}");
        let (field, curve) = described(&text);
        let order = curve.order.clone().unwrap();
        let top = BigUint::from(1u32) << (order.bits() - 4);
        let edges =
            [BigUint::ZERO, 1u32.into(), 33u32.into(), &order - 1u32, order.clone(), &order + 1u32, &order - &top];
        let layout = field.layouts().into_iter().find(|layout| layout.word == 64).unwrap();
        let chosen = field.choose_first(Some(&layout.name), None, &operation).unwrap();
        let plans = field.plans_in(std::slice::from_ref(&layout), &operation);
        assert!(plans.len() > 1, "{text}");
        // (The comb or the ladder, and one of the others.)
        let has_tables = |plan: &Plan| plan.algorithm().contains("windows");
        for plan in one_of_each(&format!("plans of {text}"), plans, has_tables) {
            let evaluator = field.evaluator(&chosen, &operation, Some(&plan.name()), None).unwrap();
            for k in &edges {
                let answer = evaluator
                    .evaluate(std::slice::from_ref(k))
                    .unwrap_or_else(|e| panic!("{text} {}: {e}", plan.name()));
                assert!(answer.agrees(), "{text} {} {k:x}: {answer:?}", plan.name());
            }
        }
    }
}

#[test]
fn every_scalar_and_first_coordinate_of_a_toy_ladder() {
    // A − 2 is no square, so that no point but (0, 0) has order two.
    let text = "curve:y^2=x^3+7x^2+x@23";
    let (field, _) = described(text);
    let all: Vec<Vec<BigUint>> = (0u32..23).flat_map(|u| (0u32..32).map(move |k| vec![k.into(), u.into()])).collect();
    agree(text, &field, &Op::LADDER, &all);
}

/// One of each shape a day, since a multiple takes the interpreter long.
#[test]
fn named_curves_at_the_edges_and_at_random() {
    let mut rng = Random(0x510e_527f_ade6_82d1);
    let mut number = |bits: u32| (0..bits.div_ceil(64)).fold(BigUint::ZERO, |x, _| (x << 64u32) + rng.word());
    let names = ["p192", "p224", "p256", "p384", "p521", "secp256k1", "ed25519", "ed448", "bls12-381-g1", "bn254-g1"];
    let is_edwards = |name: &&str| name.starts_with("ed");
    for name in sample("named curves", names.to_vec(), usize::MAX, is_edwards) {
        let text = format!("curve:{name}");
        let (field, curve) = described(&text);
        let order = curve.order.clone().unwrap();
        let bits = order.bits() as u32;
        let edges = [BigUint::ZERO, 1u32.into(), &order - 1u32, order.clone(), (BigUint::from(1u32) << bits) - 1u32];
        let scalars = edges.into_iter().chain([number(bits) % &order]);
        let point = curve.scale_base(&(number(bits) % &order)).unwrap();
        let layout = field.layouts().into_iter().find(|layout| layout.word == 64).unwrap();
        let chosen = field.choose_first(Some(&layout.name), None, &Op::SCALAR_MUL).unwrap();
        let scalars: Vec<BigUint> = scalars.collect();
        for (operation, taken) in [(Op::MUL_BASE, 1), (Op::SCALAR_MUL, 2), (Op::DOUBLE_SCALAR_MUL, 3)] {
            let evaluator = field.evaluator(&chosen, &operation, None, None).unwrap();
            for k in &scalars {
                let operands = [k.clone(), point.clone(), &order - k % &order];
                let answer = evaluator.evaluate(&operands[..taken]).unwrap();
                assert!(answer.agrees(), "{text} {}: {answer:?}", operation.name());
            }
        }
    }
}

#[test]
fn ladders_of_named_curves() {
    let mut rng = Random(0x9b05_688c_2b3e_6c1f);
    for text in ["curve:25519", "curve:448"] {
        let (field, curve) = described(text);
        let p = curve.field().order();
        let bits = curve.field().bits().next_multiple_of(8);
        let mut number = || (0..bits / 64).fold(BigUint::ZERO, |x, _| (x << 64u32) + rng.word());
        let us = [BigUint::ZERO, 1u32.into(), 9u32.into(), &p - 1u32, number() % &p];
        let ks = [BigUint::ZERO, 1u32.into(), (BigUint::from(1u32) << bits) - 1u32, number(), number()];
        let all: Vec<Vec<BigUint>> =
            us.iter().flat_map(|u| ks.iter().map(move |k| vec![k.clone(), u.clone()])).collect();
        agree(text, &field, &Op::CLAMPED_LADDER, &all);
    }
}

/// By machine code, which has the step's operations in the words of vectors where the processor multiplies 52 bits.
#[test]
fn ladders_whose_steps_stand_side_by_side() {
    let mut rng = Random(0x243f_6a88_85a3_08d3 ^ evariste_testing::seed());
    let named = [
        ("curve:25519", "5x51", vec![Op::LADDER, Op::CLAMPED_LADDER]),
        ("curve:y^2=x^3+7x^2+x@2^127-1", "3x43", vec![Op::LADDER]),
    ];
    for (text, layout, operations) in named {
        let (field, curve) = described(text);
        let (p, bits) = (curve.field().order(), curve.field().bits());
        let mut number = || (0..bits.div_ceil(64)).fold(BigUint::ZERO, |x, _| (x << 64u32) + rng.word()) % &p;
        let us = [BigUint::ZERO, 1u32.into(), 9u32.into(), &p - 1u32, number(), number()];
        let edges = [BigUint::ZERO, 1u32.into(), 2u32.into(), (BigUint::from(1u32) << bits) - 1u32];
        let ks: Vec<BigUint> = edges.into_iter().chain((0..6).map(|_| number())).collect();
        for operation in operations {
            let chosen = field.choose_first(Some(layout), None, &operation).unwrap();
            let plan = Some("montgomery-ladder-side-by-side");
            let evaluator = field.evaluator(&chosen, &operation, plan, None).unwrap();
            for operands in us.iter().flat_map(|u| ks.iter().map(move |k| vec![k.clone(), u.clone()])) {
                let answer = evaluator.evaluate(&operands).unwrap_or_else(|e| panic!("{text}: {e}"));
                assert!(answer.agrees(), "{text} {} {operands:?}: {answer:?}", operation.name());
            }
        }
    }
}

#[test]
fn points_over_extensions_add_and_multiply() {
    let all = vec!["curve:bls12-381-g2", "curve:bn254-g2"];
    for text in sample("curves over towers", all, usize::MAX, |_| ()) {
        let (field, curve) = described(text);
        let order = curve.order.clone().unwrap();
        let point = |k: u32| curve.scale_base(&BigUint::from(k)).unwrap();
        let neutral = curve.packed(&None);
        let all = [point(1), point(5), curve.packed(&curve.equation.negate(&curve.unpacked(&point(5)))), neutral];
        let pairs: Vec<Vec<BigUint>> =
            all.iter().flat_map(|p| all.iter().map(|q| vec![p.clone(), q.clone()])).collect();
        agree(text, &field, &Op::ADD, &pairs);
        agree(text, &field, &Op::DOUBLE, &all.iter().map(|p| vec![p.clone()]).collect::<Vec<_>>());
        let scalars = [BigUint::from(0u32), &order - 1u32, order.clone(), BigUint::from(0xdead_beefu32)];
        let multiples: Vec<Vec<BigUint>> = scalars.iter().map(|k| vec![k.clone(), point(7)]).collect();
        agree(text, &field, &Op::SCALAR_MUL, &multiples);
    }
}
