//! Sums, differences and negatives by a modulus supplied at run time.
//!
//! * **computes** `a + b`, `a − b`, `−a` modulo p, as for a modulus that is known: a conditional subtraction of p (2p),
//!   or its addition where the difference borrowed; in lanes one conditional subtraction in columns (`lanes::normalise`).
//! * **needs** resting operands and the modulus; of it not even that it is odd. The output may be an operand.
//! * **gives** a resting element.
//! * **cost** 2n additions and n selects, n more additions for 2p; in lanes about 8n.
//! * **source** Menezes, van Oorschot, Vanstone, Handbook of Applied Cryptography, algorithms 14.7 and 14.9; Walter
//!   (1999) for sums below 2p.

use evariste_ir::{Builder, Kernel, Number, Value};
use num_bigint::BigInt;

use super::statement::{Size, Statement, resting_multiple};
use crate::lanes::normalise::{capacity, cleaned, normalise_by};
use crate::layout::Layout;
use crate::operation::Operation;
use crate::prime::representation::{difference, masked, sum};
use crate::prime::sub::sum_without_carry;
use crate::reduction::carry_pass::covering_multiple;
use crate::reduction::conditional_subtraction::subtract_if_not_below;
use crate::reduction::montgomery::RunTimeModulus;
use crate::signature::{NotApplicable, sum_polynomial};

/// The algorithm's name.
pub fn name(layout: &Layout, operation: &Operation) -> &'static str {
    if layout.radix.is_some() {
        "conditional-subtraction-lanes"
    } else if *operation == Operation::ADD {
        "conditional-subtraction"
    } else if *operation == Operation::SUB {
        "masked-addition"
    } else {
        "from-zero"
    }
}

/// `2^K` in digits that are as large as those columns can be.
pub(super) fn cover(b: &Builder, layout: &Layout, columns: &[Value]) -> Vec<BigInt> {
    let most: Vec<BigInt> = columns.iter().map(|c| b.max(*c).clone()).collect();
    covering_multiple(&capacity(layout), &layout.weights, &most)
}

/// The kernel of a sum, difference or negative.
pub fn write(layout: &Layout, operation: &Operation) -> Result<Kernel, NotApplicable> {
    let polynomial = sum_polynomial(operation);
    let inputs = [("a", Size::Resting), ("b", Size::Resting)];
    let inputs = if *operation == Operation::OPP { &inputs[..1] } else { &inputs[..] };
    Statement::new(operation, name(layout, operation), inputs, polynomial).kernel(layout, false, |b, modulus, x| {
        let zero =
            Number::new(vec![b.word_constant(0); layout.digits()], layout.radix.unwrap_or(layout.word), BigInt::ZERO);
        let (first, second) = (if x.len() == 2 { &x[0].1 } else { &zero }, &x[x.len() - 1].1);
        Ok(match (layout.radix.is_some(), *operation == Operation::ADD) {
            (false, true) => add(b, modulus, layout, first, second),
            (false, false) => subtract(b, modulus, layout, first, second),
            (true, add) => in_lanes(b, modulus, layout, first, second, add),
        })
    })
}

fn add(b: &mut Builder, modulus: &RunTimeModulus, layout: &Layout, x: &Number, y: &Number) -> Number {
    let multiple = resting_multiple(b, modulus, layout);
    let t = sum(b, layout.word, x, y);
    subtract_if_not_below(b, t, &multiple, layout.resting.bound.clone())
}

fn subtract(b: &mut Builder, modulus: &RunTimeModulus, layout: &Layout, x: &Number, y: &Number) -> Number {
    // Where a − b borrowed it is a − b + 2^(wn), and adding the multiple of p carries exactly once.
    let multiple = resting_multiple(b, modulus, layout);
    let (d, borrow) = difference(b, &x.digits, &y.digits);
    let added = masked(b, borrow, &multiple.digits);
    Number::new(sum_without_carry(b, &d, &added), layout.word, layout.resting.bound.clone())
}

fn in_lanes(b: &mut Builder, modulus: &RunTimeModulus, layout: &Layout, x: &Number, y: &Number, add: bool) -> Number {
    let multiple = resting_multiple(b, modulus, layout).digits;
    let (first, second) = (cleaned(b, layout, x), cleaned(b, layout, y));
    // a + b + 2^K − 2p, or a − b + 2^K.
    let u = if add {
        let t = first.iter().zip(&second).map(|(x, y)| b.add(*x, *y)).collect();
        less_in_columns(b, layout, t, &multiple)
    } else {
        less_in_columns(b, layout, first, &second)
    };
    normalise_by(b, layout, u, &multiple, layout.resting.bound.clone(), layout.resting.low.is_some())
}

/// Columns of `x + 2^K − m`, m in columns: what a conditional subtraction in lanes starts from.
pub(super) fn less_in_columns(b: &mut Builder, layout: &Layout, x: Vec<Value>, m: &[Value]) -> Vec<Value> {
    let cover = cover(b, layout, m);
    let lifted = |b: &mut Builder, (x, (c, m)): (Value, (BigInt, &Value))| {
        let c = b.word_constant(c);
        let left = b.sub(c, *m);
        b.add(x, left)
    };
    x.into_iter().zip(cover.into_iter().zip(m)).map(|y| lifted(b, y)).collect()
}
