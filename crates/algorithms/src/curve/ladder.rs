//! Ladders on Montgomery curves: the first coordinate of `k·P` from that of P.
//!
//! * **computes** u of `k·P` from u of P, 0 for the neutral element; X25519 and X448 with k clamped.
//! * **needs** k below `2^bits`, in words; a resting u.
//! * **gives** a resting u.
//! * **cost** a step of 5M + 4S + 1·a24 + 8A and an exchange of two points a bit; an inverse and a product.
//! * **source** Montgomery (1987); RFC 7748; steps whose operations stand side by side: Hisil, Egrice, Yassi, "Fast 4 way
//!   vectorized ladder for the complete set of Montgomery curves" (2020), with products and sums of [`side_by_side`].
//!
//! The loop is proved to be the recurrence of the formula's step ([`Recurrence`]); that this gives `k·P` is tested, on
//! every scalar of toy curves and by vectors.

use std::sync::Arc;

use evariste_descriptions::{CurveShape, Field};
use evariste_ir::range::Interval;
use evariste_ir::{Builder, Claim, Contract, Kernel, Polynomial, Ring, View};

use super::digits::{scalar, unpack_bits};
use super::formula::number;
use super::rungs::{Climb, Rung};
use super::setting::{over_prime, scalar_bits};
use crate::layout::Layout;
use crate::lowering::{Ground, Operations, digits_of, lower, named, rung_claims, side_by_side, step_polynomials};
use crate::operation::Operation;
use crate::prime::power::Callee;
use crate::prime::representation::kernel_name;
use crate::recipe::{Composite, Need};
use crate::signature::{NotApplicable, input, output};

/// The formula of a step.
const STEP: &str = "montgomery-ladder-step";

/// What formulas are made of, and the way back to an affine coordinate.
const NEEDS: &[Need] = &[
    Need::ground(Operation::MUL),
    Need::ground(Operation::SQUARE),
    Need::ground(Operation::ADD),
    Need::ground(Operation::SUB),
    Need::ground(Operation::OPP),
    Need::ground(Operation::INVERSE),
];

/// The way back to an affine coordinate alone.
const ENDS: &[Need] = &[Need::ground(Operation::MUL), Need::ground(Operation::INVERSE)];

/// Any scalar.
pub const LADDER: Composite = Composite {
    name: "montgomery-ladder",
    applies: |f, l, op| *op == Operation::LADDER && has_ladder(f, l),
    needs: NEEDS,
    write: |f, l, op, parts| {
        let bits = scalar_bits(over_prime(f)?.0);
        write(f, l, &kernel_name(op, "montgomery-ladder"), parts, Steps::OfParts, bits, None)
    },
};

/// Any scalar, by steps whose operations stand side by side.
pub const LADDER_SIDE_BY_SIDE: Composite = Composite {
    name: "montgomery-ladder-side-by-side",
    applies: |f, l, op| *op == Operation::LADDER && has_ladder(f, l) && stands_side_by_side(f, l),
    needs: ENDS,
    write: |f, l, op, parts| {
        let bits = scalar_bits(over_prime(f)?.0);
        write(f, l, &kernel_name(op, "montgomery-ladder-side-by-side"), parts, Steps::SideBySide, bits, None)
    },
};

/// Clamped scalars.
pub const CLAMPED_LADDER: Composite = Composite {
    name: "montgomery-ladder",
    applies: |f, l, op| {
        *op == Operation::CLAMPED_LADDER && has_ladder(f, l) && over_prime(f).is_ok_and(|(curve, _)| curve.clamps())
    },
    needs: NEEDS,
    write: |f, l, op, parts| {
        let (bits, low) = clamped(f)?;
        write(f, l, &kernel_name(op, "montgomery-ladder"), parts, Steps::OfParts, bits, Some(low))
    },
};

/// Clamped scalars, by steps whose operations stand side by side.
pub const CLAMPED_SIDE_BY_SIDE: Composite = Composite {
    name: "montgomery-ladder-side-by-side",
    applies: |f, l, op| (CLAMPED_LADDER.applies)(f, l, op) && stands_side_by_side(f, l),
    needs: ENDS,
    write: |f, l, op, parts| {
        let (bits, low) = clamped(f)?;
        write(f, l, &kernel_name(op, "montgomery-ladder-side-by-side"), parts, Steps::SideBySide, bits, Some(low))
    },
};

/// What a step is made of.
#[derive(Clone, Copy)]
enum Steps {
    /// The field's operations in the layout, one after the other.
    OfParts,
    /// Operations of which several are computed at once.
    SideBySide,
}

fn stands_side_by_side(field: &Field, layout: &Layout) -> bool {
    over_prime(field).is_ok_and(|(_, modulus)| side_by_side::applies(modulus, layout))
}

/// The bits of clamped scalars, and how many of the lowest are 0.
fn clamped(field: &Field) -> Result<(u32, u32), NotApplicable> {
    let curve = over_prime(field)?.0;
    let low = curve.cofactor.as_ref().map_or(0, |cofactor| cofactor.trailing_zeros().unwrap_or_default() as u32);
    Ok((curve.field().bits(), low))
}

fn has_ladder(field: &Field, layout: &Layout) -> bool {
    layout.word >= 8 && over_prime(field).is_ok_and(|(curve, _)| curve.equation.shape == CurveShape::Montgomery)
}

/// The ladder over so many bits; `clamped`: how many of the lowest are 0, where the highest is 1.
fn write(
    field: &Field,
    layout: &Layout,
    name: &str,
    parts: &[Arc<Kernel>],
    steps: Steps,
    bits: u32,
    clamped: Option<u32>,
) -> Result<Kernel, NotApplicable> {
    let [mul, .., inverse] = parts else { return Err(NotApplicable("a part is missing".into())) };
    let mut b = Builder::new(name, layout.word);
    let (out, output) = output(&mut b, "out", &layout.weights, &layout.resting);
    // Bits above the highest are ignored where scalars are clamped.
    let given = if clamped.is_some() { bits.next_multiple_of(8) } else { bits };
    let (k, k_operand) = scalar(&mut b, "k", given);
    let u = input(&mut b, "u", &layout.weights, &layout.resting);
    let unpack = Callee::new(&mut b, Arc::new(unpack_bits(layout.word, given)?), "unpack");
    let climb = Climb::new(&mut b, layout, bits, rung(field, layout, steps, parts)?);
    let (mul, inverse) = (Callee::new(&mut b, mul.clone(), "mul"), Callee::new(&mut b, inverse.clone(), "inverse"));
    let all = b.local("bits", given, Interval::bits(1));
    unpack.call(&mut b, all, &[k]);
    if let Some(low) = clamped {
        let (zero, one) = (b.word_constant(0), b.word_constant(1));
        (0..low).for_each(|i| b.store(all, i, zero));
        b.store(all, bits - 1, one);
    }
    let [low, _] = climb.write(&mut b, all, View::whole(u.array));
    let [x, z] = [0, layout.digits() as u32].map(|at| View::from(low, at));
    inverse.call_views(&mut b, z.clone(), std::slice::from_ref(&z));
    mul.call_views(&mut b, View::whole(out), &[x, z]);
    let claims = vec![Claim::Step { output, name: "montgomery_ladder".into() }];
    Ok(b.finish(Contract { facts: Vec::new(), inputs: vec![k_operand, u.operand], claims }))
}

/// The formula's step over the curve's prime field.
fn rung(field: &Field, layout: &Layout, steps: Steps, parts: &[Arc<Kernel>]) -> Result<Rung, NotApplicable> {
    let (curve, modulus) = over_prime(field)?;
    let operations = match (steps, parts) {
        (Steps::SideBySide, _) => side_by_side::operations(modulus, layout)?,
        (Steps::OfParts, [mul, square, add, sub, opp, _]) => {
            let [mul, square, add, sub, opp] = [mul, square, add, sub, opp].map(Arc::clone);
            Operations { mul, square, add, sub, opp }
        }
        (Steps::OfParts, _) => return Err(NotApplicable("ladders have six parts".into())),
    };
    let ground = Ground { modulus, layout };
    let formula = named(STEP)?;
    let numbers = |name: &str| number(curve, name);
    Ok(Rung {
        exchanged: Some(rung_claims(&formula, ground, &numbers)?),
        step: Arc::new(lower("montgomery_ladder_step", &formula, ground, &numbers, &operations)?),
        by_coordinates: matches!(steps, Steps::SideBySide),
        name: "montgomery_ladder_steps",
        polynomials: step_polynomials(&formula, ground, &numbers)?,
        ring: Ring::Integers(modulus.value.clone().into()),
        one: digits_of(&1u32.into(), &modulus.value, layout),
        start: [Polynomial::constant(layout.factor()), Polynomial::input(1)],
    })
}
