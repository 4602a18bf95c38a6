//! Operand scanning with two carry chains a row, for machines with add-with-carry.
//!
//! * **computes** `a·b`; row i adds the low halves of `a·b[i]` in one carry chain and the high halves, one place
//!   higher, in another.
//! * **needs** saturated words, equally many in both operands.
//! * **gives** all 2n words.
//! * **cost** n² multiplications, 2n² additions with carry (half of what fused rows cost in word additions); squares
//!   n(n+1)/2 multiplications, then one doubling pass.
//! * **source** Ozturk, Guilford, Gopal, "Large integer squaring on Intel architecture processors" (2013), for the
//!   chains; fiat-crypto writes its rows so.

use evariste_ir::{Builder, Value};

use super::operand_scanning::double_and_add_squares;
use crate::recipe::Product;

/// Registry line.
pub const PRODUCT: Product = Product { name: "operand-scanning-chains", applies: super::unrolled, multiply, square };

/// `t + x·y` in as many words as t, and the word above. x has as many words as t.
pub fn row(b: &mut Builder, t: &[Value], x: &[Value], y: Value) -> (Vec<Value>, Value) {
    let products: Vec<(Value, Value)> = x.iter().map(|xj| b.mul_wide(*xj, y)).collect();
    let ty = b.word_type();
    // Low halves.
    let mut carry = b.no_flag();
    let mut sum = Vec::with_capacity(t.len());
    for (tj, (low, _)) in t.iter().zip(&products) {
        let (s, next) = b.add_carry(*tj, *low, carry);
        sum.push(s);
        carry = next;
    }
    let above = b.flag_to_word(carry, ty);
    // High halves, one place higher.
    let mut carry = b.no_flag();
    for (j, (_, high)) in products.iter().enumerate() {
        if j + 1 < sum.len() {
            (sum[j + 1], carry) = b.add_carry(sum[j + 1], *high, carry);
        } else {
            // t + x·y fits one word more than t: nothing leaves it.
            let carry = b.flag_to_word(carry, ty);
            let s = b.add(*high, above);
            return (sum, b.add(s, carry));
        }
    }
    (sum, above)
}

/// The 2n words of `a·b`.
pub fn multiply(b: &mut Builder, x: &[Value], y: &[Value]) -> Vec<Value> {
    let zero = b.word_constant(0);
    let mut t = vec![zero; x.len()];
    let mut done = Vec::with_capacity(2 * x.len());
    for yi in y {
        let (mut sum, carry) = row(b, &t, x, *yi);
        done.push(sum.remove(0));
        sum.push(carry);
        t = sum;
    }
    done.extend(t);
    done
}

/// The 2n words of `a²`.
pub fn square(b: &mut Builder, x: &[Value]) -> Vec<Value> {
    let n = x.len();
    let zero = b.word_constant(0);
    let mut t = vec![zero; 2 * n];
    for i in 0..n - 1 {
        // x[i]·x[i+1..] at offset 2i + 1.
        let at = 2 * i + 1..i + n;
        let (sum, carry) = row(b, &t[at.clone()], &x[i + 1..], x[i]);
        t[at].copy_from_slice(&sum);
        t[i + n] = carry;
    }
    double_and_add_squares(b, &t, x)
}
