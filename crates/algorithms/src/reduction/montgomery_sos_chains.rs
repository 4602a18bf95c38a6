//! Montgomery reduction of a finished product, SOS with two carry chains a row, for machines with add-with-carry.
//!
//! * **computes** `t/R mod p` as SOS does; in each row the low and the high halves of the products are added in a chain
//!   each.
//! * **needs** p odd, saturated words, 2n of them in t; any bound T.
//! * **gives** a number at most `(T + (R−1)·p)/R`, in n words and one more where that does not fit n; not normalised.
//! * **cost** n² + n multiplications, 2n² + O(n) additions with carry.
//! * **source** Koç, Acar, Kaliski, "Analyzing and comparing Montgomery multiplication algorithms" (1996); rows as
//!   fiat-crypto writes them.

use evariste_descriptions::Modulus;
use evariste_ir::{Builder, Number};

use super::montgomery::{Clearing, applies};
use super::montgomery_sos::reduce_by;
use crate::layout::Layout;
use crate::recipe::Reduction;

/// Registry line.
pub const REDUCTION: Reduction = Reduction { name: "montgomery-sos-chains", applies, reduce };

/// `t/R`.
pub fn reduce(b: &mut Builder, m: &Modulus, layout: &Layout, t: Number) -> Number {
    let p = Clearing::new(b, m, layout.digits());
    scan(b, &p, layout, t)
}

/// `t/R`, for what clears digits.
pub fn scan(b: &mut Builder, p: &Clearing, layout: &Layout, t: Number) -> Number {
    reduce_by(b, p, layout, t, Clearing::row_chains)
}
