//! Columns of whole products, a few at a time: what is loaded of a factor serves all of them.
//!
//! * **computes** sums of products of digits, column by column.
//! * **needs** columns with room for their sums.
//! * **gives** a column when it is asked for, and those of its strip for later.
//! * **cost** a product and an addition for each pair of digits, less an addition for each column.
//! * **source** Comba, "Exponentiation cryptosystems on the IBM PC" (1990), for columns; several at a time, as products
//!   of matrices go by blocks.

use evariste_ir::{Builder, Value};

/// Columns that are summed at once: their sums, as many digits of a factor, one of the other and a product take ten of
/// 16 registers.
const STRIP: usize = 4;

/// Columns of products of n digits.
pub(super) struct Strips<F> {
    n: usize,
    /// Where strips end at the latest, ascending; the last one is the number of columns.
    ends: Vec<usize>,
    /// Column and digit of the first factor → that digit, and the one that it is multiplied by.
    factors: F,
    made: Vec<Option<Value>>,
}

impl<F: Fn(usize, usize) -> Option<(Value, Value)>> Strips<F> {
    /// Columns up to the last end, from factors of n digits; no strip goes beyond an end.
    pub(super) fn new(n: usize, ends: Vec<usize>, factors: F) -> Strips<F> {
        Strips { n, factors, made: vec![None; ends.last().copied().unwrap_or(0)], ends }
    }

    /// A column, which is summed with those behind it.
    pub(super) fn column(&mut self, b: &mut Builder, at: usize) -> Value {
        if let Some(made) = self.made[at] {
            return made;
        }
        let end = self.ends.iter().copied().find(|end| *end > at).unwrap_or(at + 1);
        let strip = at..end.min(at + STRIP);
        let mut sums = vec![b.word_constant(0); strip.len()];
        for i in 0..self.n {
            for (sum, at) in sums.iter_mut().zip(strip.clone()) {
                if let Some((x, y)) = (self.factors)(at, i) {
                    let product = b.mul(x, y);
                    *sum = b.add(*sum, product);
                }
            }
        }
        strip.zip(&sums).for_each(|(at, sum)| self.made[at] = Some(*sum));
        sums[0]
    }
}
