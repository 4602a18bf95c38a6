//! Montgomery multiplication (CIOS) in loops: for moduli that are too long for straight-line code.
//!
//! * **computes** `a·b/R mod p`; each digit of b takes two calls of a row kernel, `+ a·b[i]` and `+ q·p`, over a window
//!   that moves up by a word.
//! * **needs** p odd, saturated words, operands within the layout's bounds.
//! * **gives** a number within the layout's resting bound: one conditional subtraction where the range asks for it.
//! * **cost** 2n² + n multiplications, 4n² + 6n additions, 2n + 1 words of scratch. Code of constant size.
//! * **source** Koç, Acar, Kaliski, "Analyzing and comparing Montgomery multiplication algorithms" (1996). The lowest
//!   words of both rows are outside the calls: the cleared digit is then a plain sum.

use evariste_descriptions::{Field, Modulus};
use evariste_ir::{Array, Builder, Contract, Index, Kernel, Polynomial, View};
use num_bigint::BigInt;

use super::montgomery::{Clearing, add_words, bound};
use crate::integer::rows;
use crate::layout::Layout;
use crate::operation::Operation;
use crate::recipe::Whole;
use crate::signature::{NotApplicable, ValueClaim, input, output};

/// Registry line.
pub const ROLLED: Whole = Whole { name: "montgomery-cios-rolled", applies, write };

/// Montgomery layouts of eight words or more.
fn applies(field: &Field, layout: &Layout, operation: &Operation) -> bool {
    field.get::<Modulus>().is_some() && operation.is_any(&[Operation::MUL, Operation::SQUARE]) && fits(layout)
}

/// Montgomery layouts of saturated words, long enough for loops.
pub fn fits(layout: &Layout) -> bool {
    layout.montgomery == Some(layout.word * layout.digits() as u32)
        && layout.saturated()
        && rows::worth_rolling(layout.word, layout.digits())
}

/// The kernel.
pub fn write(field: &Field, layout: &Layout, operation: &Operation) -> Result<Kernel, NotApplicable> {
    let Some(m) = field.get::<Modulus>() else { return Err(NotApplicable("this needs a modulus".into())) };
    let square = *operation == Operation::SQUARE;
    let name = format!("{}_montgomery_cios_rolled", operation.name());
    let polynomial = Polynomial::default().plus(1, if square { &[0, 0] } else { &[0, 1] });
    let mut b = Builder::new(name, layout.word);
    let (out, operand) = output(&mut b, "out", &layout.weights, &layout.resting);
    let x = input(&mut b, "a", &layout.weights, &layout.loose);
    let y = if square { None } else { Some(input(&mut b, "b", &layout.weights, &layout.loose)) };
    let scanned = y.as_ref().map_or(x.array, |y| y.array);
    let product = &layout.loose.bound * &layout.loose.bound;
    let operand = multiply(&mut b, m, layout, (out, operand), x.array, scanned, &product)?;
    let claim = ValueClaim { factor: layout.factor(), polynomial, modulus: Some(BigInt::from(m.value.clone())) };
    let inputs = std::iter::once(x).chain(y).map(|i| i.operand).collect();
    Ok(b.finish(Contract { facts: Vec::new(), inputs, claims: vec![claim.on(operand)] }))
}

/// Writes `x·y/R`, normalised, to the output; `product` bounds `x·y`. The output number gets its ghost digit.
pub fn multiply(
    b: &mut Builder,
    m: &Modulus,
    layout: &Layout,
    (out, operand): (Array, evariste_ir::Operand),
    x: Array,
    y: Array,
    product: &BigInt,
) -> Result<evariste_ir::Operand, NotApplicable> {
    let (n, word) = (layout.digits() as u32, layout.word);
    let p = BigInt::from(m.value.clone());
    let bound = bound(m, layout, product);
    let clearing = Clearing::new(b, m, n as usize);
    let multiplier = rows::constant_table(b, "p_row", &clearing.multiplier(m), n as usize);
    let t = rows::scratch(b, "t", 2 * n);
    let c = rows::scratch(b, "c", 1);
    let q = rows::scratch(b, "q", 1);
    let row = b.callee(rows::multiply_add_row(word, n - 1));
    rows::clear(b, t, n);
    let zero = b.word_constant(0);
    // Before turn i the running number is t[i..i+n] and `over` above it.
    let over = b.repeat(n, &[(zero, rows::flag_range())], |b, i, over| {
        let at = |offset: u32| Index::at(offset as i64).plus(i, 1);
        let (t0, x0, yi) = (b.load(t, at(0)), b.load(x, 0u32), b.load(y, i));
        let (t0, carry) = b.mul_add_add(x0, yi, t0, zero);
        b.store(c, 0u32, carry);
        rows::call_row(b, row, View::from(t, at(1)), c, View::from(x, 1u32), View::from(y, i));
        let above = b.load(c, 0u32);
        let (above, over) = add_words(b, over[0], above);
        // The lowest word is cleared by q·p; only its carry is kept.
        let (digit, carry) = clearing.quotient(b, t0);
        b.store(q, 0u32, digit);
        b.store(c, 0u32, carry);
        rows::call_row(b, row, View::from(t, at(1)), c, View::from(multiplier, 1u32), View::whole(q));
        let carry = b.load(c, 0u32);
        let (last, over_again) = add_words(b, above, carry);
        b.store(t, at(n), last);
        vec![b.add(over, over_again)]
    })[0];
    if bound <= layout.resting.bound {
        // The range leaves nothing above n words: `over` is 0.
        rows::copy(b, out, t, n as i64, n);
        let ghost = b.ghost("ghost", 1);
        b.store(ghost, 0u32, over);
        return Ok(operand.with_digit(ghost, 0, n * word, evariste_ir::range::pow2(word) - 1));
    }
    if bound > &layout.resting.bound + &p {
        return Err(NotApplicable("the result needs more than one subtraction".into()));
    }
    // t − p over n + 1 words; the last borrow says whether t was below p.
    let modulus = rows::constant_table(b, "p", &p, n as usize);
    let d = rows::scratch(b, "d", n);
    let none = b.no_flag();
    let borrow = b.repeat(n, &[(none, rows::flag_range())], |b, i, borrow| {
        let (ti, pi) = (b.load(t, Index::at(n as i64).plus(i, 1)), b.load(modulus, i));
        let (s, borrow) = b.sub_borrow(ti, pi, borrow[0]);
        b.store(d, i, s);
        vec![borrow]
    })[0];
    let (top, borrow) = b.sub_borrow(over, zero, borrow);
    let keep = b.flag_to_mask(borrow);
    b.repeat(n, &[], |b, i, _| {
        let (ti, di) = (b.load(t, Index::at(n as i64).plus(i, 1)), b.load(d, i));
        let r = b.select(keep, ti, di);
        b.store(out, i, r);
        vec![]
    });
    let ghost = b.ghost("ghost", 1);
    let top = b.select(keep, over, top);
    b.store(ghost, 0u32, top);
    Ok(operand.with_digit(ghost, 0, n * word, evariste_ir::range::pow2(word) - 1))
}
