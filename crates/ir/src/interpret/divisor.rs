//! Divisibility of words by a constant.

/// Quantities stay below this, so that differences of two fit a word.
pub(super) const LIMIT: u32 = 62;

/// Test of divisibility by `odd · 2^shift`: `x · odd⁻¹` rotated is at most the greatest quotient.
pub(super) struct Divisor {
    inverse: u64,
    shift: u32,
    most: u64,
    /// A multiple of the modulus that makes every difference non-negative.
    pub(super) lift: u64,
}

impl Divisor {
    pub(super) fn new(modulus: u64) -> Divisor {
        let shift = modulus.trailing_zeros();
        let odd = modulus >> shift;
        // Newton: each step doubles the number of right bits, from 3.
        let inverse = (0..5).fold(odd, |x, _| x.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(x))));
        Divisor { inverse, shift, most: u64::MAX / modulus, lift: (1u64 << LIMIT).div_ceil(modulus) * modulus }
    }

    #[inline(always)]
    pub(super) fn divides(&self, difference: u64) -> bool {
        difference.wrapping_add(self.lift).wrapping_mul(self.inverse).rotate_right(self.shift) <= self.most
    }
}
