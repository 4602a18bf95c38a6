//! Halves.
//!
//! * **computes** `a/2` modulo p: half of a, or of a and p where a is odd.
//! * **needs** an odd p; saturated words, or lanes of one radix; a resting element. The output may be it.
//! * **gives** a resting element.
//! * **cost** n additions, n ands, n shifts; in lanes another chain of carries.
//! * **source** Aranha, Karabina, Longa, Gebotys, López, "Faster explicit formulas for computing pairings over ordinary
//!   curves" (Eurocrypt 2011), section 3.

use evariste_descriptions::Modulus;
use evariste_ir::{Builder, Kernel, Number, Polynomial, Value};
use num_bigint::BigInt;

use crate::lanes::normalise::cleaned;
use crate::lanes::{columns, sums};
use crate::layout::Layout;
use crate::prime::representation::masked;
use crate::reduction::carry_pass::digits_at;
use crate::signature::{NotApplicable, ValueClaim, kernel};
use crate::words::{constant_digits, shift_right};

/// The kernel.
///
/// # Errors
/// For an even modulus, and digits of another form.
pub(super) fn halve(m: &Modulus, layout: &Layout) -> Result<Kernel, NotApplicable> {
    let p = BigInt::from(m.value.clone());
    let has_digits = if layout.radix.is_some() { sums::has_columns(layout) } else { layout.saturated() };
    if !p.bit(0) || !has_digits {
        return Err(NotApplicable("halves are of odd moduli, in whole words or digits of one radix".into()));
    }
    let claim = ValueClaim { factor: 2.into(), polynomial: Polynomial::input(0), modulus: Some(p.clone()) };
    kernel("halve", layout, &[("a", &layout.resting)], claim, |b, x| {
        let bound = (&layout.resting.bound + &p) / 2u32;
        if layout.radix.is_some() {
            return Ok(half_of_columns(b, layout, &p, &x[0], bound));
        }
        let (n, word) = (layout.digits(), layout.word);
        let (low, none, zero) = (b.low_bits(x[0].digits[0], 1), b.no_flag(), b.word_constant(0));
        let (_, odd) = b.sub_borrow(zero, low, none);
        let p_digits = constant_digits(b, &p, n);
        let added = masked(b, odd, &p_digits);
        let mut carry = none;
        let mut t = Vec::with_capacity(n + 1);
        for (x, y) in x[0].digits.iter().zip(&added) {
            let (digit, next) = b.add_carry(*x, *y, carry);
            t.push(digit);
            carry = next;
        }
        t.push(b.flag_to_word(carry, b.word_type()));
        let digits = shift_right(b, &t, 1, n);
        Ok(Number::new(digits, word, bound))
    })
}

/// Half of a number, or of it and p, in lanes: the low bit of each digit goes to the one below.
fn half_of_columns(b: &mut Builder, layout: &Layout, p: &BigInt, x: &Number, bound: BigInt) -> Number {
    let k = layout.radix.unwrap_or(layout.word);
    let mut t = cleaned(b, layout, x);
    let odd = b.low_bits(t[0], 1);
    for (i, p) in digits_at(p, &layout.weights).into_iter().enumerate() {
        let p = b.word_constant(p);
        columns::add_low(b, k, &mut t, i, odd, p);
    }
    let bits: Vec<Value> = t.iter().skip(1).map(|digit| b.low_bits(*digit, 1)).collect();
    let mut halves: Vec<Value> = t.iter().map(|digit| b.shr(*digit, 1u32)).collect();
    for (half, bit) in halves.iter_mut().zip(bits) {
        let above = b.shl(bit, k - 1);
        *half = b.add(*half, above);
    }
    columns::digits(b, layout, halves, bound)
}
