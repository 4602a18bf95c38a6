//! Montgomery multiplication, CIOS with the products of even and of odd words apart, for machines that multiply and add in
//! one instruction, carry included.
//!
//! * **computes** `a·b/R mod p` as CIOS does, the running number in two parts a word apart
//!   ([`crate::integer::operand_scanning_even_odd`]). When the lowest word is cleared the parts change places.
//! * **needs** p odd, saturated words, two or more, an even number of them unless `A + p ≤ R`; any bounds A, B of the
//!   operands.
//! * **gives** a number at most `(A·B + (R−1)·p)/R`, in n words and one more where that does not fit n; not normalised.
//! * **cost** that of CIOS by merge rows in chains `…, low, high, low, high, …`: 2n² + n multiply-adds and about 3n
//!   additions on a GPU, for `A + p ≤ R`; four more a row without that.
//! * **source** Emmart, Luitjens, Weems, Woolley, "Optimizing modular multiplication for NVIDIA's Maxwell GPUs" (2016);
//!   Koç, Acar, Kaliski, "Analyzing and comparing Montgomery multiplication algorithms" (1996), for CIOS.

use evariste_descriptions::Modulus;
use evariste_ir::{Builder, Number};
use num_bigint::BigInt;

use super::montgomery::{Clearing, applies, has_room, rows_of_scan};
use crate::integer::operand_scanning_even_odd::EvenOdd;
use crate::layout::Layout;

rows_of_scan! {
    "montgomery-cios-even-odd", applies: suits, at_run_time: |_| false
}

/// Of an odd number of words with a carry above them the bound is not shown.
fn suits(m: &Modulus, layout: &Layout) -> bool {
    let n = layout.digits();
    applies(m, layout) && n > 1 && (n.is_multiple_of(2) || has_room(&BigInt::from(m.value.clone()), layout))
}

/// The product.
pub fn scan(b: &mut Builder, p: &Clearing, layout: &Layout, x: &Number, y: &Number) -> Number {
    let n = layout.digits();
    // Before each row t < A + p: n words, and a word that is 0 or 1 where A + p > R.
    let mut t = EvenOdd::zero(b);
    for yi in &y.digits {
        let above = t.add(b, &x.digits, *yi);
        let cleared = p.clear_even_odd(b, &mut t);
        if !p.has_room(layout) {
            t.put_flags(b, n, &[above, cleared].concat());
        }
    }
    let words = t.words(b, if p.has_room(layout) { n } else { n + 1 });
    Number::new(words, layout.word, p.bound(layout, &(&x.bound * &y.bound))).trimmed()
}
