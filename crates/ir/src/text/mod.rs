//! The text form of kernels: `kernel.to_string()` and [`Kernel::parse`], which gives back an identical kernel.
//!
//! ```text
//! kernel double: word 8 {
//!     output r: 2 x w8
//!     input a: 2 x w8 <2^7
//!     table t: 2 x w8 [1, 3] = (1, 3)
//!     disjoint r a
//!
//!     given a <= 0x7f7f = a[0..2] * 2^0 step 8 max 127
//!     gives r <= (2^16-1) = r[0..2] * 2^0 step 8 max 255: value 1 it = 2*a mod (2^16-15)
//!
//!     %0: flag [0] = const(0)
//!     %4: flag = for i0 in 0..2 carry %1: flag = %0 {
//!         %2: w8 <2^7 = a[i0]
//!         %3: w8, %5: flag = add_carry %2, %2, %1
//!         r[i0] = %3
//!         yield %5
//!     }
//! }
//! ```
//!
//! * A file holds the callees first (`kernel @0 name: …`), each before its first use, and the kernel itself last. A
//!   kernel lists its callees (`callees @0 @1`) and calls them by their place in that list:
//!   `call 0 name(r, a[i0 mod ..], b[2.. by t])`.
//! * Types: `w64` (word), `d128` (double word), `f53` (float), `flag`, `m64` (mask).
//! * A range follows a type unless it is the type's full one: `<2^k`, `[lo, hi]`, `[constant]`; arrays may have one per
//!   element: `each (…)`.
//! * Numbers: decimal, `0x…`, `2^k`, `(2^k±c)`, a minus sign before any of them. Comments start with `//`.
//! * Indices: `3`, `i0*2 + 1`, `t[i0] - 1 mod` (a table's entry added; modulo the indexed array's length).
//! * Digits of numbers: `a[i] * 2^w max m`, or a run `a[i..j] * 2^w step s max m`; `a[i] low k` where only k bits of
//!   the element count.
//! * Promises: `value factor it = polynomial [mod m]`, `equal a b`, `zero a`, `power a ^ e factor f mod m`,
//!   `power a ^ e under rotating (…)`, `linear (…)`, `bilinear (…)`, `rotating (…)` (lists of coordinates),
//!   `step name`. Polynomials name input numbers, or number them `#0`.

mod lexer;
mod number;
mod parse;
mod parse_body;
mod parse_contract;
mod print;

use crate::kernel::Kernel;

/// Where and why a text is no kernel.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}, column {column}: {message}")]
pub struct ParseError {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// What was expected or is wrong.
    pub message: String,
}

/// Longest text, in bytes.
pub const MAX_TEXT: usize = 1 << 28;

impl Kernel {
    /// Reads the text form. The result is not verified: see [`verify`](crate::verify::verify).
    ///
    /// # Errors
    /// The first place where the text departs from the form.
    pub fn parse(text: &str) -> Result<Kernel, ParseError> {
        parse::parse(text)
    }
}
