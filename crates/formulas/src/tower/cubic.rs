//! What products and squares in `K[x]/(x³ − ξ)` are.

use crate::build::{Builder, Element};

/// Two elements, and the definition of their product. The constants are what more a formula needs, then `xi`.
pub fn product<'b>(b: &'b Builder, constants: &[&str]) -> [Vec<Element<'b>>; 3] {
    let (x, y) = (b.input("a", "a0 a1 a2"), b.input("b", "b0 b1 b2"));
    let constants = constants.iter().chain([&"xi"]).map(|c| b.constant(c)).collect();
    b.define("root x^3 = xi");
    b.define("let a = a0 + a1*x + a2*x^2");
    b.define("let b = b0 + b1*x + b2*x^2");
    b.define("let r = r0 + r1*x + r2*x^2");
    b.define("gives r = a*b");
    [x, y, constants]
}
