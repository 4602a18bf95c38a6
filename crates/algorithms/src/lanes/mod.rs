//! Lanes: one element a lane of a vector unit whose words have 64 bits and whose multiply-add takes the low 52 bits of
//! its operands (AVX-512 IFMA).
//!
//! Words are of `word` bits, digits of `radix` bits; the difference is room for sums of products without a carry, and
//! carries are shifts and additions, since there are no flags. A digit that only feeds products need not be cut at its
//! radix ("unmasked", see [`crate::layout::Bounds`]).
//!
//! Where there are no products of 52 bits, digits have up to 30 bits, whose products are whole, or are multiplied as
//! doubles.
//!
//! * `layouts` lists the layouts; they are not among those of [`crate::layouts()`].
//! * `columns` holds the steps that all share; the other files are algorithms.

use crate::recipe::recipes;

pub mod barrett;
pub mod columns;
pub mod layouts;
pub mod normalise;
mod strips;

recipes! {
    montgomery::INTEGRATED;
    montgomery_columns::INTEGRATED, OF_MULTIPLE;
    fold::INTEGRATED;
    fold_columns::INTEGRATED;
    fold_early_columns::INTEGRATED;
    fold_doubles::INTEGRATED;
    short_products::INTEGRATED, SUMS;
    barrett_products::PRODUCT;
    whole_products::PRODUCT, REDUCTION;
    product::ROWS_MADD, STRIPS_12_MADD, STRIPS_13_MADD, STRIPS_14_MADD, STRIPS_2_MADD;
    add::CONDITIONAL_SUBTRACTION, FOLD;
    fold_top::ANDS, PRODUCTS;
    forms::TO_MONTGOMERY, FROM_MONTGOMERY, CANONICAL;
    pack::TO_MONTGOMERY, FROM_WORDS_BY_CONSTANTS, FROM_WORDS, TO_WORDS;
    mul_words::MONTGOMERY_TWICE, MONTGOMERY, BARRETT_THEN_CANONICAL, SHORT, FOLD;
    exceeds::BORROWS, CARRIES;
    mul_add::MONTGOMERY, FOLD, PRODUCT_THEN_SUM;
    sums::COLUMNS;
    affine::TWO_HALVES, TWO_HALVES_WHOLE;
    affine_each::QUOTIENT_BY_HALVES;
}
