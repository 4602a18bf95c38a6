//! Binary fields GF(2^m), with reference arithmetic: slow and obviously right.
//!
//! An element is a natural number below 2^m whose bit i is the coefficient of B_i = β^(2^i). Products
//! are computed as polynomials in z modulo z^p − 1, from the meaning of the basis and not from the
//! multiplication matrix, so that [`BinaryField::delta`] and `multiply` check each other.

use crate::gauss_period::{GaussPeriod, has_gaussian_basis};
use crate::{MAXIMUM_DEGREE, MINIMUM_BITS};
use num_bigint::BigUint;
use num_traits::{One, Zero};

/// How the elements of a binary field are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Basis {
    /// The optimal normal basis of type 2: β = z + z⁻¹ with z a primitive root of unity of order 2m + 1.
    OptimalNormalTwo,
}

/// The field GF(2^degree) in a basis. Built by [`BinaryField::new`] or by parsing.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BinaryField {
    /// The degree m over GF(2).
    pub degree: u32,
    /// How elements are written.
    pub basis: Basis,
    period: GaussPeriod,
}

impl BinaryField {
    /// The field of this degree in this basis; `None` where the basis does not exist, or the degree is not in 2 … 600.
    pub fn new(degree: u32, basis: Basis) -> Option<Self> {
        let Basis::OptimalNormalTwo = basis;
        let exists =
            (MINIMUM_BITS..=MAXIMUM_DEGREE).contains(&degree) && has_gaussian_basis(degree, 2);
        exists.then(|| Self {
            degree,
            basis,
            period: GaussPeriod::of_type_two(degree),
        })
    }

    /// The m × m matrix M as lists of columns: row j holds the w, increasing, with B_0·B_j = Σ B_w.
    ///
    /// M starts at zero and has 1 added at (F(p − i), F(i + 1)) for 1 ≤ i ≤ p − 2, where F(n) is the index
    /// of the basis element that z^n belongs to. Source: Brumley and Page, "Bit-sliced binary normal basis
    /// multiplication" (2011), equation (2).
    pub fn delta(&self) -> Vec<Vec<u32>> {
        let GaussPeriod { p, index, .. } = &self.period;
        let mut matrix = vec![vec![false; self.degree as usize]; self.degree as usize];
        for i in 1..=p - 2 {
            let (row, column) = (index[(p - i) as usize], index[(i + 1) as usize]);
            matrix[row as usize][column as usize] ^= true;
        }
        let ones = |row: Vec<bool>| (0..self.degree).filter(|&w| row[w as usize]).collect();
        matrix.into_iter().map(ones).collect()
    }

    /// The prime p = 2m + 1, the order of the root of unity z.
    pub fn root_order(&self) -> u32 {
        self.period.p
    }

    /// The sequence F: `f[n]` is the i with z^n a term of B_i, for 1 ≤ n ≤ p − 1; `f[0]` is unused.
    pub fn index_sequence(&self) -> &[u32] {
        &self.period.index
    }

    /// The element 1: all coefficients are one.
    pub fn one(&self) -> BigUint {
        (BigUint::one() << self.degree) - 1u32
    }

    /// a + b: the coefficients modulo 2.
    pub fn add(&self, a: &BigUint, b: &BigUint) -> BigUint {
        a ^ b
    }

    /// a·b, from polynomials in z. Bits of a and b from 2^m upwards are ignored.
    pub fn multiply(&self, a: &BigUint, b: &BigUint) -> BigUint {
        let (a, b) = (self.expand(a), self.expand(b));
        let mut product = BigUint::zero();
        for n in 0..a.bits() {
            if a.bit(n) {
                product ^= &b << n;
            }
        }
        self.contract(product)
    }

    /// a², as the product a·a.
    pub fn square(&self, a: &BigUint) -> BigUint {
        self.multiply(a, a)
    }

    /// a^exponent, with a^0 = 1: square and multiply from the top bit.
    pub fn pow(&self, a: &BigUint, exponent: &BigUint) -> BigUint {
        let mut power = self.one();
        for i in (0..exponent.bits()).rev() {
            power = self.square(&power);
            if exponent.bit(i) {
                power = self.multiply(&power, a);
            }
        }
        power
    }

    /// The b with a·b = 1, as a^(2^m − 2); `None` for zero.
    pub fn inverse(&self, a: &BigUint) -> Option<BigUint> {
        let exponent = self.one() - 1u32;
        (!(a & self.one()).is_zero()).then(|| self.pow(a, &exponent))
    }

    /// The trace Σ a^(2^i), 0 ≤ i < m, as an element of GF(2).
    pub fn trace(&self, a: &BigUint) -> bool {
        let (mut conjugate, mut sum) = (a & self.one(), BigUint::zero());
        for _ in 0..self.degree {
            sum ^= &conjugate;
            conjugate = self.square(&conjugate);
        }
        // The sum is its own square: 0, or the element 1 whose coefficients are all one.
        !sum.is_zero()
    }

    /// The minimal polynomial of β over GF(2), bit i the coefficient of x^i: the first dependency of 1, β, β², ….
    pub fn minimal_polynomial(&self) -> BigUint {
        // Each pivot is (element, combination): the element is Σ β^i over the bits i of the combination.
        let mut pivots: Vec<(BigUint, BigUint)> = Vec::new();
        let mut power = self.one();
        let mut i = 0u32;
        // m + 1 elements of a space of dimension m are dependent, so that this ends.
        loop {
            let (mut rest, mut combination) = (power.clone(), BigUint::one() << i);
            for (element, of) in &pivots {
                if rest.bit(element.bits() - 1) {
                    rest ^= element;
                    combination ^= of;
                }
            }
            if rest.is_zero() {
                return combination;
            }
            // Highest leading bit first, so that one pass clears every leading bit.
            let place = pivots.partition_point(|(element, _)| element.bits() > rest.bits());
            pivots.insert(place, (rest, combination));
            power = self.multiply(&power, &BigUint::one());
            i += 1;
        }
    }

    /// The element as a polynomial in z: bit n is the coefficient of z^n, 1 ≤ n ≤ p − 1.
    fn expand(&self, a: &BigUint) -> BigUint {
        let mut polynomial = BigUint::zero();
        for (i, exponents) in self.period.exponents.iter().enumerate() {
            if a.bit(i as u64) {
                for &n in exponents {
                    polynomial.set_bit(u64::from(n), true);
                }
            }
        }
        polynomial
    }

    /// A polynomial in z, of any degree below 2p and in the field, as an element.
    fn contract(&self, polynomial: BigUint) -> BigUint {
        let p = u64::from(self.period.p);
        // z^p = 1.
        let low = &polynomial & ((BigUint::one() << p) - 1u32);
        let mut rest = low ^ (polynomial >> p);
        // 1 = z + z² + … + z^(p − 1).
        if rest.bit(0) {
            rest ^= (BigUint::one() << p) - 1u32;
        }
        let mut element = BigUint::zero();
        for (i, exponents) in self.period.exponents.iter().enumerate() {
            element.set_bit(i as u64, rest.bit(u64::from(exponents[0])));
        }
        element
    }
}
