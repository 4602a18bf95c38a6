//! Products in `K[w]/(w⁶ − ξ)` with the sparse elements that lines of pairings are.
//!
//! * **computes** `r = f·l`, with l in `w⁰, w², w³` (lines of M-twists) or `w⁰, w¹, w³` (of D-twists).
//! * **needs** any commutative ring K.
//! * **gives** scale 1.
//! * **cost** 13M + 25A + 4·ξ, 13M + 25A + 3·ξ.
//! * **source** Aranha et al., "Faster explicit formulas for computing pairings over ordinary curves" (2011).

use crate::build::{Builder, Element};
use crate::definitions::extension::SEXTIC;
use crate::formula::Formula;
use crate::verify::Defect;

type Three<'b> = [Element<'b>; 3];

/// `(g0 + g1 v + g2 v²)(s + t v)` with `v³ = ξ`: 5M + 6A + 1·ξ.
fn by_two<'b>(g: Three<'b>, s: Element<'b>, t: Element<'b>, xi: Element<'b>) -> Three<'b> {
    let (v0, v1) = (g[0] * s, g[1] * t);
    [v0 + xi * (g[2] * t), (g[0] + g[1]) * (s + t) - v0 - v1, g[2] * s + v1]
}

fn plus<'b>(a: Three<'b>, b: Three<'b>) -> Three<'b> {
    [0, 1, 2].map(|k| a[k] + b[k])
}

fn minus<'b>(a: Three<'b>, b: Three<'b>) -> Three<'b> {
    [0, 1, 2].map(|k| a[k] - b[k])
}

/// f by its even and odd part in `v = w²`, the line, ξ.
fn begin<'b>(b: &'b Builder, line: &str) -> ([Three<'b>; 2], Vec<Element<'b>>, Element<'b>) {
    b.computes(&format!("r = f·({line}) in K[w]/(w⁶ − ξ)"));
    b.source("Aranha et al. 2011");
    let f = b.input("f", &SEXTIC.names("f"));
    let line_elements = b.input("line", "c0 cx cy");
    let xi = b.constant("xi");
    b.define("root w^6 = xi");
    b.define(&format!("let f = {}", SEXTIC.polynomial("f", "w")));
    b.define(&format!("let r = {}", SEXTIC.polynomial("r", "w")));
    b.define(&format!("gives r = f*({line})"));
    ([[f[0], f[2], f[4]], [f[1], f[3], f[5]]], line_elements, xi)
}

fn end<'b>(b: &'b Builder, even: Three<'b>, odd: Three<'b>) {
    b.output("r", &SEXTIC.names("r"), &[even[0], odd[0], even[1], odd[1], even[2], odd[2]]);
}

/// Lines of M-twists: `c0 + cx w² + cy w³`.
pub fn m_twist(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    let ([g, h], line, xi) = begin(&b, "c0 + cx*w^2 + cy*w^3");
    let [c0, cx, cy] = [line[0], line[1], line[2]];
    let first = by_two(g, c0, cx, xi);
    // cy v·h
    let second = [xi * (h[2] * cy), h[0] * cy, h[1] * cy];
    let both = by_two(plus(g, h), c0, cx + cy, xi);
    let even = [first[0] + xi * second[2], first[1] + second[0], first[2] + second[1]];
    let odd = minus(minus(both, first), second);
    end(&b, even, odd);
    b.finish()
}

/// Lines of D-twists: `cy + cx w + c0 w³`.
pub fn d_twist(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    let ([g, h], line, xi) = begin(&b, "cy + cx*w + c0*w^3");
    let [c0, cx, cy] = [line[0], line[1], line[2]];
    let first = g.map(|g| g * cy);
    let second = by_two(h, cx, c0, xi);
    let both = by_two(plus(g, h), cy + cx, c0, xi);
    let even = [first[0] + xi * second[2], first[1] + second[0], first[2] + second[1]];
    let odd = minus(minus(both, first), second);
    end(&b, even, odd);
    b.finish()
}
