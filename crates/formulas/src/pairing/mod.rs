//! Pairings: steps of Miller loops.

use crate::entry::{Entry, Family};

pub mod steps;

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
];
