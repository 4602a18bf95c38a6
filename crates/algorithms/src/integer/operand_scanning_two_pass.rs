//! Operand scanning in two passes a row: the low halves of the products, then the high halves, every carry inside its
//! chain.
//!
//! * **computes** `a·b`; row i adds the low halves of `a·b[i]` at offset i in one carry chain, which ends in the
//!   highest half, then the high halves.
//! * **needs** saturated words, equally many in both operands.
//! * **gives** all 2n words.
//! * **cost** n² multiplications, 2n² + O(n) additions, as many with a carry that comes in as merge rows; n high halves
//!   wait in place of n sums. Squares: n(n+1)/2 multiplications, then doubling and squares of the words as two chains
//!   side by side.
//! * **source** Ozturk, Guilford, Gopal, "Large integer squaring on Intel architecture processors" (2013), with one
//!   flag: the chains follow each other.

use evariste_ir::{Builder, Value};

use super::row_forms::{self, Form};
use crate::recipe::Product;

/// Registry line.
pub const PRODUCT: Product = Product { name: "operand-scanning-two-pass", applies: super::unrolled, multiply, square };

/// The 2n words of `a·b`.
pub fn multiply(b: &mut Builder, x: &[Value], y: &[Value]) -> Vec<Value> {
    row_forms::multiply(b, x, y, |_| Form::TwoPass)
}

/// The 2n words of `a²`.
pub fn square(b: &mut Builder, x: &[Value]) -> Vec<Value> {
    row_forms::square(b, x, |_| Form::TwoPass)
}
