//! Products of canonical numbers in saturated words: cut into digits, multiplied, reduced, made canonical and put
//! together again in one kernel.
//!
//! * **computes** `a·b mod p`; or `a·b/2^(wN) mod p` for the Montgomery form of N saturated words, as libraries of
//!   scalar code keep it.
//! * **needs** canonical operands in words. Plain numbers in a Montgomery layout: the product is multiplied by
//!   `R² mod p`. Montgomery form of words: `wN ≤ kn`; the first operand is cut `kn − wN` bits higher, which makes its R
//!   that of the digits.
//! * **gives** the canonical value in words. Nothing in between is stored.
//! * **cost** two products in a Montgomery layout, or one and Barrett's reduction; one for the Montgomery form of words
//!   and for `2^B − c`; for each word cut one funnel shift going in and two shifts coming out where the machine has
//!   these, about 5n for the canonical value.
//! * **source** Montgomery (1985); Gueron, Krasnov (2016) for the conversions between radices around a product.

use std::sync::Arc;

use evariste_descriptions::{Field, Modulus};
use evariste_ir::range::pow2;
use evariste_ir::{Array, ArrayKind, Builder, Contract, Kernel, Number, Polynomial, Value};
use num_bigint::BigInt;

use super::add::of;
use super::barrett;
use super::columns;
use super::fold;
use super::forms::{canonical_of, digits_of_words, known, raised_bounds, rows_then_canonical, words, words_of_digits};
use super::montgomery::{self, Clearing};
use super::montgomery_columns::is_whole;
use super::normalise::{capacity, normalise};
use super::short_products;
use crate::layout::{Bounds, Layout};
use crate::operation::Operation;
use crate::prime::power::Callee;
use crate::prime::representation::{canonical_bounds, canonical_layout, kernel_name, modulus, prime};
use crate::recipe::{Composite, Need, Pick, Whole};
use crate::reduction::carry_pass::digits_at;
use crate::reduction::montgomery::bound;
use crate::signature::{self, NotApplicable, ValueClaim, input, output};

/// Plain numbers all the way, in a layout that has a Montgomery form for other operations.
const BARRETT: &str = "barrett-madd";

/// Registry line.
pub const MONTGOMERY_TWICE: Composite = Composite {
    name: "montgomery-madd-twice",
    applies: |f, l, op| *op == Operation::MUL_WORDS && of(f, l, montgomery::applies),
    needs: PRODUCT,
    write: |f, l, op, parts| write(f, l, op, "montgomery-madd-twice", parts),
};

/// Registry line.
pub const MONTGOMERY: Whole = Whole {
    name: "montgomery-madd",
    applies: |f, l, op| {
        *op == Operation::MUL_MONTGOMERY_WORDS && known(f, l) && of(f, l, |m, l| raised(m, l).is_some())
    },
    write: |f, l, op| write(f, l, op, "montgomery-madd", &[]),
};

/// Registry line.
pub const BARRETT_THEN_CANONICAL: Whole = Whole {
    name: BARRETT,
    applies: |f, l, op| {
        let canonical = of(f, l, montgomery::applies) || of(f, l, barrett::is_plain);
        *op == Operation::MUL_WORDS && canonical && of(f, l, barrett::applies)
    },
    write: |f, l, op| write(f, l, op, BARRETT, &[]),
};

/// Registry line.
pub const SHORT: Composite = Composite {
    name: "short-madd",
    applies: |f, l, op| *op == Operation::MUL_WORDS && of(f, l, short_products::applies),
    needs: PRODUCT,
    write: |f, l, op, parts| write(f, l, op, "short-madd", parts),
};

/// Registry line.
pub const FOLD: Composite = Composite {
    name: "fold-madd",
    applies: |f, l, op| *op == Operation::MUL_WORDS && of(f, l, fold::applies),
    needs: PRODUCT,
    write: |f, l, op, parts| write(f, l, op, "fold-madd", parts),
};

/// The product of the layout.
const PRODUCT: &[Need] = &[Need::new(Operation::MUL, Pick::First)];

/// Bits by which the Montgomery factor of the digits is above that of the words.
fn raised(m: &Modulus, layout: &Layout) -> Option<u32> {
    layout.montgomery?.checked_sub(m.bits.div_ceil(layout.word) * layout.word)
}

/// The steps as calls: what each promises is all that the next one's proof knows of it.
fn write(
    field: &Field,
    layout: &Layout,
    op: &Operation,
    algorithm: &str,
    parts: &[Arc<Kernel>],
) -> Result<Kernel, NotApplicable> {
    let m = modulus(field)?;
    let name = kernel_name(op, algorithm);
    let montgomery_form = *op == Operation::MUL_MONTGOMERY_WORDS;
    let raised = raised(m, layout).filter(|_| montgomery_form).unwrap_or(0);
    let mut b = Builder::new(&name, layout.word);
    let (weights, bounds) = words(m, layout.word);
    let (out, operand) = output(&mut b, "out", &weights, &bounds);
    let inputs = ["a", "b"].map(|name| input(&mut b, name, &weights, &bounds));
    let mut steps = Steps { b, layout };
    let y = steps.call("digits", digits_of_words(m, layout, &format!("{name}_digits"), 0)?, &[inputs[1].array]);
    let x = if raised > 0 {
        digits_of_words(m, layout, &format!("{name}_raised"), raised)?
    } else {
        digits_of_words(m, layout, &format!("{name}_digits"), 0)?
    };
    let x = steps.call("raised", x, &[inputs[0].array]);
    let product = || parts.first().cloned().ok_or_else(|| NotApplicable("made of a product".into()));
    let result = match layout.montgomery {
        _ if algorithm == BARRETT => {
            let t = steps.call("product", barrett::kernel(m, layout, &format!("{name}_product")), &[x, y]);
            steps.call(
                "canonical",
                canonical_of(m, layout, &barrett::bounds(m, layout), &format!("{name}_canonical"))?,
                &[t],
            )
        }
        None if short_products::applies(m, layout) => steps.call("product", product()?, &[x, y]),
        None => {
            let t = steps.call("product", product()?, &[x, y]);
            steps.call("canonical", canonical_of(m, layout, &layout.resting, &format!("{name}_canonical"))?, &[t])
        }
        Some(_) if montgomery_form => {
            let factors = [("a", raised_bounds(m, layout, raised)), ("b", canonical_bounds(m, layout))];
            steps.call("reduced", reduced(m, layout, &format!("{name}_reduced"), &factors)?, &[x, y])
        }
        Some(_) => {
            let t = steps.call("product", product()?, &[x, y]);
            steps.call(
                "reduced",
                reduced(m, layout, &format!("{name}_reduced"), &[("a", layout.resting.clone())])?,
                &[t],
            )
        }
    };
    let b = steps.last("words", words_of_digits(m, layout, &format!("{name}_words"))?, out, result);
    let factor = if montgomery_form { layout.factor() >> raised } else { 1.into() };
    let claim = ValueClaim { factor, polynomial: Polynomial::default().plus(1, &[0, 1]), modulus: Some(prime(m)) };
    Ok(b.finish(Contract {
        facts: Vec::new(),
        inputs: inputs.into_iter().map(|i| i.operand).collect(),
        claims: vec![claim.on(operand)],
    }))
}

/// Calls, each into an array of its own.
pub(crate) struct Steps<'a> {
    pub b: Builder,
    pub layout: &'a Layout,
}

impl Steps<'_> {
    pub fn call(&mut self, name: &str, kernel: impl Into<Arc<Kernel>>, operands: &[Array]) -> Array {
        let kernel = kernel.into();
        let ranges = kernel
            .params()
            .find(|a| kernel.array(*a).kind == ArrayKind::Output)
            .map(|a| kernel.array(a).ranges.clone())
            .unwrap_or_default();
        let ty = self.b.word_type();
        let to = self.b.array(format!("{name}_result"), ty, self.layout.digits() as u32, ArrayKind::Local, ranges);
        let callee = Callee::new(&mut self.b, kernel, name);
        callee.call(&mut self.b, to, operands);
        to
    }

    /// The last call, into the output.
    pub fn last(mut self, name: &str, kernel: Kernel, out: Array, operand: Array) -> Builder {
        Callee::new(&mut self.b, kernel.into(), name).call(&mut self.b, out, &[operand]);
        self.b
    }
}

/// The canonical value of `a·b/R`, or of `a·R` where there is one factor: as [`montgomery::multiply`], but the columns
/// go to the subtraction without a chain of carries of their own where words have no whole products.
fn reduced(m: &Modulus, layout: &Layout, name: &str, factors: &[(&str, Bounds)]) -> Result<Kernel, NotApplicable> {
    let (n, k, p, r) = (layout.digits(), layout.radix.unwrap_or(layout.word), prime(m), layout.factor());
    // One factor is multiplied by R² mod p.
    let square = (factors.len() == 1).then(|| r.pow(2) % &p);
    let other = square.as_ref().unwrap_or(&factors[factors.len() - 1].1.bound).clone();
    let most = bound(m, layout, &(&factors[0].1.bound * &other));
    if most >= &p * 2u32 || other >= pow2(k * n as u32) {
        return Err(NotApplicable("the product may be twice the modulus".into()));
    }
    let claim = match square {
        Some(_) => ValueClaim::plain(Polynomial::default().plus(&r % &p, &[0]), Some(p.clone())),
        None => ValueClaim {
            factor: r.clone(),
            polynomial: Polynomial::default().plus(1, &[0, 1]),
            modulus: Some(p.clone()),
        },
    };
    let inputs: Vec<(&str, &Bounds)> = factors.iter().map(|(name, bounds)| (*name, bounds)).collect();
    let second = |b: &mut Builder, x: &[Number]| match &square {
        Some(c) => digits_at(c, &layout.weights).into_iter().map(|d| b.word_constant(d)).collect(),
        None => x[1].digits.clone(),
    };
    if is_whole(layout) {
        return rows_then_canonical(m, layout, name, &inputs, &claim, most, |b, x| {
            let y = second(b, x);
            rows(b, m, layout, &x[0], &y, &BigInt::ZERO)
        });
    }
    signature::kernel(name, &canonical_layout(m, layout), &inputs, claim, |b, x| {
        let y = second(b, x);
        // The upper columns start from what the comparison with p adds.
        let t = rows(b, m, layout, &x[0], &y, &(capacity(layout) - &p));
        Ok(normalise(b, layout, t, &p, false))
    })
}

/// The upper columns of `x·y/R + above`.
fn rows(b: &mut Builder, m: &Modulus, layout: &Layout, x: &Number, y: &[Value], above: &BigInt) -> Vec<Value> {
    let (n, k) = (layout.digits(), layout.radix.unwrap_or(layout.word));
    let clearing = Clearing::new(b, m, k, n);
    let start = clearing.start(b);
    let mut t = vec![start; n];
    t.extend(digits_at(above, &layout.weights).into_iter().map(|d| b.word_constant(d)));
    for (i, yi) in y.iter().enumerate() {
        columns::add_row(b, k, &mut t, i, &x.digits, *yi);
        clearing.row(b, &mut t, i);
    }
    t.split_off(n)
}
