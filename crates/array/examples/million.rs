//! Products: nanoseconds an element, packed, and from and to ordinary words, of arrays in the first and the second
//! cache and in memory, on one thread and two; of what goes from or to ordinary words or bytes also gigabytes of these
//! a second, one number an element, and how many percent that is of what a copy of the words makes in the same place.
//!
//! `cargo run --release -p evariste-array --example million [FIELD [sliced]]`. Each figure is the least of some hundred
//! passes over a slice, with the median beside it. Of a bit-sliced field (`sliced` asks for that also where whole words
//! are faster) to pack is to slice, to unpack the way back, and "pack, pack, mul, unpack" a product with both.

use std::ops::Range;
use std::time::Instant;

use evariste_array::{ArrayError, Endian, Engine, Options};
use evariste_descriptions::Field;
use rayon::prelude::*;

/// Elements of the large arrays.
const MILLION: usize = 1 << 20;

/// Words of a pass through them: short, so that a busy machine leaves some passes alone.
const SLICE: usize = 1 << 17;

/// Least and median nanoseconds an element of passes over slices of arrays, each made several times where it is short.
fn time(
    slice: usize,
    elements: usize,
    mut pass: impl FnMut(Range<usize>) -> Result<(), ArrayError>,
) -> Result<(f64, f64), ArrayError> {
    let repeat = (8192 / slice).max(1);
    let mut times = Vec::new();
    while times.len() < 300 {
        for start in (0..elements).step_by(slice) {
            let clock = Instant::now();
            for _ in 0..repeat {
                pass(start..start + slice)?;
            }
            times.push(clock.elapsed().as_nanos() as f64 / (slice * repeat) as f64);
        }
    }
    times.sort_by(f64::total_cmp);
    Ok((times[0], times[times.len() / 2]))
}

/// Elements whose top word stays below `top` (0: any).
fn words(top: u64, n: usize, elements: usize) -> Vec<u64> {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut word = |k: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        if k % n == n - 1 { state.checked_rem(top).unwrap_or(state) } else { state }
    };
    (0..n * elements).map(&mut word).collect()
}

/// What the top word of every element is below, where it is not any word: that of a modulus, the power of two above the
/// coefficients of a polynomial.
fn top(field: &Field) -> Result<u64, String> {
    Ok(field.order().iter_u64_digits().last().unwrap_or(1))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let name = std::env::args().nth(1).unwrap_or_else(|| "bls12-381-fr".into());
    let field = Field::parse(&name)?;
    let top = top(&field)?;
    let sliced = std::env::args().nth(2).is_some_and(|word| word == "sliced");
    let start = Instant::now();
    let single = Engine::with(&field, Options { threads: 1, sliced, ..Options::default() })?;
    let chosen = start.elapsed();
    println!("{single:?}");
    for operation in [
        "mul",
        "square",
        "add",
        "sub",
        "mul_add",
        "dot",
        "sum",
        "from_words",
        "to_montgomery",
        "from_montgomery",
        "canonical",
        "to_words",
        "exceeds",
        "mul_words",
        "mul_montgomery_words",
    ] {
        let start = Instant::now();
        if let Ok(description) = single.describe(operation) {
            println!("{operation:16} {:6.1} ms  {description}", start.elapsed().as_secs_f64() * 1e3);
        }
    }
    println!("layout chosen in {:.1} ms\n", chosen.as_secs_f64() * 1e3);

    println!("{:44} {:>8} {:>8} {:>8} {:>8}", "ns an element", "least", "median", "GB/s", "of copy");
    for threads in [1, 2] {
        let engine = single.with_threads(threads)?;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        // What fits the first cache is too little for two threads.
        for (place, elements) in [("320", 320), ("16384", 16_384), ("a million", MILLION)].into_iter().skip(threads - 1)
        {
            let n = engine.words_per_element();
            let slice = (SLICE / n).next_power_of_two().min(elements);
            let time = |elements: usize, pass: &mut dyn FnMut(Range<usize>) -> Result<(), ArrayError>| {
                time(slice, elements, pass)
            };
            let (x, y) = (words(top, n, elements), words(top, n, elements));
            let (a, b) = (engine.from_words(&x)?, engine.from_words(&y)?);
            let (mut c, mut d) = (a.clone(), b.clone());
            let mut z = vec![0u64; x.len()];
            let own = |r: &Range<usize>| r.start * n..r.end * n;
            let row = |what: &str, (least, median): (f64, f64)| {
                println!("{:44} {least:8.2} {median:8.2}", format!("{what}, {place}, {threads} threads"))
            };
            row(
                "mul into an output",
                time(elements, &mut |r| engine.mul_into(c.slice_mut(r.clone())?, a.slice(r.clone())?, b.slice(r)?))?,
            );
            row("mul in place", time(elements, &mut |r| engine.mul_assign(c.slice_mut(r.clone())?, b.slice(r)?))?);
            row("square in place", time(elements, &mut |r| engine.square_assign(c.slice_mut(r)?))?);
            row("add in place", time(elements, &mut |r| engine.add_assign(c.slice_mut(r.clone())?, b.slice(r)?))?);
            if engine.describe("mul_add").is_ok() {
                row(
                    "a·b + c into an output",
                    time(elements, &mut |r| {
                        engine.mul_add_into(
                            c.slice_mut(r.clone())?,
                            a.slice(r.clone())?,
                            b.slice(r.clone())?,
                            b.slice(r)?,
                        )
                    })?,
                );
            }
            row("dot", time(elements, &mut |r| engine.dot(a.slice(r.clone())?, b.slice(r)?).map(drop))?);
            // By as many threads.
            let copy = time(elements, &mut |r| {
                let part = own(&r).len().div_ceil(threads);
                match threads {
                    1 => z[own(&r)].copy_from_slice(&x[own(&r)]),
                    _ => pool.install(|| {
                        z[own(&r)]
                            .par_chunks_mut(part)
                            .zip(x[own(&r)].par_chunks(part))
                            .for_each(|(to, from)| to.copy_from_slice(from))
                    }),
                }
                std::hint::black_box(&mut z);
                Ok(())
            })?;
            // Of an element in so many bytes.
            let rate_of = |bytes: usize, what: &str, (least, median): (f64, f64)| {
                let (rate, copied) = (bytes as f64 / least, (8 * n) as f64 / copy.0);
                println!(
                    "{:44} {least:8.2} {median:8.2} {rate:8.1} {:7.0}%",
                    format!("{what}, {place}, {threads} threads"),
                    100.0 * rate / copied
                );
            };
            let rate = |what: &str, times: (f64, f64)| rate_of(8 * n, what, times);
            rate("copy of words", copy);
            rate("pack", time(elements, &mut |r| engine.from_words_into(c.slice_mut(r.clone())?, &x[own(&r)]))?);
            rate("unpack", time(elements, &mut |r| engine.to_words_into(&mut z[own(&r)], a.slice(r)?))?);
            let size = engine.bytes_per_element();
            let places = |r: &Range<usize>| r.start * size..r.end * size;
            for (endian, order) in [(Endian::Little, "little-endian"), (Endian::Big, "big-endian")] {
                let mut bytes = engine.to_bytes(&a, endian)?;
                rate_of(
                    size,
                    &format!("pack bytes, {order}"),
                    time(elements, &mut |r| {
                        engine.from_bytes_into(c.slice_mut(r.clone())?, &bytes[places(&r)], endian)
                    })?,
                );
                rate_of(
                    size,
                    &format!("unpack bytes, {order}"),
                    time(elements, &mut |r| engine.to_bytes_into(&mut bytes[places(&r)], a.slice(r)?, endian))?,
                );
            }
            let steps = |r: Range<usize>| {
                engine.from_words_into(c.slice_mut(r.clone())?, &x[own(&r)])?;
                engine.from_words_into(d.slice_mut(r.clone())?, &y[own(&r)])?;
                engine.mul_assign(c.slice_mut(r.clone())?, d.slice(r.clone())?)?;
                engine.to_words_into(&mut z[own(&r)], c.slice(r)?)
            };
            row("pack, pack, mul, unpack", time(elements, &mut { steps })?);
            rate(
                "product of words",
                time(elements, &mut |r| engine.mul_words_into(&mut z[own(&r)], &x[own(&r)], &y[own(&r)]))?,
            );
            if engine.describe("mul_montgomery_words").is_ok() {
                rate(
                    "product of words in Montgomery form",
                    time(elements, &mut |r| {
                        engine.mul_montgomery_words_into(&mut z[own(&r)], &x[own(&r)], &y[own(&r)])
                    })?,
                );
            }
            row("sum", time(elements, &mut |r| engine.sum(a.slice(r)?).map(drop))?);
            row("inverse", time(elements, &mut |r| engine.inverse_into(c.slice_mut(r.clone())?, a.slice(r)?))?);
        }
    }
    Ok(())
}
