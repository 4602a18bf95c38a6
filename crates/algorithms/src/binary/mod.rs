//! Binary fields. Over one-bit words, one word a coordinate, every machine word holds one coordinate of many elements
//! (bit-slicing): not for a single element on a word machine. Polynomials also lie in whole words.
//!
//! * `coordinates` writes parameters and contracts; `circuit` shares gates, `leaves` multiplies by one code for all
//!   blocks, `clocks` holds what rolled multipliers share.
//! * Normal bases: `massey_omura`, `matrix`, `esmpo`, `kwon`, `fan_hasan`, `optimal_polynomial`, `via_polynomial`,
//!   `squaring`; in whole words `ning_yin`.
//! * Polynomials: `polynomial`; in whole words `carryless`, `comb` and `spreading` multiply and square,
//!   `word_reduction` reduces, `words` puts them together; bytes by `rijndael`.
//! * Any basis: linear maps by `linear`, repeated squarings by `frobenius`, inverses by `itoh_tsujii`.

use crate::recipe::{CarrylessProduct, recipes};

pub mod circuit;
pub mod clocks;
pub mod coordinates;
pub mod five_parts;
pub mod frobenius;
pub mod leaves;
pub mod polynomial_product;
pub mod toeplitz;

recipes! {
    carryless::SCHOOLBOOK, KARATSUBA, SQUARES;
    comb::UNROLLED, ROLLED;
    comb_window::PRODUCT;
    spreading::SPREADING;
    word_reduction::FOLD, FOLD_FACTORS, WORD_BY_WORD, BARRETT;
    massey_omura::ROLLED, UNROLLED;
    matrix::ROLLED, UNROLLED;
    esmpo::XESMPO, XESMPO_UNROLLED, AESMPO, AESMPO_UNROLLED;
    kwon::ROLLED, UNROLLED;
    fan_hasan::BEST, TWO_WAY;
    optimal_polynomial::FEWEST, SHALLOW, BLOCKS, ROLLED;
    polynomial::FEWEST, SHALLOW, BLOCKS, ROLLED;
    via_polynomial::FEWEST, BLOCKS;
    linear::SHARED_SUMS;
    ning_yin::PRODUCT, ROTATION;
    squaring::SQUARING;
    square_root::HALF_FROBENIUS;
    add::XOR;
    words::XOR;
    rijndael::PRODUCT, SQUARE;
    itoh_tsujii::STRAIGHT, ROLLED;
}

/// Products whose time may tell of their operands: for whoever asks for them by name.
pub const PRODUCTS_VARTIME: &[CarrylessProduct] = &[comb_window::PRODUCT_VARTIME];
