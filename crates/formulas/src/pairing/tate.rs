//! Steps of Miller loops of Tate pairings on `y² = x³ + a x + b`, in Jacobian coordinates, and what their lines and
//! verticals are at distorted points.
//!
//! * **computes** `R = 2T` and the tangent at T; `R = T + Q` and the line through T and Q, Q affine; lines and verticals
//!   at points of the curve over an extension; products with such lines.
//! * **needs** T neither the identity nor of order two; for sums T ≠ ±Q.
//! * **gives** the line at (x, y) as `c0 + cx x + cy y`; at `(−x, u y)` with `u² = −1` two coordinates, at `(v x, y)` with
//!   `v³ = ξ` two of three. A vertical `v x − X/Z²` is given as `Z⁴((v x)³ − (X/Z²)³)` over it: the numerator lies in K.
//! * **cost** doubling 6M + 5S for a = 0, 6M + 6S for a = 1; addition 10M + 3S; a line at a point 2M, over a vertical
//!   2M + 2S, a product with a line 5M + 1·ξ.
//! * **source** Barreto, Kim, Lynn, Scott, "Efficient algorithms for pairing-based cryptosystems" (2002); for verticals
//!   Lin, Zhao, Zhang, Wang, "Computing the Ate pairing on elliptic curves with embedding degree k = 9" (2008).

use super::steps::line;
use crate::build::{Builder, Element};
use crate::definitions::weierstrass::JACOBIAN;
use crate::definitions::{cubic, weierstrass};
use crate::formula::Formula;
use crate::verify::Defect;

/// 2T, from `X²`, `Z²` and `3X² + a Z⁴`.
fn doubling(
    name: &str,
    a: &str,
    slope: impl for<'b> Fn(Element<'b>, Element<'b>) -> Element<'b>,
) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.computes("R = 2T on y² = x³ + a x + b, Jacobian, and the tangent at T");
    b.source("Barreto et al. 2002");
    let [x, y, z] = weierstrass::input(&b, "T", "1");
    b.constant(a);
    b.constant("b");
    weierstrass::stands_for(&b, "1", JACOBIAN);
    weierstrass::double(&b);
    let (yy, zz) = (y.square(), z.square());
    let m = slope(x.square(), zz);
    let s = 4 * (x * yy);
    let x3 = m.square() - s.double();
    let y3 = m * (s - x3) - 8 * yy.square();
    let z3 = (y * z).double();
    weierstrass::gives(&b, JACOBIAN, [x3, y3, z3]);
    line(&b, [m * x - yy.double(), -(m * zz), z3 * zz]);
    b.finish()
}

/// For a = 1.
pub fn double_one(name: &str) -> Result<Formula, Defect> {
    doubling(name, "a = 1", |xx, zz| 3 * xx + zz.square())
}

/// For a = 0.
pub fn double_zero(name: &str) -> Result<Formula, Defect> {
    doubling(name, "a = 0", |xx, _| 3 * xx)
}

/// T + Q.
pub fn add(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.computes("R = T + Q on y² = x³ + a x + b, T Jacobian, Q affine, and the line through T and Q");
    b.source("Barreto et al. 2002");
    let [x, y, z] = weierstrass::input(&b, "T", "1");
    let q = b.input("Q", "x2 y2");
    b.constant("a");
    b.constant("b");
    weierstrass::stands_for(&b, "1", JACOBIAN);
    weierstrass::on_curve(&b, "2");
    weierstrass::sum(&b);
    let zz = z.square();
    let (h, r) = (q[0] * zz - x, q[1] * (z * zz) - y);
    let (hh, z3) = (h.square(), z * h);
    let (hhh, v) = (h * hh, x * hh);
    let x3 = r.square() - hhh - v.double();
    weierstrass::gives(&b, JACOBIAN, [x3, r * (v - x3) - y * hhh, z3]);
    line(&b, [r * q[0] - z3 * q[1], -r, z3]);
    b.finish()
}

/// A line at `(−x, u y)`.
pub fn at_even(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.computes("a line at (−x, u y) with u² = −1");
    b.source("the definition");
    let (l, p) = (b.input("line", "c0 cx cy"), b.input("P", "x y"));
    b.define("root u^2 = -1");
    b.define("gives r0 + r1*u = c0 + cx*(-x) + cy*(u*y)");
    b.output("r", "r0 r1", &[l[0] - l[1] * p[0], l[2] * p[1]]);
    b.finish()
}

/// A line at `(v x, y)`.
pub fn at_odd(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.computes("a line at (v x, y) with v³ = ξ");
    b.source("the definition");
    let (l, p) = (b.input("line", "c0 cx cy"), b.input("P", "x y"));
    b.constant("xi");
    b.define("root v^3 = xi");
    b.define("gives r0 + r1*v = c0 + cx*(v*x) + cy*y");
    b.output("r", "r0 r1", &[l[0] + l[2] * p[1], l[1] * p[0]]);
    b.finish()
}

/// One over the vertical through T at `(v x, y)`, times what lies in K.
pub fn over_vertical(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.computes("Z⁴((v x)³ − xT³)/(v x − xT) with v³ = ξ, for xT = X/Z²");
    b.source("Lin et al. 2008");
    let (t, p) = (b.input("T", "X Y Z"), b.input("P", "x y"));
    b.constant("xi");
    b.define("root v^3 = xi");
    b.define("unknown xT");
    b.define("given X = xT*Z^2");
    b.define("gives (r0 + r1*v + r2*v^2)*(v*x - xT) = Z^4*(xi*x^3 - xT^3)");
    let at = p[0] * t[2].square();
    b.output("r", "r0 r1 r2", &[t[0].square(), t[0] * at, at.square()]);
    b.finish()
}

/// `a·(b0 + b1 x)` in `K[x]/(x³ − ξ)`.
pub fn by_line(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    let (f, l, xi) = cubic::sparse_product(&b);
    b.source("Karatsuba");
    let (v0, v1) = (f[0] * l[0], f[1] * l[1]);
    let cross = (f[0] + f[1]) * (l[0] + l[1]) - v0 - v1;
    b.output("r", "r0 r1 r2", &[v0 + xi * (f[2] * l[1]), cross, f[2] * l[0] + v1]);
    b.finish()
}
