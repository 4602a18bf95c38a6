//! Ranges: how large numbers may become, and the multiples of p that keep differences from going below zero.

use evariste_ir::range::pow2;
use num_bigint::BigInt;
use num_traits::Zero;

use super::steps::{How, Sum};
use crate::layout::Layout;

/// The greatest values of numbers in a layout.
pub(super) struct Limits {
    /// p
    pub p: BigInt,
    /// The factor `2^r` of Montgomery form.
    pub factor: BigInt,
    /// What elements rest at.
    pub resting: BigInt,
    /// What the field's products take.
    pub loose: BigInt,
    /// What n words hold.
    pub single: BigInt,
    /// What a reduction brings to rest with the fewest corrections.
    pub double: BigInt,
    /// What 2n words hold.
    most: BigInt,
}

impl Limits {
    pub fn new(p: BigInt, layout: &Layout) -> Limits {
        let bits = layout.word * layout.digits() as u32;
        let factor = layout.factor();
        let most = pow2(2 * bits) - 1u32;
        // T below p·R leaves (T + (R − 1)·p)/R below 2p: one correction, or none where elements rest below 2p.
        let double: BigInt = &p * &factor - 1u32;
        Limits {
            factor,
            resting: layout.resting.bound.clone(),
            loose: layout.loose.bound.clone(),
            single: pow2(bits) - 1u32,
            double: double.min(most.clone()),
            most,
            p,
        }
    }

    /// A sum of numbers up to these, plain where the range allows. `None`: it leaves the words.
    pub fn sum(&self, wide: bool, a: &BigInt, b: &BigInt) -> Option<Sum> {
        let plain = |a: &BigInt, b: &BigInt| Sum { wide, a: a.clone(), b: b.clone(), how: How::Plain };
        self.first_that_fits(wide, a, b, plain).or_else(|| {
            // The multiple that has no low words.
            let how = How::Corrected(&self.p * &self.factor);
            self.longest(wide, a, b, how).filter(|sum| &sum.a + &sum.b <= self.most)
        })
    }

    /// A difference, as [`Limits::sum`].
    pub fn difference(&self, wide: bool, a: &BigInt, b: &BigInt) -> Option<Sum> {
        let biased =
            |a: &BigInt, b: &BigInt| Sum { wide, a: a.clone(), b: b.clone(), how: How::Biased(self.multiple(wide, b)) };
        self.first_that_fits(wide, a, b, biased)
            .or_else(|| self.longest(wide, a, b, How::Masked(&self.p * &self.factor)))
    }

    /// What fits of a sum: for numbers of some sizes that few kernels have, or of these alone.
    fn first_that_fits(
        &self,
        wide: bool,
        a: &BigInt,
        b: &BigInt,
        sum: impl Fn(&BigInt, &BigInt) -> Sum,
    ) -> Option<Sum> {
        let fits = |sum: &Sum| sum.bound() <= *self.limit(wide);
        [sum(&self.size(wide, a), &self.size(wide, b)), sum(a, b)].into_iter().find(fits)
    }

    /// One kernel for all numbers that reductions take.
    fn longest(&self, wide: bool, a: &BigInt, b: &BigInt, how: How) -> Option<Sum> {
        let sum = Sum { wide, a: self.double.clone(), b: self.double.clone(), how };
        (wide && *a <= sum.a && *b <= sum.b && sum.bound() <= self.double).then_some(sum)
    }

    /// The size of a number: the least `2^k·p²`, or a multiple of p of one length; never beyond a limit that it keeps.
    fn size(&self, wide: bool, bound: &BigInt) -> BigInt {
        let square: BigInt = &self.p * &self.p;
        let up = if wide {
            (0..).map(|k: u32| &square << k).find(|size| size > bound).unwrap_or_default() - 1u32
        } else {
            (bound / &self.p + 1u32) * &self.p - 1u32
        };
        let limit = self.limit(wide);
        if up > *limit && bound <= limit { limit.clone() } else { up }
    }

    fn limit(&self, wide: bool) -> &BigInt {
        if wide { &self.double } else { &self.single }
    }

    /// A multiple of p that is no less: the least one of n words; of 2n words one of few bits above low words of zeros.
    fn multiple(&self, wide: bool, least: &BigInt) -> BigInt {
        let times = (least + &self.p - 1u32) / &self.p;
        let shift = if wide { (times.bits() as u32).saturating_sub(4) } else { 0 };
        let rounded = ((&times + pow2(shift) - 1u32) >> shift) << shift;
        if rounded.is_zero() { self.p.clone() } else { rounded * &self.p }
    }
}
