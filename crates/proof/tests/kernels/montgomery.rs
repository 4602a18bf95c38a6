//! Montgomery multiplication.

use evariste_ir::{Kernel, Value};
use num_bigint::BigInt;
use num_traits::One;

use super::{Draft, digits, inverse_digit, pow2, product};

/// What the result is to be.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// Below p, by a conditional subtraction; inputs below p.
    Final,
    /// Below 2p, inputs below 2p.
    Lazy,
}

pub(super) fn input_bound(p: &BigInt, end: End) -> BigInt {
    if end == End::Final { p - 1 } else { 2 * p - 1 }
}

/// `t − p` over n + 1 words where that is not negative, else t.
pub fn conditional_subtraction(d: &mut Draft, t: &[Value], p: &[Value], fault: &str) -> Vec<Value> {
    let b = &mut d.b;
    let zero = b.word_constant(0);
    let mut borrow = b.no_flag();
    let mut r = Vec::new();
    for (i, ti) in t.iter().enumerate() {
        if fault == "subtraction ignores the top" && i == p.len() {
            continue;
        }
        let pi = p.get(i).copied().unwrap_or(zero);
        let (s, c) = b.sub_borrow(*ti, pi, borrow);
        r.push(s);
        borrow = c;
    }
    let flag = if fault == "inverted mask" { b.not(borrow) } else { borrow };
    let mask = b.flag_to_mask(flag);
    r.iter().zip(t).map(|(r, t)| b.select(mask, *t, *r)).collect()
}

pub(super) fn finish(mut d: Draft, t: Vec<Value>, n: usize, p: &BigInt, end: End, fault: &str) -> Kernel {
    let w = d.w;
    let r = pow2(w * n as u32);
    let word = pow2(w) - 1;
    let pd = digits(p, w, n);
    if end == End::Lazy {
        let bound = (input_bound(p, end).pow(2) + (&r - 1) * p) / &r - BigInt::from((fault == "bound") as u32);
        let ghosts = t.len() - n;
        return d.finish_of(&t, w, &word, &bound, ghosts, r, product(), Some(p.clone()));
    }
    let bound = p - 1;
    if fault == "no subtraction" {
        let ghosts = t.len() - n;
        return d.finish_of(&t, w, &word, &bound, ghosts, r, product(), Some(p.clone()));
    }
    let pv = d.constants(&pd);
    let out = conditional_subtraction(&mut d, &t, &pv, fault);
    let ghosts = out.len() - n;
    d.finish_of(&out, w, &word, &bound, ghosts, r, product(), Some(p.clone()))
}

pub fn cios(w: u32, n: usize, p: &BigInt, end: End, fault: &str) -> Kernel {
    let mut d = Draft::new("cios", w);
    let bound = input_bound(p, end);
    let (x, y) = (d.input("a", n, &bound), d.input("b", n, &bound));
    let mut pd = d.constants(&digits(p, w, n));
    if fault == "wrong digit of p" {
        pd[1] = d.b.word_constant(1);
    }
    if fault == "index of p repeated" {
        pd[n - 1] = pd[n - 2];
    }
    let inv = if fault == "wrong sign" { pow2(w) - inverse_digit(p, w) } else { inverse_digit(p, w) };
    let inv = d.b.word_constant(inv);
    let zero = d.zero();
    let mut t = vec![zero; n + 2];
    let mut stale = zero;
    for i in 0..n {
        let b = &mut d.b;
        let word = b.word_type();
        let mut carry = zero;
        for j in 0..n {
            (t[j], carry) = b.mul_add_add(x[j], y[i], t[j], carry);
            if fault == "dropped carry" && i == 1 && j == n - 1 {
                carry = zero;
            }
        }
        let none = b.no_flag();
        let (s, c) = b.add_carry(t[n], carry, none);
        t[n] = s;
        t[n + 1] = b.flag_to_word(c, word);
        let mut q = b.wrapping_mul(t[0], inv);
        if fault == "stale quotient" && i == 1 {
            q = stale;
        }
        stale = q;
        let (_, mut carry) = b.mul_add_add(q, pd[0], t[0], zero);
        for j in 1..n {
            (t[j - 1], carry) = b.mul_add_add(q, pd[j], t[j], carry);
        }
        let none = b.no_flag();
        let (s, c) = b.add_carry(t[n], carry, none);
        t[n - 1] = s;
        let c = b.flag_to_word(c, word);
        t[n] = if fault == "top carry lost" { t[n + 1] } else { b.add(t[n + 1], c) };
    }
    t.truncate(n + 1);
    finish(d, t, n, p, end, fault)
}

/// One carry digit a row; needs 2p < R.
pub fn cios_no_carry(w: u32, n: usize, p: &BigInt, end: End, fault: &str) -> Kernel {
    let mut d = Draft::new("cios_no_carry", w);
    let bound = if fault == "unreduced" { pow2(w * n as u32) - 1 } else { input_bound(p, end) };
    let (x, y) = (d.input("a", n, &bound), d.input("b", n, &bound));
    let pd = d.constants(&digits(p, w, n));
    let inv = d.b.word_constant(inverse_digit(p, w));
    let zero = d.zero();
    let mut t = vec![zero; n];
    for yi in &y {
        let b = &mut d.b;
        let (s, mut a) = b.mul_add_add(x[0], *yi, t[0], zero);
        t[0] = s;
        let q = b.wrapping_mul(t[0], inv);
        let (_, mut c) = b.mul_add_add(q, pd[0], t[0], zero);
        for j in 1..n {
            let (s, a2) = b.mul_add_add(x[j], *yi, t[j], a);
            a = a2;
            (t[j - 1], c) = b.mul_add_add(q, pd[j], s, c);
        }
        t[n - 1] = b.add(a, c);
    }
    finish(d, t, n, p, end, fault)
}

pub fn sos(w: u32, n: usize, p: &BigInt, end: End, fault: &str) -> Kernel {
    let mut d = Draft::new("sos", w);
    let bound = input_bound(p, end);
    let (x, y) = (d.input("a", n, &bound), d.input("b", n, &bound));
    let pd = d.constants(&digits(p, w, n));
    let inv = d.b.word_constant(inverse_digit(p, w));
    let zero = d.zero();
    let mut t = vec![zero; 2 * n];
    for i in 0..n {
        let mut carry = zero;
        for j in 0..n {
            (t[i + j], carry) = d.b.mul_add_add(x[j], y[i], t[i + j], carry);
        }
        t[i + n] = carry;
    }
    let mut over = d.b.no_flag();
    for i in 0..n {
        let b = &mut d.b;
        let q = b.wrapping_mul(t[i], inv);
        let mut carry = zero;
        for j in 0..n {
            (t[i + j], carry) = b.mul_add_add(q, pd[j], t[i + j], carry);
        }
        let c = if fault == "row carry lost" && i == 1 { b.no_flag() } else { over };
        (t[i + n], over) = b.add_carry(t[i + n], carry, c);
    }
    let word = d.b.word_type();
    let top = d.b.flag_to_word(over, word);
    let mut out = t[n..].to_vec();
    out.push(top);
    finish(d, out, n, p, end, fault)
}

/// Product scanning, finely integrated.
pub fn fips(w: u32, n: usize, p: &BigInt, end: End, fault: &str) -> Kernel {
    let mut d = Draft::new("fips", w);
    let bound = input_bound(p, end);
    let (x, y) = (d.input("a", n, &bound), d.input("b", n, &bound));
    let pd = d.constants(&digits(p, w, n));
    let inv = d.b.word_constant(inverse_digit(p, w));
    let zero = d.zero();
    let mut r = [zero; 3];
    let mut q: Vec<Value> = Vec::new();
    let mut out = Vec::new();
    let add = |d: &mut Draft, r: &mut [Value; 3], x: Value, y: Value| {
        let b = &mut d.b;
        let (lo, hi) = b.mul_wide(x, y);
        let none = b.no_flag();
        let (s, c) = b.add_carry(r[0], lo, none);
        r[0] = s;
        let (s, c) = b.add_carry(r[1], hi, c);
        r[1] = s;
        let word = b.word_type();
        let c = b.flag_to_word(c, word);
        r[2] = b.add(r[2], c);
    };
    for k in 0..2 * n - 1 {
        for i in k.saturating_sub(n - 1)..=k.min(n - 1) {
            if fault == "product missing" && k == 2 && i == 1 {
                continue;
            }
            add(&mut d, &mut r, x[i], y[k - i]);
        }
        for i in k.saturating_sub(n - 1)..k.min(n) {
            let qi = if fault == "stale quotient" && k == 2 && i == 1 { q[0] } else { q[i] };
            add(&mut d, &mut r, qi, pd[k - i]);
        }
        if k < n {
            q.push(d.b.wrapping_mul(r[0], inv));
            add(&mut d, &mut r, q[k], pd[0]);
        } else {
            out.push(r[0]);
        }
        r = [r[1], r[2], zero];
    }
    out.push(r[0]);
    out.push(r[1]);
    finish(d, out, n, p, end, fault)
}

/// Both rows at once; two carries.
pub fn fios(w: u32, n: usize, p: &BigInt, end: End, fault: &str) -> Kernel {
    let mut d = Draft::new("fios", w);
    let bound = input_bound(p, end);
    let (x, y) = (d.input("a", n, &bound), d.input("b", n, &bound));
    let pd = d.constants(&digits(p, w, n));
    let inv = d.b.word_constant(inverse_digit(p, w));
    let zero = d.zero();
    let mut t = vec![zero; n + 1];
    for (i, yi) in y.iter().enumerate() {
        let b = &mut d.b;
        let word = b.word_type();
        let (s, c) = b.mul_add_add(x[0], *yi, t[0], zero);
        let q = b.wrapping_mul(s, inv);
        let (_, c2) = b.mul_add_add(q, pd[0], s, zero);
        let (mut c, mut c2) = (c, c2);
        for j in 1..n {
            let (s, h) = b.mul_add_add(x[j], *yi, t[j], c);
            c = h;
            (t[j - 1], c2) = b.mul_add_add(q, pd[j], s, c2);
        }
        let none = b.no_flag();
        let (s, o) = b.add_carry(t[n], c, none);
        let none = b.no_flag();
        let (s, o2) = b.add_carry(s, c2, none);
        t[n - 1] = s;
        let o = b.flag_to_word(o, word);
        let o2 = b.flag_to_word(o2, word);
        t[n] = if fault == "second carry lost" && i == 1 { o } else { b.add(o, o2) };
    }
    finish(d, t, n, p, end, fault)
}

/// A prime-like odd modulus of n words with few spare bits.
pub fn dense(bits: u32) -> BigInt {
    // 2^bits − 2^(bits/2) − 2^(bits/3) − 189 is odd and dense enough.
    pow2(bits) - pow2(bits / 2) - pow2(bits / 3) - BigInt::from(189) * BigInt::one()
}
