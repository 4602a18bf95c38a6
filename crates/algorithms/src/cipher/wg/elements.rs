//! Elements of WG's field in a kernel: coordinates in one-bit words, or all in one word.
//!
//! * **computes** sums, conjugates, traces of products; products by calls.
//! * **needs** words of one bit, or of 32 or more.
//! * **gives** elements.
//! * **cost** a conjugate is free in one-bit words, four operations in others, and k squares of polynomials.
//! * **source** the basis is its own dual: the trace of `a·b` is the parity of their common coordinates.

use std::sync::Arc;

use evariste_descriptions::wg;
use evariste_ir::range::{Interval, pow2};
use evariste_ir::{Array, ArrayKind, Builder, Kernel, Operand, Value, View};
use num_bigint::BigInt;

use super::given::DEGREE;
use super::polynomial::{Polynomials, entered, linear, traces};
use crate::layout::Layout;
use crate::prime::power::Callee;
use crate::signature::NotApplicable;

/// An element's words.
pub(super) type Element = Vec<Value>;

/// Kernels that elements are computed with.
#[derive(Clone, Copy)]
pub(super) enum Basis<'a> {
    /// Of the normal basis: a product.
    Normal(&'a [Arc<Kernel>]),
    /// Of polynomials.
    Polynomial(&'a Polynomials),
}

/// The field in a kernel.
pub(super) struct Elements {
    word: u32,
    product: Callee,
    /// Of polynomials, where conjugates are squares.
    square: Option<Callee>,
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

/// Coordinates that go k further, round and round.
fn rotated(b: &mut Builder, x: &[Value], k: u32) -> Element {
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
fn parity(b: &mut Builder, x: &[Value]) -> Value {
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

impl Elements {
    /// By these kernels.
    pub(super) fn new(b: &mut Builder, layout: &Layout, basis: Basis) -> Result<Elements, NotApplicable> {
        let (product, square) = match basis {
            Basis::Normal([product, ..]) => (product, None),
            Basis::Normal([]) => return Err(NotApplicable("a part is missing".into())),
            Basis::Polynomial(all) => (&all.product, Some(&all.square)),
        };
        Ok(Elements {
            word: layout.word,
            product: Callee::new(b, product.clone(), "product"),
            square: square.map(|square| Callee::new(b, square.clone(), "square")),
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

    /// `x·y` of elements in arrays.
    pub(super) fn product_of(&self, b: &mut Builder, x: View, y: View) -> Element {
        let [_, _, result] = self.places;
        self.product.call_views(b, View::whole(result), &[x, y]);
        b.load_all(result)
    }

    /// `x^(2^k)`: every coordinate goes k further.
    pub(super) fn conjugate(&self, b: &mut Builder, x: &[Value], k: u32) -> Element {
        let Some(square) = &self.square else { return rotated(b, x, k) };
        let [left, _, result] = self.places;
        (0..k).fold(x.to_vec(), |x, _| {
            b.store_all(left, &x);
            square.call_views(b, View::whole(result), &[View::whole(left)]);
            b.load_all(result)
        })
    }

    /// `x + 1`: all coordinates are turned over.
    pub(super) fn plus_one(&self, b: &mut Builder, x: &[Value]) -> Element {
        let ones: BigInt = if x.len() == 1 && self.square.is_none() { pow2(DEGREE) - 1 } else { 1.into() };
        let ones = b.word_constant(ones);
        x.iter().map(|x| b.xor(*x, ones)).collect()
    }

    /// The trace of `x` and of products. In the normal basis that of a product is the parity of common coordinates.
    pub(super) fn trace(&self, b: &mut Builder, x: &[Value], products: &[[&Element; 2]]) -> Value {
        let mut sum = x.to_vec();
        for [x, y] in products {
            let term = match self.square {
                Some(_) => self.product(b, x, y),
                None => x.iter().zip(*y).map(|(x, y)| b.and(*x, *y)).collect(),
            };
            sum = plus(b, &sum, &term);
        }
        if self.square.is_some() {
            let odd = b.word_constant(traces());
            sum = sum.iter().map(|x| b.and(*x, odd)).collect();
        }
        parity(b, &sum)
    }

    /// The product by the constant of the feedback, in words.
    pub(super) fn times_gamma(&self, b: &mut Builder, gamma: &[Vec<u32>], x: &[Value]) -> Element {
        if self.square.is_none() {
            return vec![linear(b, self.word, x[0], gamma)];
        }
        let constant = entered(u64::from((wg::GAMMA >> 3).reverse_bits() >> 3));
        let constant = b.word_constant(constant);
        self.product(b, &[constant], x)
    }
}
