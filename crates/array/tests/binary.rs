//! Arrays over binary fields against the reference: bit-sliced in vectors of 512 and 256 bits and in words of 64, whole
//! words with carry-less products, and the interpreter; at lengths around those of groups, in place, with garbage in
//! the lanes that have no element.

use evariste_array::{Array, ArrayError, BigUint, Endian, Engine, Mask, Options};
use evariste_descriptions::{BinaryField, Field};
use evariste_testing::Random;

/// Splitmix64.
trait Elements {
    fn element(&mut self, m: u32) -> BigUint;
}

impl Elements for Random {
    /// 0, 1, all coordinates, one of them, or anything.
    fn element(&mut self, m: u32) -> BigUint {
        let ones = (BigUint::from(1u32) << m) - 1u32;
        match self.word() % 8 {
            0 => BigUint::ZERO,
            1 => BigUint::from(1u32),
            2 => ones,
            3 => BigUint::from(1u32) << (self.word() % u64::from(m)),
            _ => (0..m.div_ceil(64)).fold(BigUint::ZERO, |x, _| (x << 64u32) + self.word()) & ones,
        }
    }
}

fn field(text: &str) -> (Field, BinaryField) {
    let field = Field::parse(text).unwrap();
    let Some(f) = field.get::<BinaryField>() else { panic!("{text} is no binary field") };
    (field.clone(), f.clone())
}

/// All operations at that length.
fn check(engine: &Engine, f: &BinaryField, len: usize, rng: &mut Random) {
    let numbers = |rng: &mut Random| (0..len).map(|_| rng.element(f.degree)).collect::<Vec<BigUint>>();
    let (x, y, z) = (numbers(rng), numbers(rng), numbers(rng));
    let array = |x: &[BigUint], rng: &mut Random| {
        let mut a = engine.from_integers(x).unwrap();
        a.spoil(|| rng.word());
        a
    };
    let (a, b, c) = (array(&x, rng), array(&y, rng), array(&z, rng));
    let same = |name: &str, got: Result<Array, ArrayError>, wanted: &dyn Fn(usize) -> BigUint| {
        let got = engine.to_integers(&got.unwrap()).unwrap();
        assert_eq!(got.len(), len);
        // The reference is slow: elements at the edges of groups, and some between.
        let edge =
            |i: usize| [0, 1, 63].contains(&(i % engine.lanes())) || (i + 1) % engine.lanes() < 2 || i + 1 == len;
        for (i, got) in got.iter().enumerate().filter(|(i, _)| i % 11 == 0 || edge(*i)) {
            assert_eq!(
                *got,
                wanted(i),
                "{name}, element {i} of {len} in {engine:?}: {:#x}, {:#x}, {:#x}",
                x[i],
                y[i],
                z[i]
            );
        }
    };
    let inverse = |x: &BigUint| f.inverse(x).unwrap_or_default();
    same("pack", Ok(a.clone()), &|i| x[i].clone());
    same("mul", engine.mul(&a, &b), &|i| f.multiply(&x[i], &y[i]));
    same("square", engine.square(&a), &|i| f.square(&x[i]));
    same("add", engine.add(&a, &b), &|i| &x[i] ^ &y[i]);
    same("sub", engine.sub(&a, &b), &|i| &x[i] ^ &y[i]);
    same("neg", engine.neg(&a), &|i| x[i].clone());
    same("mul_add", engine.mul_add(&a, &b, &c), &|i| f.multiply(&x[i], &y[i]) ^ &z[i]);
    same("inverse", engine.inverse(&a), &|i| inverse(&x[i]));
    let flags: Vec<bool> = (0..len).map(|_| rng.word() % 2 == 1).collect();
    same("select", engine.select(&Mask::new(&flags), &a, &b), &|i| if flags[i] { y[i].clone() } else { x[i].clone() });
    let exponent = BigUint::from(rng.word() % 1000);
    same("power", engine.power(&a, &exponent), &|i| f.pow(&x[i], &exponent));
    let constant = rng.element(f.degree);
    same("mul_constant", engine.mul_constant(&a, &constant), &|i| f.multiply(&x[i], &constant));

    // In place, one after the other.
    let mut own = a.clone();
    engine.mul_assign(&mut own, &b).unwrap();
    engine.square_assign(&mut own).unwrap();
    engine.add_assign(&mut own, &c).unwrap();
    same("in place", Ok(own), &|i| f.square(&f.multiply(&x[i], &y[i])) ^ &z[i]);
    let mut own = a.clone();
    engine.inverse_into(&mut own, &a).unwrap();
    same("inverse into", Ok(own), &|i| inverse(&x[i]));

    let zeros = engine.is_zero(&engine.canonical(&a).unwrap()).unwrap();
    assert_eq!(zeros.to_flags(), x.iter().map(|x| *x == BigUint::ZERO).collect::<Vec<_>>());
    assert_eq!(engine.sum(&a).unwrap(), x.iter().fold(BigUint::ZERO, |sum, x| sum ^ x));
    assert_eq!(engine.dot(&a, &b).unwrap(), x.iter().zip(&y).fold(BigUint::ZERO, |sum, (x, y)| sum ^ f.multiply(x, y)));
    for endian in [Endian::Little, Endian::Big] {
        same("bytes", engine.from_bytes(&engine.to_bytes(&a, endian).unwrap(), endian), &|i| x[i].clone());
    }
    let (p, q) = (engine.to_words(&a).unwrap(), engine.to_words(&b).unwrap());
    let mut product = vec![0; p.len()];
    engine.mul_words_into(&mut product, &p, &q).unwrap();
    same("words", engine.from_words(&product), &|i| f.multiply(&x[i], &y[i]));
    // A part, and what is beside it.
    if len > engine.lanes() {
        let (start, end) = (engine.lanes(), len - 1);
        let mut own = a.clone();
        engine
            .mul_into(own.slice_mut(start..end).unwrap(), a.slice(start..end).unwrap(), b.slice(start..end).unwrap())
            .unwrap();
        same("a part", Ok(own), &|i| if (start..end).contains(&i) { f.multiply(&x[i], &y[i]) } else { x[i].clone() });
    }
}

/// What Haswell and later processors have.
const AVX2: &str = "bmi2+adx+avx2+fma+pclmulqdq";

fn options(features: Option<&str>, interpreted: bool, sliced: bool) -> Options {
    Options { threads: 1, features: features.map(str::to_string), interpreted, sliced, ..Options::default() }
}

fn lengths(engine: &Engine) -> Vec<usize> {
    let lanes = engine.lanes();
    vec![0, 1, lanes, lanes + 1, 2 * lanes + 5]
}

#[test]
fn every_way_of_short_fields() {
    for text in [
        "GF(2^8)",
        "GF(2)[x]/(x^8+x^6+x^5+x^4+x^3+x+1)",
        "GF(2^29):onb2",
        "GF(2)[x]/(x^9+x^4+1)",
        "GF(2^7):gnb4",
        "GF(2^10):onb1",
    ] {
        let (field, f) = field(text);
        for (features, interpreted) in [(None, false), (Some(AVX2), false), (Some("baseline"), false), (None, true)] {
            let engine = Engine::with(&field, options(features, interpreted, false)).unwrap();
            let most = if interpreted {
                66
            } else if features.is_some() {
                engine.lanes() + 1
            } else {
                usize::MAX
            };
            for len in lengths(&engine).into_iter().filter(|len| *len <= most) {
                check(&engine, &f, len, &mut Random(len as u64));
            }
        }
    }
}

#[test]
fn long_fields() {
    let full = std::env::var_os("EVARISTE_FULL").is_some();
    let mut all = vec![("GF(2^163)", false), ("GF(2^65):onb2", false), ("GF(2^64)", false), ("GF(2^57)", true)];
    if full {
        all.extend([
            ("GF(2^131):onb2", false),
            ("GF(2^163):gnb4", false),
            ("GF(2^283)", false),
            ("GF(2^131)", true),
            ("GF(2^571)", false),
        ]);
    }
    for (text, sliced) in all {
        let (field, f) = field(text);
        let narrow = format!("{AVX2}+vpclmulqdq");
        let narrow = narrow.as_str();
        for features in
            if full { vec![None, Some(narrow), Some(AVX2), Some("baseline")] } else { vec![None, Some(narrow)] }
        {
            let start = std::time::Instant::now();
            let engine = Engine::with(&field, options(features, false, sliced)).unwrap();
            engine.prepare().unwrap();
            println!("{engine:?}: {} made in {:.1} s", engine.describe("mul").unwrap(), start.elapsed().as_secs_f64());
            for len in lengths(&engine) {
                check(&engine, &f, len.min(if full { len } else { 600 }), &mut Random(len as u64));
            }
        }
    }
}

#[test]
fn threads_and_errors() {
    let (field, f) = field("GF(2^29):onb2");
    let engine = Engine::new(&field, 2).unwrap();
    check(&engine, &f, 2100, &mut Random(1));
    let large: BigUint = BigUint::from(1u32) << 29u32;
    assert!(matches!(
        engine.from_integers(&[BigUint::from(3u32), large.clone()]),
        Err(ArrayError::Range { index: 1, .. })
    ));
    assert!(
        matches!(engine.from_words(&[3, 1 << 29]), Err(ArrayError::Range { index: 1, value, .. }) if value == large)
    );
    let (other, _) = self::field("GF(2^8)");
    let foreign = Engine::new(&other, 1).unwrap().from_integers(&[BigUint::from(1u32)]).unwrap();
    assert!(matches!(engine.square(&foreign), Err(ArrayError::Foreign { .. })));
    assert!(matches!(engine.mul_montgomery_words_into(&mut [0], &[1], &[1]), Err(ArrayError::Kernel { .. })));
}
