//! Inverses in `K[x]/(x³ − ξ)` by the norm, whole and in the two parts around the inverse in K.
//!
//! * **computes** `r = 1/a`, the adjoint over the norm; the adjoint and the norm; `r = t·s` for t in K.
//! * **needs** a norm that has an inverse in K.
//! * **gives** scale 1.
//! * **cost** 1I + 9M + 3S + 5A + 3·ξ; of these 3M for the multiple.
//! * **source** Cramer's rule.

use crate::build::{Builder, Element};
use crate::definitions::cubic;
use crate::formula::Formula;
use crate::tower::multiples;
use crate::verify::Defect;

/// The inverse.
pub fn inverse(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.source("Cramer's rule");
    let (x, xi) = cubic::inverse(&b);
    let ([t0, t1, t2], norm) = parts(&x, xi);
    let t = norm.invert();
    b.output("r", "r0 r1 r2", &[t0 * t, t1 * t, t2 * t]);
    b.finish()
}

/// The adjoint and the norm.
fn parts<'b>(x: &[Element<'b>], xi: Element<'b>) -> ([Element<'b>; 3], Element<'b>) {
    let t0 = x[0].square() - xi * (x[1] * x[2]);
    let t1 = xi * x[2].square() - x[0] * x[1];
    let t2 = x[1].square() - x[0] * x[2];
    ([t0, t1, t2], x[0] * t0 + xi * (x[2] * t1 + x[1] * t2))
}

/// The adjoint s, and the norm n.
pub fn adjoint(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.computes("n and s with a·s = n in K, the norm of a in K[x]/(x³ − ξ)");
    b.source("Cramer's rule");
    let x = b.input("a", "a0 a1 a2");
    let xi = b.constant("xi");
    b.define("root x^3 = xi");
    b.define("gives n = a0^3 + xi*a1^3 + xi^2*a2^3 - 3*xi*a0*a1*a2");
    b.define("gives (a0 + a1*x + a2*x^2)*(s0 + s1*x + s2*x^2) = n");
    let (s, n) = parts(&x, xi);
    b.output("s", "s0 s1 s2", &s);
    b.output("n", "n", &[n]);
    b.finish()
}

/// The multiple of an element by one of K.
pub fn multiple(name: &str) -> Result<Formula, Defect> {
    multiples::by_coefficient(name, 3)
}
