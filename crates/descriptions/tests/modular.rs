//! Arithmetic modulo p against the published vectors and against every small case.

use evariste_descriptions::{Field, Integers, Modulus};
use num_bigint::BigUint;
use num_traits::{Num, One, Zero};
use serde_json::Value;

fn number(value: &Value) -> BigUint {
    let text = value.as_str().unwrap();
    BigUint::from_str_radix(text.strip_prefix("0x").unwrap_or(text), 16).unwrap()
}

#[test]
fn products_of_the_vectors() {
    let vectors: Value = serde_json::from_str(include_str!("../../../vectors/prime-fields.json")).unwrap();
    let mut count = 0;
    for entry in vectors["fields"].as_array().unwrap() {
        let modulus = Modulus::new(number(&entry["modulus"])).unwrap();
        for case in entry["mul_vectors"].as_array().unwrap() {
            let (a, b, product) = (number(&case[0]), number(&case[1]), number(&case[2]));
            assert_eq!(modulus.mul(&a, &b), product, "{}", entry["name"]);
            count += 1;
        }
        // The Montgomery constants of the vectors: R and R² modulo p.
        for montgomery in entry["montgomery"].as_array().unwrap() {
            let bits = montgomery["word_bits"].as_u64().unwrap() * montgomery["words"].as_u64().unwrap();
            let r = modulus.pow(&BigUint::from(2u32), &BigUint::from(bits));
            assert_eq!(r, number(&montgomery["R_mod_p"]));
            assert_eq!(modulus.square(&r), number(&montgomery["R2_mod_p"]));
            count += 1;
        }
    }
    assert!(count > 28 * 10, "{count} vectors");
}

#[test]
fn affine_map_of_dfc() {
    let Some(dfc) = Field::parse("dfc").ok().and_then(|f| f.get::<Modulus>().cloned()) else {
        panic!("dfc is a modulus")
    };
    let vectors: Value = serde_json::from_str(include_str!("../../../vectors/dfc-affine.json")).unwrap();
    let vectors = vectors["vectors"].as_array().unwrap();
    assert_eq!(vectors.len(), 143);
    for vector in vectors {
        let input = |name: &str| number(&vector["inputs"][name]);
        let (a, x, b) = (input("a"), input("x"), input("b"));
        assert_eq!(dfc.affine_mod_power(&a, &x, &b, 64), number(&vector["outputs"]["affine"]), "{}", vector["name"]);
        assert_eq!(dfc.affine(&a, &x, &b) % (BigUint::one() << 64u32), number(&vector["outputs"]["affine"]));
    }
    let fields: Value = serde_json::from_str(include_str!("../../../vectors/prime-fields.json")).unwrap();
    for case in fields["dfc_vectors"].as_array().unwrap() {
        assert_eq!(dfc.affine_mod_power(&number(&case[0]), &number(&case[1]), &number(&case[2]), 64), number(&case[3]));
    }
}

/// Every operation on every pair, reduced or not, modulo every number below 32, against machine integers.
#[test]
fn small_moduli_exhaustively() {
    for p in 3..32u64 {
        let big = |x: u64| BigUint::from(x);
        let modulus = Modulus::new(big(p)).unwrap();
        for a in 0..2 * p {
            assert_eq!(modulus.reduce(&big(a)), big(a % p));
            assert_eq!(modulus.neg(&big(a)), big((2 * p - a) % p));
            assert_eq!(modulus.square(&big(a)), big(a * a % p));
            let inverse = (0..p).find(|b| a * b % p == 1 % p);
            assert_eq!(modulus.inverse(&big(a)), inverse.map(big), "{a} modulo {p}");
            let mut power = 1;
            for exponent in 0..10 {
                assert_eq!(modulus.pow(&big(a), &big(exponent)), big(power));
                power = power * a % p;
            }
            for b in 0..2 * p {
                assert_eq!(modulus.add(&big(a), &big(b)), big((a + b) % p));
                assert_eq!(modulus.sub(&big(a), &big(b)), big((a + 2 * p - b) % p));
                assert_eq!(modulus.mul(&big(a), &big(b)), big(a * b % p));
                assert_eq!(modulus.affine(&big(a), &big(b), &big(a + 1)), big((a * b + a + 1) % p));
                assert_eq!(modulus.affine_mod_power(&big(a), &big(b), &big(a + 1), 2), big((a * b + a + 1) % p % 4));
            }
        }
    }
}

#[test]
fn inverses_of_large_moduli() {
    for name in ["p521", "448", "bls12-381-fr", "(2^61-1)*(2^89-1)"] {
        let Some(modulus) = Field::parse(name).ok().and_then(|f| f.get::<Modulus>().cloned()) else {
            panic!("{name} is a modulus")
        };
        let mut a = BigUint::from(0x1234_5678_9abc_def1u64);
        for _ in 0..20 {
            a = modulus.square(&(a + 1u32));
            assert!(modulus.mul(&a, &modulus.inverse(&a).unwrap()).is_one());
            if modulus.prime {
                // Fermat.
                assert_eq!(modulus.inverse(&a), Some(modulus.pow(&a, &(&modulus.value - 2u32))));
            }
        }
        assert_eq!(modulus.inverse(&BigUint::zero()), None);
        assert_eq!(modulus.inverse(&modulus.value), None);
    }
    let ring = Field::parse("(2^61-1)*(2^89-1)").unwrap();
    assert_eq!(ring.inverse(&((BigUint::one() << 61u32) - 1u32)), None);
}

#[test]
fn moduli_that_do_not_exist() {
    for value in [0u32, 1, 2] {
        assert_eq!(Modulus::new(BigUint::from(value)), None);
    }
    assert_eq!(Modulus::new((BigUint::one() << 4096u32) + 1u32), None);
}

/// An element of 2^k has k bits; the odd part and the power of two are what they are.
#[test]
fn even_moduli_are_rings() {
    for (text, bits, twos, odd) in
        [("2^64", 64, 64, 1u64), ("1000", 10, 3, 125), ("2^64*(2^61 - 1)", 125, 64, (1 << 61) - 1)]
    {
        let field = Field::parse(text).unwrap();
        let m = field.get::<Modulus>().unwrap();
        assert_eq!((field.bits(), m.twos(), m.odd_part()), (bits, twos, BigUint::from(odd)), "{text}");
        assert_eq!(m.power_of_two(), (odd == 1).then_some(bits), "{text}");
        assert!(!m.prime && Field::parse(&field.text()) == Ok(field.clone()), "{text}");
    }
    assert_eq!(Field::parse("2^64").unwrap().bits(), 64);
    assert_eq!(Field::parse("2^4096").unwrap().bits(), 4096);
}

#[test]
fn plain_integers() {
    let integers = Integers::new(256).unwrap();
    let top = integers.maximum();
    assert_eq!(top.bits(), 256);
    assert_eq!(integers.mul(&top, &top), (BigUint::one() << 512u32) - (BigUint::one() << 257u32) + 1u32);
    assert_eq!(integers.square(&top), integers.mul(&top, &top));
    assert_eq!((Integers::new(1), Integers::new(4097)), (None, None));
}

/// The integer of a description's modulus.
fn value(text: &str) -> BigUint {
    match Field::parse(text) {
        Ok(field) => field.order(),
        other => panic!("{text}: {other:?}"),
    }
}

/// Every named modulus is a prime, and its source is said.
#[test]
fn named_moduli_are_primes() {
    for named in evariste_descriptions::named() {
        let Some(m) = Field::parse(named.name).ok().and_then(|f| f.get::<Modulus>().cloned()) else {
            panic!("{} is a modulus", named.name)
        };
        assert!(m.prime && !named.source.is_empty(), "{}", named.name);
        assert_eq!(m.name, Some(named.name));
    }
}

/// Numbers that standards list are what their curves' parameters give: a wrong digit is seen.
#[test]
fn moduli_of_curves_fit_together() {
    let one = || BigUint::one();
    // BLS12: r = x⁴ − x² + 1 and p = (x − 1)² r / 3 + x.
    let x = value("bls12-377-fr");
    let seed = BigUint::from(0x8508_c000_0000_0001u64);
    assert_eq!(x, seed.pow(4) - seed.pow(2) + one());
    assert_eq!(value("bls12-377-fp"), (&seed - one()).pow(2) * &x / 3u32 + &seed);
    // The order of a curve lies within 2√p of p + 1 (Hasse), the cofactor included.
    for (field, order, cofactor) in [
        ("p256", "p256-order", 1u32),
        ("secp256k1", "secp256k1-order", 1),
        ("25519", "25519-order", 8),
        ("pallas", "vesta", 1),
        ("vesta", "pallas", 1),
    ] {
        let (p, n) = (value(field), value(order) * cofactor);
        let middle = &p + one();
        let distance = if n > middle { &n - &middle } else { &middle - &n };
        assert!(distance.pow(2) <= &p * 4u32, "{order} is no order of a curve over {field}");
    }
    // Pallas and Vesta are 2-adic: 2^32 divides p − 1; so is Stark's, with 2^192.
    for (field, k) in [("pallas", 32u64), ("vesta", 32), ("stark", 192)] {
        assert_eq!((value(field) - one()).trailing_zeros(), Some(k), "{field}");
    }
}
