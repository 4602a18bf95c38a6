//! Operand scanning in loops: for numbers that are too long for straight-line code.
//!
//! * **computes** `a·b`; row i is one call of a row kernel, `t[i..i+n] + a·b[i]`.
//! * **needs** saturated words; the result apart from the operands.
//! * **gives** all 2n words.
//! * **cost** n² multiplications, 2n² additions; squares are products. Code of constant size.
//! * **source** Knuth, The Art of Computer Programming 2, algorithm 4.3.1 M.

use evariste_descriptions::{Field, Integers};
use evariste_ir::range::pow2;
use evariste_ir::{Builder, Contract, Kernel, Polynomial, View};

use super::rows;
use crate::layout::{Bounds, Layout};
use crate::operation::Operation;
use crate::recipe::Whole;
use crate::signature::{NotApplicable, ValueClaim, input, output};

/// Registry line.
pub const ROLLED: Whole = Whole { name: "operand-scanning-rolled", applies, write };

/// Plain integers of eight words or more.
fn applies(field: &Field, layout: &Layout, operation: &Operation) -> bool {
    field.get::<Integers>().is_some()
        && operation.is_any(&[Operation::MUL, Operation::SQUARE])
        && layout.saturated()
        && rows::worth_rolling(layout.word, layout.digits())
}

/// The kernel.
pub fn write(_: &Field, layout: &Layout, operation: &Operation) -> Result<Kernel, NotApplicable> {
    let square = *operation == Operation::SQUARE;
    let (n, word) = (layout.digits() as u32, layout.word);
    let mut b = Builder::new(format!("{}_operand_scanning_rolled", operation.name()), word);
    let weights: Vec<u32> = (0..2 * n).map(|i| i * word).collect();
    let bound = &layout.loose.bound * &layout.loose.bound;
    let digit_max = weights.iter().map(|w| std::cmp::min(pow2(word) - 1, &bound >> *w)).collect();
    let (out, operand) = output(&mut b, "out", &weights, &Bounds { digit_max, bound, low: None });
    let x = input(&mut b, "a", &layout.weights, &layout.loose);
    let y = if square { None } else { Some(input(&mut b, "b", &layout.weights, &layout.loose)) };
    let t = rows::scratch(&mut b, "t", 2 * n);
    let c = rows::scratch(&mut b, "c", 1);
    let row = b.callee(rows::multiply_add_row(word, n));
    let scanned = y.as_ref().map_or(x.array, |y| y.array);
    rows::clear(&mut b, t, n);
    let zero = b.word_constant(0);
    b.repeat(n, &[], |b, i, _| {
        b.store(c, 0u32, zero);
        rows::call_row(b, row, View::from(t, i), c, View::whole(x.array), View::from(scanned, i));
        let carry = b.load(c, 0u32);
        b.store(t, evariste_ir::Index::at(n as i64).plus(i, 1), carry);
        vec![]
    });
    rows::copy(&mut b, out, t, 0, 2 * n);
    let polynomial = Polynomial::default().plus(1, if square { &[0, 0] } else { &[0, 1] });
    let inputs = std::iter::once(x).chain(y).map(|i| i.operand).collect();
    Ok(b.finish(Contract { facts: Vec::new(), inputs, claims: vec![ValueClaim::plain(polynomial, None).on(operand)] }))
}
