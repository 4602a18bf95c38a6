//! Montgomery multiplication in lanes by whole products of digits, for processors whose product of 32 bits gives 64.
//!
//! * **computes** `a·b/R mod p`, R = 2^(kn) for radix k: rows `+ a·b[i]` and rows that clear the lowest column, one row
//!   of products ahead of the row that clears: what a quotient digit waits for is added last. Sums of such products:
//!   rows of all of them before a row that clears.
//! * **needs** p odd, digits with room for whole products in columns, operands at rest. `of-multiple`: as much room in R
//!   as another multiple of p takes.
//! * **gives** at most `(A·B + (R−1)·p)/R`; `of-multiple` about p more.
//! * **cost** `2n² + n` products, as many additions, two cuts a row. For `p ≡ ±1 (mod 2^k)`, and for `of-multiple`
//!   in all rows but the last, no product gives q, and digit 0 takes none: n or 2n products less. Sums of h products: n²
//!   products for each, and one reduction. Squares: n(n−1)/2
//!   products less and n − 1 doublings. Between two rows `of-multiple` waits for one product, one addition and one cut; a
//!   product for q makes that three products, two cuts and three additions.
//! * **source** Gueron, Krasnov (2012) for radices with room. Multiples of p that are −1 modulo the radix: Orup,
//!   "Simplifying quotient determination in high-radix modular multiplication" (1995); there the result stays as much
//!   greater as the multiple is, here the last row is one of p itself. Sums: Longa, "Efficient algorithms for large prime
//!   characteristic fields and their application to bilinear pairings" (2022).

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
    multiply: |b, m, l, x, y| reduced(b, m, l, &[(x, Some(y))], false),
    square: Some(|b, m, l, x| reduced(b, m, l, &[(x, None)], false)),
};

/// Registry line: all rows but the last clear by a multiple of p.
pub const OF_MULTIPLE: Integrated = Integrated {
    name: "montgomery-columns-of-multiple",
    applies: |m, l| applies(m, l) && is_whole(l) && has_multiple(m, l),
    multiply: |b, m, l, x, y| reduced(b, m, l, &[(x, Some(y))], true),
    square: Some(|b, m, l, x| reduced(b, m, l, &[(x, None)], true)),
};

/// Has the layout room for whole products?
pub(super) fn is_whole(layout: &Layout) -> bool {
    layout.radix.is_some_and(|k| columns::whole(layout.word, k))
}

/// Is there a quotient digit to be had for less, and does a product of resting elements rest?
fn has_multiple(m: &Modulus, layout: &Layout) -> bool {
    takes_multiple(m, layout, &(&layout.resting.bound * &layout.resting.bound))
}

/// Does a number up to that one rest when all rows but the last clear it by the multiple, for less?
fn takes_multiple(m: &Modulus, layout: &Layout, product: &BigInt) -> bool {
    let rests = |k| bound_of_multiple(m, layout, product, k) <= layout.resting.bound;
    layout.radix.is_some_and(|k| layout.digits() > 1 && !is_friendly(m, k) && rests(k))
}

/// Bound of the result for a product up to `product`, of radix k.
fn bound_of_multiple(m: &Modulus, layout: &Layout, product: &BigInt, k: u32) -> BigInt {
    let before = layout.factor() >> k;
    (product + (&before - 1u32) * multiple(m, k) + (pow2(k) - 1u32) * before * prime(m)) / layout.factor()
}

/// The sum of products, reduced; it is at rest where they leave R room for that.
pub(crate) fn sum(b: &mut Builder, m: &Modulus, layout: &Layout, factors: &[(Number, Number)]) -> Number {
    let factors: Vec<Factors> = factors.iter().map(|(x, y)| (x, Some(y))).collect();
    let by_multiple = is_whole(layout) && takes_multiple(m, layout, &bound_of(&factors));
    reduced(b, m, layout, &factors, by_multiple)
}

/// The factors of a product; that of a square.
type Factors<'a> = (&'a Number, Option<&'a Number>);

/// The bound of a sum of products.
fn bound_of(factors: &[Factors]) -> BigInt {
    factors.iter().map(|(x, y)| &x.bound * &y.unwrap_or(x).bound).sum()
}

/// The sum of products, or a square, reduced; `by_multiple`: all rows but the last clear by the multiple.
fn reduced(b: &mut Builder, m: &Modulus, layout: &Layout, factors: &[Factors], by_multiple: bool) -> Number {
    let (n, k) = (layout.digits(), layout.radix.unwrap_or(layout.word));
    let last = Clearing::new(b, m, k, n);
    let earlier = by_multiple.then(|| Clearing::of_multiple(b, m, k, n));
    let zero = b.word_constant(0);
    let mut t = vec![zero; 2 * n];
    for (i, column) in t.iter_mut().enumerate().take(n) {
        *column = earlier.as_ref().filter(|_| i + 1 < n).unwrap_or(&last).start(b);
    }
    let mut rows = Rows { k, n, factors, done: 0 };
    rows.until(b, &mut t, 0);
    for i in 0..n {
        rows.until(b, &mut t, i + 1);
        earlier.as_ref().filter(|_| i + 1 < n).unwrap_or(&last).row(b, &mut t, i);
    }
    rows.until(b, &mut t, 2 * n);
    let product = bound_of(factors);
    let bound = if by_multiple { bound_of_multiple(m, layout, &product, k) } else { last.bound(layout, &product) };
    columns::digits(b, layout, t.split_off(n), bound)
}

/// Rows of products that go to columns when these are wanted.
struct Rows<'a> {
    k: u32,
    n: usize,
    factors: &'a [Factors<'a>],
    /// Rows that were added.
    done: usize,
}

impl Rows<'_> {
    /// Adds the rows without which column `at` is not whole.
    fn until(&mut self, b: &mut Builder, t: &mut [Value], at: usize) {
        // Row i of a square begins at column 2i.
        let begins = if self.factors.iter().any(|(_, y)| y.is_some()) { 1 } else { 2 };
        while self.done < self.n && self.done * begins <= at {
            for (x, y) in self.factors {
                match y {
                    Some(y) => columns::add_row(b, self.k, t, self.done, &x.digits, y.digits[self.done]),
                    None => columns::add_square_row(b, self.k, t, self.done, &x.digits),
                }
            }
            self.done += 1;
        }
    }
}
