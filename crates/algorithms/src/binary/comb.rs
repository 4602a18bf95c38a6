//! Products of polynomials over GF(2) in whole words without a carry-less product: bit by bit.
//!
//! * **computes** the 2n words of `a·b`: for each bit position j of a word, `b·x^j` is added at every word of a whose
//!   bit j is set.
//! * **needs** n words each.
//! * **gives** the product, not reduced.
//! * **cost** for each of the w positions: n + 1 shifts of two words, 2n shifts for masks, n(n + 1) ANDs and XORs.
//! * **source** López, Dahab, "High-speed software multiplication in F_2^m" (2000), the right-to-left comb; Hankerson,
//!   Menezes, Vanstone (2004), algorithm 2.34. The branch on a bit is a mask here. By four bits at a time:
//!   [`comb_window`](super::comb_window).

use evariste_ir::range::Interval;
use evariste_ir::{Builder, Index, Value};

use crate::recipe::CarrylessProduct;

/// Written out.
pub const UNROLLED: CarrylessProduct = CarrylessProduct {
    name: "comb",
    applies: |w, n| n <= 4 && w as usize * n <= 256,
    multiply: Some(unrolled),
    square: None,
};

/// A loop over the bits of a word.
pub const ROLLED: CarrylessProduct = CarrylessProduct {
    name: "comb-rolled",
    applies: |w, n| w as usize * n <= 640,
    multiply: Some(rolled),
    square: None,
};

/// Adds `b·x^j` at each word of a whose bit j is set, which `up` shifts to the top.
fn step(b: &mut Builder, x: &[Value], shifted: &[Value], up: &Index, sums: &mut [Value]) {
    let w = b.word();
    for (i, x) in x.iter().enumerate() {
        let top = b.wrapping_shl(*x, up.clone());
        let mask = b.sar(top, w - 1);
        for (j, y) in shifted.iter().enumerate() {
            if b.is_zero(*y) {
                continue;
            }
            let term = b.and(mask, *y);
            sums[i + j] = b.xor(sums[i + j], term);
        }
    }
}

/// `b·x`.
fn doubled(b: &mut Builder, y: &[Value]) -> Vec<Value> {
    let w = b.word();
    (0..y.len())
        .map(|i| if i == 0 { b.wrapping_shl(y[0], 1u32) } else { b.funnel_shift(y[i], y[i - 1], w - 1) })
        .collect()
}

fn start(b: &mut Builder, y: &[Value]) -> (Vec<Value>, Vec<Value>) {
    let zero = b.word_constant(0);
    let shifted: Vec<Value> = y.iter().copied().chain([zero]).collect();
    (shifted, vec![zero; 2 * y.len()])
}

fn unrolled(b: &mut Builder, x: &[Value], y: &[Value]) -> Vec<Value> {
    let (mut shifted, mut sums) = start(b, y);
    for j in 0..b.word() {
        if j > 0 {
            shifted = doubled(b, &shifted);
        }
        step(b, x, &shifted, &Index::at(i64::from(b.word() - 1 - j)), &mut sums);
    }
    sums
}

fn rolled(b: &mut Builder, x: &[Value], y: &[Value]) -> Vec<Value> {
    let w = b.word();
    let (shifted, sums) = start(b, y);
    let init: Vec<(Value, Interval)> = shifted.into_iter().chain(sums).map(|v| (v, Interval::bits(w))).collect();
    let all = b.repeat(w, &init, |b, j, carried| {
        let (shifted, sums) = carried.split_at(y.len() + 1);
        let mut sums = sums.to_vec();
        step(b, x, shifted, &Index::at(i64::from(w - 1)).plus(j, -1), &mut sums);
        doubled(b, shifted).into_iter().chain(sums).collect()
    });
    all[y.len() + 1..].to_vec()
}
