//! Products in `K[x]/(x⁴ − ξ)` by Karatsuba's method twice.
//!
//! * **computes** `r = a·b`.
//! * **needs** any commutative ring K.
//! * **gives** scale 1.
//! * **cost** 9M + 27A + 3·ξ: even and odd parts in y = x², coefficients folded last.
//! * **source** Karatsuba and Ofman 1962.

use crate::build::{Builder, Element};
use crate::definitions::quartic;
use crate::formula::Formula;
use crate::verify::Defect;

/// The three coefficients of a product of two polynomials of two.
fn short<'b>(a: [Element<'b>; 2], b: [Element<'b>; 2]) -> [Element<'b>; 3] {
    let (v0, v1) = (a[0] * b[0], a[1] * b[1]);
    [v0, (a[0] + a[1]) * (b[0] + b[1]) - v0 - v1, v1]
}

/// The product.
pub fn product(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.source("Karatsuba and Ofman 1962, twice");
    let [x, y, constants] = quartic::product(&b, 1, &[]);
    let xi = constants[0];
    let even = short([x[0], x[2]], [y[0], y[2]]);
    let odd = short([x[1], x[3]], [y[1], y[3]]);
    let both = short([x[0] + x[1], x[2] + x[3]], [y[0] + y[1], y[2] + y[3]]);
    // Odd coefficients c1, c3, c5 of the product polynomial.
    let c = [0, 1, 2].map(|k| both[k] - even[k] - odd[k]);
    let (c2, c4) = (even[1] + odd[0], even[2] + odd[1]);
    let r = [even[0] + xi * c4, c[0] + xi * c[2], c2 + xi * odd[2], c[1]];
    b.output("r", "r0 r1 r2 r3", &r);
    b.finish()
}
