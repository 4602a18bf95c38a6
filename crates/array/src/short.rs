//! Elements of one digit of 32 bits, two in a word of memory, in sixteen lanes: the way from and to words of 64 bits,
//! sums, and products of words.

use evariste_algorithms::Operation;
use evariste_jit::transpose::Endian;
use num_bigint::BigUint;
use num_traits::ToPrimitive;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::array::{View, ViewMut};
use crate::code::In;
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

/// Is any word not below the modulus? Without a branch on one of them.
pub(crate) fn any_exceeds(words: &[u64], limit: &BigUint) -> bool {
    let most = limit.to_u64().unwrap_or(0).wrapping_sub(1);
    words.iter().fold(0, |any, x| any | most.wrapping_sub(*x) | x) >> 63 != 0
}

/// 1 for words that are not below the modulus: `p − 1 − x` is negative then, or x has its top bit.
pub(crate) fn exceeds(words: &[u64], limit: &BigUint, flags: &mut [u64]) {
    let most = limit.to_u64().unwrap_or(0).wrapping_sub(1);
    for (flag, x) in flags.iter_mut().zip(words) {
        *flag = (most.wrapping_sub(*x) | x) >> 63;
    }
}

/// The sum of the first so many digits; of fewer than 2^31 words it fits.
fn sum(words: &[u64], count: usize) -> u64 {
    let (whole, last) = words.split_at(count / 2);
    let (low, high) =
        whole.iter().fold((0, 0), |(low, high), word| (low + (word & u64::from(u32::MAX)), high + (word >> 32)));
    low + high + last.first().map_or(0, |word| if count % 2 == 1 { word & u64::from(u32::MAX) } else { 0 })
}

impl Engine {
    /// The sum of the elements of one array, or of the products of those of two.
    pub(crate) fn short_sum(&self, name: &'static str, arrays: &[View]) -> Result<BigUint, ArrayError> {
        let (mul, lanes, group) = (self.kernels.code(&Operation::MUL)?, self.lanes(), self.kernels.group());
        let len = arrays.first().map_or(0, View::len);
        let chunk = self.kernels.chunk(mul.block_groups());
        let p = self.kernels.limit.to_u64().unwrap_or(1);
        let total = AtomicU64::new(0);
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
                // Below 2^32 a part: 2^32 of them fit.
                total.fetch_add(part % p, Ordering::Relaxed);
            }
            Ok(())
        })?;
        // Each element, and each product, has the factor of the Montgomery form once.
        Ok(self.kernels.unscaled(total.into_inner().into(), 1))
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
    /// layout is `x·y/R`, R = 1 or 2^32. The area is overwritten.
    pub(crate) fn short_product(
        &self,
        name: &'static str,
        step: &Operation,
        x: &mut [u64],
        y: &mut [u64],
        area: &mut [u64],
    ) -> Result<(), ArrayError> {
        let (area, other) = area.split_at_mut(x.len() / 2);
        halve(x, area);
        halve(y, other);
        let run = |step: &Operation, out: &mut [u64], inputs: &[In]| {
            self.kernels.code(step)?.run(out, inputs).map_err(|why| self.kernels.fault(name, why))
        };
        let (montgomery, words) = (self.kernels.layout.montgomery.is_some(), *step == Operation::MUL_WORDS);
        match (montgomery, words) {
            (true, true) => run(&Operation::TO_MONTGOMERY, other, &[In::Out(0)])?,
            (false, false) => {
                return Err(self
                    .kernels
                    .fault(name, format!("the layout {} has no Montgomery form", self.kernels.layout.name)));
            }
            _ => {}
        }
        run(&Operation::MUL, area, &[In::Out(0), In::Words(other)])?;
        if montgomery && !words {
            run(&Operation::FROM_MONTGOMERY, area, &[In::Out(0)])?;
        } else if self.kernels.layout.resting.bound.magnitude() >= &self.kernels.limit {
            // In a Montgomery layout the same number below p.
            run(&Operation::CANONICAL, area, &[In::Out(0)])?;
        }
        widen(area, x);
        Ok(())
    }
}
