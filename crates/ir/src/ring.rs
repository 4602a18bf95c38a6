//! What polynomials of a contract are over: integers modulo a number, or vectors over GF(2) with a multiplication.

use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer;
use num_traits::Zero;

use crate::contract::{BitMap, Polynomial};

/// The ring of a recurrence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ring {
    /// Integers modulo a number above 0.
    Integers(BigInt),
    /// Vectors over GF(2) as the bits of numbers: sums are XOR, products the map, which takes two operands. Coefficients
    /// are vectors too.
    Bits(BitMap),
}

impl Ring {
    /// The modulus of integers.
    pub fn modulus(&self) -> Option<&BigInt> {
        match self {
            Ring::Integers(m) => Some(m),
            Ring::Bits(_) => None,
        }
    }

    /// A polynomial's value at these numbers. Variables from `bits` on are 0 or 1 and stand for nothing or for
    /// everything: a term with one that is 0 is left out, one that is 1 is left out of its term.
    pub fn evaluate(&self, polynomial: &Polynomial, of: &[BigInt], bits: usize) -> BigInt {
        let is_zero = |i: &u32| of[*i as usize].is_zero();
        let terms = polynomial.0.iter().filter(|(_, factors)| !factors.iter().any(is_zero));
        let numbers = |factors: &[u32]| factors.iter().map(|i| *i as usize).filter(|i| *i < bits).collect::<Vec<_>>();
        match self {
            Ring::Integers(m) => {
                let term = |(c, factors): &(BigInt, Vec<u32>)| {
                    numbers(factors).into_iter().fold(c.clone(), |product, i| product * &of[i] % m)
                };
                terms.map(term).sum::<BigInt>().mod_floor(m)
            }
            Ring::Bits(map) => {
                let term = |(c, factors): &(BigInt, Vec<u32>)| {
                    numbers(factors).into_iter().fold(c.magnitude().clone(), |x, i| map.product(&x, of[i].magnitude()))
                };
                let sum = terms.map(term).fold(BigUint::zero(), |sum, x| sum ^ x);
                BigInt::from_biguint(Sign::Plus, sum)
            }
        }
    }
}

impl BitMap {
    /// How many coordinates the elements have that this multiplies; `None` for a map of one operand, and where the
    /// number of images is that of no multiplication.
    pub fn coordinates(&self) -> Option<usize> {
        match self {
            BitMap::Linear(_) => None,
            BitMap::Bilinear(images) => Some(images.len().isqrt()).filter(|m| m * m == images.len()),
            BitMap::RotatingBilinear(rows) => Some(rows.len()),
            BitMap::Convolution(images) => images.len().is_odd().then_some(images.len().div_ceil(2)),
        }
    }

    /// The product of two elements as the bits of numbers, pair of bits by pair of bits. 0 where this is no
    /// multiplication.
    pub fn product(&self, a: &BigUint, b: &BigUint) -> BigUint {
        let mut product = BigUint::zero();
        let Some(m) = self.coordinates() else { return product };
        let ones = |x: &BigUint| (0..m).filter(|i| x.bit(*i as u64)).collect::<Vec<_>>();
        let second = ones(b);
        let mut flip = |k: usize| product.set_bit(k as u64, !product.bit(k as u64));
        for (i, j) in ones(a).into_iter().flat_map(|i| second.iter().map(move |j| (i, *j))) {
            match self {
                BitMap::Linear(_) => {}
                BitMap::Bilinear(images) => images[i * m + j].iter().for_each(|k| flip(*k as usize)),
                BitMap::Convolution(images) => images[i + j].iter().for_each(|k| flip(*k as usize)),
                BitMap::RotatingBilinear(rows) => {
                    rows[(j + m - i) % m].iter().for_each(|k| flip((*k as usize + i) % m));
                }
            }
        }
        product
    }
}
