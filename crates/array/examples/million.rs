//! A million products: nanoseconds an element, packed, and from and to ordinary words; in and out of cache; one thread and all.
//!
//! `cargo run --release -p evariste-array --example million [FIELD]`. Each figure is the least of several passes, with the median beside it.

use std::time::Instant;

use evariste_array::{ArrayError, Engine};
use evariste_spec::{Field, Modulus};

/// Elements of the large arrays.
const MILLION: usize = 1 << 20;

/// Least and median nanoseconds an element.
fn time(elements: usize, repeat: usize, mut pass: impl FnMut() -> Result<(), ArrayError>) -> Result<(f64, f64), ArrayError> {
    let mut times = Vec::new();
    for _ in 0..15 {
        let start = Instant::now();
        for _ in 0..repeat {
            pass()?;
        }
        times.push(start.elapsed().as_nanos() as f64 / (elements * repeat) as f64);
    }
    times.sort_by(f64::total_cmp);
    Ok((times[0], times[times.len() / 2]))
}

fn words(m: &Modulus, n: usize, elements: usize) -> Vec<u64> {
    let top = m.value.iter_u64_digits().last().unwrap_or(1);
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut word = |k: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        // The top word stays below that of the modulus.
        if k % n == n - 1 { state % top } else { state }
    };
    (0..n * elements).map(&mut word).collect()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let name = std::env::args().nth(1).unwrap_or_else(|| "bls12-381-fr".into());
    let field = Field::parse(&name)?;
    let Field::Modular(m) = &field else { return Err(format!("{name} has no modulus").into()) };
    let start = Instant::now();
    let single = Engine::new(&field, 1)?;
    let chosen = start.elapsed();
    println!("{single:?}");
    for operation in ["mul", "square", "add", "sub", "from_words", "to_montgomery", "from_montgomery", "canonical", "to_words"] {
        let start = Instant::now();
        if let Ok(description) = single.describe(operation) {
            println!("{operation:16} {:6.1} ms  {description}", start.elapsed().as_secs_f64() * 1e3);
        }
    }
    println!("layout chosen in {:.1} ms\n", chosen.as_secs_f64() * 1e3);

    println!("{:44} {:>8} {:>8}", "ns an element", "least", "median");
    for threads in [1, 2] {
        let engine = single.with_threads(threads)?;
        for (place, elements, repeat) in [("in cache", 512 * threads, 2000), ("a million", MILLION, 1)] {
            let n = engine.words_per_element();
            let (x, y) = (words(m, n, elements), words(m, n, elements));
            let (a, b) = (engine.from_words(&x)?, engine.from_words(&y)?);
            let (mut c, mut d) = (a.clone(), b.clone());
            let mut z = vec![0u64; x.len()];
            let row = |what: &str, (least, median): (f64, f64)| println!("{:44} {least:8.2} {median:8.2}", format!("{what}, {place}, {threads} threads"));
            row("mul into an output", time(elements, repeat, || engine.mul_into(&mut c, &a, &b))?);
            row("mul in place", time(elements, repeat, || engine.mul_assign(&mut c, &b))?);
            row("square in place", time(elements, repeat, || engine.square_assign(&mut c))?);
            row("add in place", time(elements, repeat, || engine.add_assign(&mut c, &b))?);
            row("a·b + c into an output", time(elements, repeat, || engine.mul_add_into(&mut c, &a, &b, &b))?);
            row("pack", time(elements, repeat, || engine.from_words_into(&mut c, &x))?);
            row("unpack", time(elements, repeat, || engine.to_words_into(&mut z, &a))?);
            row("pack, pack, mul, unpack", time(elements, repeat.min(500), || {
                engine.from_words_into(&mut c, &x)?;
                engine.from_words_into(&mut d, &y)?;
                engine.mul_assign(&mut c, &d)?;
                engine.to_words_into(&mut z, &c)
            })?);
            row("dot", time(elements, repeat.min(500), || engine.dot(&a, &b).map(drop))?);
            row("inverse", time(elements, repeat.min(20), || engine.inverse_into(&mut c, &a))?);
        }
    }
    Ok(())
}
