//! Montgomery multiplication, coarsely integrated hybrid scanning (CIHS).
//!
//! * **computes** `a·b/R mod p`: first all products below column n, then for each quotient digit one row `+ q·p` and
//!   the products of the next column.
//! * **needs** p odd, saturated words, `2n ≤ 2^w`; any bounds A, B of the operands.
//! * **gives** a number at most `(A·B + (R−1)·p)/R`, in n words and one more where that does not fit n; not normalised.
//! * **cost** 2n² + n multiplications, 4n² + 4n + 2 additions and n + n(n−1)/2 for the word above, in n + 2 words.
//! * **source** Koç, Acar, Kaliski, "Analyzing and comparing Montgomery multiplication algorithms" (1996). The word
//!   t[n+1] is accumulated; the plain assignment that is printed in places loses carries.

use evariste_ir::{Builder, Number};

use super::montgomery::{Clearing, add_words, rows_of_scan};
use super::montgomery_fips;
use crate::layout::Layout;

rows_of_scan! { "montgomery-cihs", applies: montgomery_fips::applies, at_run_time: montgomery_fips::columns_fit }

/// The product.
pub fn scan(b: &mut Builder, p: &Clearing, layout: &Layout, x: &Number, y: &Number) -> Number {
    let n = layout.digits();
    let zero = b.word_constant(0);
    // n words, and above them a word and what overflows it.
    let mut t = vec![zero; n];
    let (mut above, mut over) = (zero, zero);
    for (i, yi) in y.digits.iter().enumerate() {
        let mut carry = zero;
        for j in 0..n - i {
            (t[i + j], carry) = b.mul_add_add(x.digits[j], *yi, t[i + j], carry);
        }
        let (s, c) = add_words(b, above, carry);
        above = s;
        over = b.add(over, c);
    }
    // t holds the products of columns 0 to n−1.
    for i in 0..n {
        let (rest, carry) = p.row(b, &t);
        let (last, c) = add_words(b, above, carry);
        t = rest;
        t.push(last);
        above = b.add(over, c);
        over = zero;
        // Column n + i now lies at t[n − 1].
        for j in i + 1..n {
            let (s, carry) = b.mul_add_add(x.digits[n - j + i], y.digits[j], t[n - 1], zero);
            t[n - 1] = s;
            let (s, c) = add_words(b, above, carry);
            above = s;
            over = b.add(over, c);
        }
    }
    t.extend([above, over]);
    let bound = p.bound(layout, &(&x.bound * &y.bound));
    Number::new(t, layout.word, bound).trimmed()
}
