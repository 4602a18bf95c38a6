//! Barrett reduction in its word form.
//!
//! * **computes** `t − q·p` with `q = ⌊⌊t/B^(n−1)⌋·μ / B^(n+1)⌋`, `μ = ⌊B^(2n)/p⌋`, B = 2^w.
//! * **needs** any p of n words but a power of two, `B^(n−1) < p`; saturated digits, not in Montgomery form; t below `B^(2n)`.
//! * **gives** a number below 3p, not normalised; in n + 1 words, the words above these (known to be zero) are listed for
//!   the proof and vanish after it.
//! * **cost** (n+1)² + n(n+1) multiplications as written; the upper half of `q·p` is dead once proved.
//! * **source** Barrett, CRYPTO '86; Menezes et al., Handbook of Applied Cryptography, algorithm 14.42. `r < 3p` is
//!   tight.

use std::sync::Arc;

use evariste_descriptions::Modulus;
use evariste_ir::range::{Interval, pow2};
use evariste_ir::{Array, ArrayKind, Builder, Contract, Kernel, Number, Polynomial, View};
use num_bigint::BigInt;

use crate::integer::operand_scanning;
use crate::layout::{Bounds, Layout};
use crate::recipe::Reduction;
use crate::signature::{self, ValueClaim};
use crate::words::constant_digits;
use crate::words::{sub_row, words_for};

/// Registry line.
pub const REDUCTION: Reduction = Reduction { name: "barrett", applies, reduce };

fn applies(m: &Modulus, layout: &Layout) -> bool {
    let n = layout.digits() as u32;
    let fits = m.bits > (n - 1) * layout.word && m.bits <= n * layout.word;
    layout.montgomery.is_none() && layout.saturated() && m.power_of_two().is_none() && fits
}

fn reduce(b: &mut Builder, m: &Modulus, layout: &Layout, t: Number) -> Number {
    let (n, word) = (layout.digits(), layout.word);
    let core = Arc::new(core(m, layout, &t));
    let (n_in, n_out) = (t.len() as u32, n as u32 + 1);
    let whole = Interval::bits(word);
    let input = b.local("product", n_in, whole.clone());
    b.store_all(input, &t.digits);
    let output = b.array("remainder", b.word_type(), n_out, ArrayKind::Local, core.array(Array(0)).ranges.clone());
    let views = core.params().map(|p| match core.array(p).kind {
        ArrayKind::Input => View::whole(input),
        ArrayKind::Output => View::whole(output),
        _ => {
            let unused = b.local("above", core.array(p).len, whole.clone());
            View::whole(unused)
        }
    });
    let views = views.collect();
    let bound = core.contract.claims[0].output().bound.clone();
    let core = b.callee(core);
    b.call(core, views);
    let digits = b.load_all(output);
    Number::new(digits, word, bound).trimmed()
}

/// A kernel of its own, `out ≡ t (mod p)` with `out < 3p`: its proof takes the words above n + 1 into account, and its
/// callers know that they are zero.
fn core(m: &Modulus, layout: &Layout, t: &Number) -> Kernel {
    let (n, word) = (layout.digits(), layout.word);
    let p = BigInt::from(m.value.clone());
    let mu = pow2(2 * n as u32 * word) / &p;
    let mu_words = words_for(&mu, word);
    let bound = std::cmp::min(&p * 3 - 1, t.bound.clone());
    let limits = |weights: &[u32], bound: &BigInt| {
        weights.iter().map(|w| std::cmp::min(pow2(word) - 1, bound >> *w)).collect::<Vec<BigInt>>()
    };
    let mut b = Builder::new("barrett", word);
    let out_weights: Vec<u32> = (0..=n as u32).map(|i| i * word).collect();
    let out_bounds = Bounds { digit_max: limits(&out_weights, &bound), bound: bound.clone(), low: None };
    let (out, mut operand) = signature::output(&mut b, "out", &out_weights, &out_bounds);
    let input = signature::input(
        &mut b,
        "t",
        &t.weights,
        &Bounds { digit_max: limits(&t.weights, &t.bound), bound: t.bound.clone(), low: None },
    );
    let x = input.load(&mut b);
    let mu = constant_digits(&mut b, &mu, mu_words);
    let p_words = constant_digits(&mut b, &p, n);
    // q₂ = ⌊t/B^(n−1)⌋·μ; q₃ drops n + 1 words of it.
    let q = operand_scanning::multiply(&mut b, &x.digits[(n - 1).min(x.len())..], &mu);
    let product = operand_scanning::multiply(&mut b, &q[(n + 1).min(q.len())..], &p_words);
    let mut digits = x.digits;
    let zero = b.word_constant(0);
    digits.resize(digits.len().max(n + 1), zero);
    let len = digits.len().min(product.len());
    sub_row(&mut b, &mut digits, &product[..len], 0);
    b.store_all(out, &digits[..n + 1]);
    if digits.len() > n + 1 {
        let above = b.ghost("above", (digits.len() - n - 1) as u32);
        b.store_all(above, &digits[n + 1..]);
        for i in n + 1..digits.len() {
            operand = operand.with_digit(above, (i - n - 1) as u32, i as u32 * word, BigInt::from(0));
        }
    }
    let claim = ValueClaim::plain(Polynomial::input(0), Some(p)).on(operand);
    b.finish(Contract { facts: Vec::new(), inputs: vec![input.operand], claims: vec![claim] })
}
