//! Montgomery reduction of a finished product with the multiples of even and of odd words apart, for machines that multiply
//! and add in one instruction, carry included.
//!
//! * **computes** `t/R mod p`: the low half of t is reduced by rows in two parts a word apart
//!   ([`crate::integer::operand_scanning_even_odd`]), then the high half is added.
//! * **needs** p odd, saturated words, two or more, 2n of them in t, n even unless `p + 2^(w(n−1)) ≤ R`; any bound T.
//! * **gives** a number at most `(T + (R−1)·p)/R`, in n words and one more where that does not fit n; not normalised.
//! * **cost** n² + n multiply-adds and about 4n additions on a GPU; four more a row where `p + 2^(w(n−1)) > R`.
//! * **source** Emmart, Luitjens, Weems, Woolley, "Optimizing modular multiplication for NVIDIA's Maxwell GPUs" (2016);
//!   Koç, Acar, Kaliski, "Analyzing and comparing Montgomery multiplication algorithms" (1996), for SOS.

use evariste_descriptions::Modulus;
use evariste_ir::range::pow2;
use evariste_ir::{Builder, Number};
use num_bigint::BigInt;

use super::montgomery::{Clearing, applies};
use crate::integer::operand_scanning_even_odd::EvenOdd;
use crate::layout::Layout;
use crate::recipe::Reduction;

/// Registry line.
pub const REDUCTION: Reduction = Reduction {
    name: "montgomery-sos-even-odd",
    applies: |m, layout| {
        let n = layout.digits();
        // Of an odd number of words with a carry above them the bound is not shown.
        applies(m, layout) && n > 1 && (n.is_multiple_of(2) || has_room(&BigInt::from(m.value.clone()), layout))
    },
    reduce,
};

/// Are the numbers after each row, below `p + 2^(w(n − 1))`, such of n words?
fn has_room(p: &BigInt, layout: &Layout) -> bool {
    p + pow2(layout.word * (layout.digits() as u32 - 1)) <= layout.factor()
}

/// `t/R`.
pub fn reduce(b: &mut Builder, m: &Modulus, layout: &Layout, t: Number) -> Number {
    let p = Clearing::new(b, m, layout.digits());
    let n = layout.digits();
    let bound = p.bound(layout, &t.bound);
    let zero = b.word_constant(0);
    let digit = |i: usize| t.digits.get(i).copied().unwrap_or(zero);
    let has_room = has_room(p.greatest(), layout);
    let mut low = EvenOdd::of((0..n).map(digit).collect(), b);
    for _ in 0..n {
        let above = p.clear_even_odd(b, &mut low);
        if !has_room {
            low.put_flags(b, n, &above);
        }
    }
    let low = low.words(b, if has_room { n } else { n + 1 });
    let mut carry = b.no_flag();
    let mut words = Vec::with_capacity(n + 1);
    for (i, word) in low.iter().take(n).enumerate() {
        let (sum, next) = b.add_carry(*word, digit(n + i), carry);
        words.push(sum);
        carry = next;
    }
    if bound >= layout.factor() {
        let top = low.get(n).copied().unwrap_or(zero);
        words.push(b.add_carry(top, zero, carry).0);
    }
    Number::new(words, layout.word, bound).trimmed()
}
