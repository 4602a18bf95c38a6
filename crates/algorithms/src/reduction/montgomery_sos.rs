//! Montgomery reduction of a finished product, separated operand scanning (SOS).
//!
//! * **computes** `t/R mod p`: n rows, row i adds `q·p` at offset i, which clears digit i.
//! * **needs** p odd, saturated words, 2n of them in t; any bound T.
//! * **gives** a number at most `(T + (R−1)·p)/R`, in n words and one more where that does not fit n; not normalised.
//! * **cost** n² + n multiplications (with the product's n²: 2n² + n), 2n² + 2n additions; squares and Karatsuba save
//!   in the product.
//! * **source** Koç, Acar, Kaliski, "Analyzing and comparing Montgomery multiplication algorithms" (1996). The carry of
//!   a row waits in a flag for the next row instead of rippling up; where p is sparse, the low half is reduced by itself.

use evariste_descriptions::Modulus;
use evariste_ir::{Builder, Number, Value};

use super::montgomery::{Clearing, applies};
use crate::layout::Layout;
use crate::recipe::Reduction;
use crate::words::add_row;

/// Registry line.
pub const REDUCTION: Reduction = Reduction { name: "montgomery-sos", applies, reduce };

/// `t/R`.
pub fn reduce(b: &mut Builder, m: &Modulus, layout: &Layout, t: Number) -> Number {
    let p = Clearing::new(b, m, layout.digits());
    scan(b, &p, layout, t)
}

/// `t/R`, for what clears digits.
pub fn scan(b: &mut Builder, p: &Clearing, layout: &Layout, t: Number) -> Number {
    reduce_by(b, p, layout, t, Clearing::row)
}

/// A row: what is above the cleared word, and the carry above that.
type Row = fn(&Clearing, &mut Builder, &[Value]) -> (Vec<Value>, Value);

/// `t/R` with rows of a given kind.
pub fn reduce_by(b: &mut Builder, p: &Clearing, layout: &Layout, t: Number, row: Row) -> Number {
    if p.is_sparse() {
        return low_half_first(b, p, layout, t, row);
    }
    let n = layout.digits();
    let zero = b.word_constant(0);
    let mut low = t.digits[..n].to_vec();
    let mut waiting = b.no_flag();
    for i in 0..n {
        let (rest, carry) = row(p, b, &low);
        let above = t.digits.get(n + i).copied().unwrap_or(zero);
        let (last, next) = b.add_carry(above, carry, waiting);
        waiting = next;
        low = rest;
        low.push(last);
    }
    low.push(b.flag_to_word(waiting, b.word_type()));
    Number::new(low, layout.word, p.bound(layout, &t.bound)).trimmed()
}

/// `t/R` as the sum of its high half and of the low half over R, which is at most p: no row has a carry.
fn low_half_first(b: &mut Builder, p: &Clearing, layout: &Layout, t: Number, row: Row) -> Number {
    let n = layout.digits();
    let mut sum = t.digits[..n].to_vec();
    for _ in 0..n {
        let above;
        (sum, above) = row(p, b, &sum);
        sum.push(above);
    }
    let carry = add_row(b, &mut sum, &t.digits[n..], 0, n);
    sum.push(b.flag_to_word(carry, b.word_type()));
    Number::new(sum, layout.word, p.bound(layout, &t.bound)).trimmed()
}
