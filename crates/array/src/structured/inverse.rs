//! Inverses of a tower's elements, one inversion for many of them by Montgomery's product trick.
//!
//! Of some blocks the products of the first 1, 2, 3, … are kept, lane by lane; the last of them is inverted, and on the way
//! back a block's inverse is the product of what is kept before it and the inverse of what is behind (Montgomery,
//! "Speeding the Pollard and elliptic curve methods of factorization", 1987). Zeros are ones on the way. What makes no
//! whole block is inverted element by element.

use std::ops::Range;

use evariste_algorithms::Operation;

use super::elements::StructuredView;
use super::way::{STEP, Way};
use super::{Structured, StructuredArray};
use crate::code::In;
use crate::error::ArrayError;

/// Blocks that share an inversion: enough that it does not count.
const BLOCKS: usize = 64;
/// Blocks below which nothing is gained.
const FEW: usize = 4;

impl Structured {
    /// Of a range of elements, which lie in these words: computes the inverses that share inversions, from the start of the
    /// range on, and says in how many words they lie.
    pub(super) fn shared_inverses(
        &self,
        inverse: &Way,
        range: &Range<usize>,
        out: &mut [u64],
        a: &[u64],
    ) -> Result<usize, ArrayError> {
        let (mul, kernels) = (self.code(&Operation::MUL)?, &self.ground.kernels);
        let many = mul.code.block_groups().max(inverse.code.block_groups());
        let block = if kernels.whole_words() { STEP } else { many };
        let blocks = range.len() / (block * kernels.lanes());
        let size = block * kernels.group() * self.degree();
        let words = if blocks < FEW { 0 } else { blocks * size };
        if words > 0 {
            Shared { structured: self, inverse, mul, size }.run(&mut out[..words], &a[..words])?;
        }
        Ok(words)
    }
}

/// The kernels of the trick.
struct Shared<'a> {
    structured: &'a Structured,
    inverse: &'a Way,
    mul: &'a Way,
    /// Words of a block.
    size: usize,
}

impl Shared<'_> {
    /// Writes the inverses of whole blocks of elements.
    fn run(&self, out: &mut [u64], a: &[u64]) -> Result<(), ArrayError> {
        let (s, size, degree) = (self.structured, self.size, self.structured.degree());
        let a = StructuredView::of_groups(&s.ground.kernels, a, degree);
        // 1 in the place of each 0, whose inverse is taken off again.
        let mut ones = vec![s.of_flags(vec![false; a.len()].into_iter())?; degree];
        ones[0] = s.of_flags(s.is_zero(a)?.into_iter())?;
        let ones = s.from_coordinates(&ones)?;
        let values = s.compute(&Operation::ADD, &[a.into(), (&ones).into()])?;
        let mut inverses = StructuredArray::zeros(&s.ground.kernels, a.len(), degree);
        let blocks = (out.len() / size).div_ceil(s.ground.threads()).clamp(1, BLOCKS);
        s.ground.parallel(inverses.words_mut(), blocks * size, 1, |i, out, scratch| {
            let values = &values.view().words()[i * blocks * size..][..out.len()];
            let [behind, next] = scratch.areas::<2>(size);
            self.chain(out, values, behind, next).map_err(|why| s.no(&Operation::INVERSE, why))
        })?;
        let inverses = s.compute(&Operation::SUB, &[(&inverses).into(), (&ones).into()])?;
        out.copy_from_slice(inverses.view().words());
        Ok(())
    }

    /// Inverts blocks by one inversion; two more have room for one each.
    fn chain<'w>(
        &self,
        out: &mut [u64],
        values: &[u64],
        mut behind: &'w mut [u64],
        mut next: &'w mut [u64],
    ) -> Result<(), String> {
        let (kernels, size) = (&self.structured.ground.kernels, self.size);
        let mul = |to: &mut [u64], a: &[u64], b: &[u64]| self.mul.run(kernels, to, &[In::Words(a), In::Words(b)]);
        out[..size].copy_from_slice(&values[..size]);
        for at in (size..out.len()).step_by(size) {
            let (before, rest) = out.split_at_mut(at);
            mul(&mut rest[..size], &before[at - size..], &values[at..at + size])?;
        }
        self.inverse.run(kernels, behind, &[In::Words(&out[out.len() - size..])])?;
        for at in (size..out.len()).step_by(size).rev() {
            let (before, rest) = out.split_at_mut(at);
            mul(&mut rest[..size], &before[at - size..], behind)?;
            mul(next, behind, &values[at..at + size])?;
            std::mem::swap(&mut behind, &mut next);
        }
        out[..size].copy_from_slice(behind);
        Ok(())
    }
}
