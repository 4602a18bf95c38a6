//! Complete addition and doubling on `y² = x³ + a x + b`, projective.
//!
//! * **computes** `R = P + Q`, `R = 2P`; identity (0 : 1 : 0).
//! * **needs** for sums that P − Q has not order two, else they are (0 : 0 : 0): in a group without such points there is
//!   no excepted case. Doubling: nothing. (The check compares with the affine law where that is defined; that the rest is
//!   right too is tested on every pair of points of toy curves.)
//! * **gives** projective coordinates.
//! * **cost** addition: any a 12M + 3·a + 2·3b + 23A, a = −3 12M + 2·b + 29A, a = 0 12M + 2·3b + 19A; doubling:
//!   8M + 3S + 3·a + 2·3b + 15A, 8M + 3S + 2·b + 21A, 6M + 2S + 3b + 9A.
//! * **source** Renes, Costello, Batina, "Complete addition formulas for prime order elliptic curves" (2016).

use crate::build::{Builder, Element};
use crate::definitions::weierstrass::{self, PROJECTIVE};
use crate::formula::Formula;
use crate::verify::Defect;

/// The coefficient a.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    General,
    MinusThree,
    Zero,
}

/// `t = a·xz + 3b·zz`, `v = 3xx + a·zz`, `w = a(xx − a·zz) + 3b·xz`
struct Parts<'b> {
    t: Element<'b>,
    v: Element<'b>,
    w: Element<'b>,
}

fn parts<'b>(shape: Shape, c: &[Element<'b>], xx: Element<'b>, zz: Element<'b>, xz: Element<'b>) -> Parts<'b> {
    match shape {
        Shape::General => {
            let (a, b3) = (c[0], c[2]);
            let az = a * zz;
            Parts { t: a * xz + b3 * zz, v: 3 * xx + az, w: a * (xx - az) + b3 * xz }
        }
        Shape::MinusThree => {
            let b = c[1];
            let z3 = 3 * zz;
            Parts { t: 3 * (b * zz - xz), v: 3 * xx - z3, w: 3 * (b * xz - z3 - xx) }
        }
        Shape::Zero => {
            let b3 = c[2];
            Parts { t: b3 * zz, v: 3 * xx, w: b3 * xz }
        }
    }
}

fn constants(b: &Builder, shape: Shape) -> Vec<Element<'_>> {
    let names: &[&str] = match shape {
        Shape::General => &["a", "b", "b3 = 3*b"],
        Shape::MinusThree => &["a = -3", "b"],
        Shape::Zero => &["a = 0", "b", "b3 = 3*b"],
    };
    names.iter().map(|c| b.constant(c)).collect()
}

fn addition(name: &str, shape: Shape) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.computes("R = P + Q on y² = x³ + a x + b, complete");
    b.source("Renes, Costello and Batina 2016");
    let ([x1, y1, z1], [x2, y2, z2]) = (weierstrass::input(&b, "P", "1"), weierstrass::input(&b, "Q", "2"));
    let c = constants(&b, shape);
    weierstrass::stands_for(&b, "1", PROJECTIVE);
    weierstrass::stands_for(&b, "2", PROJECTIVE);
    weierstrass::sum(&b);
    let (xx, yy, zz) = (x1 * x2, y1 * y2, z1 * z2);
    let xy = (x1 + y1) * (x2 + y2) - xx - yy;
    let yz = (y1 + z1) * (y2 + z2) - yy - zz;
    let xz = (x1 + z1) * (x2 + z2) - xx - zz;
    let Parts { t, v, w } = parts(shape, &c, xx, zz, xz);
    let (zp, zm) = (yy + t, yy - t);
    weierstrass::gives(&b, PROJECTIVE, [xy * zm - yz * w, zp * zm + v * w, yz * zp + xy * v]);
    b.finish()
}

fn doubling(name: &str, shape: Shape) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.computes("R = 2P on y² = x³ + a x + b, complete");
    b.source("Renes, Costello and Batina 2016");
    let [x, y, z] = weierstrass::input(&b, "P", "1");
    let c = constants(&b, shape);
    weierstrass::stands_for(&b, "1", PROJECTIVE);
    weierstrass::double(&b);
    if shape == Shape::Zero {
        let (yy, zz) = (y.square(), z.square());
        let (y8, bz) = (8 * yy, c[2] * zz);
        let (ym, yp, yz) = (yy - 3 * bz, yy + bz, y * z);
        weierstrass::gives(&b, PROJECTIVE, [(x * y).double() * ym, ym * yp + bz * y8, yz * y8]);
        return b.finish();
    }
    let (xx, yy, zz) = (x.square(), y.square(), z.square());
    let (xy, xz, yz) = ((x * y).double(), (x * z).double(), (y * z).double());
    let Parts { t, v, w } = parts(shape, &c, xx, zz, xz);
    let (zp, zm) = (yy + t, yy - t);
    weierstrass::gives(&b, PROJECTIVE, [xy * zm - yz * w, zp * zm + v * w, 4 * (yz * yy)]);
    b.finish()
}

/// For any a.
pub fn general(name: &str) -> Result<Formula, Defect> {
    addition(name, Shape::General)
}

/// For a = −3.
pub fn minus_three(name: &str) -> Result<Formula, Defect> {
    addition(name, Shape::MinusThree)
}

/// For a = 0.
pub fn zero(name: &str) -> Result<Formula, Defect> {
    addition(name, Shape::Zero)
}

/// Doubling for any a.
pub fn double_general(name: &str) -> Result<Formula, Defect> {
    doubling(name, Shape::General)
}

/// Doubling for a = −3.
pub fn double_minus_three(name: &str) -> Result<Formula, Defect> {
    doubling(name, Shape::MinusThree)
}

/// Doubling for a = 0.
pub fn double_zero(name: &str) -> Result<Formula, Defect> {
    doubling(name, Shape::Zero)
}
