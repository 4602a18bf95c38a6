//! Comba with delayed carries, columns in parallel: every column's two sums first, one carry pass at the end.
//!
//! * **computes** `a·b`; `L[k]` and `H[k]` sum the low and the high halves of column k, in no order that matters; then
//!   digit k is the low word of `L[k] + H[k−1] + carry`.
//! * **needs** saturated words, equally many in both operands; `2n ≤ 2^w`.
//! * **gives** all 2n words.
//! * **cost** n² multiplications, 2n² additions of double words, 4n more in the final pass; 4n − 2 double words live at
//!   its start. Squares: n(n+1)/2 multiplications, two shifts a column.
//! * **source** Brumnik and others, "Techniques for performance improvement of integer multiplication in cryptographic
//!   applications" (2014), the parallel form: columns do not wait for each other's carries.

use evariste_ir::{Builder, Value};

use super::comba::column;
use super::comba_delayed::{Halves, applies};
use crate::recipe::Product;

/// Registry line.
pub const PRODUCT: Product = Product { name: "comba-columns", applies, multiply, square };

/// The carry pass over the columns' sums.
fn carry_pass(b: &mut Builder, columns: Vec<Halves>) -> Vec<Value> {
    let word = b.word();
    let zero = b.zero(b.wide_type());
    let (mut above, mut carry) = (zero, zero);
    let mut t = Vec::with_capacity(columns.len() + 1);
    for c in &columns {
        let s = b.add(c.low, above);
        let s = b.add(s, carry);
        let digit = b.low_bits(s, word);
        t.push(b.narrow(digit, b.word_type()));
        carry = b.shr(s, word);
        above = c.high;
    }
    let top = b.add(above, carry);
    t.push(b.narrow(top, b.word_type()));
    t
}

/// The 2n words of `a·b`.
pub fn multiply(b: &mut Builder, x: &[Value], y: &[Value]) -> Vec<Value> {
    let n = x.len();
    let columns = (0..2 * n - 1).map(|k| {
        let mut sum = Halves::new(b);
        for i in column(n, k) {
            sum.add_product(b, x[i], y[k - i]);
        }
        sum
    });
    let columns = columns.collect();
    carry_pass(b, columns)
}

/// The 2n words of `a²`.
pub fn square(b: &mut Builder, x: &[Value]) -> Vec<Value> {
    let n = x.len();
    let columns = (0..2 * n - 1).map(|k| {
        let mut sum = Halves::new(b);
        for i in column(n, k).filter(|i| 2 * i < k) {
            sum.add_product(b, x[i], x[k - i]);
        }
        sum.double(b);
        if k % 2 == 0 {
            sum.add_product(b, x[k / 2], x[k / 2]);
        }
        sum
    });
    let columns = columns.collect();
    carry_pass(b, columns)
}
