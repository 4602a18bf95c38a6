//! What everything here asks of a curve: its prime field, the operations of that field, the length of scalars.

use evariste_descriptions::{Curve, Field, Modulus};

use crate::operation::Operation;
use crate::recipe::Need;
use crate::signature::NotApplicable;

/// A curve with the prime field below it.
pub(super) fn curve_of(field: &Field) -> Result<(&Curve, &Modulus), NotApplicable> {
    let curve = field.get::<Curve>().and_then(|curve| Some((curve, curve.field().get::<Modulus>()?)));
    curve.ok_or_else(|| NotApplicable("only curves over prime fields have such kernels".into()))
}

/// The operations of the prime field that formulas are made of, in the order of [`crate::lowering::Operations`].
pub(super) const OPERATIONS: &[Need] = &[
    Need::ground(Operation::MUL),
    Need::ground(Operation::SQUARE),
    Need::ground(Operation::ADD),
    Need::ground(Operation::SUB),
    Need::ground(Operation::OPP),
];

/// How many bits scalars of kernels have: those of the number of points, or of the field where that is more.
pub fn scalar_bits(curve: &Curve) -> u32 {
    let points = curve.order.as_ref().zip(curve.cofactor.as_ref()).map(|(order, cofactor)| (order * cofactor).bits());
    let most = u64::from(curve.field().bits()) + 1;
    points.map_or(most, |bits| bits.max(most - 1)) as u32
}
