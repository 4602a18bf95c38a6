//! Every input of a product of ranges, in blocks: the driver of exhaustive tests.

use super::batch::Batch;
use super::interpreter::Interpreter;
use crate::kernel::Array;

/// One axis of a product: a value that runs through `lo..=hi` and is spread over array elements.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Axis {
    /// Least value.
    pub lo: u64,
    /// Greatest value, at least `lo`.
    pub hi: u64,
    /// `(array, element, shift, bits)`: the element gets `(value >> shift) mod 2^bits`.
    pub parts: Vec<(Array, u32, u32, u32)>,
}

impl Axis {
    /// One element that runs through `lo..=hi`.
    pub fn element(array: Array, element: u32, lo: u64, hi: u64) -> Axis {
        Axis { lo, hi, parts: vec![(array, element, 0, 64)] }
    }

    /// A number of `len` digits of `bits` bits in `array` that runs through `lo..=hi` (below 2^64).
    pub fn number(array: Array, len: u32, bits: u32, lo: u64, hi: u64) -> Axis {
        Axis { lo, hi, parts: (0..len).map(|i| (array, i, i * bits, bits)).collect() }
    }

    fn size(&self) -> u128 {
        (self.hi as u128 + 1).saturating_sub(self.lo as u128)
    }

    /// Sets lanes `0..count`: the value number `value` of the axis for `run` lanes, each next one for `stride`.
    fn write(&self, batch: &mut Batch, count: usize, value: u128, run: usize, stride: usize) {
        let mut values = Vec::with_capacity(count + stride);
        let (mut x, mut n) = (self.lo.wrapping_add(value as u64), run);
        while values.len() < count {
            values.extend(std::iter::repeat_n(x, n));
            x = if x == self.hi { self.lo } else { x.wrapping_add(1) };
            n = stride;
        }
        values.truncate(count);
        let mut column = vec![0; count];
        for (array, element, shift, bits) in &self.parts {
            let mask = if *bits >= 64 { u64::MAX } else { (1 << bits) - 1 };
            column.iter_mut().zip(&values).for_each(|(c, v)| *c = v.unbounded_shr(*shift) & mask);
            batch.write(*array, *element, &column);
        }
    }

    /// Sets lanes `from..to`.
    fn fill(&self, batch: &mut Batch, from: usize, to: usize, value: u64) {
        for (array, element, shift, bits) in &self.parts {
            let mask = if *bits >= 64 { u64::MAX } else { (1 << bits) - 1 };
            batch.fill(*array, *element, from, to, value.unbounded_shr(*shift) & mask);
        }
    }
}

/// All combinations of the axes' values; the first axis runs fastest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Product(pub Vec<Axis>);

impl Product {
    /// Number of combinations, saturating.
    pub fn len(&self) -> u128 {
        self.0.iter().fold(1u128, |n, a| n.saturating_mul(a.size()))
    }

    /// Is there no combination?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Fills lanes `0..count` with the combinations `start..start + count`.
    pub fn fill(&self, batch: &mut Batch, start: u128, count: usize) {
        // Combinations after which the axis steps.
        let mut stride = 1u128;
        for axis in &self.0 {
            let size = axis.size().max(1);
            let mut lane = 0;
            let mut value = start / stride % size;
            let mut run = stride - start % stride;
            if stride < 16 {
                axis.write(batch, count, value, run as usize, stride as usize);
                stride = stride.saturating_mul(size);
                continue;
            }
            while lane < count {
                let n = usize::try_from(run).unwrap_or(usize::MAX).min(count - lane);
                axis.fill(batch, lane, lane + n, axis.lo.wrapping_add(value as u64));
                lane += n;
                value = if value + 1 == size { 0 } else { value + 1 };
                run = stride;
            }
            stride = stride.saturating_mul(size);
        }
    }

    /// The axes' values of one combination.
    pub fn combination(&self, index: u128) -> Vec<u64> {
        let mut rest = index;
        self.0
            .iter()
            .map(|a| {
                let size = a.size().max(1);
                let v = a.lo.wrapping_add((rest % size) as u64);
                rest /= size;
                v
            })
            .collect()
    }

    /// Runs blocks of the interpreter's favourite size over all combinations. `block` gets the filled batch (not yet
    /// run), the first combination and the number of lanes that count (the last block may have more); it runs the
    /// interpreter itself and stops everything by returning `Some`.
    pub fn blocks<T>(
        &self,
        interpreter: &Interpreter,
        mut block: impl FnMut(&mut Batch, u128, usize) -> Option<T>,
    ) -> Option<T> {
        let lanes = interpreter.block_lanes().min(usize::try_from(self.len()).unwrap_or(usize::MAX)).max(1);
        let mut batch = interpreter.batch(lanes);
        self.blocks_in(&mut batch, &mut block)
    }

    /// As [`Product::blocks`], in a batch of the caller (whose aliases and other elements are kept).
    pub fn blocks_in<T>(
        &self,
        batch: &mut Batch,
        block: &mut impl FnMut(&mut Batch, u128, usize) -> Option<T>,
    ) -> Option<T> {
        let (len, lanes) = (self.len(), batch.lanes());
        let mut start = 0;
        while start < len {
            let count = usize::try_from(len - start).unwrap_or(usize::MAX).min(lanes);
            // Lanes beyond the end repeat the first combinations, which does no harm.
            self.fill(batch, start, lanes);
            if let Some(found) = block(batch, start, count) {
                return Some(found);
            }
            start += count as u128;
        }
        None
    }
}
