//! Products modulo `2^k`: the words below `2^k` alone.
//!
//! * **computes** `a·b mod 2^k`, by columns (`short-comba`), by rows (`short-scanning`), or the low words of a whole
//!   product (`truncation`).
//! * **needs** the modulus `2^k`, saturated words; any operands.
//! * **gives** the canonical value. Nothing is reduced: what is above the last word is not computed, or dropped.
//! * **cost** n(n+1)/2 multiplications, of which n are of low words alone; squares about half of that. (A whole product
//!   has n².)
//! * **source** Brent, Zimmermann, Modern Computer Arithmetic (2010), section 3.3; Mulders, "On short multiplications
//!   and divisions" (2000), whose recursion pays only far above these lengths.

use evariste_descriptions::Modulus;
use evariste_ir::{Builder, Number, Value};
use num_bigint::BigInt;

use crate::integer::comba::{self, Column, column};
use crate::layout::Layout;
use crate::recipe::{Integrated, Reduction};
use crate::words::low_bits;

/// Registry line: by columns.
pub const COMBA: Integrated = Integrated {
    name: "short-comba",
    applies: |m, layout| applies(m, layout) && comba::applies(layout.word, layout.digits()),
    multiply: |b, m, layout, x, y| {
        let t = columns(b, &x.digits, &y.digits);
        truncated(b, m, layout, &t)
    },
    square: Some(|b, m, layout, x| {
        let t = square_columns(b, &x.digits);
        truncated(b, m, layout, &t)
    }),
};

/// Registry line: by rows.
pub const SCANNING: Integrated = Integrated {
    name: "short-scanning",
    applies,
    multiply: |b, m, layout, x, y| {
        let t = rows(b, &x.digits, &y.digits);
        truncated(b, m, layout, &t)
    },
    square: None,
};

/// Registry line: of a whole product.
pub const TRUNCATION: Reduction =
    Reduction { name: "truncation", applies, reduce: |b, m, layout, t| truncated(b, m, layout, &t.digits) };

fn applies(m: &Modulus, layout: &Layout) -> bool {
    m.power_of_two().is_some()
        && layout.saturated()
        && layout.radix.is_none()
        && crate::integer::unrolled(layout.word, layout.digits())
}

/// The bits below `2^k`.
pub fn truncated(b: &mut Builder, m: &Modulus, layout: &Layout, t: &[Value]) -> Number {
    let mut digits = low_bits(b, t, m.bits);
    let zero = b.word_constant(0);
    digits.resize(layout.digits(), zero);
    Number::new(digits, layout.word, BigInt::from(m.value.clone()) - 1)
}

/// The lower n words of `x·y`: of the last column the low words alone.
fn columns(b: &mut Builder, x: &[Value], y: &[Value]) -> Vec<Value> {
    let n = x.len();
    let mut sum = Column::new(b);
    let mut t = Vec::with_capacity(n);
    for k in 0..n {
        for i in column(n, k) {
            add(b, &mut sum, x[i], y[k - i], k + 1 == n);
        }
        t.push(sum.shift(b));
    }
    t
}

/// Adds a product to a column; to the last one its low word.
fn add(b: &mut Builder, sum: &mut Column, x: Value, y: Value, last: bool) {
    if last {
        let low = b.wrapping_mul(x, y);
        sum.r[0] = b.wrapping_add(sum.r[0], low);
    } else {
        sum.add_product(b, x, y);
    }
}

/// The lower n words of `x²`: the columns of products of different digits, doubled word by word, the squares of digits
/// added on the way.
fn square_columns(b: &mut Builder, x: &[Value]) -> Vec<Value> {
    let (n, word) = (x.len(), b.word());
    let mut below = b.word_constant(0);
    let mut sum = Column::new(b);
    let mut carry = b.no_flag();
    let mut t = Vec::with_capacity(n);
    let mut high = below;
    for k in 0..n {
        for i in column(n, k).filter(|i| 2 * i < k) {
            add(b, &mut sum, x[i], x[k - i], k + 1 == n);
        }
        let digit = sum.shift(b);
        let doubled = b.funnel_shift(digit, below, word - 1);
        below = digit;
        let part = match (k % 2, k + 1 == n) {
            (0, true) => b.wrapping_mul(x[k / 2], x[k / 2]),
            (0, false) => {
                let (low, above) = b.mul_wide(x[k / 2], x[k / 2]);
                high = above;
                low
            }
            _ => high,
        };
        let (s, next) = b.add_carry(doubled, part, carry);
        t.push(s);
        carry = next;
    }
    t
}

/// The lower n words of `x·y`: row i adds `x·y[i]` at offset i, as far as word n.
fn rows(b: &mut Builder, x: &[Value], y: &[Value]) -> Vec<Value> {
    let n = x.len();
    let zero = b.word_constant(0);
    let mut t = vec![zero; n];
    for (i, yi) in y.iter().enumerate() {
        let mut carry = zero;
        for (j, xj) in x[..n - i].iter().enumerate() {
            if i + j + 1 < n {
                (t[i + j], carry) = b.mul_add_add(*xj, *yi, t[i + j], carry);
            } else {
                let low = b.wrapping_mul(*xj, *yi);
                let sum = b.wrapping_add(t[i + j], low);
                t[i + j] = b.wrapping_add(sum, carry);
            }
        }
    }
    t
}
