//! Inverses in `K[u]/(u² − β)` by the norm, whole and in the two parts around the inverse in K.
//!
//! * **computes** `r = 1/a = (a0 − a1 u)/(a0² − β a1²)`; the norm; `r = t·(a0 − a1 u)` for t in K.
//! * **needs** a norm that has an inverse in K.
//! * **gives** scale 1.
//! * **cost** 1I + 2M + 2S + 2A + β; of these 2S + 1A + β for the norm, 2M + 1A for the multiple.
//! * **source** the definition of the norm.

use crate::build::Builder;
use crate::definitions::quadratic;
use crate::formula::Formula;
use crate::verify::Defect;

/// The inverse.
pub fn inverse(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.source("the conjugate over the norm");
    let (x, beta) = quadratic::inverse(&b, quadratic::ANY_BETA);
    let norm = x[0].square() - beta * x[1].square();
    let t = norm.invert();
    b.output("r", "r0 r1", &[x[0] * t, -(x[1] * t)]);
    b.finish()
}

/// The norm.
pub fn norm(name: &str) -> Result<Formula, Defect> {
    norm_with(name, quadratic::ANY_BETA, "β")
}

/// The norm of a half of an element of `K[x]/(x⁴ − ξ)`.
pub fn of_half(name: &str) -> Result<Formula, Defect> {
    norm_with(name, "xi", "ξ")
}

fn norm_with(name: &str, constant: &str, letter: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.computes(&format!("r = a·conj(a) in K, for a in K[u]/(u² − {letter})"));
    b.source("the definition of the norm");
    let x = b.input("a", "a0 a1");
    let beta = b.constant(constant);
    b.define(&format!("root u^2 = {constant}"));
    b.define("gives r = (a0 + a1*u)*(a0 - a1*u)");
    b.output("r", "r", &[x[0].square() - beta * x[1].square()]);
    b.finish()
}

/// The multiple of the conjugate.
pub fn multiple(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.computes("r = t·conj(a) in K[u]/(u² − β), t in K");
    b.source("the definition");
    let (x, t) = (b.input("a", "a0 a1"), b.input("t", "t"));
    b.define("gives r0 = a0*t");
    b.define("gives r1 = -a1*t");
    b.output("r", "r0 r1", &[x[0] * t[0], -(x[1] * t[0])]);
    b.finish()
}
