//! Towers of polynomial rings over the integers modulo a prime, slow and obvious: products as in school, inverses by
//! Euclid, the p-th power by what it does to the variables.
//!
//! An element of floor k is the list of its coordinates over the prime field, those of the lowest power first: for each
//! power of the floor's variable the coordinates of its coefficient, which is an element of floor k − 1.

use num_bigint::BigUint;
use num_integer::Integer;
use num_traits::{One, Zero};

use super::polynomials::Polynomials;

/// The coordinates of an element.
pub type Element = Vec<BigUint>;

/// One floor of a tower.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Floor {
    /// The variable, a root of the polynomial.
    pub variable: String,
    /// The polynomial's coefficients on the floor below, lowest first, without the 1 of the highest power.
    pub polynomial: Vec<Element>,
    /// The p-th power of the variable.
    power: Element,
}

/// The floors above a prime field. Nothing here asks whether polynomials are irreducible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ring {
    /// The prime p.
    pub p: BigUint,
    /// The floors, lowest first.
    pub floors: Vec<Floor>,
}

impl Ring {
    /// The prime field itself.
    pub(crate) fn new(p: BigUint) -> Ring {
        Ring { p, floors: Vec::new() }
    }

    /// This with one more floor.
    pub(crate) fn with(&self, variable: &str, polynomial: Vec<Element>) -> Ring {
        let mut ring = self.clone();
        ring.floors.push(Floor { variable: variable.to_owned(), polynomial, power: Vec::new() });
        let top = ring.floors.len();
        let power = ring.power(top, &ring.variable(top), &ring.p);
        ring.floors[top - 1].power = power;
        ring
    }

    /// How many coordinates an element of a floor has; floor 0 is the prime field.
    pub fn size(&self, floor: usize) -> usize {
        self.floors[..floor].iter().map(|floor| floor.polynomial.len()).product()
    }

    /// The number as an element of a floor.
    pub(crate) fn constant(&self, floor: usize, number: &BigUint) -> Element {
        let mut element = vec![BigUint::zero(); self.size(floor)];
        element[0] = number % &self.p;
        element
    }

    /// The variable of a floor.
    pub(crate) fn variable(&self, floor: usize) -> Element {
        let mut element = vec![BigUint::zero(); self.size(floor)];
        let place = self.size(floor - 1);
        if place < element.len() {
            element[place] = BigUint::one();
        }
        element
    }

    /// `a + b`.
    pub fn add(&self, a: &[BigUint], b: &[BigUint]) -> Element {
        a.iter().zip(b).map(|(a, b)| (a + b) % &self.p).collect()
    }

    /// `−a`.
    pub fn negate(&self, a: &[BigUint]) -> Element {
        a.iter().map(|a| if a.is_zero() { BigUint::zero() } else { &self.p - a }).collect()
    }

    /// `a − b`.
    pub fn subtract(&self, a: &[BigUint], b: &[BigUint]) -> Element {
        self.add(a, &self.negate(b))
    }

    /// `a·b` on a floor: the product of polynomials, then each power above the degree by what the polynomial says of it.
    pub fn multiply(&self, floor: usize, a: &[BigUint], b: &[BigUint]) -> Element {
        let Some(own) = floor.checked_sub(1).map(|below| &self.floors[below]) else {
            return vec![&a[0] * &b[0] % &self.p];
        };
        let (n, size) = (own.polynomial.len(), self.size(floor - 1));
        let zero = vec![BigUint::zero(); size];
        let mut product = vec![zero; 2 * n - 1];
        let term = |a: &[BigUint], b: &[BigUint]| {
            let none = is_zero(a) || is_zero(b);
            (!none).then(|| self.multiply(floor - 1, a, b))
        };
        for (i, a) in a.chunks(size).enumerate() {
            for (j, b) in b.chunks(size).enumerate() {
                if let Some(term) = term(a, b) {
                    product[i + j] = self.add(&product[i + j], &term);
                }
            }
        }
        for i in (n..2 * n - 1).rev() {
            for (j, coefficient) in own.polynomial.iter().enumerate() {
                if let Some(term) = term(&product[i], coefficient) {
                    product[i - n + j] = self.subtract(&product[i - n + j], &term);
                }
            }
        }
        product[..n].concat()
    }

    /// `a^exponent`.
    pub fn power(&self, floor: usize, a: &[BigUint], exponent: &BigUint) -> Element {
        (0..exponent.bits()).rev().fold(self.constant(floor, &BigUint::one()), |power, i| {
            let square = self.multiply(floor, &power, &power);
            if exponent.bit(i) { self.multiply(floor, &square, a) } else { square }
        })
    }

    /// The b with `a·b = 1`: by Euclid, for the polynomial of the floor and a; `None` where they are not coprime.
    pub fn inverse(&self, floor: usize, a: &[BigUint]) -> Option<Element> {
        if floor > 0 {
            return Polynomials { ring: self, floor: floor - 1 }.inverse(a, &self.floors[floor - 1].polynomial);
        }
        let (a, p) = (num_bigint::BigInt::from(a[0].clone()), num_bigint::BigInt::from(self.p.clone()));
        let found = a.extended_gcd(&p);
        found.gcd.is_one().then(|| vec![found.x.mod_floor(&p).magnitude().clone()])
    }

    /// `a^p`: sums go to sums and products to products, numbers to themselves, and variables to what is known.
    pub fn frobenius(&self, floor: usize, a: &[BigUint]) -> Element {
        let Some(own) = floor.checked_sub(1).map(|below| &self.floors[below]) else { return a.to_vec() };
        let size = self.size(floor - 1);
        // From the highest coefficient, multiplied by the power of the variable and added to.
        a.chunks(size).rev().fold(vec![BigUint::zero(); a.len()], |sum, coefficient| {
            let mut sum = self.multiply(floor, &sum, &own.power);
            let low = self.add(&sum[..size], &self.frobenius(floor - 1, coefficient));
            sum[..size].clone_from_slice(&low);
            sum
        })
    }
}

/// Are all coordinates 0?
pub(crate) fn is_zero(a: &[BigUint]) -> bool {
    a.iter().all(BigUint::is_zero)
}
