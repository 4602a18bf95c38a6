//! Kernels of products with their reduction.
//!
//! * **computes** `a·b mod p` (times 1/R in Montgomery layouts) by a product schedule and a reduction, or by both in one.
//! * **needs** operands within the layout's loose bounds.
//! * **gives** a resting element: what the reduction leaves is normalised by subtractions where its bound asks for them.
//! * **cost** that of the parts.
//! * **source** the parts'; the product as a callee is ours, so that proofs add up.

use std::sync::Arc;

use evariste_descriptions::Modulus;
use evariste_ir::{Array, ArrayKind, Builder, Contract, Kernel, Number, Polynomial, View};
use num_bigint::BigInt;

use super::conditional_subtraction;
use crate::integer::{wide_bounds, wide_weights};
use crate::layout::Layout;
use crate::operation::Operation;
use crate::prime::representation::{kernel_name, modulus};
use crate::recipe::{Integrated, Kind, Need, Parts, Recipe, Reduction, Setting};
use crate::signature::{self, NotApplicable, ValueClaim};

impl Recipe for Reduction {
    fn name(&self) -> &'static str {
        self.name
    }

    fn kind(&self) -> Kind {
        Kind::Reduction
    }

    fn needs(&self, s: Setting) -> Option<&'static [Need]> {
        let m = s.field.get::<Modulus>()?;
        let whole = s.layout.radix.is_none() && s.layout.saturated();
        s.reduced().filter(|_| whole && (self.applies)(m, s.layout))
    }

    fn write(&self, s: Setting, algorithm: &str, parts: &dyn Parts) -> Result<Kernel, NotApplicable> {
        let (name, m) = (kernel_name(s.operation, algorithm), modulus(s.field)?);
        if *s.operation == Operation::REDUCE {
            return reduction_kernel(&name, self, m, s.layout);
        }
        reduced_product(&name, parts.kernel(0)?, self, m, s.layout, s.squares())
    }
}

impl Recipe for Integrated {
    fn name(&self) -> &'static str {
        self.name
    }

    fn kind(&self) -> Kind {
        Kind::Interleaved
    }

    fn needs(&self, s: Setting) -> Option<&'static [Need]> {
        let m = s.field.get::<Modulus>()?;
        let product = s.operation.is_any(&[Operation::MUL, Operation::SQUARE]);
        (product && (self.applies)(m, s.layout)).then_some(&[])
    }

    fn write(&self, s: Setting, algorithm: &str, _: &dyn Parts) -> Result<Kernel, NotApplicable> {
        let name = kernel_name(s.operation, algorithm);
        integrated_product(&name, self, modulus(s.field)?, s.layout, s.squares())
    }
}

/// A kernel `R·out ≡ a·b (mod p)` (R = 1 outside Montgomery layouts) whose body returns a number that may lie above the resting
/// bound: it is normalised here.
fn modular_product(
    name: &str,
    m: &Modulus,
    layout: &Layout,
    square: bool,
    body: impl FnOnce(&mut Builder, &[Number]) -> Number,
) -> Result<Kernel, NotApplicable> {
    let polynomial = Polynomial::default().plus(1, if square { &[0, 0] } else { &[0, 1] });
    let claim = ValueClaim { factor: layout.factor(), polynomial, modulus: Some(BigInt::from(m.value.clone())) };
    let inputs = [("a", &layout.loose), ("b", &layout.loose)];
    let inputs = if square { &inputs[..1] } else { &inputs[..] };
    signature::kernel(name, layout, inputs, claim, |b, numbers| {
        let t = body(b, numbers);
        Ok(conditional_subtraction::normalise(b, m, t, &layout.resting.bound))
    })
}

/// The reduction alone: `R·out ≡ a (mod p)` for a whole product a.
pub fn reduction_kernel(
    name: &str,
    reduction: &Reduction,
    m: &Modulus,
    layout: &Layout,
) -> Result<Kernel, NotApplicable> {
    let mut b = Builder::new(name, layout.word);
    let (out, operand) = signature::output(&mut b, "out", &layout.weights, &layout.resting);
    let x = signature::input(&mut b, "a", &wide_weights(layout), &wide_bounds(layout));
    let t = x.load(&mut b);
    let t = (reduction.reduce)(&mut b, m, layout, t);
    let result = conditional_subtraction::normalise(&mut b, m, t, &layout.resting.bound);
    let operand = signature::store_result(&mut b, out, operand, &result)?;
    let claim = ValueClaim {
        factor: layout.factor(),
        polynomial: Polynomial::input(0),
        modulus: Some(BigInt::from(m.value.clone())),
    };
    Ok(b.finish(Contract { facts: Vec::new(), inputs: vec![x.operand], claims: vec![claim.on(operand)] }))
}

/// Product, then reduction. The product is a kernel of its own that is called: its contract (an equality of integers
/// and a bound) is all that the reduction's proof has to know, so the two proofs add up instead of multiplying. A
/// compiler inlines the call.
pub fn reduced_product(
    name: &str,
    product: Arc<Kernel>,
    reduction: &Reduction,
    m: &Modulus,
    layout: &Layout,
    square: bool,
) -> Result<Kernel, NotApplicable> {
    modular_product(name, m, layout, square, |b, x| {
        let t = product.array(Array(0));
        let t = b.array("t", t.ty, t.len, ArrayKind::Local, t.ranges.clone());
        let operands = (1..=x.len() as u32).map(Array);
        let views = std::iter::once(t).chain(operands).map(View::whole).collect();
        let bound = &x[0].bound * &x[x.len() - 1].bound;
        let product = b.callee(product);
        b.call(product, views);
        let digits = b.load_all(t);
        (reduction.reduce)(b, m, layout, Number::new(digits, layout.word, bound))
    })
}

/// Product and reduction interleaved.
pub fn integrated_product(
    name: &str,
    integrated: &Integrated,
    m: &Modulus,
    layout: &Layout,
    square: bool,
) -> Result<Kernel, NotApplicable> {
    modular_product(name, m, layout, square, |b, x| match (square, integrated.square) {
        (true, Some(square)) => square(b, m, layout, &x[0]),
        (true, None) => (integrated.multiply)(b, m, layout, &x[0], &x[0]),
        _ => (integrated.multiply)(b, m, layout, &x[0], &x[1]),
    })
}
