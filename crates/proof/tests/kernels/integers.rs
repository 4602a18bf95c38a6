//! Integer products.

use evariste_ir::{Kernel, Type, Value};
use num_bigint::BigInt;
use num_traits::One;

use super::{Draft, pow2, product};

fn full(w: u32, n: usize) -> BigInt {
    pow2(w * n as u32) - 1
}

fn finish(d: Draft, out: &[Value], n: usize) -> Kernel {
    let bound = full(d.w, n) * full(d.w, n);
    d.finish(out, &bound, product(), None)
}

pub fn operand_scanning(w: u32, n: usize, fault: &str) -> Kernel {
    let mut d = Draft::new("operand_scanning", w);
    let (x, y) = (d.input("a", n, &full(w, n)), d.input("b", n, &full(w, n)));
    let zero = d.zero();
    let mut t = vec![zero; 2 * n];
    for i in 0..n {
        let mut carry = zero;
        for j in 0..n {
            let xj = if fault == "wrong digit" && i == 1 && j == 1 { x[0] } else { x[j] };
            let b = &mut d.b;
            let (mut lo, mut hi) = b.mul_wide(xj, y[i]);
            if fault == "lo and hi swapped" && i == 1 && j == 0 {
                (lo, hi) = (hi, lo);
            }
            let none = b.no_flag();
            let (s, c1) = b.add_carry(lo, t[i + j], none);
            let none = b.no_flag();
            let (s, c2) = b.add_carry(s, carry, none);
            t[i + j] = s;
            let ty = b.word_type();
            let c1 = b.flag_to_word(c1, ty);
            let c2 = b.flag_to_word(c2, ty);
            let h = b.add(hi, c1);
            carry = if fault == "dropped carry" && i == 1 && j == n - 1 { h } else { b.add(h, c2) };
        }
        t[i + n] = carry;
    }
    if fault == "bound" {
        let bound = full(w, n) * full(w, n) - 1;
        return d.finish(&t, &bound, product(), None);
    }
    finish(d, &t, n)
}

/// Adds `x·y` into three words.
fn accumulate(d: &mut Draft, r: &mut [Value; 3], x: Value, y: Value, fault: &str) {
    let b = &mut d.b;
    let (lo, hi) = b.mul_wide(x, y);
    let none = b.no_flag();
    let (s, c) = b.add_carry(r[0], lo, none);
    r[0] = s;
    let c = if fault == "carry between registers" { b.no_flag() } else { c };
    let (s, c) = b.add_carry(r[1], hi, c);
    r[1] = s;
    let ty = b.word_type();
    let c = b.flag_to_word(c, ty);
    if fault != "two registers" {
        r[2] = b.add(r[2], c);
    }
}

/// The columns of a product of two lists of digits.
pub fn comba_columns(d: &mut Draft, x: &[Value], y: &[Value], fault: &str) -> Vec<Value> {
    let n = x.len();
    let zero = d.zero();
    let mut r = [zero; 3];
    let mut t = Vec::new();
    for k in 0..2 * n - 1 {
        for i in k.saturating_sub(n - 1)..=k.min(n - 1) {
            let here = if k == n - 1 && i == 1 { fault } else { "" };
            accumulate(d, &mut r, x[i], y[k - i], here);
        }
        t.push(r[0]);
        r = [r[1], r[2], zero];
    }
    t.push(r[0]);
    t
}

pub fn comba(w: u32, n: usize, fault: &str) -> Kernel {
    let mut d = Draft::new("comba", w);
    let (x, y) = (d.input("a", n, &full(w, n)), d.input("b", n, &full(w, n)));
    let t = comba_columns(&mut d, &x, &y, fault);
    finish(d, &t, n)
}

/// Two double-word accumulators, no carries inside a column.
pub fn comba_delayed(w: u32, n: usize, fault: &str) -> Kernel {
    let mut d = Draft::new("comba_delayed", w);
    let (x, y) = (d.input("a", n, &full(w, n)), d.input("b", n, &full(w, n)));
    let wide = Type::Wide(if fault == "narrow accumulators" { w as u8 + 2 } else { 2 * w as u8 });
    let b = &mut d.b;
    let zero = b.zero(wide);
    let (mut r0, mut r1) = (zero, zero);
    let mut t = Vec::new();
    for k in 0..2 * n - 1 {
        for i in k.saturating_sub(n - 1)..=k.min(n - 1) {
            let (lo, hi) = b.mul_wide(x[i], y[k - i]);
            let lo = b.widen(lo, wide);
            let hi = b.widen(hi, wide);
            r0 = b.add(r0, lo);
            r1 = b.add(r1, hi);
        }
        let bits = if fault == "mask" && k == 1 { w - 1 } else { w };
        let low = b.low_bits(r0, bits);
        let word = b.word_type();
        t.push(b.narrow(low, word));
        let carry = b.shr(r0, w);
        r0 = if fault == "column carry" && k == n { r1 } else { b.add(r1, carry) };
        if !(fault == "not cleared" && k == 1) {
            r1 = zero;
        }
    }
    let word = d.b.word_type();
    let last = d.b.narrow(r0, word);
    t.push(last);
    finish(d, &t, n)
}

/// Subtractive Karatsuba over Comba with sign masks; n even.
pub fn karatsuba(w: u32, n: usize, fault: &str) -> Kernel {
    let mut d = Draft::new("karatsuba", w);
    let (x, y) = (d.input("a", n, &full(w, n)), d.input("b", n, &full(w, n)));
    let h = n / 2;
    let z0 = comba_columns(&mut d, &x[..h], &y[..h], "");
    let z2 = comba_columns(&mut d, &x[h..], &y[h..], "");
    let (dx, sx) = absolute_difference(&mut d, &x[h..], &x[..h], fault);
    let (dy, sy) = absolute_difference(&mut d, &y[h..], &y[..h], fault);
    let zm = comba_columns(&mut d, &dx, &dy, "");
    let b = &mut d.b;
    let word = b.word_type();
    // m = z0 + z2 − (−1)^s zm, with s = sx ^ sy
    let mut c = b.no_flag();
    let mut sum = Vec::new();
    for i in 0..n {
        let (s, carry) = b.add_carry(z0[i], z2[i], c);
        sum.push(s);
        c = carry;
    }
    let top = b.flag_to_word(c, word);
    let sign = if fault == "one sign" { sx } else { b.xor(sx, sy) };
    // ~s adds the complement: −zm when the signs agree.
    let minus = b.not(sign);
    let mask = b.flag_to_mask(minus);
    let mask = b.mask_to_word(mask);
    let mut c = minus;
    let mut m = Vec::new();
    for i in 0..n {
        let v = b.xor(zm[i], mask);
        let (s, carry) = b.add_carry(sum[i], v, c);
        m.push(s);
        c = carry;
    }
    let c = b.flag_to_word(c, word);
    let top = b.wrapping_add(top, c);
    let m_top = b.wrapping_add(top, mask);
    let mut t: Vec<Value> = z0.iter().chain(&z2).copied().collect();
    let mut c = b.no_flag();
    for i in 0..n + 1 {
        let addend = if i < n { m[i] } else { m_top };
        if h + i < 2 * n && !(i == n && fault == "middle top dropped") {
            (t[h + i], c) = b.add_carry(t[h + i], addend, c);
        }
    }
    for i in h + n + 1..2 * n {
        let zero = b.word_constant(0);
        (t[i], c) = b.add_carry(t[i], zero, c);
    }
    finish(d, &t, n)
}

fn absolute_difference(d: &mut Draft, x: &[Value], y: &[Value], fault: &str) -> (Vec<Value>, Value) {
    let b = &mut d.b;
    let mut borrow = b.no_flag();
    let mut r = Vec::new();
    for (p, q) in x.iter().zip(y) {
        let (s, c) = b.sub_borrow(*p, *q, borrow);
        r.push(s);
        borrow = c;
    }
    let mask = b.flag_to_mask(borrow);
    let mask = b.mask_to_word(mask);
    let mut c = if fault == "no +1" { b.no_flag() } else { borrow };
    let mut out = Vec::new();
    for v in r {
        let v = b.xor(v, mask);
        let zero = b.word_constant(0);
        let (s, carry) = b.add_carry(v, zero, c);
        out.push(s);
        c = carry;
    }
    (out, borrow)
}

/// Rows in a rolled loop, digits in arrays.
pub fn rolled(w: u32, n: usize) -> Kernel {
    use evariste_ir::{ArrayKind, Builder, Claim, Contract, Index, Interval, Operand};
    let mut b = Builder::new("rolled", w);
    let out = b.output("out", 2 * n as u32, &[pow2(w) - 1]);
    let (x, y) = (b.input("a", n as u32, &[pow2(w) - 1]), b.input("b", n as u32, &[pow2(w) - 1]));
    let word = b.word_type();
    let t = b.array("t", word, 2 * n as u32, ArrayKind::Local, vec![Interval::bits(w)]);
    let zero = b.word_constant(0);
    b.repeat(2 * n as u32, &[], |b, i, _| {
        b.store(t, i, zero);
        vec![]
    });
    b.repeat(n as u32, &[], |b, i, _| {
        let yi = b.load(y, i);
        let carry = b.repeat(n as u32, &[(zero, Interval::bits(w))], |b, j, carry| {
            let xj = b.load(x, j);
            let at = Index::counter(i).plus(j, 1);
            let old = b.load(t, at.clone());
            let (lo, hi) = b.mul_add_add(xj, yi, old, carry[0]);
            b.store(t, at, lo);
            vec![hi]
        });
        b.store(t, Index::counter(i).offset(n as i64), carry[0]);
        vec![]
    });
    b.repeat(2 * n as u32, &[], |b, i, _| {
        let v = b.load(t, i);
        b.store(out, i, v);
        vec![]
    });
    let weights = |n: usize| (0..n as u32).map(|i| i * w).collect::<Vec<_>>();
    let max = [pow2(w) - BigInt::one()];
    let a = Operand::new("a", x, &weights(n), &max, full(w, n));
    let c = Operand::new("b", y, &weights(n), &max, full(w, n));
    let o = Operand::new("out", out, &weights(2 * n), &max, full(w, n) * full(w, n));
    b.finish(Contract {
        facts: Vec::new(),
        inputs: vec![a, c],
        claims: vec![Claim::Value { output: o, factor: BigInt::one(), polynomial: product(), modulus: None }],
    })
}
