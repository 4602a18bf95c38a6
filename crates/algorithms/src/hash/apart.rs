//! Square hash of which the carries of the sums below squares are apart.
//!
//! * **computes** `Σ s² + 2^(n+1)·Σ c·s + 2^2n·Σ c²` for `k_i + m_i = s + 2^n·c`, then its residue and the lowest bits.
//! * **needs** words of a message that are half a word of the kernel.
//! * **gives** what `hash` and `hash_plus` give.
//! * **cost** three products of half words for each word of the message, and an addition of two words and two of one.
//! * **source** the square of a sum of two terms; for vectors, whose products are of half words.

use evariste_descriptions::Field;
use evariste_ir::Kernel;

use super::sums::Terms;
use super::whole::{applies_apart as applies, written};
use crate::layout::Layout;
use crate::operation::Operation;
use crate::recipe::{Recipe, Whole};
use crate::reduction::complement::Variant;
use crate::signature::NotApplicable;

super::ways::reductions! {
    MUL: "carries-apart-complement-mul" shifts false table false;
    SHIFT: "carries-apart-complement-shift" shifts true table false;
}

fn write(
    field: &Field,
    layout: &Layout,
    operation: &Operation,
    name: &str,
    variant: Variant,
) -> Result<Kernel, NotApplicable> {
    written(field, layout, operation, (name, variant), |_| Terms::SquaresApart)
}
