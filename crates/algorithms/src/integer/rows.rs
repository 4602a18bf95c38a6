//! Row kernels: what rolled products are made of, small loops over words that are called.
//!
//! * **computes** `t ← t + x·y + c` for a word y, c becoming the word above t.
//! * **needs** words; t apart from the rest.
//! * **gives** `t' + 2^(w·len)·c' = t + x·y + c`, exactly.
//! * **cost** len multiplications, 2·len additions; the loop does four words at a time.
//! * **source** Knuth, The Art of Computer Programming 2, 4.3.1; GMP's `mpn_addmul_1`.

use std::sync::Arc;

use evariste_ir::range::pow2;
use evariste_ir::{
    Array, ArrayKind, Builder, Claim, Contract, Index, Interval, Kernel, Operand, Polynomial, Type, View,
};
use num_bigint::BigInt;

/// Words that one turn of a row's loop handles.
const STEP: u32 = 4;

/// The kernel of a row of `len` words: parameters t (in-out), c (in-out, one word), x, y (one word).
pub fn multiply_add_row(word: u32, len: u32) -> Arc<Kernel> {
    let mut b = Builder::new(format!("row_{len}"), word);
    let ty = b.word_type();
    let full = ty.full();
    let t = b.array("t", ty, len, ArrayKind::InOut, vec![full.clone()]);
    let c = b.array("c", ty, 1, ArrayKind::InOut, vec![full.clone()]);
    let x = b.array("x", ty, len, ArrayKind::Input, vec![full.clone()]);
    let y = b.array("y", ty, 1, ArrayKind::Input, vec![full.clone()]);
    for other in [c, x, y] {
        b.must_be_disjoint(t, other);
    }
    for other in [x, y] {
        b.must_be_disjoint(c, other);
    }
    let yv = b.load(y, 0u32);
    let mut carry = b.load(c, 0u32);
    let step = |b: &mut Builder, i: Index, carry| {
        let (tj, xj) = (b.load(t, i.clone()), b.load(x, i.clone()));
        let (s, carry) = b.mul_add_add(xj, yv, tj, carry);
        b.store(t, i, s);
        carry
    };
    let turns = len / STEP;
    if turns > 1 {
        let result = b.repeat(turns, &[(carry, full)], |b, counter, inner| {
            let mut carry = inner[0];
            for j in 0..STEP {
                carry = step(b, Index::at(j as i64).plus(counter, STEP as i64), carry);
            }
            vec![carry]
        });
        carry = result[0];
    }
    for i in if turns > 1 { turns * STEP } else { 0 }..len {
        carry = step(&mut b, Index::at(i as i64), carry);
    }
    b.store(c, 0u32, carry);
    let words = |name: &str, array: Array, n: u32| operand(word, name, array, n);
    let out = words("t", t, len).with_digit(c, 0, word * len, pow2(word) - 1);
    let out = Operand { bound: pow2(word * (len + 1)) - 1, ..out };
    let polynomial = Polynomial::input(0).plus(1, &[1, 2]).plus(1, &[3]);
    Arc::new(b.finish(Contract {
        facts: Vec::new(),
        inputs: vec![words("t", t, len), words("x", x, len), words("y", y, 1), words("c", c, 1)],
        claims: vec![Claim::Value { output: out, factor: 1.into(), polynomial, modulus: None }],
    }))
}

/// A number of `n` words without a bound of its own.
fn operand(word: u32, name: &str, array: Array, n: u32) -> Operand {
    let weights: Vec<u32> = (0..n).map(|i| i * word).collect();
    Operand::new(name, array, &weights, &[pow2(word) - 1], pow2(word * n) - 1)
}

/// Writes zeros to elements `0..len` of an array, in a loop.
pub fn clear(b: &mut Builder, array: Array, len: u32) {
    let zero = b.word_constant(0);
    b.repeat(len, &[], |b, i, _| {
        b.store(array, i, zero);
        vec![]
    });
}

/// Copies `from[start..start + len]` to the first elements of `to`, in a loop.
pub fn copy(b: &mut Builder, to: Array, from: Array, start: i64, len: u32) {
    b.repeat(len, &[], |b, i, _| {
        let v = b.load(from, Index::at(start).plus(i, 1));
        b.store(to, i, v);
        vec![]
    });
}

/// A local array of words of any value.
pub fn scratch(b: &mut Builder, name: &str, len: u32) -> Array {
    let full = b.word_type().full();
    b.local(name, len, full)
}

/// The interval of a flag.
pub fn flag_range() -> Interval {
    Type::Flag.full()
}

/// A constant number as a public table of words.
pub fn constant_table(b: &mut Builder, name: &str, x: &BigInt, n: usize) -> Array {
    let (word, mask) = (b.word(), pow2(b.word()) - 1);
    let entries = (0..n as u32).map(|i| (x >> (i * word)) & &mask).collect();
    b.table(name, entries)
}

/// Does a field of this many words want rolled kernels? (All toy sizes, so that they can be tried on every input.)
pub fn worth_rolling(w: u32, n: usize) -> bool {
    w < 16 && n >= 2 || n >= 8
}

/// Calls a row: `t[at..] += x[from..]·y + c`.
pub fn call_row(b: &mut Builder, row: u32, t: View, c: Array, x: View, y: View) {
    b.call(row, vec![t, View::whole(c), x, y]);
}
