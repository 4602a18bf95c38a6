//! Chunks of an array over threads.

use std::sync::Arc;

use rayon::prelude::*;

use crate::array::{View, ViewMut};
use crate::engine::{Engine, Kernels};
use crate::error::{ArrayError, same_length};
use crate::form::Form;
use crate::storage::{Scratch, Storage};

/// Bytes that the three operands of a chunk may take together, so that steps of one operation meet in the first cache.
const CHUNK: usize = 40_960;

/// Elements that are worth a thread's while when each takes some nanoseconds.
const GRAIN: usize = 8192;

/// The last group of a view, where elements behind the view's lie in it; no words where there is none.
struct SharedGroup<'a> {
    words: &'a mut [u64],
    /// Those of the view, the first ones of the group.
    elements: usize,
}

impl Kernels {
    /// Chunks of so many groups that are worth a thread's while.
    pub fn grain(&self, chunk: usize) -> usize {
        (GRAIN / (chunk * self.lanes()).max(1)).max(1)
    }

    /// Groups of a chunk whose steps are mostly calls of blocks of so many groups.
    pub fn chunk(&self, block: usize) -> usize {
        (CHUNK / (3 * 8 * self.group()) / block.max(1)).max(1) * block.max(1)
    }

    /// The number of groups that a job may write, their words, and those of a last group that has to be copied.
    fn split<'a, F: Form>(&self, out: ViewMut<'a, F>, shared: bool) -> (usize, &'a mut [u64], SharedGroup<'a>) {
        let lanes = self.lanes();
        let whole = if shared { out.len / lanes } else { out.len.div_ceil(lanes) };
        let (words, last) = out.words.split_at_mut(whole * self.group());
        (whole, words, SharedGroup { words: last, elements: out.len % lanes })
    }

    /// Runs a job on copies of the last groups, where there are any, and takes the views' own elements of them.
    fn shared_group(
        &self,
        lasts: &mut [SharedGroup],
        job: impl Fn(&mut [&mut [u64]]) -> Result<(), ArrayError>,
    ) -> Result<(), ArrayError> {
        if lasts.iter().all(|last| last.words.is_empty()) {
            return Ok(());
        }
        let copy = |last: &SharedGroup| {
            let mut copy = Storage::zeroed(self.group());
            copy.words_mut()[..last.words.len()].copy_from_slice(last.words);
            copy
        };
        let mut copies: Vec<Storage> = lasts.iter().map(copy).collect();
        job(&mut copies.iter_mut().map(Storage::words_mut).collect::<Vec<_>>())?;
        for (last, copy) in lasts.iter_mut().zip(&copies).filter(|(last, _)| !last.words.is_empty()) {
            for element in 0..last.elements {
                for i in 0..self.digits() {
                    self.put_digit(last.words, element, i, self.digit(copy.words(), element, i));
                }
            }
        }
        Ok(())
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
        let shared = out.shared;
        let (whole, words, last) = self.kernels.split(out, shared);
        self.parallel(words, chunk * self.kernels.group(), least, |i, words, scratch| job(i * chunk, words, scratch))?;
        self.kernels.shared_group(&mut [last], |copies| job(whole, &mut *copies[0], &mut Scratch::default()))
    }

    /// Calls `job(first group, words of each output in some groups)` for chunks of `chunk` groups of several outputs of
    /// equal length, as [`Engine::walk`] does for one.
    pub(crate) fn walk_all<F: Form>(
        &self,
        outs: Vec<ViewMut<F>>,
        chunk: usize,
        least: usize,
        job: impl Fn(usize, &mut [&mut [u64]]) -> Result<(), ArrayError> + Sync,
    ) -> Result<(), ArrayError> {
        let (count, size) = (outs.len(), (chunk * self.kernels.group()).max(1));
        let shared = outs.iter().any(|out| out.shared);
        let (mut whole, mut lasts) = (0, Vec::new());
        // Chunks of each output, those of the first groups of all of them first.
        let mut chunks = Vec::new();
        for out in outs {
            let (groups, words, last) = self.kernels.split(out, shared);
            whole = groups;
            chunks.push(words.chunks_mut(size));
            lasts.push(last);
        }
        let mut parts: Vec<&mut [u64]> = Vec::new();
        for _ in 0..whole.div_ceil(chunk.max(1)) {
            parts.extend(chunks.iter_mut().filter_map(Iterator::next));
        }
        self.parallel(&mut parts, count, least, |i, parts, _| job(i * chunk, parts))?;
        self.kernels.shared_group(&mut lasts, |copies| job(whole, copies))
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
