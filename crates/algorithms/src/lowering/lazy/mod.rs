//! A formula as calls of whole products, sums of them, and one reduction for each sum that is wanted.
//!
//! * **computes** what the formula does.
//! * **needs** a Montgomery layout in saturated words, whose elements rest below p or 2p, or one for lanes; kernels whose outputs may lie
//!   where operands do; resting elements. An output may lie where an operand does.
//! * **gives** resting elements.
//! * **cost** a whole product for each product that sums read, a reduced one for each other; a reduction for each sum of
//!   products that an output or another product reads; sums of twice the length, with multiples of p where the range asks
//!   for them. In lanes whole products are columns, and sums of them, of as many terms as there are, carry nothing; sums
//!   of two products that nothing else reads are never whole.
//! * **source** Aranha, Karabina, Longa, Gebotys, López, "Faster explicit formulas for computing pairings over ordinary
//!   curves" (Eurocrypt 2011); Scott, "Implementing cryptographic pairings" (2007).

mod blocks;
mod explain;
mod form;
mod kernels;
mod limits;
mod merge;
mod ranges;
mod steps;
mod write;

use std::sync::Arc;

use evariste_descriptions::Modulus;
use evariste_formulas::{Checked, Formula, inlined};
use evariste_ir::Kernel;

use self::blocks::Blocks;
use self::limits::Limits;
use self::steps::Block;
use super::{Ground, Numbers, Operations, framed, prepared};
use crate::lanes::columns;
use crate::layout::Layout;
use crate::signature::NotApplicable;

/// What is called on whole products.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Whole {
    /// The product of two integers.
    Product,
    /// The square of one.
    Square,
    /// The reduction of either.
    Reduction,
    /// The reduced product.
    ReducedProduct,
    /// The reduced square.
    ReducedSquare,
}

/// What formulas that a formula calls give.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Calls {
    /// Elements.
    Reduced,
    /// Whole numbers, which are reduced when they are summed.
    Whole,
}

/// The field's kernels, and those of whole products for layouts that differ from the field's in what products take.
pub struct Supply<'a> {
    /// Of the layout itself.
    pub operations: Operations,
    /// Of another one.
    pub whole: &'a dyn Fn(Whole, &Layout) -> Result<Arc<Kernel>, NotApplicable>,
}

/// Is it a layout that sums of whole products are reduced in?
pub fn takes(modulus: &Modulus, layout: &Layout) -> bool {
    form::takes(modulus, layout)
}

/// Is it one where that takes less time too? Whole products of digits leave columns that are cut one by one: on Zen 4 with
/// AVX2 alone products in Fp12 of BLS12-381 whose Fp2 products reduce sums took 1.15 times as long as reduced products.
pub fn is_worth(modulus: &Modulus, layout: &Layout) -> bool {
    takes(modulus, layout) && layout.radix.is_none_or(|k| columns::halves(layout.word, k))
}

/// Is it one for lanes where sums of whole products take no less time, but sums of a few products, which are reduced as
/// they are made: no column leaves the registers?
pub fn sums_products(modulus: &Modulus, layout: &Layout) -> bool {
    layout.radix.is_some() && takes(modulus, layout) && !is_worth(modulus, layout)
}

/// What kernels are written from.
#[derive(Clone, Copy)]
pub(super) struct Means<'a> {
    ground: Ground<'a>,
    supply: &'a Supply<'a>,
    /// The kernel of a formula that is called.
    block: &'a dyn Fn(&Block) -> Result<Kernel, NotApplicable>,
}

/// The kernel of a formula, as [`super::lower`]: sums of products are reduced once. Formulas that it calls are kernels
/// of their own, or their steps are its own (`None`).
///
/// # Errors
/// As [`super::lower`]; where the layout has no room for sums of products.
pub fn lower(
    name: &str,
    formula: &Checked,
    ground: Ground,
    numbers: &Numbers,
    supply: &Supply,
    calls: Option<Calls>,
) -> Result<Kernel, NotApplicable> {
    let (formula, calls) = called(formula, ground, calls)?;
    framed(name, formula, ground, numbers, |b, formula, constants, outputs, inputs| {
        let limits = Limits::new(ground.modulus, ground.layout);
        let blocks = Blocks { formula, constants, ground, limits: &limits, calls };
        let program = blocks.whole()?;
        let means = Means { ground, supply, block: &|block| blocks.kernel(block, supply) };
        write::write(b, &program, means, outputs, inputs)
    })
}

/// Where reductions fall in a formula, and why, as [`lower`] writes it.
///
/// # Errors
/// As [`lower`].
pub fn explain(
    formula: &Checked,
    ground: Ground,
    numbers: &Numbers,
    calls: Option<Calls>,
) -> Result<String, NotApplicable> {
    let (formula, calls) = called(formula, ground, calls)?;
    let (formula, constants) = prepared(formula, ground, numbers)?;
    let limits = Limits::new(ground.modulus, ground.layout);
    let blocks = Blocks { formula: &formula, constants: &constants, ground, limits: &limits, calls };
    Ok(explain::explained(&blocks.whole()?, &limits))
}

/// The formula with those of its calls that are kept.
fn called(formula: &Checked, ground: Ground, calls: Option<Calls>) -> Result<(Formula, Calls), NotApplicable> {
    if !takes(ground.modulus, ground.layout) {
        return Err(NotApplicable("sums of whole products are reduced in Montgomery form, in whole words or in lanes with room for their columns".into()));
    }
    let formula = match calls {
        Some(_) => (**formula.formula()).clone(),
        None => inlined(formula.formula()).map_err(|e| NotApplicable(e.to_string()))?,
    };
    Ok((formula, calls.unwrap_or(Calls::Whole)))
}
