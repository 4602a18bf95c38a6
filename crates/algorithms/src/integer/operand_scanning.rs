//! Operand scanning (schoolbook by rows).
//!
//! * **computes** `a·b`; row i adds `a·b[i]` at offset i with one fused multiply-add-add a digit.
//! * **needs** saturated words, equally many in both operands.
//! * **gives** all 2n words.
//! * **cost** n² multiplications, 2n² additions inside them; squares n(n+1)/2 multiplications, then one doubling pass.
//! * **source** Menezes, van Oorschot, Vanstone, Handbook of Applied Cryptography, algorithms 14.12 and 14.16.
//!   `a b + c + d ≤ B² − 1`: no carry beyond two words.

use evariste_ir::{Builder, Value};

use crate::recipe::Product;

/// Registry line.
pub const PRODUCT: Product = Product { name: "operand-scanning", applies: super::unrolled, multiply, square };

/// The 2n words of `a·b`.
pub fn multiply(b: &mut Builder, x: &[Value], y: &[Value]) -> Vec<Value> {
    let n = x.len();
    let zero = b.word_constant(0);
    let mut t = vec![zero; n + y.len()];
    for (i, yi) in y.iter().enumerate() {
        let mut carry = zero;
        for (j, xj) in x.iter().enumerate() {
            (t[i + j], carry) = b.mul_add_add(*xj, *yi, t[i + j], carry);
        }
        t[i + n] = carry;
    }
    t
}

/// The 2n words of `a²`: products of different digits once, doubled, then the squares of the digits.
pub fn square(b: &mut Builder, x: &[Value]) -> Vec<Value> {
    let n = x.len();
    let zero = b.word_constant(0);
    let mut t = vec![zero; 2 * n];
    for i in 0..n {
        let mut carry = zero;
        for j in i + 1..n {
            (t[i + j], carry) = b.mul_add_add(x[i], x[j], t[i + j], carry);
        }
        if i + 1 < n {
            t[i + n] = carry;
        }
    }
    double_and_add_squares(b, &t, x)
}

/// `2t + Σ x_i²·2^(2wi)` for `t = Σ_{i<j} x_i x_j`, in 2n words.
pub fn double_and_add_squares(b: &mut Builder, t: &[Value], x: &[Value]) -> Vec<Value> {
    let word = b.word();
    let mut below = b.word_constant(0);
    let mut carry = b.no_flag();
    let mut result = Vec::with_capacity(t.len());
    for (xi, pair) in x.iter().zip(t.chunks(2)) {
        let (low, high) = b.mul_wide(*xi, *xi);
        for (digit, part) in pair.iter().zip([low, high]) {
            // The double fits because the square does.
            let doubled = b.funnel_shift(*digit, below, word - 1);
            below = *digit;
            let (s, next) = b.add_carry(doubled, part, carry);
            result.push(s);
            carry = next;
        }
    }
    result
}
