//! What a prime field needs beside its products: additions, forms, bytes, tests, powers. One operation a file.
//!
//! `representation` says how the elements of a layout rest, which decides the method of each operation; `repack` moves
//! numbers between words, unsaturated digits and bytes; `addition_chain` finds the chains of `power` and `inverse`.

use crate::recipe::Whole;

pub mod add;
pub mod addition_chain;
pub mod affine;
pub mod canonical;
pub mod equal;
pub mod from_bytes;
pub mod from_montgomery;
pub mod inverse;
pub mod is_zero;
pub mod opp;
pub mod power;
pub mod repack;
pub mod representation;
pub mod selectznz;
pub mod sub;
pub mod to_bytes;
pub mod to_montgomery;

/// Registry lines of this folder.
pub const WHOLE: &[Whole] = &[
    add::CONDITIONAL_SUBTRACTION,
    add::FOLD,
    add::DIGITWISE,
    sub::MASKED_ADDITION,
    sub::FOLD,
    sub::DIGITWISE,
    opp::FROM_ZERO,
    selectznz::SELECT,
    to_montgomery::MONTGOMERY_CIOS,
    to_montgomery::MONTGOMERY_DIFFERENCE,
    from_montgomery::MONTGOMERY_CIOS,
    canonical::CONDITIONAL_SUBTRACTION,
    canonical::QUOTIENT_BY_CARRIES,
    to_bytes::SPLIT,
    from_bytes::JOIN,
    is_zero::OR,
    equal::XOR_OR,
];
