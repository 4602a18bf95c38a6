//! Diffie–Hellman on bytes: proved in the layouts of named curves; over a toy curve public keys of every scalar, and
//! secrets of every point, of some that are none, and of scalars at the edges.

use evariste_algorithms::curve::scalar_bits;
use evariste_algorithms::{Layout, Operation, layouts, plans};
use evariste_descriptions::{Curve, CurveShape, Field};
use evariste_ir::Kernel;
use evariste_ir::interpret::Interpreter;
use evariste_proof::{Outcome, Proved, prove};
use num_bigint::{BigInt, BigUint};
use num_traits::Zero;

pub fn curve_of(field: &Field) -> &Curve {
    field.get::<Curve>().expect("a curve")
}

pub fn proved(field: &Field, layout: &Layout, operation: &Operation) -> Proved {
    let plan = plans(field, layout, operation).into_iter().next();
    let plan = plan.unwrap_or_else(|| panic!("{} has no {} in {}", field.called(), operation.name(), layout.name));
    let kernel = plan.write().unwrap_or_else(|e| panic!("{}: {e}", plan.name()));
    match prove(&kernel) {
        Outcome::Proved(proved) => proved,
        Outcome::Unknown(o) => panic!("{} {}: {} ({})", field.called(), plan.name(), o.what, o.detail),
        Outcome::Refuted(c) => panic!("{} {}: {}", field.called(), plan.name(), c.violation),
    }
}

/// The bytes of `out` and `valid`.
pub fn run(kernel: &Kernel, inputs: &[(&str, &[u8])]) -> (Vec<u8>, bool) {
    let words = |bytes: &[u8]| bytes.iter().map(|b| BigInt::from(*b)).collect::<Vec<_>>();
    let inputs: Vec<_> = inputs.iter().map(|(name, bytes)| (*name, words(bytes))).collect();
    let outputs = Interpreter::checking_ranges(kernel).run_one(&inputs).expect("outputs");
    let of = |name: &str| &outputs.iter().find(|(n, _)| n == name).expect("an output").1;
    let bytes = of("out").iter().map(|x| u8::try_from(x).expect("a byte")).collect();
    (bytes, *of("valid") == [BigInt::from(1)])
}

/// A number in so many bytes, highest first.
pub fn big(x: &BigUint, length: usize) -> Vec<u8> {
    let bytes = x.to_bytes_be();
    [vec![0; length.saturating_sub(bytes.len())], bytes].concat()
}

#[test]
fn named_curves() {
    for name in ["p256", "secp256k1", "p521", "p224", "bn254-g1"] {
        let field = Field::parse(&format!("curve:{name}")).unwrap();
        for layout in layouts(&field, 64) {
            proved(&field, &layout, &Operation::ECDH);
            proved(&field, &layout, &Operation::PUBLIC_KEY);
        }
    }
    for name in ["25519", "448"] {
        let field = Field::parse(&format!("curve:{name}")).unwrap();
        for word in [32, 64] {
            for layout in layouts(&field, word) {
                proved(&field, &layout, &Operation::ECDH);
                proved(&field, &layout, &Operation::PUBLIC_KEY);
            }
        }
    }
}

#[test]
fn scalars_and_points_of_a_toy_curve() {
    // A prime number of points: 43.
    let field = Field::parse("curve:y^2=x^3+3@31,base=[1,2],order=43,cofactor=1").unwrap();
    let curve = curve_of(&field);
    let order = curve.order.clone().unwrap();
    for word in [8, 64] {
        for layout in layouts(&field, word) {
            let (ecdh, public) =
                (proved(&field, &layout, &Operation::ECDH), proved(&field, &layout, &Operation::PUBLIC_KEY));
            for k in 0..1u32 << scalar_bits(curve) {
                let scalar = BigUint::from(k);
                let good = !scalar.is_zero() && scalar < order;
                let (out, valid) = run(public.kernel(), &[("k", &[k as u8])]);
                let expected = curve.unpacked(&curve.scale_base(&scalar).unwrap()).filter(|_| good);
                assert_eq!(valid, good, "{} {k}", layout.name);
                let bytes = expected.map_or(vec![0; 3], |(x, y)| [vec![4], big(&x, 1), big(&y, 1)].concat());
                assert_eq!(out, bytes, "{} {k}", layout.name);
                if ![0, 1, 7, 42, 43, 44].contains(&k) {
                    continue;
                }
                for (prefix, x, y) in (0u8..36).flat_map(|x| (0u8..36).map(move |y| (4 + u8::from(y == 35), x, y))) {
                    let on_curve = curve.equation.holds(&x.into(), &y.into()) && x < 31 && y < 31;
                    if !on_curve && (x + y) % 9 != 0 {
                        continue;
                    }
                    let good = good && on_curve && prefix == 4;
                    let (out, valid) = run(ecdh.kernel(), &[("k", &[k as u8]), ("p", &[prefix, x, y])]);
                    let point = curve.packed(&Some((x.into(), y.into())));
                    let expected = good.then(|| curve.unpacked(&curve.scale(&scalar, &point)).unwrap().0);
                    assert_eq!(valid, good, "{} {k} ({x}, {y})", layout.name);
                    assert_eq!(out, expected.map_or(vec![0], |x| big(&x, 1)), "{} {k} ({x}, {y})", layout.name);
                }
            }
        }
    }
}

/// RFC 7748, sections 5.2 and 6.
#[test]
fn vectors_of_montgomery_curves() {
    let bytes = |text: &str| {
        (0..text.len() / 2).map(|i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).unwrap()).collect::<Vec<u8>>()
    };
    let vectors: serde_json::Value = serde_json::from_str(include_str!("../../../vectors/curves.json")).expect("JSON");
    let mut tried = 0;
    for curve in vectors["curves"].as_array().unwrap() {
        for name in ["x25519", "x448"] {
            for vector in curve["rfc7748"][name].as_array().map_or(&[][..], Vec::as_slice) {
                let field = Field::parse(if name == "x25519" { "curve:25519" } else { "curve:448" }).unwrap();
                let layout = &layouts(&field, 64)[0];
                let kernel = proved(&field, layout, &Operation::ECDH);
                let text = |key: &str| bytes(vector[key].as_str().unwrap());
                let (out, valid) = run(kernel.kernel(), &[("k", &text("k")), ("u", &text("u"))]);
                assert!(valid && out == text("out"), "{name}: {vector}");
                let (out, valid) = run(kernel.kernel(), &[("k", &text("k")), ("u", &vec![0; text("u").len()])]);
                assert!(!valid && out.iter().all(|b| *b == 0));
                tried += 1;
            }
        }
    }
    assert!(tried >= 3, "{tried} vectors");
    assert_eq!(curve_of(&Field::parse("curve:448").unwrap()).equation.shape, CurveShape::Montgomery);
}
