//! Products and squares in `K[x]/(x³ − ξ)` from values at 0, 1, −1, 2 and infinity, without division.
//!
//! * **computes** `r = 6·a·b`, `r = 6·a²`.
//! * **needs** any commutative ring K; what divides by the scale needs that 6 has an inverse.
//! * **gives** scale 6.
//! * **cost** 5M + 35A + 2·ξ as it is usually written; 34A when differences are tripled once; the square 5S + 28A + 2·ξ.
//! * **source** Toom 1963, Cook 1966, scaled by 6 for pairing-friendly fields. Published counts say 33 additions, by a
//!   schedule that we have not seen.

use crate::build::{Builder, Element};
use crate::definitions::cubic;
use crate::formula::Formula;
use crate::verify::Defect;

const SOURCE: &str = "Toom 1963, Cook 1966, scaled by 6";

/// `a(1), a(−1), a(2)`
fn values<'b>(a: &[Element<'b>]) -> [Element<'b>; 3] {
    let s = a[0] + a[2];
    let (plus, minus) = (s + a[1], s - a[1]);
    [plus, minus, (plus + a[2]).double() - a[0]]
}

/// The result from six times the coefficients `c0 … c4` of the product polynomial.
fn fold<'b>(c: [Element<'b>; 5], xi: Element<'b>) -> [Element<'b>; 3] {
    [c[0] + xi * c[3], c[1] + xi * c[4], c[2]]
}

/// Six times the coefficients from products at 0, 1, −1, 2, infinity.
fn tripled_once<'b>([p0, p1, pm, p2, pinf]: [Element<'b>; 5]) -> [Element<'b>; 5] {
    let (x, y, c4) = (3 * (p1 - p0), 3 * (pm - p0), 3 * pinf.double());
    let c2 = x + y - c4;
    let c3 = p2 - pm - x - c4.double();
    [3 * p0.double(), x - y - c3, c2, c3, c4]
}

fn direct<'b>([p0, p1, pm, p2, pinf]: [Element<'b>; 5]) -> [Element<'b>; 5] {
    let (x, y, z) = (p1 - p0, pm - p0, pinf.double());
    let w = z.double();
    let c2 = 3 * (x + y - z);
    let c3 = (p2 - pm) - 3 * (x + w);
    let twice = p0.double();
    [twice + twice.double(), 3 * (x - y) - c3, c2, c3, z + w]
}

type Interpolation = for<'b> fn([Element<'b>; 5]) -> [Element<'b>; 5];

fn product(name: &str, interpolate: Interpolation) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.source(SOURCE);
    let [x, y, constants] = cubic::product(&b, 6, &[]);
    let (at_0, at_infinity) = (x[0] * y[0], x[2] * y[2]);
    let (p, q) = (values(&x), values(&y));
    let [p1, pm, p2] = [0, 1, 2].map(|k| p[k] * q[k]);
    b.output("r", "r0 r1 r2", &fold(interpolate([at_0, p1, pm, p2, at_infinity]), constants[0]));
    b.finish()
}

/// With 35 additions.
pub fn product_direct(name: &str) -> Result<Formula, Defect> {
    product(name, direct)
}

/// With 34 additions.
pub fn product_tripled_once(name: &str) -> Result<Formula, Defect> {
    product(name, tripled_once)
}

/// Five squares.
pub fn square(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.source(SOURCE);
    let [x, constants] = cubic::square(&b, 6, &[]);
    let (at_0, at_infinity) = (x[0].square(), x[2].square());
    let [p1, pm, p2] = values(&x).map(Element::square);
    b.output("r", "r0 r1 r2", &fold(tripled_once([at_0, p1, pm, p2, at_infinity]), constants[0]));
    b.finish()
}
