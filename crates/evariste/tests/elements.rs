//! Elements: exact in every kind of field, errors where operands do not fit, panics only where documented.

use evariste::{BigUint, Element, Error, Field, Op};
use evariste_backend::{Kind, found};
use evariste_testing::{Random, seed};

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

/// Edges of a field, and numbers of any size.
fn values(f: &Field, random: &mut Random) -> Vec<BigUint> {
    let order = f.order();
    let edges = [0u32, 1, 2, 3].map(BigUint::from).into_iter().chain((1..=3u32).map(|i| &order - i));
    let powers = [1, f.bits() / 2, f.bits() - 1].map(|i| BigUint::from(1u32) << i);
    let any = (0..8).map(|i| {
        let words: Vec<u32> = (0..f.bits().div_ceil(32)).map(|_| random.edge_word() as u32).collect();
        BigUint::new(words) >> (i * f.bits() / 16)
    });
    edges.chain(powers).chain(any.collect::<Vec<_>>()).map(|x| x % &order).collect()
}

/// Elements by machine code are those of the reference: in every named field and every other kind, canonical, equal to
/// and hashed like elements of big integers.
#[test]
// (Hash and equality are those of the value, which never changes: only how it is held does.)
#[allow(clippy::mutable_key_type)]
fn machine_code_and_big_integers_give_the_same_elements() {
    let names = evariste_descriptions::named().iter().map(|named| named.name);
    let others = ["3", "2^255 - 19", "2^127 - 1", "15", "2^64 + 13", "int64", "odd128", "GF(2^8)", "GF(2^128)"];
    let binary = ["GF(2^163)", "GF(2^233)", "GF(2^131):onb2", "GF(2^163):gnb4", "GF(2^571)"];
    let mut random = Random(seed());
    let mut made = Vec::new();
    for name in names.chain(others).chain(binary) {
        // (The second one computes with big integers: nobody asked it for code.)
        let (f, slow) = (field(name), field(name));
        if f.prepare() {
            made.push(name);
        }
        let values = values(&f, &mut random);
        let set: std::collections::HashSet<_> = values.iter().map(|x| slow.element_from(x.clone()).unwrap()).collect();
        for x in &values {
            let (a, a2) = (f.element_from(x.clone()).unwrap(), slow.element_from(x.clone()).unwrap());
            let same = |fast: Result<Element, Error>, slow: Result<Element, Error>, what: &str| match (fast, slow) {
                (Ok(fast), Ok(slow)) => {
                    assert_eq!(fast, slow, "{name}: {what} of {x}");
                    assert!(fast.value() < &f.order(), "{name}: {what} of {x}");
                    assert_eq!(fast, f.element_from(slow.value().clone()).unwrap());
                    assert_eq!(set.contains(&fast), set.contains(&slow));
                    assert_eq!(fast.is_zero(), slow.is_zero());
                }
                (Err(fast), Err(slow)) => assert_eq!(fast.to_string(), slow.to_string()),
                (fast, slow) => panic!("{name}: {what} of {x}: {fast:?}, {slow:?}"),
            };
            same(a.inverse(), a2.inverse(), "inverse");
            same(a.square(), a2.square(), "square");
            same(a.neg(), a2.neg(), "negative");
            for y in &values {
                let (b, b2) = (f.element_from(y.clone()).unwrap(), slow.element_from(y.clone()).unwrap());
                same(a.add(&b), a2.add(&b2), "sum");
                same(a.sub(&b), a2.sub(&b2), "difference");
                same(a.mul(&b), a2.mul(&b2), "product");
                // Elements of two fields of one description, and what was computed already.
                same(a.mul(&b2), a2.mul(&b), "product of two kinds");
                same(a.mul(&b).and_then(|c| c.sub(&a)), a2.mul(&b2).and_then(|c| c.sub(&a2)), "chain");
            }
        }
    }
    if !found(|kind| kind == Kind::Scalar, None).is_empty() {
        assert!(made.contains(&"p256") && made.contains(&"GF(2^163)") && made.len() > 20, "{made:?}");
        assert!(!made.contains(&"int64") && !made.contains(&"odd128"), "{made:?}");
    }
}

/// Code is made by itself after many operations, and nothing changes by it.
#[test]
fn code_is_made_when_it_is_worth_it() {
    let f = field("25519");
    let (mut x, b) = (f.element("7").unwrap(), f.element("2^254 + 9").unwrap());
    for _ in 0..(1 << 17) + 10 {
        x = &x * &b;
    }
    let p = f.order();
    let power = b.value().modpow(&BigUint::from((1u32 << 17) + 10), &p);
    assert_eq!(x.value(), &(power * 7u32 % p));
}

/// Elements of towers are computed with like others; points have sums alone, and say so.
#[test]
fn elements_of_towers_and_points_of_curves() {
    let tower = field("bn254-fp2");
    let a = tower.element("[3, 0x5]").unwrap();
    assert_eq!(a.to_string(), "[0x3, 0x5]");
    assert_eq!(a.mul(&a.inverse().unwrap()).unwrap(), tower.one());
    assert_eq!(a.square().unwrap(), tower.element("[-16, 30]").unwrap());
    assert_eq!(tower.element(&a.to_string()).unwrap(), a);
    assert!(tower.element_from(BigUint::from(1u32) << 254u32).is_ok_and(|u| u.to_string() == "[0x0, 0x1]"));
    let refused = tower.element_from((BigUint::from(1u32) << 254u32) - 1u32).unwrap_err();
    assert!(refused.to_string().contains("no element of bn254-fp2 has that number"), "{refused}");
    assert!(!tower.prepare());

    let curve = field("curve:ed25519");
    let base = Element::clone(&curve.element_from(curve.spec().generator().unwrap()).unwrap());
    let twice = base.add(&base).unwrap();
    assert_eq!(twice.sub(&base).unwrap(), base);
    assert!(base.sub(&base).unwrap().is_zero() && curve.zero().to_string() == "[0x0, 0x1]");
    let refused = base.mul(&base).unwrap_err();
    assert!(refused.to_string().contains("curve:ed25519 has add, opp, selectznz, double"), "{refused}");

    assert!(curve.choose_first(None, None, &Op::ADD).is_ok());
    // There is nothing to choose from, to measure or to emit.
    let above = field("curve:y^2=x^3+2x+3@101[w]/(w^2-w+1)");
    for error in [above.choose(None, None).err(), above.choose_first(None, None, &Op::ADD).err()] {
        assert!(matches!(error, Some(Error::NoKernels { .. })), "{error:?}");
    }
    assert!(curve.arrays(1).is_err());
}
