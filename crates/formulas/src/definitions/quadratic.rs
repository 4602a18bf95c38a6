//! What products, squares and inverses in `K[u]/(u² − β)` are.

use crate::build::{Builder, Element};

/// `beta`, any element.
pub const ANY_BETA: &str = "beta";
/// `beta = -1`: u is a square root of −1.
pub const MINUS_ONE: &str = "beta = -1";

/// Two elements, the constant, and the definition of their product.
pub fn product<'b>(b: &'b Builder, beta: &str) -> (Vec<Element<'b>>, Vec<Element<'b>>, Element<'b>) {
    b.computes("r = a·b in K[u]/(u² − β)");
    let (x, y) = (b.input("a", "a0 a1"), b.input("b", "b0 b1"));
    let beta = b.constant(beta);
    lines(b);
    b.define("let b = b0 + b1*u");
    b.define("gives r = a*b");
    (x, y, beta)
}

/// An element, the constant, and the definition of its square.
pub fn square<'b>(b: &'b Builder, beta: &str) -> (Vec<Element<'b>>, Element<'b>) {
    b.computes("r = a² in K[u]/(u² − β)");
    let x = b.input("a", "a0 a1");
    let beta = b.constant(beta);
    lines(b);
    b.define("gives r = a^2");
    (x, beta)
}

/// An element, the constant, and the definition of its inverse.
pub fn inverse<'b>(b: &'b Builder, beta: &str) -> (Vec<Element<'b>>, Element<'b>) {
    b.computes("r = 1/a in K[u]/(u² − β)");
    let x = b.input("a", "a0 a1");
    let beta = b.constant(beta);
    lines(b);
    b.define("let norm = (a0 + a1*u)*(a0 - a1*u)");
    b.define("nonzero norm \"a is no unit\"");
    b.define("gives r*a = 1");
    (x, beta)
}

fn lines(b: &Builder) {
    b.define("root u^2 = beta");
    b.define("let a = a0 + a1*u");
    b.define("let r = r0 + r1*u");
}
