//! What products, squares and inverses in `K[x]/(x³ − ξ)` are.

use crate::build::{Builder, Element};

/// Two elements, and the definition of their product. The constants are what more a formula needs, then `xi`.
pub fn product<'b>(b: &'b Builder, scale: u32, constants: &[&str]) -> [Vec<Element<'b>>; 3] {
    b.computes(&format!("r = {}a·b in K[x]/(x³ − ξ)", factor(scale)));
    b.scale(scale);
    let (x, y) = (b.input("a", "a0 a1 a2"), b.input("b", "b0 b1 b2"));
    let constants = constants.iter().chain([&"xi"]).map(|c| b.constant(c)).collect();
    lines(b);
    b.define("let b = b0 + b1*x + b2*x^2");
    b.define("gives r = a*b");
    [x, y, constants]
}

/// An element, one without its last coordinate, `xi`, and the definition of their product.
pub fn sparse_product(b: &Builder) -> (Vec<Element<'_>>, Vec<Element<'_>>, Element<'_>) {
    b.computes("r = a·(b0 + b1 x) in K[x]/(x³ − ξ)");
    let (x, y) = (b.input("a", "a0 a1 a2"), b.input("b", "b0 b1"));
    let xi = b.constant("xi");
    lines(b);
    b.define("gives r = a*(b0 + b1*x)");
    (x, y, xi)
}

/// An element, and the definition of its square; constants as for products.
pub fn square<'b>(b: &'b Builder, scale: u32, constants: &[&str]) -> [Vec<Element<'b>>; 2] {
    b.computes(&format!("r = {}a² in K[x]/(x³ − ξ)", factor(scale)));
    b.scale(scale);
    let x = b.input("a", "a0 a1 a2");
    let constants = constants.iter().chain([&"xi"]).map(|c| b.constant(c)).collect();
    lines(b);
    b.define("gives r = a^2");
    [x, constants]
}

/// An element, `xi`, and the definition of its inverse.
pub fn inverse(b: &Builder) -> (Vec<Element<'_>>, Element<'_>) {
    b.computes("r = 1/a in K[x]/(x³ − ξ)");
    let x = b.input("a", "a0 a1 a2");
    let xi = b.constant("xi");
    lines(b);
    b.define("let norm = a0^3 + xi*a1^3 + xi^2*a2^3 - 3*xi*a0*a1*a2");
    b.define("nonzero norm \"a is no unit\"");
    b.define("gives r*a = 1");
    (x, xi)
}

fn lines(b: &Builder) {
    b.define("root x^3 = xi");
    b.define("let a = a0 + a1*x + a2*x^2");
    b.define("let r = r0 + r1*x + r2*x^2");
}

fn factor(scale: u32) -> String {
    if scale == 1 { String::new() } else { format!("{scale}·") }
}
