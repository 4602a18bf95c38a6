//! Montgomery multiplication, CIOS with two carry chains a row, for machines with add-with-carry.
//!
//! * **computes** `a·b/R mod p` as CIOS does; in each row the low and the high halves of the products are added in a
//!   chain each.
//! * **needs** p odd, saturated words; any bounds A, B of the operands.
//! * **gives** a number at most `(A·B + (R−1)·p)/R`, in n words and one more where that does not fit n; not normalised.
//! * **cost** 2n² + n multiplications, 4n² + O(n) additions with carry; no carry word where `A + p ≤ R`.
//! * **source** Koç, Acar, Kaliski, "Analyzing and comparing Montgomery multiplication algorithms" (1996); rows as
//!   fiat-crypto writes them.

use evariste_descriptions::Modulus;
use evariste_ir::{Builder, Number, Value};
use num_bigint::BigInt;

use super::montgomery::{self, Clearing, add_words, rows_of_scan};
use super::montgomery_cios_no_carry;
use super::signed_row::SignedWords;
use crate::integer::operand_scanning_chains::row;
use crate::layout::Layout;

rows_of_scan! { "montgomery-cios-chains", applies: applies, at_run_time: |_| true, square: scan_square }

/// Montgomery layouts, but for sparse moduli with a spare bit: no-carry CIOS has the same rows of p there and no more
/// additions.
pub fn applies(m: &Modulus, layout: &Layout) -> bool {
    let sparse = || SignedWords::new(&BigInt::from(m.value.clone()), layout.word, layout.digits()).is_some();
    montgomery::applies(m, layout) && !(montgomery_cios_no_carry::fits(m, layout) && sparse())
}

/// The product.
pub fn scan(b: &mut Builder, p: &Clearing, layout: &Layout, x: &Number, y: &Number) -> Number {
    by_rows(b, p, layout, x, y, row)
}

/// The square. Each product of two digits occurs in two rows; fused rows then keep the proof of what a row leaves in
/// sight.
pub fn scan_square(b: &mut Builder, p: &Clearing, layout: &Layout, x: &Number) -> Number {
    by_rows(b, p, layout, x, x, fused_row)
}

/// `t + x·y` in as many words as t, and the word above.
fn fused_row(b: &mut Builder, t: &[Value], x: &[Value], y: Value) -> (Vec<Value>, Value) {
    let mut carry = b.word_constant(0);
    let mut sum = Vec::with_capacity(t.len());
    for (tj, xj) in t.iter().zip(x) {
        let (s, next) = b.mul_add_add(*xj, y, *tj, carry);
        sum.push(s);
        carry = next;
    }
    (sum, carry)
}

type Row = fn(&mut Builder, &[Value], &[Value], Value) -> (Vec<Value>, Value);

fn by_rows(b: &mut Builder, p: &Clearing, layout: &Layout, x: &Number, y: &Number, row: Row) -> Number {
    let n = layout.digits();
    let zero = b.word_constant(0);
    let no_carry = p.has_room(layout);
    let mut t = vec![zero; n];
    let mut top = zero;
    for yi in &y.digits {
        let (sum, carry) = row(b, &t, &x.digits, *yi);
        let (rest, next) = p.row_chains(b, &sum);
        t = rest;
        if no_carry {
            t.push(b.add(carry, next));
        } else {
            let (above, over) = add_words(b, top, carry);
            let (last, c) = add_words(b, above, next);
            t.push(last);
            top = b.add(over, c);
        }
    }
    t.push(top);
    let bound = p.bound(layout, &(&x.bound * &y.bound));
    Number::new(t, layout.word, bound).trimmed()
}
