//! Compressed points: proved in the layouts of named curves; over toy curves of every residue of p modulo 8 all byte
//! strings, and all points there and back.

use evariste_algorithms::{Layout, Operation, layouts, plans};
use evariste_descriptions::{Curve, CurveShape, Field, Structure};
use evariste_ir::interpret::Interpreter;
use evariste_ir::{Claim, Kernel};
use num_bigint::{BigInt, BigUint};

use crate::exchanges::{big, curve_of, proved, run};

/// p ≡ 3, 7, 5 and 1 modulo 8: `p − 1` has one factor 2, one, two, four; on Edwards curves a = −1 and others.
const TOYS: [&str; 7] = [
    "curve:y^2=x^3-3x+9@19,base=[0,3],order=19,cofactor=1",
    "curve:y^2=x^3+3@31,base=[1,2],order=43,cofactor=1",
    "curve:y^2=x^3+2x+2@17,base=[5,1],order=19,cofactor=1",
    "curve:y^2=x^3+2@13,base=[1,4],order=19,cofactor=1",
    "curve:-x^2+y^2=1+2x^2y^2@13",
    "curve:x^2+y^2=1+3x^2y^2@19",
    "curve:x^2+y^2=1+3x^2y^2@17",
];

#[test]
fn named_curves() {
    for name in ["p256", "secp256k1", "p521", "p224", "p384", "bn254-g1"] {
        let field = Field::parse(&format!("curve:{name}")).unwrap();
        for layout in layouts(&field, 64) {
            let kernel = proved(&field, &layout, &Operation::FROM_COMPRESSED);
            assert!(has_power(kernel.kernel()), "{name}: the power is proved");
            proved(&field, &layout, &Operation::TO_COMPRESSED);
            proved(&field, &layout, &Operation::ECDH_COMPRESSED);
        }
    }
    for name in ["ed25519", "ed448"] {
        let field = Field::parse(&format!("curve:{name}")).unwrap();
        for word in [32, 64] {
            for layout in layouts(&field, word) {
                proved(&field, &layout, &Operation::FROM_COMPRESSED);
                proved(&field, &layout, &Operation::TO_COMPRESSED);
            }
        }
    }
}

/// Is a power claimed, by the kernel or by what it calls?
fn has_power(kernel: &Kernel) -> bool {
    kernel.contract.claims.iter().any(|claim| matches!(claim, Claim::Power { .. }))
        || kernel.callees.iter().any(|callee| has_power(callee))
}

fn toys(mut each: impl FnMut(&str, &Field, &Curve, &Layout) -> Option<()>) {
    let mut tried = 0;
    for text in TOYS {
        let field = Field::parse(text).unwrap_or_else(|e| panic!("{text}: {e}"));
        for word in [8, 64] {
            for layout in layouts(&field, word) {
                tried += each(text, &field, curve_of(&field), &layout).map_or(0, |()| 1);
            }
        }
    }
    assert!(tried >= 3 * TOYS.len(), "{tried} layouts");
}

/// What bytes stand for, by the definitions alone.
fn meant(curve: &Curve, bytes: &[u8]) -> Option<(BigUint, BigUint)> {
    let p: u32 = curve.field().order().try_into().expect("a small field");
    let holds = |x: u32, y: u32| curve.equation.holds(&x.into(), &y.into());
    let found = if curve.equation.shape == CurveShape::Edwards {
        let (y, is_odd) = (u32::from(bytes[0] & 127), u32::from(bytes[0] >> 7));
        (y < p).then(|| (0..p).find(|x| holds(*x, y) && x % 2 == is_odd).map(|x| (x, y)))
    } else {
        let (prefix, x) = (u32::from(bytes[0]), u32::from(bytes[1]));
        let is_prefix = prefix == 2 || prefix == 3;
        (is_prefix && x < p).then(|| (0..p).find(|y| holds(x, *y) && y % 2 == prefix % 2).map(|y| (x, y)))
    };
    found.flatten().map(|(x, y)| (x.into(), y.into()))
}

/// All byte strings, those of Weierstrass curves with all prefixes in one layout and a few in the others.
#[test]
fn all_byte_strings_of_toy_curves() {
    toys(|text, field, curve, layout| {
        let kernel = of(field, layout, &Operation::FROM_COMPRESSED)?;
        // Other prefixes with a few x; longer words, whose steps are the same, with fewer numbers that are none.
        let xs = |step: usize| (0..40u8).chain((40..=255).step_by(step));
        let of_x = |x: u8| {
            [2, 3]
                .into_iter()
                .chain([0, 1, 4, 5, 130, 255].into_iter().filter(move |_| x % 16 == 7))
                .map(move |prefix| vec![prefix, x])
        };
        let strings: Vec<Vec<u8>> = match curve.equation.shape {
            CurveShape::Edwards => (0..=255).map(|byte| vec![byte]).collect(),
            _ => xs(if layout.word == 8 { 1 } else { 9 }).flat_map(of_x).collect(),
        };
        let mut points = std::collections::HashSet::new();
        for bytes in strings {
            let (found, valid) = decoded(&kernel, field, layout, &bytes);
            let expected = meant(curve, &bytes);
            assert_eq!(valid, expected.is_some(), "{text} {} {bytes:?}", layout.name);
            let expected = expected.map_or_else(|| curve.zero(), |point| curve.packed(&Some(point)));
            assert_eq!(found, expected, "{text} {} {bytes:?}", layout.name);
            points.extend(valid.then_some(found));
        }
        // Every point but the neutral element of Weierstrass curves.
        assert_eq!(points.len(), all_points(curve).len(), "{text} {}", layout.name);
        Some(())
    });
}

#[test]
fn all_points_of_toy_curves_and_back() {
    toys(|text, field, curve, layout| {
        let kernel = of(field, layout, &Operation::TO_COMPRESSED)?;
        for (x, y) in all_points(curve) {
            let point = curve.packed(&Some((x.clone(), y.clone())));
            let (bytes, valid) = encoded(&kernel, field, layout, &point);
            assert!(valid, "{text} {} ({x}, {y})", layout.name);
            assert_eq!(meant(curve, &bytes), Some((x, y)), "{text} {} {bytes:?}", layout.name);
        }
        if curve.equation.shape != CurveShape::Edwards {
            assert_eq!(encoded(&kernel, field, layout, &curve.zero()), (vec![0, 0], false), "{text} {}", layout.name);
        }
        Some(())
    });
}

/// Curves whose points are not all multiples of the base point.
const WITH_OTHER_POINTS: [&str; 4] = [
    "curve:y^2=x^3+4@67,base=[57,64],order=19,cofactor=3",
    "curve:y^2=x^3+2x+5@103,base=[94,44],order=7,cofactor=15",
    "curve:-x^2+y^2=1+6x^2y^2@13,base=[3,9],order=5,cofactor=4",
    "curve:y^2=x^3+6@103,base=[58,97],order=13,cofactor=7",
];

/// Of all byte strings that stand for points those of the base point's group, and no other.
#[test]
fn other_points_than_multiples_of_the_base_point_are_refused() {
    for text in WITH_OTHER_POINTS {
        let field = Field::parse(text).unwrap_or_else(|e| panic!("{text}: {e}"));
        let curve = curve_of(&field);
        let edwards = curve.equation.shape == CurveShape::Edwards;
        let order = curve.order.clone().expect("an order");
        let is_member =
            |point: &(BigUint, BigUint)| curve.scale(&order, &curve.packed(&Some(point.clone()))) == curve.zero();
        let compressed = if edwards { Operation::FROM_COMPRESSED_IN_SUBGROUP } else { Operation::FROM_COMPRESSED };
        let mut tried = 0;
        for layout in layouts(&field, 8) {
            let Some(kernel) = of(&field, &layout, &compressed) else { continue };
            let strings: Vec<Vec<u8>> = match edwards {
                true => (0..=255).map(|byte| vec![byte]).collect(),
                false => (0..=255).flat_map(|x| [2, 3].map(|prefix| vec![prefix, x])).collect(),
            };
            let mut found = 0;
            for bytes in strings {
                let expected = meant(curve, &bytes).filter(is_member);
                let (point, valid) = decoded(&kernel, &field, &layout, &bytes);
                assert_eq!(valid, expected.is_some(), "{text} {} {bytes:?}", layout.name);
                assert_eq!(point, expected.map_or_else(|| curve.zero(), |point| curve.packed(&Some(point))), "{text}");
                found += u32::from(valid);
            }
            // The neutral element of Weierstrass curves has no bytes.
            assert_eq!(BigUint::from(found + u32::from(!edwards)), order, "{text} {}", layout.name);
            tried += 1;
            if edwards {
                continue;
            }
            let kernel = of(&field, &layout, &Operation::FROM_UNCOMPRESSED).expect("both ways");
            for (x, y) in all_points(curve) {
                let [x, y] = [big(&x, 1)[0], big(&y, 1)[0]];
                for (y, is_point) in [(y, true), (y ^ 1, false)] {
                    let member = is_point && is_member(&(x.into(), y.into()));
                    let (_, valid) = decoded(&kernel, &field, &layout, &[4, x, y]);
                    assert_eq!(valid, member, "{text} {} {x} {y}", layout.name);
                }
            }
        }
        assert!(tried > 0, "{text}");
    }
}

/// Points of BLS12-381's first group, and others of its curve; proved in every layout.
#[test]
fn points_of_pairing_groups() {
    let field = Field::parse("curve:bls12-381-g1").unwrap();
    let curve = curve_of(&field);
    let member = curve.scale_base(&0x1234_5678u32.into()).expect("a base point");
    let other = (4u32..).find_map(|x| curve.lifted(&x.into())).expect("a point");
    assert_ne!(curve.scale(curve.order.as_ref().expect("an order"), &other), curve.zero());
    for (i, layout) in (0..).zip(layouts(&field, 64)) {
        let all =
            [Operation::FROM_COMPRESSED, Operation::FROM_UNCOMPRESSED, Operation::ECDH, Operation::ECDH_COMPRESSED];
        let [compressed, uncompressed, ..] = all.map(|operation| proved(&field, &layout, &operation));
        for (point, is_member) in [(&member, true), (&other, false)] {
            let (x, y) = curve.unpacked(point).expect("no neutral element");
            let prefix = 2 + u8::from(y.bit(0));
            if i == 0 {
                let bytes = [&[prefix][..], &big(&x, 48)].concat();
                assert_eq!(decoded(compressed.kernel(), &field, &layout, &bytes).1, is_member);
                let bytes = [&[4][..], &big(&x, 48), &big(&y, 48)].concat();
                assert_eq!(decoded(uncompressed.kernel(), &field, &layout, &bytes).1, is_member);
            }
        }
    }
    for name in ["ed25519", "ed448"] {
        let field = Field::parse(&format!("curve:{name}")).unwrap();
        for layout in layouts(&field, 64) {
            proved(&field, &layout, &Operation::FROM_COMPRESSED_IN_SUBGROUP);
        }
    }
}

/// The secrets of compressed points are those of the uncompressed ones.
#[test]
fn secrets_of_compressed_points() {
    let field = Field::parse(TOYS[1]).unwrap();
    let curve = curve_of(&field);
    for layout in layouts(&field, 8) {
        let (one, other) =
            (proved(&field, &layout, &Operation::ECDH_COMPRESSED), proved(&field, &layout, &Operation::ECDH));
        for k in [0u8, 1, 5, 42, 43, 200] {
            for (x, y) in all_points(curve) {
                let [x, y] = [big(&x, 1)[0], big(&y, 1)[0]];
                let compressed = run(one.kernel(), &[("k", &[k]), ("p", &[2 + y % 2, x])]);
                let uncompressed = run(other.kernel(), &[("k", &[k]), ("p", &[4, x, y])]);
                assert_eq!(compressed, uncompressed, "{} {k} ({x}, {y})", layout.name);
            }
            for bytes in [[4u8, 1], [0, 1], [2, 31], [3, 200], [2, 2]] {
                let is = k > 0 && k < 43 && meant(curve, &bytes).is_some();
                assert_eq!(run(one.kernel(), &[("k", &[k]), ("p", &bytes)]).1, is, "{} {k} {bytes:?}", layout.name);
            }
        }
    }
}

/// The kernel, in layouts that have the sums of such a small field.
fn of(field: &Field, layout: &Layout, operation: &Operation) -> Option<Kernel> {
    let ground = curve_of(field).field();
    let has_sums = plans(ground, layout, &Operation::ADD).into_iter().any(|plan| plan.write().is_ok());
    has_sums.then(|| proved(field, layout, operation).kernel().clone())
}

/// The points with affine coordinates.
fn all_points(curve: &Curve) -> Vec<(BigUint, BigUint)> {
    let p: u32 = curve.field().order().try_into().expect("a small field");
    let all = (0..p).flat_map(|x| (0..p).map(move |y| (BigUint::from(x), BigUint::from(y))));
    all.filter(|(x, y)| curve.equation.holds(x, y)).collect()
}

/// The number that coordinates and their layout stand for.
fn decoded(kernel: &Kernel, field: &Field, layout: &Layout, p: &[u8]) -> (BigUint, bool) {
    let bytes = p.iter().map(|b| (*b).into()).collect();
    let outputs = Interpreter::checking_ranges(kernel).run_one(&[("p", bytes)]).expect("outputs");
    let of = |name: &str| &outputs.iter().find(|(n, _)| n == name).expect("an output").1;
    let (out, modulus) = (of("out"), curve_of(field).field().order());
    let form = evariste_algorithms::Form::modulo(Some(&modulus), layout);
    let weighted = |digits: &[BigInt]| digits.iter().zip(&layout.weights).map(|(d, w)| d << *w).sum::<BigInt>();
    let coordinates: Vec<BigUint> =
        out.chunks(layout.digits()).map(|digits| form.element(weighted(digits).magnitude())).collect();
    let point = evariste_algorithms::curve::coordinates::point(curve_of(field), &coordinates);
    (point.expect("a point"), *of("valid") == [1.into()])
}

/// The bytes of a point.
fn encoded(kernel: &Kernel, field: &Field, layout: &Layout, point: &BigUint) -> (Vec<u8>, bool) {
    let modulus = curve_of(field).field().order();
    let form = evariste_algorithms::Form::modulo(Some(&modulus), layout);
    let ends = layout.weights.iter().skip(1).map(|w| Some(*w)).chain([None]);
    let spans: Vec<(u32, Option<u32>)> = layout.weights.iter().copied().zip(ends).collect();
    let digits = |x: &BigUint| {
        let x = BigInt::from(form.held(x));
        let digit = |(start, end): &(u32, Option<u32>)| {
            let above = &x >> *start;
            end.map_or_else(|| above.clone(), |end| &above % (BigInt::from(1) << (end - start)))
        };
        spans.iter().map(digit).collect::<Vec<_>>()
    };
    let coordinates = evariste_algorithms::curve::coordinates::of(curve_of(field), point);
    let a: Vec<BigInt> = coordinates.iter().flat_map(digits).collect();
    let outputs = Interpreter::checking_ranges(kernel).run_one(&[("a", a)]).expect("outputs");
    let of = |name: &str| &outputs.iter().find(|(n, _)| n == name).expect("an output").1;
    (of("out").iter().map(|x| u8::try_from(x).expect("a byte")).collect(), *of("valid") == [1.into()])
}
