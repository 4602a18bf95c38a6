//! What C has names for on vectors of a processor: rows.

use crate::unit::Helper;

/// Vectors whose lanes have 64 bits, by the names that compilers have for them that speak as gcc does.
pub struct Level {
    /// What back ends and rankings call it.
    pub name: &'static str,
    /// Its name as a part of those of functions.
    pub suffix: &'static str,
    /// Its name in prose.
    pub title: &'static str,
    /// The type of a vector.
    pub vector: &'static str,
    /// What the names of its intrinsics begin with.
    pub start: &'static str,
    /// Bits of a vector.
    pub bits: usize,
    /// What functions must be compiled for.
    pub target: &'static str,
    /// The condition in C under which the processor runs them.
    pub runs: &'static str,
    /// The intrinsic that has a number in all lanes.
    pub broadcast: &'static str,
    /// The function of two vectors that multiplies modulo 2^64, and its definition where it is no intrinsic.
    pub product: (&'static str, &'static str),
    /// The function that multiplies by numbers below 2^32, into two words.
    pub by_half: &'static str,
    /// The intrinsic that shifts signed words to the right.
    pub signed_shift: Option<&'static str>,
    /// The body of a helper; `None`: it has no form here.
    pub helper: fn(Helper) -> Option<Body>,
    /// Functions between memory and lanes.
    pub moves: Moves,
}

impl Level {
    /// Lanes of a vector.
    pub fn lanes(&self) -> usize {
        self.bits / 64
    }
}

/// A helper: its parameters, which are vectors, and its statements. The second result of those that have two goes
/// through a last parameter, which has the name given here.
pub struct Body {
    /// Names of vectors.
    pub parameters: &'static str,
    /// The name of the second result; empty: there is none.
    pub second: &'static str,
    /// Statements.
    pub text: String,
}

/// Functions that bring words of neighbours into lanes (`evariste_in_…`), and back (`evariste_out_…`).
pub struct Moves {
    /// `pair`: words 0 and 1 of elements of n words.
    pub pairs: &'static str,
    /// `one`: word 0 of elements of n words.
    pub ones: &'static str,
    /// `row`: elements of one word.
    pub rows: &'static str,
    /// `short`: elements of one word of 32 bits.
    pub shorts: &'static str,
}

/// A processor: when C has its vectors, and the levels, the least first.
pub struct Processor {
    /// Its name in prose.
    pub name: &'static str,
    /// A condition of the preprocessor.
    pub compiled_for: &'static str,
    /// What defines its names.
    pub compilers: &'static str,
    /// What includes its intrinsics.
    pub opening: &'static str,
    /// A statement before the question which level runs.
    pub prepare: &'static str,
    /// The levels.
    pub levels: &'static [Level],
}
