//! Packing and unpacking: canonical numbers in saturated words, in bytes of both orders, as big integers.

use evariste_jit::transpose::{Order, any};
use num_bigint::BigUint;

use crate::array::{Array, View, ViewMut};
use crate::bits::above;
use crate::code::In;
use crate::engine::{Engine, Step};
use crate::error::ArrayError;
use crate::short::exceeds;
use crate::storage::Scratch;
use crate::transpose::{from_lanes, to_lanes};
use crate::walk::same_length;

/// Words of an array that is one chunk: three such fit the first cache.
const FEW: usize = 1024;

/// The order of an element's bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Endian {
    /// Lowest first.
    Little,
    /// Highest first.
    Big,
}

impl Engine {
    /// Groups that are packed at a time: a multiple of the blocks that the conversions' code likes best.
    fn piece(&self) -> usize {
        self.kernels.code(self.leave().unwrap_or(Step::Mul)).map_or(1, |code| self.kernels.chunk(code.block_groups()))
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

    /// The same into an array that exists. After an error there may be anything in it.
    ///
    /// # Errors
    /// As [`Engine::from_words`]; a foreign array, or one of another length.
    pub fn from_words_into<'o>(&self, out: impl Into<ViewMut<'o>>, words: &[u64]) -> Result<(), ArrayError> {
        let (out, n) = (out.into(), self.words_per_element());
        self.pack("from_words", out, "words", words.len(), n, |first, elements, area| {
            to_lanes(n, self.lanes(), Order::Natural, &words[first * n..(first + elements) * n], area);
            Ok(())
        })
    }

    /// Elements from canonical numbers of [`Engine::bytes_per_element`] bytes each.
    ///
    /// # Errors
    /// As [`Engine::from_words`].
    pub fn from_bytes(&self, bytes: &[u8], endian: Endian) -> Result<Array, ArrayError> {
        let (n, size) = (self.words_per_element(), self.bytes_per_element());
        let mut out = self.fresh(bytes.len() / size);
        self.pack("from_bytes", out.view_mut(), "bytes", bytes.len(), size, |first, elements, area| {
            let mut words = vec![0u64; elements * n];
            for (words, bytes) in words.chunks_exact_mut(n).zip(bytes[first * size..].chunks_exact(size)) {
                for (i, word) in words.iter_mut().enumerate() {
                    *word = word_of(bytes, i, endian);
                }
            }
            to_lanes(n, self.lanes(), Order::Natural, &words, area);
            Ok(())
        })?;
        Ok(out)
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

    /// The same into a slice.
    ///
    /// # Errors
    /// A foreign array; a slice of another length.
    pub fn to_words_into<'a>(&self, words: &mut [u64], a: impl Into<View<'a>>) -> Result<(), ArrayError> {
        let (a, n) = (a.into(), self.words_per_element());
        self.own("to_words", a.kernels)?;
        if words.len() != a.len * n {
            return Err(ArrayError::Length { operation: "to_words", left: a.len, right: words.len() / n });
        }
        self.unpack(&a, words, n, |area, words| from_lanes(n, self.lanes(), Order::Natural, area, words))
    }

    /// The canonical numbers, [`Engine::bytes_per_element`] bytes each.
    ///
    /// # Errors
    /// A foreign array.
    pub fn to_bytes<'a>(&self, a: impl Into<View<'a>>, endian: Endian) -> Result<Vec<u8>, ArrayError> {
        let (a, n, size) = (a.into(), self.words_per_element(), self.bytes_per_element());
        self.own("to_bytes", a.kernels)?;
        let mut bytes = vec![0u8; a.len * size];
        self.unpack(&a, &mut bytes, size, |area, bytes| {
            let mut words = vec![0u64; bytes.len() / size * n];
            from_lanes(n, self.lanes(), Order::Natural, area, &mut words);
            for (words, bytes) in words.chunks_exact(n).zip(bytes.chunks_exact_mut(size)) {
                for (i, word) in words.iter().enumerate() {
                    put_word(bytes, i, endian, *word);
                }
            }
        })?;
        Ok(bytes)
    }

    /// The canonical numbers.
    ///
    /// # Errors
    /// A foreign array.
    pub fn to_integers<'a>(&self, a: impl Into<View<'a>>) -> Result<Vec<BigUint>, ArrayError> {
        let bytes = self.to_bytes(a, Endian::Little)?;
        Ok(bytes.chunks_exact(self.bytes_per_element()).map(BigUint::from_bytes_le).collect())
    }

    /// `out = a·b` of canonical numbers in ordinary words, chunk by chunk: nothing but them goes through memory, and nothing but words is stored in between.
    ///
    /// # Errors
    /// A number that is not below the modulus; slices of different length, or of no whole number of elements. After an error there may be anything in the output.
    pub fn mul_words_into(&self, out: &mut [u64], a: &[u64], b: &[u64]) -> Result<(), ArrayError> {
        self.words_into("mul_words", Step::MulWords, out, a, b)
    }

    /// The same for numbers in the Montgomery form of scalar libraries: `x·2^(64n) mod p` in n words, and so is the product. It takes half as many multiplications.
    ///
    /// # Errors
    /// As [`Engine::mul_words_into`]; [`ArrayError::Kernel`] where the layout has no Montgomery form, or a factor below `2^(64n)`.
    pub fn mul_montgomery_words_into(&self, out: &mut [u64], a: &[u64], b: &[u64]) -> Result<(), ArrayError> {
        self.words_into("mul_montgomery_words", Step::MulMontgomeryWords, out, a, b)
    }

    fn words_into(&self, name: &'static str, step: Step, out: &mut [u64], a: &[u64], b: &[u64]) -> Result<(), ArrayError> {
        let (lanes, n) = (self.lanes(), self.words_per_element());
        if out.len() % n != 0 || a.len() != out.len() || b.len() != out.len() {
            let split = [out.len(), a.len(), b.len()].into_iter().find(|len| len % n != 0);
            split.map_or(Ok(()), |given| Err(ArrayError::Pieces { unit: "words", given, per_element: n }))?;
            same_length(name, out.len() / n, a.len() / n)?;
            same_length(name, out.len() / n, b.len() / n)?;
        }
        let (short, binary) = (self.kernels.short(), self.kernels.binary().is_some());
        let code = self.kernels.code(if short || binary { Step::Mul } else { step })?;
        let product = |start: usize, out: &mut [u64], scratch: &mut Scratch| {
            let range = start * n..start * n + out.len();
            let words = out.len().next_multiple_of(lanes * n);
            let [operands, flags] = scratch.areas::<2>(2 * words);
            let order = |order: Order, operands: &mut [u64]| {
                operands.chunks_exact_mut(words).zip([a, b]).for_each(|(area, from)| to_lanes(n, lanes, order, &from[range.clone()], area));
            };
            order(Order::Free, operands);
            if !self.below(operands, flags)? {
                order(Order::Natural, operands);
                operands.chunks_exact(words).try_for_each(|area| self.check(start, area, flags))?;
            }
            let (x, y) = operands.split_at_mut(words);
            if short {
                self.short_product(name, step, x, y, flags)?;
            } else if binary {
                if step != Step::MulWords {
                    return Err(self.kernels.fault(name, "a binary field has no Montgomery form".into()));
                }
                // Elements at rest take no more words than canonical numbers.
                let size = x.len() / (lanes * n) * self.kernels.group();
                self.moved_in(x, &mut flags[..size]);
                self.moved_in(y, &mut x[..size]);
                code.run(&mut flags[..size], &[In::Out, In::Words(&x[..size])]).map_err(|why| self.kernels.fault(name, why))?;
                self.moved_out(&flags[..size], x);
            } else {
                code.run(x, &[In::Out, In::Words(y)]).map_err(|why| self.kernels.fault(name, why))?;
            }
            from_lanes(n, lanes, Order::Free, x, out);
            Ok(())
        };
        if (1..=FEW).contains(&out.len()) {
            return product(0, out, &mut Scratch::default());
        }
        let piece = self.kernels.chunk(code.block_groups());
        self.parallel(out, piece * lanes * n, self.kernels.grain(piece), |i, out, scratch| product(i * piece * lanes, out, scratch))
    }

    /// Packs chunk by chunk: `saturated(first element, elements, area)` fills the area with saturated words in the order of lanes.
    fn pack(
        &self,
        name: &'static str,
        out: ViewMut,
        unit: &'static str,
        given: usize,
        per_element: usize,
        saturated: impl Fn(usize, usize, &mut [u64]) -> Result<(), ArrayError> + Sync,
    ) -> Result<(), ArrayError> {
        let (lanes, group, n, len) = (self.lanes(), self.kernels.group(), self.words_per_element(), out.len);
        self.own(name, out.kernels)?;
        if !given.is_multiple_of(per_element) {
            return Err(ArrayError::Pieces { unit, given, per_element });
        }
        same_length(name, len, given / per_element)?;
        let piece = self.piece();
        self.walk(out, piece, self.kernels.grain(piece), |first, words, scratch| {
            let groups = words.len() / group;
            let [area, flags] = scratch.areas::<2>(groups * lanes * n);
            saturated(first * lanes, (groups * lanes).min(len - first * lanes), area)?;
            self.check(first * lanes, area, flags)?;
            self.enter(words, area)
        })
    }

    /// Unpacks chunk by chunk: `take(area, items)` gets saturated words in the order of lanes, and the `per_element` items of each element to fill.
    fn unpack<T: Send>(&self, a: &View, items: &mut [T], per_element: usize, take: impl Fn(&[u64], &mut [T]) + Sync) -> Result<(), ArrayError> {
        let (lanes, group, n) = (self.lanes(), self.kernels.group(), self.words_per_element());
        let leave = self.leave().map(|step| self.kernels.code(step)).transpose()?;
        let to_words = if self.packing().is_some() { None } else { Some(self.kernels.code(Step::ToWords)?) };
        let piece = self.piece();
        self.parallel(items, piece * lanes * per_element, self.kernels.grain(piece), |i, items, scratch| {
            let groups = (items.len() / per_element).div_ceil(lanes);
            let [canonical, area] = scratch.areas::<2>(groups * group.max(lanes * n));
            let (canonical, area) = (&mut canonical[..groups * group], &mut area[..groups * lanes * n]);
            let resting = a.groups(i * piece, groups);
            let left = match leave {
                Some(leave) => leave.run(canonical, &[In::Words(resting)]),
                None => {
                    canonical.copy_from_slice(resting);
                    Ok(())
                }
            };
            let left = left.and_then(|()| match to_words {
                Some(to_words) => to_words.run(area, &[In::Words(canonical)]),
                None => {
                    self.moved_out(canonical, area);
                    Ok(())
                }
            });
            left.map_err(|why| self.kernels.fault("to_words", why))?;
            take(area, items);
            Ok(())
        })
    }

    /// Are all these numbers, words in the order of lanes, below the modulus? `flags`, of the same length, is overwritten.
    fn below(&self, area: &[u64], flags: &mut [u64]) -> Result<bool, ArrayError> {
        let (lanes, n) = (self.lanes(), self.words_per_element());
        let flags = &mut flags[..area.len() / n];
        if self.kernels.short() {
            exceeds(area, &self.kernels.limit, flags);
        } else if self.kernels.binary().is_some() {
            above(self.kernels.bits, lanes, area, flags);
        } else {
            self.kernels.code(Step::Exceeds)?.run(flags, &[In::Words(area)]).map_err(|why| self.kernels.fault("from_words", why))?;
        }
        // Without a branch on a number.
        Ok(!any(flags))
    }

    /// An error where one of these numbers, in the order of the elements from `first` on, is not below the modulus.
    fn check(&self, first: usize, area: &[u64], flags: &mut [u64]) -> Result<(), ArrayError> {
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

/// Bytes of word i, in their places; those behind the end are zero.
fn word_of(bytes: &[u8], i: usize, endian: Endian) -> u64 {
    let mut word = [0u8; 8];
    let count = (bytes.len() - 8 * i).min(8);
    match endian {
        Endian::Little => {
            word[..count].copy_from_slice(&bytes[8 * i..8 * i + count]);
            u64::from_le_bytes(word)
        }
        Endian::Big => {
            let end = bytes.len() - 8 * i;
            word[8 - count..].copy_from_slice(&bytes[end - count..end]);
            u64::from_be_bytes(word)
        }
    }
}

/// Writes the bytes of word i.
fn put_word(bytes: &mut [u8], i: usize, endian: Endian, word: u64) {
    let count = (bytes.len() - 8 * i).min(8);
    match endian {
        Endian::Little => bytes[8 * i..8 * i + count].copy_from_slice(&word.to_le_bytes()[..count]),
        Endian::Big => {
            let end = bytes.len() - 8 * i;
            bytes[end - count..end].copy_from_slice(&word.to_be_bytes()[8 - count..]);
        }
    }
}
