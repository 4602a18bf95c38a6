//! Kernels of binary curves beside the reference: every point, every first coordinate and every scalar of toy curves; the
//! published vectors of named ones, a few a day.

use evariste::{BigUint, Op};
use evariste_testing::sample;
use serde_json::Value;

use crate::curves::{agree, described, points};

/// Any b and b = 1, a of each trace, degrees of both parities, cofactors from 2 to 16; whole bytes.
const TOYS: [&str; 6] = [
    "curve:y^2+xy=x^3+x^2+1@GF(2)[x]/(x^5+x^2+1),base=[8,23],order=11,cofactor=2",
    "curve:y^2+xy=x^3+1@GF(2)[x]/(x^5+x^2+1),base=[2,29],order=11,cofactor=4",
    "curve:y^2+xy=x^3+x^2+6@GF(2)[x]/(x^5+x^2+1),base=[17,13],order=7,cofactor=6",
    "curve:y^2+xy=x^3+1@GF(2)[x]/(x^6+x+1),base=[15,54],order=7,cofactor=8",
    "curve:y^2+xy=x^3+x^2+3@GF(2^4)",
    "curve:y^2+xy=x^3+7@GF(2)[x]/(x^8+x^4+x^3+x+1),base=[6,11],order=17,cofactor=16",
];

#[test]
fn every_point_and_every_scalar_of_toy_curves() {
    for text in TOYS {
        let (field, curve) = described(text);
        let all = points(&curve);
        // Every scalar is one below the number of points; a long way around is tried on small curves.
        let most = all.len() as u32 + if all.len() < 64 { 2 } else { 0 };
        let of_point = if all.len() < 64 { 1 } else { 5 };
        let some: Vec<&BigUint> = all.iter().step_by(of_point).chain([&all[0], &all[1]]).collect();
        let multiples: Vec<Vec<BigUint>> =
            (0..=most).flat_map(|k| some.iter().map(move |p| vec![k.into(), (*p).clone()])).collect();
        agree(text, &field, &Op::SCALAR_MUL, &multiples);
        if curve.base.is_some() {
            let scalars: Vec<Vec<BigUint>> = (0..=most).map(|k| vec![k.into()]).collect();
            agree(text, &field, &Op::MUL_BASE, &scalars);
        }
        let size: u32 = curve.field().order().try_into().unwrap();
        let ladders: Vec<Vec<BigUint>> =
            (0..size).step_by(of_point).flat_map(|u| (0..=most).map(move |k| vec![k.into(), u.into()])).collect();
        agree(text, &field, &Op::LADDER, &ladders);
    }
}

fn number(value: &Value) -> BigUint {
    BigUint::parse_bytes(value.as_str().expect("a number").as_bytes(), 16).expect("hexadecimal")
}

/// `k·G` of the published vectors, by the base point and by a point like any other: one curve of each kind a day, with all
/// multiples in a full run.
#[test]
fn published_multiples() {
    let vectors: Value = serde_json::from_str(include_str!("../../../vectors/binary-curves.json")).expect("JSON");
    let entries = vectors["curves"].as_array().expect("curves").clone();
    assert_eq!(entries.len(), 52);
    let mut tried = 0;
    let kind = |entry: &Value| entry["kind"].as_str().unwrap_or_default().to_owned();
    for entry in sample("binary curves", entries, usize::MAX, kind) {
        let text = format!("curve:{}", entry["name"].as_str().expect("a name"));
        let (field, curve) = described(&text);
        let layout = field.layouts().into_iter().find(|layout| layout.word == 64).expect("words of 64 bits");
        let base = curve.packed(&curve.base.clone());
        let all = entry["scalar_vectors"].as_array().expect("vectors").clone();
        let chosen = field.choose_first(Some(&layout.name), None, &Op::SCALAR_MUL).unwrap();
        let at_edge = |vector: &Value| number(&vector["k"]).bits() < 8;
        for vector in sample(&text, all, 4, at_edge) {
            let k = number(&vector["k"]);
            let expected = curve.packed(&Some((number(&vector["x"]), number(&vector["y"]))));
            assert_eq!(curve.scale_base(&k), Some(expected), "{text}: {k}");
            for (operation, operands) in [(Op::MUL_BASE, vec![k.clone()]), (Op::SCALAR_MUL, vec![k, base.clone()])] {
                let answer = field.evaluate(&chosen, &operation, None, &operands, None).unwrap();
                assert!(answer.agrees(), "{text} {}: {answer:?}", operation.name());
                tried += 1;
            }
        }
    }
    assert!(tried >= 4 * 2, "{tried} multiples");
}
