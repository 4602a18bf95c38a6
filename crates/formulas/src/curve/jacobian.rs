//! Addition and doubling on `y² = x³ + a x + b` in Jacobian coordinates, for public data.
//!
//! * **computes** `R = P + Q`, `R = P + (x, y)`, `R = 2P`; the identity has Z = 0.
//! * **needs** for sums: P ≠ ±Q, neither the identity. Doubling: nothing (the identity and points of order two give Z = 0).
//! * **gives** Jacobian coordinates.
//! * **cost** addition 11M + 5S + 13A or 12M + 4S + 7A, mixed 7M + 4S + 14A or 8M + 3S + 7A; doubling 1M + 8S + a + 17A, for a = −3
//!   3M + 5S + 16A or 4M + 4S + 12A, for a = 0 2M + 5S + 14A. Small multiples count as the additions that they are.
//! * **source** Bernstein and Lange, Explicit-Formulas Database: add-2007-bl, add-1998-cmo-2, madd-2007-bl, dbl-2007-bl,
//!   dbl-2001-b, dbl-2009-l; Hankerson, Menezes, Vanstone, Guide to Elliptic Curve Cryptography (2004), algorithm 3.21.

use crate::build::{Builder, Element};
use crate::definitions::weierstrass::{self, JACOBIAN};
use crate::formula::Formula;
use crate::verify::Defect;

/// P + Q.
pub fn addition(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.computes("R = P + Q on y² = x³ + a x + b, Jacobian");
    b.source("add-2007-bl");
    let [[x1, y1, z1], [x2, y2, z2]] = weierstrass::two_points(&b, JACOBIAN);
    let (zz1, zz2) = (z1.square(), z2.square());
    let (u1, u2) = (x1 * zz2, x2 * zz1);
    let (s1, s2) = (y1 * z2 * zz2, y2 * z1 * zz1);
    let h = u2 - u1;
    let i = h.double().square();
    let (j, r, v) = (h * i, (s2 - s1).double(), u1 * i);
    let x3 = r.square() - j - v.double();
    let y3 = r * (v - x3) - (s1 * j).double();
    let z3 = ((z1 + z2).square() - zz1 - zz2) * h;
    weierstrass::gives(&b, JACOBIAN, [x3, y3, z3]);
    b.finish()
}

/// P + Q, with a product in place of a square and fewer sums.
pub fn addition_cmo(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.computes("R = P + Q on y² = x³ + a x + b, Jacobian");
    b.source("add-1998-cmo-2");
    let [[x1, y1, z1], [x2, y2, z2]] = weierstrass::two_points(&b, JACOBIAN);
    let (zz1, zz2) = (z1.square(), z2.square());
    let (u1, u2) = (x1 * zz2, x2 * zz1);
    let (s1, s2) = (y1 * (z2 * zz2), y2 * (z1 * zz1));
    let (h, r) = (u2 - u1, s2 - s1);
    let hh = h.square();
    let (hhh, v) = (h * hh, u1 * hh);
    let x3 = r.square() - hhh - v.double();
    let y3 = r * (v - x3) - s1 * hhh;
    weierstrass::gives(&b, JACOBIAN, [x3, y3, (z1 * z2) * h]);
    b.finish()
}

/// A point and an affine one, which are to be added.
fn point_and_affine<'b>(b: &'b Builder, source: &str) -> ([Element<'b>; 3], [Element<'b>; 2]) {
    b.computes("R = P + Q on y² = x³ + a x + b, P Jacobian, Q affine");
    b.source(source);
    let p = weierstrass::input(b, "P", "1");
    let q = b.input("Q", "x2 y2");
    b.constant("a");
    b.constant("b");
    weierstrass::stands_for(b, "1", JACOBIAN);
    weierstrass::on_curve(b, "2");
    weierstrass::sum(b);
    (p, [q[0], q[1]])
}

/// P + (x, y), with a product in place of a square and fewer sums.
pub fn mixed_cmo(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    let ([x1, y1, z1], [x2, y2]) = point_and_affine(&b, "add-1998-cmo-2 with Z2 = 1");
    let zz1 = z1.square();
    let (h, r) = (x2 * zz1 - x1, y2 * (z1 * zz1) - y1);
    let hh = h.square();
    let (hhh, v) = (h * hh, x1 * hh);
    let x3 = r.square() - hhh - v.double();
    let y3 = r * (v - x3) - y1 * hhh;
    weierstrass::gives(&b, JACOBIAN, [x3, y3, z1 * h]);
    b.finish()
}

/// P + (x, y).
pub fn mixed(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    let ([x1, y1, z1], q) = point_and_affine(&b, "madd-2007-bl");
    let zz1 = z1.square();
    let (u2, s2) = (q[0] * zz1, q[1] * z1 * zz1);
    let h = u2 - x1;
    let hh = h.square();
    let i = 4 * hh;
    let (j, r, v) = (h * i, (s2 - y1).double(), x1 * i);
    let x3 = r.square() - j - v.double();
    let y3 = r * (v - x3) - (y1 * j).double();
    let z3 = (z1 + h).square() - zz1 - hh;
    weierstrass::gives(&b, JACOBIAN, [x3, y3, z3]);
    b.finish()
}

fn doubling<'b>(b: &'b Builder, source: &str, a: &str) -> ([Element<'b>; 3], Element<'b>) {
    b.computes("R = 2P on y² = x³ + a x + b, Jacobian");
    b.source(source);
    let p = weierstrass::input(b, "P", "1");
    let a = b.constant(a);
    b.constant("b");
    weierstrass::stands_for(b, "1", JACOBIAN);
    weierstrass::double(b);
    (p, a)
}

/// 2P for any a.
pub fn double(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    let ([x, y, z], a) = doubling(&b, "dbl-2007-bl", "a");
    let (xx, yy, zz) = (x.square(), y.square(), z.square());
    let y4 = yy.square();
    let s = ((x + yy).square() - xx - y4).double();
    let m = 3 * xx + a * zz.square();
    let x3 = m.square() - s.double();
    let y3 = m * (s - x3) - 8 * y4;
    weierstrass::gives(&b, JACOBIAN, [x3, y3, (y + z).square() - yy - zz]);
    b.finish()
}

/// 2P for a = −3.
pub fn double_minus_three(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    let ([x, y, z], _) = doubling(&b, "dbl-2001-b", "a = -3");
    let (delta, gamma) = (z.square(), y.square());
    let beta4 = 4 * (x * gamma);
    let alpha = 3 * ((x - delta) * (x + delta));
    let x3 = alpha.square() - beta4.double();
    let y3 = alpha * (beta4 - x3) - 8 * gamma.square();
    weierstrass::gives(&b, JACOBIAN, [x3, y3, (y + z).square() - gamma - delta]);
    b.finish()
}

/// 2P for a = −3, with a product in place of a square and fewer sums.
pub fn double_minus_three_hmv(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    let ([x, y, z], _) = doubling(&b, "Guide to ECC, algorithm 3.21, without its half", "a = -3");
    let zz = z.square();
    let alpha = 3 * ((x - zz) * (x + zz));
    let gamma2 = y.square().double();
    let beta = x * gamma2.double();
    let x3 = alpha.square() - beta.double();
    let y3 = alpha * (beta - x3) - gamma2.square().double();
    weierstrass::gives(&b, JACOBIAN, [x3, y3, y.double() * z]);
    b.finish()
}

/// 2P for a = 0.
pub fn double_zero(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    let ([x, y, z], _) = doubling(&b, "dbl-2009-l", "a = 0");
    let (aa, bb) = (x.square(), y.square());
    let c = bb.square();
    let d = ((x + bb).square() - aa - c).double();
    let e = 3 * aa;
    let x3 = e.square() - d.double();
    let y3 = e * (d - x3) - 8 * c;
    weierstrass::gives(&b, JACOBIAN, [x3, y3, (y * z).double()]);
    b.finish()
}
