//! Addition and doubling on `a x² + y² = 1 + d x² y²`, extended coordinates `(X : Y : Z : T)`, `XY = ZT`.
//!
//! * **computes** `R = P + Q`, `R = 2P`, with or without T; identity (0 : 1 : 1 : 0).
//! * **needs** for completeness: a is a square and d is none. (Tested on every pair of points of toy curves.)
//! * **gives** extended coordinates.
//! * **cost** addition for a = −1 8M + 1·2d + 9A, for any a 9M + a + d + 7A; of an affine point with what is known of it 7M + 7A and
//!   8M + a + 7A; doubling 4M + 4S + a + 7A (a = −1: 4M + 4S + 7A), without T one M less.
//! * **source** Hisil, Wong, Carter, Dawson, "Twisted Edwards curves revisited" (2008).

use crate::build::{Builder, Element};
use crate::formula::Formula;
use crate::verify::Defect;

fn point<'b>(b: &'b Builder, name: &str, at: &str) -> [Element<'b>; 4] {
    let all = b.input(name, &format!("X{at} Y{at} Z{at} T{at}"));
    [all[0], all[1], all[2], all[3]]
}

fn stands_for(b: &Builder, at: &str) {
    b.define(&format!("unknown x{at}"));
    b.define(&format!("unknown y{at}"));
    b.define(&format!("given X{at} = x{at}*Z{at}"));
    b.define(&format!("given Y{at} = y{at}*Z{at}"));
}

/// The outputs from E, F, G, H, after what is known.
fn sum(b: &Builder) {
    for at in ["1", "2"] {
        stands_for(b, at);
        b.define(&format!("given T{at} = x{at}*y{at}*Z{at}"));
    }
    gives_sum(b);
}

/// The affine sum, and that the outputs are its coordinates.
fn gives_sum(b: &Builder) {
    b.define("let product = d*x1*x2*y1*y2");
    b.define("nonzero 1 + product \"none where a is a square and d is none\"");
    b.define("nonzero 1 - product \"none where a is a square and d is none\"");
    b.define("let x3 = (x1*y2 + y1*x2)/(1 + product)");
    b.define("let y3 = (y1*y2 - a*x1*x2)/(1 - product)");
    b.define("nonzero Z3 \"none\"");
    b.define("gives X3 = x3*Z3");
    b.define("gives Y3 = y3*Z3");
    b.define("gives T3 = x3*y3*Z3");
}

fn output<'b>(b: &'b Builder, e: Element<'b>, f: Element<'b>, g: Element<'b>, h: Element<'b>) {
    b.output("R", "X3 Y3 Z3 T3", &[e * f, g * h, f * g, e * h]);
}

/// For a = −1.
pub fn addition_minus_one(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.computes("R = P + Q on −x² + y² = 1 + d x² y², extended");
    b.source("Hisil et al. 2008");
    let ([x1, y1, z1, t1], [x2, y2, z2, t2]) = (point(&b, "P", "1"), point(&b, "Q", "2"));
    b.constant("a = -1");
    b.constant("d");
    let d2 = b.constant("d2 = 2*d");
    sum(&b);
    let (m, p) = ((y1 - x1) * (y2 - x2), (y1 + x1) * (y2 + x2));
    let (c, dd) = (d2 * (t1 * t2), (z1 * z2).double());
    output(&b, p - m, dd - c, dd + c, p + m);
    b.finish()
}

/// P, and what is known of the affine point Q, for an addition of both.
fn mixed<'b>(
    b: &'b Builder,
    a: &str,
    names: &str,
    known: [&str; 3],
) -> ([Element<'b>; 4], Element<'b>, [Element<'b>; 3]) {
    b.source("Hisil et al. 2008");
    let (p, q) = (point(b, "P", "1"), b.input("Q", names));
    let a = b.constant(a);
    b.constant("d");
    stands_for(b, "1");
    b.define("given T1 = x1*y1*Z1");
    b.define("unknown x2");
    b.define("unknown y2");
    known.iter().for_each(|known| b.define(&format!("given {known}")));
    gives_sum(b);
    (p, a, [q[0], q[1], q[2]])
}

/// P + Q for a = −1, with y − x, y + x and 2dxy of Q.
pub fn mixed_minus_one(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.computes("R = P + Q on −x² + y² = 1 + d x² y², P extended, Q affine: y − x, y + x, 2dxy");
    let known = ["M2 = y2 - x2", "P2 = y2 + x2", "C2 = 2*d*x2*y2"];
    let ([x1, y1, z1, t1], _, [m2, p2, c2]) = mixed(&b, "a = -1", "M2 P2 C2", known);
    let (m, p) = ((y1 - x1) * m2, (y1 + x1) * p2);
    let (c, zz) = (t1 * c2, z1.double());
    output(&b, p - m, zz - c, zz + c, p + m);
    b.finish()
}

/// P + Q for any a, with x, y and dxy of Q.
pub fn mixed_addition(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.computes("R = P + Q on a x² + y² = 1 + d x² y², P extended, Q affine: x, y, dxy");
    let known = ["X2 = x2", "Y2 = y2", "C2 = d*x2*y2"];
    let ([x1, y1, z1, t1], a, [x2, y2, c2]) = mixed(&b, "a", "X2 Y2 C2", known);
    let (xx, yy, c) = (x1 * x2, y1 * y2, t1 * c2);
    let e = (x1 + y1) * (x2 + y2) - xx - yy;
    output(&b, e, z1 - c, z1 + c, yy - a * xx);
    b.finish()
}

/// For any a.
pub fn addition(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.computes("R = P + Q on a x² + y² = 1 + d x² y², extended");
    b.source("Hisil et al. 2008");
    let ([x1, y1, z1, t1], [x2, y2, z2, t2]) = (point(&b, "P", "1"), point(&b, "Q", "2"));
    let (a, d) = (b.constant("a"), b.constant("d"));
    sum(&b);
    let (xx, yy, c, zz) = (x1 * x2, y1 * y2, d * (t1 * t2), z1 * z2);
    let e = (x1 + y1) * (x2 + y2) - xx - yy;
    output(&b, e, zz - c, zz + c, yy - a * xx);
    b.finish()
}

/// E, −F, G, −H of a double, which are coordinates as good as with the signs. T of the operand is not needed: who gives
/// one with T is given one, so that a double can be doubled.
fn double<'b>(b: &'b Builder, a: &str, with_t: bool) -> [Element<'b>; 4] {
    b.source("Hisil et al. 2008");
    let all = b.input("P", if with_t { "X1 Y1 Z1 T1" } else { "X1 Y1 Z1" });
    let (x, y, z) = (all[0], all[1], all[2]);
    let minus_one = a != "a";
    let a = b.constant(a);
    b.constant("d");
    stands_for(b, "1");
    b.define("assume C: a*x1^2 + y1^2 = 1 + d*x1^2*y1^2");
    b.define("nonzero 1 + d*x1^2*y1^2 \"none where a is a square and d is none\"");
    b.define("nonzero 1 - d*x1^2*y1^2 \"none where a is a square and d is none\"");
    b.define("let x3 = 2*x1*y1/(1 + d*x1^2*y1^2)");
    b.define("let y3 = (y1^2 - a*x1^2)/(1 - d*x1^2*y1^2)");
    b.define("nonzero Z3 \"none\"");
    b.define("gives X3 = x3*Z3 by x3*(a*x1^2 + y1^2 - 2)*Z1^4*C");
    b.define("gives Y3 = y3*Z3 by y3*(a*x1^2 + y1^2)*Z1^4*C");
    let (xx, yy, zz2) = (x.square(), y.square(), z.square().double());
    let e = (x + y).square() - xx - yy;
    if minus_one {
        let g = yy - xx;
        return [e, zz2 - g, g, xx + yy];
    }
    let axx = a * xx;
    let g = axx + yy;
    [e, zz2 - g, g, yy - axx]
}

fn doubling(name: &str, a: &str, with_t: bool) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.computes("R = 2P on a x² + y² = 1 + d x² y²");
    let [e, f, g, h] = double(&b, a, with_t);
    if with_t {
        b.define("gives T3*Z3 = X3*Y3");
        output(&b, e, f, g, h);
    } else {
        b.output("R", "X3 Y3 Z3", &[e * f, g * h, f * g]);
    }
    b.finish()
}

/// 2P for any a.
pub fn double_general(name: &str) -> Result<Formula, Defect> {
    doubling(name, "a", true)
}

/// 2P for any a, without T: a doubling follows.
pub fn double_general_without_t(name: &str) -> Result<Formula, Defect> {
    doubling(name, "a", false)
}

/// 2P for a = −1.
pub fn double_minus_one(name: &str) -> Result<Formula, Defect> {
    doubling(name, "a = -1", true)
}

/// 2P for a = −1, without T: a doubling follows.
pub fn double_minus_one_without_t(name: &str) -> Result<Formula, Defect> {
    doubling(name, "a = -1", false)
}
