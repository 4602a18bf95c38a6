//! What is checked of a curve that is described by its coefficients.

use std::ops::Range;

use num_bigint::BigUint;
use num_traits::Zero;

use super::equation::Equation;
use crate::Diagnostic;
use crate::prime::is_prime;

/// A value, and where it stands.
pub(super) type Given<T> = (T, Range<usize>);

/// What a description says of a base point.
#[derive(Default)]
pub(super) struct Base {
    /// The point.
    pub point: Option<Given<(BigUint, BigUint)>>,
    /// Its order.
    pub order: Option<Given<BigUint>>,
    /// The cofactor.
    pub cofactor: Option<Given<BigUint>>,
}

/// The base point is on the curve, the order is prime and that of the base point, the cofactor fits.
pub(super) fn check(equation: &Equation, given: &Base, text: &str) -> Result<(), Diagnostic> {
    let error = |at: &Range<usize>, message: String, help: &str| {
        Err(Diagnostic::new(text, at.clone(), message).with_help(help))
    };
    if let Some(((x, y), at)) = &given.point
        && !equation.holds(x, y)
    {
        return error(at, "the base point is not on the curve".to_owned(), "correct its coordinates or the equation");
    }
    if let Some((order, at)) = &given.order {
        if !is_prime(order) {
            return error(at, "the order is not prime".to_owned(), "write the prime order of the base point");
        }
        let Some((point, _)) = &given.point else {
            return error(at, "the order is that of a base point, which is missing".to_owned(), "write base=[X,Y] too");
        };
        if equation.scale(order, &Some(point.clone())) != equation.neutral() {
            return error(
                at,
                "the order times the base point is not the neutral element".to_owned(),
                "correct the order or the base point",
            );
        }
        if Some(point.clone()) == equation.neutral() {
            return error(at, "the base point is the neutral element".to_owned(), "write another base point");
        }
    }
    if let Some((cofactor, at)) = &given.cofactor {
        let Some((order, _)) = &given.order else {
            return error(at, "the cofactor is that of an order, which is missing".to_owned(), "write order=N too");
        };
        if cofactor.is_zero() || !equation.admits(&(cofactor * order)) {
            let message =
                format!("no curve over {} has so many points as the order times the cofactor", equation.field.called());
            return error(at, message, "the number of points is about that of the elements of the field (Hasse)");
        }
    }
    Ok(())
}
