//! Montgomery multiplication in lanes by whole products of digits, for processors whose product of 32 bits gives 64.
//!
//! * **computes** `a·b/R mod p`, R = 2^(kn) for radix k: rows `+ a·b[i]` and rows that clear the lowest column, one row
//!   of products ahead of the row that clears: what a quotient digit waits for is added last.
//! * **needs** p odd, digits with room for whole products in columns, operands at rest. `of-multiple`: as much room in R
//!   as another multiple of p takes.
//! * **gives** at most `(A·B + (R−1)·p)/R`; `of-multiple` about p more.
//! * **cost** `2n² + n` products, as many additions, two cuts a row. For `p ≡ ±1 (mod 2^k)`, and for `of-multiple`
//!   in all rows but the last, no product gives q, and digit 0 takes none: n or 2n products less. Squares: n(n−1)/2
//!   products less and n − 1 doublings. Between two rows `of-multiple` waits for one product, one addition and one cut; a
//!   product for q makes that three products, two cuts and three additions.
//! * **source** Gueron, Krasnov (2012) for radices with room. Multiples of p that are −1 modulo the radix: Orup,
//!   "Simplifying quotient determination in high-radix modular multiplication" (1995); there the result stays as much
//!   greater as the multiple is, here the last row is one of p itself.

use evariste_descriptions::Modulus;
use evariste_ir::range::pow2;
use evariste_ir::{Builder, Number, Value};
use num_bigint::BigInt;

use super::columns;
use super::montgomery::{Clearing, applies, is_friendly, multiple};
use crate::layout::Layout;
use crate::prime::representation::prime;
use crate::recipe::Integrated;

/// Registry line.
pub const INTEGRATED: Integrated = Integrated {
    name: "montgomery-columns",
    applies: |m, l| applies(m, l) && is_whole(l),
    multiply: |b, m, l, x, y| product(b, m, l, x, Some(y), false),
    square: Some(|b, m, l, x| product(b, m, l, x, None, false)),
};

/// Registry line: all rows but the last clear by a multiple of p.
pub const OF_MULTIPLE: Integrated = Integrated {
    name: "montgomery-columns-of-multiple",
    applies: |m, l| applies(m, l) && is_whole(l) && has_multiple(m, l),
    multiply: |b, m, l, x, y| product(b, m, l, x, Some(y), true),
    square: Some(|b, m, l, x| product(b, m, l, x, None, true)),
};

/// Has the layout room for whole products?
pub(super) fn is_whole(layout: &Layout) -> bool {
    layout.radix.is_some_and(|k| columns::whole(layout.word, k))
}

/// Is there a quotient digit to be had for less, and does a product of resting elements rest?
fn has_multiple(m: &Modulus, layout: &Layout) -> bool {
    let rests = |k| bound_of_multiple(m, layout, &(&layout.resting.bound * &layout.resting.bound), k);
    layout.radix.is_some_and(|k| layout.digits() > 1 && !is_friendly(m, k) && rests(k) <= layout.resting.bound)
}

/// Bound of the result for a product up to `product`, of radix k.
fn bound_of_multiple(m: &Modulus, layout: &Layout, product: &BigInt, k: u32) -> BigInt {
    let before = layout.factor() >> k;
    (product + (&before - 1u32) * multiple(m, k) + (pow2(k) - 1u32) * before * prime(m)) / layout.factor()
}

/// The product, or the square without `y`; `by_multiple`: all rows but the last clear by the multiple.
fn product(b: &mut Builder, m: &Modulus, layout: &Layout, x: &Number, y: Option<&Number>, by_multiple: bool) -> Number {
    let (n, k) = (layout.digits(), layout.radix.unwrap_or(layout.word));
    let last = Clearing::new(b, m, k, n);
    let earlier = by_multiple.then(|| Clearing::of_multiple(b, m, k, n));
    let zero = b.word_constant(0);
    let mut t = vec![zero; 2 * n];
    for (i, column) in t.iter_mut().enumerate().take(n) {
        *column = earlier.as_ref().filter(|_| i + 1 < n).unwrap_or(&last).start(b);
    }
    let mut rows = Rows { k, x: &x.digits, y: y.map(|y| y.digits.as_slice()), done: 0 };
    rows.until(b, &mut t, 0);
    for i in 0..n {
        rows.until(b, &mut t, i + 1);
        earlier.as_ref().filter(|_| i + 1 < n).unwrap_or(&last).row(b, &mut t, i);
    }
    rows.until(b, &mut t, 2 * n);
    let product = &x.bound * &y.unwrap_or(x).bound;
    let bound = if by_multiple { bound_of_multiple(m, layout, &product, k) } else { last.bound(layout, &product) };
    columns::digits(b, layout, t.split_off(n), bound)
}

/// Rows of products that go to columns when these are wanted.
struct Rows<'a> {
    k: u32,
    x: &'a [Value],
    y: Option<&'a [Value]>,
    /// Rows that were added.
    done: usize,
}

impl Rows<'_> {
    /// Adds the rows without which column `at` is not whole.
    fn until(&mut self, b: &mut Builder, t: &mut [Value], at: usize) {
        while self.done < self.x.len() && self.done * (2 - usize::from(self.y.is_some())) <= at {
            match self.y {
                Some(y) => columns::add_row(b, self.k, t, self.done, self.x, y[self.done]),
                None => columns::add_square_row(b, self.k, t, self.done, self.x),
            }
            self.done += 1;
        }
    }
}
