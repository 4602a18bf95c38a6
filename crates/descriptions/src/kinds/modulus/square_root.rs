//! What square roots modulo a prime p need: `p − 1 = q·2^s` with q odd, and an element of order `2^s`.

use num_bigint::BigUint;
use num_traits::One;

use super::Modulus;

/// The constants of Tonelli and Shanks for a prime.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SquareRoot {
    /// `(q − 1)/2`: the one long power.
    pub exponent: BigUint,
    /// s.
    pub twos: u32,
    /// `n^q` for the least n that is no square: its order is `2^s`.
    pub root_of_unity: BigUint,
}

impl Modulus {
    /// The constants for square roots; `None` where the modulus is not prime.
    pub fn square_root(&self) -> Option<SquareRoot> {
        if !self.prime {
            return None;
        }
        let even = &self.value - 1u32;
        let twos = even.trailing_zeros()?;
        let odd = &even >> twos;
        let half = &even >> 1u32;
        // Half of all numbers are no squares; by Euler's criterion these are.
        let is_no_square = |n: &BigUint| self.pow(n, &half) == even;
        let n = (2u32..1000).map(BigUint::from).find(is_no_square)?;
        Some(SquareRoot {
            exponent: (&odd - BigUint::one()) >> 1u32,
            twos: u32::try_from(twos).ok()?,
            root_of_unity: self.pow(&n, &odd),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_powers_of_two() {
        for p in [3u32, 5, 7, 13, 17, 97, 257, 65537, 2013265921] {
            let m = Modulus::new(p.into()).expect("a modulus");
            let root = m.square_root().expect("a prime");
            let order_divides = |k: u32| m.pow(&root.root_of_unity, &(BigUint::one() << k)).is_one();
            assert!(order_divides(root.twos) && !order_divides(root.twos - 1), "{p}");
            assert_eq!((root.exponent * 2u32 + 1u32) << root.twos, BigUint::from(p - 1), "{p}");
        }
        assert_eq!(Modulus::new(15u32.into()).expect("a modulus").square_root(), None);
    }
}
