//! How the resting elements of a layout are bounded, and what follows for operations that are not products.
//!
//! * **computes** the kind of a layout ([`Resting`]), canonical bounds; sums, differences and masked constants over
//!   words.
//! * **needs** a modulus; a layout of `layouts` or of the same kinds.
//! * **gives** words and the carry or borrow, never normalised.
//! * **cost** n additions with carry; n ands for a masked constant.
//! * **source** Menezes, van Oorschot, Vanstone, Handbook of Applied Cryptography, algorithms 14.7 and 14.9.

use evariste_descriptions::{Field, Modulus, OddModuli};
use evariste_ir::range::pow2;
use evariste_ir::{Builder, Number, Value};
use num_bigint::BigInt;
use num_integer::Integer;

use crate::layout::{Bounds, Layout};
use crate::operation::Operation;
use crate::reduction::carry_pass::{digit_sizes, folding};
use crate::signature::NotApplicable;

/// The ways in which elements rest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Resting {
    /// Saturated words, the number below this multiple of p: p itself (canonical) or 2p (lazy Montgomery).
    Below(BigInt),
    /// Saturated words, any value of the `n` words; `2^(wn) ≡ fold (mod p)`.
    Redundant {
        /// `c·2^(wn−k)` for `p = 2^k − c`.
        fold: BigInt,
    },
    /// Saturated words of the canonical value modulo `2^k`: what is above is dropped.
    LowBits,
    /// Unsaturated digits of `p = 2^k − c`, each a little above its radix at most.
    Digits,
}

/// `p` of a field with a modulus.
pub fn modulus(field: &Field) -> Result<&Modulus, NotApplicable> {
    field.get::<Modulus>().ok_or_else(|| NotApplicable("this needs a modulus".into()))
}

/// `p` as a signed integer.
pub fn prime(m: &Modulus) -> BigInt {
    BigInt::from(m.value.clone())
}

/// How elements of `layout` rest; `None` for bounds that none of these operations knows, and for lanes.
pub fn resting(m: &Modulus, layout: &Layout) -> Option<Resting> {
    if layout.radix.is_some() {
        return None;
    }
    let above: BigInt = &layout.resting.bound + 1;
    if m.power_of_two().is_some() {
        return (layout.saturated() && above == prime(m)).then_some(Resting::LowBits);
    }
    if layout.saturated() && above.is_multiple_of(&prime(m)) {
        return Some(Resting::Below(above));
    }
    let (k, c) = folding(m)?;
    let bits = layout.word * layout.digits() as u32;
    if layout.saturated() && above == pow2(bits) {
        let fold = c << bits.checked_sub(k)?;
        return (&fold * 2 <= above).then_some(Resting::Redundant { fold });
    }
    layout.montgomery.is_none().then_some(Resting::Digits)
}

/// How elements rest, for the fields that have a modulus.
pub fn resting_of(field: &Field, layout: &Layout) -> Option<Resting> {
    modulus(field).ok().and_then(|m| resting(m, layout))
}

/// Is the resting element the canonical one, below p?
pub fn is_canonical(field: &Field, layout: &Layout) -> bool {
    if field.get::<OddModuli>().is_some() {
        return layout.radix.is_none() && layout.resting_multiple() == 1;
    }
    modulus(field).is_ok_and(|m| match resting(m, layout) {
        Some(Resting::Below(above)) => above == prime(m),
        rests => rests == Some(Resting::LowBits),
    })
}

/// Bounds of a canonical element: the number below p, every digit below its radix.
pub fn canonical_bounds(m: &Modulus, layout: &Layout) -> Bounds {
    let bound = prime(m) - 1;
    let digit_max = layout
        .weights
        .iter()
        .zip(digit_sizes(&layout.weights, m.bits))
        .map(|(w, s)| std::cmp::min(pow2(s) - 1, &bound >> *w))
        .collect();
    Bounds { digit_max, bound, low: None }
}

/// The layout with canonical elements at rest: for outputs that are always canonical.
pub fn canonical_layout(m: &Modulus, layout: &Layout) -> Layout {
    Layout { resting: canonical_bounds(m, layout), ..layout.clone() }
}

/// A kernel's name from its operation and algorithm.
pub fn kernel_name(operation: &Operation, algorithm: &str) -> String {
    format!("{}_{}", operation.name(), algorithm.replace(['-', '+'], "_"))
}

/// `x + y` over saturated words, with one more word where the bounds leave `n` words.
pub fn sum(b: &mut Builder, word: u32, x: &Number, y: &Number) -> Number {
    let mut carry = b.no_flag();
    let mut digits = Vec::with_capacity(x.len() + 1);
    for (x, y) in x.digits.iter().zip(&y.digits) {
        let (s, next) = b.add_carry(*x, *y, carry);
        digits.push(s);
        carry = next;
    }
    let bound = &x.bound + &y.bound;
    if bound >= pow2(word * digits.len() as u32) {
        digits.push(b.flag_to_word(carry, b.word_type()));
    }
    Number::new(digits, word, bound)
}

/// `x − y` over `n` saturated words, modulo `2^(wn)`, and the last borrow.
pub fn difference(b: &mut Builder, x: &[Value], y: &[Value]) -> (Vec<Value>, Value) {
    let mut borrow = b.no_flag();
    let mut digits = Vec::with_capacity(x.len());
    for (x, y) in x.iter().zip(y) {
        let (d, next) = b.sub_borrow(*x, *y, borrow);
        digits.push(d);
        borrow = next;
    }
    (digits, borrow)
}

/// The words of `constant` where `flag` is 1, else zeros.
pub fn masked(b: &mut Builder, flag: Value, constant: &[Value]) -> Vec<Value> {
    let mask = b.flag_to_mask(flag);
    let mask = b.mask_to_word(mask);
    constant.iter().map(|c| if b.is_zero(*c) { *c } else { b.and(mask, *c) }).collect()
}
