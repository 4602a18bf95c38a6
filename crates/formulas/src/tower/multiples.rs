//! Products with small elements `s + t·u` of `K[u]/(u² + 1)`, and with the roots of extensions.
//!
//! * **computes** `r = (s + t u)·a`; `r = u·a`; `r = v·a` in `K[v]/(v³ − ξ)`.
//! * **needs** `u² = −1` for those with small numbers.
//! * **gives** scale 1.
//! * **cost** 2A for 1 + u, 4A for 1 + 2u, 10A for 9 + u; roots: one product with β or ξ.
//! * **source** the definition.

use crate::build::{Builder, Element};
use crate::definitions::quadratic::{ANY_BETA, MINUS_ONE};
use crate::formula::Formula;
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
