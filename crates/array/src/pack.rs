//! Packing and unpacking: canonical numbers in saturated words, in bytes of both orders, as big integers.

use evariste_algorithms::Operation;
use evariste_jit::Prefetch;
use evariste_jit::transpose::{Endian, any};
use num_bigint::BigUint;

use crate::array::{Array, View, ViewMut};
use crate::bits::above;
use crate::code::In;
use crate::engine::Engine;
use crate::error::{ArrayError, same_length};
use crate::short::{any_exceeds, bytes_of_halves, exceeds, halves_exceed, halves_of_bytes};
use crate::transpose::{Elements, ElementsMut};
use crate::trial::Trial;

impl Engine {
    /// Groups that are packed at a time: a multiple of the blocks that the conversions' code likes best.
    fn piece(&self) -> usize {
        let step = if self.packing().is_none() { Operation::TO_WORDS } else { self.leave().unwrap_or(Operation::MUL) };
        self.kernels.code(&step).map_or(1, |code| self.kernels.chunk(code.block_groups()))
    }

    /// Elements from canonical numbers of [`Engine::words_per_element`] words each, lowest word first.
    ///
    /// # Errors
    /// A number that is not below the modulus; words that are no whole number of elements.
    pub fn from_words(&self, words: &[u64]) -> Result<Array, ArrayError> {
        let mut out = self.fresh(words.len() / self.words_per_element());
        self.from_words_into(&mut out, words)?;
        Ok(out)
    }

    /// Packs words into an existing array; after an error its content is unspecified.
    ///
    /// # Errors
    /// As [`Engine::from_words`]; a foreign array, or one of another length.
    pub fn from_words_into<'o>(&self, out: impl Into<ViewMut<'o>>, words: &[u64]) -> Result<(), ArrayError> {
        self.pack("from_words", out.into(), Elements::Words(words))
    }

    /// Elements from canonical numbers of [`Engine::bytes_per_element`] bytes each.
    ///
    /// # Errors
    /// As [`Engine::from_words`].
    pub fn from_bytes(&self, bytes: &[u8], endian: Endian) -> Result<Array, ArrayError> {
        let mut out = self.fresh(bytes.len() / self.bytes_per_element());
        self.from_bytes_into(&mut out, bytes, endian)?;
        Ok(out)
    }

    /// Packs bytes into an existing array; after an error its content is unspecified.
    ///
    /// # Errors
    /// As [`Engine::from_words_into`].
    pub fn from_bytes_into<'o>(
        &self,
        out: impl Into<ViewMut<'o>>,
        bytes: &[u8],
        endian: Endian,
    ) -> Result<(), ArrayError> {
        self.pack("from_bytes", out.into(), Elements::Bytes(self.bytes_per_element(), endian, bytes))
    }

    /// Elements from numbers below the modulus.
    ///
    /// # Errors
    /// A number that is not below the modulus.
    pub fn from_integers(&self, numbers: &[BigUint]) -> Result<Array, ArrayError> {
        let n = self.words_per_element();
        let mut words = Vec::with_capacity(numbers.len() * n);
        for (index, number) in numbers.iter().enumerate() {
            if *number >= self.kernels.limit {
                return Err(ArrayError::Range { index, value: number.clone(), limit: self.kernels.limit.clone() });
            }
            let start = words.len();
            words.extend(number.iter_u64_digits());
            words.resize(start + n, 0);
        }
        self.from_words(&words)
    }

    /// The canonical numbers, [`Engine::words_per_element`] words each, lowest word first.
    ///
    /// # Errors
    /// A foreign array.
    pub fn to_words<'a>(&self, a: impl Into<View<'a>>) -> Result<Vec<u64>, ArrayError> {
        let a = a.into();
        let mut words = vec![0u64; a.len * self.words_per_element()];
        self.to_words_into(&mut words, a)?;
        Ok(words)
    }

    /// Unpacks the elements as words into a slice.
    ///
    /// # Errors
    /// A foreign array; a slice of another length.
    pub fn to_words_into<'a>(&self, words: &mut [u64], a: impl Into<View<'a>>) -> Result<(), ArrayError> {
        self.unpack("to_words", a.into(), words, self.words_per_element(), |words| ElementsMut::Words(words))
    }

    /// The canonical numbers, [`Engine::bytes_per_element`] bytes each.
    ///
    /// # Errors
    /// A foreign array.
    pub fn to_bytes<'a>(&self, a: impl Into<View<'a>>, endian: Endian) -> Result<Vec<u8>, ArrayError> {
        let a = a.into();
        let mut bytes = vec![0u8; a.len * self.bytes_per_element()];
        self.to_bytes_into(&mut bytes, a, endian)?;
        Ok(bytes)
    }

    /// Unpacks the elements as bytes into a slice.
    ///
    /// # Errors
    /// As [`Engine::to_words_into`].
    pub fn to_bytes_into<'a>(
        &self,
        bytes: &mut [u8],
        a: impl Into<View<'a>>,
        endian: Endian,
    ) -> Result<(), ArrayError> {
        let size = self.bytes_per_element();
        self.unpack("to_bytes", a.into(), bytes, size, |bytes| ElementsMut::Bytes(size, endian, bytes))
    }

    /// The canonical numbers.
    ///
    /// # Errors
    /// A foreign array.
    pub fn to_integers<'a>(&self, a: impl Into<View<'a>>) -> Result<Vec<BigUint>, ArrayError> {
        let bytes = self.to_bytes(a, Endian::Little)?;
        Ok(bytes.chunks_exact(self.bytes_per_element()).map(BigUint::from_bytes_le).collect())
    }

    /// Packs chunk by chunk.
    fn pack(&self, name: &'static str, out: ViewMut, elements: Elements) -> Result<(), ArrayError> {
        let (lanes, group, n, len) = (self.lanes(), self.kernels.group(), self.words_per_element(), out.len);
        self.own(name, out.kernels)?;
        let (unit, given, per_element) = match elements {
            Elements::Words(words) => ("words", words.len(), n),
            Elements::Bytes(size, _, bytes) => ("bytes", bytes.len(), size),
        };
        if !given.is_multiple_of(per_element) {
            return Err(ArrayError::Pieces { unit, given, per_element });
        }
        same_length(name, len, given / per_element)?;
        let trial = Trial::of(size_of_val(&*out.words) + elements.bytes());
        let piece = self.piece();
        self.walk(out, piece, self.kernels.grain(piece), |first, words, scratch| {
            trial.run(first / piece, |ahead| {
                let (groups, start) = (words.len() / group, first * lanes);
                let count = (groups * lanes).min(len - start);
                // What the next piece reads and writes.
                let part = elements.part(start, count, n);
                let prefetches = [part.prefetch(n, piece * lanes), Prefetch::write(words, piece * group)];
                let prefetches = if ahead { &prefetches[..] } else { &[] };
                if let (true, Elements::Bytes(4, endian, bytes)) = (self.kernels.short(), part) {
                    halves_of_bytes(endian, bytes, words);
                    if !halves_exceed(words, &self.kernels.limit) {
                        return self.rest(words, prefetches);
                    }
                }
                let [area, flags] = scratch.areas::<2>(groups * lanes * n);
                let area = match part {
                    // Words of one lane, or elements of one word, lie as they are wanted.
                    Elements::Words(words) if (lanes == 1 || n == 1) && count == groups * lanes => words,
                    _ => {
                        part.to_lanes(n, lanes, area, flags);
                        area
                    }
                };
                self.check(start, area, flags)?;
                self.enter(words, area, prefetches)
            })
        })
    }

    /// Unpacks chunk by chunk into the `per_element` items of each element; `elements` says what these are.
    fn unpack<T: Send>(
        &self,
        name: &'static str,
        a: View,
        items: &mut [T],
        per_element: usize,
        elements: impl Fn(&mut [T]) -> ElementsMut + Sync,
    ) -> Result<(), ArrayError> {
        let (lanes, group, n) = (self.lanes(), self.kernels.group(), self.words_per_element());
        self.own(name, a.kernels)?;
        if items.len() != a.len * per_element {
            return Err(ArrayError::Length { operation: name, left: a.len, right: items.len() / per_element });
        }
        let trial = Trial::of(size_of_val(a.words) + size_of_val(items));
        let moved = self.packing().is_some();
        let step = if moved { self.leave() } else { Some(Operation::TO_WORDS) };
        let code = step.map(|step| self.kernels.code(&step)).transpose()?;
        let piece = self.piece();
        self.parallel(items, piece * lanes * per_element, self.kernels.grain(piece), |i, items, scratch| {
            trial.run(i, |ahead| {
                let groups = (items.len() / per_element).div_ceil(lanes);
                let [area, spare] = scratch.areas::<2>(groups * group.max(lanes * n));
                let (area, resting) = (&mut area[..groups * lanes * n], a.groups(i * piece, groups));
                // What the next piece reads, and what is written when this one is computed.
                let prefetches = [Prefetch::read(resting, piece * group), Prefetch::write(items, 0)];
                let prefetches = if ahead { &prefetches[..] } else { &[] };
                let run = |out: &mut [u64]| {
                    code.map_or(Ok(()), |code| code.run_prefetching(out, &[In::Words(resting)], prefetches))
                        .map_err(|why| self.kernels.fault(name, why))
                };
                if moved {
                    let canonical = &mut spare[..groups * group];
                    run(canonical)?;
                    let canonical = if code.is_some() { canonical } else { resting };
                    if let (true, ElementsMut::Bytes(4, endian, bytes)) = (self.kernels.short(), elements(items)) {
                        bytes_of_halves(endian, canonical, bytes);
                        return Ok(());
                    }
                    self.moved_out(canonical, area);
                } else {
                    run(area)?;
                }
                elements(items).from_lanes(n, lanes, area, spare);
                Ok(())
            })
        })
    }

    /// Are all these numbers, words in the order of lanes, below the modulus? `flags`, of the same length, is
    /// overwritten.
    pub(crate) fn below(&self, area: &[u64], flags: &mut [u64]) -> Result<bool, ArrayError> {
        let (lanes, n) = (self.lanes(), self.words_per_element());
        let flags = &mut flags[..area.len() / n];
        if self.kernels.words_alone() {
            if !any_exceeds(area, &self.kernels.limit) {
                return Ok(true);
            }
            exceeds(area, &self.kernels.limit, flags);
        } else if self.kernels.binary().is_some() {
            above(self.kernels.bits, lanes, area, flags);
        } else if self.kernels.whole_words() {
            not_below(&self.kernels.limit, area, flags);
        } else {
            self.kernels
                .code(&Operation::EXCEEDS)?
                .run(flags, &[In::Words(area)])
                .map_err(|why| self.kernels.fault("from_words", why))?;
        }
        // Without a branch on a number.
        Ok(!any(flags))
    }

    /// An error where one of these numbers, in the order of the elements from `first` on, is not below the modulus.
    pub(crate) fn check(&self, first: usize, area: &[u64], flags: &mut [u64]) -> Result<(), ArrayError> {
        if self.below(area, flags)? {
            return Ok(());
        }
        let (lanes, n) = (self.lanes(), self.words_per_element());
        let index = flags.iter().position(|flag| *flag != 0).unwrap_or(0);
        let word = |i: usize| area[(index / lanes * n + i) * lanes + index % lanes];
        let value = (0..n).rev().fold(BigUint::ZERO, |value, i| (value << 64u32) + word(i));
        Err(ArrayError::Range { index: first + index, value, limit: self.kernels.limit.clone() })
    }
}

/// 1 for numbers in whole words, one by one, that are not below the limit, without a branch on them.
fn not_below(limit: &BigUint, area: &[u64], flags: &mut [u64]) {
    let limit = limit.to_u64_digits();
    for (flag, number) in flags.iter_mut().zip(area.chunks_exact(limit.len())) {
        let borrow = number.iter().zip(&limit).fold(false, |borrow, (x, y)| {
            let (difference, less) = x.overflowing_sub(*y);
            less | difference.overflowing_sub(u64::from(borrow)).1
        });
        *flag = u64::from(!borrow);
    }
}
