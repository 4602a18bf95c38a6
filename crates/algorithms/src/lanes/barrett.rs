//! Barrett reduction of a product in lanes: plain numbers in digits of the radix, no Montgomery form.
//!
//! * **computes** `t − q·p` for `t = a·b`, with `q = ⌊X·μ / 2^(k(n+1))⌋` of `X = ⌊t/2^(k(n−1))⌋` as its columns say it
//!   and `μ = ⌊2^(2kn)/p⌋`; of the columns of `X·μ` those from n on are summed, so that q is `⌊t/p⌋` or one less, and
//!   of `q·p` the lower n.
//! * **needs** canonical factors in clean digits, `4p ≤ 2^(kn)`.
//! * **gives** a number below 2p. Columns start from a multiple of `2^k` that the next one takes back: no difference is
//!   negative. The upper columns are known to vanish; the proof lists them.
//! * **cost** 2n² multiply-adds for t, about `(n + 1)(n + 4)` for q, n² for `q·p`; carries of n columns for X and q, of
//!   n − 1 for the result, 2n + 1 to lend and subtract: 156 operations for n = 5.
//! * **source** Barrett, CRYPTO '86; Menezes et al., Handbook of Applied Cryptography, algorithm 14.42; the truncated
//!   columns as in Hasenplaugh, Gaubatz, Gopal, "Fast modular reduction" (2007).

use evariste_descriptions::Modulus;
use evariste_ir::range::pow2;
use evariste_ir::{Builder, Contract, Kernel, Polynomial, Value};
use num_bigint::BigInt;

use super::columns::{self, add_high, add_low, carry, halves, product};
use crate::layout::{Bounds, Layout};
use crate::prime::representation::{canonical_bounds, prime};
use crate::reduction::carry_pass::digits_at;
use crate::signature::{ValueClaim, input, output};

/// Layouts of canonical numbers of an even modulus that is no power of two.
pub fn is_plain(m: &Modulus, layout: &Layout) -> bool {
    m.power_of_two().is_none() && columns::is_plain(m, layout) && applies(m, layout)
}

/// Montgomery layouts, which leave two bits above p, and any other digits that do.
pub fn applies(m: &Modulus, layout: &Layout) -> bool {
    let n = layout.digits() as u32;
    let fits = |k: u32| prime(m) * 4 <= pow2(k * n) && (lent(n) + 2 * n + 1) << k <= pow2(layout.word);
    layout.radix.is_some_and(|k| halves(layout.word, k) && n > 1 && fits(k)) && one_off_at_most(m, layout)
}

/// What a column lends the one below it, in units of `2^k`: more than any column of q·p.
fn lent(n: u32) -> BigInt {
    pow2((2 * n + 1).ilog2() + 1)
}

/// Bounds of the result.
pub fn bounds(m: &Modulus, layout: &Layout) -> Bounds {
    let bound = prime(m) * 2 - 1;
    let low = layout.resting.low;
    let below: BigInt = pow2(if low.is_some() { layout.word } else { layout.radix.unwrap_or(layout.word) }) - 1;
    let top = layout.digits() - 1;
    Bounds {
        digit_max: layout
            .weights
            .iter()
            .enumerate()
            .map(|(i, w)| if i == top { &bound >> *w } else { below.clone() })
            .collect(),
        bound,
        low,
    }
}

/// `a·b mod p` or p more.
pub fn kernel(m: &Modulus, layout: &Layout, name: &str) -> Kernel {
    let (n, k, p) = (layout.digits(), layout.radix.unwrap_or(layout.word), prime(m));
    let mut b = Builder::new(name, layout.word);
    let (out, mut operand) = output(&mut b, "out", &layout.weights, &bounds(m, layout));
    let inputs = ["a", "b"].map(|name| input(&mut b, name, &layout.weights, &canonical_bounds(m, layout)));
    let [x, y] = [inputs[0].load(&mut b), inputs[1].load(&mut b)];
    let lent = lent(n as u32);
    let (first, later) = (b.word_constant(&lent << k), b.word_constant((&lent << k) - &lent));
    let start: Vec<Value> = (0..n - 1).map(|i| if i == 0 { first } else { later }).collect();
    let mut t = product(&mut b, k, &start, &x.digits, &y.digits);
    let q = quotient(&mut b, m, layout, &t[n - 1..]);
    let modulus: Vec<Value> = digits_at(&p, &layout.weights).into_iter().map(|d| b.word_constant(d)).collect();
    let s = product(&mut b, k, &[], &q, &modulus);
    for (i, (t, s)) in t.iter_mut().zip(s).enumerate() {
        if i + 1 == 2 * n {
            // The last column has no one to lend from, and is 0 in the end.
            let lent = b.word_constant(lent.clone());
            *t = b.sub(*t, lent);
        } else if i + 1 >= n {
            *t = b.add(*t, later);
        }
        *t = b.sub(*t, s);
    }
    carry(&mut b, k, &mut t, 0, n - 1);
    let clean = layout.resting.low.is_none();
    let low: Vec<Value> =
        t[..n].iter().enumerate().map(|(i, t)| if clean || i + 1 == n { b.low_bits(*t, k) } else { *t }).collect();
    b.store_all(out, &low);
    carry(&mut b, k, &mut t, n - 1, 2 * n - 1);
    let ghost = b.ghost("above", n as u32);
    for (i, t) in t[n..].iter().enumerate() {
        let digit = if i + 1 == n { *t } else { b.low_bits(*t, k) };
        b.store(ghost, i as u32, digit);
        operand = operand.with_digit(ghost, i as u32, (n + i) as u32 * k, 0.into());
    }
    let claim = ValueClaim::plain(Polynomial::default().plus(1, &[0, 1]), Some(p));
    b.finish(Contract { facts: Vec::new(), inputs: inputs.map(|i| i.operand).into(), claims: vec![claim.on(operand)] })
}

/// Is the quotient `⌊t/p⌋` or one less? It loses what the columns of t below n − 1 say, the columns of `X·μ` below n,
/// and the fraction of `2^(2kn)/p`: less than 1 together, in units of `2^(k(n+1))`.
fn one_off_at_most(m: &Modulus, layout: &Layout) -> bool {
    let (n, k, p) = (layout.digits() as u32, layout.radix.unwrap_or(layout.word), prime(m));
    let below = k * (n - 1);
    let half = |column: u32| (pow2(k) - 1u32) << (k * column);
    // Column c has c + 1 low halves and c high ones.
    let missed: BigInt = (0..n - 1).map(|c| half(c) * (2 * c + 1)).sum();
    let pairs = (0..=n).flat_map(|i| (0..=n).map(move |j| i + j));
    let dropped: BigInt = pairs
        .map(|at| {
            if at + 1 < n {
                half(at) + half(at + 1)
            } else if at < n {
                half(at)
            } else {
                BigInt::ZERO
            }
        })
        .sum();
    let fraction = (&p * &p) >> below;
    ((missed * (pow2(2 * n * k) / p)) >> below) + dropped + fraction + 2u32 <= pow2(k * (n + 1))
}

/// The quotient's digits, unmasked, from the columns of t from n − 1 on.
fn quotient(b: &mut Builder, m: &Modulus, layout: &Layout, t: &[Value]) -> Vec<Value> {
    let (n, k) = (layout.digits(), layout.radix.unwrap_or(layout.word));
    let mut x = t.to_vec();
    carry(b, k, &mut x, 0, n);
    let places: Vec<u32> = (0..=n as u32).map(|i| i * k).collect();
    let mu: Vec<Value> =
        digits_at(&(pow2(2 * n as u32 * k) / prime(m)), &places).into_iter().map(|d| b.word_constant(d)).collect();
    let zero = b.word_constant(0);
    let mut u = vec![zero; 2 * n + 2];
    for (i, x) in x.iter().enumerate() {
        for (j, mu) in mu.iter().enumerate() {
            if i + j >= n {
                add_low(b, k, &mut u, i + j, *x, *mu);
            }
            if i + j + 1 >= n {
                add_high(b, k, &mut u, i + j + 1, *x, *mu);
            }
        }
    }
    carry(b, k, &mut u, n, 2 * n);
    u[n + 1..2 * n + 1].to_vec()
}
