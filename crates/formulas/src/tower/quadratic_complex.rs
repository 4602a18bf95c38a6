//! Squares in `K[u]/(u² − β)` with two products.
//!
//! * **computes** `r = a²`.
//! * **needs** any commutative ring K; the short form `u² = −1`.
//! * **gives** scale 1.
//! * **cost** 2M + 5A + 2·β; for β = −1: 2M + 3A.
//! * **source** the "complex method" of squaring; folklore.

use crate::build::Builder;
use crate::definitions::quadratic;
use crate::formula::Formula;
use crate::verify::Defect;

/// For any β.
pub fn square(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.source("complex squaring");
    let (x, beta) = quadratic::square(&b, quadratic::ANY_BETA);
    let v = x[0] * x[1];
    let r0 = (x[0] + x[1]) * (x[0] + beta * x[1]) - v - beta * v;
    b.output("r", "r0 r1", &[r0, v.double()]);
    b.finish()
}

/// For β = −1.
pub fn square_of_gauss(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.source("complex squaring");
    let (x, _) = quadratic::square(&b, quadratic::MINUS_ONE);
    let r0 = (x[0] + x[1]) * (x[0] - x[1]);
    let r1 = (x[0] * x[1]).double();
    b.output("r", "r0 r1", &[r0, r1]);
    b.finish()
}
