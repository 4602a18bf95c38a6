//! Inverses of elements that are not canonical in whole words at rest: made so, inverted, and cut into digits again.
//!
//! * **computes** as [`inverse`](super::inverse), between a canonical form and a conversion of digits.
//! * **needs** a resting operand of a layout for one element.
//! * **gives** a canonical element in the layout's digits.
//! * **cost** that of `canonical`, and a cut and a shift for each digit on the way in and out.
//! * **source** as `safegcd`; see `repack`.

use std::sync::Arc;

use evariste_descriptions::Modulus;
use evariste_ir::range::Interval;
use evariste_ir::{ArrayKind, Builder, Claim, Contract, Kernel, Multiplication, Number, Polynomial};

use super::Size;
use crate::layout::Layout;
use crate::prime::canonical::canonical;
use crate::prime::power::Callee;
use crate::prime::repack::repack;
use crate::prime::representation::{canonical_layout, prime};
use crate::signature::{NotApplicable, ValueClaim, input, output, store_result};

/// The kernel of an inverse of that size.
///
/// # Errors
/// Where an operation that it is made of has no kernel.
pub fn inverse(name: &str, m: &Modulus, layout: &Layout, size: Size) -> Result<Kernel, NotApplicable> {
    let whole = whole_words(m, layout);
    let at_rest = canonical_layout(m, layout);
    let into = converted("to_words", m, layout, &whole)?;
    let inner = super::inverse("inverse_of_words", m, &whole, size)?;
    let mut b = Builder::new(name, layout.word);
    let (out, operand) = output(&mut b, "out", &layout.weights, &layout.resting);
    let a = input(&mut b, "a", &layout.weights, &layout.resting);
    let words = |b: &mut Builder, name: &str| {
        let ranges: Vec<Interval> = whole.resting.digit_max.iter().map(|d| Interval::up_to(d.clone())).collect();
        b.array(name, b.word_type(), whole.digits() as u32, ArrayKind::Local, ranges)
    };
    let canonical = words(&mut b, "canonical");
    Callee::new(&mut b, Arc::new(into), "to_words").call(&mut b, canonical, &[a.array]);
    let inner = Callee::new(&mut b, Arc::new(inner), "inverse_of_words");
    if layout.saturated() {
        inner.call(&mut b, out, &[canonical]);
    } else {
        let inverse = words(&mut b, "inverse");
        inner.call(&mut b, inverse, &[canonical]);
        let back = converted("from_words", m, &whole, &at_rest)?;
        Callee::new(&mut b, Arc::new(back), "from_words").call(&mut b, out, &[inverse]);
    }
    let product = Multiplication::Modular { factor: layout.factor(), modulus: prime(m) };
    let claim = Claim::Power { output: operand, base: 0, exponent: &m.value - 2u32, product };
    Ok(b.finish(Contract { facts: Vec::new(), inputs: vec![a.operand], claims: vec![claim] }))
}

/// Canonical elements in whole words, in the form of the layout.
fn whole_words(m: &Modulus, layout: &Layout) -> Layout {
    let count = m.bits.div_ceil(layout.word) as usize;
    let count = if layout.saturated() { layout.digits() } else { count };
    Layout::saturated_with("words", layout.word, count, prime(m) - 1, layout.montgomery)
}

/// The canonical value of a resting element of one layout, in the digits of another.
fn converted(name: &str, m: &Modulus, from: &Layout, to: &Layout) -> Result<Kernel, NotApplicable> {
    let mut b = Builder::new(name, from.word);
    let (out, operand) = output(&mut b, "out", &to.weights, &to.resting);
    let a = input(&mut b, "a", &from.weights, &from.resting);
    let loaded = a.load(&mut b);
    let value = canonical(&mut b, m, from, loaded)?;
    let digits = if value.weights == to.weights {
        value.digits
    } else {
        repack(&mut b, &value.digits, &value.weights, &to.weights)
    };
    let number = Number { digits, weights: to.weights.clone(), bound: prime(m) - 1 };
    let operand = store_result(&mut b, out, operand, &number)?;
    let claim = ValueClaim::plain(Polynomial::input(0), Some(prime(m))).on(operand);
    Ok(b.finish(Contract { facts: Vec::new(), inputs: vec![a.operand], claims: vec![claim] }))
}
