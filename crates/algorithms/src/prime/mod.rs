//! What a prime field needs beside its products: additions, forms, bytes, tests, powers. One operation a file.
//!
//! `representation` says how the elements of a layout rest, which decides the method of each operation; `repack` moves
//! numbers between words, unsaturated digits and bytes; `addition_chain` finds the chains of `power` and `inverse`.

use crate::recipe::recipes;

pub mod addition_chain;
pub mod repack;
pub mod representation;

recipes! {
    add::CONDITIONAL_SUBTRACTION, MERSENNE, FOLD, TRUNCATION, DIGITWISE;
    add_add::TWO_SUMS, MERSENNE, QUOTIENT_OF_TOP_WORD;
    sub::MASKED_ADDITION, FOLD, TRUNCATION, DIGITWISE;
    opp::FROM_ZERO;
    selectznz::SELECT;
    to_montgomery::MONTGOMERY_CIOS, MONTGOMERY_DIFFERENCE, PRODUCT;
    from_montgomery::MONTGOMERY_CIOS, PRODUCT;
    canonical::CONDITIONAL_SUBTRACTION, QUOTIENT_BY_CARRIES;
    to_bytes::SPLIT;
    from_bytes::JOIN;
    is_zero::OR, CANONICAL_OR;
    equal::XOR_OR;
    inverse::ADDITION_CHAIN;
    safegcd::SAFEGCD;
    power::ADDITION_CHAIN;
    square_root::TONELLI_SHANKS, EULER;
    affine::COMPLEMENT_MUL, COMPLEMENT_MUL_TABLE, COMPLEMENT_SHIFT, COMPLEMENT_SHIFT_TABLE,
        COMPLEMENT_MUL_B_AFTER, COMPLEMENT_MUL_TABLE_B_AFTER, COMPLEMENT_SHIFT_B_AFTER,
        COMPLEMENT_SHIFT_TABLE_B_AFTER, COMPLEMENT_MUL_FLOAT_24, COMPLEMENT_MUL_FLOAT_24_FMA,
        COMPLEMENT_SHIFT_FLOAT_24_FMA, COMPLEMENT_SHIFT_FLOAT_16X32_FMA, COMPLEMENT_SHIFT_FLOAT_52_FMA, FOLD,
        SOLINAS, BARRETT, TRUNCATION, FOLD_UNSATURATED, FOLD_LATE, MONTGOMERY_CIOS;
    affine_halves::QUOTIENT_BY_HALVES;
}
