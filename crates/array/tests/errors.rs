//! Every error names both sides.

use evariste_array::{ArrayError, BigUint, Endian, Engine, Mask, Options};
use evariste_descriptions::Field;

fn engine(text: &str) -> Engine {
    // What is remembered on this machine may choose other layouts.
    Engine::with(&Field::parse(text).unwrap(), Options { threads: 1, forget: true, ..Options::default() }).unwrap()
}

fn text<T>(result: Result<T, ArrayError>) -> String {
    match result {
        Ok(_) => "no error".into(),
        Err(e) => e.to_string(),
    }
}

#[test]
fn lengths_are_compared() {
    let e = engine("25519");
    let numbers = |n: u32| (0..n).map(BigUint::from).collect::<Vec<_>>();
    let (a, b) = (e.from_integers(&numbers(9)).unwrap(), e.from_integers(&numbers(10)).unwrap());
    assert!(text(e.mul(&a, &b)).starts_with("`mul`: one array has 9 elements, the other 10\nhelp: "));
    assert!(text(e.dot(&a, &b)).starts_with("`dot`: one array has 9 elements, the other 10"));
    assert!(
        text(e.select(&Mask::new(&[true; 8]), &a, &a)).starts_with("`select`: one array has 9 elements, the other 8")
    );
    let mut out = b.clone();
    assert!(text(e.add_into(&mut out, &a, &a)).starts_with("`add`: one array has 10 elements, the other 9"));
    assert!(text(e.inverse_into(&mut out, &a)).starts_with("`inverse`: one array has 10 elements, the other 9"));
    assert!(text(e.mul_add(&a, &a, &b)).starts_with("`mul_add`: one array has 9 elements, the other 10"));
    assert!(text(e.to_words_into(&mut [0; 8], &a)).starts_with("`to_words`: one array has 9 elements, the other 2"));
    assert!(
        text(e.to_bytes_into(&mut [0; 64], &a, Endian::Big))
            .starts_with("`to_bytes`: one array has 9 elements, the other 2")
    );
    assert!(
        text(e.from_bytes_into(&mut out, &[0; 64], Endian::Big))
            .starts_with("`from_bytes`: one array has 10 elements, the other 2")
    );
}

#[test]
fn foreign_arrays_are_named() {
    let (e, other) = (engine("25519"), engine("p256"));
    let (a, b) = (e.from_words(&[1, 0, 0, 0]).unwrap(), other.from_words(&[1, 0, 0, 0]).unwrap());
    for message in [
        text(e.mul(&a, &b)),
        text(e.add(&b, &b)),
        text(e.sum(&b)),
        text(e.inverse(&b)),
        text(e.to_words(&b)),
        text(e.power(&b, &BigUint::from(3u32))),
        text(e.canonical(&b)),
    ] {
        let own = format!("the engine works on `25519` in the layout {},", e.layout().name);
        let given = format!("the array is of `p256` in the layout {},", other.layout().name);
        assert!(message.contains(&own) && message.contains(&given), "{message}");
    }
    // Another number of threads is the same engine; so is another one of the same field.
    let more = engine("25519").with_threads(2).unwrap();
    assert_eq!(more.threads(), 2);
    assert_eq!(more.to_integers(&more.mul(&a, &a).unwrap()).unwrap(), [BigUint::from(1u32)]);
    // Another order of lanes is not.
    let scalar = Engine::with(
        &Field::parse("25519").unwrap(),
        Options { threads: 1, features: Some("baseline".into()), forget: true, ..Options::default() },
    )
    .unwrap();
    if e.lanes() != scalar.lanes() {
        assert!(text(scalar.mul(&a, &a)).contains(", 1 by 1, the array is of `25519` in the layout"));
    }
}

#[test]
fn values_are_judged_when_they_are_packed() {
    let e = engine("secp256k1");
    let p = BigUint::parse_bytes(b"fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f", 16).unwrap();
    let words = |x: &BigUint| x.to_u64_digits();
    for (value, fits) in
        [(&p - 1u32, true), (p.clone(), false), (&p + 1u32, false), ((BigUint::from(1u32) << 256u32) - 1u32, false)]
    {
        for at in [0usize, 5, 8, 600] {
            let mut all = vec![7u64; 4 * 601];
            all[4 * at..4 * at + 4].copy_from_slice(&words(&value));
            let message = text(e.from_words(&all));
            let bytes: Vec<u8> = all.iter().flat_map(|w| w.to_le_bytes()).collect();
            assert_eq!(text(e.from_bytes(&bytes, Endian::Little)), message);
            if fits {
                assert_eq!(message, "no error");
            } else {
                assert!(
                    message.starts_with(&format!("element {at} is {value:#x}, which is not below {p:#x}")),
                    "{message}"
                );
            }
        }
    }
    assert!(text(e.from_integers(&[BigUint::from(5u32), p.clone()])).starts_with("element 1 is 0xffff"));
    assert_eq!(
        text(e.from_words(&[1, 2, 3])),
        "3 words are not a whole number of elements: one element has 4 words
help: give a multiple of 4 words"
    );
    assert_eq!(
        text(e.from_bytes(&[0; 33], Endian::Big)),
        "33 bytes are not a whole number of elements: one element has 32 bytes
help: give a multiple of 32 bytes"
    );
    let a = e.from_words(&[1; 4]).unwrap();
    assert!(text(e.mul_constant(&a, &p)).contains("which is not below "));
}

#[test]
fn parts_that_are_none() {
    let e = engine("25519");
    let a = e.from_words(&[1; 4 * 20]).unwrap();
    assert!(
        text(a.slice(0..21))
            .starts_with("no view of elements 0 to 21 of an array of 20: the array ends before\nhelp: ")
    );
    assert!(text(a.copy_range(19..usize::MAX)).contains("the array ends before"));
    #[allow(clippy::reversed_empty_ranges)]
    let reversed = a.slice(8..0);
    assert!(text(reversed).contains("it ends before it starts"));
    if e.lanes() == 8 {
        assert!(text(a.slice(3..9)).contains("it starts within a vector"));
    }
    assert!(text(a.digits(20)).contains("the array ends before"));
}

#[test]
fn fields_without_arrays() {
    for field in ["int256", "odd256"] {
        let message = text(Engine::new(&Field::parse(field).unwrap(), 1));
        assert!(message.starts_with(&format!("`{field}` has no layout for arrays")), "{message}");
    }
    let ring = engine("2^255 - 21");
    let a = ring.from_words(&[3, 0, 0, 0]).unwrap();
    assert!(text(ring.inverse(&a)).contains("is not prime"));
    assert!(text(ring.describe("nothing")).contains("no such operation of arrays"));
}
