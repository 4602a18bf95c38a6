//! Repeated squaring in one step.
//!
//! * **computes** `a^(2^k)`, a linear map.
//! * **needs** any basis. The output may be the operand.
//! * **gives** the image's coordinates.
//! * **cost** normal bases: a rotation by k coordinates, in one-bit words m copies. Polynomials bit-sliced:
//!   `m²/t + 2^t m/t` XORs by blocks of t coordinates; in n words `m (2 + 2n)` operations, a loop over the bits of a
//!   word.
//! * **source** Itoh and Tsujii, "A fast algorithm for computing multiplicative inverses in GF(2^m) using normal bases"
//!   (1988); blocks: Arlazarov, Dinic, Kronrod, Faradzhev (1970); multi-squaring as a map: Bos, Kaihara, Montgomery;
//!   Taverne and others, "Speeding scalar multiplication over binary elliptic curves using the new carry-less
//!   multiplication instruction" (2011), whose tables are indexed by secrets: here masks select from public rows.

use evariste_descriptions::BinaryField;
use evariste_ir::range::Interval;
use evariste_ir::{ArrayKind, Builder, Index, Kernel, Value};
use num_bigint::{BigInt, BigUint};

use super::coordinates::{element_in, element_out, linear_contract};
use super::linear::map_kernel;
use super::ning_yin::rotated;
use crate::layout::Layout;

/// Coordinates of a block whose sums are all made: at most that many.
const MOST_BLOCK: usize = 8;

/// The kernel of `a^(2^k)`, 0 < k < m.
pub fn kernel(name: &str, f: &BinaryField, layout: &Layout, k: u32) -> Kernel {
    match f.basis_type() {
        Some(_) if layout.word > 1 => rotation(name, f, layout, k),
        Some(_) => {
            let m = f.degree as usize;
            map_kernel(name, layout, images(f, k), |_, x, _| (0..m).map(|i| x[(i + m - k as usize) % m]).collect())
        }
        None if layout.word > 1 => masked_rows(name, f, layout, k),
        None => map_kernel(name, layout, images(f, k), |c, x, rows| c.linear_map_by_blocks(x, &rows, block(x.len()))),
    }
}

/// The coordinates of each basis element's power `2^k`.
fn images(f: &BinaryField, k: u32) -> Vec<Vec<u32>> {
    let m = f.degree;
    let coordinates = |x: &BigUint| (0..m).filter(|i| x.bit(u64::from(*i))).collect();
    match f.basis_type() {
        Some(_) => (0..m).map(|i| vec![(i + k) % m]).collect(),
        None => {
            let root = (0..k).fold(f.generator(), |x, _| f.square(&x));
            let next = |x: &BigUint| Some(f.multiply(x, &root));
            std::iter::successors(Some(f.one()), next).take(m as usize).map(|x| coordinates(&x)).collect()
        }
    }
}

/// The length of blocks of a dense map that costs least.
pub fn block(m: usize) -> usize {
    (1..=MOST_BLOCK).min_by_key(|t| m.div_ceil(*t) * (m + (1 << t))).unwrap_or(1)
}

/// In words: windows of the element, k coordinates further.
fn rotation(name: &str, f: &BinaryField, layout: &Layout, k: u32) -> Kernel {
    let mut b = Builder::new(name, layout.word);
    let (out, output) = element_out(&mut b, layout);
    let x = element_in(&mut b, "a", layout);
    let words = b.load_all(x.array);
    let digits = rotated(&mut b, &words, f.degree, k);
    b.store_all(out, &digits);
    b.finish(linear_contract(output, x.operand, images(f, k)))
}

/// In words: the rows of the map, each selected by a bit of the operand.
fn masked_rows(name: &str, f: &BinaryField, layout: &Layout, k: u32) -> Kernel {
    let (w, n, m) = (layout.word, layout.digits(), f.degree);
    let images = images(f, k);
    let mut b = Builder::new(name, w);
    let (out, output) = element_out(&mut b, layout);
    let x = element_in(&mut b, "a", layout);
    // From the highest bits of all words down: in step j the highest that is left of word i selects row j·n + i.
    let steps = w.min(m);
    let row = |at: usize| {
        let mut words = vec![0u64; n];
        let bit = steps as usize - 1 - at / n;
        let image = images.get((at % n) * w as usize + bit).map_or(&[][..], |image| image);
        image.iter().for_each(|c| words[(c / w) as usize] |= 1 << (c % w));
        words.into_iter().map(BigInt::from).collect::<Vec<_>>()
    };
    // No row has a bit above the element: the highest words are a table of their own, whose range says so. In short words
    // the bound of a sum of many is not always shown, and the sum is masked.
    let masks = w < 64;
    let (mut low, mut high): (Vec<BigInt>, Vec<BigInt>) = Default::default();
    for mut row in (0..n * steps as usize).map(row) {
        high.extend(row.pop());
        low.extend(row);
    }
    let ty = b.word_type();
    let top = Interval::bits(m - (n as u32 - 1) * w);
    let mut table = |name: &str, entries: Vec<BigInt>, range: Interval| {
        b.array(name, ty, entries.len() as u32, ArrayKind::Table(entries), vec![range])
    };
    let highest = table("rows_top", high, top.clone());
    let table = if n > 1 { table("rows", low, ty.full()) } else { highest };
    let words = b.load_all(x.array);
    let zero = b.word_constant(0);
    let range = |o: usize| if o + 1 == n && !masks { top.clone() } else { Interval::bits(w) };
    let sums = (0..n).map(|o| (zero, range(o)));
    let words = words.into_iter().map(|word| (b.wrapping_shl(word, w - steps), Interval::bits(w)));
    let init: Vec<(Value, Interval)> = words.chain(sums).collect();
    let end = b.repeat(steps, &init, |b, j, state| {
        let (words, sums) = state.split_at(n);
        let (mut words, mut sums) = (words.to_vec(), sums.to_vec());
        for (i, word) in words.iter_mut().enumerate() {
            let mask = b.sar(*word, w - 1);
            *word = b.wrapping_shl(*word, 1u32);
            for (o, sum) in sums.iter_mut().enumerate() {
                let entry = if o + 1 == n {
                    b.load(highest, Index::from(i).plus(j, n as i64))
                } else {
                    b.load(table, Index::from(i * (n - 1) + o).plus(j, (n * (n - 1)) as i64))
                };
                let term = b.and(mask, entry);
                *sum = b.xor(*sum, term);
            }
        }
        words.extend(sums);
        words
    });
    let digits = end[n..].to_vec();
    let digits = if masks { super::words::low_part(&mut b, &digits, m) } else { digits };
    b.store_all(out, &digits);
    b.finish(linear_contract(output, x.operand, images))
}
