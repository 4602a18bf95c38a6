//! `K[x]/(x² + x + 1)` and `K[x]/(x² − x + 1)`, whose x are third and sixth roots of unity.
//!
//! * **computes** `r = a·b`, `r = a²`, the norm `a·conj(a)`, `t·conj(a)` for t in K, `x·a`, `ω·a` for the third root of unity ω.
//! * **needs** any commutative ring K.
//! * **gives** scale 1.
//! * **cost** product 3M + 6A for third roots, 3M + 4A for sixth ones; square 2M + 4A; norm 1M + 2S + 2A; multiple
//!   2M + 2A; by x and by ω 2A.
//! * **source** Karatsuba and Ofman 1962, where the middle product is the whole coefficient but for one.

use crate::build::{Builder, Element};
use crate::definitions::extension::{Extension, SIXTH_ROOTS, THIRD_ROOTS};
use crate::formula::Formula;
use crate::verify::Defect;

/// One of the two extensions: x² is −1 and x, or −1 without x.
#[derive(Clone, Copy)]
struct Of {
    extension: &'static Extension,
    /// x² = x − 1
    sixth: bool,
}

const THIRD: Of = Of { extension: &THIRD_ROOTS, sixth: false };
const SIXTH: Of = Of { extension: &SIXTH_ROOTS, sixth: true };

impl Of {
    /// The trace of x, times an element, added.
    fn plus_trace<'b>(self, a: Element<'b>, b: Element<'b>) -> Element<'b> {
        if self.sixth { a + b } else { a - b }
    }

    fn product(self, name: &str) -> Result<Formula, Defect> {
        let b = Builder::new(name);
        b.source("Karatsuba and Ofman 1962");
        let [x, y, _] = self.extension.product(&b, 1, &[]);
        let (v0, v1) = (x[0] * y[0], x[1] * y[1]);
        let both = (x[0] + x[1]) * (y[0] + y[1]);
        let r0 = v0 - v1;
        // a0b1 + a1b0 = both − v0 − v1, and x² leaves ±v1.
        let r1 = if self.sixth { both - v0 } else { both - v0 - v1.double() };
        self.extension.give(&b, &[r0, r1]);
        b.finish()
    }

    /// `(a0 − a1)(a0 + a1)` and `a1(2a0 ± a1)`
    fn square(self, name: &str) -> Result<Formula, Defect> {
        let b = Builder::new(name);
        b.source("squares as differences");
        let [x, _] = self.extension.square(&b, 1, &[]);
        let r0 = (x[0] - x[1]) * (x[0] + x[1]);
        let r1 = self.plus_trace(x[0].double(), x[1]) * x[1];
        self.extension.give(&b, &[r0, r1]);
        b.finish()
    }

    fn norm(self, name: &str) -> Result<Formula, Defect> {
        let b = Builder::new(name);
        b.computes("r = a·conj(a) in K, for the other root of the polynomial in place of x");
        b.source("the definition of the norm");
        let x = b.input("a", "a0 a1");
        self.extension.lines(&b, &["a"]);
        let conjugate = if self.sixth { "1 - x" } else { "-1 - x" };
        b.define(&format!("gives r = a*(a0 + a1*({conjugate}))"));
        let cross = x[0] * x[1];
        let squares = x[0].square() + x[1].square();
        b.output("r", "r", &[self.plus_trace(squares, cross)]);
        b.finish()
    }

    fn multiple(self, name: &str) -> Result<Formula, Defect> {
        let b = Builder::new(name);
        b.computes("r = t·conj(a), t in K, for the other root of the polynomial in place of x");
        b.source("the definition");
        let (x, t) = (b.input("a", "a0 a1"), b.input("t", "t"));
        let sign = if self.sixth { '+' } else { '-' };
        b.define(&format!("gives r0 = (a0 {sign} a1)*t"));
        b.define("gives r1 = -a1*t");
        b.output("r", "r0 r1", &[self.plus_trace(x[0], x[1]) * t[0], -(x[1] * t[0])]);
        b.finish()
    }

    /// By x, which is ω itself where it is no sixth root.
    fn by_root(self, name: &str) -> Result<Formula, Defect> {
        let b = Builder::new(name);
        let [a, _] = self.extension.times(&b, "x", "x");
        self.extension.give(&b, &[-a[1], self.plus_trace(a[0], a[1])]);
        b.finish()
    }
}

macro_rules! both {
    ($($what:literal $method:ident $third:ident $sixth:ident;)*) => {
        $(
            #[doc = concat!("The ", $what, " for third roots.")]
            pub fn $third(name: &str) -> Result<Formula, Defect> {
                THIRD.$method(name)
            }

            #[doc = concat!("The ", $what, " for sixth roots.")]
            pub fn $sixth(name: &str) -> Result<Formula, Defect> {
                SIXTH.$method(name)
            }
        )*
    };
}

both! {
    "product" product third_product sixth_product;
    "square" square third_square sixth_square;
    "norm" norm third_norm sixth_norm;
    "multiple of the conjugate" multiple third_multiple sixth_multiple;
    "multiple by x" by_root third_by_root sixth_by_root;
}

/// The multiple by ω = x − 1 = x² for sixth roots.
pub fn sixth_by_omega(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    let [a, _] = SIXTH_ROOTS.times(&b, "x^2", "x²");
    SIXTH_ROOTS.give(&b, &[-(a[0] + a[1]), a[0]]);
    b.finish()
}
