//! Sums and inner products of whole arrays. Each addition and each product is reduced: the columns of radix 2^52 have room for few products only.

use std::sync::Mutex;

use num_bigint::BigUint;

use crate::array::View;
use crate::code::{Code, In};
use crate::engine::{Engine, Step};
use crate::error::ArrayError;
use crate::storage::Scratch;
use crate::walk::same_length;

impl Engine {
    /// The sum of all elements, a canonical number; of none it is 0.
    ///
    /// # Errors
    /// A foreign array.
    pub fn sum<'a>(&self, a: impl Into<View<'a>>) -> Result<BigUint, ArrayError> {
        let a = a.into();
        self.own("sum", a.kernels)?;
        self.accumulate("sum", a.len, |first, words| {
            words.copy_from_slice(a.groups(first, words.len() / self.kernels.group()));
            Ok(())
        })
    }

    /// `a[0]·b[0] + a[1]·b[1] + …`, a canonical number.
    ///
    /// # Errors
    /// A foreign array; different lengths.
    pub fn dot<'a, 'b>(&self, a: impl Into<View<'a>>, b: impl Into<View<'b>>) -> Result<BigUint, ArrayError> {
        let (a, b) = (a.into(), b.into());
        self.own("dot", a.kernels)?;
        self.own("dot", b.kernels)?;
        same_length("dot", a.len, b.len)?;
        let mul = self.kernels.code(Step::Mul)?;
        self.accumulate("dot", a.len, |first, words| {
            let count = words.len() / self.kernels.group();
            mul.run(words, &[In::Words(a.groups(first, count)), In::Words(b.groups(first, count))])
        })
    }

    /// Adds up terms: `terms(first group, words)` fills some groups with them.
    fn accumulate(&self, name: &'static str, len: usize, terms: impl Fn(usize, &mut [u64]) -> Result<(), String> + Sync) -> Result<BigUint, ArrayError> {
        let (lanes, group) = (self.lanes(), self.kernels.group());
        let add = self.kernels.code(Step::Add)?;
        let block = self.kernels.code(Step::Mul)?.block_groups();
        let groups = len.div_ceil(lanes);
        let total: Mutex<Vec<u64>> = Mutex::new(vec![0; group]);
        let no = |why| self.kernels.fault(name, why);
        // One entry a part; a part is added up in a block, the block to a group.
        let part = groups.div_ceil(4 * self.threads()).max(self.kernels.grain(1)).next_multiple_of(block).max(block);
        let mut parts: Vec<usize> = (0..groups.div_ceil(part)).collect();
        self.parallel(&mut parts, 1, 1, |_, parts, scratch| {
            let (start, end) = (parts[0] * part, (parts[0] * part + part).min(groups));
            let [sum, more] = scratch.areas::<2>(block * group);
            sum.fill(0);
            let mut at = start;
            while at < end {
                let count = block.min(end - at);
                let more = &mut more[..count * group];
                terms(at, more).map_err(no)?;
                if at + count == groups {
                    clear(&mut more[(count - 1) * group..], lanes, len);
                }
                add.run(&mut sum[..count * group], &[In::Out, In::Words(more)]).map_err(no)?;
                at += count;
            }
            let sum = self.halve(add, sum, group).map_err(no)?;
            // A lock that another thread let go while failing: its error is the answer then.
            let mut total = total.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            add.run(&mut total, &[In::Out, In::Words(sum)]).map_err(no)
        })?;
        let total = total.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        self.across(add, &total).map_err(no)
    }

    /// Adds the upper half of some groups to the lower one until a group is left.
    fn halve<'a>(&self, add: &Code, sum: &'a mut [u64], group: usize) -> Result<&'a [u64], String> {
        let mut count = sum.len() / group;
        while count > 1 {
            let half = count.div_ceil(2);
            let (low, high) = sum[..count * group].split_at_mut(half * group);
            add.run(&mut low[..high.len()], &[In::Out, In::Words(high)])?;
            count = half;
        }
        Ok(&sum[..group])
    }

    /// The sum of a group's lanes, as a number.
    fn across(&self, add: &Code, group: &[u64]) -> Result<BigUint, String> {
        let lanes = self.lanes();
        let mut scratch = Scratch::default();
        let [sum, turned] = scratch.areas::<2>(group.len());
        sum.copy_from_slice(group);
        let mut step = lanes / 2;
        while step > 0 {
            // Lane l gets lane l + step.
            for (to, from) in turned.chunks_exact_mut(lanes).zip(sum.chunks_exact(lanes)) {
                to.iter_mut().enumerate().for_each(|(l, word)| *word = from[(l + step) % lanes]);
            }
            add.run(sum, &[In::Out, In::Words(turned)])?;
            step /= 2;
        }
        let mut all = self.fresh(1);
        all.storage.words_mut().copy_from_slice(sum);
        let numbers = self.to_integers(&all).map_err(|e| e.to_string())?;
        numbers.into_iter().next().ok_or_else(|| "no sum".into())
    }
}

/// Zeros in the lanes of the last group that have no element.
fn clear(group: &mut [u64], lanes: usize, len: usize) {
    let used = len - len.div_ceil(lanes).saturating_sub(1) * lanes;
    group.chunks_exact_mut(lanes).for_each(|row| row[used..].fill(0));
}
