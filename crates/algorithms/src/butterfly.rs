//! Butterflies: the steps of number-theoretic transforms.
//!
//! * **computes** of 2 elements `a + b` and `(a − b)·w`; of 4 their transform by a fourth root of unity i, results 1, 2,
//!   3 times w1, w2, w3.
//! * **needs** resting elements. Outputs may be the operands at their places.
//! * **gives** resting elements.
//! * **cost** 1 product and 2 sums; 4 and 8.
//! * **source** Gentleman and Sande, "Fast Fourier transforms — for fun and profit" (1966): decimation in frequency.

use evariste_descriptions::Modulus;
use evariste_formulas::{Builder, Defect, Element, Formula, check};
use evariste_ir::Kernel;

use crate::layout::Layout;
use crate::lowering::{Ground, Operations, lower};
use crate::signature::NotApplicable;

/// A step of a transform.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Butterfly {
    /// Of 2 elements: `a`, `b`, the factor `w`.
    Two,
    /// Of 4 elements: `a` to `d`, the factors `w1` to `w3`, and `i`.
    Four,
}

/// What `(a, b, c, d)` becomes by the fourth root of unity i.
fn four<'b>([a, b, c, d]: [Element<'b>; 4], i: Element<'b>) -> [Element<'b>; 4] {
    let (even, odd, difference, turned) = (a + c, b + d, a - c, i * (b - d));
    [even + odd, difference + turned, even - odd, difference - turned]
}

/// The same as text.
fn four_text([a, b, c, d]: [&str; 4], i: &str) -> [String; 4] {
    [
        format!("{a} + {b} + {c} + {d}"),
        format!("{a} + {i}*{b} - {c} - {i}*{d}"),
        format!("{a} - {b} + {c} - {d}"),
        format!("{a} - {i}*{b} - {c} + {i}*{d}"),
    ]
}

impl Butterfly {
    /// The name of its kernel.
    pub fn name(self) -> &'static str {
        match self {
            Butterfly::Two => "butterfly-2",
            Butterfly::Four => "butterfly-4",
        }
    }

    fn formula(self) -> Result<Formula, Defect> {
        let b = Builder::new(self.name());
        b.computes("a step of a transform");
        b.source("Gentleman and Sande 1966");
        match self {
            Butterfly::Two => {
                let [x, y, w] = ["a", "b", "w"].map(|name| b.input(name, &format!("{name}0"))[0]);
                b.define("gives x0 = a0 + b0");
                b.define("gives y0 = (a0 - b0)*w0");
                b.output("x", "x0", &[x + y]);
                b.output("y", "y0", &[(x - y) * w]);
            }
            Butterfly::Four => {
                let x = ["a", "b", "c", "d"].map(|name| b.input(name, &format!("{name}0"))[0]);
                let w = ["u", "v", "w"].map(|name| b.input(name, &format!("{name}0"))[0]);
                let i = b.input("i", "i0")[0];
                let texts = four_text(["a0", "b0", "c0", "d0"], "i0");
                for (k, (name, text)) in ["p", "q", "r", "s"].iter().zip(&texts).enumerate() {
                    let factor = ["", "*u0", "*v0", "*w0"][k];
                    b.define(&format!("gives {name}0 = ({text}){factor}"));
                }
                for (k, (name, value)) in ["p", "q", "r", "s"].iter().zip(four(x, i)).enumerate() {
                    let value = if k == 0 { value } else { value * w[k - 1] };
                    b.output(name, &format!("{name}0"), &[value]);
                }
            }
        }
        b.finish()
    }

    /// Its kernel in a layout, made of the operations of the field.
    ///
    /// # Errors
    /// Operations that do not allow their output at the place of an operand.
    pub fn kernel(self, modulus: &Modulus, layout: &Layout, by: &Operations) -> Result<Kernel, NotApplicable> {
        let no = |why: String| NotApplicable(why);
        let formula = self.formula().map_err(|e| no(e.to_string()))?;
        let checked = check(&formula).map_err(|e| no(e.to_string()))?;
        lower(&self.name().replace('-', "_"), &checked, Ground { modulus, layout }, &|_| None, by)
    }
}
