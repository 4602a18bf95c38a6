//! What an algorithm is: the kinds of lines that the registry lists. An algorithm's file declares one; it knows nothing of
//! the lists, and asks for what it calls by [`Composite::needs`].

use std::sync::Arc;

use evariste_descriptions::{BinaryField, Field, Modulus};
use evariste_ir::{Builder, Kernel, Number, Value};

use crate::layout::Layout;
use crate::operation::Operation;
use crate::signature::NotApplicable;

/// A schedule of the product of two numbers of equally many words (saturated digits).
pub struct Product {
    /// Standard name, lower case with hyphens.
    pub name: &'static str,
    /// Does it apply to operands of `n` words of `w` bits?
    pub applies: fn(w: u32, n: usize) -> bool,
    /// The `2n` words of `a·b`.
    pub multiply: fn(&mut Builder, &[Value], &[Value]) -> Vec<Value>,
    /// The `2n` words of `a²`.
    pub square: fn(&mut Builder, &[Value]) -> Vec<Value>,
}

/// A reduction of a double-length number to one that is congruent (times 1/R for Montgomery), not yet normalised to the
/// resting bound.
pub struct Reduction {
    /// Standard name.
    pub name: &'static str,
    /// Does it apply to this modulus in this layout?
    pub applies: fn(&Modulus, &Layout) -> bool,
    /// Reduces.
    pub reduce: fn(&mut Builder, &Modulus, &Layout, Number) -> Number,
}

/// A product with the reduction interleaved; the result is not yet normalised to the resting bound.
pub struct Integrated {
    /// Standard name.
    pub name: &'static str,
    /// Does it apply to this modulus in this layout?
    pub applies: fn(&Modulus, &Layout) -> bool,
    /// Product of two numbers.
    pub multiply: fn(&mut Builder, &Modulus, &Layout, &Number, &Number) -> Number,
    /// Square; `None`: multiply the number by itself.
    pub square: Option<fn(&mut Builder, &Modulus, &Layout, &Number) -> Number>,
}

/// Any other way to write a kernel for an operation: what a field needs beside products, rolled kernels, one-bit
/// kernels.
pub struct Whole {
    /// Standard name.
    pub name: &'static str,
    /// Does it apply?
    pub applies: fn(&Field, &Layout, &Operation) -> bool,
    /// Writes the kernel.
    pub write: fn(&Field, &Layout, &Operation) -> Result<Kernel, NotApplicable>,
}

/// An algorithm made of calls of other kernels of the same layout: inverses, powers, a product and a sum.
pub struct Composite {
    /// Standard name.
    pub name: &'static str,
    /// Does it apply, provided that there are kernels of all its needs?
    pub applies: fn(&Field, &Layout, &Operation) -> bool,
    /// What it calls. No operation needs itself.
    pub needs: &'static [Need],
    /// Writes the kernel from those of the needs, in their order.
    pub write: fn(&Field, &Layout, &Operation, &[Arc<Kernel>]) -> Result<Kernel, NotApplicable>,
}

/// An operation whose kernel a [`Composite`] calls. Outputs may lie where operands do.
pub struct Need {
    /// The operation.
    pub operation: Operation,
    /// Which plan serves when nobody has chosen one.
    pub pick: Pick,
}

/// Which plan serves a [`Need`] when nobody has chosen one.
pub enum Pick {
    /// The first of the registry.
    First,
    /// Of all plans the one of fewest operations.
    Fewest,
    /// Of the plans of the first group that has any the one of fewest operations. Groups name algorithms, or of
    /// products with a reduction the product alone.
    Preferred(&'static [&'static [&'static str]]),
}

/// A way to multiply two polynomials of n words, or to square one.
pub struct CarrylessProduct {
    /// Standard name.
    pub name: &'static str,
    /// Does it apply to n words of w bits?
    pub applies: fn(w: u32, n: usize) -> bool,
    /// The 2n words of `a·b`.
    pub multiply: Option<fn(&mut Builder, &[Value], &[Value]) -> Vec<Value>>,
    /// The 2n words of `a²`.
    pub square: Option<fn(&mut Builder, &[Value]) -> Vec<Value>>,
}

/// A way to reduce 2n words to n.
pub struct CarrylessReduction {
    /// Standard name.
    pub name: &'static str,
    /// Does it apply to this polynomial in words of w bits?
    pub applies: fn(f: &BinaryField, w: u32) -> bool,
    /// Reduces a polynomial of degree at most 2m − 2.
    pub reduce: fn(&mut Builder, &BinaryField, &[Value]) -> Vec<Value>,
}
