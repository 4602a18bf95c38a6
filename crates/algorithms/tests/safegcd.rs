//! Division steps and inverses by them, in short words, on every input.

use std::collections::HashMap;
use std::sync::Arc;

use evariste_algorithms::lanes::layouts::modulus_layouts;
use evariste_algorithms::prime::safegcd::{SAFEGCD, batches, steps, steps_of_batch};
use evariste_algorithms::{Layout, Operation, layouts};
use evariste_descriptions::{Field, Modulus};
use evariste_ir::{Interpreter, Kernel, refute};
use num_bigint::{BigInt, BigUint};

/// The inverse of a number, by a kernel.
fn inverse(interpreter: &Interpreter, layout: &Layout, a: &BigInt) -> BigInt {
    let ends = layout.weights[1..].iter().map(|w| Some(*w)).chain([None]);
    let low = |x: &BigInt, end: Option<u32>| end.map_or(x.clone(), |end| x % (BigInt::from(1) << end));
    let digits: Vec<BigInt> = layout.weights.iter().zip(ends).map(|(w, end)| low(a, end) >> *w).collect();
    let outputs = interpreter.run_one(&[("a", digits)]).unwrap();
    let out = outputs.into_iter().find(|(name, _)| name == "out").unwrap().1;
    out.iter().zip(&layout.weights).map(|(x, w)| x << *w).sum()
}

/// The kernels of inverses of a field with their layouts.
fn kernels(field: &Field, word: u32) -> Vec<(Layout, Kernel)> {
    let all = layouts(field, word).into_iter().filter(|l| (SAFEGCD.applies)(field, l, &Operation::INVERSE));
    all.map(|l| (l.clone(), (SAFEGCD.write)(field, &l, &Operation::INVERSE).unwrap())).collect()
}

#[test]
fn packed_and_joined_steps_are_division_steps_on_every_word() {
    for (word, zetas) in [(7, vec![0, 1, 5, 63, 64, 100, 127]), (10, vec![0, 511, 512, 1023])] {
        let count = steps::packed_steps(word);
        let (once, batch) = (Arc::new(steps::packed(word, count)), steps::batch(word, steps::batch_steps(word, word)));
        for kernel in [once, batch] {
            let low = 1 << word.min(3 * count + 1);
            for (f, g) in (1..low).step_by(2).flat_map(|f| (0..low).map(move |g| (f, g))) {
                let zeta = zetas[(f / 2 + g) as usize % zetas.len()];
                let inputs = [("zeta", vec![zeta.into()]), ("f", vec![f.into()]), ("g", vec![g.into()])];
                assert_eq!(refute(&kernel, &inputs), None, "{} of ζ {zeta}, f {f}, g {g}", kernel.name);
            }
        }
    }
}

fn is_odd_prime(n: u32) -> bool {
    n > 2 && (2..n).take_while(|d| d * d <= n).all(|d| !n.is_multiple_of(d))
}

/// Inverts every element modulo p: how many are not 0.
fn exhausted(layout: &Layout, kernel: &Kernel, p: u32) -> u32 {
    let (factor, interpreter) = (layout.factor(), Interpreter::new(kernel));
    assert_eq!(inverse(&interpreter, layout, &0.into()), 0.into(), "1/0 modulo {p}");
    for a in 1..p {
        let out = inverse(&interpreter, layout, &a.into());
        assert!(out < p.into());
        assert_eq!(out * a % p, &factor * &factor % p, "1/{a} modulo {p} in {}", layout.name);
    }
    p - 1
}

#[test]
fn inverses_of_every_element_modulo_every_short_prime() {
    let mut tried = 0;
    // One word and two of them, primes just below a power of two among them.
    for (word, primes) in [(7, 3..170), (8, 240..270), (9, 480..530), (12, 4_080..4_110)] {
        for p in primes.filter(|p| is_odd_prime(*p)) {
            let field = Field::parse(&p.to_string()).unwrap();
            for (layout, kernel) in kernels(&field, word) {
                tried += exhausted(&layout, &kernel, p);
            }
        }
    }
    assert!(tried > 15_000, "{tried} inverses");
}

/// The kernels of inverses in layouts for lanes of digits of so many bits.
fn kernels_in_lanes(field: &Field, word: u32, radix: u32) -> Vec<(Layout, Kernel)> {
    let m = field.get::<Modulus>().unwrap();
    let all = modulus_layouts(m, word, radix).into_iter().filter(|l| (SAFEGCD.applies)(field, l, &Operation::INVERSE));
    let written = |l: Layout| (SAFEGCD.write)(field, &l, &Operation::INVERSE).ok().map(|kernel| (l, kernel));
    all.filter_map(written).collect()
}

#[test]
fn inverses_in_lanes_of_every_element_modulo_every_short_prime() {
    let mut tried = HashMap::new();
    // Digits that are multiplied by halves, and those that words have room for whole products of; of these also mixed ones.
    for (word, radix, primes) in [
        (12, 6, 1_030..1_040),
        (12, 7, 4_099..4_100),
        (14, 8, 16_411..16_412),
        (15, 6, 1_030..1_040),
        (19, 8, 16_411..16_412),
        (19, 7, 8_191..8_192),
    ] {
        for p in primes.filter(|p| is_odd_prime(*p)) {
            let field = Field::parse(&p.to_string()).unwrap();
            for (layout, kernel) in kernels_in_lanes(&field, word, radix) {
                *tried.entry((word, radix)).or_insert(0) += exhausted(&layout, &kernel, p);
            }
        }
    }
    assert!(tried.len() == 6 && tried.values().all(|count| *count > 1_000), "{tried:?} inverses");
}

#[test]
fn inverses_of_long_elements() {
    let texts = ["p256", "2^255-19", "bls12-381-fp", "p521"];
    // The last divides by fewer lengths than it has batches.
    let words = texts.iter().flat_map(|t| [(*t, 64), (*t, 32)]).chain([("p521", 16)]).map(|(t, word)| (t, word, None));
    let lanes = texts.iter().flat_map(|t| [52, 30, 28, 26, 51].map(|radix| (*t, 64, Some(radix))));
    let mut in_lanes = 0;
    for (text, word, radix) in words.chain(lanes) {
        let field = Field::parse(text).unwrap();
        let m = field.get::<Modulus>().unwrap();
        let p = BigInt::from(m.value.clone());
        let all = radix.map_or_else(|| kernels(&field, word), |radix| kernels_in_lanes(&field, word, radix));
        in_lanes += radix.map_or(0, |_| all.len());
        for (layout, kernel) in all {
            assert!(batches(m, &layout) * steps_of_batch(&layout) > 2 * m.bits);
            let interpreter = Interpreter::new(&kernel);
            let third: BigUint = &m.value / 3u32;
            for a in [BigInt::from(1), 2.into(), &p - 1, &p - 2, third.into(), BigInt::from(3).pow(100) % &p] {
                let out = inverse(&interpreter, &layout, &a);
                assert_eq!(out * &a % &p, layout.factor().pow(2) % &p, "1/{a:#x} in {}", layout.name);
            }
        }
    }
    assert!(in_lanes >= 20, "{in_lanes} kernels in lanes");
}
