//! Products and squares in `K[x]/(x⁶ − ξ)` from values at eleven points of small Gaussian norm.
//!
//! * **computes** `r = 2400·a·b`, `r = 2400·a²`.
//! * **needs** `i` in K with `i² = −1`.
//! * **gives** scale 2400.
//! * **cost** 11M + 248A + 17·i + 5·ξ, the square 11S + 210A + 11·i + 5·ξ; multiples by numbers up
//!   to 600 count as additions. The points are 0, infinity, ±1, ±i, ±1 ± i, 2.
//! * **source** Toom-Cook at the units, the elements of norm 2 and one of norm 4; the schedule of sums is ours.

use crate::build::{Builder, Element};
use crate::definitions::extension::SEXTIC;
use crate::formula::Formula;
use crate::verify::Defect;

const SOURCE: &str = "Toom-Cook at elements of small norm of Gauss's integers";
const ROOT: &str = "i^2 = -1";

/// `c0 + c1 y + c2 y² + c3 y³` at `1, −1, i, −i`.
fn fourth_roots<'b>([c0, c1, c2, c3]: [Element<'b>; 4], i: Element<'b>) -> [Element<'b>; 4] {
    let (e, d) = (c0 + c2, c0 - c2);
    let (o, h) = (c1 + c3, i * (c1 - c3));
    [e + o, e - o, d + h, d - h]
}

/// Four times the coefficients.
fn inverse_fourth_roots<'b>([p1, pm, pi, pj]: [Element<'b>; 4], i: Element<'b>) -> [Element<'b>; 4] {
    let (e, f) = (p1 + pm, p1 - pm);
    let (g, h) = (pi + pj, i * (pi - pj));
    [e + g, f - h, e - g, f + h]
}

/// Values, or products of values, at the units, at `(1 + i)` times the units, at 2, 0 and infinity.
struct Values<'b> {
    units: [Element<'b>; 4],
    doubled: [Element<'b>; 4],
    at_2: Element<'b>,
    ends: [Element<'b>; 2],
}

fn values<'b>(a: &[Element<'b>], i: Element<'b>) -> Values<'b> {
    let units = fourth_roots([a[0] + a[4], a[1] + a[5], a[2], a[3]], i);
    // x = (1 + i)y with y⁴ = 1, so x⁴ = −4, x² = 2i y².
    let odd = |e: Element<'b>| e + i * e;
    let folded =
        [a[0] - a[4].double().double(), odd(a[1] - a[5].double().double()), i * a[2].double(), odd(i * a[3].double())];
    let at_2 = (0..5).rev().fold(a[5], |sum, k| sum.double() + a[k]);
    Values { units, doubled: fourth_roots(folded, i), at_2, ends: [a[0], a[5]] }
}

/// 2400 times the result from the products.
fn interpolate<'b>(products: Values<'b>, i: Element<'b>, xi: Element<'b>) -> Vec<Element<'b>> {
    let Values { units, doubled, at_2, ends: [c0, c10] } = products;
    // 4u_k, where u_k = c_k + c_(k+4) + c_(k+8), and 4(1 + i)^k v_k, where v_k = c_k − 4c_(k+4) + 16c_(k+8).
    let u = inverse_fourth_roots(units, i);
    let v = inverse_fourth_roots(doubled, i);
    // V1 = 8v1, V2 = 8v2, V3 = 16v3: times 1 − i, −i, −i(1 − i) = −1 − i.
    let (v0, v1, v2, v3) = (v[0], v[1] - i * v[1], -(i * v[2]), -(v[3] + i * v[3]));
    // 120U_k and 600U_k; with 4u_k = U_k all coefficients come by 2400.
    let once = u.map(|u| 120 * u);
    let five = once.map(|u| 5 * u);
    // k = 3: 5c7 = u3 − v3; k = 2: 5c6 = (u2 − c10) − (v2 − 16c10); k = 0: 20c8 = (v0 − c0) + 4(u0 − c0).
    let c7 = once[3] - 30 * v3;
    let (all_10, quarter_0) = (2400 * c10, 600 * c0);
    let c6 = once[2] - 60 * v2 + 3 * all_10;
    let c8 = 30 * v0 + once[0] - quarter_0;
    let all_0 = quarter_0.times(4);
    let (c3, c2, c4) = (five[3] - c7, five[2] - c6 - all_10, five[0] - all_0 - c8);
    // What these leave of the value at 2, doubled: 2W = 4c1 + 64c5 + 1024c9, from U and V alone.
    let from_units = (u[2] + (u[3] + u[0].double()).double()).double().double();
    let w = (at_2 - from_units - 3 * (v0 - 25 * c0)).double() + 3 * (v3 + v2) - all_10;
    // 600c9 = (W − 2u1) + 6(v1 − u1); 5c5 = 15c9 − (v1 − u1).
    let c9 = w.double() - 8 * u[1] + 3 * v1;
    let c5 = 3 * c9 - 60 * v1 + once[1];
    let c1 = five[1] - c5 - c9;
    let c = [all_0, c1, c2, c3, c4, c5, c6, c7, c8, c9, all_10];
    SEXTIC.fold(&c, xi)
}

/// The product.
pub fn product(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.source(SOURCE);
    let [x, y, constants] = SEXTIC.product(&b, 2400, &[ROOT]);
    let (i, xi) = (constants[0], constants[1]);
    let ends = [x[0] * y[0], x[5] * y[5]];
    let (p, q) = (values(&x, i), values(&y, i));
    let units = [0, 1, 2, 3].map(|k| p.units[k] * q.units[k]);
    let doubled = [0, 1, 2, 3].map(|k| p.doubled[k] * q.doubled[k]);
    let products = Values { units, doubled, at_2: p.at_2 * q.at_2, ends };
    SEXTIC.give(&b, &interpolate(products, i, xi));
    b.finish()
}

/// The square.
pub fn square(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.source(SOURCE);
    let [x, constants] = SEXTIC.square(&b, 2400, &[ROOT]);
    let (i, xi) = (constants[0], constants[1]);
    let p = values(&x, i);
    let products = Values {
        units: p.units.map(Element::square),
        doubled: p.doubled.map(Element::square),
        at_2: p.at_2.square(),
        ends: p.ends.map(Element::square),
    };
    SEXTIC.give(&b, &interpolate(products, i, xi));
    b.finish()
}
