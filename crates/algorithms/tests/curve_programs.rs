//! Programs of curves in the interpreter, beside the reference: on every point of toy curves, and on points of named ones.

use std::collections::BTreeSet;

use evariste_algorithms::kinds::{self, Given};
use evariste_algorithms::operation::Holds;
use evariste_algorithms::{Form, Layout, Operation, Plan, layouts, plans};
use evariste_descriptions::{Curve, Field, Modulus, Structure, Tower};
use evariste_ir::Interpreter;
use evariste_testing::Random;
use num_bigint::{BigInt, BigUint};

use crate::common::{digits_of, value_of};

/// What the kernel of a plan gives for these operands of an operation, all at once.
pub fn evaluated(plan: &Plan, all: &[Vec<BigUint>]) -> Vec<BigUint> {
    let (field, row) = (&plan.field, plan.operation.row());
    let kernel = plan.write().unwrap_or_else(|e| panic!("{} {}: {e}", field.text(), plan.name()));
    if let Err(defects) = evariste_ir::verify(&kernel) {
        panic!("{} {}: {}", field.text(), plan.name(), defects[0]);
    }
    let ground = kinds::ground(field);
    let form = Form::modulo(ground.get::<Modulus>().map(|m| &m.value), &plan.layout);
    let interpreter = Interpreter::checking_ranges(&kernel);
    let mut batch = interpreter.batch(all.len());
    for (lane, operands) in all.iter().enumerate() {
        let numbers = row.inputs.iter().zip(operands).flat_map(|(slot, x)| match kinds::given(field, slot.holds, x) {
            Given::Elements(all) => all.iter().map(|x| form.held(x)).collect(),
            Given::Number(x) => vec![x],
        });
        let numbers: Vec<BigUint> = numbers.collect();
        assert_eq!(numbers.len(), kernel.contract.inputs.len(), "{} {}", field.text(), plan.name());
        for (operand, number) in kernel.contract.inputs.iter().zip(numbers) {
            let digits = digits_of(operand, &BigInt::from(number)).expect("an operand in range");
            for (digit, x) in operand.digits.iter().zip(digits) {
                batch.set(digit.array, digit.index, lane, x.try_into().expect("a word"));
            }
        }
    }
    let report = interpreter.run(&mut batch);
    assert!(report.is_clean(), "{} {}: {:?}", field.text(), plan.name(), report.violations.first());
    let holds = row.outputs[0].holds;
    let result = |lane: usize| {
        let number = |output: &evariste_ir::Operand| {
            let digit = |d: &evariste_ir::Digit| BigInt::from(batch.get(d.array, d.index, lane));
            let digits: Vec<BigInt> = output.digits.iter().map(digit).collect();
            let number = value_of(output, &digits).magnitude().clone();
            if holds == Holds::Flag { number } else { form.element(&number) }
        };
        let numbers: Vec<BigUint> = kernel.contract.claims.iter().map(|claim| number(claim.output())).collect();
        kinds::result(field, holds, &numbers).unwrap_or_else(|| panic!("{}: no element: {numbers:x?}", plan.name()))
    };
    (0..all.len()).map(result).collect()
}

/// Every plan of an operation in these layouts gives what the row says; their algorithms.
#[track_caller]
pub fn agree(field: &Field, of: &[Layout], operation: &Operation, all: &[Vec<BigUint>]) -> BTreeSet<String> {
    let mut met = BTreeSet::new();
    let right: Vec<BigUint> = all.iter().map(|x| operation.meaning(&**field, x).expect("a meaning")).collect();
    for layout in of {
        for plan in plans(field, layout, operation) {
            for ((x, right), out) in all.iter().zip(&right).zip(evaluated(&plan, all)) {
                let same = operation.same(&**field, [right, &out]);
                assert!(same, "{} {} of {x:x?}: {out:x}, not {right:x}", field.text(), plan.name());
            }
            met.insert(plan.algorithm);
        }
    }
    met
}

pub fn described(text: &str) -> (Field, Curve) {
    let field = Field::parse(text).unwrap_or_else(|e| panic!("{text}: {e}"));
    let curve = field.get::<Curve>().expect("a curve").clone();
    (field, curve)
}

/// Every point of a small curve.
pub fn points(curve: &Curve) -> Vec<BigUint> {
    let order: u32 = curve.field().order().try_into().expect("a small field");
    let affine = (0..order).flat_map(|x| (0..order).map(move |y| (BigUint::from(x), BigUint::from(y))));
    let on_curve = affine.filter(|(x, y)| curve.equation.holds(x, y)).map(|point| curve.packed(&Some(point)));
    let all: BTreeSet<BigUint> = on_curve.chain([Structure::zero(curve)]).collect();
    all.into_iter().collect()
}

/// Layouts in words of these lengths in which every operation of points can be written.
pub fn layouts_of(field: &Field, words: &[u32]) -> Vec<Layout> {
    let all = words.iter().flat_map(|word| layouts(field, *word));
    let writes = |layout: &Layout, op| plans(field, layout, &op).iter().any(|plan| plan.write().is_ok());
    all.filter(|layout| writes(layout, Operation::ADD) || writes(layout, Operation::LADDER)).collect()
}

/// Curves with a cofactor: prime and binary ones, whose groups are told by multiples, traces and half-traces.
const TOYS: [&str; 12] = [
    "curve:y^2=x^3+58x+7@61,base=[10,1],order=19,cofactor=3",
    "curve:y^2=x^3+4@67,base=[57,64],order=19,cofactor=3",
    "curve:y^2=x^3+2@79,base=[24,78],order=7,cofactor=9",
    "curve:y^2=x^3+2x+5@103,base=[94,44],order=7,cofactor=15",
    "curve:-x^2+y^2=1+6x^2y^2@13,base=[3,9],order=5,cofactor=4",
    "curve:y^2+xy=x^3+x^2+1@GF(2)[x]/(x^5+x^2+1),base=[8,23],order=11,cofactor=2",
    "curve:y^2+xy=x^3+1@GF(2)[x]/(x^5+x^2+1),base=[2,29],order=11,cofactor=4",
    "curve:y^2+xy=x^3+x^2+6@GF(2)[x]/(x^5+x^2+1),base=[17,13],order=7,cofactor=6",
    "curve:y^2+xy=x^3+1@GF(2)[x]/(x^6+x+1),base=[15,54],order=7,cofactor=8",
    "curve:y^2+xy=x^3+7@GF(2)[x]/(x^8+x^4+x^3+x+1),base=[6,11],order=17,cofactor=16",
    "curve:y^2=x^3+6@103,base=[58,97],order=13,cofactor=7",
    "curve:y^2=x^3+100x+1@103,base=[66,49],order=11,cofactor=9",
];

#[test]
fn every_point_of_toy_curves_is_in_the_group_or_not() {
    for text in TOYS {
        let (field, curve) = described(text);
        let all: Vec<Vec<BigUint>> = points(&curve).into_iter().map(|p| vec![p]).collect();
        let members = all.iter().filter(|p| Operation::IN_SUBGROUP.meaning(&*field, p) == Some(1u32.into())).count();
        assert_eq!(BigUint::from(members), curve.order.clone().expect("an order"), "{text}");
        let met = agree(&field, &layouts_of(&field, &[8, 64]), &Operation::IN_SUBGROUP, &all);
        assert!(!met.is_empty(), "{text}");
    }
}

#[test]
fn points_of_named_curves_are_in_the_group_or_not() {
    let mut rng = Random(0x6a09_e667_f3bc_c908);
    let names = ["bls12-381-g1", "bls12-381-g2", "bn254-g2", "ed25519", "ed448", "sect163k1", "sect233k1"];
    for name in names {
        let (field, curve) = described(&format!("curve:{name}"));
        let (order, cofactor) = (curve.order.clone().expect("an order"), curve.cofactor.clone().expect("a cofactor"));
        let first = BigUint::from(rng.word() % 1000);
        let mut lifted = (0u32..).filter_map(|i| curve.lifted(&(&first + i)));
        let [p, q] = [0, 1].map(|_| lifted.next().expect("half of all numbers have points"));
        // Points of the group, points of an order that divides the cofactor, and sums of both.
        let (member, torsion) = (curve.scale(&cofactor, &p), curve.scale(&order, &p));
        let sum = curve.add(&member, &torsion).expect("a sum");
        let base = curve.scale_base(&rng.word().into()).expect("a multiple");
        let all = [Structure::zero(&curve), base, member, torsion, sum, p, q].map(|p| vec![p]);
        let layout = layouts_of(&field, &[64])
            .into_iter()
            .find(|layout| !plans(&field, layout, &Operation::IN_SUBGROUP).is_empty());
        let met = agree(&field, &[layout.expect("a layout")], &Operation::IN_SUBGROUP, &all);
        let wanted: &[&str] = match name {
            "bls12-381-g1" | "bls12-381-g2" | "bn254-g2" => &["by-endomorphism", "by-order"],
            "ed25519" | "ed448" => &["by-order"],
            _ => &["checked"],
        };
        assert_eq!(met.iter().map(String::as_str).collect::<Vec<_>>(), wanted, "{name}");
    }
}

#[test]
fn groups_of_all_points_have_no_question() {
    for text in ["curve:p256", "curve:secp256k1", "curve:bn254-g1", "curve:y^2=x^3+3@31,base=[1,2],order=43,cofactor=1"]
    {
        let (field, curve) = described(text);
        assert_eq!(Operation::IN_SUBGROUP.meaning(&*field, &[Structure::zero(&curve)]), None);
        for layout in layouts(&field, 64) {
            assert!(plans(&field, &layout, &Operation::IN_SUBGROUP).is_empty(), "{text}");
        }
    }
}

/// Curves with `x → βx`, all of whose points are multiples of the base point.
const WITH_MAPS: [&str; 5] = [
    "curve:y^2=x^3+3@31,base=[1,2],order=43,cofactor=1",
    "curve:y^2=x^3+2@61,base=[1,8],order=61,cofactor=1",
    "curve:y^2=x^3+2@67,base=[2,12],order=73,cofactor=1",
    "curve:y^2=x^3+6@79,base=[5,17],order=67,cofactor=1",
    "curve:y^2=x^3+10@97,base=[1,37],order=103,cofactor=1",
];

/// Every scalar that a kernel takes, those above the order among them, of every third point.
#[test]
fn every_scalar_of_toy_curves_by_halves() {
    for text in WITH_MAPS {
        let (field, curve) = described(text);
        let points = points(&curve);
        let scalars = 0..1u32 << evariste_algorithms::curve::scalar_bits(&curve);
        let of = |k: u32| points.iter().skip(k as usize % 3).step_by(3).map(move |p| vec![k.into(), p.clone()]);
        let all: Vec<Vec<BigUint>> = scalars.flat_map(of).collect();
        let met = agree(&field, &layouts_of(&field, &[8, 64]), &Operation::SCALAR_MUL, &all);
        assert!(
            ["endomorphism", "endomorphism-jacobian", "windows"].iter().all(|name| met.contains(*name)),
            "{text}: {met:?}"
        );
    }
}

/// Orders that are large enough for halves whose sums have exceptions: every scalar of some points.
#[test]
fn every_scalar_by_halves_in_jacobian_coordinates() {
    for text in [
        "curve:y^2=x^3+2@541,base=[1,57],order=571,cofactor=1",
        "curve:y^2=x^3+10@619,base=[3,224],order=571,cofactor=1",
        "curve:y^2=x^3+5@727,base=[2,224],order=733,cofactor=1",
    ] {
        let (field, curve) = described(text);
        let points = [0u32, 1, 2, 97].map(|i| curve.scale_base(&i.into()).expect("a multiple"));
        let of = |k: u32| points.iter().map(move |p| vec![k.into(), p.clone()]);
        let scalars = 0..1u32 << evariste_algorithms::curve::scalar_bits(&curve);
        let all: Vec<Vec<BigUint>> = scalars.flat_map(of).collect();
        let met = agree(&field, &layouts_of(&field, &[64]), &Operation::SCALAR_MUL, &all);
        assert!(met.contains("endomorphism-jacobian-sums") && met.contains("windows-jacobian-sums"), "{text}: {met:?}");
    }
}

#[test]
fn every_scalar_of_groups_in_toy_curves_by_halves() {
    for text in
        ["curve:y^2=x^3+4@67,base=[57,64],order=19,cofactor=3", "curve:y^2=x^3+6@103,base=[58,97],order=13,cofactor=7"]
    {
        let (field, curve) = described(text);
        let order: u32 = curve.order.clone().and_then(|order| order.try_into().ok()).expect("a small order");
        let member = |i: u32| curve.scale_base(&i.into()).expect("a multiple");
        let all: Vec<Vec<BigUint>> =
            (0..2 * order + 3).flat_map(|k| (0..order).map(move |i| vec![k.into(), member(i)])).collect();
        let met = agree(&field, &layouts_of(&field, &[8]), &Operation::MUL_IN_SUBGROUP, &all);
        assert!(met.contains("endomorphism"), "{text}: {met:?}");
    }
}

/// Edges of scalars, and such at which quotients are rounded: around multiples of the order over the vectors' lengths.
#[test]
fn scalars_of_named_curves_by_halves() {
    let mut rng = Random(0xbb67_ae85_84ca_a73b);
    for (name, operation) in [
        ("secp256k1", Operation::SCALAR_MUL),
        ("bn254-g1", Operation::SCALAR_MUL),
        ("bls12-381-g1", Operation::MUL_IN_SUBGROUP),
        ("bls12-381-g2", Operation::MUL_IN_SUBGROUP),
        ("bn254-g2", Operation::MUL_IN_SUBGROUP),
    ] {
        let (field, curve) = described(&format!("curve:{name}"));
        let order = curve.order.clone().expect("an order");
        let bits = evariste_algorithms::curve::scalar_bits(&curve);
        let most = (BigUint::from(1u32) << bits) - 1u32;
        let mut number = || (0..4).fold(BigUint::ZERO, |x, _| (x << 64u32) + rng.word()) % &most;
        let (zero, one) = (BigUint::ZERO, BigUint::from(1u32));
        let mut scalars = vec![zero, one, 2u32.into(), &order - 1u32, order.clone(), &order + 1u32, most.clone()];
        scalars.extend((1u32..8).map(|i| &order * i / 7u32));
        scalars.extend([63u32, 64, 65, 126, 127, 128, 129, 191, 192].map(|i| BigUint::from(1u32) << i));
        scalars.extend((0..6).map(|_| number()));
        let point = curve.scale_base(&number()).expect("a multiple");
        let all: Vec<Vec<BigUint>> = scalars.into_iter().map(|k| vec![k, point.clone()]).collect();
        let of = layouts_of(&field, &[64]);
        let met = agree(&field, &of[..1], &operation, &all);
        assert!(met.contains("endomorphism"), "{name}: {met:?}");
        // Where the map is `x → βx`.
        assert_eq!(met.contains("endomorphism-jacobian-sums"), !name.ends_with("-g2"), "{name}: {met:?}");
    }
}

/// Curves of prime order: a = −3, a = 0, any a; orders below and above the prime, and a scalar of more bits than the order.
const OF_PRIME_ORDER: [&str; 7] = [
    "curve:y^2=x^3-3x+9@19,base=[0,3],order=19,cofactor=1",
    "curve:y^2=x^3-3x+15@47,base=[2,8],order=41,cofactor=1",
    "curve:y^2=x^3-3x+3@61,base=[0,8],order=73,cofactor=1",
    "curve:y^2=x^3+3@31,base=[1,2],order=43,cofactor=1",
    "curve:y^2=x^3+2x+8@37,base=[1,14],order=31,cofactor=1",
    "curve:y^2=x^3+2x+14@67,base=[0,9],order=83,cofactor=1",
    "curve:y^2=x^3+2x+11@131,base=[0,50],order=127,cofactor=1",
];

#[test]
fn every_scalar_of_toy_curves_of_prime_order() {
    for text in OF_PRIME_ORDER {
        let (field, curve) = described(text);
        let points = points(&curve);
        assert_eq!(Some(BigUint::from(points.len())), curve.order, "{text}");
        // (Of the longest a third of the points with each scalar.)
        let apart = if points.len() > 100 { 3 } else { 1 };
        let of = |k: u32| points.iter().skip(k as usize % apart).step_by(apart).map(move |p| vec![k.into(), p.clone()]);
        let scalars = 0..1u32 << evariste_algorithms::curve::scalar_bits(&curve);
        let all: Vec<Vec<BigUint>> = scalars.flat_map(of).collect();
        let met = agree(&field, &layouts_of(&field, &[8, 64]), &Operation::SCALAR_MUL, &all);
        let all = ["windows", "windows-jacobian", "windows-jacobian-sums"];
        assert!(all.iter().all(|name| met.contains(*name)), "{text}: {met:?}");
    }
}

/// Where points have other orders than that of the base point, or the order is not known, sums have exceptions.
#[test]
fn sums_with_exceptions_are_for_prime_orders_alone() {
    let without = [
        "curve:y^2=x^3-3x+9@19",
        "curve:y^2=x^3-3x+9@19,base=[0,3],order=19",
        "curve:bls12-381-g1",
        "curve:bls12-381-g2",
        "curve:ed25519",
        "curve:y^2=x^3-x@23",
        // An order that is small beside what the digits above the last one say.
        "curve:y^2=x^3+2x+7@11,base=[6,2],order=7,cofactor=1",
    ];
    for text in TOYS.iter().chain(&without) {
        let field = Field::parse(text).unwrap_or_else(|e| panic!("{text}: {e}"));
        for layout in layouts(&field, 64).into_iter().chain(layouts(&field, 8)) {
            for operation in [Operation::SCALAR_MUL, Operation::MUL_IN_SUBGROUP, Operation::DOUBLE_SCALAR_MUL] {
                let all = plans(&field, &layout, &operation);
                assert!(all.iter().all(|plan| plan.algorithm != "windows-jacobian-sums"), "{text}");
            }
        }
    }
}

/// What `jacobian_multiple` says of numbers, on all scalars of up to eleven bits: the multiple `a·P` that is there, of a point of
/// order n, is neutral or ± the digit's where all digits above are 0, and only there; at the last digit it may be.
#[test]
fn digits_around_zero_meet_no_exception() {
    let mut met_at_the_last = 0;
    for (w, bits) in [(2u32, 5u32), (2, 8), (3, 8), (4, 9), (5, 10), (5, 11)] {
        let (h, count) = (1i64 << (w - 1), (bits + 2).div_ceil(w));
        let least = (1i64 << (bits - w)) + (1 << w);
        for n in (least + 1..1 << bits).step_by(if bits > 8 { 37 } else { 1 }) {
            for k in 0..1i64 << bits {
                let raised = k + (0..count).map(|i| h << (w * i)).sum::<i64>();
                let digit = |i: u32| ((raised >> (w * i)) & ((1 << w) - 1)) - h;
                let mut sum = digit(count - 1);
                for i in (0..count - 1).rev() {
                    let (a, d) = (sum << w, digit(i));
                    assert!(a >= 0, "{k}");
                    let excepted = [a, a - d, a + d].iter().any(|x| x % n == 0);
                    match i {
                        0 => met_at_the_last += usize::from(excepted && a != 0),
                        _ => assert_eq!(excepted, a == 0, "w = {w}, n = {n}, k = {k}, digit {i}"),
                    }
                    sum = a + d;
                }
                assert_eq!(sum, k);
            }
        }
    }
    assert!(met_at_the_last > 1000);
}

/// Scalars at the edges and with digits of one kind, of the base point, another one, their opposites and the neutral one.
#[test]
fn scalars_of_named_curves_of_prime_order() {
    let mut rng = Random(0x3c6e_f372_fe94_f82b);
    for name in ["p192", "p224", "p256", "p384", "p521", "secp256k1", "bn254-g1"] {
        let (field, curve) = described(&format!("curve:{name}"));
        let order = curve.order.clone().expect("an order");
        let bits = evariste_algorithms::curve::scalar_bits(&curve);
        let power = |e: u32| BigUint::from(1u32) << e;
        let most = power(bits) - 1u32;
        let mut number = || (0..9).fold(BigUint::ZERO, |x, _| (x << 64u32) + rng.word()) % &most;
        // The same digit at every place, at every second one, and from a place on; w = 5.
        let ones = |apart: u32| (0..bits / apart).fold(BigUint::ZERO, |x, _| (x << apart) + 1u32);
        let mut scalars: Vec<BigUint> = (0u32..34).map(BigUint::from).collect();
        scalars.extend((0u32..18).flat_map(|i| [&order + i, &order - i]).filter(|k| *k <= most));
        scalars.extend((0u32..18).flat_map(|i| [&most - i, (&order >> 5u32) + i, (&order >> 1u32) + i]));
        scalars.extend([1u32, 15, 16, 17, 30, 31].iter().flat_map(|d| [ones(5) * *d, ones(10) * *d]));
        scalars.extend((1..bits / 5).flat_map(|i| [power(5 * i), power(5 * i) - 1u32, power(5 * i - 1)]));
        scalars.retain(|k| *k <= most);
        scalars.extend((0..4).map(|_| number()));
        let point = curve.scale_base(&number()).expect("a multiple");
        let base = curve.scale_base(&1u32.into()).expect("a base point");
        let opposite = curve.packed(&curve.equation.negate(&curve.unpacked(&point)));
        let points = [point, base, opposite, Structure::zero(&curve)];
        // A fifth of them, another one each with every point, and the edges.
        let apart = if evariste_testing::full() { 1 } else { 5 };
        let edges = [BigUint::ZERO, &order - 1u32, order.clone(), &order + 1u32, most.clone()];
        let scalars = scalars.iter().step_by(apart).chain(edges.iter().filter(|k| **k <= most));
        let pair = |(i, k): (usize, &BigUint)| vec![k.clone(), points[i % points.len()].clone()];
        let all: Vec<Vec<BigUint>> = scalars.enumerate().map(pair).collect();
        let right: Vec<BigUint> =
            all.iter().map(|x| Operation::SCALAR_MUL.meaning(&*field, x).expect("a meaning")).collect();
        let layout = layouts_of(&field, &[64]).swap_remove(0);
        let plans = plans(&field, &layout, &Operation::SCALAR_MUL).into_iter();
        let plans: Vec<Plan> = plans.filter(|plan| plan.algorithm.ends_with("-jacobian-sums")).collect();
        assert!(!plans.is_empty(), "{name}");
        for plan in plans {
            for ((x, right), out) in all.iter().zip(&right).zip(evaluated(&plan, &all)) {
                assert_eq!(*right, out, "{name} {} of {x:x?}", plan.name());
            }
        }
    }
}

/// Widths of the tables of the base point; on Edwards curves the first three.
const WIDTHS: [u32; 4] = [4, 5, 6, 7];

/// The plans that multiply the base point by tables for each digit, of so many bits.
fn of_the_base(w: u32) -> String {
    format!("windows-of-the-base-{w}")
}

/// Every scalar with so many bits as scalars of the curve have, multiples of the order among them.
#[test]
fn every_scalar_of_base_points_of_toy_curves() {
    let with_cofactors = TOYS.iter().filter(|text| text.starts_with("curve:y^2=x^3"));
    for text in OF_PRIME_ORDER.iter().chain(with_cofactors) {
        let (field, curve) = described(text);
        let scalars = 0..1u32 << evariste_algorithms::curve::scalar_bits(&curve);
        let all: Vec<Vec<BigUint>> = scalars.map(|k| vec![k.into()]).collect();
        let met = agree(&field, &layouts_of(&field, &[8, 64]), &Operation::MUL_BASE, &all);
        // (Of a scalar with a single digit none is added in such a way.)
        let bits = evariste_algorithms::curve::scalar_bits(&curve);
        for w in WIDTHS {
            let fits = bits + 2 > w && curve.order > Some((1u32 << (w - 1)).into());
            assert_eq!(met.contains(&of_the_base(w)), fits, "{text}, digits of {w} bits: {met:?}");
        }
    }
}

/// Edwards curves with a = −1, 1 and another square.
const EDWARDS: [&str; 5] = [
    "curve:-x^2+y^2=1+6x^2y^2@13,base=[3,9],order=5,cofactor=4",
    "curve:-x^2+y^2=1+5x^2y^2@37,base=[3,5],order=7,cofactor=4",
    "curve:x^2+y^2=1+8x^2y^2@19,base=[2,9],order=7,cofactor=4",
    "curve:x^2+y^2=1+5x^2y^2@43,base=[2,39],order=13,cofactor=4",
    "curve:4x^2+y^2=1+3x^2y^2@43,base=[9,41],order=5,cofactor=8",
];

/// Montgomery curves behind which one of a = 1 and a = −1 is, by A + 2 and by A − 2, and one with a factor before y²; and one
/// with other points of order two, which has the ladder alone.
const MONTGOMERY: [(&str, bool); 6] = [
    ("curve:y^2=x^3+10x^2+x@61,base=[5,21],order=7,cofactor=8", true),
    ("curve:y^2=x^3+21x^2+x@61,base=[13,5],order=7,cofactor=8", true),
    ("curve:y^2=x^3+4x^2+x@43,base=[21,9],order=5,cofactor=8", true),
    ("curve:y^2=x^3+3x^2+x@43,base=[9,11],order=13,cofactor=4", true),
    ("curve:2y^2=x^3+6x^2+x@43,base=[7,8],order=11,cofactor=4", true),
    ("curve:y^2=x^3+8x^2+x@61,base=[5,5],order=19,cofactor=4", false),
];

fn edwards_of_the_base(w: u32) -> String {
    format!("edwards-{}", of_the_base(w))
}

/// Every scalar on toy Edwards curves, and every clamped one on toy Montgomery curves.
#[test]
fn every_scalar_of_base_points_of_toy_edwards_curves() {
    for text in EDWARDS {
        let (field, curve) = described(text);
        let bits = evariste_algorithms::curve::scalar_bits(&curve);
        let all: Vec<Vec<BigUint>> = (0..1u32 << bits).map(|k| vec![k.into()]).collect();
        let met = agree(&field, &layouts_of(&field, &[8, 32, 64]), &Operation::MUL_BASE, &all);
        assert!(WIDTHS[..3].iter().all(|w| met.contains(&edwards_of_the_base(*w))), "{text}: {met:?}");
    }
    for (text, has_tables) in MONTGOMERY {
        let (field, curve) = described(text);
        let bits = evariste_algorithms::curve::scalar_bits(&curve);
        let all: Vec<Vec<BigUint>> = (0..1u32 << bits).map(|k| vec![k.into()]).collect();
        let met = agree(&field, &layouts_of(&field, &[8, 32, 64]), &Operation::CLAMPED_MUL_BASE, &all);
        assert!(met.contains("ladder-of-the-base"), "{text}: {met:?}");
        assert!(WIDTHS[..3].iter().all(|w| met.contains(&edwards_of_the_base(*w)) == has_tables), "{text}: {met:?}");
    }
}

/// What `base_windows` says of numbers, on all scalars of up to eleven bits: before each digit that is added without a look at
/// exceptions the multiple `s·G` that is there, of a point of order n, is neutral or ± the digit's where all digits below are 0,
/// and only there; beyond these digits it may be; the highest digit is as small as is said.
#[test]
fn digits_of_the_base_meet_no_exception() {
    let mut met_at_the_last = 0;
    for (w, bits) in [(4u32, 5u32), (4, 8), (4, 9), (5, 8), (5, 10), (6, 11), (7, 9)] {
        let (h, count) = (1i64 << (w - 1), (bits + 2).div_ceil(w));
        for n in (((h + 1) | 1)..1 << bits).step_by(if bits > 8 { 38 } else { 2 }) {
            let below = |j: u32| h * ((1i64 << (w * j)) - 1) / ((1 << w) - 1);
            let without = (0..count - 1).take_while(|j| (h << (w * j)) + below(*j) < n).count() as u32;
            for k in 0..1i64 << bits {
                let raised = k + (0..count).map(|i| h << (w * i)).sum::<i64>();
                let mut sum = 0;
                for j in 0..count {
                    let digit = ((raised >> (w * j)) & ((1 << w) - 1)) - h;
                    let t = digit << (w * j);
                    let excepted = [sum, sum - t, sum + t].iter().any(|x| x % n == 0);
                    match j {
                        _ if digit == 0 => {}
                        _ if j < without => assert_eq!(excepted, sum == 0, "w = {w}, n = {n}, k = {k}, digit {j}"),
                        _ => met_at_the_last += usize::from(excepted && sum != 0),
                    }
                    assert!(digit == 0 || t % n != 0, "w = {w}, n = {n}: an entry is neutral");
                    sum += t;
                    if j + 1 == count {
                        let most = if w * j <= bits { 1i64 << (bits - w * j) } else { 1 };
                        assert!((0..=most.min(h)).contains(&digit), "w = {w}, k = {k}: the highest digit is {digit}");
                    }
                }
                assert_eq!(sum, k);
            }
        }
    }
    assert!(met_at_the_last > 1000, "{met_at_the_last}");
}

/// Multiples of named base points by scalars at the edges, with one digit at each place, and at random.
#[test]
fn scalars_of_named_base_points() {
    let names = ["p192", "p224", "p256", "p384", "p521", "secp256k1", "bn254-g1", "bls12-381-g1"];
    named_base_points(&names, &Operation::MUL_BASE, of_the_base);
}

/// The same on Edwards curves, and by clamped scalars on Montgomery curves.
#[test]
fn scalars_of_named_base_points_of_edwards_curves() {
    named_base_points(&["ed25519", "ed448"], &Operation::MUL_BASE, edwards_of_the_base);
    named_base_points(&["25519", "448"], &Operation::CLAMPED_MUL_BASE, edwards_of_the_base);
}

/// Each of them with one width, another one each day.
fn named_base_points(names: &[&str], operation: &Operation, plan_of: fn(u32) -> String) {
    let mut rng = Random(0xa54f_f53a_5f1d_36f1);
    for (at, name) in names.iter().enumerate() {
        let (field, curve) = described(&format!("curve:{name}"));
        let order = curve.order.clone().expect("an order");
        // (Clamped scalars have the bits of the field's bytes.)
        let bits = match *operation == Operation::CLAMPED_MUL_BASE {
            true => curve.field().bits().next_multiple_of(8),
            false => evariste_algorithms::curve::scalar_bits(&curve),
        };
        let power = |e: u32| BigUint::from(1u32) << e;
        let most = power(bits) - 1u32;
        let mut number = || (0..9).fold(BigUint::ZERO, |x, _| (x << 64u32) + rng.word()) % &most;
        let layout = layouts_of(&field, &[64]).swap_remove(0);
        let all = plans(&field, &layout, operation);
        assert!(all.iter().any(|plan| plan.algorithm == plan_of(4)), "{name}");
        let written = WIDTHS.iter().filter_map(|w| Some((*w, all.iter().find(|plan| plan.algorithm == plan_of(*w))?)));
        let written: Vec<(u32, &Plan)> = written.collect();
        let only = (!evariste_testing::full()).then(|| evariste_testing::turn(at, written.len()));
        for (_, (w, plan)) in written.into_iter().enumerate().filter(|(i, _)| only.is_none_or(|only| only == *i)) {
            let mut scalars: Vec<BigUint> = [0u32, 1, 2, 8, 9, 16, 17, 32, 33, 64, 65, 127].map(BigUint::from).to_vec();
            scalars.extend((0u32..3).flat_map(|i| [&order + i, &order - i, &most - i, &order * 2u32 - i]));
            let top = (bits + 2).div_ceil(w) - 1;
            for j in [1, top / 2, top - 1, top] {
                scalars.extend([1u32, (1 << (w - 1)) - 1, 1 << (w - 1), (1 << w) - 1].map(|d| power(w * j) * d));
                scalars.extend([power(w * j) - 1u32, power(w * j) + 1u32]);
            }
            scalars.retain(|k| *k <= most);
            scalars.extend((0..3).map(|_| number()));
            let all: Vec<Vec<BigUint>> = scalars.into_iter().map(|k| vec![k]).collect();
            let right = all.iter().map(|x| operation.meaning(&*field, x).expect("a meaning"));
            for ((x, right), out) in all.iter().zip(right).zip(evaluated(plan, &all)) {
                assert_eq!(right, out, "{name} {} of {x:x?}", plan.name());
            }
        }
    }
}

/// A number or the coordinates of an element of a tower, as the vectors have them.
fn element(field: &Field, x: &serde_json::Value) -> BigUint {
    let number = |x: &serde_json::Value| {
        let digits = x.as_str().and_then(|x| x.strip_prefix("0x")).expect("a number");
        BigUint::parse_bytes(digits.as_bytes(), 16).expect("hexadecimal digits")
    };
    match (field.get::<Tower>(), x.as_array()) {
        (Some(tower), Some(all)) => tower.packed(&all.iter().map(number).collect::<Vec<_>>()),
        _ => number(x),
    }
}

/// The points of RFC 9380, by the reference and by kernels; and elements with t = 0, where a denominator would be 0.
#[test]
fn elements_are_mapped_to_the_points_of_rfc_9380() {
    let vectors: serde_json::Value =
        serde_json::from_str(include_str!("../../../vectors/hash-to-curve.json")).expect("JSON");
    let mut with_kernels = Vec::new();
    for (name, suite) in vectors["curves"].as_object().expect("curves") {
        let (field, curve) = described(&format!("curve:{name}"));
        let maps = suite["maps"].as_array().expect("maps");
        let mut all = Vec::new();
        for map in maps {
            let [u, x, y] = [&map["u"], &map["Q"][0], &map["Q"][1]].map(|x| element(curve.field(), x));
            let point = curve.packed(&Some((x, y)));
            assert_eq!(curve.mapped(&u), Some(point), "{name}: {u:x}");
            all.push(vec![u]);
        }
        assert_eq!(all.len(), 15, "{name}");
        // u = 0, and u with Zu² = −1: both have t = 0.
        all.push(vec![BigUint::ZERO]);
        if let Some(m) = curve.field().get::<Modulus>() {
            let z = curve.element_of_text(curve.map().expect("a map").z).expect("an element");
            let inverse = m.inverse(&z).expect("a unit");
            all.extend(m.root(&m.neg(&inverse)).map(|u| vec![u]));
            all.push(vec![&m.value - 1u32]);
        }
        // Where the sign is that of the second coordinate, and where there is none.
        if let Some(tower) = curve.field().get::<Tower>() {
            let all_of = [[0u32, 4], [0, 5], [5, 0], [4, 1]];
            all.extend(all_of.map(|u| vec![tower.packed(&u.map(BigUint::from))]));
        }
        let of = layouts(&field, 64);
        let of: Vec<Layout> = of
            .into_iter()
            .filter(|layout| !plans(&field, layout, &Operation::MAP_TO_CURVE).is_empty())
            .take(if curve.field().get::<Tower>().is_some() { 1 } else { 2 })
            .collect();
        if !of.is_empty() {
            agree(&field, &of, &Operation::MAP_TO_CURVE, &all);
            with_kernels.push(name.clone());
        }
    }
    with_kernels.sort();
    let all = ["25519", "448", "bls12-381-g1", "bls12-381-g2", "ed25519", "ed448", "p256", "p384", "p521", "secp256k1"];
    assert_eq!(with_kernels, all);
}

/// The table is that of the vectors.
#[test]
fn isogenies_are_those_of_the_vectors() {
    let vectors: serde_json::Value = serde_json::from_str(include_str!("../../../vectors/curves.json")).expect("JSON");
    let stored = &vectors["hash_to_curve"]["isogenies"];
    for (name, key) in [("secp256k1", "secp256k1"), ("bls12-381-g1", "g1"), ("bls12-381-g2", "g2")] {
        let (_, curve) = described(&format!("curve:{name}"));
        let isogeny = curve.map().and_then(|map| map.isogeny.as_ref()).expect("an isogeny");
        let parts = ["x_num", "x_den_monic", "y_num", "y_den_monic"];
        for (part, texts) in parts.into_iter().zip(isogeny.polynomials) {
            let all = stored[key][part].as_array().expect("coefficients");
            let number = |c: &serde_json::Value| match c.as_array().map(Vec::as_slice) {
                Some([c]) => element(curve.field(), c),
                _ => element(curve.field(), c),
            };
            let mut wanted: Vec<BigUint> = all.iter().map(number).collect();
            wanted.extend(part.ends_with("monic").then(|| 1u32.into()));
            let got: Vec<BigUint> = texts.iter().map(|text| curve.element_of_text(text).expect("an element")).collect();
            assert_eq!(got, wanted, "{name} {part}");
        }
    }
}
