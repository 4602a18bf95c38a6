//! Products of numbers in ordinary words, as `mul_words_into` and `mul_montgomery_words_into` compute them, beside a loop
//! of the scalar code that `tune` remembers (or the first by estimate), which tests no number: nanoseconds an element, the
//! least of some dozen rounds in which both take turns, and how many times as long the loop takes. Then `a·b·c` of three
//! arrays of words, packed once and unpacked once, beside two loops of plain products.
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
const LENGTHS: [usize; 9] = [1, 2, 8, 16, 64, 512, 4096, 1_000_000, 10_000_000];
/// Elements of a round.
const ROUND: usize = 20_000;

/// The product of whole words, elements in Montgomery form or as they are.
fn scalar(field: &Field, montgomery: bool) -> Option<(String, Function)> {
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
    chosen.element_code(&*backend, &Operation::MUL, 2)
}

/// Elements that are packed, multiplied and unpacked at a time.
const PIECE: usize = 1024;

/// `out = a·b·c` of numbers in words, by arrays of a piece.
fn product_of_three(engine: &Engine, out: &mut [u64], factors: [&[u64]; 3]) -> Result<(), ArrayError> {
    let piece = PIECE * engine.words_per_element();
    let arrays = |len: usize| engine.from_words(&vec![0; len]);
    let len = out.len().min(piece);
    let (mut x, mut y) = (arrays(len)?, arrays(len)?);
    for (at, out) in out.chunks_mut(piece).enumerate() {
        let [a, b, c] = factors.map(|factor| &factor[at * piece..at * piece + out.len()]);
        if out.len() < len {
            (x, y) = (arrays(out.len())?, arrays(out.len())?);
        }
        engine.from_words_into(&mut x, a)?;
        engine.from_words_into(&mut y, b)?;
        engine.mul_assign(&mut x, &y)?;
        engine.from_words_into(&mut y, c)?;
        engine.mul_assign(&mut x, &y)?;
        engine.to_words_into(out, &x)?;
    }
    Ok(())
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

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let asked: Vec<String> = std::env::args().skip(1).collect();
    let names: Vec<&str> = if asked.is_empty() { FIELDS.to_vec() } else { asked.iter().map(String::as_str).collect() };
    for name in names {
        let field = Field::parse(name)?;
        let (n, top) = (field.bits().div_ceil(64) as usize, field.order().iter_u64_digits().last().unwrap_or(1));
        let (engine, pair) = (Engine::new(&field, 1)?, Engine::new(&field, 2)?);
        for montgomery in [false, true] {
            let Some((plan, function)) = scalar(&field, montgomery) else { continue };
            let step = if montgomery { "mul_montgomery_words" } else { "mul_words" };
            let Ok(how) = engine.products_of_words(montgomery) else { continue };
            println!("{name} {step}: {how}\n  loop of {plan}");
            println!(
                "{:>10} {:>9} {:>9} {:>6} {:>9} {:>6}",
                "elements", "words", "loop", "ratio", "2 threads", "ratio"
            );
            let mut three = Vec::new();
            for len in LENGTHS {
                let mut state = 0x9e37_79b9_7f4a_7c15u64;
                let mut words = || -> Vec<u64> {
                    let word = |k: usize| {
                        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
                        let mixed = state ^ state >> 33;
                        if k % n == n - 1 { mixed % top.max(1) } else { mixed }
                    };
                    (0..n * len).map(word).collect()
                };
                let (a, b) = (words(), words());
                let [mut x, mut y, mut z] = [(); 3].map(|()| vec![0; n * len]);
                let product = |engine: &Engine, out: &mut [u64]| match montgomery {
                    true => engine.mul_montgomery_words_into(out, &a, &b),
                    false => engine.mul_words_into(out, &a, &b),
                };
                let mut raw = || {
                    let arguments = [Argument::from(&mut y[..]), Argument::from(&a[..]), Argument::from(&b[..])];
                    function.call_repeated(len, &arguments).unwrap_or_else(|e| panic!("{e}"));
                    Ok(())
                };
                let [own, raw, two] =
                    time(len, [&mut || product(&engine, &mut x), &mut raw, &mut || product(&pair, &mut z)])?;
                assert!(x == y && x == z, "the ways disagree");
                if !montgomery && len <= 1_000_000 {
                    let c = words();
                    let mut raw = || {
                        for (to, from, by) in [(&mut y, &a, &b), (&mut z, &x, &c)] {
                            let arguments =
                                [Argument::from(&mut to[..]), Argument::from(&from[..]), Argument::from(&by[..])];
                            function.call_repeated(len, &arguments).unwrap_or_else(|e| panic!("{e}"));
                        }
                        Ok(())
                    };
                    let mut w = vec![0; n * len];
                    let mut own = || product_of_three(&engine, &mut w, [&a, &b, &c]);
                    let [own, raw] = time(len, [&mut own, &mut raw])?;
                    assert!(w == z, "the ways disagree");
                    three.push(format!("{len:>10} {own:>9.2} {raw:>9.2} {:>6.2}", raw / own));
                }
                println!("{len:>10} {own:>9.2} {raw:>9.2} {:>6.2} {two:>9.2} {:>6.2}", raw / own, raw / two);
            }
            if !three.is_empty() {
                println!("  a·b·c\n{}", three.join("\n"));
            }
        }
    }
    Ok(())
}
