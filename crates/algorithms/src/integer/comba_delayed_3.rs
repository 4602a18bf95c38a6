//! Comba with delayed carries, three accumulators: the form published as "modified Comba".
//!
//! * **computes** `a·b`; low halves of column k in r0, high halves in r1, and at the column's end r1 takes the high
//!   part of r0, r2 that of r1.
//! * **needs** saturated words, equally many in both operands; `n + 1 ≤ 2^w`.
//! * **gives** all 2n words.
//! * **cost** n² multiplications, 2n² + 2(2n − 1) additions of double words without a carry. Squares: n(n+1)/2
//!   multiplications, two shifts a column.
//! * **source** Brumnik and others, "Techniques for performance improvement of integer multiplication in cryptographic
//!   applications" (2014), reconstructed from its prose; the bounds r0 ≤ (n+1)(2^w − 1), r1 ≤ n·2^w, r2 ≤ n are not in
//!   the paper.

use evariste_ir::{Builder, Value};

use super::comba::column;
use super::comba_delayed::Halves;
use crate::recipe::Product;

/// Registry line.
pub const PRODUCT: Product = Product { name: "comba-delayed-3", applies, multiply, square };

/// All accumulators fit a double word when n + 1 ≤ 2^w; doubling needs 2n ≤ 2^w.
pub fn applies(w: u32, n: usize) -> bool {
    super::unrolled(w, n) && (w >= 32 || 2 * n <= 1 << w)
}

/// Between columns: `r0 + 2^w r1` is the carry into the next one, r0 a word and r1 small, both held in double words.
struct Carry {
    r0: Value,
    r1: Value,
}

impl Carry {
    fn new(b: &mut Builder) -> Carry {
        let zero = b.zero(b.wide_type());
        Carry { r0: zero, r1: zero }
    }

    /// Ends a column: its digit, and the carry into the next.
    fn end(b: &mut Builder, sum: Halves) -> (Value, Carry) {
        let word = b.word();
        let above = b.shr(sum.low, word);
        let r1 = b.add(sum.high, above);
        let digit = b.low_bits(sum.low, word);
        let carry = Carry { r0: b.low_bits(r1, word), r1: b.shr(r1, word) };
        (b.narrow(digit, b.word_type()), carry)
    }
}

/// The 2n words of `a·b`.
pub fn multiply(b: &mut Builder, x: &[Value], y: &[Value]) -> Vec<Value> {
    let n = x.len();
    let mut carry = Carry::new(b);
    let mut t = Vec::with_capacity(2 * n);
    for k in 0..2 * n - 1 {
        let mut sum = Halves { low: carry.r0, high: carry.r1 };
        for i in column(n, k) {
            sum.add_product(b, x[i], y[k - i]);
        }
        let (digit, next) = Carry::end(b, sum);
        t.push(digit);
        carry = next;
    }
    t.push(b.narrow(carry.r0, b.word_type()));
    t
}

/// The 2n words of `a²`.
pub fn square(b: &mut Builder, x: &[Value]) -> Vec<Value> {
    let n = x.len();
    let mut carry = Carry::new(b);
    let mut t = Vec::with_capacity(2 * n);
    for k in 0..2 * n - 1 {
        let mut sum = Halves::new(b);
        for i in column(n, k).filter(|i| 2 * i < k) {
            sum.add_product(b, x[i], x[k - i]);
        }
        sum.double(b);
        if k % 2 == 0 {
            sum.add_product(b, x[k / 2], x[k / 2]);
        }
        sum.low = b.add(sum.low, carry.r0);
        sum.high = b.add(sum.high, carry.r1);
        let (digit, next) = Carry::end(b, sum);
        t.push(digit);
        carry = next;
    }
    t.push(b.narrow(carry.r0, b.word_type()));
    t
}
