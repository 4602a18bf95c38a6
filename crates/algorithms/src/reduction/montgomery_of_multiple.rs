//! Montgomery multiplication whose quotient digits are the lowest digits themselves: all rows but the last clear by the
//! multiple of p that is −1 (or 1) modulo 2^w.
//!
//! * **computes** `a·b/R mod p` by rows `+ a·b[i]` and rows `+ q·N`, `N = p·p′ ≡ ∓1 (mod 2^w)`: with `N = 2^w·M ∓ 1`
//!   and q = ±t0 the cleared row is `⌊t/2^w⌋ + q·M` (and 1 more for q = −t0 ≠ 0). The last rows are those of p. Also as a
//!   reduction of a finished product, its low half by itself.
//! * **needs** p odd, not sparse, not ±1 modulo 2^w; saturated words; `A + M + p ≤ R` for the bound A of a.
//! * **gives** a number at most `(A·B + (2^(w(n−k)) − 1)·N + (R − 2^(w(n−k)))·p)/R` with k rows of p, as few as leave no
//!   more final subtractions than rows of p do; not normalised.
//! * **cost** 2n² + k multiplications, 4n² − 2n + O(1) additions with a carry. From quotient to quotient a row waits for
//!   one product and two sums; with a product for q, for two products and two sums.
//! * **source** Orup, "Simplifying quotient determination in high-radix modular multiplication" (1995); there the result
//!   stays as much greater as the multiple is. The choice of the sign, for its smaller M, is ours.

use evariste_descriptions::Modulus;
use evariste_ir::range::pow2;
use evariste_ir::{Builder, Number, Value};
use num_bigint::BigInt;
use num_traits::One;

use super::montgomery::{self, Clearing, inverse_digit};
use super::signed_row::SignedWords;
use crate::integer::row_forms::{self, Form};
use crate::layout::Layout;
use crate::recipe::{Integrated, Reduction};
use crate::words::{add_row, constant_digits};

/// Registry line: merge rows.
pub const MERGE: Integrated = Integrated {
    name: "montgomery-of-multiple-merge",
    applies,
    multiply: |b, m, l, x, y| scan(b, m, l, x, y, Form::Merge),
    square: None,
};

/// Registry line: rows in two passes.
pub const TWO_PASS: Integrated = Integrated {
    name: "montgomery-of-multiple-two-pass",
    applies,
    multiply: |b, m, l, x, y| scan(b, m, l, x, y, Form::TwoPass),
    square: None,
};

/// Registry line: rows in two chains side by side.
pub const CHAINS: Integrated = Integrated {
    name: "montgomery-of-multiple-chains",
    applies,
    multiply: |b, m, l, x, y| scan(b, m, l, x, y, Form::TwoChains),
    square: None,
};

/// Registry line: of a finished product.
pub const REDUCTION: Reduction = Reduction { name: "montgomery-sos-of-multiple", applies, reduce };

/// Montgomery layouts with room for the multiple, of moduli whose own rows need a product for q.
fn applies(m: &Modulus, layout: &Layout) -> bool {
    montgomery::applies(m, layout) && layout.digits() > 1 && {
        let (p, w) = (BigInt::from(m.value.clone()), layout.word);
        let friendly = [BigInt::one(), pow2(w) - 1u32].contains(&(&p % pow2(w)));
        let multiple = Multiple::new(m, layout);
        let room = &layout.loose.bound + &multiple.above + &p <= layout.factor();
        !friendly && room && SignedWords::new(&p, w, layout.digits()).is_none() && multiple.rows(m, layout).is_some()
    }
}

/// The multiple of p that clears.
struct Multiple {
    /// M, for the multiple `2^w·M ∓ 1`.
    above: BigInt,
    /// Is it 1 modulo 2^w, and q = −t0?
    negative: bool,
}

impl Multiple {
    /// The multiple that is −1, unless that which is 1 can clear more rows.
    fn new(m: &Modulus, layout: &Layout) -> Multiple {
        let (p, word) = (BigInt::from(m.value.clone()), layout.word);
        let factor = inverse_digit(m, word);
        let opposite = Multiple { above: (&p * (pow2(word) - &factor)) >> word, negative: true };
        let multiple = Multiple { above: (p * factor + 1u32) >> word, negative: false };
        if opposite.rows(m, layout) > multiple.rows(m, layout) { opposite } else { multiple }
    }

    /// N.
    fn value(&self, word: u32) -> BigInt {
        (&self.above << word) + if self.negative { 1 } else { -1 }
    }

    /// How many rows clear by the multiple: as many as leave no more final subtractions than rows of p do.
    fn rows(&self, m: &Modulus, layout: &Layout) -> Option<usize> {
        let product = &layout.loose.bound * &layout.loose.bound;
        let p = BigInt::from(m.value.clone());
        let subtractions = montgomery::bound(m, layout, &product) / &p;
        (1..layout.digits()).rev().find(|rows| self.bound(m, layout, &product, *rows) / &p <= subtractions)
    }

    /// Bound of the result for a product up to `product` and so many rows of the multiple.
    fn bound(&self, m: &Modulus, layout: &Layout, product: &BigInt, rows: usize) -> BigInt {
        let before = pow2(layout.word * rows as u32);
        let p = BigInt::from(m.value.clone());
        (product + (&before - 1u32) * self.value(layout.word) + (layout.factor() - before) * p) / layout.factor()
    }
}

/// The rows of a kernel.
struct Rows {
    multiple: Multiple,
    /// Digits of M; behind 1, whose row is known to vanish, for q = −t0.
    digits: Vec<Value>,
    p: Clearing,
    /// How many rows clear by the multiple.
    count: usize,
    form: Form,
}

impl Rows {
    fn new(b: &mut Builder, m: &Modulus, layout: &Layout, form: Form) -> Rows {
        let multiple = Multiple::new(m, layout);
        let mut digits = constant_digits(b, &multiple.above, layout.digits());
        if multiple.negative {
            digits.insert(0, b.word_constant(1));
        }
        let count = multiple.rows(m, layout).unwrap_or(0);
        Rows { multiple, digits, p: Clearing::new(b, m, layout.digits()), count, form }
    }

    /// Row i for t of n + 1 words: n + 1 words without the lowest one, or n for a row of p.
    fn clear(&self, b: &mut Builder, i: usize, t: &[Value]) -> Vec<Value> {
        if i >= self.count {
            return self.p.row_form(b, self.form, t).0;
        }
        if !self.multiple.negative {
            return row_forms::row(b, self.form, &t[1..], &self.digits, t[0], None).0;
        }
        let (zero, none) = (b.word_constant(0), b.no_flag());
        let (q, borrow) = b.sub_borrow(zero, t[0], none);
        row_forms::row(b, self.form, t, &self.digits, q, Some(borrow)).0
    }
}

fn scan(b: &mut Builder, m: &Modulus, layout: &Layout, x: &Number, y: &Number, form: Form) -> Number {
    let rows = Rows::new(b, m, layout, form);
    // Before each row t < A + 2^w·M, in n + 1 words; after a row of p, t < A + M + p.
    let mut t = Vec::new();
    for (i, yi) in y.digits.iter().enumerate() {
        let (sum, _) = row_forms::row(b, form, &t, &x.digits, *yi, None);
        t = rows.clear(b, i, &sum);
    }
    let bound = rows.multiple.bound(m, layout, &(&x.bound * &y.bound), rows.count);
    Number::new(t, layout.word, bound).trimmed()
}

/// `t/R` as the sum of its high half and of the low half over R.
fn reduce(b: &mut Builder, m: &Modulus, layout: &Layout, t: Number) -> Number {
    let n = layout.digits();
    let rows = Rows::new(b, m, layout, Form::Merge);
    let mut sum = t.digits[..n].to_vec();
    for i in 0..n {
        sum.resize(n + 1, b.word_constant(0));
        sum = rows.clear(b, i, &sum);
    }
    let carry = add_row(b, &mut sum, &t.digits[n..], 0, n);
    sum.push(b.flag_to_word(carry, b.word_type()));
    Number::new(sum, layout.word, rows.multiple.bound(m, layout, &t.bound, rows.count)).trimmed()
}
