//! Montgomery multiplication, CIOS by rows in two passes, for machines with add-with-carry.
//!
//! * **computes** `a·b/R mod p` as CIOS by merge rows does; each row adds the low halves of its products in one chain
//!   and the high halves in another.
//! * **needs** p odd, saturated words, two or more; any bounds A, B of the operands.
//! * **gives** a number at most `(A·B + (R−1)·p)/R`, in n words and one more where that does not fit n; not normalised.
//! * **cost** that of CIOS by merge rows, and two additions more a row. A machine with two carry flags runs the chains
//!   side by side, with few words alive; on one that multiplies and carries in the same unit that is the shortest.
//! * **source** Koç, Acar, Kaliski, "Analyzing and comparing Montgomery multiplication algorithms" (1996), for CIOS;
//!   Ozturk, Guilford, Gopal, "Large integer squaring on Intel architecture processors" (2013), for the chains.

use evariste_ir::{Builder, Number};

use super::montgomery::{Clearing, applies, rows_of_scan};
use super::montgomery_cios_merge::by_forms;
use crate::integer::row_forms::Form;
use crate::layout::Layout;

rows_of_scan! {
    "montgomery-cios-two-pass", applies: |m, layout| applies(m, layout) && layout.digits() > 1, at_run_time: |_| false
}

/// The product.
pub fn scan(b: &mut Builder, p: &Clearing, layout: &Layout, x: &Number, y: &Number) -> Number {
    by_forms(b, p, layout, x, y, |_| [Form::TwoPass; 2])
}
