//! Sums, differences and negatives in lanes.
//!
//! * **computes** `a + b`, `a − b`, `−a` modulo p. Montgomery layouts at rest below 2p, and canonical numbers: one conditional subtraction
//!   ([`super::normalise`]; with more room: [`super::fold_top`]). `2^B − c`: digit by digit (a multiple of p added before
//!   a subtraction), then what is above `2^B` comes back as c times itself, and one chain of carries.
//! * **needs** resting operands. The output may be an operand.
//! * **gives** a resting element.
//! * **cost** Montgomery: about 7n; `2^B − c`: n additions, three for the fold, 2(n − 1) for carries. Unmasked operands n
//!   − 1 cuts each.
//! * **source** Walter (1999) for sums below 2p; Bernstein, "Curve25519" (2006), for digitwise sums.

use evariste_descriptions::{Field, Modulus};
use evariste_ir::{Builder, Kernel, Number, Value};

use super::normalise::{add_constant, capacity, cleaned, normalise};
use super::{barrett, fold, montgomery};
use crate::layout::Layout;
use crate::operation::Operation;
use crate::prime::representation::{kernel_name, modulus, prime};
use crate::recipe::Whole;
use crate::reduction::carry_pass::covering_multiple;
use crate::signature::{self, NotApplicable, ValueClaim};

/// Registry line.
pub const CONDITIONAL_SUBTRACTION: Whole = Whole {
    name: "conditional-subtraction-lanes",
    applies: |f, l, op| sums(op) && (of(f, l, below_twice) || of(f, l, barrett::is_plain)),
    write: |f, l, op| normalised(f, l, op, "conditional-subtraction-lanes"),
};

/// Registry line.
pub const FOLD: Whole = Whole {
    name: "fold-lanes",
    applies: |f, l, op| sums(op) && of(f, l, fold::applies),
    write: |f, l, op| normalised(f, l, op, "fold-lanes"),
};

pub(super) fn sums(op: &Operation) -> bool {
    op.is_any(&[Operation::ADD, Operation::SUB, Operation::OPP])
}

/// Is the layout one of those of the modulus?
pub(super) fn of(field: &Field, layout: &Layout, applies: fn(&Modulus, &Layout) -> bool) -> bool {
    modulus(field).is_ok_and(|m| applies(m, layout))
}

/// Montgomery layouts at rest below 2p.
fn below_twice(m: &Modulus, layout: &Layout) -> bool {
    montgomery::applies(m, layout) && layout.resting.bound == prime(m) * 2u32 - 1u32
}

/// The kernel of a sum, difference or negative: `body` gets the first operand, where there are two, and the last.
pub(super) fn write(
    field: &Field,
    layout: &Layout,
    op: &Operation,
    name: &str,
    body: impl FnOnce(&mut Builder, &Field, Option<&Number>, &Number) -> Result<Number, NotApplicable>,
) -> Result<Kernel, NotApplicable> {
    let polynomial = signature::sum_polynomial(op);
    let inputs = [("a", &layout.resting), ("b", &layout.resting)];
    let inputs = if *op == Operation::OPP { &inputs[..1] } else { &inputs[..] };
    let claim = ValueClaim::plain(polynomial, Some(prime(modulus(field)?)));
    signature::kernel(&kernel_name(op, name), layout, inputs, claim, |b, x| match x {
        [x, y] => body(b, field, Some(x), y),
        x => body(b, field, None, &x[0]),
    })
}

fn normalised(field: &Field, layout: &Layout, op: &Operation, name: &str) -> Result<Kernel, NotApplicable> {
    let m = modulus(field)?;
    write(field, layout, op, name, |b, _, x, y| {
        let zero = b.word_constant(0);
        let first = x.map_or_else(|| vec![zero; layout.digits()], |x| cleaned(b, layout, x));
        let second = cleaned(b, layout, y);
        let sum = *op == Operation::ADD;
        Ok(if sum { add(b, m, layout, &first, &second) } else { subtract(b, m, layout, &first, &second) })
    })
}

/// `a + b` of clean digits.
fn add(b: &mut Builder, m: &Modulus, layout: &Layout, x: &[Value], y: &[Value]) -> Number {
    let mut t: Vec<Value> = x.iter().zip(y).map(|(x, y)| b.add(*x, *y)).collect();
    if fold::applies(m, layout) {
        return fold::carried(b, m, layout, t);
    }
    let limit = &layout.resting.bound + 1u32;
    add_constant(b, layout, &mut t, &(capacity(layout) - &limit));
    normalise(b, layout, t, &limit, layout.resting.low.is_some())
}

/// `a − b` of clean digits.
fn subtract(b: &mut Builder, m: &Modulus, layout: &Layout, x: &[Value], y: &[Value]) -> Number {
    // A multiple of p, or 2^K, in digits that are as large as those of b can be.
    let most: Vec<_> = y.iter().map(|y| b.max(*y).clone()).collect();
    let covered = if fold::applies(m, layout) { prime(m) } else { capacity(layout) };
    let cover = covering_multiple(&covered, &layout.weights, &most);
    let mut t = Vec::with_capacity(x.len());
    for ((x, y), cover) in x.iter().zip(y).zip(cover) {
        let cover = b.word_constant(cover);
        let opposite = b.sub(cover, *y);
        t.push(b.add(*x, opposite));
    }
    if fold::applies(m, layout) {
        return fold::carried(b, m, layout, t);
    }
    normalise(b, layout, t, &(&layout.resting.bound + 1u32), layout.resting.low.is_some())
}
