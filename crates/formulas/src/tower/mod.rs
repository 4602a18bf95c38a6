//! Extensions of the coefficient ring: products, squares, inverses, one algorithm a file.

use crate::registry::{Entry, Family};

pub mod cubic;
pub mod cubic_karatsuba;
pub mod cubic_toom_3i;
pub mod multiples;
pub mod quadratic;
pub mod quadratic_complex;
pub mod quadratic_karatsuba;
pub mod quadratic_norm;
pub mod quadratic_schoolbook;

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
            Entry { name: "karatsuba-3", write: cubic_karatsuba::plain },
            Entry { name: "karatsuba-3-shared", write: cubic_karatsuba::shared },
            Entry { name: "toom-3i", write: cubic_toom_3i::product },
        ],
    },
];
