//! Elements: exact in every kind of field, errors where operands do not fit, panics only where documented.

use evariste::{BigUint, Error, Field, Op};

fn field(text: &str) -> Field {
    Field::parse(text).unwrap_or_else(|e| panic!("{text}: {e}"))
}

/// Every pair of a small prime field against machine arithmetic.
#[test]
fn a_small_field_in_full() {
    let p = 31u32;
    let f = field("31");
    for x in 0..p {
        let a = f.element_from(x).unwrap();
        assert_eq!(a.neg().unwrap().value(), &BigUint::from((p - x) % p));
        match a.inverse() {
            Ok(inverse) => assert_eq!(a.mul(&inverse).unwrap(), f.one()),
            Err(Error::NoInverse { .. }) => assert!(a.is_zero()),
            Err(other) => panic!("{other}"),
        }
        for y in 0..p {
            let b = f.element_from(y).unwrap();
            assert_eq!((&a + &b).value(), &BigUint::from((x + y) % p));
            assert_eq!((&a - &b).value(), &BigUint::from((p + x - y) % p));
            assert_eq!((&a * &b).value(), &BigUint::from(x * y % p));
        }
    }
}

#[test]
fn the_laws_of_a_binary_field_in_full() {
    let f = field("GF(2^5):onb2");
    let all: Vec<_> = (0..32u32).map(|x| f.element_from(x).unwrap()).collect();
    for a in &all {
        assert_eq!(&(a * &f.one()), a);
        assert_eq!(a.pow(&BigUint::from(32u32)).unwrap(), *a, "a^32 = a in a field of 32 elements");
        assert!((a + a).is_zero() && -a == *a);
        if !a.is_zero() {
            assert_eq!(&(a * &a.inverse().unwrap()), &f.one());
        }
        for b in &all {
            let sum = &(a + b);
            assert_eq!(sum * sum, &(a * a) + &(b * b), "squaring is linear");
        }
    }
}

#[test]
fn plain_integers_do_not_wrap() {
    let f = field("int8");
    let (a, b) = (f.element("200").unwrap(), f.element("100").unwrap());
    assert_eq!(a.sub(&b).unwrap().to_string(), "100");
    assert!(matches!(a.add(&b), Err(Error::OutOfRange { .. })));
    assert!(matches!(b.sub(&a), Err(Error::OutOfRange { .. })));
    assert!(matches!(a.mul(&b), Err(Error::OutOfRange { .. })));
    assert!(matches!(f.element("-1"), Err(Error::OutOfRange { .. })));
    assert!(matches!(f.element("256"), Err(Error::OutOfRange { .. })));
    let (zero, one, three) = (f.zero(), f.one(), f.element("3").unwrap());
    let huge = BigUint::from(1u32) << 200u32;
    assert_eq!(zero.pow(&huge).unwrap(), zero);
    assert_eq!(zero.pow(&BigUint::from(0u32)).unwrap(), one);
    assert_eq!(one.pow(&huge).unwrap(), one);
    assert_eq!(three.pow(&BigUint::from(5u32)).unwrap().to_string(), "243");
    assert!(three.pow(&huge).is_err(), "and quickly");
    assert!(three.inverse().is_err() && one.inverse().is_ok());
}

#[test]
fn a_ring_has_elements_without_an_inverse() {
    let f = field("15");
    assert!(matches!(f.element("3").unwrap().inverse(), Err(Error::NoInverse { .. })));
    assert_eq!(f.element("2").unwrap().inverse().unwrap().to_string(), "8");
}

#[test]
fn fields_do_not_mix() {
    let (a, b) = (field("31").one(), field("2^61-1").one());
    for result in [a.add(&b), a.sub(&b), a.mul(&b)] {
        assert!(matches!(result, Err(Error::MixedFields { .. })));
    }
    let kernel = field("31").plans(Op::MUL)[0].kernel().clone();
    assert!(matches!(kernel.run(&[&a, &b]), Err(Error::MixedFields { .. })));
    assert!(matches!(kernel.run(&[&a]), Err(Error::OperandCount { .. })));
    assert_eq!(kernel.run(&[&a, &a]).unwrap(), a);
    // Equal descriptions are one field, however they are written.
    assert_eq!(field("p256").one(), field("2^256 - 2^224 + 2^192 + 2^96 - 1").one());
}

#[test]
#[should_panic(expected = "the operands belong to different fields: 31 and mersenne61")]
fn operators_panic_where_documented() {
    let _ = &field("31").one() + &field("2^61-1").one();
}

/// Every kernel of a small modulus, on every pair of elements, against the reference.
#[test]
fn every_plan_multiplies() {
    let f = field("13");
    let all: Vec<_> = (0..13u32).map(|x| f.element_from(x).unwrap()).collect();
    for plan in f.plans(Op::MUL) {
        for (a, b) in all.iter().flat_map(|a| all.iter().map(move |b| (a, b))) {
            assert_eq!(plan.kernel().run(&[a, b]).unwrap(), a * b, "{plan:?}: {a} · {b}");
        }
    }
}
