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

impl Modulus {
    /// Is it the square of an element of this prime field? By Euler's criterion; 0 is one.
    pub fn is_square(&self, a: &BigUint) -> bool {
        let even = &self.value - 1u32;
        self.value == 2u32.into() || self.pow(a, &(&even >> 1u32)) != even
    }

    /// The lower of both square roots in this prime field, where there is one.
    ///
    /// Cipolla's way, which shares nothing with what kernels do: with an n for which `n² − a` is no square,
    /// `(n + √(n² − a))^((p+1)/2)` is a root of a.
    pub fn root(&self, a: &BigUint) -> Option<BigUint> {
        let a = self.reduce(a);
        if a.bits() == 0 || self.value == 2u32.into() {
            return Some(a);
        }
        if !self.is_square(&a) {
            return None;
        }
        let minus_a = self.neg(&a);
        let norm = |n: &BigUint| self.add(&self.mul(n, n), &minus_a);
        let mut numbers = (0u32..1000).map(BigUint::from);
        let (n, w) = numbers.find_map(|n| Some((n.clone(), norm(&n))).filter(|(_, w)| !self.is_square(w)))?;
        // Pairs (x, y) for x + y·√w.
        let product = |[a, b]: &[BigUint; 2], [c, d]: &[BigUint; 2]| {
            let last = self.mul(&self.mul(b, d), &w);
            [self.add(&self.mul(a, c), &last), self.add(&self.mul(a, d), &self.mul(b, c))]
        };
        let base = [n, BigUint::one()];
        let exponent = (&self.value + 1u32) >> 1u32;
        let power = (0..exponent.bits()).rev().fold([BigUint::one(), BigUint::ZERO], |power, i| {
            let square = product(&power, &power);
            if exponent.bit(i) { product(&square, &base) } else { square }
        });
        let [root, _] = power;
        let opposite = self.neg(&root);
        (self.mul(&root, &root) == a).then(|| root.min(opposite))
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

    #[test]
    fn roots_are_those_of_all_squares() {
        for p in [3u32, 5, 7, 13, 17, 97, 193, 251, 257] {
            let m = Modulus::new(p.into()).expect("a modulus");
            for a in 0..p {
                let right = (0..p).find(|x| x * x % p == a).map(BigUint::from);
                assert_eq!(m.root(&a.into()), right, "√{a} modulo {p}");
                assert_eq!(m.is_square(&a.into()), right.is_some(), "{a} modulo {p}");
            }
        }
        let p521 = Modulus::new((BigUint::one() << 521u32) - 1u32).expect("a modulus");
        let x = BigUint::from(0x1234_5678u32) << 300u32;
        assert_eq!(p521.root(&p521.mul(&x, &x)), Some(x.clone().min(p521.neg(&x))));
    }
}
