//! Products of matrices: each entry is one sum of products, reduced once at its end.
//!
//! Lanes are neighbouring columns of the right factor. For a row of the left one each of its elements is written to all
//! lanes; the kernel of inner products then adds the products of one entry to columns of integers, lane by lane. What
//! columns hold is cut into numbers below the modulus, of which arrays take the residue.

use std::ops::Range;

use evariste_algorithms::Operation;
use evariste_algorithms::lanes::sums::{most, terms};
use num_bigint::BigUint;
use num_traits::ToPrimitive;

use crate::array::{Array, View, ViewMut};
use crate::code::{Code, In};
use crate::engine::Engine;
use crate::error::{ArrayError, same_length};
use crate::places::Places;

/// Inner length, columns of the product.
#[derive(Clone, Copy)]
struct Sizes {
    k: usize,
    n: usize,
}

impl Engine {
    /// The product of a matrix of m × k elements and one of k × n, both row by row.
    ///
    /// # Errors
    /// Foreign arrays; arrays of other lengths than m·k and k·n.
    pub fn matmul(&self, a: &Array, b: &Array, m: usize, k: usize, n: usize) -> Result<Array, ArrayError> {
        let mut out = self.zeros(m.saturating_mul(n));
        self.matmul_into(&mut out, a, b, m, k, n)?;
        Ok(out)
    }

    /// `out = a·b`; see [`Engine::matmul`]. The rows of `a` may be some of a longer matrix, since each is computed by
    /// itself.
    ///
    /// # Errors
    /// As [`Engine::matmul`]; a result of another length.
    pub fn matmul_into<'o, 'a, 'b>(
        &self,
        out: impl Into<ViewMut<'o>>,
        a: impl Into<View<'a>>,
        b: impl Into<View<'b>>,
        m: usize,
        k: usize,
        n: usize,
    ) -> Result<(), ArrayError> {
        let (out, a, b) = (out.into(), a.into(), b.into());
        [out.kernels, a.kernels, b.kernels].into_iter().try_for_each(|kernels| self.own("matmul", kernels))?;
        same_length("matmul", m.saturating_mul(k), a.len)?;
        same_length("matmul", k.saturating_mul(n), b.len)?;
        same_length("matmul", m.saturating_mul(n), out.len)?;
        if out.is_empty() {
            return Ok(());
        }
        if out.shared && !out.len.is_multiple_of(self.lanes()) {
            let (end, lanes) = (out.len, self.lanes());
            return Err(ArrayError::View { start: 0, end, len: end, lanes, why: "a result ends within a vector" });
        }
        if k == 0 {
            // Sums of nothing.
            let groups = out.len.div_ceil(self.lanes());
            out.words[..groups * self.kernels.group()].fill(0);
            return Ok(());
        }
        let sizes = Sizes { k, n };
        let factors = if self.kernels.binary().is_some() {
            Factors::Rows { a: self.to_integers(a)?, rows: self.rows(b, sizes)? }
        } else if self.kernels.short() {
            Factors::Short { a: self.to_words(a)?, b: self.to_words(b)? }
        } else {
            Factors::Columns(Columns::new(self, b, sizes)?)
        };
        // Of so many rows entries start where a vector starts.
        let lanes = self.lanes();
        let alone = Engine { kernels: self.kernels.clone(), pool: None };
        self.walk(out, n, 1, |first, words, _| {
            let start = first * lanes / n;
            let rows = start..(start + lanes).min(m);
            let part = match &factors {
                Factors::Columns(columns) => columns.rows(&alone, a, rows)?,
                Factors::Short { a, b } => alone.short_rows(a, b, sizes, rows)?,
                Factors::Rows { a, rows: b } => alone.multiples(a, b, sizes, rows)?,
            };
            words.copy_from_slice(part.storage.words());
            Ok(())
        })
    }

    /// The rows of the right factor, an array each.
    fn rows(&self, b: View, sizes: Sizes) -> Result<Vec<Array>, ArrayError> {
        let mut whole = self.zeros(b.len);
        whole.storage.words_mut().copy_from_slice(b.words);
        let row = |i: usize| {
            let places = Places::Strided { first: (i * sizes.n) as isize, shape: &[sizes.n], steps: &[1] };
            self.gather(&whole, places)
        };
        (0..sizes.k).map(row).collect()
    }

    /// Some rows as sums of multiples of the rows of the right factor.
    fn multiples(&self, a: &[BigUint], b: &[Array], sizes: Sizes, rows: Range<usize>) -> Result<Array, ArrayError> {
        let mut out = self.zeros(rows.len() * sizes.n);
        for (at, i) in rows.enumerate() {
            let mut sum = self.zeros(sizes.n);
            for (c, row) in a[i * sizes.k..][..sizes.k].iter().zip(b) {
                self.mul_constant_add_assign(&mut sum, row, c)?;
            }
            let first = (at * sizes.n) as isize;
            self.scatter(&mut out, Places::Strided { first, shape: &[sizes.n], steps: &[1] }, &sum)?;
        }
        Ok(out)
    }

    /// Some rows of matrices of words below 2^32: the halves of products are added up apart, and fit.
    fn short_rows(&self, a: &[u64], b: &[u64], sizes: Sizes, rows: Range<usize>) -> Result<Array, ArrayError> {
        let p = u128::from(self.kernels.limit.to_u64().unwrap_or(1));
        let mut words = Vec::with_capacity(rows.len() * sizes.n);
        let (mut low, mut high) = (vec![0u64; sizes.n], vec![0u64; sizes.n]);
        for i in rows {
            low.fill(0);
            high.fill(0);
            for (x, row) in a[i * sizes.k..][..sizes.k].iter().zip(b.chunks_exact(sizes.n)) {
                for ((low, high), y) in low.iter_mut().zip(&mut high).zip(row) {
                    let product = x.wrapping_mul(*y);
                    *low = low.wrapping_add(product & u64::from(u32::MAX));
                    *high = high.wrapping_add(product >> 32);
                }
            }
            let residue = |(low, high): (&u64, &u64)| ((u128::from(*low) + (u128::from(*high) << 32)) % p) as u64;
            words.extend(low.iter().zip(&high).map(residue));
        }
        self.from_words(&words)
    }
}

/// What is made ready of both factors, by how rows are computed.
enum Factors {
    Columns(Columns),
    Short { a: Vec<u64>, b: Vec<u64> },
    Rows { a: Vec<BigUint>, rows: Vec<Array> },
}

/// The right factor, column by column, and how columns of integers are used.
struct Columns {
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
    fn new(engine: &Engine, b: View, sizes: Sizes) -> Result<Columns, ArrayError> {
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
    fn rows(&self, engine: &Engine, a: View, rows: Range<usize>) -> Result<Array, ArrayError> {
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
