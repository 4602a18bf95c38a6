//! Operand scanning by merge rows: the products of a row are added to one number, which is then added to the sum.
//!
//! * **computes** `a·b`; in row i one carry chain adds neighbouring halves of `a·b[i]`, a second adds the result at
//!   offset i.
//! * **needs** saturated words, equally many in both operands.
//! * **gives** all 2n words.
//! * **cost** n² multiplications, 2n² + O(n) additions, (n − 1)·2n of them with a carry that comes in. Squares:
//!   n(n+1)/2 multiplications, the triangle by merge rows, then doubling and squares of the words as two chains side by
//!   side.
//! * **source** Knuth, The Art of Computer Programming 2, 4.3.1, for the rows; the form is the one in which one carry
//!   flag is enough and a row's products do not wait for the row before.

use evariste_ir::{Builder, Value};

use super::row_forms::{self, Form};
use crate::recipe::Product;

/// Registry line.
pub const PRODUCT: Product = Product { name: "operand-scanning-merge", applies: super::unrolled, multiply, square };

/// The 2n words of `a·b`.
pub fn multiply(b: &mut Builder, x: &[Value], y: &[Value]) -> Vec<Value> {
    row_forms::multiply(b, x, y, |_| Form::Merge)
}

/// The 2n words of `a²`.
pub fn square(b: &mut Builder, x: &[Value]) -> Vec<Value> {
    row_forms::square(b, x, |_| Form::Merge)
}
