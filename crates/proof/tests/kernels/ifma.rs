//! Montgomery multiplication in 52-bit digits with multiply-adds of halves.

use evariste_ir::{Kernel, Value};
use num_bigint::BigInt;

use super::{Draft, digits, inverse_digit, pow2, product};

const K: u32 = 52;

/// Lazy product of two lists of digits; the digits come out with their carries (clean) or without the masks (unmasked).
pub fn product_digits(
    d: &mut Draft,
    x: &[Value],
    y: &[Value],
    p: &BigInt,
    trick: bool,
    unmasked: bool,
    fault: &str,
) -> Vec<Value> {
    let n = x.len();
    let pd = d.constants(&digits(p, K, n));
    let inverse = inverse_digit(p, K);
    let b = &mut d.b;
    let inv = b.word_constant(inverse.clone());
    let zero = b.word_constant(0);
    let bias = b.word_constant(pow2(K) - if fault == "bias" { 2 } else { 1 });
    let start = if trick { bias } else { zero };
    let mut t = vec![start; n];
    t.push(zero);
    for (row, yi) in y.iter().enumerate() {
        if trick {
            t[n] = if row == 0 { zero } else { t[n] };
        }
        for j in 0..n {
            t[j] = b.madd_lo(K, t[j], x[j], *yi);
        }
        // q = −t0/p mod 2^52; with the bias t0' = t0 + 2^52 − 1 it is n (t0' + 1).
        let accumulator = if trick && fault != "no correction" { inv } else { zero };
        let q = b.madd_lo(K, accumulator, t[0], inv);
        let q = b.low_bits(q, K);
        let carry = if trick {
            b.shr(t[0], K)
        } else {
            t[0] = b.madd_lo(K, t[0], pd[0], q);
            b.shr(t[0], K)
        };
        for j in 1..n {
            t[j] = b.madd_lo(K, t[j], pd[j], q);
        }
        if !(fault == "low carry" && row == 1) {
            t[1] = b.add(t[1], carry);
        }
        for j in 0..n {
            t[j] = t[j + 1];
        }
        // The words that move in keep the bias only in the first n columns.
        t[n] = zero;
        for j in 0..n {
            t[j] = b.madd_hi(K, t[j], x[j], *yi);
            t[j] = b.madd_hi(K, t[j], pd[j], q);
        }
    }
    let mut out = Vec::new();
    let mut carry = zero;
    for (j, v) in t[..n].iter().enumerate() {
        let s = b.add(*v, carry);
        carry = b.shr(s, K);
        let keep = unmasked || fault == "unmasked" || (fault == "digit unmasked" && j == 1);
        out.push(if keep { s } else { b.low_bits(s, K) });
    }
    out
}

/// Clean inputs and output, below 2p.
pub fn montgomery(n: usize, p: &BigInt, trick: bool, fault: &str) -> Kernel {
    let mut d = Draft::new("ifma_montgomery", 64);
    let digit = pow2(K) - 1;
    let bound: BigInt = 2 * p - 1;
    let (x, y) = (d.input_of("a", n, K, &digit, &bound), d.input_of("b", n, K, &digit, &bound));
    let out = product_digits(&mut d, &x, &y, p, trick, false, fault);
    let r = pow2(K * n as u32);
    let top = (bound.pow(2) + (&r - 1) * p) / &r;
    let top = if fault == "bound" { top - p } else { top };
    d.finish_of(&out, K, &digit, &top, 0, r, product(), Some(p.clone()))
}

/// `(a·b/R)·c/R` with unmasked digits in between.
pub fn chained(n: usize, p: &BigInt, fault: &str) -> Kernel {
    let mut d = Draft::new("ifma_chained", 64);
    let digit = pow2(K) - 1;
    let bound: BigInt = 2 * p - 1;
    let x = d.input_of("a", n, K, &digit, &bound);
    let y = d.input_of("b", n, K, &digit, &bound);
    let z = d.input_of("c", n, K, &digit, &bound);
    let mut m = product_digits(&mut d, &x, &y, p, false, true, "");
    if fault == "carry lost" {
        m[1] = y[1];
    }
    let out = product_digits(&mut d, &m, &z, p, false, false, "");
    let r = pow2(K * n as u32);
    let spec = evariste_ir::Polynomial::default().plus(1, &[0, 1, 2]);
    let all = pow2(K * n as u32) - 1;
    d.finish_of(&out, K, &digit, &all, 0, &r * &r, spec, Some(p.clone()))
}
