//! Elements of binary fields: which words are none, and sums.

use num_bigint::BigUint;

use crate::array::View;
use crate::engine::Engine;
use crate::error::ArrayError;

/// 1 for elements of more than m bits, in saturated words in the order of lanes.
pub(crate) fn above(m: usize, lanes: usize, saturated: &[u64], flags: &mut [u64]) {
    let (n, top) = (m.div_ceil(64), m % 64);
    for (group, flags) in saturated.chunks_exact(n * lanes).zip(flags.chunks_exact_mut(lanes)) {
        for (flag, word) in flags.iter_mut().zip(&group[(n - 1) * lanes..]) {
            let high = if top == 0 { 0 } else { word >> top };
            *flag = (high | high.wrapping_neg()) >> 63;
        }
    }
}

impl Engine {
    /// The sum of the elements of an array, or of the products of those of two.
    pub(crate) fn binary_sum(&self, arrays: &[View]) -> Result<BigUint, ArrayError> {
        let words = match arrays {
            [a, b] => self.to_words(&self.mul(*a, *b)?)?,
            _ => arrays.first().map_or(Ok(Vec::new()), |a| self.to_words(*a))?,
        };
        let n = self.words_per_element();
        let mut sum = vec![0u64; n];
        words.chunks_exact(n).for_each(|element| sum.iter_mut().zip(element).for_each(|(s, w)| *s ^= w));
        Ok(sum.iter().rev().fold(BigUint::ZERO, |x, word| (x << 64u32) + *word))
    }
}
