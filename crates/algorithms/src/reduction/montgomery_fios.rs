//! Montgomery multiplication, finely integrated operand scanning (FIOS).
//!
//! * **computes** `a·b/R mod p`: one pass a digit of b, which at each word adds `a[j]·b[i]` and then `q·p[j]` and
//!   stores one place lower.
//! * **needs** p odd, saturated words; any bounds A, B of the operands.
//! * **gives** a number at most `(A·B + (R−1)·p)/R`, in n words and one more where that does not fit n; not normalised.
//! * **cost** 2n² + n multiplications, 4n² + 4n additions: each step is two fused `x·y + t + carry`.
//! * **source** Koç, Acar, Kaliski, "Analyzing and comparing Montgomery multiplication algorithms" (1996). There one
//!   carry ripples into t; here the two products keep a carry word each, so nothing ripples and no sum passes two
//!   words.

use evariste_ir::{Builder, Number};

use super::montgomery::{Clearing, add_words, applies, rows_of_scan};
use crate::layout::Layout;

rows_of_scan! { "montgomery-fios", applies: applies, at_run_time: |_| true }

/// The product.
pub fn scan(b: &mut Builder, p: &Clearing, layout: &Layout, x: &Number, y: &Number) -> Number {
    let n = layout.digits();
    let zero = b.word_constant(0);
    let mut t = vec![zero; n];
    let mut top = zero;
    for yi in &y.digits {
        let (s, mut above) = b.mul_add_add(x.digits[0], *yi, t[0], zero);
        let (q, mut carry) = p.quotient(b, s);
        for j in 1..n {
            let (s, next) = b.mul_add_add(x.digits[j], *yi, t[j], above);
            above = next;
            (t[j - 1], carry) = b.mul_add_add(q, p.digit(j), s, carry);
        }
        // Both carries and the word above t.
        let (s, over) = add_words(b, top, above);
        let (last, c) = add_words(b, s, carry);
        t[n - 1] = last;
        top = b.add(over, c);
    }
    t.push(top);
    let bound = p.bound(layout, &(&x.bound * &y.bound));
    Number::new(t, layout.word, bound).trimmed()
}
