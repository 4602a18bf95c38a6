//! Maps of points that take few steps: opposites, endomorphisms, changes of coordinates, exchanges by a bit.
//!
//! * **computes** `−P`; `(βx, y)`; `(conj(x)·g, conj(y)·h)` on twists; affine coordinates from projective and Jacobian ones and back; a swap of two points.
//! * **needs** `β² = −β − 1` and a curve with a = 0 for the endomorphism; `Z ≠ 0` for affine coordinates.
//! * **gives** what it says.
//! * **cost** 1A, 1A (2A on Edwards curves), 1·β, 6 products with constants + 8A, 1I + 2M, 1I + 1S + 3M, nothing, two choices for each coordinate.
//! * **source** the definitions.

use crate::build::{Builder, Element};
use crate::definitions::weierstrass;
use crate::formula::{Characteristic, Formula};
use crate::verify::Defect;

fn begin(name: &str, computes: &str) -> Builder {
    let b = Builder::new(name);
    b.computes(computes);
    b.source("the definition");
    b
}

/// `−P`, projective or Jacobian.
pub fn opposite(name: &str) -> Result<Formula, Defect> {
    let b = begin(name, "R = −P on y² = x³ + a x + b");
    let [x, y, z] = weierstrass::input(&b, "P", "1");
    ["gives X3 = X1", "gives Y3 = -Y1", "gives Z3 = Z1"].iter().for_each(|line| b.define(line));
    b.output("R", "X3 Y3 Z3", &[x, -y, z]);
    b.finish()
}

/// `−P`, extended Edwards.
pub fn opposite_edwards(name: &str) -> Result<Formula, Defect> {
    let b = begin(name, "R = −P on a x² + y² = 1 + d x² y², extended");
    let p = b.input("P", "X1 Y1 Z1 T1");
    ["gives X3 = -X1", "gives Y3 = Y1", "gives Z3 = Z1", "gives T3 = -T1"].iter().for_each(|line| b.define(line));
    b.output("R", "X3 Y3 Z3 T3", &[-p[0], p[1], p[2], -p[3]]);
    b.finish()
}

/// `−P = (x, x + y)`, affine, on `y² + xy = x³ + a x² + b`.
pub fn opposite_binary(name: &str) -> Result<Formula, Defect> {
    let b = begin(name, "R = −P on y² + xy = x³ + a x² + b");
    b.characteristic(Characteristic::Two);
    let p = b.input("P", "x1 y1");
    b.constant("a");
    b.constant("b");
    b.define("given y1^2 = x1*y1 + x1^3 + a*x1^2 + b");
    b.define("gives x3 = x1");
    b.define("gives y3 + y1 = x1");
    b.define("gives y3^2 + x3*y3 = x3^3 + a*x3^2 + b");
    b.output("R", "x3 y3", &[p[0], p[0] + p[1]]);
    b.finish()
}

/// `(βx, y)` on `y² = x³ + b`.
pub fn endomorphism(name: &str) -> Result<Formula, Defect> {
    let b = begin(name, "R = (βx, y) on y² = x³ + b");
    let [x, y, z] = weierstrass::input(&b, "P", "1");
    let beta = b.constant("beta^2 = -beta - 1");
    b.constant("a = 0");
    b.constant("b");
    weierstrass::stands_for(&b, "1", weierstrass::PROJECTIVE);
    ["gives X3 = beta*x1*Z3", "gives Y3 = y1*Z3", "gives Z3 = Z1"].iter().for_each(|line| b.define(line));
    b.define("gives Y3^2*Z3 = X3^3 + b*Z3^3");
    b.output("R", "X3 Y3 Z3", &[beta * x, y, z]);
    b.finish()
}

/// `(conj(x)·g, conj(y)·h)` on a twist over `Fp2 = Fp[u]/(u² + 1)`, in coordinates over Fp: the Frobenius of the curve that it
/// is a twist of.
pub fn twist_endomorphism(name: &str) -> Result<Formula, Defect> {
    let b = begin(name, "R = (conj(x)·g, conj(y)·h), affine on a twist over Fp[u]/(u² + 1)");
    let p = b.input("P", "x1_0 x1_1 y1_0 y1_1");
    let constants = ["g_0", "g_1", "h_0", "h_1", "g_sum = g_0 + g_1", "h_sum = h_0 + h_1"].map(|c| b.constant(c));
    b.define("root u^2 = -1");
    b.define("gives x3_0 + x3_1*u = (x1_0 - x1_1*u)*(g_0 + g_1*u)");
    b.define("gives y3_0 + y3_1*u = (y1_0 - y1_1*u)*(h_0 + h_1*u)");
    let [g0, g1, h0, h1, g_sum, h_sum] = constants;
    let [x0, x1] = turned([p[0], p[1]], [g0, g1, g_sum]);
    let [y0, y1] = turned([p[2], p[3]], [h0, h1, h_sum]);
    b.output("R", "x3_0 x3_1 y3_0 y3_1", &[x0, x1, y0, y1]);
    b.finish()
}

/// `(x − y u)(s + t u)` with `u² = −1`, from s, t and their sum.
fn turned<'b>([x, y]: [Element<'b>; 2], [s, t, sum]: [Element<'b>; 3]) -> [Element<'b>; 2] {
    let (first, second) = (s * x, t * y);
    [first + second, sum * (x - y) - first + second]
}

/// (X/Z, Y/Z).
pub fn to_affine(name: &str) -> Result<Formula, Defect> {
    let b = begin(name, "(X/Z, Y/Z)");
    let [x, y, z] = weierstrass::input(&b, "P", "1");
    b.define("nonzero Z1 \"the identity\"");
    ["gives x3*Z1 = X1", "gives y3*Z1 = Y1"].iter().for_each(|line| b.define(line));
    let t = z.invert();
    b.output("R", "x3 y3", &[x * t, y * t]);
    b.finish()
}

/// (X/Z², Y/Z³).
pub fn jacobian_to_affine(name: &str) -> Result<Formula, Defect> {
    let b = begin(name, "(X/Z², Y/Z³)");
    let [x, y, z] = weierstrass::input(&b, "P", "1");
    b.define("nonzero Z1 \"the identity\"");
    ["gives x3*Z1^2 = X1", "gives y3*Z1^3 = Y1"].iter().for_each(|line| b.define(line));
    let t = z.invert();
    let tt = t.square();
    b.output("R", "x3 y3", &[x * tt, y * (t * tt)]);
    b.finish()
}

/// (x : y : 1).
pub fn from_affine(name: &str) -> Result<Formula, Defect> {
    let b = begin(name, "(x : y : 1)");
    let p = b.input("P", "x1 y1");
    let one = b.constant("one = 1");
    ["gives X3 = x1", "gives Y3 = y1", "gives Z3 = 1"].iter().for_each(|line| b.define(line));
    b.output("R", "X3 Y3 Z3", &[p[0], p[1], one]);
    b.finish()
}

/// (x : y : 1 : xy) on an Edwards curve.
pub fn from_affine_edwards(name: &str) -> Result<Formula, Defect> {
    let b = begin(name, "(x : y : 1 : xy)");
    let p = b.input("P", "x1 y1");
    let one = b.constant("one = 1");
    ["gives X3 = x1", "gives Y3 = y1", "gives Z3 = 1", "gives T3 = x1*y1"].iter().for_each(|line| b.define(line));
    b.output("R", "X3 Y3 Z3 T3", &[p[0], p[1], one, p[0] * p[1]]);
    b.finish()
}

/// The two points of a ladder exchanged where the bit is 1.
pub fn ladder_swap(name: &str) -> Result<Formula, Defect> {
    let b = begin(name, "(R0, R1), or (R1, R0) where the bit is 1");
    let (p, q) = (b.input("R0", "X0 Z0"), b.input("R1", "X1 Z1"));
    let s = b.bit("s");
    for c in ["X", "Z"] {
        b.define(&format!("gives {c}2 = (1 - s)*{c}0 + s*{c}1"));
        b.define(&format!("gives {c}3 = (1 - s)*{c}1 + s*{c}0"));
    }
    let swapped: Vec<(Element, Element)> = (0..2).map(|k| b.swap(s, p[k], q[k])).collect();
    b.output("S0", "X2 Z2", &[swapped[0].0, swapped[1].0]);
    b.output("S1", "X3 Z3", &[swapped[0].1, swapped[1].1]);
    b.finish()
}
