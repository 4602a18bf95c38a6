//! Pairings: steps of Miller loops.

use crate::entry::{Entry, Family};

pub mod steps;
pub mod tate;

/// The families of this folder.
pub const FAMILIES: &[Family] = &[
    Family {
        name: "miller-doubling",
        formulas: &[
            Entry { name: "miller-doubling", write: steps::double },
            Entry { name: "miller-doubling-whole", write: steps::double_whole },
        ],
    },
    Family { name: "miller-addition", formulas: &[Entry { name: "miller-addition", write: steps::add }] },
    Family { name: "twist-frobenius", formulas: &[Entry { name: "twist-frobenius", write: steps::frobenius }] },
    Family { name: "line-at-point", formulas: &[Entry { name: "line-at-point", write: steps::at }] },
    Family {
        name: "tate-doubling",
        formulas: &[
            Entry { name: "tate-doubling-1", write: tate::double_one },
            Entry { name: "tate-doubling-0", write: tate::double_zero },
        ],
    },
    Family { name: "tate-addition", formulas: &[Entry { name: "tate-addition", write: tate::add }] },
    Family { name: "line-at-even", formulas: &[Entry { name: "line-at-even", write: tate::at_even }] },
    Family { name: "line-at-odd", formulas: &[Entry { name: "line-at-odd", write: tate::at_odd }] },
    Family { name: "over-vertical", formulas: &[Entry { name: "over-vertical", write: tate::over_vertical }] },
    Family { name: "cubic-by-line", formulas: &[Entry { name: "cubic-by-line", write: tate::by_line }] },
];
