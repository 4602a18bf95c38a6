//! Products of pairings in the interpreter: bilinear, beside the definition, and as checks of others have them.

use evariste_algorithms::{Layout, Operation, layouts, plans};
use evariste_descriptions::{Curve, Field, Pairing, Structure, Tower};
use evariste_testing::Random;
use num_bigint::BigUint;
use serde_json::Value;

use crate::curve_programs::evaluated;

const PAIRINGS: [&str; 4] = ["bls12-381", "bn254", "ss-a512", "ss-b160"];

fn described(name: &str) -> (Field, Pairing, Layout) {
    let field = Field::parse(&format!("pairing:{name}")).expect("a pairing");
    let pairing = field.get::<Pairing>().expect("a pairing").clone();
    let all = layouts(&field, 64);
    let layout = all.into_iter().find(|layout| !plans(&field, layout, &Operation::MULTI_PAIRING).is_empty());
    (field, pairing, layout.expect("a layout"))
}

/// What the first plan of an operation gives for these operands.
fn computed(field: &Field, layout: &Layout, operation: &Operation, all: &[Vec<BigUint>]) -> Vec<BigUint> {
    let plan = plans(field, layout, operation).into_iter().next();
    evaluated(&plan.unwrap_or_else(|| panic!("{} has no plan of {operation:?}", field.text())), all)
}

#[test]
fn products_are_bilinear_and_those_of_the_definition() {
    let mut rng = Random(0x1f83_d9ab_fb41_bd6b);
    for name in PAIRINGS {
        let (field, pairing, layout) = described(name);
        let multiple = |curve: &Curve, k: &BigUint| curve.scale_base(&(k % &pairing.order)).expect("a multiple");
        let pair = |k: &BigUint, l: &BigUint| [multiple(&pairing.first, k), multiple(&pairing.second, l)];
        let [a, b, c, d] = [0; 4].map(|_| BigUint::from(rng.word()));
        let (zero, one, order) = (BigUint::ZERO, BigUint::from(1u32), &pairing.order);
        let sets = [
            [[&a, &b], [&c, &d]],
            // e(aP, bQ)·e(−aP, bQ) = 1, and e(aP, bQ)·e(abP, −Q) = 1.
            [[&a, &b], [&(order - &a), &b]],
            [[&a, &b], [&(&a * &b), &(order - 1u32)]],
            // Both pairs the same, and neutral points at every place.
            [[&one, &one], [&one, &one]],
            [[&zero, &b], [&c, &d]],
            [[&a, &zero], [&c, &d]],
            [[&a, &b], [&zero, &d]],
            [[&a, &b], [&c, &zero]],
            [[&zero, &zero], [&zero, &zero]],
        ];
        let all: Vec<Vec<BigUint>> = sets.iter().map(|pairs| pairs.map(|[k, l]| pair(k, l)).concat()).collect();
        let got = computed(&field, &layout, &Operation::MULTI_PAIRING, &all);
        // The definition, and from it e(kP, lQ) = e(P, Q)^(kl).
        assert_eq!(Operation::MULTI_PAIRING.meaning(&*field, &all[0]).as_ref(), Some(&got[0]), "{name}");
        let generator = pairing.pairing(&all[3][0], &all[3][1]);
        for (i, ([[k, l], [m, n]], got)) in sets.iter().zip(&got).enumerate() {
            let exponent = (*k * *l + *m * *n) % order;
            assert_eq!(pairing.target.power(&generator, &exponent).as_ref(), Some(got), "{name}, set {i}");
        }
        assert_eq!([&got[1], &got[2], &got[8]], [&pairing.target.one(); 3], "{name}");
        assert_ne!(got[0], pairing.target.one(), "{name}");
    }
}

/// Of pairs with neutral points a loop gives what the exponentiation makes 1.
#[test]
fn loops_over_neutral_points_are_made_one() {
    for name in PAIRINGS {
        let (field, pairing, layout) = described(name);
        let [p, q] = [&pairing.first, &pairing.second].map(|curve| curve.generator().expect("a base point"));
        let zero = BigUint::ZERO;
        let all = [[&zero, &q], [&p, &zero], [&zero, &zero]].map(|pair| pair.map(Clone::clone).to_vec());
        for value in computed(&field, &layout, &Operation::MILLER, &all) {
            assert_eq!(pairing.final_exponentiation(&value), pairing.target.one(), "{name}");
        }
    }
}

/// An element of a field or a tower.
fn element(field: &Field, x: &Value) -> BigUint {
    let number = |x: &Value| {
        let digits = x.as_str().and_then(|x| x.strip_prefix("0x")).expect("a number");
        BigUint::parse_bytes(digits.as_bytes(), 16).expect("hexadecimal digits")
    };
    match (field.get::<Tower>(), x.as_array()) {
        (Some(tower), Some(all)) => tower.packed(&all.iter().map(number).collect::<Vec<_>>()),
        _ => number(x),
    }
}

fn point(curve: &Curve, point: &Value) -> BigUint {
    let Some([x, y]) = point.as_array().map(Vec::as_slice) else { return curve.packed(&None) };
    let (x, y) = (element(curve.field(), x), element(curve.field(), y));
    assert!(curve.equation.holds(&x, &y), "{point}");
    curve.packed(&Some((x, y)))
}

/// Cases of EIP-2537 and of EIP-197 that are no errors.
const COUNTS: [(&str, usize); 2] = [("bls12-381", 16), ("bn254", 14)];

/// Of any number of pairs: loops over two at a time, their product, one exponentiation.
#[test]
fn checks_of_ethereum() {
    let vectors: Value = serde_json::from_str(include_str!("../../../vectors/pairing-checks.json")).expect("JSON");
    for (name, count) in COUNTS {
        let (field, pairing, layout) = described(name);
        let cases = vectors[name].as_array().expect("cases");
        assert_eq!(cases.len(), count, "{name}");
        let neutral = [pairing.first.packed(&None), pairing.second.packed(&None)];
        let mut loops = Vec::new();
        let mut of_case = Vec::new();
        for case in cases {
            let points = |pair: &Value| [point(&pairing.first, &pair[0]), point(&pairing.second, &pair[1])];
            let mut pairs: Vec<[BigUint; 2]> = case["pairs"].as_array().expect("pairs").iter().map(points).collect();
            if pairs.len() % 2 == 1 {
                pairs.push(neutral.clone());
            }
            of_case.push(pairs.len() / 2);
            loops.extend(pairs.chunks(2).map(|two| two.concat()));
        }
        let mut values = computed(&field, &layout, &Operation::MULTI_MILLER, &loops).into_iter();
        let product = |count: usize| {
            let factors = values.by_ref().take(count);
            factors.fold(pairing.target.one(), |x, y| pairing.target.multiply(&x, &y).expect("a product"))
        };
        let products: Vec<Vec<BigUint>> = of_case.into_iter().map(product).map(|x| vec![x]).collect();
        let got = computed(&field, &layout, &Operation::FINAL_EXPONENTIATION, &products);
        for (case, got) in cases.iter().zip(got) {
            let is_one = got == pairing.target.one();
            assert_eq!(Some(is_one), case["one"].as_bool(), "{name} {}", case["name"]);
        }
    }
}

/// Powers of elements of the cyclotomic subgroup that have no coordinate by which the third one is found where it is
/// restored, `f1 = 0`; and of 1 and 0, which have none at all.
#[test]
fn final_exponentiations_restore_coordinates_of_all_elements() {
    let (field, pairing, layout) = described("bls12-381");
    let target = &pairing.target;
    let (p, operation) = (&target.base.value, &Operation::FINAL_EXPONENTIATION_MULTIPLE);
    let z = without_first_coordinate(target);
    let number = |n: u32| BigUint::from(n);
    let order = p.pow(4) - p.pow(2) + 1u32;
    assert_eq!(target.power(&z, &order), Some(target.one()));
    let unity = (p.pow(6) - 1u32) * (p.pow(2) + 1u32);
    // |x| = 2^63 + 2^62 + 2^60 + 2^57 + 2^48 + 2^16: places at which |x| + 1 may be split.
    let mut all = vec![BigUint::ZERO, target.one()];
    for place in [16, 48, 57, 60, 62] {
        let by = (&unity * number(2).pow(place)).modinv(&order).expect("odd powers and one of 2");
        all.push(target.power(&z, &by).expect("a power"));
    }
    let operands: Vec<Vec<BigUint>> = all.iter().map(|x| vec![x.clone()]).collect();
    for (x, got) in operands.iter().zip(computed(&field, &layout, operation, &operands)) {
        assert_eq!(operation.meaning(&*field, x), Some(got));
    }
}

/// `f = f0 + f2 w² + … + f5 w⁵` of `Fp[u]/(u² + 1)[w]/(w⁶ − ξ)` with `f^(p⁴ − p² + 1) = 1`: such elements are a curve, of
/// which σ = (ξκ³ − 1)/3, f2 = 2κ/(σ + 3), f5 = f2·√(σ/ξ) for κ = 2 is a point.
fn without_first_coordinate(target: &Tower) -> BigUint {
    let ring = &target.ring;
    let number = |n: u32| vec![BigUint::from(n), BigUint::ZERO];
    let hexadecimal = |digits: &[u8]| BigUint::parse_bytes(digits, 16).expect("hexadecimal digits");
    let xi = vec![BigUint::from(1u32); 2];
    let root = [
        &b"16c1811e49ddb75f1470dad4146723238fc7f7e6afa88a29585e11606eb17efc61e6f08cb411eb95652044c0cc20c1b8"[..],
        b"ffc54dca3570376364349fc6250396a012b8b17eade5e567bf00eec55b28319c28f8011beb75d51e902df2bd758828c",
    ]
    .map(hexadecimal);
    let mul = |a: &[BigUint], b: &[BigUint]| ring.multiply(1, a, b);
    let over = |a: &[BigUint], b: &[BigUint]| mul(a, &ring.inverse(1, b).expect("an inverse"));
    let sigma = over(&ring.subtract(&mul(&xi, &number(8)), &number(1)), &number(3));
    assert_eq!(mul(&xi, &mul(&root, &root)), sigma);
    let f2 = over(&number(4), &ring.add(&sigma, &number(3)));
    let f5 = mul(&f2, &root);
    let f4 = over(&ring.add(&mul(&xi, &mul(&f5, &f5)), &mul(&number(3), &mul(&f2, &f2))), &number(2));
    let f3 = over(&mul(&number(2), &mul(&f2, &f5)), &f4);
    let square = mul(&number(2), &mul(&f3, &f3));
    let f0 = ring.add(&mul(&xi, &ring.subtract(&square, &mul(&number(3), &mul(&f2, &f4)))), &number(1));
    target.packed(&[f0, f2, f4, number(0), f3, f5].concat())
}
