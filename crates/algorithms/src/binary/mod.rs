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

use crate::recipe::{CarrylessProduct, CarrylessReduction, Whole};

pub mod add;
pub mod carryless;
pub mod circuit;
pub mod clocks;
pub mod comb;
pub mod comb_window;
pub mod coordinates;
pub mod esmpo;
pub mod fan_hasan;
pub mod five_parts;
pub mod frobenius;
pub mod itoh_tsujii;
pub mod kwon;
pub mod leaves;
pub mod linear;
pub mod massey_omura;
pub mod matrix;
pub mod ning_yin;
pub mod optimal_polynomial;
pub mod polynomial;
pub mod polynomial_product;
pub mod rijndael;
pub mod spreading;
pub mod squaring;
pub mod toeplitz;
pub mod via_polynomial;
pub mod word_reduction;
pub mod words;

/// Registry lines of this folder.
pub const WHOLE: &[Whole] = &[
    massey_omura::ROLLED,
    massey_omura::UNROLLED,
    matrix::ROLLED,
    matrix::UNROLLED,
    esmpo::XESMPO,
    esmpo::XESMPO_UNROLLED,
    esmpo::AESMPO,
    esmpo::AESMPO_UNROLLED,
    kwon::ROLLED,
    kwon::UNROLLED,
    fan_hasan::BEST,
    fan_hasan::TWO_WAY,
    optimal_polynomial::FEWEST,
    optimal_polynomial::SHALLOW,
    optimal_polynomial::BLOCKS,
    optimal_polynomial::ROLLED,
    polynomial::FEWEST,
    polynomial::SHALLOW,
    polynomial::BLOCKS,
    polynomial::ROLLED,
    via_polynomial::FEWEST,
    via_polynomial::BLOCKS,
    linear::SHARED_SUMS,
    ning_yin::PRODUCT,
    ning_yin::ROTATION,
    squaring::SQUARING,
    add::XOR,
    words::XOR,
    rijndael::PRODUCT,
    rijndael::SQUARE,
];

/// Products of polynomials in whole words.
pub const PRODUCTS: &[CarrylessProduct] = &[
    carryless::SCHOOLBOOK,
    carryless::KARATSUBA,
    carryless::SQUARES,
    comb::UNROLLED,
    comb::ROLLED,
    comb_window::PRODUCT,
    spreading::SPREADING,
];

/// Products whose time may tell of their operands: for whoever asks for them by name.
pub const PRODUCTS_VARTIME: &[CarrylessProduct] = &[comb_window::PRODUCT_VARTIME];

/// Their reductions.
pub const REDUCTIONS: &[CarrylessReduction] =
    &[word_reduction::FOLD, word_reduction::WORD_BY_WORD, word_reduction::BARRETT];
