//! A step of the ladder on `d(x + x² + y + y²) = (x + x²)(y + y²)` in characteristic 2, in `w = x + y`.
//!
//! * **computes** `w(2P)` and `w(P + Q)`, where `w(Q − P) = w1`.
//! * **needs** a d for which the curve is complete; `w1` of a point.
//! * **gives** projective w-coordinates. The definition is the law in w, `w(P + Q) = w1 + V/(d + V)`; that this is the group's
//!   is tested on every pair of points of toy curves.
//! * **cost** 5M + 4S + 2·d + 5A.
//! * **source** Bernstein, Lange, Rezaeian Farashahi, "Binary Edwards curves" (2008).

use crate::build::Builder;
use crate::formula::{Characteristic, Formula};
use crate::verify::Defect;

/// The step.
pub fn step(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.computes("w(2P), w(P + Q) on d(x + x² + y + y²) = (x + x²)(y + y²)");
    b.source("Bernstein, Lange and Rezaeian Farashahi 2008");
    b.characteristic(Characteristic::Two);
    let w1 = b.input("base", "w1")[0];
    let (p, q) = (b.input("P", "W2 Z2"), b.input("Q", "W3 Z3"));
    let d = b.constant("d");
    for k in ["2", "3"] {
        b.define(&format!("unknown w{k}"));
        b.define(&format!("given W{k} = w{k}*Z{k}"));
    }
    b.define("let V = (w2 + w2^2)*(w3 + w3^2)");
    b.define("let A = (w2 + w2^2)^2");
    b.define("nonzero d + V \"none where the curve is complete\"");
    b.define("nonzero d + A \"none where the curve is complete\"");
    b.define("nonzero Z4 \"none where the curve is complete\"");
    b.define("nonzero Z5 \"none where the curve is complete\"");
    b.define("gives W4 = A/(d + A)*Z4");
    b.define("gives W5 = (w1 + V/(d + V))*Z5");
    let c = p[0] * (p[1] + p[0]);
    let dd = q[0] * (q[1] + q[0]);
    let e = p[1] * q[1];
    let v = c * dd;
    let u = v + d * e.square();
    let cc = c.square();
    b.output("S0", "W4 Z4", &[cc, cc + d * p[1].square().square()]);
    b.output("S1", "W5 Z5", &[v + w1 * u, u]);
    b.finish()
}
