//! Polynomials in whole elements: numbers modulo a constant, or vectors over GF(2) under a multiplication. Exponents may
//! be as large as those of inverses.

use std::collections::BTreeMap;

use evariste_ir::BitMap;
use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer;
use num_traits::{One, Zero};

use crate::claims::algebra::Algebra;

/// What coefficients are.
pub(super) enum Ring {
    /// Integers modulo a number above 0.
    Integers(BigInt),
    /// Vectors over GF(2), as the bits of numbers.
    Bits(Vectors),
}

/// Vectors over GF(2) with a multiplication that was shown to be commutative and associative, and has a unit.
pub(super) struct Vectors {
    pub map: BitMap,
    pub algebra: Algebra,
    unit: BigUint,
}

impl Ring {
    /// The ring of a contract, or why it is none.
    pub fn new(ring: &evariste_ir::Ring) -> Result<Ring, String> {
        match ring {
            evariste_ir::Ring::Integers(m) => Ok(Ring::Integers(m.clone())),
            evariste_ir::Ring::Bits(map) => {
                let algebra = Algebra::new(map)?;
                let unit = algebra.unit(map).ok_or("the multiplication has no unit that is known")?;
                Ok(Ring::Bits(Vectors { map: map.clone(), algebra, unit }))
            }
        }
    }

    /// 1
    pub fn one(&self) -> BigInt {
        match self {
            Ring::Integers(_) => BigInt::one(),
            Ring::Bits(vectors) => vectors.unit.clone().into(),
        }
    }

    /// −1
    pub fn minus_one(&self) -> BigInt {
        match self {
            Ring::Integers(_) => -BigInt::one(),
            Ring::Bits(_) => self.one(),
        }
    }

    fn sum(&self, a: &BigInt, b: &BigInt) -> BigInt {
        match self {
            Ring::Integers(m) => (a + b).mod_floor(m),
            Ring::Bits(_) => BigInt::from_biguint(Sign::Plus, a.magnitude() ^ b.magnitude()),
        }
    }

    /// (Products of integers are reduced by sums.)
    fn product(&self, a: &BigInt, b: &BigInt) -> BigInt {
        match self {
            Ring::Integers(_) => a * b,
            Ring::Bits(Vectors { unit, .. }) if a.magnitude() == unit => b.clone(),
            Ring::Bits(Vectors { unit, .. }) if b.magnitude() == unit => a.clone(),
            Ring::Bits(v) => v.algebra.product(&v.map, a.magnitude(), b.magnitude()).unwrap_or_default().into(),
        }
    }

    fn power(&self, c: &BigInt, exponent: &BigUint) -> BigInt {
        match self {
            Ring::Integers(m) => c.modpow(&BigInt::from(exponent.clone()), m),
            Ring::Bits(Vectors { unit, .. }) if c.magnitude() == unit => c.clone(),
            Ring::Bits(_) => (0..exponent.bits()).rev().fold(self.one(), |power, i| {
                let square = self.product(&power, &power);
                if exponent.bit(i) { self.product(&square, c) } else { square }
            }),
        }
    }
}

/// An unknown: a number of the kernel, or a function of such.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct Unknown {
    /// Its number.
    pub id: u32,
    /// Is it 0 or 1, so that it is its own square?
    pub flag: bool,
}

/// A product of powers: unknowns, ascending, each with an exponent above 0.
pub(super) type Monomial = Vec<(Unknown, BigUint)>;

/// Most terms of a product that is multiplied out.
const MOST_TERMS: usize = 5_000;

/// A polynomial in normal form: no coefficient is 0, each is the least that stands for its element.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Polynomial(BTreeMap<Monomial, BigInt>);

impl Polynomial {
    /// An unknown.
    pub fn unknown(x: Unknown, ring: &Ring) -> Polynomial {
        Polynomial(BTreeMap::from([(vec![(x, BigUint::one())], ring.one())]))
    }

    /// A constant.
    pub fn constant(c: &BigInt, m: &Ring) -> Polynomial {
        let mut sum = Polynomial::default();
        sum.add_term(Vec::new(), c, m);
        sum
    }

    /// The unknown that this is.
    pub fn as_unknown(&self, ring: &Ring) -> Option<Unknown> {
        let (monomial, c) = self.0.iter().next().filter(|_| self.0.len() == 1)?;
        match monomial.as_slice() {
            [(x, e)] if e.is_one() && *c == ring.one() => Some(*x),
            _ => None,
        }
    }

    /// All unknowns, each at least once.
    pub fn unknowns(&self) -> impl Iterator<Item = Unknown> + '_ {
        self.0.keys().flatten().map(|(x, _)| *x)
    }

    /// Number of terms.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    fn add_term(&mut self, monomial: Monomial, c: &BigInt, m: &Ring) {
        let known = self.0.get(&monomial).cloned().unwrap_or_default();
        let sum = m.sum(&known, c);
        if sum.is_zero() {
            self.0.remove(&monomial);
        } else {
            self.0.insert(monomial, sum);
        }
    }

    /// `self + factor · other`.
    pub fn plus(mut self, factor: &BigInt, other: &Polynomial, m: &Ring) -> Polynomial {
        other.0.iter().for_each(|(monomial, c)| self.add_term(monomial.clone(), &m.product(c, factor), m));
        self
    }

    /// The product; `None` when it has too many terms.
    pub fn times(&self, other: &Polynomial, m: &Ring) -> Option<Polynomial> {
        if self.len().saturating_mul(other.len()) > MOST_TERMS {
            return None;
        }
        let mut product = Polynomial::default();
        for (x, c) in &self.0 {
            for (y, d) in &other.0 {
                product.add_term(monomial_product(x, y), &m.product(c, d), m);
            }
        }
        Some(product)
    }

    /// `p^(2^k)` in vectors over GF(2), where squaring is additive.
    pub fn squared(&self, k: u32, m: &Ring) -> Polynomial {
        let exponent = BigUint::one() << k;
        let mut power = Polynomial::default();
        for (monomial, c) in &self.0 {
            let raised = monomial.iter().map(|(x, e)| (*x, idempotent(*x, e * &exponent))).collect();
            power.add_term(raised, &m.power(c, &exponent), m);
        }
        power
    }

    /// The power of a polynomial of one term (or none), by any exponent above 0; `None` for sums.
    pub fn power_of_term(&self, exponent: &BigUint, m: &Ring) -> Option<Polynomial> {
        let mut power = Polynomial::default();
        match self.0.iter().next().filter(|_| !exponent.is_zero()) {
            Some((monomial, c)) if self.0.len() == 1 => {
                let raised = monomial.iter().map(|(x, e)| (*x, idempotent(*x, e * exponent))).collect();
                power.add_term(raised, &m.power(c, exponent), m);
            }
            None if self.0.is_empty() => {}
            _ => return None,
        }
        Some(power)
    }
}

/// The exponent that counts.
fn idempotent(x: Unknown, e: BigUint) -> BigUint {
    if x.flag { BigUint::one() } else { e }
}

/// The product of two monomials.
fn monomial_product(x: &Monomial, y: &Monomial) -> Monomial {
    let mut product: BTreeMap<Unknown, BigUint> = x.iter().cloned().collect();
    y.iter().for_each(|(unknown, e)| *product.entry(*unknown).or_default() += e);
    product.into_iter().map(|(unknown, e)| (unknown, idempotent(unknown, e))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value at some numbers.
    fn at(p: &Polynomial, values: &[i64], m: &BigInt) -> BigInt {
        let power = |(x, e): &(Unknown, BigUint)| BigInt::from(values[x.id as usize]).modpow(&e.clone().into(), m);
        let term = |(monomial, c): (&Monomial, &BigInt)| monomial.iter().map(power).fold(c.clone(), |x, y| x * y);
        p.0.iter().map(term).sum::<BigInt>().mod_floor(m)
    }

    #[test]
    fn normal_forms_have_the_values_of_what_they_are_made_of() {
        let (m, n) = (Ring::Integers(15.into()), BigInt::from(15));
        let number = |id| Polynomial::unknown(Unknown { id, flag: false }, &m);
        let (x, y) = (number(0), number(1));
        let sum = x.clone().plus(&(-4).into(), &y, &m).plus(&1.into(), &Polynomial::constant(&19.into(), &m), &m);
        let product = sum.times(&x, &m).unwrap();
        let power = x.times(&y, &m).unwrap().power_of_term(&7u32.into(), &m).unwrap();
        for (a, b) in (0..15).flat_map(|a| (0..15).map(move |b| (a, b))) {
            assert_eq!(at(&sum, &[a, b], &n), BigInt::from(a - 4 * b + 19).mod_floor(&n));
            assert_eq!(at(&product, &[a, b], &n), BigInt::from((a - 4 * b + 19) * a).mod_floor(&n));
            assert_eq!(at(&power, &[a, b], &n), BigInt::from(a * b).modpow(&7.into(), &n));
        }
        assert_eq!(sum.clone().plus(&14.into(), &sum, &m), Polynomial::default(), "x − x is 0");
        assert!(sum.power_of_term(&2u32.into(), &m).is_none(), "sums have no powers here");
        let flag = Polynomial::unknown(Unknown { id: 2, flag: true }, &m);
        assert_eq!(flag.times(&flag, &m), Some(flag.clone()));
        assert_eq!(flag.power_of_term(&9u32.into(), &m), Some(flag));
        assert_ne!(x.times(&x, &m), Some(x), "numbers are not their squares");
    }
}
