//! Inverses in `K[u]/(u² − β)` by the norm.
//!
//! * **computes** `r = 1/a = (a0 − a1 u)/(a0² − β a1²)`.
//! * **needs** a norm that has an inverse in K.
//! * **gives** scale 1.
//! * **cost** 1I + 2M + 2S + 2A + β.
//! * **source** the definition of the norm.

use crate::build::Builder;
use crate::definitions::quadratic;
use crate::formula::Formula;
use crate::verify::Defect;

/// The inverse.
pub fn inverse(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.source("the conjugate over the norm");
    let (x, beta) = quadratic::inverse(&b, quadratic::ANY_BETA);
    let norm = x[0].square() - beta * x[1].square();
    let t = norm.invert();
    b.output("r", "r0 r1", &[x[0] * t, -(x[1] * t)]);
    b.finish()
}
