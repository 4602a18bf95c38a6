//! Montgomery multiplication, CIOS without the carry word: the running number never leaves n words.
//!
//! * **computes** `a·b/R mod p` as CIOS does; each row ends with one exact addition of its two carries.
//! * **needs** p odd, saturated words, `A + p ≤ R` for the bound A of a; any b. (Then t < A + p before each row gives t
//!   < A + p after it.)
//! * **gives** a number at most `(A·B + (R−1)·p)/R` in n words; not normalised.
//! * **cost** 2n² + n multiplications, 4n² + 2n + 2 additions: per row one carry word less than CIOS.
//! * **source** gnark's "no-carry" CIOS (2020), which asks for the top bit of p to be clear and one more bit that is
//!   not needed.

use evariste_descriptions::Modulus;
use evariste_ir::{Builder, Number};
use num_bigint::BigInt;

use super::montgomery::{Clearing, greatest, rows_of_scan};
use crate::layout::Layout;

rows_of_scan! { "montgomery-cios-no-carry", applies: applies, at_run_time: |l| &l.resting.bound + greatest(l) <= l.factor() }

/// Montgomery layouts with A + p ≤ R.
pub fn applies(m: &Modulus, layout: &Layout) -> bool {
    super::montgomery::applies(m, layout) && fits(m, layout)
}

/// Is A + p ≤ R?
pub fn fits(m: &Modulus, layout: &Layout) -> bool {
    &layout.loose.bound + BigInt::from(m.value.clone()) <= layout.factor()
}

/// The product.
pub fn scan(b: &mut Builder, p: &Clearing, layout: &Layout, x: &Number, y: &Number) -> Number {
    let n = layout.digits();
    let zero = b.word_constant(0);
    let mut t = vec![zero; n];
    for yi in &y.digits {
        let mut above = zero;
        for (tj, xj) in t.iter_mut().zip(&x.digits) {
            (*tj, above) = b.mul_add_add(*xj, *yi, *tj, above);
        }
        let (rest, carry) = p.row(b, &t);
        t = rest;
        t.push(b.add(above, carry));
    }
    Number::new(t, layout.word, p.bound(layout, &(&x.bound * &y.bound)))
}
