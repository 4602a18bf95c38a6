//! Operand scanning by merge rows and rows of halves in turn.
//!
//! * **computes** `a·b`; rows 0, 2, … as merge rows, rows 1, 3, … with the low and the high halves of the products in a
//!   chain each: up to seven words side by side, above that one after the other.
//! * **needs** saturated words, equally many in both operands; five or more (fewer where words are short).
//! * **gives** all 2n words.
//! * **cost** n² multiplications, 2n² + O(n) additions. A machine with two carry flags keeps fewer words alive in rows
//!   with chains side by side, and can start them while the other row's chain runs.
//! * **source** Ozturk, Guilford, Gopal, "Large integer squaring on Intel architecture processors" (2013), for the
//!   chains of halves; taking turns is what measurements of six and eight words preferred.

use evariste_ir::{Builder, Value};

use super::row_forms::{self, Form};
use crate::recipe::Product;

/// Registry line.
pub const PRODUCT: Product = Product { name: "operand-scanning-mixed", applies, multiply, square };

fn applies(w: u32, n: usize) -> bool {
    super::unrolled(w, n) && (n >= 5 || w < 16 && n >= 2)
}

/// The form of a row of n words.
fn form(n: usize, row: usize) -> Form {
    match row % 2 {
        0 => Form::Merge,
        _ if n < 8 => Form::TwoChains,
        _ => Form::TwoPass,
    }
}

/// The 2n words of `a·b`.
pub fn multiply(b: &mut Builder, x: &[Value], y: &[Value]) -> Vec<Value> {
    row_forms::multiply(b, x, y, |row| form(x.len(), row))
}

/// The 2n words of `a²`.
pub fn square(b: &mut Builder, x: &[Value]) -> Vec<Value> {
    row_forms::square(b, x, |row| form(x.len(), row))
}
