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
pub mod even_norm;
pub mod fifth_roots;
pub mod frobenius;
pub mod multiples;
pub mod quadratic_complex;
pub mod quadratic_karatsuba;
pub mod quadratic_norm;
pub mod quadratic_roots_of_unity;
pub mod quadratic_schoolbook;
pub mod quartic_karatsuba;
pub mod quartic_sixth_roots;
pub mod sextic_fifth_roots;
pub mod sextic_karatsuba;
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
        name: "quartic-square",
        formulas: &[
            Entry { name: "karatsuba-2-2-square", write: quartic_karatsuba::square },
            Entry { name: "quartic-complex-square", write: quartic_karatsuba::complex },
            Entry { name: "quartic-sixth-roots-square", write: quartic_sixth_roots::square },
        ],
    },
    Family { name: "quartic-norm", formulas: &[Entry { name: "quartic-norm", write: even_norm::quartic_norm }] },
    Family {
        name: "quartic-half-norm",
        formulas: &[Entry { name: "quartic-half-norm", write: quadratic_norm::of_half }],
    },
    Family {
        name: "quartic-opposite-multiple",
        formulas: &[Entry { name: "quartic-opposite-multiple", write: even_norm::quartic_multiple }],
    },
    Family {
        name: "fifth-root-multiple",
        formulas: &[Entry { name: "fifth-root-multiple", write: multiples::of_degree_4 }],
    },
    Family {
        name: "multiple-by-quartic-root",
        formulas: &[Entry { name: "multiple-by-quartic-root", write: multiples::by_quartic_root }],
    },
    Family {
        name: "sextic-product",
        formulas: &[
            Entry { name: "karatsuba-2-3", write: sextic_karatsuba::product },
            Entry { name: "sextic-fifth-roots", write: sextic_fifth_roots::product },
            Entry { name: "sextic-low-norm", write: sextic_low_norm::product },
        ],
    },
    Family {
        name: "sextic-square",
        formulas: &[
            Entry { name: "sextic-complex-square", write: sextic_karatsuba::complex },
            Entry { name: "sextic-fifth-roots-square", write: sextic_fifth_roots::square },
            Entry { name: "sextic-low-norm-square", write: sextic_low_norm::square },
        ],
    },
    Family { name: "sextic-norm", formulas: &[Entry { name: "sextic-norm", write: even_norm::sextic_norm }] },
    Family {
        name: "sextic-opposite-multiple",
        formulas: &[Entry { name: "sextic-opposite-multiple", write: even_norm::sextic_multiple }],
    },
    Family {
        name: "multiple-by-sextic-root",
        formulas: &[Entry { name: "multiple-by-sextic-root", write: multiples::by_sextic_root }],
    },
    Family {
        name: "third-root-product",
        formulas: &[Entry { name: "third-root-karatsuba", write: quadratic_roots_of_unity::third_product }],
    },
    Family {
        name: "third-root-square",
        formulas: &[Entry { name: "third-root-square", write: quadratic_roots_of_unity::third_square }],
    },
    Family {
        name: "third-root-norm",
        formulas: &[Entry { name: "third-root-norm", write: quadratic_roots_of_unity::third_norm }],
    },
    Family {
        name: "third-root-conjugate-multiple",
        formulas: &[Entry { name: "third-root-conjugate-multiple", write: quadratic_roots_of_unity::third_multiple }],
    },
    Family {
        name: "third-root-multiple-by-root",
        formulas: &[Entry { name: "third-root-multiple-by-root", write: quadratic_roots_of_unity::third_by_root }],
    },
    Family {
        name: "sixth-root-product",
        formulas: &[Entry { name: "sixth-root-karatsuba", write: quadratic_roots_of_unity::sixth_product }],
    },
    Family {
        name: "sixth-root-square",
        formulas: &[Entry { name: "sixth-root-square", write: quadratic_roots_of_unity::sixth_square }],
    },
    Family {
        name: "sixth-root-norm",
        formulas: &[Entry { name: "sixth-root-norm", write: quadratic_roots_of_unity::sixth_norm }],
    },
    Family {
        name: "sixth-root-conjugate-multiple",
        formulas: &[Entry { name: "sixth-root-conjugate-multiple", write: quadratic_roots_of_unity::sixth_multiple }],
    },
    Family {
        name: "sixth-root-multiple-by-root",
        formulas: &[Entry { name: "sixth-root-multiple-by-root", write: quadratic_roots_of_unity::sixth_by_root }],
    },
    Family {
        name: "sixth-root-multiple-by-omega",
        formulas: &[Entry { name: "sixth-root-multiple-by-omega", write: quadratic_roots_of_unity::sixth_by_omega }],
    },
    Family {
        name: "fifth-root-product",
        formulas: &[Entry { name: "fifth-root-karatsuba", write: fifth_roots::product }],
    },
    Family {
        name: "fifth-root-square",
        formulas: &[Entry { name: "fifth-root-karatsuba-square", write: fifth_roots::square }],
    },
    Family {
        name: "fifth-root-adjoint",
        formulas: &[Entry { name: "fifth-root-adjoint", write: fifth_roots::adjoint }],
    },
    Family {
        name: "fifth-root-multiple-by-zeta",
        formulas: &[Entry { name: "fifth-root-multiple-by-zeta", write: fifth_roots::by_1 }],
    },
    Family {
        name: "fifth-root-multiple-by-zeta2",
        formulas: &[Entry { name: "fifth-root-multiple-by-zeta2", write: fifth_roots::by_2 }],
    },
    Family {
        name: "fifth-root-multiple-by-zeta3",
        formulas: &[Entry { name: "fifth-root-multiple-by-zeta3", write: fifth_roots::by_3 }],
    },
    Family {
        name: "fifth-root-multiple-by-zeta4",
        formulas: &[Entry { name: "fifth-root-multiple-by-zeta4", write: fifth_roots::by_4 }],
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
