//! The canonical value.
//!
//! * **computes** the x below p with `x ≡ a (mod p)`. Saturated: the bits above 2^k are folded where the layout is
//!   redundant, then conditional subtractions; unsaturated (below 2p at rest): `q = ⌊(a + c)/2^k⌋` (1 exactly where
//!   `a ≥ p`) by carries alone, and `a + c·q mod 2^k`.
//! * **needs** a resting operand. The output may be the operand.
//! * **gives** the canonical value, every digit below its radix.
//! * **cost** n subtractions and selects; redundant one more row by c; unsaturated 2n carries and 4n additions.
//! * **source** Bernstein, "Curve25519" (2006), the final reduction of its reference code, for the unsaturated form.

use evariste_descriptions::Modulus;
use evariste_ir::range::pow2;
use evariste_ir::{Builder, Number, Polynomial, Value};

use super::representation::{
    Resting, canonical_layout, is_canonical, kernel_name, modulus, prime, resting, resting_of,
};
use crate::layout::Layout;
use crate::operation::Operation;
use crate::recipe::Whole;
use crate::reduction::carry_pass::{carry_pass, digit_sizes, digits_at, folding, pseudo_mersenne};
use crate::reduction::conditional_subtraction::normalise;
use crate::signature::{self, NotApplicable, ValueClaim};
use crate::words::constant_digits;

/// Saturated layouts whose elements are not canonical at rest.
pub const CONDITIONAL_SUBTRACTION: Whole = Whole {
    name: "conditional-subtraction",
    applies: |f, l, op| {
        *op == Operation::CANONICAL
            && !is_canonical(f, l)
            && matches!(resting_of(f, l), Some(Resting::Below(_) | Resting::Redundant { .. }))
    },
    write: |f, l, op| write(modulus(f)?, l, &kernel_name(op, "conditional-subtraction")),
};

/// Unsaturated layouts.
pub const QUOTIENT_BY_CARRIES: Whole = Whole {
    name: "quotient-by-carries",
    applies: |f, l, op| *op == Operation::CANONICAL && resting_of(f, l) == Some(Resting::Digits),
    write: |f, l, op| write(modulus(f)?, l, &kernel_name(op, "quotient-by-carries")),
};

fn write(m: &Modulus, layout: &Layout, name: &str) -> Result<evariste_ir::Kernel, NotApplicable> {
    let claim = ValueClaim::plain(Polynomial::input(0), Some(prime(m)));
    signature::kernel(name, &canonical_layout(m, layout), &[("a", &layout.resting)], claim, |b, x| {
        canonical(b, m, layout, x[0].clone())
    })
}

/// The canonical value of a resting element; nothing is written when it is canonical already.
pub fn canonical(b: &mut Builder, m: &Modulus, layout: &Layout, x: Number) -> Result<Number, NotApplicable> {
    let target = prime(m) - 1;
    match resting(m, layout) {
        Some(Resting::LowBits) => Ok(x),
        Some(Resting::Below(_)) => Ok(normalise(b, m, x, &target)),
        Some(Resting::Redundant { .. }) => {
            let t = fold_above(b, m, layout, x);
            Ok(normalise(b, m, t, &target))
        }
        Some(Resting::Digits) => canonical_digits(b, m, layout, x),
        None => Err(NotApplicable("a layout with unknown bounds".into())),
    }
}

/// `x mod 2^k + c·⌊x/2^k⌋` over n words, until that gains nothing.
fn fold_above(b: &mut Builder, m: &Modulus, layout: &Layout, mut x: Number) -> Number {
    let Some((k, c)) = pseudo_mersenne(m) else { return x };
    let (n, p) = (layout.digits(), prime(m));
    let place = k - (n as u32 - 1) * layout.word;
    let c_digits = constant_digits(b, &c, n);
    while x.bound >= &p * 2 && place < layout.word {
        let bound = pow2(k) - 1 + &c * (&x.bound >> k);
        if bound >= x.bound {
            break;
        }
        let high = b.shr(x.digits[n - 1], place);
        x.digits[n - 1] = b.low_bits(x.digits[n - 1], place);
        let mut carry = b.word_constant(0);
        for (d, c) in x.digits.iter_mut().zip(&c_digits) {
            (*d, carry) = b.mul_add_add(high, *c, *d, carry);
        }
        x.bound = bound;
    }
    x
}

/// Unsaturated digits of a number below 2p: one conditional subtraction that never forms the difference.
fn canonical_digits(b: &mut Builder, m: &Modulus, layout: &Layout, mut x: Number) -> Result<Number, NotApplicable> {
    let Some((k, c)) = folding(m) else {
        return Err(NotApplicable("unsaturated digits need p = 2^k − c".into()));
    };
    if &x.bound + &c >= pow2(k + 1) {
        x = carry_pass(b, m, layout, x);
    }
    if &x.bound + &c >= pow2(k + 1) {
        return Err(NotApplicable("a carry pass does not bring the digits below 2p".into()));
    }
    let sizes = digit_sizes(&layout.weights, k);
    let c: Vec<Value> = digits_at(&c, &layout.weights).into_iter().map(|d| b.word_constant(d)).collect();
    let carries_are_flags =
        |b: &Builder| x.digits.iter().zip(&c).zip(&sizes).all(|((d, c), s)| b.max(*d) + b.max(*c) + 1 < pow2(s + 1));
    let digits = if x.bound < prime(m) * 2 && carries_are_flags(b) {
        x.digits
    } else {
        // Digits below their radix first: the bit at 2^k is folded, and there is none afterwards.
        let none = vec![b.word_constant(0); c.len()];
        let (low, high) = sum_below(b, &x.digits, &none, &sizes);
        let zero = none[0];
        let high = b.less(zero, high);
        let high = b.mask_to_word(high);
        let folded: Vec<Value> = c.iter().map(|c| if b.is_zero(*c) { *c } else { b.and(*c, high) }).collect();
        sum_below(b, &low, &folded, &sizes).0
    };
    // q = ⌊(a + c)/2^k⌋: 1 exactly where a ≥ p.
    let (_, q) = sum_below(b, &digits, &c, &sizes);
    // a + c·q = a − p·q + 2^k·q: its bits from 2^k on are q.
    let zero = b.word_constant(0);
    let q = b.less(zero, q);
    let q = b.mask_to_word(q);
    let added: Vec<Value> = c.iter().map(|c| if b.is_zero(*c) { *c } else { b.and(*c, q) }).collect();
    let (digits, _) = sum_below(b, &digits, &added, &sizes);
    Ok(Number { digits, weights: layout.weights.clone(), bound: prime(m) - 1 })
}

/// `x + y` in digits of the given sizes: the digits below their radix, and what is above the last one.
fn sum_below(b: &mut Builder, x: &[Value], y: &[Value], sizes: &[u32]) -> (Vec<Value>, Value) {
    let mut carry = b.word_constant(0);
    let mut digits = Vec::with_capacity(x.len());
    for ((x, y), size) in x.iter().zip(y).zip(sizes) {
        let s = b.add(*x, *y);
        let s = b.add(s, carry);
        digits.push(b.low_bits(s, *size));
        carry = b.shr(s, *size);
    }
    (digits, carry)
}
