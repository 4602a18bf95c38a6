//! Montgomery reduction of a finished product by merge rows, for machines with add-with-carry.
//!
//! * **computes** `t/R mod p` as SOS does; the products of each row are added to one number first, and then to t. The
//!   carries above the rows wait until the end and are added in one chain.
//! * **needs** p odd and not sparse (such rows are those of plain SOS), saturated words, 2n of them in t; any bound T.
//! * **gives** a number at most `(T + (R−1)·p)/R`, in n words and one more where that does not fit n; not normalised.
//! * **cost** n² + n multiplications, (2n − 1)·n additions with a carry that comes in, and the last chain of n words.
//! * **source** Koç, Acar, Kaliski, "Analyzing and comparing Montgomery multiplication algorithms" (1996); carries that
//!   wait as in GMP's `mpn_redc_1`.

use evariste_descriptions::Modulus;
use evariste_ir::{Builder, Number};

use super::montgomery::{self, Clearing, plain_rows};
use crate::integer::row_forms::Form;
use crate::layout::Layout;
use crate::recipe::Reduction;

/// Registry line.
pub const REDUCTION: Reduction = Reduction { name: "montgomery-sos-merge", applies, reduce };

fn applies(m: &Modulus, layout: &Layout) -> bool {
    montgomery::applies(m, layout) && plain_rows(m, layout.word, layout.digits())
}

/// `t/R`.
pub fn reduce(b: &mut Builder, m: &Modulus, layout: &Layout, t: Number) -> Number {
    let p = Clearing::new(b, m, layout.digits());
    scan(b, &p, layout, t)
}

/// `t/R`, for what clears digits.
pub fn scan(b: &mut Builder, p: &Clearing, layout: &Layout, t: Number) -> Number {
    let n = layout.digits();
    let zero = b.word_constant(0);
    let digit = |i: usize| t.digits.get(i).copied().unwrap_or(zero);
    let mut low: Vec<_> = (0..n).map(digit).collect();
    let mut above = Vec::with_capacity(n);
    for i in 0..n {
        // Words i + 1 to i + n − 1, and what goes to word i + n.
        let (mut rest, _) = p.row_form(b, Form::Merge, &low);
        above.extend(rest.pop());
        if i + 1 < n {
            rest.push(digit(n + i));
        }
        low = rest;
    }
    // low: words n to 2n − 2.
    low.push(digit(2 * n - 1));
    let mut carry = b.no_flag();
    let mut sum = Vec::with_capacity(n + 1);
    for (x, y) in low.iter().zip(&above) {
        let (word, next) = b.add_carry(*x, *y, carry);
        sum.push(word);
        carry = next;
    }
    sum.push(b.flag_to_word(carry, b.word_type()));
    Number::new(sum, layout.word, p.bound(layout, &t.bound)).trimmed()
}
