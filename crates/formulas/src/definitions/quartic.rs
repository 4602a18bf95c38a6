//! What products in `K[x]/(x⁴ − ξ)` are.

use crate::build::{Builder, Element};

/// Two elements, and the definition of their product; constants as for cubic extensions.
pub fn product<'b>(b: &'b Builder, scale: u32, constants: &[&str]) -> [Vec<Element<'b>>; 3] {
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
