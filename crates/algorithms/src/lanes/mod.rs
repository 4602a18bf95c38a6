//! Lanes: one element a lane of a vector unit whose words have 64 bits and whose multiply-add takes the low 52 bits of
//! its operands (AVX-512 IFMA).
//!
//! Words are of `word` bits, digits of `radix` bits; the difference is room for sums of products without a carry, and
//! carries are shifts and additions, since there are no flags. A digit that only feeds products need not be cut at its
//! radix ("unmasked", see [`crate::layout::Bounds`]).
//!
//! * `layouts` lists the layouts; they are not among those of [`crate::layouts`].
//! * `columns` holds the steps that all share; the other files are algorithms.

use crate::prime;
use crate::recipe::{Integrated, Whole};

pub mod add;
pub mod affine;
pub mod barrett;
pub mod columns;
pub mod exceeds;
pub mod fold;
pub mod fold_top;
pub mod forms;
pub mod layouts;
pub mod montgomery;
pub mod mul_add;
pub mod mul_words;
pub mod normalise;
pub mod pack;
pub mod product;
pub mod sums;

/// Registry lines: products with their reduction.
pub const INTEGRATED: &[Integrated] = &[montgomery::INTEGRATED, montgomery::COLUMNS, fold::INTEGRATED];

/// Registry lines: other kernels.
pub const WHOLE: &[&[Whole]] = &[
    product::WHOLE,
    add::WHOLE,
    fold_top::WHOLE,
    forms::WHOLE,
    pack::WHOLE,
    mul_words::WHOLE,
    exceeds::WHOLE,
    mul_add::WHOLE,
    sums::WHOLE,
    affine::WHOLE,
    &[prime::selectznz::SELECT],
];
