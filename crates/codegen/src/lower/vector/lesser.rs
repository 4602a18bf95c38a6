//! The lesser of two words, where a borrow chooses between them: one instruction on lanes of 32 bits.

use super::super::writer::{Difference, Flag, Writer};
use crate::graph::{Id, Operation};

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
