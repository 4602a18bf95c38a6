//! Elements of WG's field in a kernel: coordinates in one-bit words, or all in one word.
//!
//! * **computes** sums, conjugates, traces of products; products and inverses by calls.
//! * **needs** words of one bit, or of 32 or more.
//! * **gives** elements.
//! * **cost** a conjugate is free in one-bit words, and four operations in others.
//! * **source** the basis is its own dual: the trace of `a·b` is the parity of their common coordinates.

use std::sync::Arc;

use evariste_ir::range::{Interval, pow2};
use evariste_ir::{Array, ArrayKind, Builder, Kernel, Operand, Value, View};
use num_bigint::BigInt;

use super::given::DEGREE;
use crate::layout::Layout;
use crate::prime::power::Callee;

/// An element's words.
pub(super) type Element = Vec<Value>;

/// The field in a kernel.
pub(super) struct Elements {
    product: Callee,
    inverse: Option<Callee>,
    places: [Array; 3],
}

fn ranges(layout: &Layout) -> Vec<Interval> {
    layout.resting.digit_max.iter().map(|max| Interval::up_to(max.clone())).collect()
}

/// A local array for so many elements.
pub(super) fn local(b: &mut Builder, layout: &Layout, name: &str, count: u32) -> Array {
    let ranges: Vec<Interval> = (0..count).flat_map(|_| ranges(layout)).collect();
    let ty = b.word_type();
    b.array(name, ty, ranges.len() as u32, ArrayKind::Local, ranges)
}

/// A parameter of so many elements, and their numbers.
pub(super) fn parameter(
    b: &mut Builder,
    layout: &Layout,
    name: &str,
    kind: ArrayKind,
    count: u32,
) -> (Array, Vec<Operand>) {
    let all: Vec<Interval> = (0..count).flat_map(|_| ranges(layout)).collect();
    let (ty, n) = (b.word_type(), layout.digits() as u32);
    let array = b.array(name, ty, count * n, kind, all);
    let one = |i: u32| {
        let name = if count == 1 { name.to_owned() } else { format!("{name}{}", i + 1) };
        let mut operand = Operand { name, digits: Vec::new(), bound: pow2(DEGREE) - 1, below: None };
        for (j, max) in (0..).zip(&layout.resting.digit_max) {
            operand = operand.with_digit(array, i * n + j, layout.weights[j as usize], max.clone());
        }
        operand
    };
    (array, (0..count).map(one).collect())
}

/// The element at this place.
pub(super) fn load(b: &mut Builder, layout: &Layout, array: Array, element: u32) -> Element {
    let n = layout.digits() as u32;
    (0..n).map(|i| b.load(array, element * n + i)).collect()
}

/// Stores an element there.
pub(super) fn store(b: &mut Builder, array: Array, element: u32, words: &[Value]) {
    let n = words.len() as u32;
    (0..).zip(words).for_each(|(i, word)| b.store(array, element * n + i, *word));
}

/// The sum.
pub(super) fn plus(b: &mut Builder, x: &[Value], y: &[Value]) -> Element {
    x.iter().zip(y).map(|(x, y)| b.xor(*x, *y)).collect()
}

/// `x + 1`: all coordinates are turned over.
pub(super) fn plus_one(b: &mut Builder, x: &[Value]) -> Element {
    let ones: BigInt = if x.len() == 1 { pow2(DEGREE) - 1 } else { 1.into() };
    let ones = b.word_constant(ones);
    x.iter().map(|x| b.xor(*x, ones)).collect()
}

/// `x^(2^k)`: every coordinate goes k further.
pub(super) fn conjugate(b: &mut Builder, x: &[Value], k: u32) -> Element {
    match x {
        [x] => {
            let low = b.low_bits(*x, DEGREE - k);
            let (up, down) = (b.shl(low, k), b.shr(*x, DEGREE - k));
            vec![b.or(up, down)]
        }
        _ => (0..x.len()).map(|i| x[(i + x.len() - k as usize) % x.len()]).collect(),
    }
}

/// The sum of all coordinates.
pub(super) fn trace(b: &mut Builder, x: &[Value]) -> Value {
    match x {
        [x] => {
            let mut folded = *x;
            for k in [16u32, 8, 4, 2, 1] {
                let upper = b.shr(folded, k);
                folded = b.xor(folded, upper);
            }
            b.low_bits(folded, 1)
        }
        _ => {
            let mut level = x.to_vec();
            while level.len() > 1 {
                level = level.chunks(2).map(|two| if let [x, y] = two { b.xor(*x, *y) } else { two[0] }).collect();
            }
            level[0]
        }
    }
}

/// Common coordinates: their sum is the trace of the product.
pub(super) fn common(b: &mut Builder, x: &[Value], y: &[Value]) -> Element {
    x.iter().zip(y).map(|(x, y)| b.and(*x, *y)).collect()
}

impl Elements {
    /// Of these kernels, a product and an inverse.
    pub(super) fn new(b: &mut Builder, layout: &Layout, parts: &[Arc<Kernel>]) -> Option<Elements> {
        let [product, rest @ ..] = parts else { return None };
        Some(Elements {
            product: Callee::new(b, product.clone(), "product"),
            inverse: rest.first().map(|inverse| Callee::new(b, inverse.clone(), "inverse")),
            places: ["left", "right", "result"].map(|name| local(b, layout, name, 1)),
        })
    }

    /// `x·y`.
    pub(super) fn product(&self, b: &mut Builder, x: &[Value], y: &[Value]) -> Element {
        let [left, right, result] = self.places;
        b.store_all(left, x);
        b.store_all(right, y);
        self.product.call_views(b, View::whole(result), &[View::whole(left), View::whole(right)]);
        b.load_all(result)
    }

    /// `1/x`, 0 for 0.
    pub(super) fn inverse(&self, b: &mut Builder, x: &[Value]) -> Element {
        let [left, _, result] = self.places;
        b.store_all(left, x);
        if let Some(inverse) = &self.inverse {
            inverse.call_views(b, View::whole(result), &[View::whole(left)]);
        }
        b.load_all(result)
    }
}
