//! Montgomery multiplication, coarsely integrated operand scanning (CIOS).
//!
//! * **computes** `a·b/R mod p`, R = 2^(wn): for each digit of b, one row `+ a·b[i]`, one row `+ q·p`, and the zero
//!   digit is dropped.
//! * **needs** p odd, saturated words; any bounds A, B of the operands.
//! * **gives** a number at most `(A·B + (R−1)·p)/R`, in n words and one more where that does not fit n; not normalised.
//! * **cost** 2n² + n multiplications (n² + the nonzero digits of p above the lowest, n times, for Montgomery-friendly
//!   p), 4n² + 4n + 2 additions.
//! * **source** Koç, Acar, Kaliski, "Analyzing and comparing Montgomery multiplication algorithms" (1996); the second
//!   carry word is written only where ranges need it.

use evariste_ir::{Builder, Number};

use super::montgomery::{Clearing, add_words, applies, rows_of_scan};
use crate::layout::Layout;

rows_of_scan! { "montgomery-cios", applies: applies, at_run_time: |_| true }

/// The product.
pub fn scan(b: &mut Builder, p: &Clearing, layout: &Layout, x: &Number, y: &Number) -> Number {
    let n = layout.digits();
    let zero = b.word_constant(0);
    // t has n + 1 words, the last in `top`; before each row t < A + p.
    let mut t = vec![zero; n];
    let mut top = zero;
    for yi in &y.digits {
        let mut carry = zero;
        for (tj, xj) in t.iter_mut().zip(&x.digits) {
            (*tj, carry) = b.mul_add_add(*xj, *yi, *tj, carry);
        }
        let (above, over) = add_words(b, top, carry);
        let (rest, carry) = p.row(b, &t);
        let (last, c) = add_words(b, above, carry);
        t = rest;
        t.push(last);
        top = b.add(over, c);
    }
    t.push(top);
    let bound = p.bound(layout, &(&x.bound * &y.bound));
    Number::new(t, layout.word, bound).trimmed()
}
