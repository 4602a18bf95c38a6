//! Products and squares in `K[u]/(u² − β)`, term by term.
//!
//! * **computes** `r = a·b`, `r = a²`.
//! * **needs** any commutative ring K.
//! * **gives** scale 1.
//! * **cost** product 4M + 2A + β; square 1M + 2S + 2A + β.
//! * **source** the definition.

use crate::build::Builder;
use crate::definitions::quadratic;
use crate::formula::Formula;
use crate::verify::Defect;

/// The product.
pub fn product(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.source("the definition");
    let (x, y, beta) = quadratic::product(&b, quadratic::ANY_BETA);
    let r0 = x[0] * y[0] + beta * (x[1] * y[1]);
    let r1 = x[0] * y[1] + x[1] * y[0];
    b.output("r", "r0 r1", &[r0, r1]);
    b.finish()
}

/// The square.
pub fn square(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.source("the definition");
    let (x, beta) = quadratic::square(&b, quadratic::ANY_BETA);
    let r0 = x[0].square() + beta * x[1].square();
    let r1 = (x[0] * x[1]).double();
    b.output("r", "r0 r1", &[r0, r1]);
    b.finish()
}
