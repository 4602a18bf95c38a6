//! Sums and inner products of whole arrays, reduced once: the columns of radix 2^52 have room for some hundred
//! products, and what they hold is an integer.

use std::sync::{Mutex, PoisonError};

use evariste_algorithms::lanes::sums::{most, terms};
use num_bigint::BigUint;
use num_traits::ToPrimitive;

use crate::array::View;
use crate::code::In;
use crate::engine::{Engine, Kernels, Step};
use crate::error::ArrayError;
use crate::walk::same_length;

impl Engine {
    /// The sum of all elements, a canonical number; of none it is 0.
    ///
    /// # Errors
    /// A foreign array.
    pub fn sum<'a>(&self, a: impl Into<View<'a>>) -> Result<BigUint, ArrayError> {
        let a = a.into();
        self.own("sum", a.kernels)?;
        self.columns("sum", Step::Sum, &[a])
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
        self.columns("dot", Step::Dot, &[a, b])
    }

    /// The sum of the products of one element of each array.
    fn columns(&self, name: &'static str, step: Step, arrays: &[View]) -> Result<BigUint, ArrayError> {
        let kernels = &self.kernels;
        if kernels.short() {
            return self.short_sum(name, arrays);
        }
        if kernels.binary().is_some() {
            return self.binary_sum(arrays);
        }
        let (code, layout, lanes, group) = (kernels.code(step)?, &kernels.layout, self.lanes(), kernels.group());
        let (terms, width) = (terms(layout) as usize, arrays.len() * kernels.digits());
        // How often a column can be added to; a block of sums goes on side by side, each of `terms` groups a call.
        let calls = most(layout, terms as u32, arrays.len() > 1).to_usize().unwrap_or(1).max(1);
        let block = code.block_groups();
        let len = arrays.first().map_or(0, View::len);
        let (whole, total) = (len / lanes / terms, Mutex::new(vec![0u128; width]));
        let no = |why| kernels.fault(name, why);
        let run = |sums: &mut [u64], a: &[u64], b: &[u64]| match arrays {
            [_] => code.run(sums, &[In::Out(0), In::Words(a)]),
            _ => code.run(sums, &[In::Out(0), In::Words(a), In::Words(b)]),
        };
        let view = |i: usize, first: usize, count: usize| arrays.get(i).map_or(&[][..], |a| a.groups(first, count));
        // One entry a part, of so many times `terms` groups.
        let part = whole.div_ceil(4 * self.threads()).max(kernels.grain(terms)).next_multiple_of(block);
        let mut parts: Vec<usize> = (0..whole.div_ceil(part)).collect();
        self.parallel(&mut parts, 1, 1, |_, parts, scratch| {
            let (mut at, end) = (parts[0] * part, (parts[0] * part + part).min(whole));
            let [sums] = scratch.areas::<1>(block * width * lanes);
            let mut own = vec![0u128; width];
            while at < end {
                sums.fill(0);
                for _ in 0..calls {
                    let count = block.min(end - at);
                    run(
                        &mut sums[..count * width * lanes],
                        view(0, at * terms, count * terms),
                        view(1, at * terms, count * terms),
                    )
                    .map_err(no)?;
                    at += count;
                    if at == end {
                        break;
                    }
                }
                add(&mut own, sums, lanes);
            }
            // A lock that another thread let go while failing: its error is the answer then.
            let mut total = total.lock().unwrap_or_else(PoisonError::into_inner);
            total.iter_mut().zip(own).for_each(|(total, own)| *total += own);
            Ok(())
        })?;
        let mut total = total.into_inner().unwrap_or_else(PoisonError::into_inner);
        // What is left, with zeros behind it.
        let first = whole * terms;
        if first * lanes < len {
            let left = len.div_ceil(lanes) - first;
            let copies: Vec<Vec<u64>> = arrays
                .iter()
                .map(|a| {
                    let mut copy = vec![0; terms * group];
                    copy[..left * group].copy_from_slice(a.groups(first, left));
                    clear(&mut copy[(left - 1) * group..left * group], lanes, len);
                    copy
                })
                .collect();
            let mut sums = vec![0; width * lanes];
            run(&mut sums, &copies[0], copies.get(1).map_or(&[], Vec::as_slice)).map_err(no)?;
            add(&mut total, &sums, lanes);
        }
        let radix = layout.radix.unwrap_or(layout.word);
        let sum: BigUint = total.iter().rev().fold(BigUint::ZERO, |sum, column| (sum << radix) + *column);
        Ok(kernels.unscaled(sum, arrays.len()))
    }
}

/// Adds up the lanes of every column.
fn add(total: &mut [u128], sums: &[u64], lanes: usize) {
    for sums in sums.chunks_exact(total.len() * lanes) {
        for (total, row) in total.iter_mut().zip(sums.chunks_exact(lanes)) {
            *total += row.iter().map(|word| u128::from(*word)).sum::<u128>();
        }
    }
}

impl Kernels {
    /// `x/R^power mod p` with R the Montgomery factor of elements at rest, power 1 or 2.
    pub(crate) fn unscaled(&self, x: BigUint, power: usize) -> BigUint {
        let (p, Some(k)) = (&self.limit, self.layout.montgomery) else { return x % &self.limit };
        // Montgomery layouts have an odd modulus: p + 1 is even, and its half is 1/2.
        let inverse = self.unscaling[power - 1]
            .get_or_init(|| BigUint::modpow(&((p + 1u32) >> 1u32), &(k * power as u32).into(), p));
        x % p * inverse % p
    }
}

/// Zeros in the lanes of the last group that have no element.
fn clear(group: &mut [u64], lanes: usize, len: usize) {
    let used = len - len.div_ceil(lanes).saturating_sub(1) * lanes;
    group.chunks_exact_mut(lanes).for_each(|row| row[used..].fill(0));
}
