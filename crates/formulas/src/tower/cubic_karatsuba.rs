//! Products and squares in `K[x]/(x³ − ξ)` by Karatsuba's method on three coefficients.
//!
//! * **computes** `r = a·b`, `r = a²`.
//! * **needs** any commutative ring K.
//! * **gives** scale 1.
//! * **cost** 6M + 15A + 2·ξ; with the partial sum `v0 − ξ v2` shared 6M + 14A + 2·ξ; the square 6S + 11A + 2·ξ.
//! * **source** Karatsuba and Ofman 1962, on three coefficients; the shared sum is not in it.

use crate::build::{Builder, Element};
use crate::definitions::cubic;
use crate::formula::Formula;
use crate::verify::Defect;

const SOURCE: &str = "Karatsuba and Ofman 1962, on three coefficients";

/// `(a_j + a_k)(b_j + b_k)`
fn cross<'b>(a: &[Element<'b>], b: &[Element<'b>], j: usize, k: usize) -> Element<'b> {
    (a[j] + a[k]) * (b[j] + b[k])
}

/// With 15 additions.
pub fn plain(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.source(SOURCE);
    let [x, y, constants] = cubic::product(&b, 1, &[]);
    let xi = constants[0];
    let [v0, v1, v2] = [0, 1, 2].map(|k| x[k] * y[k]);
    let r0 = v0 + xi * (cross(&x, &y, 1, 2) - v1 - v2);
    let r1 = cross(&x, &y, 0, 1) - v0 - v1 + xi * v2;
    let r2 = cross(&x, &y, 0, 2) - v0 - v2 + v1;
    b.output("r", "r0 r1 r2", &[r0, r1, r2]);
    b.finish()
}

/// The coefficients from `v_k = a_k b_k` and `e_jk`, the products of sums, with a shared sum.
fn combine<'b>([v0, v1, v2]: [Element<'b>; 3], [e01, e12, e02]: [Element<'b>; 3], xi: Element<'b>) -> [Element<'b>; 3] {
    let z = v0 - xi * v2;
    [z + xi * (e12 - v1), e01 - z - v1, e02 - v0 - v2 + v1]
}

/// The product of two elements with a shared sum.
pub(super) fn of<'b>(x: [Element<'b>; 3], y: [Element<'b>; 3], xi: Element<'b>) -> [Element<'b>; 3] {
    let v = [0, 1, 2].map(|k| x[k] * y[k]);
    let e = [(0, 1), (1, 2), (0, 2)].map(|(j, k)| cross(&x, &y, j, k));
    combine(v, e, xi)
}

/// With 14 additions.
pub fn shared(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.source(SOURCE);
    let [x, y, constants] = cubic::product(&b, 1, &[]);
    b.output("r", "r0 r1 r2", &of([x[0], x[1], x[2]], [y[0], y[1], y[2]], constants[0]));
    b.finish()
}

/// Six squares.
pub fn square(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.source(SOURCE);
    let [x, constants] = cubic::square(&b, 1, &[]);
    let v = [0, 1, 2].map(|k| x[k].square());
    let e = [(0, 1), (1, 2), (0, 2)].map(|(j, k)| (x[j] + x[k]).square());
    b.output("r", "r0 r1 r2", &combine(v, e, constants[0]));
    b.finish()
}
