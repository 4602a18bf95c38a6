//! Sums and inner products of whole arrays, reduced once: the columns of radix 2^52 have room for some hundred
//! products, and what they hold is an integer. Layouts without columns add up reduced elements in lanes.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use evariste_algorithms::Operation;
use evariste_algorithms::lanes::sums::{has_columns, most, terms};
use num_bigint::BigUint;
use num_traits::ToPrimitive;

use crate::array::View;
use crate::code::{Code, In};
use crate::engine::{Engine, Kernels};
use crate::error::{ArrayError, same_length};

impl Engine {
    /// The sum of all elements, a canonical number; of none it is 0.
    ///
    /// # Errors
    /// A foreign array.
    pub fn sum<'a>(&self, a: impl Into<View<'a>>) -> Result<BigUint, ArrayError> {
        let a = a.into();
        self.own("sum", a.kernels)?;
        self.columns("sum", &Operation::SUM, &[a])
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
        self.columns("dot", &Operation::DOT, &[a, b])
    }

    /// The sum of the products of one element of each array.
    fn columns(&self, name: &'static str, step: &Operation, arrays: &[View]) -> Result<BigUint, ArrayError> {
        let kernels = &self.kernels;
        if kernels.words_alone() {
            return self.word_sum(name, arrays);
        }
        if kernels.binary().is_some() {
            return self.binary_sum(arrays);
        }
        if !has_columns(&kernels.layout) {
            return self.reduced_sum(name, arrays);
        }
        let (layout, lanes) = (&kernels.layout, self.lanes());
        let columns = Columns {
            code: kernels.code(step)?,
            terms: terms(layout) as usize,
            width: arrays.len() * kernels.digits(),
            calls: most(layout, terms(layout), arrays.len() > 1).to_usize().unwrap_or(1).max(1),
        };
        let no = |why| kernels.fault(name, why);
        let len = arrays.first().map_or(0, View::len);
        let (whole, total) = (len / lanes / columns.terms, Mutex::new(vec![0u128; columns.width]));
        // One entry a part, of so many times `terms` groups.
        let block = columns.code.block_groups();
        let part = whole.div_ceil(4 * self.threads()).max(kernels.grain(columns.terms)).next_multiple_of(block);
        let mut parts: Vec<usize> = (0..whole.div_ceil(part)).collect();
        self.parallel(&mut parts, 1, 1, |_, parts, scratch| {
            let steps = parts[0] * part..(parts[0] * part + part).min(whole);
            let [sums] = scratch.areas::<1>(block * columns.width * lanes);
            let own = columns.of_part(arrays, steps, sums, lanes).map_err(no)?;
            // A lock that another thread let go while failing: its error is the answer then.
            let mut total = total.lock().unwrap_or_else(PoisonError::into_inner);
            total.iter_mut().zip(own).for_each(|(total, own)| *total += own);
            Ok(())
        })?;
        let mut total = total.into_inner().unwrap_or_else(PoisonError::into_inner);
        let first = whole * columns.terms;
        if first * lanes < len {
            let sums = columns.of_rest(arrays, first, kernels.group(), lanes).map_err(no)?;
            add(&mut total, &sums, lanes);
        }
        let radix = layout.radix.unwrap_or(layout.word);
        let sum: BigUint = total.iter().rev().fold(BigUint::ZERO, |sum, column| (sum << radix) + *column);
        Ok(kernels.unscaled(sum, arrays.len()))
    }
}

impl Engine {
    /// The sum of elements, or of products, each reduced: of digits that have no columns.
    fn reduced_sum(&self, name: &'static str, arrays: &[View]) -> Result<BigUint, ArrayError> {
        let (kernels, lanes, group) = (&self.kernels, self.lanes(), self.kernels.group());
        let terms = Terms { mul: kernels.code(&Operation::MUL)?, add: kernels.code(&Operation::ADD)?, group };
        let no = |why| kernels.fault(name, why);
        let len = arrays.first().map_or(0, View::len);
        let whole = len / lanes;
        let chunk = kernels.chunk(terms.add.block_groups()).min(whole.max(1));
        let total = Mutex::new(vec![0; chunk * group]);
        let part = whole.div_ceil(4 * self.threads()).max(kernels.grain(1)).next_multiple_of(chunk);
        let mut parts: Vec<usize> = (0..whole.div_ceil(part)).collect();
        self.parallel(&mut parts, 1, 1, |_, parts, scratch| {
            let [sum, products] = scratch.areas::<2>(chunk * group);
            sum.fill(0);
            let end = (parts[0] * part + part).min(whole);
            for at in (parts[0] * part..end).step_by(chunk) {
                let count = chunk.min(end - at);
                let own: Vec<&[u64]> = arrays.iter().map(|a| a.groups(at, count)).collect();
                terms.add(sum, products, &own).map_err(no)?;
            }
            // A lock that another thread let go while failing: its error is the answer then.
            let mut total = total.lock().unwrap_or_else(PoisonError::into_inner);
            terms.add(&mut total, products, &[sum]).map_err(no)
        })?;
        let mut total = total.into_inner().unwrap_or_else(PoisonError::into_inner);
        if whole * lanes < len {
            let mut products = vec![0; group];
            let rest: Vec<Vec<u64>> = arrays.iter().map(|a| last_groups(a, whole, 1, group, lanes)).collect();
            terms.add(&mut total, &mut products, &rest.iter().map(Vec::as_slice).collect::<Vec<_>>()).map_err(no)?;
        }
        // One group of sums: few integers are made of it.
        let mut groups = chunk;
        while groups > 1 {
            let half = groups.div_ceil(2);
            let (low, high) = total.split_at_mut(half * group);
            terms.add(low, &mut [], &[&high[..(groups - half) * group]]).map_err(no)?;
            groups = half;
        }
        let mut sums = self.zeros(lanes);
        sums.storage.words_mut().copy_from_slice(&total[..group]);
        Ok(self.to_integers(&sums)?.iter().sum::<BigUint>() % &kernels.limit)
    }
}

/// Code that adds elements, or products, to sums of as many groups.
struct Terms<'a> {
    mul: &'a Code,
    add: &'a Code,
    group: usize,
}

impl Terms<'_> {
    /// Adds the groups of one array, or the products of those of two, to the first of these sums.
    fn add(&self, sums: &mut [u64], products: &mut [u64], arrays: &[&[u64]]) -> Result<(), String> {
        let len = arrays.first().map_or(0, |a| a.len()) / self.group * self.group;
        let terms = match arrays {
            [a, b] => {
                self.mul.run(&mut products[..len], &[In::Words(a), In::Words(b)])?;
                &products[..len]
            }
            [a] => a,
            _ => return Err("sums are of one array or of two".into()),
        };
        self.add.run(&mut sums[..len], &[In::Out(0), In::Words(terms)])
    }
}

/// What is left of an array from that group on, with zeros behind it up to so many groups.
fn last_groups(a: &View, first: usize, groups: usize, group: usize, lanes: usize) -> Vec<u64> {
    let left = a.len().div_ceil(lanes) - first;
    let mut copy = vec![0; groups * group];
    copy[..left * group].copy_from_slice(a.groups(first, left));
    clear(&mut copy[(left - 1) * group..left * group], lanes, a.len());
    copy
}

/// Code that adds products, or elements, of so many groups to columns.
struct Columns<'a> {
    code: &'a Code,
    /// Groups that a call adds up.
    terms: usize,
    /// Columns of a sum.
    width: usize,
    /// How often a column can be added to.
    calls: usize,
}

impl Columns<'_> {
    /// Adds groups of one array, or of two, to sums that lie side by side, each of `terms` groups.
    fn run(&self, sums: &mut [u64], operands: &[&[u64]]) -> Result<(), String> {
        match operands {
            [a] => self.code.run(sums, &[In::Out(0), In::Words(a)]),
            [a, b] => self.code.run(sums, &[In::Out(0), In::Words(a), In::Words(b)]),
            _ => Err("sums are of one array or of two".into()),
        }
    }

    /// The groups of so many steps.
    fn steps<'a>(&self, a: &View<'a>, first: usize, count: usize) -> &'a [u64] {
        a.groups(first * self.terms, count * self.terms)
    }

    /// The columns of a part of the arrays, steps of `terms` groups each; `sums` holds those of a block of steps.
    fn of_part(
        &self,
        arrays: &[View],
        steps: Range<usize>,
        sums: &mut [u64],
        lanes: usize,
    ) -> Result<Vec<u128>, String> {
        let block = self.code.block_groups();
        let (mut at, mut own) = (steps.start, vec![0u128; self.width]);
        while at < steps.end {
            sums.fill(0);
            for _ in 0..self.calls {
                let count = block.min(steps.end - at);
                let sums = &mut sums[..count * self.width * lanes];
                match arrays {
                    [a, b] => self.run(sums, &[self.steps(a, at, count), self.steps(b, at, count)])?,
                    _ => self.run(sums, &[self.steps(&arrays[0], at, count)])?,
                }
                at += count;
                if at == steps.end {
                    break;
                }
            }
            add(&mut own, sums, lanes);
        }
        Ok(own)
    }

    /// The sums of what is left from that group on, with zeros behind it.
    fn of_rest(&self, arrays: &[View], first: usize, group: usize, lanes: usize) -> Result<Vec<u64>, String> {
        let copies: Vec<Vec<u64>> = arrays.iter().map(|a| last_groups(a, first, self.terms, group, lanes)).collect();
        let mut sums = vec![0; self.width * lanes];
        self.run(&mut sums, &copies.iter().map(Vec::as_slice).collect::<Vec<_>>())?;
        Ok(sums)
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
        (0..power).fold(x % &self.limit, |x, _| self.form.element(&x))
    }
}

/// Zeros in the lanes of the last group that have no element.
fn clear(group: &mut [u64], lanes: usize, len: usize) {
    let used = len - len.div_ceil(lanes).saturating_sub(1) * lanes;
    group.chunks_exact_mut(lanes).for_each(|row| row[used..].fill(0));
}
