//! Inverses in `K[x]/(x³ − ξ)` by the norm.
//!
//! * **computes** `r = 1/a`, the adjoint over the norm.
//! * **needs** a norm that has an inverse in K.
//! * **gives** scale 1.
//! * **cost** 1I + 9M + 3S + 5A + 3·ξ.
//! * **source** Cramer's rule.

use crate::build::Builder;
use crate::definitions::cubic;
use crate::formula::Formula;
use crate::verify::Defect;

/// The inverse.
pub fn inverse(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.source("Cramer's rule");
    let (x, xi) = cubic::inverse(&b);
    let t0 = x[0].square() - xi * (x[1] * x[2]);
    let t1 = xi * x[2].square() - x[0] * x[1];
    let t2 = x[1].square() - x[0] * x[2];
    let norm = x[0] * t0 + xi * (x[2] * t1 + x[1] * t2);
    let t = norm.invert();
    b.output("r", "r0 r1 r2", &[t0 * t, t1 * t, t2 * t]);
    b.finish()
}
