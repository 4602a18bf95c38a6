//! Squares in `K[x]/(x³ − ξ)` by Chung and Hasan's formulas.
//!
//! * **computes** `r = a²`; SQR3x `r = 2·a²`.
//! * **needs** any commutative ring K; SQR3 that 2 has an inverse.
//! * **gives** scale 1; SQR3x scale 2.
//! * **cost** SQR1 3M + 2S + 8A, SQR2 2M + 3S + 9A, SQR3 1M + 4S + 11A + 1 halving, SQR3x 1M + 4S + 14A; 2·ξ each. SQR1
//!   and SQR2 double a1 once, where the paper doubles two products.
//! * **source** Chung and Hasan, "Asymmetric squaring formulae" (2007).

use crate::build::{Builder, Element};
use crate::definitions::cubic;
use crate::formula::{Characteristic, Formula};
use crate::verify::Defect;

const SOURCE: &str = "Chung and Hasan 2007";

/// The result from the coefficients `c0 … c4` of the square.
fn fold<'b>(c: [Element<'b>; 5], xi: Element<'b>) -> [Element<'b>; 3] {
    [c[0] + xi * c[3], c[1] + xi * c[4], c[2]]
}

/// SQR1.
pub fn sqr1(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.source(SOURCE);
    let [x, constants] = cubic::square(&b, 1, &[]);
    let (c0, c4, twice) = (x[0].square(), x[2].square(), x[1].double());
    let d = x[0] - x[2];
    let c2 = c0 + c4 - (d + x[1]) * (d - x[1]);
    b.output("r", "r0 r1 r2", &fold([c0, x[0] * twice, c2, x[2] * twice, c4], constants[0]));
    b.finish()
}

/// The square of an element by SQR2.
pub(super) fn of<'b>(x: [Element<'b>; 3], xi: Element<'b>) -> [Element<'b>; 3] {
    let (c0, c4, twice) = (x[0].square(), x[2].square(), x[1].double());
    let (c1, c3) = (x[0] * twice, x[2] * twice);
    let c2 = c1 + c3 + (x[0] - x[1] + x[2]).square() - c0 - c4;
    fold([c0, c1, c2, c3, c4], xi)
}

/// SQR2.
pub fn sqr2(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.source(SOURCE);
    let [x, constants] = cubic::square(&b, 1, &[]);
    b.output("r", "r0 r1 r2", &of([x[0], x[1], x[2]], constants[0]));
    b.finish()
}

/// `a(1)²`, `a(−1)²`
fn at_ones<'b>(x: &[Element<'b>]) -> (Element<'b>, Element<'b>) {
    let s = x[0] + x[2];
    ((s + x[1]).square(), (s - x[1]).square())
}

/// SQR3.
pub fn sqr3(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.source(SOURCE);
    b.characteristic(Characteristic::NotTwo);
    let [x, constants] = cubic::square(&b, 1, &[]);
    let (c0, c4, c3) = (x[0].square(), x[2].square(), (x[1] * x[2]).double());
    let (u, v) = at_ones(&x);
    let t = (u + v).halve();
    b.output("r", "r0 r1 r2", &fold([c0, u - t - c3, t - c0 - c4, c3, c4], constants[0]));
    b.finish()
}

/// SQR3x.
pub fn sqr3x(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.source(SOURCE);
    let [x, constants] = cubic::square(&b, 2, &[]);
    let (c0, c4) = (x[0].square().double(), x[2].square().double());
    let c3 = (x[1] * x[2]).double().double();
    let (u, v) = at_ones(&x);
    let t = u + v;
    b.output("r", "r0 r1 r2", &fold([c0, u - v - c3, t - c0 - c4, c3, c4], constants[0]));
    b.finish()
}
