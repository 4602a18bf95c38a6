//! Inverses in `K[x]/(x⁴ − ξ)` and `K[x]/(x⁶ − ξ)` from those of halves in y = x²: what is around the inverse in `K[y]/(yⁿ − ξ)`.
//!
//! * **computes** the norm `m = e² − y·o²` of `a = e + o x`; `r = t·(e − o x)` for t in `K[y]/(yⁿ − ξ)`: `1/a` for `t = 1/m`.
//! * **needs** any commutative ring K.
//! * **gives** scale 1.
//! * **cost** norms 2M + 4S + 6A + 3·ξ and 4M + 6S + 21A + 5·ξ; multiples 6M + 12A + 2·ξ and 12M + 31A + 4·ξ.
//! * **source** the definition of the norm. Norms to K in one formula are of degree 4 and 6: polynomials of thousands of terms, floor
//!   upon floor.

use super::sextic_karatsuba::{difference, halves, turned, whole};
use super::{cubic_chung_hasan, cubic_karatsuba, quartic_karatsuba};
use crate::build::{Builder, Element};
use crate::definitions::extension::{Extension, QUARTIC, SEXTIC};
use crate::formula::Formula;
use crate::verify::Defect;

/// `c0 + c1*x^2 + …`, of every second letter from `first`.
fn half(of: &str, first: usize, step: usize, degree: usize) -> String {
    let term = |k: usize| format!("{of}{}*x^{}", first + k * step, 2 * k);
    (0..degree / 2).map(term).collect::<Vec<_>>().join(" + ")
}

fn names(of: &str, count: usize) -> String {
    (0..count).map(|k| format!("{of}{k}")).collect::<Vec<_>>().join(" ")
}

/// An element, ξ, and the definition of its norm.
fn norm_of<'b>(b: &'b Builder, extension: &Extension) -> (Vec<Element<'b>>, Element<'b>) {
    let n = extension.degree;
    b.computes(&format!("m = a(x)·a(−x), an element of K[x²]/(x^{n} − ξ)"));
    b.source("the definition of the norm");
    let a = b.input("a", &extension.names("a"));
    let constants = extension.constants(b, &[]);
    extension.lines(b, &["a"]);
    let opposite = format!("{} - x*({})", half("a", 0, 2, n), half("a", 1, 2, n));
    b.define(&format!("gives {} = a*({opposite})", half("m", 0, 1, n)));
    (a, constants[0])
}

/// An element, one of the half, ξ, and the definition of the multiple.
fn multiple_of<'b>(b: &'b Builder, extension: &Extension) -> ([Vec<Element<'b>>; 2], Element<'b>) {
    let n = extension.degree;
    b.computes(&format!("r = t·a(−x) in K[x]/(x^{n} − ξ), t in K[x²]"));
    b.source("the definition");
    let (a, t) = (b.input("a", &extension.names("a")), b.input("t", &names("t", n / 2)));
    let constants = extension.constants(b, &[]);
    extension.lines(b, &["r"]);
    let opposite = format!("{} - x*({})", half("a", 0, 2, n), half("a", 1, 2, n));
    b.define(&format!("gives r = ({})*({opposite})", half("t", 0, 1, n)));
    ([a, t], constants[0])
}

/// The square in `K[y]/(y² − ξ)`.
fn squared<'b>(a: [Element<'b>; 2], xi: Element<'b>) -> [Element<'b>; 2] {
    [a[0].square() + xi * a[1].square(), (a[0] * a[1]).double()]
}

/// The norm of degree 4.
pub fn quartic_norm(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    let (a, xi) = norm_of(&b, &QUARTIC);
    let (e, o) = (squared([a[0], a[2]], xi), squared([a[1], a[3]], xi));
    b.output("m", &names("m", 2), &[e[0] - xi * o[1], e[1] - o[0]]);
    b.finish()
}

/// The multiple of degree 4.
pub fn quartic_multiple(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    let ([a, t], xi) = multiple_of(&b, &QUARTIC);
    let t = [t[0], t[1]];
    let (s, u) = (quartic_karatsuba::of([a[0], a[2]], t, xi), quartic_karatsuba::of([a[1], a[3]], t, xi));
    QUARTIC.give(&b, &[s[0], -u[0], s[1], -u[1]]);
    b.finish()
}

/// The norm of degree 6.
pub fn sextic_norm(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    let (a, xi) = norm_of(&b, &SEXTIC);
    let [e, o] = halves(&a).map(|half| cubic_chung_hasan::of(half, xi));
    b.output("m", &names("m", 3), &difference(e, turned(o, xi)));
    b.finish()
}

/// The multiple of degree 6.
pub fn sextic_multiple(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    let ([a, t], xi) = multiple_of(&b, &SEXTIC);
    let [s, u] = halves(&a).map(|half| cubic_karatsuba::of(half, [t[0], t[1], t[2]], xi));
    SEXTIC.give(&b, &whole(s, u.map(|u| -u)));
    b.finish()
}
