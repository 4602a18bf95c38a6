//! Products and squares in `K[u]/(u² − β)` by Karatsuba's method.
//!
//! * **computes** `r = a·b`, `r = a²`.
//! * **needs** any commutative ring K.
//! * **gives** scale 1.
//! * **cost** product 3M + 5A + β; square 3S + 4A + β.
//! * **source** Karatsuba and Ofman 1962.

use crate::build::Builder;
use crate::definitions::quadratic;
use crate::formula::Formula;
use crate::verify::Defect;

/// The product.
pub fn product(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.source("Karatsuba and Ofman 1962");
    let (x, y, beta) = quadratic::product(&b, quadratic::ANY_BETA);
    let (v0, v1) = (x[0] * y[0], x[1] * y[1]);
    let r0 = v0 + beta * v1;
    let r1 = (x[0] + x[1]) * (y[0] + y[1]) - (v0 + v1);
    b.output("r", "r0 r1", &[r0, r1]);
    b.finish()
}

/// The square.
pub fn square(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.source("Karatsuba and Ofman 1962");
    let (x, beta) = quadratic::square(&b, quadratic::ANY_BETA);
    let (v0, v1) = (x[0].square(), x[1].square());
    let r0 = v0 + beta * v1;
    let r1 = (x[0] + x[1]).square() - (v0 + v1);
    b.output("r", "r0 r1", &[r0, r1]);
    b.finish()
}
