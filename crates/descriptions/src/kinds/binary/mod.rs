//! Binary fields GF(2^m), with reference arithmetic: slow and obviously right.
//!
//! An element is a natural number below 2^m whose bit i is the coefficient of the basis's element number i. Products in
//! a normal basis are computed as polynomials in z modulo z^p − 1, from the meaning of the basis and not from the
//! multiplication matrix, so that [`BinaryField::matrix`] and `multiply` check each other.

pub(crate) mod conversion;
pub(crate) mod description;
pub(crate) mod gauss_period;
pub(crate) mod gf2x;
mod maps;
mod structure;
mod words;

use std::sync::Arc;

pub(crate) use self::description::KIND;
use self::gauss_period::GaussPeriod;
pub use self::gauss_period::{gaussian_types, has_gaussian_basis};
use crate::limits::{MAXIMUM_DEGREE, MINIMUM_BITS};
use num_bigint::BigUint;
use num_traits::{One, Zero};

/// How the elements of a binary field are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Basis {
    /// The Gaussian normal basis of this type T: B_i = β^(2^i), β a sum of T roots of unity of order T·m + 1. Types 1
    /// and 2 are optimal.
    Normal(u32),
    /// 1, x, …, x^(m−1) modulo an irreducible polynomial.
    Polynomial,
}

/// The field GF(2^degree) in a basis. Built by parsing, or by [`BinaryField::normal`] and [`BinaryField::polynomial`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BinaryField {
    /// The degree m over GF(2).
    pub degree: u32,
    /// How elements are written.
    pub basis: Basis,
    meaning: Arc<Meaning>,
}

#[derive(Debug, PartialEq, Eq, Hash)]
enum Meaning {
    Period(GaussPeriod),
    /// The polynomial, and which standard or rule gives it.
    Modulus(gf2x::Modulus, Option<&'static str>),
}

use Meaning::{Modulus, Period};

/// The rule that gives a polynomial where no standard does.
const FEWEST_TERMS: &str = "the irreducible polynomial of fewest terms";

/// Why a polynomial defines no field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoField {
    /// Its degree.
    Degree(u64),
    /// An irreducible factor of least degree, as it is written.
    Factor(String),
}

impl BinaryField {
    /// The field of this degree in its Gaussian normal basis of this type; `None` where there is none, or the degree is
    /// not in 2 … 1024.
    pub fn normal(degree: u32, basis_type: u32) -> Option<Self> {
        let exists = (MINIMUM_BITS..=MAXIMUM_DEGREE).contains(&degree) && has_gaussian_basis(degree, basis_type);
        exists.then(|| Self {
            degree,
            basis: Basis::Normal(basis_type),
            meaning: Arc::new(Period(GaussPeriod::new(degree, basis_type))),
        })
    }

    /// The field of polynomials modulo an irreducible one; bit i of `f` is the coefficient of x^i.
    ///
    /// # Errors
    /// A degree that is not in 2 … 1024; a reducible polynomial.
    pub fn polynomial(f: &BigUint) -> Result<Self, NoField> {
        let degree = f.bits().saturating_sub(1);
        if !(u64::from(MINIMUM_BITS)..=u64::from(MAXIMUM_DEGREE)).contains(&degree) {
            return Err(NoField::Degree(degree));
        }
        let factor = gf2x::least_factor(f);
        if factor != *f {
            return Err(NoField::Factor(gf2x::text(&factor)));
        }
        let source = match gf2x::standard(degree as u32) {
            Some((standard, source)) => (standard == *f).then_some(source),
            None => (f.count_ones() <= 5 && gf2x::lowest_weight(degree as u32) == *f).then_some(FEWEST_TERMS),
        };
        Ok(Self::modulo(f.clone(), source))
    }

    /// An irreducible polynomial is given.
    fn modulo(f: BigUint, source: Option<&'static str>) -> Self {
        Self {
            degree: (f.bits() - 1) as u32,
            basis: Basis::Polynomial,
            meaning: Arc::new(Modulus(gf2x::Modulus::new(f), source)),
        }
    }

    /// The field of polynomials modulo the polynomial that standards use, else that of fewest terms; `None` where the
    /// degree is not in 2 … 1024.
    pub fn standard(degree: u32) -> Option<Self> {
        let known = (MINIMUM_BITS..=MAXIMUM_DEGREE).contains(&degree);
        known.then(|| {
            let (f, source) = gf2x::standard(degree).unwrap_or_else(|| (gf2x::lowest_weight(degree), FEWEST_TERMS));
            Self::modulo(f, Some(source))
        })
    }

    /// Which standard, or which rule, gives the polynomial; `None` for another one, and for a normal basis.
    pub fn polynomial_source(&self) -> Option<&'static str> {
        match &*self.meaning {
            Period(_) => None,
            Modulus(_, source) => *source,
        }
    }

    /// The polynomial, bit i the coefficient of x^i; `None` for a normal basis.
    pub fn modulus(&self) -> Option<&BigUint> {
        match &*self.meaning {
            Period(_) => None,
            Modulus(f, _) => Some(&f.value),
        }
    }

    /// The exponents of the polynomial's terms, highest first; empty for a normal basis.
    pub fn exponents(&self) -> Vec<u32> {
        self.modulus().map(gf2x::exponents).unwrap_or_default()
    }

    /// The type of the normal basis.
    pub fn basis_type(&self) -> Option<u32> {
        match self.basis {
            Basis::Normal(t) => Some(t),
            Basis::Polynomial => None,
        }
    }

    /// A description that parses back: `GF(2^131):onb2`, `GF(2)[x]/(x^163+x^7+x^6+x^3+1)`.
    pub fn text(&self) -> String {
        match self.modulus() {
            Some(f) => format!("GF(2)[x]/({})", gf2x::text(f)),
            None => format!("GF(2^{}):{}", self.degree, self.basis_name()),
        }
    }

    /// A name: `gf2-131-onb2`, `gf2-163`; another polynomial than the usual one by its exponents, or a digest where
    /// they are many.
    pub fn name(&self) -> String {
        let m = self.degree;
        match self.modulus() {
            None => format!("gf2-{m}-{}", self.basis_name()),
            Some(_) if self.polynomial_source().is_some() => format!("gf2-{m}"),
            Some(f) => match self.exponents().as_slice() {
                few if few.len() <= 5 => {
                    format!("gf2-{}", few.iter().map(u32::to_string).collect::<Vec<_>>().join("-"))
                }
                _ => format!("gf2-{m}-{:08x}", crate::digest::digest(f)),
            },
        }
    }

    fn basis_name(&self) -> String {
        match self.basis {
            Basis::Normal(t @ (1 | 2)) => format!("onb{t}"),
            Basis::Normal(t) => format!("gnb{t}"),
            Basis::Polynomial => "poly".into(),
        }
    }

    /// The m × m multiplication matrix M of a normal basis as lists of columns: coordinate 0 of a·b is Σ_i a_i Σ_{j in
    /// row i} b_j, and coordinate k the same with all indices k further. Empty for polynomial bases.
    ///
    /// M starts at zero and has 1 added at (F(p − i), F(i + 1)) for 1 ≤ i ≤ p − 2, where F(n) is the index of the basis
    /// element that z^n belongs to; for odd types also at (k, k + m/2) and (k + m/2, k) for k < m/2. Source: Brumley
    /// and Page, "Bit-sliced binary normal basis multiplication" (2011), equation (2), which leaves out the last part;
    /// IEEE 1363 annex A.3.
    pub fn matrix(&self) -> Vec<Vec<u32>> {
        let Period(GaussPeriod { p, index, .. }) = &*self.meaning else {
            return Vec::new();
        };
        let m = self.degree as usize;
        let mut matrix = vec![vec![false; m]; m];
        for i in 1..=p - 2 {
            let (row, column) = (index[(p - i) as usize], index[(i + 1) as usize]);
            matrix[row as usize][column as usize] ^= true;
        }
        if self.basis_type().is_some_and(|t| t % 2 == 1) {
            for k in 0..m / 2 {
                matrix[k][k + m / 2] ^= true;
                matrix[k + m / 2][k] ^= true;
            }
        }
        let ones = |row: Vec<bool>| (0..self.degree).filter(|&w| row[w as usize]).collect();
        matrix.into_iter().map(ones).collect()
    }

    /// `delta()[j]` lists the w, increasing, with B_0·B_j = Σ B_w, from products of basis elements.
    pub fn delta(&self) -> Vec<Vec<u32>> {
        let first = BigUint::one();
        let row = |j: u32| {
            let product = self.multiply(&first, &(BigUint::one() << j));
            (0..self.degree).filter(|w| product.bit(u64::from(*w))).collect()
        };
        (0..self.degree).map(row).collect()
    }

    /// The prime p = T·m + 1, the order of the root of unity z; `None` for polynomial bases.
    pub fn root_order(&self) -> Option<u32> {
        match &*self.meaning {
            Period(period) => Some(period.p),
            Modulus(..) => None,
        }
    }

    /// The sequence F: `f[n]` is the i with z^n a term of B_i, for 1 ≤ n ≤ p − 1; `f[0]` is unused. Empty for
    /// polynomial bases.
    pub fn index_sequence(&self) -> &[u32] {
        match &*self.meaning {
            Period(period) => &period.index,
            Modulus(..) => &[],
        }
    }

    /// All coefficients one.
    fn ones(&self) -> BigUint {
        (BigUint::one() << self.degree) - 1u32
    }

    /// The element 1: in a normal basis all coefficients are one.
    pub fn one(&self) -> BigUint {
        match self.basis {
            Basis::Normal(_) => self.ones(),
            Basis::Polynomial => BigUint::one(),
        }
    }

    /// The element that the basis is made of: β, or x.
    pub fn generator(&self) -> BigUint {
        match self.basis {
            Basis::Normal(_) => BigUint::one(),
            Basis::Polynomial => BigUint::from(2u32),
        }
    }

    /// a + b: the coefficients modulo 2.
    pub fn add(&self, a: &BigUint, b: &BigUint) -> BigUint {
        a ^ b
    }

    /// a·b. Bits of a and b from 2^m upwards are ignored.
    pub fn multiply(&self, a: &BigUint, b: &BigUint) -> BigUint {
        match &*self.meaning {
            Period(period) => contract(period, gf2x::multiply(&expand(period, a), &expand(period, b))),
            Modulus(f, _) => f.multiply(&(a & self.ones()), &(b & self.ones())),
        }
    }

    /// a², as the product a·a: a zero between any two coefficients of its polynomial.
    pub fn square(&self, a: &BigUint) -> BigUint {
        match &*self.meaning {
            Period(period) => contract(period, gf2x::square(&expand(period, a))),
            Modulus(f, _) => f.square(&(a & self.ones())),
        }
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
        if (a & self.ones()).is_zero() {
            return None;
        }
        // a^(2^n − 1) for the leading bits n of m − 1; its square at the end is a^(2^m − 2).
        let (mut power, mut n) = (a & self.ones(), 1u32);
        let length = (self.degree - 1).ilog2();
        for bit in (0..length).rev() {
            let twice = (0..n).fold(power.clone(), |square, _| self.square(&square));
            (power, n) = (self.multiply(&twice, &power), 2 * n);
            if (self.degree - 1) >> bit & 1 == 1 {
                (power, n) = (self.multiply(&self.square(&power), a), n + 1);
            }
        }
        Some(self.square(&power))
    }

    /// The x with x² = a: after m squarings an element is itself.
    pub fn root(&self, a: &BigUint) -> BigUint {
        (1..self.degree).fold(a & self.ones(), |power, _| self.square(&power))
    }

    /// The trace Σ a^(2^i), 0 ≤ i < m, as an element of GF(2).
    pub fn trace(&self, a: &BigUint) -> bool {
        let (mut conjugate, mut sum) = (a & self.ones(), BigUint::zero());
        for _ in 0..self.degree {
            sum ^= &conjugate;
            conjugate = self.square(&conjugate);
        }
        // The sum is its own square: 0 or 1.
        !sum.is_zero()
    }

    /// The half-trace Σ a^(4^i), 0 ≤ i ≤ (m − 1)/2; `None` for an even degree.
    pub fn half_trace(&self, a: &BigUint) -> Option<BigUint> {
        if self.degree.is_multiple_of(2) {
            return None;
        }
        let (mut power, mut sum) = (a & self.ones(), BigUint::zero());
        for _ in 0..=(self.degree - 1) / 2 {
            sum ^= &power;
            power = self.square(&self.square(&power));
        }
        Some(sum)
    }

    /// A z with z² + z = a (the other is z + 1): the one whose coefficient of the basis's first element is 0. `None`
    /// where the trace of a is 1.
    pub fn solve_quadratic(&self, a: &BigUint) -> Option<BigUint> {
        if self.trace(a) {
            return None;
        }
        let unit = |i: u32| BigUint::one() << i;
        let d = (0..self.degree).map(unit).find(|d| self.trace(d))?;
        // z = Σ_{i < m−1} (d^(2^(i+1)) + … + d^(2^(m−1))) a^(2^i), for a d of trace 1.
        let mut tail = self.one();
        let (mut conjugate, mut power, mut z) = (d, a & self.ones(), BigUint::zero());
        for _ in 0..self.degree - 1 {
            tail ^= &conjugate;
            z ^= self.multiply(&tail, &power);
            conjugate = self.square(&conjugate);
            power = self.square(&power);
        }
        Some(if z.bit(0) { z ^ self.one() } else { z })
    }

    /// The minimal polynomial over GF(2) of the element that the basis is made of, bit i the coefficient of x^i: the
    /// first dependency of its powers.
    pub fn minimal_polynomial(&self) -> BigUint {
        if let Some(f) = self.modulus() {
            return f.clone();
        }
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
            power = self.multiply(&power, &self.generator());
            i += 1;
        }
    }
}

/// The element as a polynomial in z: bit n is the coefficient of z^n, 1 ≤ n ≤ p − 1.
fn expand(period: &GaussPeriod, a: &BigUint) -> BigUint {
    let mut polynomial = BigUint::zero();
    for (i, exponents) in period.exponents.iter().enumerate() {
        if a.bit(i as u64) {
            for &n in exponents {
                polynomial.set_bit(u64::from(n), true);
            }
        }
    }
    polynomial
}

/// A polynomial in z, of any degree below 2p and in the field, as an element.
fn contract(period: &GaussPeriod, polynomial: BigUint) -> BigUint {
    let p = u64::from(period.p);
    // z^p = 1.
    let low = &polynomial & ((BigUint::one() << p) - 1u32);
    let mut rest = low ^ (polynomial >> p);
    // 1 = z + z² + … + z^(p − 1).
    if rest.bit(0) {
        rest ^= (BigUint::one() << p) - 1u32;
    }
    let mut element = BigUint::zero();
    for (i, exponents) in period.exponents.iter().enumerate() {
        element.set_bit(i as u64, rest.bit(u64::from(exponents[0])));
    }
    element
}
