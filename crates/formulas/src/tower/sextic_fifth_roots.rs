//! Products and squares in `K[x]/(x⁶ − ξ)` from values at 0 and the ten tenth roots of unity.
//!
//! * **computes** `r = 10·a·b`, `r = 10·a²`.
//! * **needs** `ζ` in K with `ζ⁴ + ζ³ + ζ² + ζ + 1 = 0`; cheap where `K = Fp(ζ)`.
//! * **gives** scale 10.
//! * **cost** 11M + 120A + 64 products with powers of ζ + 5·ξ, the square 11S + 90A + 48 of them + 5·ξ; these rotate
//!   five coordinates and cost at most three additions in Fp.
//! * **source** Toom-Cook at ±ζ^j. A transform of five points in fewer additions would lower the 120.

use crate::build::{Builder, Element};
use crate::definitions::extension::SEXTIC;
use crate::formula::Formula;
use crate::verify::Defect;

const SOURCE: &str = "Toom-Cook at tenth roots of unity";
/// ζ and its powers.
const POWERS: &[&str] = &["zeta^4 = -zeta^3 - zeta^2 - zeta - 1", "zeta2 = zeta^2", "zeta3 = zeta^3", "zeta4 = zeta^4"];

/// The powers of ζ.
struct Powers<'b>([Element<'b>; 4]);

impl<'b> Powers<'b> {
    /// `ζ^k·a`
    fn turn(&self, k: usize, a: Element<'b>) -> Element<'b> {
        if k.is_multiple_of(5) { a } else { self.0[k % 5 - 1] * a }
    }

    /// `a(ζ^j), a(−ζ^j)` for j = 0 … 4.
    fn values(&self, a: &[Element<'b>]) -> Vec<Element<'b>> {
        let both = (0..5).map(|j| {
            let even = a[0] + self.turn(2 * j, a[2]) + self.turn(4 * j, a[4]);
            let odd = a[5] + self.turn(j, a[1]) + self.turn(3 * j, a[3]);
            [even + odd, even - odd]
        });
        both.collect::<Vec<_>>().concat()
    }

    /// `Σ_j s_j ζ^(−jk)`
    fn coefficient(&self, s: &[Element<'b>], k: usize) -> Element<'b> {
        (1..5).fold(s[0], |sum, j| sum + self.turn((5 - k % 5) * j, s[j]))
    }
}

/// Ten times the result from the products at 0 and at `ζ^j, −ζ^j`.
fn interpolate<'b>(p0: Element<'b>, p: &[Element<'b>], z: &Powers<'b>, xi: Element<'b>) -> Vec<Element<'b>> {
    // Twice the even and odd parts at ζ^j.
    let even: Vec<Element> = (0..5).map(|j| p[2 * j] + p[2 * j + 1]).collect();
    let odd: Vec<Element> = (0..5).map(|j| p[2 * j] - p[2 * j + 1]).collect();
    let c0 = (p0.double().double() + p0).double();
    // 10(c0 + c10) first: ζ^10 = 1.
    let both = z.coefficient(&even, 0);
    let mut c: Vec<Element> = (1..10).map(|k| z.coefficient(if k % 2 == 0 { &even } else { &odd }, k)).collect();
    c.insert(0, c0);
    c.push(both - c0);
    SEXTIC.fold(&c, xi)
}

/// The product.
pub fn product(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.source(SOURCE);
    let [x, y, constants] = SEXTIC.product(&b, 10, POWERS);
    let (z, xi) = (Powers([0, 1, 2, 3].map(|k| constants[k])), constants[4]);
    let p0 = x[0] * y[0];
    let (p, q) = (z.values(&x), z.values(&y));
    let p: Vec<Element> = p.into_iter().zip(q).map(|(p, q)| p * q).collect();
    SEXTIC.give(&b, &interpolate(p0, &p, &z, xi));
    b.finish()
}

/// The square.
pub fn square(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.source(SOURCE);
    let [x, constants] = SEXTIC.square(&b, 10, POWERS);
    let (z, xi) = (Powers([0, 1, 2, 3].map(|k| constants[k])), constants[4]);
    let p: Vec<Element> = z.values(&x).into_iter().map(Element::square).collect();
    SEXTIC.give(&b, &interpolate(x[0].square(), &p, &z, xi));
    b.finish()
}
