//! `K[x]/(x⁴ + x³ + x² + x + 1)`, whose x = ζ is a fifth root of unity.
//!
//! * **computes** `r = a·b`, `r = a²`; s and n with `a·s = n` in K, the norm; `ζ^k·a`.
//! * **needs** any commutative ring K.
//! * **gives** scale 1.
//! * **cost** product 9M + 30A, square 9S + 25A; adjoint and norm 24M + 73A; `ζ^k·a` at most 4A.
//! * **source** Karatsuba and Ofman 1962, twice, with ζ⁵ = 1: the fifth power is subtracted from all others. The adjoint is the
//!   product of three conjugates, by that of `a·conj(a)`, which the complex conjugate leaves as it is.

use crate::build::{Builder, Element};
use crate::definitions::extension::FIFTH_ROOTS;
use crate::formula::Formula;
use crate::tower::quartic_karatsuba::{joined, short, short_square};
use crate::verify::Defect;

const SOURCE: &str = "Karatsuba and Ofman 1962, twice, with ζ⁵ = 1";

/// The element of five coefficients of 1, ζ, ζ², ζ³, ζ⁴, some of which may be missing.
fn reduced<'b>(c: [Option<Element<'b>>; 5]) -> [Element<'b>; 4] {
    let least = |k: usize| match (c[k], c[4]) {
        (Some(c), Some(high)) => c - high,
        (Some(c), None) => c,
        (None, Some(high)) => -high,
        (None, None) => unreachable!("an element of four coefficients leaves one of five"),
    };
    [0, 1, 2, 3].map(least)
}

/// The element of the coefficients `c0 … c6` of a product polynomial.
fn folded<'b>(c: [Element<'b>; 7]) -> [Element<'b>; 4] {
    reduced([Some(c[0] + c[5]), Some(c[1] + c[6]), Some(c[2]), Some(c[3]), Some(c[4])])
}

fn times<'b>(x: &[Element<'b>], y: &[Element<'b>]) -> [Element<'b>; 4] {
    let (even, odd) = (short([x[0], x[2]], [y[0], y[2]]), short([x[1], x[3]], [y[1], y[3]]));
    folded(joined(even, odd, short([x[0] + x[1], x[2] + x[3]], [y[0] + y[1], y[2] + y[3]])))
}

/// The conjugate with `ζ^n` in place of ζ.
fn conjugate<'b>(a: &[Element<'b>], n: usize) -> [Element<'b>; 4] {
    let mut c = [None; 5];
    a.iter().enumerate().for_each(|(k, a)| c[k * n % 5] = Some(*a));
    reduced(c)
}

/// The product.
pub fn product(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.source(SOURCE);
    let [x, y, _] = FIFTH_ROOTS.product(&b, 1, &[]);
    FIFTH_ROOTS.give(&b, &times(&x, &y));
    b.finish()
}

/// The square.
pub fn square(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.source(SOURCE);
    let [x, _] = FIFTH_ROOTS.square(&b, 1, &[]);
    let (even, odd) = (short_square([x[0], x[2]]), short_square([x[1], x[3]]));
    FIFTH_ROOTS.give(&b, &folded(joined(even, odd, short_square([x[0] + x[1], x[2] + x[3]]))));
    b.finish()
}

/// The adjoint s, and the norm n.
pub fn adjoint(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.source("the product of the conjugates");
    let at = |n: usize| format!("(a0 + a1*x^{n} + a2*x^{} + a3*x^{})", 2 * n, 3 * n);
    let norm = format!("gives n = {}*{}*{}*{}", at(1), at(2), at(3), at(4));
    let [x, _] = FIFTH_ROOTS.adjoint(&b, &[&norm]);
    let c = conjugate(&x, 4);
    let m = times(&x, &c);
    let n = conjugate(&m, 2);
    b.output("s", &FIFTH_ROOTS.names("s"), &times(&c, &n));
    // Of m·n, which lies in K, the first coefficient: c0 + c5 − c4.
    let c5 = m[2] * n[3] + m[3] * n[2];
    b.output("n", "n", &[m[0] * n[0] + c5 - (m[1] * n[3] + m[2] * n[2] + m[3] * n[1])]);
    b.finish()
}

fn turn(name: &str, n: usize) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    let [a, _] = FIFTH_ROOTS.times(&b, &format!("x^{n}"), &format!("ζ^{n}"));
    let mut c = [None; 5];
    a.iter().enumerate().for_each(|(k, a)| c[(k + n) % 5] = Some(*a));
    FIFTH_ROOTS.give(&b, &reduced(c));
    b.finish()
}

/// The multiple by ζ.
pub fn by_1(name: &str) -> Result<Formula, Defect> {
    turn(name, 1)
}

/// The multiple by ζ².
pub fn by_2(name: &str) -> Result<Formula, Defect> {
    turn(name, 2)
}

/// The multiple by ζ³.
pub fn by_3(name: &str) -> Result<Formula, Defect> {
    turn(name, 3)
}

/// The multiple by ζ⁴.
pub fn by_4(name: &str) -> Result<Formula, Defect> {
    turn(name, 4)
}
