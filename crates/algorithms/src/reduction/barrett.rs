//! Barrett reduction in its word form.
//!
//! * **computes** `t − q·p` with `q = ⌊⌊t/B^(n−1)⌋·μ / B^(n+1)⌋`, `μ = ⌊B^(2n)/p⌋`, B = 2^w.
//! * **needs** any odd p of n words, `B^(n−1) < p`; saturated digits, not in Montgomery form; t below `B^(2n)`.
//! * **gives** a number below 3p, not settled; in n + 1 words, the words above these (known to be zero) are listed for the proof and vanish after it.
//! * **cost** (n+1)² + n(n+1) multiplications as written; the upper half of `q·p` is dead once proved.
//! * **source** Barrett, CRYPTO '86; Menezes et al., Handbook of Applied Cryptography, algorithm 14.42. `r < 3p` is tight.

use evariste_ir::range::pow2;
use evariste_ir::{Builder, Number};
use evariste_spec::Modulus;
use num_bigint::BigInt;

use super::constant_digits;
use super::words::{sub_row, words_for};
use crate::integer::operand_scanning;
use crate::layout::Layout;
use crate::registry::Reduction;

/// Registry line.
pub const REDUCTION: Reduction = Reduction { name: "barrett", applies, reduce };

fn applies(m: &Modulus, layout: &Layout) -> bool {
    let n = layout.digits() as u32;
    layout.montgomery.is_none() && layout.saturated() && m.bits > (n - 1) * layout.word && m.bits <= n * layout.word
}

fn reduce(b: &mut Builder, m: &Modulus, layout: &Layout, t: Number) -> Number {
    let (n, word) = (layout.digits(), layout.word);
    let p = BigInt::from(m.value.clone());
    let mu = pow2(2 * n as u32 * word) / &p;
    let mu_words = words_for(&mu, word);
    let mu = constant_digits(b, &mu, mu_words);
    let p_words = constant_digits(b, &p, n);
    // q₂ = ⌊t/B^(n−1)⌋·μ; q₃ drops n + 1 words of it.
    let upper = &t.digits[(n - 1).min(t.len())..];
    let q = operand_scanning::multiply(b, upper, &mu);
    let q = &q[(n + 1).min(q.len())..];
    let product = operand_scanning::multiply(b, q, &p_words);
    let mut digits = t.digits.clone();
    let zero = b.word_constant(0);
    digits.resize(digits.len().max(n + 1), zero);
    let len = digits.len().min(product.len());
    sub_row(b, &mut digits, &product[..len], 0);
    digits.truncate(n + 1);
    Number::new(digits, word, std::cmp::min(&p * 3 - 1, t.bound)).trimmed()
}
