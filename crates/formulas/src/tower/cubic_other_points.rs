//! Products in `K[x]/(x³ − ξ)` from values at other elements than i: ω, φ, √2, √−2.
//!
//! * **computes** `r = s·a·b` with the scale s of each.
//! * **needs** the element in K: `ω² = −ω − 1`, `φ² = φ + 1`, `t² = ±2`.
//! * **gives** scale 3 (ω), 2 (φ), 4 (√2), 12 (√−2).
//! * **cost** 5M and 29A + 3·ω, 25A + 8 products with powers of φ, 30A + 3·√2, 36A + 3·√−2; 2·ξ each. A product with one of
//!   the four costs an addition in the base field (half an A), where one with i costs nothing.
//! * **source** Toom-Cook at conjugate points. They are here for comparison: none is ahead of i.

use crate::build::{Builder, Element};
use crate::definitions::cubic;
use crate::formula::Formula;
use crate::verify::Defect;

const SOURCE: &str = "Toom-Cook at conjugate points";

/// The result from s times the coefficients `c0 … c4` of the product polynomial.
fn fold<'b>(c: [Element<'b>; 5], xi: Element<'b>) -> [Element<'b>; 3] {
    [c[0] + xi * c[3], c[1] + xi * c[4], c[2]]
}

/// `s + u + v`, `s + ωu + ω²v`, `s + ω²u + ωv`
fn three_points<'b>(s: Element<'b>, u: Element<'b>, v: Element<'b>, omega: Element<'b>) -> [Element<'b>; 3] {
    let t = omega * (u - v);
    [s + (u + v), s - v + t, s - u - t]
}

/// At 0, infinity and the three cube roots of unity.
pub fn omega(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.source(SOURCE);
    let [x, y, constants] = cubic::product(&b, 3, &["omega^2 = -omega - 1"]);
    let (omega, xi) = (constants[0], constants[1]);
    let (p0, pinf) = (x[0] * y[0], x[2] * y[2]);
    let (p, q) = (three_points(x[0], x[1], x[2], omega), three_points(y[0], y[1], y[2], omega));
    let [p1, pw, pv] = [0, 1, 2].map(|k| p[k] * q[k]);
    // 3(c0 + c3), 3c2, 3(c1 + c4)
    let [s0, c2, s1] = three_points(p1, pw, pv, omega);
    let (c0, c4) = (3 * p0, 3 * pinf);
    b.output("r", "r0 r1 r2", &fold([c0, s1 - c4, c2, s0 - c0, c4], xi));
    b.finish()
}

/// At 0, ±1 and ±φ, the golden ratio.
pub fn phi(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.source(SOURCE);
    let more = ["phi^2 = phi + 1", "square = phi + 1", "inverse = phi - 1", "inverse_square = 2 - phi"];
    let [x, y, constants] = cubic::product(&b, 2, &more);
    let [phi, square, inverse, inverse_square, xi] = [0, 1, 2, 3, 4].map(|k| constants[k]);
    let p0 = x[0] * y[0];
    let (p, q) = (opposite_points(&x, square * x[2], phi), opposite_points(&y, square * y[2], phi));
    let [p1, pm, pt, pu] = [0, 1, 2, 3].map(|k| p[k] * q[k]);
    let (e, f, g, h) = (p1 + pm, p1 - pm, pt + pu, pt - pu);
    let c3 = inverse * (inverse * h - f);
    let c0 = p0.double();
    let rest = e - c0; // 2(c2 + c4)
    let c4 = inverse_square * (inverse * (g - e) - rest);
    b.output("r", "r0 r1 r2", &fold([c0, f - c3, rest - c4, c3, c4], xi));
    b.finish()
}

/// `a(1), a(−1), a(t), a(−t)` from `t²·a2`.
fn opposite_points<'b>(a: &[Element<'b>], last: Element<'b>, t: Element<'b>) -> [Element<'b>; 4] {
    let (s, d, turned) = (a[0] + a[2], a[0] + last, t * a[1]);
    [s + a[1], s - a[1], d + turned, d - turned]
}

/// At 0, ±1 and ±√2.
pub fn root_2(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.source(SOURCE);
    let [x, y, constants] = cubic::product(&b, 4, &["t^2 = 2"]);
    let (t, xi) = (constants[0], constants[1]);
    let p0 = x[0] * y[0];
    let (p, q) = (opposite_points(&x, x[2].double(), t), opposite_points(&y, y[2].double(), t));
    let [p1, pm, pt, pu] = [0, 1, 2, 3].map(|k| p[k] * q[k]);
    let (e, f) = ((p1 + pm).double(), (p1 - pm).double()); // 4(c0 + c2 + c4), 4(c1 + c3)
    let c3 = t * (pt - pu) - f;
    let twice = p0.double();
    let c0 = twice.double();
    let c4 = (pt + pu) - e + twice;
    b.output("r", "r0 r1 r2", &fold([c0, f - c3, e - c0 - c4, c3, c4], xi));
    b.finish()
}

/// At 0, ±1 and ±√−2.
pub fn root_minus_2(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.source(SOURCE);
    let [x, y, constants] = cubic::product(&b, 12, &["t^2 = -2"]);
    let (t, xi) = (constants[0], constants[1]);
    let p0 = x[0] * y[0];
    let (p, q) = (minus_points(&x, t), minus_points(&y, t));
    let [p1, pm, pt, pu] = [0, 1, 2, 3].map(|k| p[k] * q[k]);
    let (e, f) = ((p1 + pm).double(), (p1 - pm).double()); // 4(c0 + c2 + c4), 4(c1 + c3)
    let c3 = t * (pt - pu) + f;
    let six = 3 * p0.double();
    let c0 = six.double();
    let c4 = (pt + pu) + e - six;
    b.output("r", "r0 r1 r2", &fold([c0, 3 * f - c3, 3 * e - c0 - c4, c3, c4], xi));
    b.finish()
}

/// `a(1), a(−1), a(t), a(−t)` for `t² = −2`.
fn minus_points<'b>(a: &[Element<'b>], t: Element<'b>) -> [Element<'b>; 4] {
    let (s, d, turned) = (a[0] + a[2], a[0] - a[2].double(), t * a[1]);
    [s + a[1], s - a[1], d + turned, d - turned]
}
