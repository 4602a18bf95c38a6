//! Products and squares in `K[x]/(x⁴ − ξ)` by Karatsuba's method twice.
//!
//! * **computes** `r = a·b`, `r = a²`.
//! * **needs** any commutative ring K.
//! * **gives** scale 1.
//! * **cost** 9M + 27A + 3·ξ: even and odd parts in y = x², coefficients folded last; the square 9S + 22A + 3·ξ; the
//!   complex square 6M + 20A + 4·ξ, of two products of halves.
//! * **source** Karatsuba and Ofman 1962.

use crate::build::{Builder, Element};
use crate::definitions::extension::QUARTIC;
use crate::formula::Formula;
use crate::verify::Defect;

const SOURCE: &str = "Karatsuba and Ofman 1962, twice";

/// The three coefficients of a product of two polynomials of two.
pub(super) fn short<'b>(a: [Element<'b>; 2], b: [Element<'b>; 2]) -> [Element<'b>; 3] {
    let (v0, v1) = (a[0] * b[0], a[1] * b[1]);
    [v0, (a[0] + a[1]) * (b[0] + b[1]) - v0 - v1, v1]
}

/// The product in `K[y]/(y² − ξ)`.
pub(super) fn of<'b>(a: [Element<'b>; 2], b: [Element<'b>; 2], xi: Element<'b>) -> [Element<'b>; 2] {
    let [c0, c1, c2] = short(a, b);
    [c0 + xi * c2, c1]
}

/// The coefficients of a square.
pub(super) fn short_square(a: [Element; 2]) -> [Element; 3] {
    let (v0, v1) = (a[0].square(), a[1].square());
    [v0, (a[0] + a[1]).square() - v0 - v1, v1]
}

/// The coefficients `c0 … c6` from the products of even parts, of odd parts and of both parts' sums.
pub(super) fn joined<'b>(even: [Element<'b>; 3], odd: [Element<'b>; 3], both: [Element<'b>; 3]) -> [Element<'b>; 7] {
    let [c1, c3, c5] = [0, 1, 2].map(|k| both[k] - even[k] - odd[k]);
    [even[0], c1, even[1] + odd[0], c3, even[2] + odd[1], c5, odd[2]]
}

/// The product.
pub fn product(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.source(SOURCE);
    let [x, y, constants] = QUARTIC.product(&b, 1, &[]);
    let even = short([x[0], x[2]], [y[0], y[2]]);
    let odd = short([x[1], x[3]], [y[1], y[3]]);
    let both = short([x[0] + x[1], x[2] + x[3]], [y[0] + y[1], y[2] + y[3]]);
    QUARTIC.give(&b, &QUARTIC.fold(&joined(even, odd, both), constants[0]));
    b.finish()
}

/// Nine squares.
pub fn square(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.source(SOURCE);
    let [x, constants] = QUARTIC.square(&b, 1, &[]);
    let (even, odd) = (short_square([x[0], x[2]]), short_square([x[1], x[3]]));
    let both = short_square([x[0] + x[1], x[2] + x[3]]);
    QUARTIC.give(&b, &QUARTIC.fold(&joined(even, odd, both), constants[0]));
    b.finish()
}

/// With e and o for the halves in y, `(e + o x)² = (e + o)(e + y o) − e·o − y·e·o + 2·e·o·x`.
pub fn complex(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.source(SOURCE);
    let [x, constants] = QUARTIC.square(&b, 1, &[]);
    let xi = constants[0];
    let v = of([x[0], x[2]], [x[1], x[3]], xi);
    let w = of([x[0] + x[1], x[2] + x[3]], [x[0] + xi * x[3], x[2] + x[1]], xi);
    let r = [w[0] - v[0] - xi * v[1], v[0].double(), w[1] - v[1] - v[0], v[1].double()];
    QUARTIC.give(&b, &r);
    b.finish()
}
