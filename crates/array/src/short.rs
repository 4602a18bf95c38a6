//! Elements of one word of 64 bits, and those of one digit of 32 bits, two in a word of memory, in twice as many lanes:
//! the way from and to words of 64 bits, sums, and products of words.

use evariste_algorithms::Operation;
use evariste_jit::transpose::Endian;
use num_bigint::BigUint;
use num_traits::ToPrimitive;
use std::sync::{Mutex, PoisonError};

use crate::array::{View, ViewMut};
use crate::code::{In, SHORT};
use crate::engine::Engine;
use crate::error::ArrayError;

/// Words below 2^32, two into one.
pub(crate) fn halve(from: &[u64], to: &mut [u64]) {
    for (to, from) in to.iter_mut().zip(from.chunks_exact(2)) {
        *to = from[0] & u64::from(u32::MAX) | from[1] << 32;
    }
}

/// Words below 2^8, eight into one.
pub(crate) fn into_bytes(from: &[u64], to: &mut [u64]) {
    for (to, from) in to.iter_mut().zip(from.as_chunks::<8>().0) {
        *to = u64::from_le_bytes(from.map(|word| word as u8));
    }
}

/// The way back.
pub(crate) fn from_bytes(from: &[u64], to: &mut [u64]) {
    for (to, from) in to.as_chunks_mut::<8>().0.iter_mut().zip(from) {
        *to = from.to_le_bytes().map(u64::from);
    }
}

/// The way back from halves.
pub(crate) fn widen(from: &[u64], to: &mut [u64]) {
    for (to, from) in to.chunks_exact_mut(2).zip(from) {
        to.copy_from_slice(&[from & u64::from(u32::MAX), from >> 32]);
    }
}

/// Elements of four bytes each, two into a word, zeros behind them.
pub(crate) fn halves_of_bytes(endian: Endian, bytes: &[u8], to: &mut [u64]) {
    let (eights, rest) = bytes.as_chunks();
    let (to, behind) = to.split_at_mut(eights.len());
    to.iter_mut().zip(eights).for_each(|(word, eight)| *word = halves(endian, u64::from_le_bytes(*eight)));
    behind.fill(0);
    if let (Some(word), Some(four)) = (behind.first_mut(), rest.first_chunk()) {
        *word = u64::from(if endian == Endian::Big { u32::from_be_bytes(*four) } else { u32::from_le_bytes(*four) });
    }
}

/// The way back.
pub(crate) fn bytes_of_halves(endian: Endian, from: &[u64], bytes: &mut [u8]) {
    let (eights, rest) = bytes.as_chunks_mut();
    eights.iter_mut().zip(from).for_each(|(eight, word)| *eight = halves(endian, *word).to_le_bytes());
    let last = from.get(eights.len()).map_or([0; 8], |word| halves(endian, *word).to_le_bytes());
    rest.copy_from_slice(&last[..rest.len()]);
}

/// The bytes of both halves in that order, or back.
fn halves(endian: Endian, word: u64) -> u64 {
    if endian == Endian::Big { word.swap_bytes().rotate_left(32) } else { word }
}

/// Is a half of any word not below the modulus? Without a branch on one of them.
pub(crate) fn halves_exceed(words: &[u64], limit: &BigUint) -> bool {
    let most = limit.to_u64().unwrap_or(0).wrapping_sub(1);
    let negative = words
        .iter()
        .fold(0, |any, word| any | most.wrapping_sub(word & u64::from(u32::MAX)) | most.wrapping_sub(word >> 32));
    negative >> 63 != 0
}

/// A word whose top bit is the borrow of `most − x`.
fn borrow(most: u64, x: u64) -> u64 {
    !most & x | !(most ^ x) & most.wrapping_sub(x)
}

/// The greatest canonical number.
fn most(limit: &BigUint) -> u64 {
    (limit - 1u32).to_u64().unwrap_or(u64::MAX)
}

/// Is any word not below the modulus? Without a branch on one of them.
pub(crate) fn any_exceeds(words: &[u64], limit: &BigUint) -> bool {
    let most = most(limit);
    words.iter().fold(0, |any, x| any | borrow(most, *x)) >> 63 != 0
}

/// 1 for words that are not below the modulus.
pub(crate) fn exceeds(words: &[u64], limit: &BigUint, flags: &mut [u64]) {
    let most = most(limit);
    for (flag, x) in flags.iter_mut().zip(words) {
        *flag = borrow(most, *x) >> 63;
    }
}

/// The sums of the lower and of the upper halves of words; of fewer than 2^32 words they fit.
fn sums_of_halves(words: &[u64]) -> (u64, u64) {
    words.iter().fold((0, 0), |(low, high), word| (low + (word & u64::from(u32::MAX)), high + (word >> 32)))
}

/// The sum of the first so many digits of 32 bits, two in a word.
fn sum_of_digits(words: &[u64], count: usize) -> u128 {
    let (whole, last) = words.split_at(count / 2);
    let (low, high) = sums_of_halves(whole);
    let last = last.first().map_or(0, |word| if count % 2 == 1 { word & u64::from(u32::MAX) } else { 0 });
    u128::from(low) + u128::from(high) + u128::from(last)
}

/// The sum of words.
fn sum_of_words(words: &[u64]) -> u128 {
    let (low, high) = sums_of_halves(words);
    u128::from(low) + (u128::from(high) << 32)
}

impl Engine {
    /// The sum of the elements of one array, or of the products of those of two.
    pub(crate) fn word_sum(&self, name: &'static str, arrays: &[View]) -> Result<BigUint, ArrayError> {
        let (mul, lanes, group) = (self.kernels.code(&Operation::MUL)?, self.lanes(), self.kernels.group());
        let len = arrays.first().map_or(0, View::len);
        let chunk = self.kernels.chunk(mul.block_groups());
        let (p, short) = (self.kernels.limit.to_u128().unwrap_or(1), self.kernels.short());
        let sum =
            |words: &[u64], count| if short { sum_of_digits(words, count) } else { sum_of_words(&words[..count]) };
        let total = Mutex::new(0u128);
        let mut firsts: Vec<usize> = (0..len.div_ceil(lanes)).step_by(chunk).collect();
        self.parallel(&mut firsts, 1, self.kernels.grain(chunk), |_, firsts, scratch| {
            for first in firsts {
                let count = chunk.min(len.div_ceil(lanes) - *first);
                let elements = (count * lanes).min(len - *first * lanes);
                let part = match arrays {
                    [a, b] => {
                        let [products] = scratch.areas::<1>(count * group);
                        mul.run(products, &[In::Words(a.groups(*first, count)), In::Words(b.groups(*first, count))])
                            .map_err(|why| self.kernels.fault(name, why))?;
                        sum(products, elements)
                    }
                    _ => arrays.first().map_or(0, |a| sum(a.groups(*first, count), elements)),
                };
                // Below 2^64 a part: 2^64 of them fit.
                *total.lock().unwrap_or_else(PoisonError::into_inner) += part % p;
            }
            Ok(())
        })?;
        let total = total.into_inner().unwrap_or_else(PoisonError::into_inner);
        // Each element, and each product, has the factor of the Montgomery form once.
        Ok(self.kernels.unscaled(total.into(), 1))
    }

    /// `out = a·b + c`, a product and a sum while the chunk is near.
    pub(crate) fn mul_then_add(&self, out: ViewMut, a: View, b: View, c: View) -> Result<(), ArrayError> {
        self.own("mul_add", out.kernels)?;
        [&a, &b, &c].into_iter().try_for_each(|operand| self.fits("mul_add", out.len, operand))?;
        let (mul, add, group) =
            (self.kernels.code(&Operation::MUL)?, self.kernels.code(&Operation::ADD)?, self.kernels.group());
        let chunk = self.kernels.chunk(mul.block_groups());
        self.walk(out, chunk, self.kernels.grain(chunk), |first, words, _| {
            let [a, b, c] = [a, b, c].map(|operand| operand.groups(first, words.len() / group));
            mul.run(words, &[In::Words(a), In::Words(b)])
                .and_then(|()| add.run(words, &[In::Out(0), In::Words(c)]))
                .map_err(|why| self.kernels.fault("mul_add", why))
        })
    }

    /// Canonical words `x = x·y`, or of the Montgomery form of scalar libraries `x·y/2^64`, where the product of the
    /// layout is `x·y/R`, R = 1, 2^32 or 2^64. The area is overwritten, and so is y.
    pub(crate) fn word_product(
        &self,
        name: &'static str,
        step: &Operation,
        x: &mut [u64],
        y: &mut [u64],
        area: &mut [u64],
    ) -> Result<(), ArrayError> {
        if !self.kernels.short() {
            return self.digit_product(name, step, x, y);
        }
        let (first, second) = area.split_at_mut(x.len() / 2);
        halve(x, first);
        halve(y, second);
        self.digit_product(name, step, first, second)?;
        widen(first, x);
        Ok(())
    }

    /// The same of digits, as many in a word as the layout has there.
    fn digit_product(
        &self,
        name: &'static str,
        step: &Operation,
        x: &mut [u64],
        y: &mut [u64],
    ) -> Result<(), ArrayError> {
        let run = |step: &Operation, out: &mut [u64], inputs: &[In]| {
            self.kernels.code(step)?.run(out, inputs).map_err(|why| self.kernels.fault(name, why))
        };
        let (layout, words) = (&self.kernels.layout, *step == Operation::MUL_WORDS);
        if layout.montgomery.is_some() && words {
            run(&Operation::TO_MONTGOMERY, y, &[In::Out(0)])?;
        }
        run(&Operation::MUL, x, &[In::Out(0), In::Words(y)])?;
        match layout.montgomery {
            // Once more by the factor of 32 bits: canonical then.
            Some(SHORT) if !words => return run(&Operation::FROM_MONTGOMERY, x, &[In::Out(0)]),
            None if !words => {
                let inverse =
                    BigUint::from(2u32).modpow(&64u32.into(), &self.kernels.limit).modinv(&self.kernels.limit);
                let inverse =
                    inverse.ok_or_else(|| self.kernels.fault(name, "an even modulus has no Montgomery form".into()))?;
                run(&Operation::MUL, x, &[In::Out(0), In::Constant(&self.block(&inverse, &Operation::MUL)?)])?;
            }
            _ => {}
        }
        // In a Montgomery layout the same number below p.
        if layout.resting.bound.magnitude() >= &self.kernels.limit {
            run(&Operation::CANONICAL, x, &[In::Out(0)])?;
        }
        Ok(())
    }
}
