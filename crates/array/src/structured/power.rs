//! Powers of a tower's elements by a public exponent.

use evariste_algorithms::Operation;
use evariste_algorithms::operation::Holds;
use num_bigint::BigUint;

use super::{Structured, StructuredArray, StructuredView};
use crate::error::ArrayError;
use crate::places::Places;

/// Bits of the exponent that a product takes care of.
const WINDOW: u64 = 4;

impl Structured {
    /// `a^e` for a public exponent e, by windows of the exponent from the top; `a^0` is 1.
    ///
    /// # Errors
    /// An array of another engine; a structure without products.
    pub fn power<'a>(
        &self,
        a: impl Into<StructuredView<'a>>,
        exponent: &BigUint,
    ) -> Result<StructuredArray, ArrayError> {
        let a = a.into();
        let digit = |i: u64| (0..WINDOW).map(|b| usize::from(exponent.bit(i * WINDOW + b)) << b).sum::<usize>();
        let one = self.from_numbers(Holds::Element, &[self.field.one()])?;
        let one = self.gather(&one, Places::Strided { first: 0, shape: &[a.len()], steps: &[0] })?;
        let digits = exponent.bits().div_ceil(WINDOW);
        let most = (0..digits).map(digit).max().unwrap_or(0);
        // table[i] = a^i.
        let mut table = vec![one];
        for i in 1..=most {
            table.push(self.compute(&Operation::MUL, &[table[i - 1].view().into(), a.into()])?);
        }
        let mut out = table[digits.checked_sub(1).map_or(0, digit)].clone();
        for i in (0..digits.saturating_sub(1)).rev() {
            for _ in 0..WINDOW {
                out = self.compute(&Operation::SQUARE, &[(&out).into()])?;
            }
            if digit(i) > 0 {
                out = self.compute(&Operation::MUL, &[(&out).into(), (&table[digit(i)]).into()])?;
            }
        }
        Ok(out)
    }
}
