//! López and Dahab's ladder: the first coordinate of `k·P` from that of P.
//!
//! * **computes** x of `k·P` from x of P, 0 for the neutral element.
//! * **needs** k below `2^bits`, in words; x other than 0, which the point of order two has.
//! * **gives** the first coordinate of the multiple.
//! * **cost** a step of 5M + 4S + 1·c + 3A (b = 1: 5M + 4S + 3A) and an exchange of two points a bit; an inverse and a
//!   product.
//! * **source** López and Dahab, "Fast multiplication on elliptic curves over GF(2^m) without precomputation" (1999).
//!
//! The loop is proved to be the recurrence of the formula's step over the field; that this gives `k·P` is tested, on every
//! scalar and point of toy curves and by vectors.

use std::sync::Arc;

use evariste_descriptions::Field;
use evariste_ir::range::Interval;
use evariste_ir::{Builder, Claim, Contract, Kernel, Polynomial, Ring, View};

use super::super::digits::{scalar, unpack_bits};
use super::super::rungs::{Climb, Rung};
use super::super::setting::scalar_bits;
use super::{OPERATIONS, SLICED_OPERATIONS, curve_of, has_points, has_sliced_points, number};
use crate::binary::coordinates::product_map;
use crate::layout::Layout;
use crate::lowering::bits::step_vectors;
use crate::lowering::{BinaryGround, BinaryOperations, digits_of, lower_bits, named};
use crate::operation::Operation;
use crate::prime::power::Callee;
use crate::prime::representation::kernel_name;
use crate::recipe::Composite;
use crate::signature::{NotApplicable, input, output};

/// Any scalar.
pub const LADDER: Composite = Composite {
    name: "lopez-dahab",
    applies: |f, l, op| *op == Operation::LADDER && has_points(f, l),
    needs: OPERATIONS,
    write,
};

/// Any scalar, bit-sliced: one coordinate, and one bit of the scalar, a word. Not listed with the layouts of curves.
pub const SLICED_LADDER: Composite = Composite {
    name: "lopez-dahab-sliced",
    applies: |f, l, op| *op == Operation::LADDER && has_sliced_points(f, l),
    needs: SLICED_OPERATIONS,
    write,
};

/// The field's kernels, in the order of the needs.
pub(super) fn operations(parts: &[Arc<Kernel>]) -> Result<BinaryOperations, NotApplicable> {
    let [mul, square, add, inverse] = parts else { return Err(NotApplicable("a part is missing".into())) };
    let inverse = Some(inverse.clone());
    Ok(BinaryOperations { mul: mul.clone(), square: square.clone(), add: add.clone(), inverse })
}

/// The formula's step over the curve's field.
pub(super) fn rung(field: &Field, layout: &Layout, operations: &BinaryOperations) -> Result<Rung, NotApplicable> {
    let (curve, f) = curve_of(field)?;
    let koblitz = curve.equation.coefficients[1] == f.one();
    let formula = named(if koblitz { "lopez-dahab-step-koblitz" } else { "lopez-dahab-step" })?;
    let ground = BinaryGround { field: f, layout };
    let numbers = |name: &str| number(curve, f, name);
    Ok(Rung {
        exchanged: None,
        by_coordinates: false,
        step: Arc::new(lower_bits("lopez_dahab_step", &formula, ground, &numbers, operations)?),
        name: "lopez_dahab_steps",
        polynomials: step_vectors(&formula, ground, &numbers)?,
        ring: Ring::Bits(product_map(f)),
        one: digits_of(&f.one(), &ground.limit(), layout),
        start: [Polynomial::constant(f.one()), Polynomial::default().plus(f.one(), &[1])],
    })
}

fn write(field: &Field, layout: &Layout, op: &Operation, parts: &[Arc<Kernel>]) -> Result<Kernel, NotApplicable> {
    let operations = operations(parts)?;
    let bits = scalar_bits(curve_of(field)?.0);
    let mut b =
        Builder::new(kernel_name(op, if layout.word == 1 { "lopez-dahab-sliced" } else { "lopez-dahab" }), layout.word);
    let (out, output) = output(&mut b, "out", &layout.weights, &layout.resting);
    let (k, k_operand) = scalar(&mut b, "k", bits);
    let u = input(&mut b, "u", &layout.weights, &layout.resting);
    let sliced = layout.word == 1;
    let unpack = if sliced { None } else { Some(Arc::new(unpack_bits(layout.word, bits)?)) };
    let unpack = unpack.map(|kernel| Callee::new(&mut b, kernel, "unpack"));
    let climb = Climb::new(&mut b, layout, bits, rung(field, layout, &operations)?);
    let mul = Callee::new(&mut b, operations.mul.clone(), "mul");
    let inverse = operations.inverse.clone().ok_or_else(|| NotApplicable("a part is missing".into()))?;
    let inverse = Callee::new(&mut b, inverse, "inverse");
    let all = match &unpack {
        Some(unpack) => {
            let all = b.local("bits", bits, Interval::bits(1));
            unpack.call(&mut b, all, &[k]);
            all
        }
        None => k,
    };
    let [low, _] = climb.write(&mut b, all, View::whole(u.array));
    let [x, z] = [0, layout.digits() as u32].map(|at| View::from(low, at));
    inverse.call_views(&mut b, z.clone(), std::slice::from_ref(&z));
    mul.call_views(&mut b, View::whole(out), &[x, z]);
    let claims = vec![Claim::Step { output, name: "lopez_dahab".into() }];
    Ok(b.finish(Contract { facts: Vec::new(), inputs: vec![k_operand, u.operand], claims }))
}
