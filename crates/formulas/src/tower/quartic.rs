//! Products in `K[x]/(x⁴ − ξ)`: what they are, and Karatsuba's method twice.
//!
//! * **computes** `r = a·b`.
//! * **needs** any commutative ring K.
//! * **gives** scale 1.
//! * **cost** 9M + 27A + 3·ξ: even and odd parts in y = x², coefficients folded last.
//! * **source** Karatsuba and Ofman 1962.

use crate::build::{Builder, Element};
use crate::formula::Formula;
use crate::verify::Defect;

/// Two elements, and the definition of their product; constants as for cubic extensions.
pub fn definition<'b>(b: &'b Builder, scale: u32, constants: &[&str]) -> [Vec<Element<'b>>; 3] {
    let factor = if scale == 1 { String::new() } else { format!("{scale}·") };
    b.computes(&format!("r = {factor}a·b in K[x]/(x⁴ − ξ)"));
    b.scale(scale);
    let (x, y) = (b.input("a", "a0 a1 a2 a3"), b.input("b", "b0 b1 b2 b3"));
    let constants = constants.iter().chain([&"xi"]).map(|c| b.constant(c)).collect();
    b.define("root x^4 = xi");
    for (name, c) in [("a", 'a'), ("b", 'b'), ("r", 'r')] {
        b.define(&format!("let {name} = {c}0 + {c}1*x + {c}2*x^2 + {c}3*x^3"));
    }
    b.define("gives r = a*b");
    [x, y, constants]
}

/// The three coefficients of a product of two polynomials of two.
fn short<'b>(a: [Element<'b>; 2], b: [Element<'b>; 2]) -> [Element<'b>; 3] {
    let (v0, v1) = (a[0] * b[0], a[1] * b[1]);
    [v0, (a[0] + a[1]) * (b[0] + b[1]) - v0 - v1, v1]
}

/// The product.
pub fn karatsuba_twice(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.source("Karatsuba and Ofman 1962, twice");
    let [x, y, constants] = definition(&b, 1, &[]);
    let xi = constants[0];
    let even = short([x[0], x[2]], [y[0], y[2]]);
    let odd = short([x[1], x[3]], [y[1], y[3]]);
    let both = short([x[0] + x[1], x[2] + x[3]], [y[0] + y[1], y[2] + y[3]]);
    // Odd coefficients c1, c3, c5 of the product polynomial.
    let c = [0, 1, 2].map(|k| both[k] - even[k] - odd[k]);
    let (c2, c4) = (even[1] + odd[0], even[2] + odd[1]);
    let r = [even[0] + xi * c4, c[0] + xi * c[2], c2 + xi * odd[2], c[1]];
    b.output("r", "r0 r1 r2 r3", &r);
    b.finish()
}
