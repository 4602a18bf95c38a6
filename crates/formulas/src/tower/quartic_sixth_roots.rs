//! Products and squares in `K[x]/(x⁴ − ξ)` from values at 0 and the six sixth roots of unity.
//!
//! * **computes** `r = 6·a·b`, `r = 6·a²`.
//! * **needs** `ζ` in K with `ζ² = −ζ − 1`, a cube root of unity; cheap where `K = Fp(ω)`, `ω² = ω − 1`, `ζ = ω²`.
//! * **gives** scale 6.
//! * **cost** 7M + 55A + 6·ζ + 3·ξ, the square 7S + 41A + 4·ζ + 3·ξ. A product with ζ costs one addition in Fp, half an A.
//! * **source** Toom-Cook at ±ζ^j; not for fields with p = 1 mod 3, where ζ is in Fp.

use crate::build::{Builder, Element};
use crate::definitions::extension::QUARTIC;
use crate::formula::Formula;
use crate::verify::Defect;

const SOURCE: &str = "Toom-Cook at sixth roots of unity";
/// ζ: the third root of unity has one name in all formulas.
const ROOT: &str = "omega^2 = -omega - 1";

/// Values at `1, −1, ζ, −ζ, ζ², −ζ²`.
fn values<'b>(a: &[Element<'b>], zeta: Element<'b>) -> [Element<'b>; 6] {
    let (z1, z2) = (zeta * a[1], zeta * a[2]);
    let even = [a[0] + a[2], (a[0] - a[2]) - z2, a[0] + z2];
    let odd = [a[3] + a[1], a[3] + z1, (a[3] - a[1]) - z1];
    [even[0] + odd[0], even[0] - odd[0], even[1] + odd[1], even[1] - odd[1], even[2] + odd[2], even[2] - odd[2]]
}

/// `3f0, 3f1, 3f2` from `f(1), f(ζ), f(ζ²)`.
fn transform<'b>([s1, sz, sw]: [Element<'b>; 3], zeta: Element<'b>) -> [Element<'b>; 3] {
    let t = zeta * (sz - sw);
    [s1 + (sz + sw), s1 - sz - t, s1 - sw + t]
}

/// Six times the result from the products at 0 and `1, −1, ζ, −ζ, ζ², −ζ²`.
fn interpolate<'b>(p0: Element<'b>, p: [Element<'b>; 6], [zeta, xi]: [Element<'b>; 2]) -> Vec<Element<'b>> {
    let s = [0, 2, 4].map(|k| p[k] + p[k + 1]);
    let d = [0, 2, 4].map(|k| p[k] - p[k + 1]);
    // 6(c0 + c6), 6c2, 6c4: the even part has y = x² for its variable.
    let [c0_c6, c2, c4] = transform([s[0], s[2], s[1]], zeta);
    // 6c3, 6c1, 6c5
    let [c3, c1, c5] = transform([d[0], d[1], d[2]], zeta);
    let c0 = 3 * p0.double();
    let c6 = c0_c6 - c0;
    QUARTIC.fold(&[c0, c1, c2, c3, c4, c5, c6], xi)
}

/// The product.
pub fn product(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.source(SOURCE);
    let [x, y, constants] = QUARTIC.product(&b, 6, &[ROOT]);
    let (zeta, xi) = (constants[0], constants[1]);
    let p0 = x[0] * y[0];
    let (p, q) = (values(&x, zeta), values(&y, zeta));
    QUARTIC.give(&b, &interpolate(p0, [0, 1, 2, 3, 4, 5].map(|k| p[k] * q[k]), [zeta, xi]));
    b.finish()
}

/// The square.
pub fn square(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.source(SOURCE);
    let [x, constants] = QUARTIC.square(&b, 6, &[ROOT]);
    let (zeta, xi) = (constants[0], constants[1]);
    let p = values(&x, zeta).map(Element::square);
    QUARTIC.give(&b, &interpolate(x[0].square(), p, [zeta, xi]));
    b.finish()
}
