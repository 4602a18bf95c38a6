//! What products and squares in extensions by one polynomial are, and multiples by elements of K and of the extension.

use crate::build::{Builder, Element};

/// `K[x]/(f)` for a monic f.
#[derive(Clone, Copy, Debug)]
pub struct Extension {
    /// The degree of f.
    pub degree: usize,
    /// What the power of x of that degree is.
    is: &'static str,
    /// The constants of f.
    constants: &'static [&'static str],
    /// As it is written.
    text: &'static str,
}

/// `K[x]/(x⁴ − ξ)`
pub const QUARTIC: Extension = Extension { degree: 4, is: "xi", constants: &["xi"], text: "K[x]/(x⁴ − ξ)" };
/// `K[x]/(x⁶ − ξ)`
pub const SEXTIC: Extension = Extension { degree: 6, is: "xi", constants: &["xi"], text: "K[x]/(x⁶ − ξ)" };
/// `K[x]/(x² + x + 1)`: x is a third root of unity.
pub const THIRD_ROOTS: Extension = Extension { degree: 2, is: "-x - 1", constants: &[], text: "K[x]/(x² + x + 1)" };
/// `K[x]/(x² − x + 1)`: x is a sixth root of unity.
pub const SIXTH_ROOTS: Extension = Extension { degree: 2, is: "x - 1", constants: &[], text: "K[x]/(x² − x + 1)" };
/// `K[x]/(x⁴ + x³ + x² + x + 1)`: x is a fifth root of unity.
pub const FIFTH_ROOTS: Extension =
    Extension { degree: 4, is: "-x^3 - x^2 - x - 1", constants: &[], text: "K[x]/(x⁴ + x³ + x² + x + 1)" };

impl Extension {
    /// `a0 a1 …`
    pub fn names(&self, of: &str) -> String {
        (0..self.degree).map(|k| format!("{of}{k}")).collect::<Vec<_>>().join(" ")
    }

    /// `a0 + a1*x + …`, at the given x.
    pub fn polynomial(&self, of: &str, x: &str) -> String {
        (0..self.degree).map(|k| format!("{of}{k}*{x}^{k}")).collect::<Vec<_>>().join(" + ")
    }

    /// The constants: what more a formula needs, then those of the polynomial.
    pub fn constants<'b>(&self, b: &'b Builder, more: &[&str]) -> Vec<Element<'b>> {
        more.iter().chain(self.constants).map(|c| b.constant(c)).collect()
    }

    /// The root, and what these letters stand for.
    pub fn lines(&self, b: &Builder, letters: &[&str]) {
        b.define(&format!("root x^{} = {}", self.degree, self.is));
        for letter in letters {
            b.define(&format!("let {letter} = {}", self.polynomial(letter, "x")));
        }
    }

    /// Two elements, and the definition of their product; constants as [`Extension::constants`] has them.
    pub fn product<'b>(&self, b: &'b Builder, scale: u32, more: &[&str]) -> [Vec<Element<'b>>; 3] {
        self.begin(b, scale, "a·b");
        let (x, y) = (b.input("a", &self.names("a")), b.input("b", &self.names("b")));
        let constants = self.constants(b, more);
        self.lines(b, &["a", "b", "r"]);
        b.define("gives r = a*b");
        [x, y, constants]
    }

    /// An element, and the definition of its square.
    pub fn square<'b>(&self, b: &'b Builder, scale: u32, more: &[&str]) -> [Vec<Element<'b>>; 2] {
        self.begin(b, scale, "a²");
        let x = b.input("a", &self.names("a"));
        let constants = self.constants(b, more);
        self.lines(b, &["a", "r"]);
        b.define("gives r = a^2");
        [x, constants]
    }

    /// An element, and the definition of its multiple by `by`, an expression in x that is called `text`.
    pub fn times<'b>(&self, b: &'b Builder, by: &str, text: &str) -> [Vec<Element<'b>>; 2] {
        self.begin(b, 1, &format!("{text}·a"));
        b.source("the definition");
        let x = b.input("a", &self.names("a"));
        let constants = self.constants(b, &[]);
        self.lines(b, &["a", "r"]);
        b.define(&format!("gives r = ({by})*a"));
        [x, constants]
    }

    fn begin(&self, b: &Builder, scale: u32, what: &str) {
        let factor = if scale == 1 { String::new() } else { format!("{scale}·") };
        b.computes(&format!("r = {factor}{what} in {}", self.text));
        b.scale(scale);
    }

    /// The result from multiples of the coefficients of the product polynomial, where the power is ξ.
    pub fn fold<'b>(&self, c: &[Element<'b>], xi: Element<'b>) -> Vec<Element<'b>> {
        let folded = |k: usize| c.get(k + self.degree).map_or(c[k], |high| c[k] + xi * *high);
        (0..self.degree).map(folded).collect()
    }

    /// The output `r`.
    pub fn give(&self, b: &Builder, r: &[Element]) {
        b.output("r", &self.names("r"), r);
    }

    /// An element, and the definition of s and n with `a·s = n` in K; `norm` says what n is, by `let` lines and itself.
    pub fn adjoint<'b>(&self, b: &'b Builder, norm: &[&str]) -> [Vec<Element<'b>>; 2] {
        b.computes(&format!("n and s with a·s = n in K, the norm of a in {}", self.text));
        let x = b.input("a", &self.names("a"));
        let constants = self.constants(b, &[]);
        self.lines(b, &["a", "s"]);
        norm.iter().for_each(|line| b.define(line));
        b.define("gives a*s = n");
        [x, constants]
    }
}
