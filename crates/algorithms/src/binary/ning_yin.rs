//! The word-parallel multiplier of Ning and Yin: the software base line.
//!
//! * **computes** w coordinates at once: `C[k … k+w−1] = Σ_i SA[k + i] · Σ_{j in row i} SB[k + j]` for k = 0, w, 2w, …,
//!   where bit l of the window `SA[i]` is `a_{i+l}`, indices modulo m.
//! * **needs** a Gaussian normal basis, elements in words of w ≥ 8 bits, coordinate i in bit i. The output may be an
//!   operand.
//! * **gives** the product's coordinates.
//! * **cost** `⌈m/w⌉·m` ANDs and about `⌈m/w⌉·(C − 1)` XORs of words, C the number of ones of the multiplication
//!   matrix; 2m windows, each kept twice so that no index is reduced.
//! * **source** Ning and Yin, "Efficient software implementation for finite field multiplication in normal basis"
//!   (ICICS 2001).

use evariste_descriptions::{BinaryField, Field};
use evariste_ir::range::Interval;
use evariste_ir::{Array, Builder, Index, Kernel, Value};

use super::clocks::lists;
use super::coordinates::{binary, element_in, element_out, product_contract};
use super::frobenius;
use crate::layout::Layout;
use crate::operation::Operation;
use crate::recipe::Whole;
use crate::signature::NotApplicable;

/// Loops over rows.
pub const PRODUCT: Whole =
    Whole { name: "ning-yin", applies: |f, l, op| *op == Operation::MUL && normal_words(f, l), write };
/// Squares: a rotation by one coordinate.
pub const ROTATION: Whole =
    Whole { name: "rotation", applies: |f, l, op| *op == Operation::SQUARE && normal_words(f, l), write: rotate };

/// Is it a field in a normal basis with elements in words?
fn normal_words(field: &Field, layout: &Layout) -> bool {
    field.get::<BinaryField>().is_some_and(|f| f.basis_type().is_some()) && layout.word >= 8
}

/// The word of coordinates `start … start + w − 1`, indices modulo m, of an element's words.
fn window(b: &mut Builder, words: &[Value], m: u32, start: u32) -> Value {
    let w = b.word();
    let mut sum = b.word_constant(0);
    let mut done = 0;
    while done < w {
        // As far as the word and the element go.
        let at = (start + done) % m;
        let (index, from) = (at / w, at % w);
        let count = (w - from).min(m - at).min(w - done);
        let mut part = words[index as usize];
        if from + count < w {
            part = b.low_bits(part, from + count);
        }
        part = b.shr(part, from);
        part = b.wrapping_shl(part, done);
        sum = b.xor(sum, part);
        done += count;
    }
    sum
}

/// Windows at every coordinate, twice in a row.
fn windows(b: &mut Builder, name: &str, words: &[Value], m: u32) -> Array {
    let w = b.word();
    let array = b.local(name, 2 * m, Interval::bits(w));
    let whole: Vec<Value> = (0..=m.div_ceil(w)).map(|i| window(b, words, m, i * w)).collect();
    for (i, pair) in whole.windows(2).enumerate() {
        let first = i as u32 * w;
        for copy in [first, first + m] {
            b.store(array, copy, pair[0]);
        }
        let others = w.min(m - first) - 1;
        if others > 0 {
            b.repeat(others, &[], |b, r, _| {
                let v = b.funnel_shift(pair[1], pair[0], Index::counter(r).offset(1));
                for copy in [first, first + m] {
                    b.store(array, Index::counter(r).offset(i64::from(copy) + 1), v);
                }
                vec![]
            });
        }
    }
    array
}

fn write(field: &Field, layout: &Layout, op: &Operation) -> Result<Kernel, NotApplicable> {
    let f = binary(field)?;
    let (m, w) = (f.degree, layout.word);
    let rows: Vec<(u32, Vec<u32>)> = (0..).zip(f.matrix()).collect();
    let mut b = Builder::new(format!("{}_ning_yin", op.name()), w);
    let (out, output) = element_out(&mut b, layout);
    let (x, y) = (element_in(&mut b, "a", layout), element_in(&mut b, "b", layout));
    let (p, q) = (b.load_all(x.array), b.load_all(y.array));
    let (sa, sb) = (windows(&mut b, "windows_a", &p, m), windows(&mut b, "windows_b", &q, m));
    let groups = lists(&mut b, "row", &rows);
    for k in 0..m.div_ceil(w) {
        let at = |table: Array, i| Index::at(i64::from(k * w)).with_table(table, Index::counter(i));
        let mut sum = b.word_constant(0);
        for group in &groups {
            let range = Interval::bits(w);
            sum = b.repeat(group.count, &[(sum, range)], |b, i, sums| {
                let x = b.load(sa, at(group.number, i));
                let y = group.columns.iter().fold(None, |y: Option<Value>, table| {
                    let v = b.load(sb, at(*table, i));
                    Some(y.map_or(v, |y| b.xor(y, v)))
                });
                let z = y.map_or(x, |y| b.and(x, y));
                vec![b.xor(sums[0], z)]
            })[0];
        }
        let rest = m - k * w;
        let digit = if rest < w { b.low_bits(sum, rest) } else { sum };
        b.store(out, k, digit);
    }
    Ok(b.finish(product_contract(f, output, vec![x.operand, y.operand])))
}

fn rotate(field: &Field, layout: &Layout, op: &Operation) -> Result<Kernel, NotApplicable> {
    Ok(frobenius::kernel(&format!("{}_rotation", op.name()), binary(field)?, layout, 1))
}

/// The words of the element with every coordinate k further.
pub fn rotated(b: &mut Builder, words: &[Value], m: u32, k: u32) -> Vec<Value> {
    let digit = |b: &mut Builder, i: u32| {
        let (start, rest) = (i * b.word(), m - i * b.word());
        let v = window(b, words, m, (start + m - k) % m);
        if rest < b.word() { b.low_bits(v, rest) } else { v }
    };
    (0..words.len() as u32).map(|i| digit(b, i)).collect()
}
