//! Products of matrices by inner products: the kernel adds the products of one entry to columns of integers, lane by
//! lane. What columns hold is cut into numbers below the modulus, of which arrays take the residue.

use std::ops::Range;

use evariste_algorithms::Operation;
use evariste_algorithms::lanes::sums::{most, terms};
use num_bigint::BigUint;
use num_traits::ToPrimitive;

use super::Sizes;
use crate::array::{Array, View};
use crate::code::{Code, In};
use crate::engine::Engine;
use crate::error::ArrayError;

/// The right factor, column by column, and how columns of integers are used.
pub(super) struct Columns {
    sizes: Sizes,
    /// Of each `lanes` columns the rows, a group each, zeros behind them up to a whole number of steps.
    groups: Array,
    /// Groups that a step of the kernel adds up.
    terms: usize,
    /// Steps of an entry.
    steps: usize,
    /// How often the kernel can add to columns of zeros.
    calls: usize,
    /// 2^bits, of the parts into which sums are cut, to the powers 0, 1, 2, …; each without the factor of the
    /// Montgomery form that products of elements at rest have and parts have not.
    scales: Vec<BigUint>,
    /// Bits of such a part.
    bits: usize,
    /// Bits from a column to the next.
    radix: usize,
}

impl Columns {
    pub fn new(engine: &Engine, b: View, sizes: Sizes) -> Result<Columns, ArrayError> {
        let (kernels, layout, lanes) = (&engine.kernels, &engine.kernels.layout, engine.lanes());
        let terms_of_step = terms(layout) as usize;
        let steps = sizes.k.div_ceil(terms_of_step);
        let (depth, group) = (steps * terms_of_step, kernels.group());
        let mut groups = engine.zeros(sizes.n.div_ceil(lanes) * depth * lanes);
        let words = groups.storage.words_mut();
        for row in 0..sizes.k {
            for column in 0..sizes.n {
                let (from, lane) = (row * sizes.n + column, column % lanes);
                let target = (column / lanes * depth + row) * group + lane;
                let source = from / lanes * group + from % lanes;
                for digit in 0..kernels.digits() {
                    words[target + digit * lanes] = b.words[source + digit * lanes];
                }
            }
        }
        let bits = kernels.bits.saturating_sub(1).max(1);
        let radix = layout.radix.unwrap_or(layout.word) as usize;
        // The highest column, and what it can hold.
        let most_bits = 2 * kernels.digits() * radix + 64 + (usize::BITS - sizes.k.leading_zeros()) as usize;
        let one = kernels.unscaled(BigUint::from(1u32), 1);
        let scale = |i: usize| (&one << (i * bits)) % &kernels.limit;
        Ok(Columns {
            sizes,
            groups,
            terms: terms_of_step,
            steps,
            calls: most(layout, terms(layout), true).to_usize().unwrap_or(1).max(1),
            scales: (0..most_bits.div_ceil(bits)).map(scale).collect(),
            bits,
            radix,
        })
    }

    /// Some rows of the product.
    pub fn rows(&self, engine: &Engine, a: View, rows: Range<usize>) -> Result<Array, ArrayError> {
        let (kernels, lanes, n) = (&engine.kernels, engine.lanes(), self.sizes.n);
        let group = kernels.group();
        let code = kernels.code(&Operation::DOT)?;
        let no = |why| kernels.fault("matmul", why);
        let mut parts = vec![engine.zeros(rows.len() * n); self.scales.len()];
        let mut row = vec![0u64; self.steps * self.terms * group];
        let mut sums = vec![0u64; code.block_groups() * 2 * group];
        let mut total = vec![0u128; 2 * group];
        let mut number = vec![0u64; (self.scales.len() * self.bits).div_ceil(64) + 4];
        for (at, i) in rows.clone().enumerate() {
            self.spread(engine, a, i, &mut row);
            for (first, own) in (0..n).step_by(lanes).zip(self.groups.storage.words().chunks_exact(row.len())) {
                total.fill(0);
                self.entry(code, &row, own, &mut sums, &mut total).map_err(no)?;
                for lane in 0..lanes.min(n - first) {
                    self.number(total[lane..].iter().step_by(lanes), &mut number);
                    let element = at * n + first + lane;
                    let place = element / lanes * group + element % lanes;
                    for (part, array) in parts.iter_mut().enumerate() {
                        let words = &mut array.storage.words_mut()[place..];
                        let to = words.iter_mut().step_by(lanes).take(kernels.digits());
                        cut(&number, part * self.bits, self.bits, self.radix, to);
                    }
                }
            }
        }
        let mut out = engine.zeros(rows.len() * n);
        for (part, scale) in parts.iter().zip(&self.scales) {
            engine.mul_constant_add_assign(&mut out, part, scale)?;
        }
        Ok(out)
    }

    /// The elements of row i, each in all lanes of a group.
    fn spread(&self, engine: &Engine, a: View, i: usize, row: &mut [u64]) {
        let (lanes, group) = (engine.lanes(), engine.kernels.group());
        for (j, to) in row.chunks_exact_mut(group).take(self.sizes.k).enumerate() {
            let from = i * self.sizes.k + j;
            let source = from / lanes * group + from % lanes;
            for (digit, to) in to.chunks_exact_mut(lanes).enumerate() {
                to.fill(a.words[source + digit * lanes]);
            }
        }
    }

    /// The columns of one row by `lanes` columns of the right factor.
    fn entry(&self, code: &Code, a: &[u64], b: &[u64], sums: &mut [u64], total: &mut [u128]) -> Result<(), String> {
        let (block, width) = (code.block_groups(), total.len());
        let step = a.len() / self.steps.max(1);
        let mut at = 0;
        while at < self.steps {
            // What so many steps add up fits a column, in whichever sum of a block each of them is.
            let end = (at + self.calls).min(self.steps);
            let sums = &mut sums[..block.min(end - at) * width];
            sums.fill(0);
            while at < end {
                let count = (sums.len() / width).min(end - at);
                let place = at * step..(at + count) * step;
                let operands = [In::Out(0), In::Words(&a[place.clone()]), In::Words(&b[place])];
                code.run(&mut sums[..count * width], &operands)?;
                at += count;
            }
            let (whole, rest) = sums.split_at_mut(width);
            for other in rest.chunks_exact(width) {
                whole.iter_mut().zip(other).for_each(|(whole, other)| *whole = whole.wrapping_add(*other));
            }
            total.iter_mut().zip(whole).for_each(|(total, sum)| *total += u128::from(*sum));
        }
        Ok(())
    }

    /// The number that columns are, in words.
    fn number<'a>(&self, columns: impl Iterator<Item = &'a u128>, words: &mut [u64]) {
        words.fill(0);
        // What is carried, above the bits that are written already.
        let (mut carry, mut at) = (0u128, 0);
        for column in columns {
            // Columns are below 2^(64 + 63): a carry below 2^127 fits beside.
            carry += *column;
            put(words, at, (carry & ((1 << self.radix) - 1)) as u64);
            carry >>= self.radix;
            at += self.radix;
        }
        put(words, at, carry as u64);
        put(words, at + 64, (carry >> 64) as u64);
    }
}

/// Adds a word that no bit of which is set yet from bit `at` on.
fn put(words: &mut [u64], at: usize, word: u64) {
    let (place, shift) = (at / 64, at % 64);
    words[place] |= word << shift;
    if shift > 0 {
        words[place + 1] |= word >> (64 - shift);
    }
}

/// So many bits of a number from bit `at` on, as digits of `radix` bits.
fn cut<'a>(number: &[u64], at: usize, bits: usize, radix: usize, digits: impl Iterator<Item = &'a mut u64>) {
    let word = |i: usize| number.get(i).copied().unwrap_or(0);
    for (i, digit) in digits.enumerate() {
        let (from, left) = (at + i * radix, bits.saturating_sub(i * radix).min(radix));
        let (place, shift) = (from / 64, from % 64);
        let whole = u128::from(word(place)) | u128::from(word(place + 1)) << 64;
        *digit = (whole >> shift & ((1 << left) - 1)) as u64;
    }
}
