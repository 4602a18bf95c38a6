//! Pairings: published values, bilinearity, what texts mean.

use evariste_descriptions::{Field, Pairing, Part, Structure, named_pairings};
use expect_test::expect;
use num_bigint::BigUint;
use num_traits::One;
use serde_json::Value;

fn pairing(name: &str) -> Pairing {
    let field = Field::parse(&format!("pairing:{name}")).unwrap_or_else(|error| panic!("{error}"));
    field.get::<Pairing>().expect("a pairing").clone()
}

fn number(value: &Value) -> BigUint {
    let text = value.as_str().unwrap_or_else(|| panic!("{value}"));
    BigUint::parse_bytes(text.trim_start_matches("0x").as_bytes(), 16).unwrap_or_else(|| panic!("{text}"))
}

/// A value of the vectors, coefficients of the powers of the highest variables' root: of w over Fp2 with v = w², or of v.
fn value(pairing: &Pairing, value: &Value) -> BigUint {
    let coefficients: Vec<Vec<BigUint>> = value
        .as_array()
        .expect("a list")
        .iter()
        .map(|pair| pair.as_array().expect("a pair").iter().map(number).collect())
        .collect();
    // The tower has the even powers of w first.
    let order: Vec<usize> = if coefficients.len() == 6 { vec![0, 2, 4, 1, 3, 5] } else { vec![0, 1, 2] };
    let flat: Vec<BigUint> = order.into_iter().flat_map(|i| coefficients[i].clone()).collect();
    pairing.target.packed(&flat)
}

fn entry(name: &str) -> Value {
    let vectors: Value = serde_json::from_str(include_str!("../../../vectors/curves.json")).expect("JSON");
    let named = |list: &Value| list.as_array()?.iter().find(|entry| entry["name"] == name.to_uppercase()).cloned();
    named(&vectors["curves"]).or_else(|| named(&vectors["supersingular"])).expect("an entry")
}

fn bases(pairing: &Pairing) -> [BigUint; 2] {
    [&pairing.first, &pairing.second].map(|group| group.generator().expect("a base point"))
}

#[test]
fn published_values() {
    for name in ["bls12-381", "bn254"] {
        let (pairing, entry) = (pairing(name), entry(name));
        let [p, q] = bases(&pairing);
        let exact = pairing.pairing(&p, &q);
        assert_eq!(exact, value(&pairing, &entry["e_g1_g2_exact"]), "{name}");
        assert_eq!(pairing.pairing_multiple(&p, &q), value(&pairing, &entry["e_g1_g2_fast"]), "{name}");
        for vector in entry["bilinear"].as_array().expect("a list") {
            let power = number(&vector["a"]) * number(&vector["b"]) * &pairing.multiple;
            let expected = value(&pairing, &vector["e_aG1_bG2_fast"]);
            assert_eq!(pairing.target.power(&exact, &power), Some(expected), "{name}");
        }
    }
    let (pairing, entry) = (pairing("ss-b160"), entry("ss-b160"));
    let [p, q] = bases(&pairing);
    assert_eq!(pairing.pairing(&p, &q), value(&pairing, &entry["tate_P_phiP"]));
}

/// `e(a·P, b·Q) = e(P, Q)^(a·b)`, and no value of base points is 1.
#[test]
fn bilinear_and_not_degenerate() {
    for named in named_pairings() {
        let pairing = pairing(named.name);
        let [p, q] = bases(&pairing);
        let base = pairing.pairing(&p, &q);
        assert_ne!(base, BigUint::one(), "{}", named.name);
        assert_eq!(pairing.target.power(&base, &pairing.order), Some(BigUint::one()), "{}", named.name);
        let (a, b) = (BigUint::from(5u32), &pairing.order - 7u32);
        let value = pairing.pairing(&pairing.first.scale(&a, &p), &pairing.second.scale(&b, &q));
        assert_eq!(Some(value), pairing.target.power(&base, &(a * b)), "{}", named.name);
        // The neutral element on either side.
        let (zero, other) = (pairing.first.one(), pairing.second.one());
        assert_eq!([pairing.pairing(&zero, &q), pairing.pairing(&p, &other)], [1u32, 1].map(BigUint::from));
    }
}

#[test]
fn errors() {
    let mut all = String::new();
    for text in ["pairing:bls12-377", "pairing:"] {
        all += &format!("{}\n\n", Field::parse(text).expect_err("an error"));
    }
    let pairing = pairing("bls12-381");
    // On the curve, but outside of the group: x = 0 for G1.
    let group = pairing.part(Part::First).expect("a group");
    for text in ["[0, 2]", "[0, 3]"] {
        all += &format!("{}\n\n", group.read(text, 0..text.len()).expect("points").expect_err("an error"));
    }
    expect![[r#"
        there is no pairing called “bls12-377”
          | pairing:bls12-377
          |         ^^^^^^^^^
        help: there are pairing:bls12-381, pairing:bn254, pairing:ss-a512, pairing:ss-b160

        there is no pairing called “”
          | pairing:
          |         ^
        help: there are pairing:bls12-381, pairing:bn254, pairing:ss-a512, pairing:ss-b160

        the point is on curve:bls12-381-g1, but no multiple of its base point
          | [0, 2]
          | ^^^^^^
        help: multiply it by the cofactor first

        the point is not on curve:bls12-381-g1
          | [0, 3]
          | ^^^^^^
        help: its coordinates do not fulfil y^2=x^3+4

    "#]]
    .assert_eq(&all);
}

#[test]
fn what_they_say() {
    expect![[r#"
        pairing:bn254 (bn254-g1 x bn254-g2 -> bn254-fp12)
        optimal ate pairing; libraries give the exact power, or that times 2x(6x^2 + 3x + 1)
        groups: the multiples of the base points of curve:bn254-g1 and curve:bn254-g2, of prime order r = 0x30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001
        values: elements of bn254-fp12
        pairing: the exact exponent (p^12 - 1)/r
        pairing_multiple: its power 0x3bec47df15e307c81ea96b02d9d9e38d2e5d4e223ddedaf4, which the usual fast final exponentiation gives
        source: EIP-197"#]].assert_eq(&Field::parse("pairing:BN254").expect("a pairing").description());
}
