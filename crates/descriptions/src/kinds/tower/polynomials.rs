//! Polynomials over a floor of a tower: division, greatest common divisors, inverses modulo one.

use num_bigint::BigUint;
use num_traits::One;

use super::ring::{Element, Ring, is_zero};

/// A polynomial: coefficients, lowest first, the last one not 0; no coefficients are the polynomial 0.
pub(crate) type Polynomial = Vec<Element>;

/// Polynomials over a floor.
pub(crate) struct Polynomials<'a> {
    /// The tower.
    pub ring: &'a Ring,
    /// The floor of the coefficients.
    pub floor: usize,
}

impl Polynomials<'_> {
    /// Without zeros above.
    pub fn trimmed(&self, mut a: Polynomial) -> Polynomial {
        while a.last().is_some_and(|coefficient| is_zero(coefficient)) {
            a.pop();
        }
        a
    }

    /// The element of the floor above with these coordinates as a polynomial.
    pub fn of(&self, coordinates: &[BigUint]) -> Polynomial {
        self.trimmed(coordinates.chunks(self.ring.size(self.floor)).map(<[BigUint]>::to_vec).collect())
    }

    /// The monic polynomial with these coefficients below the highest power.
    pub fn monic(&self, below: &[Element]) -> Polynomial {
        let mut polynomial = below.to_vec();
        polynomial.push(self.one());
        polynomial
    }

    fn one(&self) -> Element {
        self.ring.constant(self.floor, &BigUint::one())
    }

    /// `a − factor·b·x^shift`.
    fn reduced(&self, mut a: Polynomial, b: &Polynomial, factor: &Element, shift: usize) -> Polynomial {
        let length = a.len().max(b.len() + shift);
        a.resize(length, self.ring.constant(self.floor, &BigUint::ZERO));
        for (i, coefficient) in b.iter().enumerate() {
            let term = self.ring.multiply(self.floor, coefficient, factor);
            a[i + shift] = self.ring.subtract(&a[i + shift], &term);
        }
        self.trimmed(a)
    }

    /// The rest of a on division by b, and the steps of the division as factors with powers. `None`: the highest
    /// coefficient of b has no inverse.
    fn divided(&self, mut a: Polynomial, b: &Polynomial) -> Option<(Polynomial, Vec<(Element, usize)>)> {
        let inverse = self.ring.inverse(self.floor, b.last()?)?;
        let mut steps = Vec::new();
        while a.len() >= b.len() {
            let factor = self.ring.multiply(self.floor, a.last()?, &inverse);
            let shift = a.len() - b.len();
            a = self.reduced(a, b, &factor, shift);
            steps.push((factor, shift));
        }
        Some((a, steps))
    }

    /// The monic greatest common divisor.
    pub fn gcd(&self, mut a: Polynomial, mut b: Polynomial) -> Option<Polynomial> {
        while !b.is_empty() {
            let rest = self.divided(a, &b)?.0;
            (a, b) = (b, rest);
        }
        let inverse = self.ring.inverse(self.floor, a.last()?)?;
        Some(a.iter().map(|coefficient| self.ring.multiply(self.floor, coefficient, &inverse)).collect())
    }

    /// The inverse of the element of the floor above with these coordinates, whose polynomial has these coefficients
    /// below the highest power.
    pub fn inverse(&self, a: &[BigUint], below: &[Element]) -> Option<Element> {
        // r0 = s0·a and r1 = s1·a modulo the polynomial at every step.
        let (mut r0, mut r1) = (self.monic(below), self.of(a));
        let (mut s0, mut s1): (Polynomial, Polynomial) = (Vec::new(), vec![self.one()]);
        while !r1.is_empty() {
            let (rest, steps) = self.divided(r0, &r1)?;
            let next = steps.iter().fold(s0, |s, (factor, shift)| self.reduced(s, &s1, factor, *shift));
            (r0, r1, s0, s1) = (r1, rest, s1, next);
        }
        let [constant] = &r0[..] else { return None };
        let scale = self.ring.inverse(self.floor, constant)?;
        let mut inverse: Polynomial =
            s0.iter().map(|coefficient| self.ring.multiply(self.floor, coefficient, &scale)).collect();
        inverse.resize(below.len(), self.ring.constant(self.floor, &BigUint::ZERO));
        Some(inverse.concat())
    }
}
