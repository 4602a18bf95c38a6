//! Operations on numbers in ordinary words, beside loops of the scalar code that tests no number: nanoseconds an element,
//! the least of some dozen rounds in which all take turns, and how many times as long the loop takes. The scalar code is
//! what `tune` remembers, else the first by estimate or, where one is quicker here, what was searched on a core that
//! ships; its loop is a call an element. First products as `mul_words_into` and `mul_montgomery_words_into` compute them,
//! on one thread and on two, then `a·b·c` and `a + b + c`, beside two loops each.
//!
//! `cargo run --release -p evariste-array --example words [FIELD ...]`.

use std::time::Instant;

use evariste_algorithms::kinds::is_canonical;
use evariste_algorithms::{Layout, Operation, layouts};
use evariste_array::{ArrayError, Engine};
use evariste_backend::{Kind, found};
use evariste_descriptions::Field;
use evariste_ir::range::pow2;
use evariste_jit::{Argument, Function};
use evariste_tune::cache;
use evariste_tune::choose::{Chosen, Wish, choose_for};

const FIELDS: [&str; 7] = ["p256", "25519", "secp256k1", "bls12-381-fp", "goldilocks", "babybear", "GF(2^233)"];
const LENGTHS: [usize; 7] = [1, 8, 64, 512, 4096, 1_000_000, 10_000_000];
/// Elements of a round.
const ROUND: usize = 20_000;

/// The quickest code of an operation on whole words, elements in Montgomery form or as they are.
fn scalar(field: &Field, montgomery: bool, operation: &Operation) -> Option<(String, Function)> {
    let n = field.bits().div_ceil(64) as usize;
    let factor = if montgomery { pow2(n as u32 * 64) } else { pow2(0) };
    let own = |layout: &Layout| {
        layout.saturated() && layout.digits() == n && layout.factor() == factor && is_canonical(field, layout)
    };
    let layout = layouts(field, 64).into_iter().find(own)?;
    let backend = found(|kind| kind == Kind::Scalar, None).into_iter().next()?;
    let wish = Wish { code: Some(backend.entry().into()), ..Wish::default() };
    let ranking = cache::recall(&field.text()).ok().flatten();
    let chosen = Chosen { code: wish.code, ..choose_for(field, &[64], Some(&layout.name), ranking, wish).ok()? };
    let all = chosen.element_codes(&*backend, operation, 2);
    let (zeros, mut out) = (vec![0u64; n * 512], vec![0u64; n * 512]);
    let mut least = vec![f64::INFINITY; all.len()];
    for _ in 0..40 {
        for (code, least) in all.iter().zip(&mut least) {
            let clock = Instant::now();
            call(&code.one, 512, Operands(&mut out, &zeros, &zeros));
            *least = least.min(clock.elapsed().as_secs_f64());
        }
    }
    let first = (0..all.len()).min_by(|a, b| least[*a].total_cmp(&least[*b]))?;
    Some((all[first].plan.clone(), all[first].one.clone()))
}

/// Output and operands of a loop.
struct Operands<'a>(&'a mut [u64], &'a [u64], &'a [u64]);

/// A loop of calls.
fn call(function: &Function, times: usize, Operands(out, a, b): Operands) {
    let arguments = [Argument::from(out), Argument::from(a), Argument::from(b)];
    function.call_repeated(times, &arguments).unwrap_or_else(|e| panic!("{e}"));
}

/// Least nanoseconds an element of each way.
fn time<const N: usize>(
    len: usize,
    mut ways: [&mut dyn FnMut() -> Result<(), ArrayError>; N],
) -> Result<[f64; N], ArrayError> {
    let (repeat, rounds) = ((ROUND / len).max(1), if len > ROUND { 8 } else { 40 });
    let mut least = [f64::INFINITY; N];
    for _ in 0..rounds {
        for (way, least) in ways.iter_mut().zip(&mut least) {
            let clock = Instant::now();
            for _ in 0..repeat {
                way()?;
            }
            *least = least.min(clock.elapsed().as_nanos() as f64 / (len * repeat) as f64);
        }
    }
    Ok(least)
}

/// Numbers of n words below the modulus.
fn numbers(n: usize, len: usize, top: u64, state: &mut u64) -> Vec<u64> {
    let word = |k: usize| {
        *state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        let mixed = *state ^ *state >> 33;
        if k % n == n - 1 { mixed % top.max(1) } else { mixed }
    };
    (0..n * len).map(word).collect()
}

/// Products of two factors.
fn products(field: &Field, engines: [&Engine; 2], montgomery: bool, function: &Function) -> Result<(), ArrayError> {
    let (n, top) = (field.bits().div_ceil(64) as usize, field.order().iter_u64_digits().last().unwrap_or(1));
    println!("{:>10} {:>9} {:>9} {:>6} {:>9} {:>6}", "elements", "words", "loop", "ratio", "2 threads", "ratio");
    for len in LENGTHS {
        let mut state = 0x9e37_79b9_7f4a_7c15u64;
        let (a, b) = (numbers(n, len, top, &mut state), numbers(n, len, top, &mut state));
        let [mut x, mut y, mut z] = [(); 3].map(|()| vec![0; n * len]);
        let product = |engine: &Engine, out: &mut [u64]| match montgomery {
            true => engine.mul_montgomery_words_into(out, &a, &b),
            false => engine.mul_words_into(out, &a, &b),
        };
        let mut raw = || {
            call(function, len, Operands(&mut y, &a, &b));
            Ok(())
        };
        let ways: [&mut dyn FnMut() -> Result<(), ArrayError>; 3] =
            [&mut || product(engines[0], &mut x), &mut raw, &mut || product(engines[1], &mut z)];
        let [own, raw, two] = time(len, ways)?;
        assert!(x == y && x == z, "the ways disagree");
        println!("{len:>10} {own:>9.2} {raw:>9.2} {:>6.2} {two:>9.2} {:>6.2}", raw / own, raw / two);
    }
    Ok(())
}

/// An operation on three arrays, beside two loops.
type OfThree<'a> = &'a dyn Fn(&mut [u64], &[&[u64]]) -> Result<(), ArrayError>;

fn of_three(field: &Field, name: &str, function: &Function, own: OfThree) -> Result<(), ArrayError> {
    let (n, top) = (field.bits().div_ceil(64) as usize, field.order().iter_u64_digits().last().unwrap_or(1));
    println!("{:>10} {:>9} {:>9} {:>6}   {name}", "elements", "words", "two loops", "ratio");
    for len in LENGTHS.into_iter().filter(|len| *len <= 1_000_000) {
        let mut state = 0x9e37_79b9_7f4a_7c15u64;
        let [a, b, c] = [(); 3].map(|()| numbers(n, len, top, &mut state));
        let [mut x, mut y, mut z] = [(); 3].map(|()| vec![0; n * len]);
        let mut raw = || {
            call(function, len, Operands(&mut y, &a, &b));
            call(function, len, Operands(&mut z, &y, &c));
            Ok(())
        };
        let [own, raw] = time(len, [&mut || own(&mut x, &[&a, &b, &c]), &mut raw])?;
        assert!(x == z, "the ways disagree");
        println!("{len:>10} {own:>9.2} {raw:>9.2} {:>6.2}", raw / own);
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let asked: Vec<String> = std::env::args().skip(1).collect();
    let names: Vec<&str> = if asked.is_empty() { FIELDS.to_vec() } else { asked.iter().map(String::as_str).collect() };
    for name in names {
        let field = Field::parse(name)?;
        let (engine, pair) = (Engine::new(&field, 1)?, Engine::new(&field, 2)?);
        for montgomery in [false, true] {
            let Some((plan, function)) = scalar(&field, montgomery, &Operation::MUL) else { continue };
            let step = if montgomery { "mul_montgomery_words" } else { "mul_words" };
            let clock = Instant::now();
            let Ok(how) = engine.products_of_words(montgomery) else { continue };
            println!("{name} {step}: {how}\n  loop of {plan}; ways chosen in {:?}", clock.elapsed());
            products(&field, [&engine, &pair], montgomery, &function)?;
            println!("  in the end: {}", engine.products_of_words(montgomery)?);
            println!("{name} of three factors: {}", engine.products_of_factors(montgomery, 3)?);
            of_three(&field, "a·b·c", &function, &|out, all| match montgomery {
                true => engine.mul_all_montgomery_words_into(out, all),
                false => engine.mul_all_words_into(out, all),
            })?;
        }
        if let Some((plan, function)) = scalar(&field, false, &Operation::ADD) {
            println!("{name} sums: loop of {plan}");
            of_three(&field, "a + b + c", &function, &|out, all| engine.add_all_words_into(out, all))?;
        }
    }
    Ok(())
}
