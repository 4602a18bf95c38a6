//! Products with small elements `s + t·u` of `K[u]/(u² + 1)`, with the roots of extensions, and with elements of K.
//!
//! * **computes** `r = (s + t u)·a`; `r = u·a`; `r = v·a` in `K[v]/(v³ − ξ)`, the same for degrees 4 and 6; `r = t·s` for t in K.
//! * **needs** `u² = −1` for those with small numbers.
//! * **gives** scale 1.
//! * **cost** 2A for 1 + u, 4A for 1 + 2u, 10A for 9 + u; roots: one product with β or ξ; a product in K for each coefficient.
//! * **source** the definition.

use crate::build::{Builder, Element};
use crate::definitions::extension::{Extension, QUARTIC, SEXTIC};
use crate::definitions::quadratic::{ANY_BETA, MINUS_ONE};
use crate::formula::{Constant, Formula};
use crate::verify::Defect;

/// `k·a`, for k at least 1.
fn multiple<'b>(k: u32, a: Element<'b>) -> Element<'b> {
    k * a
}

/// By `s + t·u`, for small s and t of at least 1.
pub fn small(name: &str, s: u32, t: u32) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.computes(&format!("r = ({s} + {t}u)·a in K[u]/(u² + 1)"));
    b.source("the definition");
    let a = b.input("a", "a0 a1");
    b.constant(MINUS_ONE);
    b.define("root u^2 = beta");
    b.define(&format!("gives r0 + r1*u = ({s} + {t}*u)*(a0 + a1*u)"));
    let (r0, r1) = if s == t {
        (multiple(s, a[0] - a[1]), multiple(s, a[1] + a[0]))
    } else {
        (multiple(s, a[0]) - multiple(t, a[1]), multiple(s, a[1]) + multiple(t, a[0]))
    };
    b.output("r", "r0 r1", &[r0, r1]);
    b.finish()
}

/// By `1 + u`.
pub fn by_1_plus_u(name: &str) -> Result<Formula, Defect> {
    small(name, 1, 1)
}

/// By `1 + 2u`.
pub fn by_1_plus_2u(name: &str) -> Result<Formula, Defect> {
    small(name, 1, 2)
}

/// By `9 + u`.
pub fn by_9_plus_u(name: &str) -> Result<Formula, Defect> {
    small(name, 9, 1)
}

/// By the root `u` of `K[u]/(u² − β)`.
pub fn by_u(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.computes("r = u·a in K[u]/(u² − β)");
    b.source("the definition");
    let a = b.input("a", "a0 a1");
    let beta = b.constant(ANY_BETA);
    b.define("root u^2 = beta");
    b.define("gives r0 + r1*u = u*(a0 + a1*u)");
    b.output("r", "r0 r1", &[beta * a[1], a[0]]);
    b.finish()
}

/// By the root `v` of `K[v]/(v³ − ξ)`.
pub fn by_v(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.computes("r = v·a in K[v]/(v³ − ξ)");
    b.source("the definition");
    let a = b.input("a", "a0 a1 a2");
    let xi = b.constant("xi");
    b.define("root v^3 = xi");
    b.define("gives r0 + r1*v + r2*v^2 = v*(a0 + a1*v + a2*v^2)");
    b.output("r", "r0 r1 r2", &[xi * a[2], a[0], a[1]]);
    b.finish()
}

fn by_root(name: &str, extension: &Extension) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    let [a, constants] = extension.times(&b, "x", "x");
    let (last, below) = (a[a.len() - 1], &a[..a.len() - 1]);
    let turned: Vec<Element> = [constants[0] * last].into_iter().chain(below.iter().copied()).collect();
    extension.give(&b, &turned);
    b.finish()
}

/// By the root `x` of `K[x]/(x⁴ − ξ)`.
pub fn by_quartic_root(name: &str) -> Result<Formula, Defect> {
    by_root(name, &QUARTIC)
}

/// By the root `x` of `K[x]/(x⁶ − ξ)`.
pub fn by_sextic_root(name: &str) -> Result<Formula, Defect> {
    by_root(name, &SEXTIC)
}

/// Of an element of an extension of that degree by one of K.
pub fn by_coefficient(name: &str, degree: usize) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.computes(&format!("r = t·s in an extension of degree {degree} of K, t in K"));
    b.source("the definition");
    let names = |of: &str| (0..degree).map(|k| format!("{of}{k}")).collect::<Vec<_>>().join(" ");
    let (s, t) = (b.input("s", &names("s")), b.input("t", "t"));
    (0..degree).for_each(|k| b.define(&format!("gives r{k} = s{k}*t")));
    let all: Vec<Element> = s.iter().map(|s| *s * t[0]).collect();
    b.output("r", &names("r"), &all);
    b.finish()
}

/// Of an element of an extension of degree 4 by one of K.
pub fn of_degree_4(name: &str) -> Result<Formula, Defect> {
    by_coefficient(name, 4)
}

/// Of an element of an extension of that degree by a constant of K.
pub fn by_constant(name: &str, degree: usize, constant: &Constant) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.computes(&format!("r = c·a in an extension of degree {degree} of K, c a constant of K"));
    b.source("the definition");
    let names = |of: &str| (0..degree).map(|k| format!("{of}{k}")).collect::<Vec<_>>().join(" ");
    let a = b.input("a", &names("a"));
    let c = b.declared(constant.clone());
    (0..degree).for_each(|k| b.define(&format!("gives r{k} = {}*a{k}", constant.name)));
    let all: Vec<Element> = a.iter().map(|a| c * *a).collect();
    b.output("r", &names("r"), &all);
    b.finish()
}
