//! Nanoseconds an element of number-theoretic transforms of powers of two, least and median, on one thread and two.
//!
//! `cargo run --release -p evariste-array --example transform [FIELD [LOG2]]`.

use std::time::Instant;

use evariste_array::{Engine, Options};
use evariste_descriptions::Field;
use num_bigint::BigUint;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut given = std::env::args().skip(1);
    let field = Field::parse(&given.next().unwrap_or_else(|| "babybear".into()))?;
    let (last, single) = (
        given.next().map_or(Ok(20), |n| n.parse())?,
        Engine::with(&field, Options { threads: 1, ..Options::default() })?,
    );
    println!("{single:?}");
    let p = field.order();
    for threads in [1, 2] {
        let engine = single.with_threads(threads)?;
        for log in (10..=last).step_by(2) {
            let len = 1usize << log;
            // A power of a small number whose half is −1.
            let root = (2u32..)
                .map(|x| BigUint::from(x).modpow(&((&p - 1u32) >> log), &p))
                .find(|root| root.modpow(&(len / 2).into(), &p) == &p - 1u32);
            let Some(root) = root else { break };
            let values: Vec<BigUint> = (0..len).map(|i| BigUint::from(i).pow(9) % &p).collect();
            let (transform, a) = (engine.transform(len, &root)?, engine.from_integers(&values)?);
            let (mut out, mut times) = (engine.zeros(len), Vec::new());
            for _ in 0..((1 << 24) / len).clamp(5, 500) {
                let start = Instant::now();
                engine.transformed_into(&transform, &mut out, &a)?;
                times.push(start.elapsed().as_nanos() as f64 / len as f64);
            }
            times.sort_by(f64::total_cmp);
            println!("2^{log} elements, {threads} threads: {:8.2} {:8.2}", times[0], times[times.len() / 2]);
        }
    }
    Ok(())
}
