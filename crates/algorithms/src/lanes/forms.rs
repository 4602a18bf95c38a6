//! Other forms of an element in lanes: into and out of Montgomery form, canonical, in saturated words.
//!
//! * **computes** `a·R mod p` as the product with `R² mod p`; `a/R mod p` by the rows that clear alone; the canonical
//!   value by one conditional subtraction (after a product with `R mod p` where elements rest at 2p or more); the same
//!   number in whole words.
//! * **needs** resting operands; to words a canonical one (`from_montgomery` or `canonical` gives it).
//! * **gives** a resting element; out of Montgomery form and in words the canonical value, from words a canonical
//!   element.
//! * **cost** one product; n² multiply-adds less than half of one; about 7n; three or four operations for each word
//!   cut.
//! * **source** Montgomery (1985); the cuts as in `prime::repack`.

use evariste_descriptions::{Field, Modulus};
use evariste_ir::range::pow2;
use evariste_ir::{Builder, Contract, Kernel, Number, Polynomial, Value};
use num_bigint::BigInt;

use super::add::of;
use super::columns::{self, is_plain};
use super::fold;
use super::montgomery::{self, Clearing};
use super::montgomery_columns::is_whole;
use super::mul_words::Steps;
use super::normalise::{add_constant, capacity, cleaned, normalise};
use crate::layout::{Bounds, Layout};
use crate::operation::Operation;
use crate::prime::repack::repack;
use crate::prime::representation::{canonical_bounds, canonical_layout, kernel_name, modulus, prime};
use crate::recipe::Whole;
use crate::reduction::carry_pass::{digits_at, pseudo_mersenne};
use crate::signature::{self, NotApplicable, ValueClaim, input, output, store_result};

/// Registry line.
pub const TO_MONTGOMERY: Whole = Whole {
    name: "montgomery-madd",
    applies: |f, l, op| *op == Operation::TO_MONTGOMERY && of(f, l, montgomery::applies),
    write: to_montgomery,
};

/// Registry line.
pub const FROM_MONTGOMERY: Whole = Whole {
    name: "montgomery-madd",
    applies: |f, l, op| *op == Operation::FROM_MONTGOMERY && of(f, l, montgomery::applies),
    write: from_montgomery,
};

/// Registry line.
pub const CANONICAL: Whole = Whole {
    name: "conditional-subtraction-lanes",
    applies: |f, l, op| *op == Operation::CANONICAL && known(f, l),
    write: write_canonical,
};

pub(crate) fn known(field: &Field, layout: &Layout) -> bool {
    of(field, layout, montgomery::applies) || of(field, layout, fold::applies) || of(field, layout, is_plain)
}

fn to_montgomery(field: &Field, layout: &Layout, op: &Operation) -> Result<Kernel, NotApplicable> {
    let m = modulus(field)?;
    let (p, r) = (prime(m), layout.factor());
    let claim = ValueClaim::plain(Polynomial::default().plus(&r % &p, &[0]), Some(p.clone()));
    signature::kernel(&kernel_name(op, "montgomery-madd"), layout, &[("a", &layout.resting)], claim, |b, x| {
        Ok(by_constant(b, m, layout, &x[0], &(&r * &r % &p)))
    })
}

/// `x·c/R`.
fn by_constant(b: &mut Builder, m: &Modulus, layout: &Layout, x: &Number, c: &BigInt) -> Number {
    let digits: Vec<Value> = digits_at(c, &layout.weights).into_iter().map(|d| b.word_constant(d)).collect();
    montgomery::multiply(b, m, layout, x, &Number { digits, weights: layout.weights.clone(), bound: c.clone() })
}

fn from_montgomery(field: &Field, layout: &Layout, op: &Operation) -> Result<Kernel, NotApplicable> {
    out_of_montgomery(modulus(field)?, layout, &kernel_name(op, "montgomery-madd"))
}

/// `a/R mod p`, canonical, of an element at rest.
pub(super) fn out_of_montgomery(m: &Modulus, layout: &Layout, name: &str) -> Result<Kernel, NotApplicable> {
    let claim = ValueClaim { factor: layout.factor(), polynomial: Polynomial::input(0), modulus: Some(prime(m)) };
    let inputs = [("a", &layout.resting)];
    let rows = |b: &mut Builder, x: &[Number]| {
        let clearing = Clearing::new(b, m, layout.radix.unwrap_or(layout.word), layout.digits());
        divided(b, &clearing, layout, &x[0])
    };
    if is_whole(layout) {
        let bound = (&layout.resting.bound + (layout.factor() - 1u32) * prime(m)) / layout.factor();
        return rows_then_canonical(m, layout, name, &inputs, &claim, bound, rows);
    }
    signature::kernel(name, &canonical_layout(m, layout), &inputs, claim, |b, x| {
        let t = rows(b, x);
        // At most (A + (R − 1)·p)/R, which is p for A < R + p.
        Ok(below(b, m, layout, t))
    })
}

/// The canonical value of the columns that rows leave, at most `bound`, which is below 2p, in two calls: digits by a
/// chain of carries of their own, then the subtraction. Of columns of whole products the proof does not see through
/// both at once.
pub(super) fn rows_then_canonical(
    m: &Modulus,
    layout: &Layout,
    name: &str,
    inputs: &[(&str, &Bounds)],
    claim: &ValueClaim,
    bound: BigInt,
    rows: impl FnOnce(&mut Builder, &[Number]) -> Vec<Value>,
) -> Result<Kernel, NotApplicable> {
    let top = layout.digits() - 1;
    let most = |(i, w): (usize, &u32)| if i == top { &bound >> *w } else { pow2(layout.radix.unwrap_or(*w)) - 1u32 };
    let digit_max = layout.weights.iter().enumerate().map(most).collect();
    let clean = Bounds { digit_max, bound: bound.clone(), low: None };
    let resting = Layout { resting: clean.clone(), ..layout.clone() };
    let first = signature::kernel(&format!("{name}_rows"), &resting, inputs, claim.clone(), |b, x| {
        let t = rows(b, x);
        Ok(columns::digits(b, layout, t, bound))
    })?;
    let last = canonical_of(m, layout, &clean, &format!("{name}_below"))?;
    let mut b = Builder::new(name, layout.word);
    let (out, operand) = output(&mut b, "out", &layout.weights, &canonical_bounds(m, layout));
    let inputs: Vec<_> = inputs.iter().map(|(name, bounds)| input(&mut b, name, &layout.weights, bounds)).collect();
    let mut steps = Steps { b, layout };
    let digits = steps.call("rows", first, &inputs.iter().map(|i| i.array).collect::<Vec<_>>());
    let b = steps.last("below", last, out, digits);
    let inputs = inputs.into_iter().map(|i| i.operand).collect();
    Ok(b.finish(Contract { facts: Vec::new(), inputs, claims: vec![claim.clone().on(operand)] }))
}

/// The columns of `x/R`.
pub(crate) fn divided(b: &mut Builder, clearing: &Clearing, layout: &Layout, x: &Number) -> Vec<Value> {
    let n = layout.digits();
    let (start, zero) = (clearing.start(b), b.word_constant(0));
    let digits = cleaned(b, layout, x);
    let mut t: Vec<Value> = digits.into_iter().map(|d| b.add(d, start)).collect();
    t.resize(2 * n, zero);
    for i in 0..n {
        clearing.row(b, &mut t, i);
    }
    t.split_off(n)
}

/// Columns of a number below 2p, brought below p.
pub(crate) fn below(b: &mut Builder, m: &Modulus, layout: &Layout, mut t: Vec<Value>) -> Number {
    let p = prime(m);
    add_constant(b, layout, &mut t, &(capacity(layout) - &p));
    normalise(b, layout, t, &p, false)
}

fn write_canonical(field: &Field, layout: &Layout, op: &Operation) -> Result<Kernel, NotApplicable> {
    canonical_of(modulus(field)?, layout, &layout.resting, &kernel_name(op, "conditional-subtraction-lanes"))
}

/// The canonical value of an element of these bounds.
pub(crate) fn canonical_of(m: &Modulus, layout: &Layout, bounds: &Bounds, name: &str) -> Result<Kernel, NotApplicable> {
    let claim = ValueClaim::plain(Polynomial::input(0), Some(prime(m)));
    signature::kernel(name, &canonical_layout(m, layout), &[("a", bounds)], claim, |b, x| {
        canonical(b, m, layout, &x[0])
    })
}

/// Do elements have bytes? In digits that nothing is above, of words that whole bytes fill, for what computes one element
/// by multiply-adds. (`2^k − c` has layouts of its own for that, and here the proof does not see the bytes' bounds.)
pub(crate) fn has_bytes(field: &Field, layout: &Layout) -> bool {
    let clean = layout.resting.low.is_none() && layout.word.is_multiple_of(8);
    let halves = columns::halves(layout.word, layout.radix.unwrap_or(layout.word));
    clean && halves && of(field, layout, |m, l| montgomery::applies(m, l) && pseudo_mersenne(m).is_none())
}

/// The canonical value of a resting number.
pub(crate) fn canonical(b: &mut Builder, m: &Modulus, layout: &Layout, x: &Number) -> Result<Number, NotApplicable> {
    if x.bound < prime(m) {
        return Ok(x.clone());
    }
    // In Montgomery form a product with R mod p is below 2p.
    let (mut t, mut bound) = match layout.montgomery.filter(|_| x.bound >= prime(m) * 2u32) {
        None => (cleaned(b, layout, x), x.bound.clone()),
        Some(_) => {
            let product = by_constant(b, m, layout, x, &(layout.factor() % prime(m)));
            (cleaned(b, layout, &product), product.bound)
        }
    };
    if bound >= prime(m) * 2u32 && layout.montgomery.is_none() {
        // A short top digit leaves room for more: once more what is above `2^B`.
        let folded = fold::carried(b, m, layout, t);
        bound = folded.bound.clone();
        t = cleaned(b, layout, &folded);
    }
    if bound >= prime(m) * 2u32 {
        return Err(NotApplicable("the element may be twice the modulus".into()));
    }
    Ok(below(b, m, layout, t))
}

/// Weights and bounds of a canonical number in whole words.
pub(super) fn words(m: &Modulus, word: u32) -> (Vec<u32>, Bounds) {
    let bound = prime(m) - 1;
    let weights: Vec<u32> = (0..m.bits.div_ceil(word)).map(|i| i * word).collect();
    let digit_max = weights.iter().map(|w| std::cmp::min(pow2(word) - 1, &bound >> *w)).collect();
    (weights, Bounds { digit_max, bound, low: None })
}

/// The digits of `2^raised·x` for a canonical x in words, where they have room for that.
pub(super) fn digits_of_words(m: &Modulus, layout: &Layout, name: &str, raised: u32) -> Result<Kernel, NotApplicable> {
    let mut b = Builder::new(name, layout.word);
    let (weights, bounds) = words(m, layout.word);
    let (out, operand) = output(&mut b, "out", &layout.weights, &raised_bounds(m, layout, raised));
    let x = input(&mut b, "words", &weights, &bounds);
    let a = x.load(&mut b);
    let places: Vec<u32> = weights.iter().map(|w| w + raised).collect();
    let digits = repack(&mut b, &a.digits, &places, &layout.weights);
    let result = Number { digits, weights: layout.weights.clone(), bound: bounds.bound << raised };
    finish(b, x, out, operand, &result, raised)
}

/// Bounds of `2^raised·x` for a canonical x in clean digits.
pub(super) fn raised_bounds(m: &Modulus, layout: &Layout, raised: u32) -> Bounds {
    let bounds = canonical_bounds(m, layout);
    if raised == 0 {
        return bounds;
    }
    let (bound, radix) = (bounds.bound << raised, layout.radix.unwrap_or(layout.word));
    Bounds {
        digit_max: layout.weights.iter().map(|w| std::cmp::min(pow2(radix) - 1, &bound >> *w)).collect(),
        bound,
        low: None,
    }
}

/// The words of a canonical element.
pub(super) fn words_of_digits(m: &Modulus, layout: &Layout, name: &str) -> Result<Kernel, NotApplicable> {
    let mut b = Builder::new(name, layout.word);
    let (weights, bounds) = words(m, layout.word);
    let (out, operand) = output(&mut b, "words", &weights, &bounds);
    let x = input(&mut b, "a", &layout.weights, &canonical_bounds(m, layout));
    let a = x.load(&mut b);
    let digits = repack(&mut b, &a.digits, &layout.weights, &weights);
    let result = Number { digits, weights, bound: a.bound };
    finish(b, x, out, operand, &result, 0)
}

fn finish(
    mut b: Builder,
    x: signature::Input,
    out: evariste_ir::Array,
    operand: evariste_ir::Operand,
    result: &Number,
    raised: u32,
) -> Result<Kernel, NotApplicable> {
    let operand = store_result(&mut b, out, operand, result)?;
    let claim = ValueClaim::plain(Polynomial::default().plus(pow2(raised), &[0]), None).on(operand);
    Ok(b.finish(Contract { facts: Vec::new(), inputs: vec![x.operand], claims: vec![claim] }))
}
