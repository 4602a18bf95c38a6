//! Products of matrices: each entry is one sum of products, reduced once at its end.
//!
//! Lanes are neighbouring columns of the right factor. Sums are columns of integers ([`columns`]) or, of large matrices,
//! taken by residues modulo many small numbers ([`residues`]); of primes below 2^32 on other machines halves of products
//! are added up, and in layouts without columns multiples of rows.

mod choice;
mod columns;
mod constants;
pub(crate) mod kept;
mod residues;
#[cfg(test)]
mod tests;

use std::ops::Range;

use evariste_algorithms::lanes::sums::has_columns;
use num_bigint::BigUint;
use num_traits::ToPrimitive;

use crate::array::{Array, View, ViewMut};
use crate::engine::Engine;
use crate::error::{ArrayError, same_length};
use crate::places::Places;
use columns::Columns;

pub use choice::ProductOfMatrices;

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
        if let Some(residues) = self.residues(m, sizes) {
            return residues.product(self, out, [a, b], sizes);
        }
        let has_columns = has_columns(&self.kernels.layout);
        let factors = if self.kernels.binary().is_some() || !(has_columns || self.kernels.words_alone()) {
            Factors::Rows { a: self.to_integers(a)?, rows: self.rows(b, sizes)? }
        } else if self.kernels.short() {
            Factors::Short { a: self.to_words(a)?, b: self.to_words(b)? }
        } else if self.kernels.words_alone() {
            Factors::Words { a: self.to_words(a)?, b: self.to_words(b)? }
        } else {
            Factors::Columns(Columns::new(self, b, sizes)?)
        };
        // Of so many rows entries start where a vector starts.
        let lanes = self.lanes();
        let alone = Engine { pool: None, ..self.clone() };
        self.walk(out, n, 1, |first, words, _| {
            let start = first * lanes / n;
            let rows = start..(start + lanes).min(m);
            let part = match &factors {
                Factors::Columns(columns) => columns.rows(&alone, a, rows)?,
                Factors::Short { a, b } => alone.short_rows(a, b, sizes, rows)?,
                Factors::Words { a, b } => alone.word_rows(a, b, sizes, rows)?,
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

    /// Some rows of matrices of whole words: both words of products are added up apart, and fit.
    fn word_rows(&self, a: &[u64], b: &[u64], sizes: Sizes, rows: Range<usize>) -> Result<Array, ArrayError> {
        let p = self.kernels.limit.to_u128().unwrap_or(1);
        let mut words = Vec::with_capacity(rows.len() * sizes.n);
        let mut sums = vec![[0u128; 2]; sizes.n];
        for i in rows {
            sums.fill([0; 2]);
            for (x, row) in a[i * sizes.k..][..sizes.k].iter().zip(b.chunks_exact(sizes.n)) {
                for ([low, high], y) in sums.iter_mut().zip(row) {
                    let product = u128::from(*x) * u128::from(*y);
                    *low += product & u128::from(u64::MAX);
                    *high += product >> 64;
                }
            }
            // Each a word at most: 2^64 times the one is not above a double word.
            let residue = |[low, high]: &[u128; 2]| ((((high % p) << 64) % p + low % p) % p) as u64;
            words.extend(sums.iter().map(residue));
        }
        self.from_words(&words)
    }
}

/// What is made ready of both factors, by how rows are computed.
enum Factors {
    Columns(Columns),
    Short { a: Vec<u64>, b: Vec<u64> },
    Words { a: Vec<u64>, b: Vec<u64> },
    Rows { a: Vec<BigUint>, rows: Vec<Array> },
}
