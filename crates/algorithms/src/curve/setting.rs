//! What everything here asks of a curve: its prime field, the length of scalars.

use evariste_descriptions::{Curve, Field, Modulus, Tower};

use crate::signature::NotApplicable;
use crate::tower;

/// A curve over a prime field or over a tower, with the prime field below it.
pub(super) fn curve_of(field: &Field) -> Result<(&Curve, &Modulus), NotApplicable> {
    let curve = field.get::<Curve>().and_then(|curve| Some((curve, prime_below(curve)?)));
    curve.ok_or_else(|| NotApplicable("only curves over prime fields and their extensions have such kernels".into()))
}

/// The prime field, or that below a tower of one floor.
fn prime_below(curve: &Curve) -> Option<&Modulus> {
    let below = tower_of(curve).filter(|tower| tower.height() == 1 && tower::is_binomial(tower));
    curve.field().get::<Modulus>().or_else(|| below.map(|tower| &tower.base))
}

/// The tower that a curve stands on, where it does.
pub(super) fn tower_of(curve: &Curve) -> Option<&Tower> {
    curve.field().get::<Tower>()
}

/// A curve over a prime field, with that field.
pub(super) fn over_prime(field: &Field) -> Result<(&Curve, &Modulus), NotApplicable> {
    let curve = field.get::<Curve>().and_then(|curve| Some((curve, curve.field().get::<Modulus>()?)));
    curve.ok_or_else(|| NotApplicable("only curves over prime fields have such kernels".into()))
}

/// Beside a cofactor of more bits, scalars of kernels are those of the base point's group.
const SMALL_COFACTOR: u64 = 32;

/// How many bits scalars of kernels have: those of the number of points, or of the field where that is more. Where the base
/// point's group is a small part of all, those of its order, in whole words.
pub fn scalar_bits(curve: &Curve) -> u32 {
    let most = u64::from(curve.field().bits()) + 1;
    let bits = match (&curve.order, &curve.cofactor) {
        (Some(order), Some(cofactor)) if cofactor.bits() > SMALL_COFACTOR => order.bits().next_multiple_of(64),
        (Some(order), Some(cofactor)) => (order * cofactor).bits().max(most - 1),
        _ => most,
    };
    bits as u32
}
