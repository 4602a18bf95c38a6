//! What products in `K[x]/(x⁶ − ξ)` are.

use crate::build::{Builder, Element};

/// Two elements, and the definition of their product; constants as for cubic extensions.
pub fn product<'b>(b: &'b Builder, scale: u32, constants: &[&str]) -> [Vec<Element<'b>>; 3] {
    let factor = if scale == 1 { String::new() } else { format!("{scale}·") };
    b.computes(&format!("r = {factor}a·b in K[x]/(x⁶ − ξ)"));
    b.scale(scale);
    let (x, y) = (b.input("a", &names("a")), b.input("b", &names("b")));
    let constants = constants.iter().chain([&"xi"]).map(|c| b.constant(c)).collect();
    b.define("root x^6 = xi");
    for c in ["a", "b", "r"] {
        b.define(&format!("let {c} = {}", polynomial(c, "x")));
    }
    b.define("gives r = a*b");
    [x, y, constants]
}

/// `a0 a1 a2 a3 a4 a5`
pub fn names(of: &str) -> String {
    (0..6).map(|k| format!("{of}{k}")).collect::<Vec<_>>().join(" ")
}

/// `a0 + a1*x + …`
pub fn polynomial(of: &str, x: &str) -> String {
    (0..6).map(|k| format!("{of}{k}*{x}^{k}")).collect::<Vec<_>>().join(" + ")
}

/// The result from multiples of the coefficients `c0 … c10` of the product polynomial.
pub fn fold<'b>(c: &[Element<'b>], xi: Element<'b>) -> Vec<Element<'b>> {
    (0..6).map(|k| if k < 5 { c[k] + xi * c[k + 6] } else { c[k] }).collect()
}
