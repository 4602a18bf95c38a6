//! Nanoseconds a product of elements in products of square matrices, least and median, on one thread.
//!
//! `cargo run --release -p evariste-array --example matrices [FIELD [SIZE]]`. `SETS` names the instruction sets that may be
//! used.

use std::time::Instant;

use evariste_array::{Engine, Options};
use evariste_descriptions::Field;
use num_bigint::BigUint;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let field = Field::parse(&std::env::args().nth(1).unwrap_or_else(|| "secp256k1".into()))?;
    let engine =
        Engine::with(&field, Options { threads: 1, features: std::env::var("SETS").ok(), ..Options::default() })?;
    println!("{engine:?}\n{}", engine.describe("mul")?);
    let p = field.order();
    let sizes = std::env::args().nth(2).map_or(Ok(vec![10usize, 30, 100, 300]), |n| n.parse().map(|n| vec![n]))?;
    for n in sizes {
        let values: Vec<BigUint> = (1..=n * n).map(|i| BigUint::from(i).pow(29) % &p).collect();
        let (a, mut times) = (engine.from_integers(&values)?, Vec::new());
        for _ in 0..(10_000_000 / n.pow(3)).clamp(20, 200) {
            let start = Instant::now();
            std::hint::black_box(engine.matmul(&a, &a, n, n, n)?);
            times.push(start.elapsed().as_nanos() as f64 / n.pow(3) as f64);
        }
        times.sort_by(f64::total_cmp);
        let how = engine.product_of_matrices(n, n, n);
        println!("{n} by {n}: {:8.3} {:8.3}  {how}", times[0], times[times.len() / 2]);
    }
    Ok(())
}
