//! Products of polynomials over GF(2) in whole words without a carry-less product: four bits of every word at a time.
//!
//! * **computes** the 2n words of `a·b`: from the highest four bits of a word to the lowest, the sum so far times x^4,
//!   plus at every word of a the multiple of b that its four bits say.
//! * **needs** n words each, of w bits; windows of s = min(4, w) bits.
//! * **gives** the product, not reduced.
//! * **cost** a table of 2^s multiples of n + 1 words: (s − 1)(n + 1) shifts, (2^s − s − 1)(n + 1) XORs; then for each
//!   of the ⌈w/s⌉ windows 2n shifts, and for each word of a n + 1 look-ups and XORs. A look-up in constant time reads
//!   all 2^s entries, so that bit by bit ([`comb`](super::comb)) is fewer operations where a look-up is a scan.
//! * **source** López, Dahab, "High-speed software multiplication in F_2^m" (2000), the left-to-right comb with
//!   windows; Hankerson, Menezes, Vanstone (2004), algorithm 2.36. They look up by an address that depends on a.

use evariste_ir::range::Interval;
use evariste_ir::{Array, Builder, Index, Op, Value};

use super::words::shifted_left;
use crate::recipe::CarrylessProduct;

/// In constant time.
pub const PRODUCT: CarrylessProduct = CarrylessProduct {
    name: "comb-window",
    applies: |w, n| w as usize * n <= 640,
    multiply: Some(multiply::<false>),
    square: None,
};

/// As published: entries are read at addresses that depend on a.
pub const PRODUCT_VARTIME: CarrylessProduct = CarrylessProduct { multiply: Some(multiply::<true>), ..PRODUCT };

/// The multiples of y by polynomials of s bits, word by word: entry u of table i is word i of `u·y`. Every entry is the
/// sum of those at the powers of two, and written as such.
fn multiples(b: &mut Builder, y: &[Value], s: u32) -> Vec<Array> {
    let zero = b.word_constant(0);
    let mut entries: Vec<Vec<Value>> = vec![vec![zero; y.len() + 1]];
    let single: Vec<Value> = y.iter().copied().chain([zero]).collect();
    for i in 0..s {
        let shifted = shifted_left(b, &single, i, y.len() + 1);
        for u in 0..entries.len() {
            let sum = entries[u].iter().zip(&shifted).map(|(x, y)| if u == 0 { *y } else { b.xor(*x, *y) }).collect();
            entries.push(sum);
        }
    }
    let word = Interval::bits(b.word());
    let table = |i: usize| {
        let table = b.local(format!("multiples_{i}"), 1 << s, word.clone());
        entries.iter().enumerate().for_each(|(u, entry)| b.store(table, u as u32, entry[i]));
        table
    };
    (0..=y.len()).map(table).collect()
}

fn multiply<const VARTIME: bool>(b: &mut Builder, x: &[Value], y: &[Value]) -> Vec<Value> {
    let (w, n) = (b.word(), y.len());
    let s = w.min(4);
    let windows = w.div_ceil(s);
    let tables = multiples(b, y, s);
    let zero = b.word_constant(0);
    let init = vec![(zero, Interval::bits(w)); 2 * n];
    b.repeat(windows, &init, |b, k, sums| {
        // What leaves the highest word is zero: the sum is of degree below that of the product less what is still to
        // come.
        let mut sums = shifted_left(b, sums, s, 2 * n);
        for (j, x) in x.iter().enumerate() {
            let down = Index::at(i64::from(s * (windows - 1))).plus(k, -i64::from(s));
            let ty = b.word_type();
            let part = b.op(Op::Shr(down), &[*x], &[ty])[0];
            let window = if s < w { b.op(Op::LowBits(s), &[part], &[ty])[0] } else { part };
            for (i, table) in tables.iter().enumerate() {
                let term = if VARTIME { b.lookup_vartime(*table, window) } else { b.lookup(*table, window) };
                sums[i + j] = b.xor(sums[i + j], term);
            }
        }
        sums
    })
}
