//! A product and a sum in lanes, reduced once.
//!
//! * **computes** `a·b + c`. `2^B − c`: the lowest columns start from the addend. Montgomery: the upper columns do,
//!   since these are what is left of a product; what comes out is below 4p, and one conditional subtraction brings it
//!   below 2p.
//! * **needs** resting operands. The output may be an operand.
//! * **gives** a resting element.
//! * **cost** `product-then-sum`: both; else a product, and n − 1 cuts of unmasked digits; Montgomery n additions and a
//!   conditional subtraction ([`super::normalise`]) in place of the last chain of carries.
//! * **source** Gueron, Krasnov (2016) for the rows; that a sum waits for the reduction of the product is the lazy
//!   reduction of Scott, "Implementing cryptographic pairings" (2007).

use std::sync::Arc;

use evariste_descriptions::{Field, Modulus};
use evariste_ir::range::Interval;
use evariste_ir::{ArrayKind, Builder, Contract, Kernel, Number, Polynomial, Value};
use num_bigint::BigInt;

use super::add::of;
use super::columns;
use super::fold;
use super::montgomery::{self, Clearing};
use super::montgomery_columns::is_whole;
use super::normalise::{add_constant, capacity, cleaned, normalise};
use crate::layout::Layout;
use crate::operation::Operation;
use crate::prime::power::Callee;
use crate::prime::representation::{kernel_name, modulus, prime};
use crate::recipe::{Composite, Need, Pick, Whole};
use crate::signature::{self, NotApplicable, ValueClaim, input, output};

/// Registry line.
pub const MONTGOMERY: Whole = Whole {
    name: "montgomery-madd",
    applies: |f, l, op| {
        *op == Operation::MUL_ADD && of(f, l, |m, l| montgomery::applies(m, l) && !is_whole(l) && limit(m, l).is_some())
    },
    write: |f, l, op| write(f, l, op, "montgomery-madd", montgomery_form),
};

/// Registry line.
pub const FOLD: Whole = Whole {
    name: "fold-madd",
    applies: |f, l, op| *op == Operation::MUL_ADD && of(f, l, fold::reduces),
    write: |f, l, op| write(f, l, op, "fold-madd", folded),
};

/// The product and the sum as calls, for layouts whose resting bound is too near p for one subtraction, and for columns
/// that no reduction takes by themselves.
pub const PRODUCT_THEN_SUM: Composite = Composite {
    name: "product-then-sum",
    applies: |f, l, op| {
        let folds = |m: &Modulus, l: &Layout| fold::applies(m, l) && !fold::reduces(m, l);
        let forms: [fn(&Modulus, &Layout) -> bool; 3] = [montgomery::applies, columns::is_plain, folds];
        *op == Operation::MUL_ADD && forms.into_iter().any(|form| of(f, l, form))
    },
    needs: &[Need::new(Operation::MUL, Pick::First), Need::new(Operation::ADD, Pick::First)],
    write: in_two_steps,
};

fn in_two_steps(
    field: &Field,
    layout: &Layout,
    op: &Operation,
    parts: &[Arc<Kernel>],
) -> Result<Kernel, NotApplicable> {
    let [mul, add] = parts else { return Err(NotApplicable("made of a product and a sum".into())) };
    let m = modulus(field)?;
    let r = &layout.resting;
    let mut b = Builder::new(kernel_name(op, "product-then-sum"), layout.word);
    let (out, operand) = output(&mut b, "out", &layout.weights, r);
    let [x, y, z] = ["a", "b", "c"].map(|name| input(&mut b, name, &layout.weights, r));
    // The output may be the last operand: the product has a place of its own.
    let ranges = r.digit_max.iter().map(|d| Interval::up_to(d.clone())).collect();
    let ty = b.word_type();
    let product = b.array("product", ty, layout.digits() as u32, ArrayKind::Local, ranges);
    Callee::new(&mut b, mul.clone(), "mul").call(&mut b, product, &[x.array, y.array]);
    Callee::new(&mut b, add.clone(), "add").call(&mut b, out, &[product, z.array]);
    let claim = ValueClaim {
        factor: layout.factor(),
        polynomial: Polynomial::default().plus(1, &[0, 1]).plus(layout.factor(), &[2]),
        modulus: Some(prime(m)),
    };
    Ok(b.finish(Contract {
        facts: Vec::new(),
        inputs: vec![x.operand, y.operand, z.operand],
        claims: vec![claim.on(operand)],
    }))
}

/// The multiple of p that is subtracted once from a product and a sum, if that is enough.
fn limit(m: &Modulus, layout: &Layout) -> Option<BigInt> {
    let bound = &layout.resting.bound;
    let limit = (bound + 1u32) / prime(m) * prime(m);
    (bound * bound / layout.factor() + prime(m) + bound < &limit * 2u32).then_some(limit)
}

type Body = fn(&mut Builder, &Modulus, &Layout, &Number, &Number, Vec<Value>) -> Result<Number, NotApplicable>;

fn write(field: &Field, layout: &Layout, op: &Operation, name: &str, body: Body) -> Result<Kernel, NotApplicable> {
    let m = modulus(field)?;
    let r = &layout.resting;
    // With factors in Montgomery form: out·R ≡ a·b + c·R.
    let claim = ValueClaim {
        factor: layout.factor(),
        polynomial: Polynomial::default().plus(1, &[0, 1]).plus(layout.factor(), &[2]),
        modulus: Some(prime(m)),
    };
    signature::kernel(&kernel_name(op, name), layout, &[("a", r), ("b", r), ("c", r)], claim, |b, x| {
        let addend = cleaned(b, layout, &x[2]);
        body(b, m, layout, &x[0], &x[1], addend)
    })
}

fn folded(
    b: &mut Builder,
    m: &Modulus,
    layout: &Layout,
    x: &Number,
    y: &Number,
    addend: Vec<Value>,
) -> Result<Number, NotApplicable> {
    let t = columns::product(b, layout.radix.unwrap_or(layout.word), &addend, &x.digits, &y.digits);
    Ok(fold::reduce(b, m, layout, t))
}

fn montgomery_form(
    b: &mut Builder,
    m: &Modulus,
    layout: &Layout,
    x: &Number,
    y: &Number,
    addend: Vec<Value>,
) -> Result<Number, NotApplicable> {
    let (n, k) = (layout.digits(), layout.radix.unwrap_or(layout.word));
    let clearing = Clearing::new(b, m, k, n);
    let start = clearing.start(b);
    let mut t = vec![start; n];
    t.extend(addend);
    for (i, yi) in y.digits.iter().enumerate() {
        for (j, xj) in x.digits.iter().enumerate() {
            columns::add_product(b, k, &mut t, i + j, *xj, *yi);
        }
        clearing.row(b, &mut t, i);
    }
    let mut t = t.split_off(n);
    let limit = limit(m, layout).ok_or_else(|| NotApplicable("one subtraction is not enough for the sum".into()))?;
    add_constant(b, layout, &mut t, &(capacity(layout) - &limit));
    Ok(normalise(b, layout, t, &limit, layout.resting.low.is_some()))
}
