//! Montgomery multiplication in rows for carry flags: the word that a row clears is not computed, only the carry that
//! it leaves.

use evariste_ir::{Builder, Kernel, Value};
use num_bigint::BigInt;

use super::montgomery::{End, finish, input_bound};
use super::{Draft, digits, inverse_digit, pow2};

/// CIOS by merge rows.
pub fn cios_merge(w: u32, n: usize, p: &BigInt, end: End, fault: &str) -> Kernel {
    let mut d = Draft::new("cios_merge", w);
    let bound = input_bound(p, end);
    let (x, y) = (d.input("a", n, &bound), d.input("b", n, &bound));
    let pd = d.constants(&digits(p, w, n));
    let inv = d.b.word_constant(inverse_digit(p, w));
    let zero = d.zero();
    let b = &mut d.b;
    let none = b.no_flag();
    let word = b.word_type();
    // The word above t is 0 when A + p ≤ R.
    let top = &bound + p > pow2(w * n as u32);
    let mut t = vec![zero; n + 1];
    for (i, yi) in y.iter().enumerate() {
        let s = neighbours(b, &x, *yi, fault == "chain of neighbours cut" && i == 1);
        let (sum, over) = chain(b, &t, &s, none);
        let borrowed = match fault {
            "carry of the wrong word" if i == 1 => sum[1],
            _ => sum[0],
        };
        let (_, mut nonzero) = b.sub_borrow(zero, borrowed, none);
        if fault == "carry forgotten" && i == 1 {
            nonzero = none;
        }
        if fault == "carry always 1" && i == 1 {
            nonzero = b.not(none);
        }
        let mut q = b.wrapping_mul(sum[0], inv);
        if fault == "quotient of the wrong word" && i == 1 {
            q = b.wrapping_mul(sum[1], inv);
        }
        let s = neighbours(b, &pd, q, false);
        let (rest, carry) = chain(b, &sum[1..], &s[1..], nonzero);
        let over = b.flag_to_word(over, word);
        let (above, _) = b.add_carry(over, zero, if fault == "last carry lost" { none } else { carry });
        t = rest;
        t.push(if top { above } else { zero });
    }
    finish(d, t, n, p, end, fault)
}

/// `x·y` in one chain.
fn neighbours(b: &mut Builder, x: &[Value], y: Value, cut: bool) -> Vec<Value> {
    let (low, mut high) = b.mul_wide(x[0], y);
    let mut s = vec![low];
    let mut carry = b.no_flag();
    for xj in &x[1..] {
        let (low, next) = b.mul_wide(*xj, y);
        let (sum, c) = b.add_carry(high, low, carry);
        s.push(sum);
        (high, carry) = (next, if cut { b.no_flag() } else { c });
    }
    let zero = b.word_constant(0);
    s.push(b.add_carry(high, zero, carry).0);
    s
}

/// `x + y + carry` for numbers of equally many words.
fn chain(b: &mut Builder, x: &[Value], y: &[Value], mut carry: Value) -> (Vec<Value>, Value) {
    let mut sum = Vec::with_capacity(x.len());
    for (xi, yi) in x.iter().zip(y) {
        let (word, next) = b.add_carry(*xi, *yi, carry);
        sum.push(word);
        carry = next;
    }
    (sum, carry)
}
