//! Products in `K[x]/(x³ − ξ)`, term by term.
//!
//! * **computes** `r = a·b`.
//! * **needs** any commutative ring K.
//! * **gives** scale 1.
//! * **cost** 9M + 6A + 2·ξ.
//! * **source** the definition.

use crate::build::Builder;
use crate::definitions::cubic;
use crate::formula::Formula;
use crate::verify::Defect;

/// The product.
pub fn product(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.source("the definition");
    let [x, y, constants] = cubic::product(&b, 1, &[]);
    let xi = constants[0];
    let r0 = x[0] * y[0] + xi * (x[1] * y[2] + x[2] * y[1]);
    let r1 = x[0] * y[1] + x[1] * y[0] + xi * (x[2] * y[2]);
    let r2 = x[0] * y[2] + x[1] * y[1] + x[2] * y[0];
    b.output("r", "r0 r1 r2", &[r0, r1, r2]);
    b.finish()
}
