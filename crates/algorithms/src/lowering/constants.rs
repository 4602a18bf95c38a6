//! Constants of formulas, as elements.

use evariste_ir::range::{Interval, pow2};
use evariste_ir::{ArrayKind, Builder, View};
use num_bigint::{BigInt, BigUint};

use crate::layout::Layout;

/// The digits of an element modulo p as a layout holds it.
pub(crate) fn digits_of(number: &BigUint, p: &BigUint, layout: &Layout) -> Vec<BigInt> {
    let mut rest = BigInt::from(number * layout.factor().magnitude() % p);
    let ends = layout.weights.iter().skip(1).map(Some).chain([None]);
    let digit = |(start, end): (&u32, Option<&u32>)| {
        let digit = end.map_or_else(|| rest.clone(), |end| &rest & (pow2(end - start) - 1u32));
        rest = (&rest - &digit) >> end.map_or(0, |end| end - start);
        digit
    };
    layout.weights.iter().zip(ends).map(digit).collect()
}

/// A new array of a constant modulo p, in the form of the layout's elements.
pub(super) fn constant_array(b: &mut Builder, p: &BigUint, layout: &Layout, number: &BigUint) -> View {
    let digits = digits_of(number, p, layout);
    let ranges = layout.resting.digit_max.iter().map(|d| Interval::up_to(d.clone())).collect();
    let ty = b.word_type();
    let name = format!("c{}", b.kernel().arrays.len());
    let array = b.array(name, ty, layout.digits() as u32, ArrayKind::Local, ranges);
    let words: Vec<_> = digits.into_iter().map(|d| b.word_constant(d)).collect();
    b.store_all(array, &words);
    View::whole(array)
}
