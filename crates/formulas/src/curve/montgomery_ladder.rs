//! A step of the ladder on `v² = u³ + A u² + u`, u-coordinates only.
//!
//! * **computes** `S0 = 2·R0` and `S1 = R0 + R1`, where `R1 − R0` (or `R0 − R1`) has the coordinate u1.
//! * **needs** `u1 ≠ 0`; all else comes out right, the identity (1 : 0) too.
//! * **gives** projective u-coordinates.
//! * **cost** 5M + 4S + 1·a24 + 8A.
//! * **source** Montgomery, "Speeding the Pollard and elliptic curve methods of factorization" (1987); RFC 7748, whose
//!   constant is (A − 2)/4.

use crate::build::Builder;
use crate::formula::Formula;
use crate::verify::Defect;

/// The step.
pub fn step(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.computes("S0 = 2·R0, S1 = R0 + R1 on v² = u³ + A u² + u, u-coordinates");
    b.source("Montgomery 1987, RFC 7748");
    let base = b.input("base", "u1")[0];
    let (r0, r1) = (b.input("R0", "X0 Z0"), b.input("R1", "X1 Z1"));
    let a24 = b.constant("a24");
    b.constant("A = 4*a24 + 2");
    for (u, v, x, z) in [("ua", "va", "X0", "Z0"), ("ub", "vb", "X1", "Z1")] {
        b.define(&format!("unknown {u}"));
        b.define(&format!("unknown {v}"));
        b.define(&format!("given {v}^2 = {u}^3 + A*{u}^2 + {u}"));
        b.define(&format!("given {x} = {u}*{z}"));
    }
    b.define("nonzero ua - ub \"equal and opposite points\"");
    b.define("nonzero 2*va \"points of order two\"");
    b.define("nonzero u1 \"the base point (0, 0)\"");
    b.define("let sum = ((va - vb)/(ua - ub))^2 - A - ua - ub");
    b.define("let difference = ((va + vb)/(ua - ub))^2 - A - ua - ub");
    b.define("let twice = ((3*ua^2 + 2*A*ua + 1)/(2*va))^2 - A - 2*ua");
    b.define("assume D: u1 = difference");
    b.define("nonzero Z2 \"2·R0 is the identity\"");
    b.define("nonzero Z3 \"R0 + R1 is the identity\"");
    b.define("gives X2 = twice*Z2");
    b.define("gives X3 = sum*Z3 by -sum*Z3/u1*D");
    let (x2, z2, x3, z3) = (r0[0], r0[1], r1[0], r1[1]);
    let (a, m) = (x2 + z2, x2 - z2);
    let (aa, mm) = (a.square(), m.square());
    let e = aa - mm;
    let (da, cb) = ((x3 - z3) * a, (x3 + z3) * m);
    b.output("S0", "X2 Z2", &[aa * mm, e * (aa + a24 * e)]);
    b.output("S1", "X3 Z3", &[(da + cb).square(), base * (da - cb).square()]);
    b.finish()
}
