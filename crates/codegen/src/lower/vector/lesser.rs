//! The lesser of two words, where a borrow chooses between them: one instruction on lanes of 32 bits.

use super::super::writer::{Flag, Writer};
use crate::graph::{Id, Operation};

/// A difference of words of 32 bits, none of which is taken from another borrow.
#[derive(Clone, Copy)]
pub(in crate::lower) struct Difference {
    /// What the other word was taken from.
    pub(in crate::lower) minuend: Id,
    /// The difference modulo 2^32.
    pub(in crate::lower) word: Id,
    /// Between which it lies as an integer.
    pub(in crate::lower) spread: Option<(i128, i128)>,
}

impl Writer {
    /// `x` where the flag is set, else `y`, for the borrow of `y = x − z`: y is below x where that did not borrow and z is
    /// not zero, and above it where it did.
    pub(in crate::lower) fn lesser(&mut self, flag: Flag, x: Id, y: Id) -> Option<Id> {
        let Difference { minuend, word, .. } = self.differences.get(&flag).copied()?;
        (x == minuend && y == word).then(|| self.vector_word(Operation::Lesser, &[x, y]))
    }

    /// `x + y` modulo 2^32, for `x = a − b` modulo 2^32 and y that is a constant c where that borrowed, else 0. Where
    /// `0 ≤ a − b + c < 2^32`, the sum with c carries if and only if the difference borrowed: it is then below x, and else
    /// not.
    pub(super) fn lesser_sum(&mut self, x: Id, y: Id) -> Option<Id> {
        let (flag, c) = self.chosen.get(&y).copied()?;
        let Difference { word, spread: Some((least, most)), .. } = self.differences.get(&flag).copied()? else {
            return None;
        };
        let fits = least + i128::from(c) >= 0 && most + i128::from(c) < 1 << 32;
        if word != x || !fits {
            return None;
        }
        let c = self.constant(c);
        let sum = self.lane_add(x, c);
        Some(self.vector_word(Operation::Lesser, &[x, sum]))
    }
}
