//! Choice of a point by a flag, and the exchange of two.
//!
//! * **computes** `a` where the flag `cond` is 0, `b` where it is 1, coordinate by coordinate, without a branch; for an
//!   exchange also `b` where it is 0 and `a` where it is 1.
//! * **needs** resting coordinates and a flag word of 0 or 1. The output may be an operand.
//! * **gives** the chosen point, digit for digit.
//! * **cost** one choice for each digit.
//! * **source** the function `selectznz` of fiat-crypto (Erbsen, Philipoom, Gross, Sloan, Chlipala, 2019).

use evariste_ir::{Builder, Contract, Kernel, Polynomial};

use super::coordinates::{count, have_sums};
use super::setting::curve_of;
use crate::layout::Layout;
use crate::lowering::Element;
use crate::operation::Operation;
use crate::prime::representation::kernel_name;
use crate::recipe::Whole;
use crate::signature::{ValueClaim, input_flag};

/// Every curve whose points have coordinates.
pub const SELECT: Whole = Whole {
    name: "select-point",
    applies: |f, l, op| {
        *op == Operation::SELECTZNZ && l.word > 1 && curve_of(f).is_ok_and(|(curve, _)| have_sums(curve))
    },
    write: |f, l, op| Ok(choice(kernel_name(op, "select-point"), l, count(curve_of(f)?.0))),
};

/// The choice between two elements of so many coordinates.
pub(super) fn choice(name: impl Into<String>, l: &Layout, coordinates: usize) -> Kernel {
    let mut b = Builder::new(name, l.word);
    let out = Element::output(&mut b, l, "out", coordinates);
    let cond = input_flag(&mut b, "cond");
    let [x, y] = ["a", "b"].map(|name| Element::input(&mut b, l, name, coordinates));
    let flag = b.load(cond.array, 0u32);
    let zero = b.word_constant(0);
    let mask = b.less(zero, flag);
    for i in 0..(coordinates * l.digits()) as u32 {
        let [a, c] = [x.array, y.array].map(|array| b.load(array, i));
        let chosen = b.select(mask, c, a);
        b.store(out.array, i, chosen);
    }
    let operands = |element: &Element| element.numbered(l);
    let (a, c) = (operands(&x), operands(&y));
    let count = coordinates as u32;
    // a + cond·(b − a), an equality of integers.
    let claim = |i: u32| {
        let (a, c) = (1 + i, 1 + count + i);
        ValueClaim::plain(Polynomial::input(a).plus(1, &[0, c]).plus(-1, &[0, a]), None)
    };
    let claims = operands(&out).into_iter().zip(0..).map(|(operand, i)| claim(i).on(operand)).collect();
    let inputs = std::iter::once(cond.operand).chain(a).chain(c).collect();
    b.finish(Contract { facts: Vec::new(), inputs, claims })
}

/// The exchange of two points of so many coordinates: outputs `first` and `second` of `cond`, `a` and `b`.
pub(super) fn exchange(layout: &Layout, coordinates: usize) -> Kernel {
    let mut b = Builder::new("exchange", layout.word);
    let [first, second] = ["first", "second"].map(|name| Element::output(&mut b, layout, name, coordinates));
    let cond = input_flag(&mut b, "cond");
    let [x, y] = ["a", "b"].map(|name| Element::input(&mut b, layout, name, coordinates));
    let flag = b.load(cond.array, 0u32);
    let zero = b.word_constant(0);
    let mask = b.less(zero, flag);
    for i in 0..(coordinates * layout.digits()) as u32 {
        let [a, c] = [x.array, y.array].map(|array| b.load(array, i));
        let (kept, other) = (b.select(mask, c, a), b.select(mask, a, c));
        b.store(first.array, i, kept);
        b.store(second.array, i, other);
    }
    let operands = |element: &Element| element.numbered(layout);
    // a + cond·(b − a), an equality of integers.
    let claim = |a: u32, c: u32| ValueClaim::plain(Polynomial::input(a).plus(1, &[0, c]).plus(-1, &[0, a]), None);
    let count = coordinates as u32;
    let (firsts, seconds) = (1..=count, count + 1..=2 * count);
    let pairs = firsts.clone().zip(seconds.clone()).chain(seconds.zip(firsts));
    let claims = operands(&first).into_iter().chain(operands(&second)).zip(pairs);
    let claims = claims.map(|(operand, (a, c))| claim(a, c).on(operand)).collect();
    let inputs = std::iter::once(cond.operand).chain(operands(&x)).chain(operands(&y)).collect();
    b.finish(Contract { facts: Vec::new(), inputs, claims })
}
