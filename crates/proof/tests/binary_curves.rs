//! Curves over binary fields on bytes: proved in the layouts of named curves; over toy curves public keys of every scalar,
//! points of all bytes, and secrets of every point and of scalars at the edges.

use evariste_algorithms::curve::scalar_bits;
use evariste_algorithms::{Layout, Operation, layouts};
use evariste_descriptions::{Curve, Field};
use evariste_ir::{Claim, Kernel};
use num_bigint::BigUint;
use num_traits::Zero;

use crate::exchanges::{big, curve_of, proved, run};

/// Cofactors 2 and 4, told by traces, and others; b = 1 and others; a field of whole bytes.
const TOYS: [&str; 5] = [
    "curve:y^2+xy=x^3+x^2+1@GF(2)[x]/(x^5+x^2+1),base=[8,23],order=11,cofactor=2",
    "curve:y^2+xy=x^3+1@GF(2)[x]/(x^5+x^2+1),base=[2,29],order=11,cofactor=4",
    "curve:y^2+xy=x^3+x^2+6@GF(2)[x]/(x^5+x^2+1),base=[17,13],order=7,cofactor=6",
    "curve:y^2+xy=x^3+9@GF(2)[x]/(x^5+x^2+1),base=[2,13],order=5,cofactor=8",
    "curve:y^2+xy=x^3+7@GF(2)[x]/(x^8+x^4+x^3+x+1),base=[6,11],order=17,cofactor=16",
];

#[test]
fn named_curves() {
    for name in ["sect233r1", "sect163k1"] {
        let field = Field::parse(&format!("curve:{name}")).unwrap();
        for word in [32, 64] {
            for layout in layouts(&field, word) {
                let kernel = proved(&field, &layout, &Operation::ECDH);
                proved(&field, &layout, &Operation::PUBLIC_KEY);
                proved(&field, &layout, &Operation::LADDER);
                assert!(claims(kernel.kernel(), &|c| matches!(c, Claim::Iterate { .. })), "{name}: the loop");
                assert!(claims(kernel.kernel(), &|c| matches!(c, Claim::Polynomial { .. })), "{name}: the step");
            }
        }
    }
}

/// Is there a claim that is so, of the kernel or what it calls?
fn claims(kernel: &Kernel, is: &dyn Fn(&Claim) -> bool) -> bool {
    kernel.contract.claims.iter().any(is) || kernel.callees.iter().any(|callee| claims(callee, is))
}

fn toys(mut each: impl FnMut(&str, &Field, &Curve, &Layout)) {
    for text in TOYS {
        let field = Field::parse(text).unwrap_or_else(|e| panic!("{text}: {e}"));
        for word in [8, 64] {
            for layout in layouts(&field, word) {
                each(text, &field, curve_of(&field), &layout);
            }
        }
    }
}

#[test]
fn keys_of_every_scalar() {
    toys(|text, field, curve, layout| {
        let order = curve.order.clone().unwrap();
        let public = proved(field, layout, &Operation::PUBLIC_KEY);
        for k in 0..1u32 << 8 {
            let scalar = BigUint::from(k);
            let good = !scalar.is_zero() && scalar < order;
            let (out, valid) = run(public.kernel(), &[("k", &[k as u8])]);
            let expected = curve.unpacked(&curve.scale_base(&scalar).unwrap()).filter(|_| good);
            assert_eq!(valid, good, "{text} {} {k}", layout.name);
            let bytes = expected.map_or(vec![0; 3], |(x, y)| [vec![4], big(&x, 1), big(&y, 1)].concat());
            assert_eq!(out, bytes, "{text} {} {k}", layout.name);
        }
    });
}

#[test]
fn points_of_all_bytes_and_secrets() {
    toys(|text, field, curve, layout| {
        let order = curve.order.clone().unwrap();
        let limit = 1u32 << curve.field().bits();
        let ecdh = proved(field, layout, &Operation::ECDH);
        let decode = proved(field, layout, &Operation::FROM_UNCOMPRESSED);
        let mut members = 0u32;
        // (Words of 8 bits try all; a step of the others is seen there, too.)
        let stride = if layout.word == 8 { 1 } else { 7 };
        for at in (0..1u32 << 16).step_by(stride) {
            let (x, y) = (at >> 8, at & 255);
            let prefix = if at % 1021 == 0 { 5 } else { 4 };
            let on_curve = x < limit && y < limit && curve.equation.holds(&x.into(), &y.into());
            // What is no point is one in many, and every point is tried.
            if !on_curve && limit < 256 && at % 37 != 0 || !on_curve && limit == 256 && at % 211 != 0 {
                continue;
            }
            let point = curve.packed(&Some((x.into(), y.into())));
            let member = on_curve && prefix == 4 && curve.scale(&order, &point).is_zero();
            members += u32::from(member);
            let p = [prefix, x as u8, y as u8];
            let (out, valid) = decoded(&decode, &p);
            assert_eq!(valid, member, "{text} {} ({x}, {y})", layout.name);
            let expected = if member { [x, y, 1] } else { [0, 1, 0] };
            assert_eq!(out, expected.map(BigUint::from), "{text} {} ({x}, {y})", layout.name);
            for k in [0u32, 1, 2, 1 << (scalar_bits(curve) - 1), 1].into_iter().chain(order.to_u32_digits()) {
                let scalar = BigUint::from(k);
                let good = member && !scalar.is_zero() && scalar < order;
                let (out, valid) = run(ecdh.kernel(), &[("k", &[k as u8]), ("p", &p)]);
                let expected = good.then(|| curve.unpacked(&curve.scale(&scalar, &point)).unwrap().0);
                assert_eq!(valid, good, "{text} {} {k} ({x}, {y})", layout.name);
                assert_eq!(out, expected.map_or(vec![0], |x| big(&x, 1)), "{text} {} {k} ({x}, {y})", layout.name);
            }
        }
        if stride == 1 {
            assert_eq!(BigUint::from(members + 1), order, "{text}: points of the group");
        }
    });
}

/// The coordinates of the point of some bytes, and `valid`.
fn decoded(kernel: &evariste_proof::Proved, p: &[u8]) -> ([BigUint; 3], bool) {
    use evariste_ir::interpret::Interpreter;
    let bytes = p.iter().map(|b| (*b).into()).collect();
    let outputs = Interpreter::checking_ranges(kernel.kernel()).run_one(&[("p", bytes)]).expect("outputs");
    let of = |name: &str| &outputs.iter().find(|(n, _)| n == name).expect("an output").1;
    let coordinates: Vec<BigUint> = of("out").iter().map(|x| x.magnitude().clone()).collect();
    (coordinates.try_into().expect("three words"), *of("valid") == [1.into()])
}
