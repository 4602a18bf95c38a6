//! The two coordinates that a compressed square leaves out.
//!
//! * **computes** `f3` as a quotient, and `f0` from all others, for f in the cyclotomic subgroup of `K[w]/(w⁶ − ξ)`.
//! * **needs** an f as for cyclotomic squares; `f1 ≠ 0`, or else `f4 ≠ 0`.
//! * **gives** numerator and denominator apart, so that many quotients share one inverse; `whole` inverts by itself.
//! * **cost** quotient 2S + 6A + 1·ξ; quotient for `f1 = 0` 1M + 1A; `f0` 1S + 2M + 5A + 1·ξ and a 1.
//! * **source** Karabina, "Squaring in cyclotomic subgroups" (2013).

use crate::build::{Builder, Element};
use crate::formula::Formula;
use crate::tower::cyclotomic;
use crate::verify::Defect;

const COMPUTES: &str = "for f in the cyclotomic subgroup of K[w]/(w⁶ − ξ)";

fn begin<'b>(b: &'b Builder, what: &str, inputs: &str, constants: &[&str]) -> (Vec<Element<'b>>, Vec<Element<'b>>) {
    b.computes(&format!("{what}, {COMPUTES}"));
    b.source("Karabina 2013");
    let f = b.input("f", inputs);
    let constants = constants.iter().map(|c| b.constant(c)).collect();
    b.define("root w^6 = xi");
    for unknown in ["f0", "f3"].iter().filter(|name| !inputs.split(' ').any(|input| input == **name)) {
        b.define(&format!("unknown {unknown}"));
    }
    cyclotomic::assume(b);
    (f, constants)
}

/// `(ξ f5² + 3 f2² − 2 f4, 4 f1)`
fn fraction<'b>([f1, f2, f4, f5]: [Element<'b>; 4], xi: Element<'b>) -> [Element<'b>; 2] {
    let two = f2.square();
    [xi * f5.square() + two + (two - f4).double(), f1.double().double()]
}

/// `ξ(2 f3² + f1 f5 − 3 f2 f4) + 1`
fn last<'b>([f1, f2, f3, f4, f5]: [Element<'b>; 5], xi: Element<'b>, one: Element<'b>) -> Element<'b> {
    let (three, product) = (f3.square(), f2 * f4);
    xi * ((three - product).double() - product + f1 * f5) + one
}

/// `f3` as numerator and denominator.
pub fn quotient(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    let (f, c) = begin(&b, "f3 as numerator and denominator", "f1 f2 f4 f5", &["xi"]);
    b.define("gives numerator = f3*denominator by 2*E_4 + U_4");
    b.define("gives denominator = 4*f1");
    b.output("f3", "numerator denominator", &fraction([f[0], f[1], f[2], f[3]], c[0]));
    b.finish()
}

/// `f3` as numerator and denominator where `f1 = 0`.
pub fn quotient_of_zero(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    let (f, _) = begin(&b, "f3 as numerator and denominator where f1 = 0", "f1 f2 f4 f5", &["xi"]);
    b.define("given f1 = 0");
    b.define("gives xi*numerator = xi*f3*denominator by E_1");
    b.define("gives denominator = f4");
    b.output("f3", "numerator denominator", &[(f[1] * f[3]).double(), f[2]]);
    b.finish()
}

/// `f0` from the others.
pub fn rest(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    let (f, c) = begin(&b, "f0", "f1 f2 f3 f4 f5", &["one = 1", "xi"]);
    b.define("gives r0 = f0 by E_0 - U_0");
    b.output("r", "r0", &[last([f[0], f[1], f[2], f[3], f[4]], c[1], c[0])]);
    b.finish()
}

/// Both, with an inverse.
pub fn whole(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    let (f, c) = begin(&b, "f0 and f3", "f1 f2 f4 f5", &["one = 1", "xi"]);
    b.define("nonzero 4*f1 \"f1 = 0\"");
    b.define("gives 4*f1*r3 = 4*f1*f3 by 2*E_4 + U_4");
    b.define("gives r0 = f0 + 2*xi*(r3 + f3)*(r3 - f3) by E_0 - U_0");
    let [f1, f2, f4, f5] = [0, 1, 2, 3].map(|k| f[k]);
    let [numerator, denominator] = fraction([f1, f2, f4, f5], c[1]);
    let f3 = numerator * denominator.invert();
    b.output("r", "r0 r3", &[last([f1, f2, f3, f4, f5], c[1], c[0]), f3]);
    b.finish()
}
