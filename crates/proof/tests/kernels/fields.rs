//! Reductions for special moduli, and additions.

use evariste_ir::{Kernel, Polynomial, Type, Value};
use num_bigint::BigInt;
use num_traits::One;

use super::montgomery::conditional_subtraction;
use super::{Draft, digits, pow2, product};

/// Adds `c·x` (x words from `from` on) at offset 0; gives n words and a carry word.
fn fold_row(d: &mut Draft, low: &[Value], high: &[Value], c: &BigInt) -> (Vec<Value>, Value) {
    let b = &mut d.b;
    let c = b.word_constant(c.clone());
    let mut carry = b.word_constant(0);
    let zero = carry;
    let mut out = Vec::new();
    for (i, l) in low.iter().enumerate() {
        let h = high.get(i).copied().unwrap_or(zero);
        let (s, hi) = b.mul_add_add(h, c, *l, carry);
        out.push(s);
        carry = hi;
    }
    (out, carry)
}

/// `2^255 − 19` in 4 words: product, fold by 38, fold of the carry, fold of the last carry. Result below 2^256.
pub fn fold_25519(fault: &str) -> Kernel {
    let mut d = Draft::new("fold_25519", 64);
    let all = pow2(256) - 1;
    let (x, y) = (d.input("a", 4, &all), d.input("b", 4, &all));
    let t = super::integers::comba_columns(&mut d, &x, &y, "");
    let c = BigInt::from(if fault == "constant 39" { 39 } else { 38 });
    let (r, top) = fold_row(&mut d, &t[..4], &t[4..], &c);
    let b = &mut d.b;
    let factor = b.word_constant(38);
    let extra = b.mul(top, factor);
    let mut carry = b.no_flag();
    let mut out = Vec::new();
    for (i, v) in r.iter().enumerate() {
        let addend = if i == 0 { extra } else { b.word_constant(0) };
        let (s, c) = b.add_carry(*v, addend, carry);
        out.push(s);
        carry = c;
    }
    if fault != "third fold missing" {
        let mask = b.flag_to_mask(carry);
        let mask = b.mask_to_word(mask);
        let last = b.and(mask, factor);
        out[0] = b.add(out[0], last);
    }
    let p = pow2(255) - 19;
    d.finish(&out, &all, product(), Some(p))
}

/// The canonical form of a number below 2^256, modulo `2^255 − 19`.
pub fn canonical_25519(fault: &str) -> Kernel {
    let mut d = Draft::new("canonical_25519", 64);
    let all = pow2(256) - 1;
    let x = d.input("a", 4, &all);
    let b = &mut d.b;
    // x = x mod 2^255 + 19 (x >> 255), at most 2^255 + 18
    let top = b.shr(x[3], 63u32);
    let low = b.low_bits(x[3], 63);
    let nineteen = b.word_constant(19);
    let extra = b.mul(top, nineteen);
    let zero = b.word_constant(0);
    let mut carry = b.no_flag();
    let mut t = Vec::new();
    for (i, v) in [x[0], x[1], x[2], low].iter().enumerate() {
        let (s, c) = b.add_carry(*v, if i == 0 { extra } else { zero }, carry);
        t.push(s);
        carry = c;
    }
    let p = pow2(255) - 19;
    let out = if fault == "no subtraction" {
        t
    } else {
        let pd = d.constants(&digits(&p, 64, 4));
        conditional_subtraction(&mut d, &t, &pd, "")
    };
    d.finish(&out, &(&p - 1), Polynomial::input(0), Some(p))
}

/// `2^255 − 19` in 5 digits of 51 bits, inputs up to 54 bits.
pub fn fold_25519_unsaturated(fault: &str) -> Kernel {
    let mut d = Draft::new("fold_25519_5x51", 64);
    let digit: BigInt = pow2(if fault == "slack" { 60 } else { 54 }) - 1;
    let bound: BigInt = (0..5).map(|i| &digit << (51 * i)).sum();
    let (x, y) = (d.input_of("a", 5, 51, &digit, &bound), d.input_of("b", 5, 51, &digit, &bound));
    let b = &mut d.b;
    let wide = Type::Wide(128);
    let word = b.word_type();
    let nineteen = b.word_constant(19);
    let scaled: Vec<Value> = y.iter().map(|v| b.mul(*v, nineteen)).collect();
    let mut columns = Vec::new();
    for k in 0..5 {
        let mut sum = b.zero(wide);
        for i in 0..5 {
            let j = (k + 5 - i) % 5;
            let v = if i + j == k || (fault == "unfolded" && i == 3 && j == 4) { y[j] } else { scaled[j] };
            let p = b.mul_full(x[i], v);
            sum = b.add(sum, p);
        }
        columns.push(sum);
    }
    let mut out = Vec::new();
    let mut carry = b.zero(wide);
    for (k, c) in columns.iter().enumerate() {
        let s = b.add(*c, carry);
        let low = b.low_bits(s, 51);
        out.push(b.narrow(low, word));
        carry = if fault == "carry lost" && k == 2 { b.zero(wide) } else { b.shr(s, 51u32) };
    }
    let factor = b.constant(wide, 19);
    let extra = b.mul(carry, factor);
    let low = b.widen(out[0], wide);
    let s = b.add(low, extra);
    let low = b.low_bits(s, 51);
    out[0] = b.narrow(low, word);
    let c = b.shr(s, 51u32);
    let c = b.narrow(c, word);
    out[1] = b.add(out[1], c);
    let p = pow2(255) - 19;
    let digit = pow2(52);
    let bound: BigInt = (0..5).map(|i| &digit << (51 * i)).sum();
    d.finish_of(&out, 51, &digit, &bound, 0, BigInt::one(), product(), Some(p))
}

/// `(a x + b) mod 2^64 + 13`, one word and the carry of the last addition as a ghost.
pub fn affine_dfc(fault: &str) -> Kernel {
    let mut d = Draft::new("affine_dfc", 64);
    let all = pow2(64) - 1;
    let (a, x, c) = (d.input("a", 1, &all)[0], d.input("x", 1, &all)[0], d.input("b", 1, &all)[0]);
    let b = &mut d.b;
    let zero = b.word_constant(0);
    let (lo, hi) = b.mul_add_add(a, x, c, zero);
    // P = lo + 2^64 hi ≡ lo + 13 (~hi) + 182
    let q = if fault == "no complement" { hi } else { b.not(hi) };
    let thirteen = b.word_constant(13);
    let bias = b.word_constant(if fault == "bias 181" { 181 } else { 182 });
    let (l1, h1) = b.mul_add_add(q, thirteen, lo, bias);
    let small = b.mul(h1, thirteen);
    let none = b.no_flag();
    let (r, borrow) = b.sub_borrow(l1, small, none);
    let word = b.word_type();
    let borrow = b.flag_to_word(borrow, word);
    let back = b.mul(borrow, thirteen);
    let none = b.no_flag();
    let p = pow2(64) + 13;
    let spec = product().plus(1, &[2]);
    let (s, carry) = b.add_carry(r, back, none);
    // A borrow leaves r + 2^64·borrow − …: adding p back is adding 13 and 2^64, whose carry is the ghost.
    let ghost = b.flag_to_word(carry, word);
    let top = if fault == "borrow not corrected" { ghost } else { b.sub(borrow, ghost) };
    let _ = top;
    let bound = if fault == "bound p-2" { &p - 2 } else { &p - 1 };
    d.finish_of(
        &[if fault == "borrow not corrected" { r } else { s }, ghost],
        64,
        &all,
        &bound,
        1,
        BigInt::one(),
        spec,
        Some(p),
    )
}

/// `a + b mod p`: sum over n + 1 words, conditional subtraction.
pub fn add_mod(w: u32, n: usize, p: &BigInt, fault: &str) -> Kernel {
    let mut d = Draft::new("add_mod", w);
    let (x, y) = (d.input("a", n, &(p - 1)), d.input("b", n, &(p - 1)));
    let b = &mut d.b;
    let mut carry = b.no_flag();
    let mut t = Vec::new();
    for (p, q) in x.iter().zip(&y) {
        let (s, c) = b.add_carry(*p, *q, carry);
        t.push(s);
        carry = c;
    }
    let word = b.word_type();
    t.push(if fault == "carry dropped" { b.word_constant(0) } else { b.flag_to_word(carry, word) });
    let pd = d.constants(&digits(p, w, n));
    let out = conditional_subtraction(&mut d, &t, &pd, if fault == "inverted mask" { fault } else { "" });
    let sum = Polynomial::input(0).plus(1, &[1]);
    d.finish_of(&out, w, &(pow2(w) - 1), &(p - 1), 1, BigInt::one(), sum, Some(p.clone()))
}

/// `a − b mod p`: difference, then `p & mask` added back, the last carry forgotten.
pub fn sub_mod(w: u32, n: usize, p: &BigInt, fault: &str) -> Kernel {
    let mut d = Draft::new("sub_mod", w);
    let (x, y) = (d.input("a", n, &(p - 1)), d.input("b", n, &(p - 1)));
    let b = &mut d.b;
    let mut borrow = b.no_flag();
    let mut t = Vec::new();
    for (p, q) in x.iter().zip(&y) {
        let (s, c) = b.sub_borrow(*p, *q, borrow);
        t.push(s);
        borrow = c;
    }
    let flag = if fault == "inverted mask" { b.not(borrow) } else { borrow };
    let mask = b.flag_to_mask(flag);
    let mask = b.mask_to_word(mask);
    let added = if fault == "p+2 added" { p + 2 } else { p.clone() };
    let pd = d.constants(&digits(&added, w, n));
    let b = &mut d.b;
    let mut carry = b.no_flag();
    let mut out = Vec::new();
    for (t, p) in t.iter().zip(&pd) {
        let addend = b.and(mask, *p);
        let (s, c) = b.add_carry(*t, addend, carry);
        out.push(s);
        carry = c;
    }
    let difference = Polynomial::input(0).plus(-1, &[1]);
    d.finish(&out, &(p - 1), difference, Some(p.clone()))
}

/// `a − b + 2p` for a, b < 2p, below 4p.
pub fn lazy_sub(w: u32, n: usize, p: &BigInt, fault: &str) -> Kernel {
    let mut d = Draft::new("lazy_sub", w);
    let bound: BigInt = 2 * p - 1;
    let (x, y) = (d.input("a", n, &bound), d.input("b", n, &bound));
    let added = if fault == "only p" { p.clone() } else { 2 * p };
    let pd = d.constants(&digits(&added, w, n));
    let b = &mut d.b;
    let mut carry = b.no_flag();
    let mut t = Vec::new();
    for (x, p) in x.iter().zip(&pd) {
        let (s, c) = b.add_carry(*x, *p, carry);
        t.push(s);
        carry = c;
    }
    let mut borrow = b.no_flag();
    let mut out = Vec::new();
    for (t, y) in t.iter().zip(&y) {
        let (s, c) = b.sub_borrow(*t, *y, borrow);
        out.push(s);
        borrow = c;
    }
    let difference = Polynomial::input(0).plus(-1, &[1]);
    d.finish(&out, &(4 * p - 1), difference, Some(p.clone()))
}
