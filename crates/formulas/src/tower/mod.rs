//! Extensions of the coefficient ring: products, squares, inverses, one algorithm a file.

use crate::entry::{Entry, Family};

pub mod cubic_chung_hasan;
pub mod cubic_karatsuba;
pub mod cubic_norm;
pub mod cubic_other_points;
pub mod cubic_schoolbook;
pub mod cubic_toom_3;
pub mod cubic_toom_3i;
pub mod cyclotomic;
pub mod decompression;
pub mod frobenius;
pub mod multiples;
pub mod quadratic_complex;
pub mod quadratic_karatsuba;
pub mod quadratic_norm;
pub mod quadratic_schoolbook;
pub mod quartic_karatsuba;
pub mod quartic_sixth_roots;
pub mod sextic_fifth_roots;
pub mod sextic_low_norm;
pub mod twelve;
pub mod twelve_sparse;

/// The families of this folder.
pub const FAMILIES: &[Family] = &[
    Family {
        name: "quadratic-product",
        formulas: &[
            Entry { name: "quadratic-schoolbook", write: quadratic_schoolbook::product },
            Entry { name: "quadratic-karatsuba", write: quadratic_karatsuba::product },
        ],
    },
    Family {
        name: "quadratic-square",
        formulas: &[
            Entry { name: "quadratic-schoolbook-square", write: quadratic_schoolbook::square },
            Entry { name: "quadratic-karatsuba-square", write: quadratic_karatsuba::square },
            Entry { name: "quadratic-complex-square", write: quadratic_complex::square },
            Entry { name: "gauss-complex-square", write: quadratic_complex::square_of_gauss },
        ],
    },
    Family {
        name: "quadratic-inverse",
        formulas: &[Entry { name: "quadratic-norm-inverse", write: quadratic_norm::inverse }],
    },
    Family { name: "quadratic-norm", formulas: &[Entry { name: "quadratic-norm", write: quadratic_norm::norm }] },
    Family {
        name: "quadratic-conjugate-multiple",
        formulas: &[Entry { name: "quadratic-conjugate-multiple", write: quadratic_norm::multiple }],
    },
    Family { name: "multiple-by-u", formulas: &[Entry { name: "multiple-by-u", write: multiples::by_u }] },
    Family {
        name: "multiple-by-1-plus-u",
        formulas: &[Entry { name: "multiple-by-1-plus-u", write: multiples::by_1_plus_u }],
    },
    Family {
        name: "multiple-by-1-plus-2u",
        formulas: &[Entry { name: "multiple-by-1-plus-2u", write: multiples::by_1_plus_2u }],
    },
    Family {
        name: "multiple-by-9-plus-u",
        formulas: &[Entry { name: "multiple-by-9-plus-u", write: multiples::by_9_plus_u }],
    },
    Family { name: "multiple-by-v", formulas: &[Entry { name: "multiple-by-v", write: multiples::by_v }] },
    Family {
        name: "cubic-product",
        formulas: &[
            Entry { name: "cubic-schoolbook", write: cubic_schoolbook::product },
            Entry { name: "karatsuba-3", write: cubic_karatsuba::plain },
            Entry { name: "karatsuba-3-shared", write: cubic_karatsuba::shared },
            Entry { name: "toom-3", write: cubic_toom_3::product_direct },
            Entry { name: "toom-3-tripled-once", write: cubic_toom_3::product_tripled_once },
            Entry { name: "toom-3i", write: cubic_toom_3i::product },
            Entry { name: "toom-3-omega", write: cubic_other_points::omega },
            Entry { name: "toom-3-phi", write: cubic_other_points::phi },
            Entry { name: "toom-3-root-2", write: cubic_other_points::root_2 },
            Entry { name: "toom-3-root-minus-2", write: cubic_other_points::root_minus_2 },
        ],
    },
    Family {
        name: "cubic-square",
        formulas: &[
            Entry { name: "karatsuba-3-square", write: cubic_karatsuba::square },
            Entry { name: "chung-hasan-1", write: cubic_chung_hasan::sqr1 },
            Entry { name: "chung-hasan-2", write: cubic_chung_hasan::sqr2 },
            Entry { name: "chung-hasan-3", write: cubic_chung_hasan::sqr3 },
            Entry { name: "chung-hasan-3x", write: cubic_chung_hasan::sqr3x },
            Entry { name: "toom-3-square", write: cubic_toom_3::square },
            Entry { name: "toom-3i-square", write: cubic_toom_3i::square },
        ],
    },
    Family { name: "cubic-inverse", formulas: &[Entry { name: "cubic-norm-inverse", write: cubic_norm::inverse }] },
    Family { name: "cubic-adjoint", formulas: &[Entry { name: "cubic-adjoint", write: cubic_norm::adjoint }] },
    Family { name: "cubic-multiple", formulas: &[Entry { name: "cubic-multiple", write: cubic_norm::multiple }] },
    Family {
        name: "quartic-product",
        formulas: &[
            Entry { name: "karatsuba-2-2", write: quartic_karatsuba::product },
            Entry { name: "quartic-sixth-roots", write: quartic_sixth_roots::product },
        ],
    },
    Family {
        name: "sextic-product",
        formulas: &[
            Entry { name: "sextic-fifth-roots", write: sextic_fifth_roots::product },
            Entry { name: "sextic-low-norm", write: sextic_low_norm::product },
        ],
    },
    Family {
        name: "twelve-product",
        formulas: &[
            Entry { name: "twelve-karatsuba", write: twelve::product },
            Entry { name: "twelve-toom-3i", write: twelve::product_toom_3i },
        ],
    },
    Family {
        name: "twelve-square",
        formulas: &[
            Entry { name: "twelve-complex-square", write: twelve::square },
            Entry { name: "twelve-toom-3i-square", write: twelve::square_toom_3i },
        ],
    },
    Family { name: "twelve-inverse", formulas: &[Entry { name: "twelve-norm-inverse", write: twelve::inverse }] },
    Family { name: "twelve-by-m-line", formulas: &[Entry { name: "sparse-m-twist", write: twelve_sparse::m_twist }] },
    Family { name: "twelve-by-d-line", formulas: &[Entry { name: "sparse-d-twist", write: twelve_sparse::d_twist }] },
    Family { name: "cyclotomic-square", formulas: &[Entry { name: "granger-scott", write: cyclotomic::square }] },
    Family { name: "compressed-square", formulas: &[Entry { name: "karabina", write: cyclotomic::compressed }] },
    Family {
        name: "decompression-quotient",
        formulas: &[Entry { name: "decompression-quotient", write: decompression::quotient }],
    },
    Family {
        name: "decompression-quotient-of-zero",
        formulas: &[Entry { name: "decompression-quotient-of-zero", write: decompression::quotient_of_zero }],
    },
    Family {
        name: "decompression-rest",
        formulas: &[Entry { name: "decompression-rest", write: decompression::rest }],
    },
    Family { name: "decompression", formulas: &[Entry { name: "decompression", write: decompression::whole }] },
    Family { name: "frobenius", formulas: &[Entry { name: "frobenius", write: frobenius::odd }] },
    Family { name: "frobenius-2", formulas: &[Entry { name: "frobenius-2", write: frobenius::second }] },
    Family { name: "frobenius-6", formulas: &[Entry { name: "frobenius-6", write: frobenius::conjugate }] },
];
