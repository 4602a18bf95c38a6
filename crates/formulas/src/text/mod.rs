//! The text form of formulas: `formula.to_string()` and [`Formula::parse`], which gives back an identical formula.
//!
//! ```text
//! formula complex-square {
//!     computes "(a0 + a1 i)², i² = −1"
//!     source "folklore"
//!     characteristic any
//!     input a: a0 a1
//!
//!     root i^2 = -1
//!     let a = a0 + a1*i
//!     let r = r0 + r1*i
//!     gives r = a^2
//!
//!     %2 = a0 + a1
//!     %3 = a0 - a1
//!     %4 = %2 * %3
//!     %5 = a0 * a1
//!     %6 = 2 * %5
//!     output r: r0 = %4, r1 = %6
//! }
//! ```
//!
//! * A file holds the callees first (`formula @0 name { … }`), each before its first use, and the formula itself last.
//! * `constant xi` is free, `constant b3 = 3*b` is given, `constant i^2 = -1` has a monic relation. `bit s` is a secret
//!   bit, `scale 4` the factor that outputs carry (1 where there is none).
//! * Lines of the definition: `root`, `unknown`, `given`, `let`, `nonzero … "case"`, `assume name: … = …`,
//!   `gives … = … by …`.
//! * Steps: `a + b`, `a - b`, `-a`, `k * a`, `a / 2`, `a * b`, `a^2`, `c * a` for a constant c, `1 / a`,
//!   `select s, a, b`, `swap s, a, b`, `call 0 name(a, b)`. Results are numbered in order: inputs, constants, steps.
//! * Comments start with `//`.

mod line;
mod parse;
mod print;

use crate::formula::Formula;
use crate::lexer::SyntaxError;

impl Formula {
    /// Reads the text form.
    ///
    /// # Errors
    /// The first place where the text departs from the form, or what is wrong with the formula.
    pub fn parse(text: &str) -> Result<Formula, SyntaxError> {
        parse::parse(text)
    }
}
