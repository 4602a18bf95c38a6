//! The kinds of descriptions: a file or folder each, and a line in the table.

use crate::kind::Kind;

/// Declares the kinds' files, makes their types public and lists them: a line is a file with the names it makes
/// public. The first kind that takes a text describes it; moduli take what is left.
macro_rules! kinds {
    ($($file:ident::$first:ident $(, $more:ident)*;)+) => {
        $(pub(crate) mod $file;)+

        $(pub use $file::{$first $(, $more)*};)+

        /// Every kind.
        pub const KINDS: &[Kind] = &[$($file::KIND),+];
    };
}

kinds! {
    integers::Integers;
    odd_moduli::OddModuli;
    cipher::CIPHERS, Dfc, Wg, dfc, wg, wg_field;
    mac::Addition, MACS, Mmh, SquareHash, Tmmh, Words;
    binary::BinaryField, Basis, NoField, gaussian_types, has_gaussian_basis;
    pairing::NamedPairing, Pairing, Way, named_pairings;
    curve::Curve, CurveMap, CurveShape, Equation, Isogeny, NamedCurve, OfMontgomery, Point, ToEdwards, named_curves;
    tower::Tower, Floor, NamedTower, Ring, MAXIMUM_TOWER_BITS, MAXIMUM_TOWER_DEGREE, named_towers;
    modulus::Modulus, Shape, SquareRoot, Units;
}
