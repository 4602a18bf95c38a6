//! Products in `K[x]/(x³ − ξ)` by Karatsuba's method on three coefficients.
//!
//! * **computes** `r = a·b`.
//! * **needs** any commutative ring K.
//! * **gives** scale 1.
//! * **cost** 6M + 15A + 2·ξ; with the partial sum `v0 − ξ v2` shared 6M + 14A + 2·ξ.
//! * **source** Karatsuba and Ofman 1962, on three coefficients; the shared sum is not in it.

use crate::build::{Builder, Element};
use crate::formula::Formula;
use crate::tower::cubic;
use crate::verify::Defect;

/// `a_j b_k + a_k b_j + v_j + v_k`
fn cross<'b>(a: &[Element<'b>], b: &[Element<'b>], j: usize, k: usize) -> Element<'b> {
    (a[j] + a[k]) * (b[j] + b[k])
}

/// With 15 additions.
pub fn plain(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.computes("r = a·b in K[x]/(x³ − ξ)");
    b.source("Karatsuba and Ofman 1962, on three coefficients");
    let [x, y, constants] = cubic::product(&b, &[]);
    let xi = constants[0];
    let v: Vec<Element> = (0..3).map(|k| x[k] * y[k]).collect();
    let r0 = v[0] + xi * (cross(&x, &y, 1, 2) - v[1] - v[2]);
    let r1 = cross(&x, &y, 0, 1) - v[0] - v[1] + xi * v[2];
    let r2 = cross(&x, &y, 0, 2) - v[0] - v[2] + v[1];
    b.output("r", "r0 r1 r2", &[r0, r1, r2]);
    b.finish()
}

/// With 14 additions.
pub fn shared(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.computes("r = a·b in K[x]/(x³ − ξ)");
    b.source("Karatsuba and Ofman 1962, on three coefficients, with a shared partial sum");
    let [x, y, constants] = cubic::product(&b, &[]);
    let xi = constants[0];
    let v: Vec<Element> = (0..3).map(|k| x[k] * y[k]).collect();
    let z = v[0] - xi * v[2];
    let r0 = z + xi * (cross(&x, &y, 1, 2) - v[1]);
    let r1 = cross(&x, &y, 0, 1) - z - v[1];
    let r2 = cross(&x, &y, 0, 2) - v[0] - v[2] + v[1];
    b.output("r", "r0 r1 r2", &[r0, r1, r2]);
    b.finish()
}
