//! Powers by a public exponent.

use evariste_algorithms::Operation;
use num_bigint::BigUint;

use crate::array::{Array, View, ViewMut};
use crate::code::In;
use crate::engine::Engine;
use crate::error::ArrayError;

/// Bits of the exponent that a product takes care of: a table of the powers up to `2^WINDOW − 1`.
const WINDOW: u32 = 4;

impl Engine {
    /// `a^e` for a public exponent e; `a^0` is 1.
    ///
    /// # Errors
    /// A foreign array.
    pub fn power<'a>(&self, a: impl Into<View<'a>>, exponent: &BigUint) -> Result<Array, ArrayError> {
        let a = a.into();
        let mut out = self.fresh(a.len);
        self.power_into(&mut out, a, exponent)?;
        Ok(out)
    }

    /// `out = a^e`.
    ///
    /// # Errors
    /// As [`Engine::power`]; different lengths.
    pub fn power_into<'o, 'a>(
        &self,
        out: impl Into<ViewMut<'o>>,
        a: impl Into<View<'a>>,
        exponent: &BigUint,
    ) -> Result<(), ArrayError> {
        let (out, a) = (out.into(), a.into());
        self.own("power", out.kernels)?;
        self.fits("power", out.len, &a)?;
        let one = self.block(&self.kernels.one(), &Operation::MUL)?;
        let (group, block) = (self.kernels.group(), self.kernels.code(&Operation::MUL)?.block_groups());
        self.walk(out, block, 1, |first, words, scratch| {
            let table = scratch.areas::<{ 1 << WINDOW }>(words.len());
            self.raise(words, a.groups(first, words.len() / group), exponent, &one, table)
        })
    }

    /// `a^e` for a block of elements, by windows of the exponent from the top (Knuth, The Art of Computer Programming,
    /// volume 2, 4.6.3).
    pub(crate) fn raise(
        &self,
        out: &mut [u64],
        a: &[u64],
        exponent: &BigUint,
        one: &[u64],
        mut table: [&mut [u64]; 1 << WINDOW],
    ) -> Result<(), ArrayError> {
        let (mul, square) = (self.kernels.code(&Operation::MUL)?, self.kernels.code(&Operation::SQUARE)?);
        let no = |why| self.kernels.fault("power", why);
        let digits = exponent.bits().div_ceil(u64::from(WINDOW));
        if digits == 0 {
            out.copy_from_slice(&one[..out.len()]);
            return Ok(());
        }
        let digit = |i: u64| {
            (0..WINDOW).map(|b| usize::from(exponent.bit(i * u64::from(WINDOW) + u64::from(b))) << b).sum::<usize>()
        };
        // table[i] = a^i.
        table[1].copy_from_slice(a);
        let most = (0..digits).map(digit).max().unwrap_or(1);
        for i in 2..=most {
            let (below, rest) = table.split_at_mut(i);
            mul.run(rest[0], &[In::Words(below[i - 1]), In::Words(a)]).map_err(no)?;
        }
        out.copy_from_slice(table[digit(digits - 1)]);
        for i in (0..digits - 1).rev() {
            for _ in 0..WINDOW {
                square.run(out, &[In::Out(0)]).map_err(no)?;
            }
            if digit(i) > 0 {
                mul.run(out, &[In::Out(0), In::Words(table[digit(i)])]).map_err(no)?;
            }
        }
        Ok(())
    }
}
