//! Montgomery multiplication, finely integrated product scanning (FIPS).
//!
//! * **computes** `a·b/R mod p`: Comba columns of `a·b + q·p` in three words; the low word of columns 0 to n−1 gives
//!   the next quotient digit.
//! * **needs** p odd, saturated words, `2n ≤ 2^w`; any bounds A, B of the operands.
//! * **gives** a number at most `(A·B + (R−1)·p)/R`, in n words and one more where that does not fit n; not normalised.
//! * **cost** 2n² + n multiplications; three additions with carry for each. Squares: n(n+1)/2 + n² + n multiplications,
//!   two three-word shifts and additions more a column.
//! * **source** Koç, Acar, Kaliski, "Analyzing and comparing Montgomery multiplication algorithms" (1996). No loop over
//!   memory: the state is three words.

use evariste_descriptions::Modulus;
use evariste_ir::{Builder, Number, Value};

use super::montgomery::{self, Clearing, rows_of_scan};
use crate::integer::comba::{Column, column};
use crate::layout::Layout;

rows_of_scan! { "montgomery-fips", applies: applies, at_run_time: columns_fit, square: scan_square }

/// Montgomery layouts whose columns of 2n products fit three words.
pub fn applies(m: &Modulus, layout: &Layout) -> bool {
    montgomery::applies(m, layout) && columns_fit(layout)
}

/// Do columns of 2n products fit three words?
pub fn columns_fit(layout: &Layout) -> bool {
    layout.word >= 32 || 2 * layout.digits() <= 1 << layout.word
}

/// Runs over the columns; `add` puts the products of column k into the sum.
fn columns(
    b: &mut Builder,
    p: &Clearing,
    n: usize,
    mut add: impl FnMut(&mut Builder, &mut Column, usize),
) -> Vec<Value> {
    let mut sum = Column::new(b);
    let mut q: Vec<Value> = Vec::with_capacity(n);
    let mut t = Vec::with_capacity(n + 1);
    for k in 0..2 * n - 1 {
        add(b, &mut sum, k);
        for i in column(n, k).filter(|i| *i < k) {
            sum.add_product(b, q[i], p.digit(k - i));
        }
        let low = sum.shift(b);
        if k < n {
            // The low word is cleared; its carry belongs to the next column, which now is the lowest.
            let (digit, carry) = p.quotient(b, low);
            q.push(digit);
            sum.add_low(b, carry);
        } else {
            t.push(low);
        }
    }
    t.push(sum.r[0]);
    t.push(sum.r[1]);
    t
}

/// The product.
pub fn scan(b: &mut Builder, p: &Clearing, layout: &Layout, x: &Number, y: &Number) -> Number {
    let n = layout.digits();
    let t = columns(b, p, n, |b, sum, k| {
        for i in column(n, k) {
            sum.add_product(b, x.digits[i], y.digits[k - i]);
        }
    });
    Number::new(t, layout.word, p.bound(layout, &(&x.bound * &y.bound))).trimmed()
}

/// The square: products of different digits once, doubled a column.
pub fn scan_square(b: &mut Builder, p: &Clearing, layout: &Layout, x: &Number) -> Number {
    let n = layout.digits();
    let t = columns(b, p, n, |b, sum, k| {
        let pairs: Vec<usize> = column(n, k).filter(|i| 2 * i < k).collect();
        match pairs[..] {
            [] => {}
            _ => {
                let mut once = Column::new(b);
                for i in pairs {
                    once.add_product(b, x.digits[i], x.digits[k - i]);
                }
                sum.add_double(b, &once);
            }
        }
        if k % 2 == 0 {
            sum.add_product(b, x.digits[k / 2], x.digits[k / 2]);
        }
    });
    Number::new(t, layout.word, p.bound(layout, &(&x.bound * &x.bound))).trimmed()
}
