//! Inverses of elements that are not canonical at rest in the digits that inverses compute with: made so, inverted, and
//! cut into digits again.
//!
//! * **computes** as [`inverse`](super::inverse), between a canonical form and a conversion of digits.
//! * **needs** a resting operand.
//! * **gives** a canonical element in the layout's digits.
//! * **cost** that of `canonical`, and a cut and a shift for each digit on the way in and out.
//! * **source** as `safegcd`; see `repack`.

use std::sync::Arc;

use evariste_descriptions::Modulus;
use evariste_ir::range::Interval;
use evariste_ir::{Array, ArrayKind, Builder, Claim, Contract, Kernel, Multiplication, Number, Polynomial};

use super::{Size, columns};
use crate::lanes::forms;
use crate::layout::Layout;
use crate::prime::canonical::canonical;
use crate::prime::power::Callee;
use crate::prime::repack::repack;
use crate::prime::representation::{canonical_layout, prime};
use crate::signature::{NotApplicable, ValueClaim, input, output, store_result};

/// The digits that an inverse of a layout's elements computes with: whole words or those for columns. Elements are canonical
/// at rest, in the form of the layout.
pub fn digits(m: &Modulus, layout: &Layout) -> Layout {
    if layout.radix.is_some() {
        return columns::digits(m, layout);
    }
    let count = m.bits.div_ceil(layout.word) as usize;
    let count = if layout.saturated() { layout.digits() } else { count };
    Layout::saturated_with("words", layout.word, count, prime(m) - 1, layout.montgomery)
}

/// The kernel of an inverse of that size.
///
/// # Errors
/// Where an operation that it is made of has no kernel.
pub fn inverse(name: &str, m: &Modulus, layout: &Layout, size: Size) -> Result<Kernel, NotApplicable> {
    let (inner, at_rest) = (digits(m, layout), canonical_layout(m, layout));
    let same = inner.weights == layout.weights;
    // Unmasked digits are other digits than these, though they are made of them.
    let (ends, rests) = (same && layout.resting.low.is_none(), layout.resting.low.map_or(&at_rest, |_| layout));
    let mut b = Builder::new(name, layout.word);
    let (out, operand) = output(&mut b, "out", &layout.weights, &layout.resting);
    let a = input(&mut b, "a", &layout.weights, &layout.resting);
    let call = |b: &mut Builder, name: &str, kernel: Kernel, to: Option<&Layout>, from: Array| {
        let to = to.map_or(out, |layout| room(b, &format!("{name}_result"), layout));
        Callee::new(b, Arc::new(kernel), name).call(b, to, &[from]);
        to
    };
    let mut x = a.array;
    if layout.radix.is_some() {
        if layout.resting != at_rest.resting {
            let kernel = forms::canonical_of(m, layout, &layout.resting, "canonical")?;
            x = call(&mut b, "canonical", kernel, Some(&at_rest), x);
        }
        if !same {
            x = call(&mut b, "to_digits", converted("to_digits", m, &at_rest, &inner)?, Some(&inner), x);
        }
    } else {
        x = call(&mut b, "to_words", converted("to_words", m, layout, &inner)?, Some(&inner), x);
    }
    let inverse = super::inverse("inverse_of_digits", m, &inner, size)?;
    x = call(&mut b, "inverse_of_digits", inverse, (!ends).then_some(&inner), x);
    if !ends {
        call(&mut b, "from_digits", converted("from_digits", m, &inner, rests)?, None, x);
    }
    let product = Multiplication::Modular { factor: layout.factor(), modulus: prime(m) };
    let claim = Claim::Power { output: operand, base: 0, exponent: &m.value - 2u32, product };
    Ok(b.finish(Contract { facts: Vec::new(), inputs: vec![a.operand], claims: vec![claim] }))
}

/// Room for a resting element.
fn room(b: &mut Builder, name: &str, layout: &Layout) -> Array {
    let ranges: Vec<Interval> = layout.resting.digit_max.iter().map(|d| Interval::up_to(d.clone())).collect();
    b.array(name, b.word_type(), layout.digits() as u32, ArrayKind::Local, ranges)
}

/// The canonical value of a resting element of one layout, in the digits of another; in lanes of a canonical element.
fn converted(name: &str, m: &Modulus, from: &Layout, to: &Layout) -> Result<Kernel, NotApplicable> {
    let mut b = Builder::new(name, from.word);
    let (out, operand) = output(&mut b, "out", &to.weights, &to.resting);
    let a = input(&mut b, "a", &from.weights, &from.resting);
    let loaded = a.load(&mut b);
    let value = if from.radix.is_some() { loaded } else { canonical(&mut b, m, from, loaded)? };
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
