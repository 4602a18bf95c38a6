//! Montgomery multiplication, CIOS by merge rows with one reduction row in two chains side by side.
//!
//! * **computes** `a·b/R mod p` as CIOS by merge rows does; up to four words the last reduction row, above that the
//!   first, adds the low and the high halves of its products in a chain each.
//! * **needs** p odd, saturated words; any bounds A, B of the operands.
//! * **gives** a number at most `(A·B + (R−1)·p)/R`, in n words and one more where that does not fit n; not normalised.
//! * **cost** that of CIOS by merge rows. The row with two chains keeps fewer words alive; a machine with two carry
//!   flags runs it beside its neighbour's chains.
//! * **source** Koç, Acar, Kaliski, "Analyzing and comparing Montgomery multiplication algorithms" (1996), for CIOS;
//!   which row is the one that measurements of four and six words preferred.

use evariste_descriptions::Modulus;
use evariste_ir::{Builder, Number};

use super::montgomery::{self, Clearing, rows_of_scan};
use super::montgomery_cios_merge::by_forms;
use super::signed_row::SignedWords;
use crate::integer::row_forms::Form;
use crate::layout::Layout;
use num_bigint::BigInt;

rows_of_scan! { "montgomery-cios-mixed", applies: applies, at_run_time: |l| l.digits() > 1 }

/// Montgomery layouts of moduli without cheap rows (whose few products leave nothing to choose), of two words or more.
pub fn applies(m: &Modulus, layout: &Layout) -> bool {
    let (word, n) = (layout.word, layout.digits());
    montgomery::applies(m, layout) && n > 1 && SignedWords::new(&BigInt::from(m.value.clone()), word, n).is_none()
}

/// The product.
pub fn scan(b: &mut Builder, p: &Clearing, layout: &Layout, x: &Number, y: &Number) -> Number {
    let n = layout.digits();
    let special = if n <= 4 { n - 1 } else { 0 };
    by_forms(b, p, layout, x, y, |i| [Form::Merge, if i == special { Form::TwoChains } else { Form::Merge }])
}
