//! Products and squares in `K[x]/(x³ − ξ)` from values at 0, 1, −1, i, −i.
//!
//! * **computes** `r = 4·a·b`, `r = 4·a²`.
//! * **needs** `i` in K with `i² = −1`, by which products are exchanges of coordinates.
//! * **gives** scale 4.
//! * **cost** 5M + 25A + 2·ξ, the square 5S + 19A + 2·ξ, and three (two) products with i that cost nothing in `Fp(i)`.
//! * **source** scaled Toom-Cook over Fp(i): the inverse of the values at fourth roots of unity is two layers of sums and
//!   differences. Published counts say 27 additions.

use crate::build::{Builder, Element};
use crate::definitions::cubic;
use crate::formula::Formula;
use crate::verify::Defect;

const SOURCE: &str = "Toom-Cook at the fourth roots of unity";

/// `a(1), a(−1), a(i), a(−i)`
fn values<'b>(a: &[Element<'b>], i: Element<'b>) -> [Element<'b>; 4] {
    let (s, d) = (a[0] + a[2], a[0] - a[2]);
    let turned = i * a[1];
    [s + a[1], s - a[1], d + turned, d - turned]
}

/// Four times the result from the products at 0, 1, −1, i, −i.
fn interpolate<'b>([p0, p1, pm, pi, pj]: [Element<'b>; 5], i: Element<'b>, xi: Element<'b>) -> [Element<'b>; 3] {
    let (e, f) = (p1 + pm, p1 - pm); // 2(c0 + c2 + c4), 2(c1 + c3)
    let (g, h) = (pi + pj, i * (pi - pj)); // 2(c0 − c2 + c4), −2(c1 − c3)
    let (c1, c3, c2) = (f - h, f + h, e - g);
    let c0 = p0.double().double();
    let c4 = (e + g) - c0;
    [c0 + xi * c3, c1 + xi * c4, c2]
}

/// The product.
pub fn product(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.source(SOURCE);
    let [x, y, constants] = cubic::product(&b, 4, &["i^2 = -1"]);
    let (i, xi) = (constants[0], constants[1]);
    let at_0 = x[0] * y[0];
    let (p, q) = (values(&x, i), values(&y, i));
    let [p1, pm, pi, pj] = [0, 1, 2, 3].map(|k| p[k] * q[k]);
    b.output("r", "r0 r1 r2", &interpolate([at_0, p1, pm, pi, pj], i, xi));
    b.finish()
}

/// The square.
pub fn square(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.source(SOURCE);
    let [x, constants] = cubic::square(&b, 4, &["i^2 = -1"]);
    let (i, xi) = (constants[0], constants[1]);
    let at_0 = x[0].square();
    let [p1, pm, pi, pj] = values(&x, i).map(Element::square);
    b.output("r", "r0 r1 r2", &interpolate([at_0, p1, pm, pi, pj], i, xi));
    b.finish()
}
