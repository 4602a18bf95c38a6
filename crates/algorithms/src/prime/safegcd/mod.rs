//! Inverse by division steps.
//!
//! * **computes** `1/a mod p`; 0 for 0.
//! * **needs** a prime modulus; a resting operand in words of 7 bits at least. The output may be the operand.
//! * **gives** a canonical element; in Montgomery form if the operand is.
//! * **cost** 2.3 steps for each bit of p in batches of three thirds of a word, after each f and g are divided and two
//!   elements follow them modulo p. In lanes batches are of four bits less than a digit. Elements that are not canonical
//!   at rest, in words or in lanes' digits of one radix, are made so first.
//! * **source** Bernstein and Yang, "Fast constant-time gcd computation and modular inversion" (TCHES 2019); steps that
//!   start at δ = 1/2 and their number by Wuille (bitcoin-core/secp256k1, `doc/safegcd_implementation.md`).

mod columns;
mod converted;
pub mod steps;
pub mod update;

use std::collections::HashMap;
use std::sync::Arc;

use evariste_descriptions::{Field, Modulus};
use evariste_ir::divsteps::steps_needed;
use evariste_ir::range::{Interval, pow2};
use evariste_ir::{Array, Builder, Claim, Contract, Kernel, Multiplication, Value, View};
use num_bigint::BigInt;

use super::representation::{is_canonical, kernel_name, modulus, prime, resting_of};
use crate::lanes::forms;
use crate::layout::Layout;
use crate::operation::Operation;
use crate::recipe::Whole;
use crate::signature::{NotApplicable, input, output};

/// Every layout of a prime field.
pub const SAFEGCD: Whole = Whole {
    name: "safegcd",
    applies: |f, l, op| {
        *op == Operation::INVERSE
            && modulus(f).is_ok_and(|m| m.prime && m.bits > 1 && enough_room(m, &converted::digits(m, l)))
            && !l.constants
            && (is_canonical(f, l) || resting_of(f, l).is_some() || in_lanes(f, l))
    },
    write: |f, l, op| {
        let (m, name) = (modulus(f)?, kernel_name(op, "safegcd"));
        let batches = batches(m, &converted::digits(m, l));
        let size = Size { batches, words: batches };
        if l.saturated() && is_canonical(f, l) {
            inverse(&name, m, l, size)
        } else {
            converted::inverse(&name, m, l, size)
        }
    },
};

/// Of fewer digits powers take less.
const FEWEST_DIGITS: usize = 3;

fn in_lanes(field: &Field, layout: &Layout) -> bool {
    layout.radix.is_some() && layout.digits() >= FEWEST_DIGITS && forms::known(field, layout)
}

/// Do words count all steps in two's complement?
fn enough_room(m: &Modulus, digits: &Layout) -> bool {
    let count = steps_of_batch(digits);
    count > 0 && u64::from(batches(m, digits) * count + 2) <= 1u64 << (digits.word - 1)
}

/// How many bits a digit has.
fn radix(digits: &Layout) -> u32 {
    digits.radix.unwrap_or(digits.word)
}

/// Steps between two divisions of numbers in these digits.
pub fn steps_of_batch(digits: &Layout) -> u32 {
    steps::batch_steps(digits.word, radix(digits))
}

/// How much is computed: right where there are as many batches as the theorem wants, and as many words.
#[derive(Clone, Copy)]
pub struct Size {
    /// Batches of division steps.
    pub batches: u32,
    /// Low words of f and g at the start, or digits.
    pub words: u32,
}

/// Batches after which f is 1 or −1.
pub fn batches(m: &Modulus, digits: &Layout) -> u32 {
    steps_needed(m.bits).div_ceil(steps_of_batch(digits))
}

/// What `e` starts with, so that `out · a` is the square of the layout's factor: each batch takes `2^s/2^k` with it, for
/// digits of k bits.
fn start(m: &Modulus, layout: &Layout, batches: u32) -> BigInt {
    let p = prime(m);
    let lost = u64::from((radix(layout) - steps_of_batch(layout)) * batches);
    let factor = layout.factor().modpow(&2.into(), &p);
    factor * BigInt::from(2).modpow(&lost.into(), &p) % p
}

/// The kernel of an inverse of that size, of elements that are canonical at rest in words, or in digits for lanes.
///
/// # Errors
/// Where an operation that it is made of has no kernel.
pub fn inverse(name: &str, m: &Modulus, layout: &Layout, size: Size) -> Result<Kernel, NotApplicable> {
    let (word, n, p) = (layout.word, layout.digits(), prime(m));
    let kernels = if layout.radix.is_some() {
        columns::kernels(m, layout, steps_of_batch(layout))?
    } else {
        update::kernels(m, layout, steps_of_batch(layout), size.words as usize)?
    };
    let mut b = Builder::new(name, word);
    let (out, operand) = output(&mut b, "out", &layout.weights, &layout.resting);
    let a = input(&mut b, "a", &layout.weights, &layout.resting);
    let local = |b: &mut Builder, name: String, len: usize| b.local(name, len as u32, Interval::bits(word));
    let digits = |b: &mut Builder, name: String, len: usize| b.local(name, len as u32, Interval::bits(radix(layout)));
    let mut state = Start::new(&mut b, m, layout, a.array, size);
    let matrix = local(&mut b, "matrix".into(), 4);
    let batch = steps::batch(word, steps_of_batch(layout));
    let call = |b: &mut Builder, kernel: &Arc<Kernel>, arrays: &[Array]| {
        let callee = b.callee(kernel.clone());
        let ghosts = steps::ghost_locals(b, callee);
        b.call(callee, arrays.iter().copied().chain(ghosts).map(View::whole).collect());
    };
    let mut spare = [local(&mut b, "zeta1".into(), 1), digits(&mut b, "d1".into(), n), digits(&mut b, "e1".into(), n)];
    let (mut known, mut words) = (size.words as usize, size.words as usize);
    let mut divisions: HashMap<(usize, usize), Arc<Kernel>> = HashMap::new();
    for i in 0..size.batches {
        call(&mut b, &batch, &[spare[0], matrix, state.small[0], state.f, state.g]);
        known = update::words_after(known);
        let kept = (kernels.kept)(known);
        let [f, g] = ["f", "g"].map(|x| digits(&mut b, format!("{x}{}", i + 1), kept));
        let division = divisions.entry((words, kept)).or_insert_with(|| Arc::new((kernels.division)(words, kept)));
        call(&mut b, division, &[f, g, matrix, state.f, state.g]);
        let [d, e] = [state.small[1], state.small[2]];
        call(&mut b, &kernels.followers, &[spare[1], spare[2], matrix, d, e]);
        (state.f, state.g) = (f, g);
        words = kept;
        std::mem::swap(&mut state.small, &mut spare);
    }
    let sign = local(&mut b, "sign".into(), 1);
    call(&mut b, &Arc::new(update::sign(word)), &[sign, state.f]);
    let mut d = state.small[1];
    if let Some(before) = &kernels.before {
        let ready = digits(&mut b, "ready".into(), n);
        call(&mut b, before, &[ready, d]);
        d = ready;
    }
    let signed = if kernels.after.is_some() { digits(&mut b, "signed".into(), n) } else { out };
    call(&mut b, &kernels.with_sign, &[signed, sign, d]);
    if let Some(after) = &kernels.after {
        call(&mut b, after, &[out, signed]);
    }
    let product = Multiplication::Modular { factor: layout.factor(), modulus: p };
    let claim = Claim::Power { output: operand, base: 0, exponent: &m.value - 2u32, product };
    Ok(b.finish(Contract { facts: Vec::new(), inputs: vec![a.operand], claims: vec![claim] }))
}

/// The numbers between batches: f and g, and ζ, d and e.
struct Start {
    f: Array,
    g: Array,
    small: [Array; 3],
}

impl Start {
    /// f = p, g = a, ζ = −1, d = 0, and e so that the result has the factor that it should have.
    fn new(b: &mut Builder, m: &Modulus, layout: &Layout, a: Array, size: Size) -> Start {
        let (word, n, words) = (layout.word, layout.digits(), size.words as usize);
        let digits = |b: &mut Builder, name: &str, len: usize| b.local(name, len as u32, Interval::bits(radix(layout)));
        let (f, g) = (digits(b, "f0", words), digits(b, "g0", words));
        let small = [b.local("zeta0", 1, Interval::bits(word)), digits(b, "d0", n), digits(b, "e0", n)];
        let constant = |b: &mut Builder, x: &BigInt, n: usize| -> Vec<Value> {
            (0..n as u32).map(|i| b.word_constant((x >> (i * radix(layout))) % pow2(radix(layout)))).collect()
        };
        let p = constant(b, &prime(m), words);
        b.store_all(f, &p);
        let zero = b.word_constant(0);
        let mut digits = b.load_all(a);
        digits.resize(words.max(n), zero);
        b.store_all(g, &digits[..words]);
        let (zeta, e) = (b.word_constant(pow2(word) - 1), constant(b, &start(m, layout, size.batches), n));
        b.store(small[0], 0u32, zeta);
        b.store_all(small[1], &vec![zero; n]);
        b.store_all(small[2], &e);
        Start { f, g, small }
    }
}
