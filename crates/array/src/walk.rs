//! Chunks of an array over threads.

use std::sync::Arc;

use rayon::prelude::*;

use crate::array::{View, ViewMut};
use crate::engine::{Engine, Kernels};
use crate::error::ArrayError;
use crate::form::Form;
use crate::storage::Scratch;

/// Bytes that the three operands of a chunk may take together, so that steps of one operation meet in the first cache.
const CHUNK: usize = 40_960;

/// Bytes of the operands of an operation that are in no near cache: more than the second one of processors with AVX-512
/// holds.
pub(crate) const FAR: usize = 2 << 20;

/// Elements that are worth a thread's while when each takes some nanoseconds.
const GRAIN: usize = 2048;

impl Kernels {
    /// Chunks of so many groups that are worth a thread's while.
    pub fn grain(&self, chunk: usize) -> usize {
        (GRAIN / (chunk * self.lanes()).max(1)).max(1)
    }

    /// Groups of a chunk whose steps are mostly calls of blocks of so many groups.
    pub fn chunk(&self, block: usize) -> usize {
        (CHUNK / (3 * 8 * self.group()) / block.max(1)).max(1) * block.max(1)
    }

    /// An error that came from code.
    pub fn fault(&self, operation: &str, why: String) -> ArrayError {
        ArrayError::kernel(operation, &self.field.text(), why)
    }
}

impl Engine {
    /// Calls `job(index, chunk, scratch)` for every chunk of `size` items of a slice (the last one may be shorter), on
    /// all threads; `least` chunks are worth a thread's while.
    pub(crate) fn parallel<T: Send>(
        &self,
        items: &mut [T],
        size: usize,
        least: usize,
        job: impl Fn(usize, &mut [T], &mut Scratch) -> Result<(), ArrayError> + Sync,
    ) -> Result<(), ArrayError> {
        let size = size.max(1);
        match &self.pool {
            Some(pool) if items.len() > size * least => pool.install(|| {
                items
                    .par_chunks_mut(size)
                    .enumerate()
                    .with_min_len(least)
                    .try_for_each_init(Scratch::default, |scratch, (i, chunk)| job(i, chunk, scratch))
            }),
            _ => {
                let mut scratch = Scratch::default();
                items.chunks_mut(size).enumerate().try_for_each(|(i, chunk)| job(i, chunk, &mut scratch))
            }
        }
    }

    /// Calls `job(first group, words of some groups, scratch)` for chunks of `chunk` groups of the output, `least` of
    /// them at least on a thread. Where the last group is not wholly the view's, the job works on a copy.
    pub(crate) fn walk<F: Form>(
        &self,
        out: ViewMut<F>,
        chunk: usize,
        least: usize,
        job: impl Fn(usize, &mut [u64], &mut Scratch) -> Result<(), ArrayError> + Sync,
    ) -> Result<(), ArrayError> {
        let (lanes, group) = (self.kernels.lanes(), self.kernels.group());
        let whole = if out.shared { out.len / lanes } else { out.len.div_ceil(lanes) };
        let (words, last) = out.words.split_at_mut(whole * group);
        self.parallel(words, chunk * group, least, |i, words, scratch| job(i * chunk, words, scratch))?;
        if !last.is_empty() {
            let mut copy = crate::storage::Storage::zeroed(group);
            copy.words_mut().copy_from_slice(last);
            job(whole, copy.words_mut(), &mut Scratch::default())?;
            for element in 0..out.len % lanes {
                for i in 0..self.kernels.digits() {
                    self.kernels.put_digit(last, element, i, self.kernels.digit(copy.words(), element, i));
                }
            }
        }
        Ok(())
    }

    /// Is the array of this engine's field, layout and order?
    pub(crate) fn own(&self, operation: &'static str, kernels: &Kernels) -> Result<(), ArrayError> {
        if self.kernels.agrees(kernels) {
            return Ok(());
        }
        Err(ArrayError::Foreign { operation, left: self.kernels.place(), right: kernels.place() })
    }

    /// Are operand and result of this engine and of equal length?
    pub(crate) fn fits<F: Form>(
        &self,
        operation: &'static str,
        len: usize,
        operand: &View<F>,
    ) -> Result<(), ArrayError> {
        self.own(operation, operand.kernels)?;
        same_length(operation, len, operand.len)
    }

    /// An array without content yet.
    pub(crate) fn fresh<F: Form>(&self, len: usize) -> crate::Array<F> {
        crate::Array::zeros(&Arc::clone(&self.kernels), len)
    }
}

/// Equal lengths, or the error that names both.
pub(crate) fn same_length(operation: &'static str, left: usize, right: usize) -> Result<(), ArrayError> {
    if left == right { Ok(()) } else { Err(ArrayError::Length { operation, left, right }) }
}
