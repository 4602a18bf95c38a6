//! A step of the ladder on `y² + xy = x³ + a x² + b` in characteristic 2, x-coordinates only, and what recovers y.
//!
//! * **computes** `S0 = 2·R0` and `S1 = R0 + R1`, where `R1 − R0` has the coordinate x; at the end the point R0 from
//!   R0, R1 and (x, y).
//! * **needs** `x ≠ 0`, `c = √b`. The step treats the identity (1 : 0) rightly. Recovery: neither R0 nor R1 is the identity.
//! * **gives** projective x-coordinates; an affine point.
//! * **cost** step 5M + 4S + 1·c + 3A (b = 1: 5M + 4S + 3A); recovery 10M + 1S + 1I + 6A.
//! * **source** López and Dahab, "Fast multiplication on elliptic curves over GF(2^m) without precomputation" (1999).

use crate::build::{Builder, Element};
use crate::formula::{Characteristic, Formula};
use crate::verify::Defect;

fn on_curve(b: &Builder, x: &str, y: &str) {
    b.define(&format!("given {y}^2 = {x}*{y} + {x}^3 + a*{x}^2 + b"));
}

fn step_with(name: &str, constants: &[&str]) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.computes("S0 = 2·R0, S1 = R0 + R1 on y² + xy = x³ + a x² + b, x-coordinates");
    b.source("López and Dahab 1999");
    b.characteristic(Characteristic::Two);
    let x = b.input("base", "x")[0];
    let (r0, r1) = (b.input("R0", "X0 Z0"), b.input("R1", "X1 Z1"));
    let c: Vec<Element> = constants.iter().map(|c| b.constant(c)).collect();
    b.define("unknown a");
    for (u, v, x, z) in [("xa", "ya", "X0", "Z0"), ("xb", "yb", "X1", "Z1")] {
        b.define(&format!("unknown {u}"));
        b.define(&format!("unknown {v}"));
        on_curve(&b, u, v);
        b.define(&format!("given {x} = {u}*{z}"));
    }
    b.define("nonzero xa + xb \"equal and opposite points\"");
    b.define("nonzero xa \"points of order two\"");
    b.define("let slope = (ya + yb)/(xa + xb)");
    b.define("let sum = slope^2 + slope + xa + xb + a");
    b.define("let other = (ya + xa + yb)/(xa + xb)");
    b.define("let difference = other^2 + other + xa + xb + a");
    b.define("let tangent = xa + ya/xa");
    b.define("let twice = tangent^2 + tangent + a");
    b.define("assume D: x = difference");
    b.define("nonzero Z2 \"2·R0 is the identity\"");
    b.define("nonzero Z3 \"R0 + R1 is the identity\"");
    b.define("gives X2 = twice*Z2");
    b.define("gives X3 = sum*Z3 by Z3*D");
    let (p, q) = (r0[0] * r1[1], r1[0] * r0[1]);
    let z3 = (p + q).square();
    let x3 = x * z3 + p * q;
    let (u, v) = (r0[0].square(), r0[1].square());
    // Without c: b = 1.
    let w = if constants.len() > 1 { c[0] * v } else { v };
    b.output("S0", "X2 Z2", &[(u + w).square(), u * v]);
    b.output("S1", "X3 Z3", &[x3, z3]);
    b.finish()
}

/// For any b.
pub fn step(name: &str) -> Result<Formula, Defect> {
    step_with(name, &["c", "b = c^2"])
}

/// For b = 1.
pub fn step_koblitz(name: &str) -> Result<Formula, Defect> {
    step_with(name, &["b = 1"])
}

/// The affine point at the end.
pub fn recovery(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.computes("the point R0 from x-coordinates of R0, R1 and the point R1 − R0");
    b.source("López and Dahab 1999");
    b.characteristic(Characteristic::Two);
    let p = b.input("P", "x y");
    let (r0, r1) = (b.input("R0", "X0 Z0"), b.input("R1", "X1 Z1"));
    b.define("unknown a");
    b.define("unknown b");
    b.define("unknown xa");
    b.define("unknown ya");
    on_curve(&b, "x", "y");
    on_curve(&b, "xa", "ya");
    b.define("given X0 = xa*Z0");
    b.define("nonzero x*Z0*Z1 \"R0 or R1 is the identity\"");
    b.define("nonzero x*Z1 \"R1 is the identity\"");
    b.define("nonzero xa + x \"R0 is P or −P\"");
    b.define("let slope = (ya + y)/(xa + x)");
    b.define("let sum = slope^2 + slope + xa + x + a");
    b.define("assume D: X1 = sum*Z1");
    b.define("gives x0 = xa");
    b.define("gives y0 = ya by (xa + x)^2/(x*Z1)*D");
    let (x, y, x0, z0, x1, z1) = (p[0], p[1], r0[0], r0[1], r1[0], r1[1]);
    let t = z0 * z1;
    let w = (x * t).invert();
    let xz1 = x * z1;
    let n = (x0 + x * z0) * (x1 + xz1) + (x.square() + y) * t;
    let affine = x0 * xz1 * w;
    b.output("R", "x0 y0", &[affine, (affine + x) * (n * w) + y]);
    b.finish()
}
