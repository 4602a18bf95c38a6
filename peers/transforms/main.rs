//! Number-theoretic transforms of arrays beside those of plonky3 (its quickest for each field) and arkworks, on one
//! thread, by turns, round after round. Results are compared before anything is timed.
//!
//!     RUSTFLAGS="-C target-cpu=native" cargo run --profile peer --manifest-path peers/Cargo.toml \
//!         -p evariste-peer-transforms

use std::time::Instant;

use anyhow::{Result, anyhow, ensure};
use ark_bls12_381::Fr;
use ark_ff::{BigInteger, PrimeField};
use ark_poly::{EvaluationDomain, Radix2EvaluationDomain};
use evariste_array::{Engine, Options};
use evariste_descriptions::Field;
use num_bigint::BigUint;
use p3_baby_bear::BabyBear;
use p3_dft::{Radix2Bowers, Radix2DFTSmallBatch, TwoAdicSubgroupDft};
use p3_field::{PrimeField64, TwoAdicField};
use p3_goldilocks::Goldilocks;
use p3_monty_31::dft::RecursiveDft;

/// Exponents of the lengths.
const LENGTHS: [usize; 6] = [10, 12, 14, 16, 18, 20];

/// One side: the transform of the numbers that it was made for.
struct Side<'a> {
    name: &'static str,
    /// Transforms.
    run: Box<dyn FnMut() + 'a>,
    /// What `run` gave, or would give.
    result: Vec<BigUint>,
}

/// The numbers that are transformed.
fn numbers(len: usize, p: &BigUint) -> Vec<BigUint> {
    (1..=len).map(|i| BigUint::from(i).pow(17) % p).collect()
}

fn main() -> Result<()> {
    println!("{:10} {:>6}  {:22} {:>10} {:>10} {:>8}", "field", "length", "", "least ns", "median", "ratio");
    for log in LENGTHS {
        let len = 1 << log;
        let recursive = RecursiveDft::new(len);
        let dfts: [Dft<BabyBear>; 2] = [
            ("plonky3, recursive", Box::new(|v| recursive.dft(v))),
            ("plonky3, Bowers", Box::new(|v| Radix2Bowers.dft(v))),
        ];
        let root = BabyBear::two_adic_generator(log).as_canonical_u64().into();
        compare("babybear", log, root, |all| plonky3(all, &dfts))?;
    }
    for log in LENGTHS {
        let batch = Radix2DFTSmallBatch::default();
        let dfts: [Dft<Goldilocks>; 2] = [
            ("plonky3, small batch", Box::new(|v| batch.dft(v))),
            ("plonky3, Bowers", Box::new(|v| Radix2Bowers.dft(v))),
        ];
        let root = Goldilocks::two_adic_generator(log).as_canonical_u64().into();
        compare("goldilocks", log, root, |all| plonky3(all, &dfts))?;
    }
    for log in LENGTHS {
        let domain = Radix2EvaluationDomain::<Fr>::new(1 << log).ok_or_else(|| anyhow!("no domain of 2^{log}"))?;
        let number = |x: Fr| BigUint::from_bytes_le(&x.into_bigint().to_bytes_le());
        compare("bls12-381-fr", log, number(domain.group_gen()), |all| {
            let values: Vec<Fr> = all.iter().map(|x| Fr::from_le_bytes_mod_order(&x.to_bytes_le())).collect();
            let mut place = values.clone();
            domain.fft_in_place(&mut place);
            let result = place.iter().map(|x| number(*x)).collect();
            let run = move || {
                place.copy_from_slice(&values);
                domain.fft_in_place(&mut place);
            };
            vec![Side { name: "arkworks", run: Box::new(run), result }]
        })?;
    }
    Ok(())
}

/// A transform of plonky3, by name.
type Dft<'a, F> = (&'static str, Box<dyn Fn(Vec<F>) -> Vec<F> + 'a>);

/// The transforms of plonky3 on these numbers.
fn plonky3<'a, F: TwoAdicField + PrimeField64>(all: &[BigUint], dfts: &'a [Dft<'a, F>]) -> Vec<Side<'a>> {
    let values: Vec<F> = all.iter().map(|x| F::from_u64(x.iter_u64_digits().next().unwrap_or(0))).collect();
    let side = |(name, dft): &'a Dft<'a, F>| {
        let values = values.clone();
        let result = dft(values.clone()).iter().map(|x| x.as_canonical_u64().into()).collect();
        let run = move || drop(std::hint::black_box(dft(values.clone())));
        Side { name, run: Box::new(run), result }
    };
    dfts.iter().map(side).collect()
}

/// Times ours and theirs, and prints a line for each.
fn compare<'a>(name: &str, log: usize, root: BigUint, theirs: impl FnOnce(&[BigUint]) -> Vec<Side<'a>>) -> Result<()> {
    let field = Field::parse(name)?;
    let (len, all) = (1usize << log, numbers(1 << log, &field.order()));
    let engine = Engine::with(&field, Options { threads: 1, forget: true, ..Options::default() })?;
    let (transform, a, mut out) = (engine.transform(len, &root)?, engine.from_integers(&all)?, engine.zeros(len));
    engine.transformed_into(&transform, &mut out, &a)?;
    let result = engine.to_integers(&out)?;
    let own = Box::new(|| drop(std::hint::black_box(engine.transformed_into(&transform, &mut out, &a))));
    let mut sides = vec![Side { name: "evariste", run: own, result }];
    sides.extend(theirs(&all));
    for side in &sides[1..] {
        ensure!(side.result == sides[0].result, "{name}: {} and evariste disagree at 2^{log}", side.name);
    }
    let mut times = vec![Vec::new(); sides.len()];
    for _ in 0..((1 << 23) / len).clamp(7, 300) {
        for (side, times) in sides.iter_mut().zip(&mut times) {
            let start = Instant::now();
            (side.run)();
            times.push(start.elapsed().as_nanos() as f64 / len as f64);
        }
    }
    times.iter_mut().for_each(|times| times.sort_by(f64::total_cmp));
    for (side, own) in sides.iter().zip(&times) {
        let (least, median) = (own[0], own[own.len() / 2]);
        let ratio = median / times[0][times[0].len() / 2];
        println!("{name:12} 2^{log:<3}  {:22} {least:>10.2} {median:>10.2} {ratio:>8.2}", side.name);
    }
    Ok(())
}
