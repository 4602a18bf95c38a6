//! Montgomery multiplication, CIOS by merge rows, for machines with add-with-carry.
//!
//! * **computes** `a·b/R mod p` as CIOS does; the products of each row are added to one number first, and then to t.
//!   The word that a reduction row clears is not computed: only whether it leaves a carry.
//! * **needs** p odd, saturated words; any bounds A, B of the operands.
//! * **gives** a number at most `(A·B + (R−1)·p)/R`, in n words and one more where that does not fit n; not normalised.
//! * **cost** 2n² + n multiplications (no quotient for p ≡ −1 mod 2^w, and then only the words of p + 1 that are not
//!   0), (2n − 1)·2n − n additions with a carry that comes in, for `A + p ≤ R`; two more a row without that.
//! * **source** Koç, Acar, Kaliski, "Analyzing and comparing Montgomery multiplication algorithms" (1996), for CIOS;
//!   the carry of the cleared word as in the assembly of Gueron, Krasnov, "Fast prime field elliptic-curve cryptography
//!   with 256-bit primes" (2013).

use evariste_ir::{Builder, Number};

use super::montgomery::{Clearing, applies, rows_of_scan};
use crate::integer::row_forms::{self, Form};
use crate::layout::Layout;

rows_of_scan! { "montgomery-cios-merge", applies: applies, at_run_time: |_| true }

/// The product.
pub fn scan(b: &mut Builder, p: &Clearing, layout: &Layout, x: &Number, y: &Number) -> Number {
    by_forms(b, p, layout, x, y, |_| [Form::Merge; 2])
}

/// The product with rows of given forms: for row i that of the product and that of the reduction.
pub fn by_forms(
    b: &mut Builder,
    p: &Clearing,
    layout: &Layout,
    x: &Number,
    y: &Number,
    forms: impl Fn(usize) -> [Form; 2],
) -> Number {
    let no_carry = p.has_room(layout);
    let ty = b.word_type();
    // n words, and a word that is 0 or 1 where A + p > R; before each row t < A + p.
    let mut t = Vec::new();
    for (i, yi) in y.digits.iter().enumerate() {
        let [product, reduction] = forms(i);
        let (sum, over) = row_forms::row(b, product, &t, &x.digits, *yi, None);
        let (rest, carry) = p.row_form(b, reduction, &sum);
        t = rest;
        if !no_carry {
            let over = b.flag_to_word(over, ty);
            t.push(row_forms::add_flag(b, over, carry).0);
        }
    }
    let bound = p.bound(layout, &(&x.bound * &y.bound));
    Number::new(t, layout.word, bound).trimmed()
}
