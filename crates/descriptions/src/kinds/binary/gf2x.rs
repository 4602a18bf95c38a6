//! Polynomials over GF(2) as natural numbers: bit i is the coefficient of x^i.
//!
//! Irreducibility is Rabin's test ("Probabilistic algorithms in finite fields", 1980): f of degree m is irreducible
//! exactly when it divides x^(2^m) − x and is coprime to x^(2^(m/q)) − x for every prime q that divides m.

use num_bigint::BigUint;
use num_traits::{One, Zero};

use super::gauss_period::least_factor as least_prime;
use super::words;

/// The polynomials of standards, by degree: exponents below the degree, and where they come from.
const STANDARD: &[(u32, &[u32], &str)] = &[
    (8, &[4, 3, 1, 0], "FIPS 197 (AES)"),
    (113, &[9, 0], "SEC 2"),
    (128, &[7, 2, 1, 0], "NIST SP 800-38D (GCM)"),
    (131, &[8, 3, 2, 0], "SEC 2"),
    (163, &[7, 6, 3, 0], "FIPS 186, SEC 2"),
    (193, &[15, 0], "SEC 2"),
    (233, &[74, 0], "FIPS 186, SEC 2"),
    (239, &[158, 0], "SEC 2"),
    (283, &[12, 7, 5, 0], "FIPS 186, SEC 2"),
    (409, &[87, 0], "FIPS 186, SEC 2"),
    (571, &[10, 5, 2, 0], "FIPS 186, SEC 2"),
];

/// Where a degree's polynomial comes from.
pub(crate) fn standard(degree: u32) -> Option<(BigUint, &'static str)> {
    let (_, exponents, source) = STANDARD.iter().find(|(m, ..)| *m == degree)?;
    Some((from_exponents(degree, exponents), source))
}

/// x^degree + Σ x^e.
fn from_exponents(degree: u32, below: &[u32]) -> BigUint {
    let mut f = BigUint::one() << degree;
    below.iter().for_each(|e| f.set_bit(u64::from(*e), true));
    f
}

/// The exponents of the terms, highest first.
pub(crate) fn exponents(f: &BigUint) -> Vec<u32> {
    (0..f.bits()).rev().filter(|i| f.bit(*i)).map(|i| i as u32).collect()
}

/// As it is written: `x^8+x^4+x^3+x+1`.
pub(crate) fn text(f: &BigUint) -> String {
    let term = |e: &u32| match e {
        0 => "1".to_owned(),
        1 => "x".to_owned(),
        e => format!("x^{e}"),
    };
    let terms: Vec<String> = exponents(f).iter().map(term).collect();
    if terms.is_empty() { "0".to_owned() } else { terms.join("+") }
}

/// The product: four bits of one factor at a time, from a table of multiples of the other.
pub(crate) fn multiply(a: &BigUint, b: &BigUint) -> BigUint {
    let (a, b): (Vec<u64>, Vec<u64>) = (a.iter_u64_digits().collect(), b.iter_u64_digits().collect());
    let n = b.len() + 1;
    let mut table = vec![0u64; 16 * n];
    for i in 1..16 {
        for j in 0..n {
            // Twice entry i / 2, and b for an odd i.
            let (half, below) = (table[i / 2 * n + j], if j > 0 { table[i / 2 * n + j - 1] } else { 0 });
            let own = if i % 2 == 1 { b.get(j).copied().unwrap_or(0) } else { 0 };
            table[i * n + j] = half << 1 ^ below >> 63 ^ own;
        }
    }
    let mut product = vec![0u64; a.len() + n];
    for nibble in (0..16).rev() {
        for j in (0..product.len()).rev() {
            let below = if j > 0 { product[j - 1] } else { 0 };
            product[j] = product[j] << 4 | below >> 60;
        }
        for (i, word) in a.iter().enumerate() {
            let entry = (word >> (4 * nibble) & 15) as usize;
            product[i..].iter_mut().zip(&table[entry * n..(entry + 1) * n]).for_each(|(x, t)| *x ^= t);
        }
    }
    from_words(&product)
}

/// The square: a zero between any two bits.
pub(crate) fn square(a: &BigUint) -> BigUint {
    from_words(&words::square(&to_words(a)))
}

fn to_words(a: &BigUint) -> Vec<u64> {
    a.iter_u64_digits().collect()
}

fn from_words(words: &[u64]) -> BigUint {
    BigUint::new(words.iter().flat_map(|w| [*w as u32, (w >> 32) as u32]).collect())
}

/// Quotient and remainder; the divisor is not zero.
pub(crate) fn divide(a: &BigUint, b: &BigUint) -> (BigUint, BigUint) {
    let (mut quotient, mut rest) = (BigUint::zero(), to_words(a));
    words::divide(&mut rest, &to_words(b), |exponent| quotient.set_bit(exponent as u64, true));
    (quotient, from_words(&rest))
}

/// The greatest common divisor.
pub(crate) fn gcd(a: &BigUint, b: &BigUint) -> BigUint {
    from_words(&words::gcd(to_words(a), to_words(b)))
}

/// Arithmetic modulo a polynomial of degree ≥ 1.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Modulus {
    /// The polynomial.
    pub value: BigUint,
    degree: u64,
    /// Its exponents below the degree, if they are few.
    few: Option<Vec<u32>>,
}

impl Modulus {
    pub fn new(value: BigUint) -> Self {
        let degree = value.bits().saturating_sub(1);
        let below = exponents(&value).split_off(1);
        Self { value, degree, few: Some(below).filter(|b| b.len() <= 8) }
    }

    /// The remainder.
    pub fn reduce(&self, a: BigUint) -> BigUint {
        let mut words = to_words(&a);
        self.reduce_words(&mut words);
        from_words(&words)
    }

    fn reduce_words(&self, a: &mut Vec<u64>) {
        match &self.few {
            Some(few) => words::reduce(a, self.degree as usize, few),
            None => {
                words::divide(a, &to_words(&self.value), |_| ());
                a.truncate(self.degree as usize / 64 + 1);
            }
        }
    }

    pub fn multiply(&self, a: &BigUint, b: &BigUint) -> BigUint {
        self.reduce(multiply(a, b))
    }

    pub fn square(&self, a: &BigUint) -> BigUint {
        from_words(&self.square_words(&to_words(a)))
    }

    fn square_words(&self, a: &[u64]) -> Vec<u64> {
        let mut square = words::square(a);
        self.reduce_words(&mut square);
        square
    }

    /// The inverse of a polynomial that is coprime to the modulus, by Euclid's algorithm; 0 for 0.
    pub fn inverse(&self, a: &BigUint) -> BigUint {
        let (mut r, mut s) = (self.value.clone(), self.reduce(a.clone()));
        let (mut u, mut v) = (BigUint::zero(), BigUint::one());
        // r = u·a and s = v·a modulo the modulus.
        while s.bits() > 1 {
            let (quotient, rest) = divide(&r, &s);
            let next = &u ^ multiply(&quotient, &v);
            (r, s) = (s, rest);
            (u, v) = (v, next);
        }
        if s.is_zero() { BigUint::zero() } else { self.reduce(v) }
    }

    /// `x^(2^k) − x` for k = 1, 2, …
    fn frobenius_differences(&self) -> impl Iterator<Item = Vec<u64>> + '_ {
        let mut power = to_words(&self.reduce(BigUint::from(2u32)));
        std::iter::from_fn(move || {
            power = self.square_words(&power);
            let mut difference = vec![2];
            self.reduce_words(&mut difference);
            difference.resize(difference.len().max(power.len()), 0);
            difference.iter_mut().zip(&power).for_each(|(d, x)| *d ^= x);
            Some(difference)
        })
    }

    /// Is it coprime to a polynomial?
    fn is_coprime(&self, a: Vec<u64>) -> bool {
        words::bits(&words::gcd(to_words(&self.value), a)) == 1
    }

    /// Has it a factor of degree at most eight? Only for degrees above eight.
    fn has_small_factor(&self) -> bool {
        // Smaller degrees divide one of these.
        let wanted = self.frobenius_differences().take(8).skip(4);
        let product = wanted.fold(BigUint::one(), |product, d| self.multiply(&product, &from_words(&d)));
        !self.is_coprime(to_words(&product))
    }
}

/// Whether a polynomial of degree at least one is irreducible.
pub(crate) fn is_irreducible(f: &BigUint) -> bool {
    let m = (f.bits() - 1) as u32;
    // x and x + 1 divide the others.
    if m > 1 && (!f.bit(0) || f.count_ones().is_multiple_of(2)) {
        return false;
    }
    let modulus = Modulus::new(f.clone());
    if m > 8 && modulus.has_small_factor() {
        return false;
    }
    let mut rest = m;
    let mut parts = Vec::new();
    while rest > 1 {
        let q = least_prime(rest);
        parts.push(m / q);
        while rest.is_multiple_of(q) {
            rest /= q;
        }
    }
    let mut differences = (1..=m).zip(modulus.frobenius_differences());
    differences.all(|(k, difference)| match k {
        k if k == m => words::bits(&difference) == 0,
        k => !parts.contains(&k) || modulus.is_coprime(difference),
    })
}

/// An irreducible factor of least degree; the polynomial itself when it is irreducible.
pub(crate) fn least_factor(f: &BigUint) -> BigUint {
    if is_irreducible(f) {
        return f.clone();
    }
    let modulus = Modulus::new(f.clone());
    let x = BigUint::from(2u32);
    let mut power = modulus.reduce(x.clone());
    let mut k = 0;
    loop {
        k += 1;
        power = modulus.square(&power);
        let shared = gcd(f, &(&power ^ &x));
        if !shared.is_one() {
            return split(shared, k);
        }
    }
}

/// A factor of degree k of a product of different irreducible polynomials of degree k: traces of powers of x are 0
/// modulo some of them and 1 modulo others (Berlekamp, "Factoring polynomials over large finite fields", 1970).
fn split(product: BigUint, k: u64) -> BigUint {
    let mut g = product;
    let mut exponent = 1u32;
    while g.bits() - 1 > k {
        let modulus = Modulus::new(g.clone());
        let mut power = modulus.reduce(BigUint::one() << exponent);
        let mut trace = BigUint::zero();
        for _ in 0..k {
            trace ^= &power;
            power = modulus.square(&power);
        }
        let part = gcd(&g, &trace);
        if !part.is_one() && part != g {
            let other = divide(&g, &part).0;
            g = if part.bits() <= other.bits() { part } else { other };
        } else {
            exponent += 2;
        }
    }
    g
}

/// The irreducible polynomial of fewest terms: the trinomial x^m + x^k + 1 of least k, else the pentanomial of least
/// exponents, the highest compared first.
///
/// Every degree up to 10,000 has one of the two (Seroussi, "Table of low-weight binary irreducible polynomials", 1998).
pub(crate) fn lowest_weight(degree: u32) -> BigUint {
    let trinomials = (1..degree).map(|k| vec![k, 0]);
    let pentanomials = (3..degree).flat_map(|a| (2..a).flat_map(move |b| (1..b).map(move |c| vec![a, b, c, 0])));
    // Swan: no trinomial of a degree that 8 divides is irreducible.
    let candidates = trinomials.filter(|_| !degree.is_multiple_of(8)).chain(pentanomials);
    let mut irreducible = candidates.map(|e| from_exponents(degree, &e)).filter(is_irreducible);
    irreducible.next().unwrap_or_else(|| BigUint::from(2u32))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slow_product(a: u64, b: u64) -> u64 {
        (0..32).filter(|i| b >> i & 1 == 1).fold(0, |sum, i| sum ^ a << i)
    }

    #[test]
    fn products_squares_and_quotients() {
        for a in 0..200u64 {
            for b in 0..200u64 {
                let (x, y) = (BigUint::from(a), BigUint::from(b));
                assert_eq!(multiply(&x, &y), BigUint::from(slow_product(a, b)));
                if b > 0 {
                    let (quotient, rest) = divide(&x, &y);
                    assert!(rest.bits() < y.bits());
                    assert_eq!(multiply(&quotient, &y) ^ rest, x);
                }
            }
            assert_eq!(square(&BigUint::from(a)), BigUint::from(slow_product(a, a)));
        }
        let long = (BigUint::one() << 500u32) ^ (BigUint::from(0x1234_5678_9abc_def1u64) << 77u32);
        assert_eq!(multiply(&long, &long), square(&long));
    }

    /// All polynomials up to degree 10 against trial division.
    #[test]
    fn irreducible_polynomials_and_least_factors() {
        let counts = [0, 2, 1, 2, 3, 6, 9, 18, 30, 56, 99];
        for (degree, count) in counts.iter().enumerate().skip(1) {
            let mut found = 0;
            for f in 1u32 << degree..2 << degree {
                let polynomial = BigUint::from(f);
                let divides = |g: &u32| divide(&polynomial, &BigUint::from(*g)).1.is_zero();
                let least = (2..f).find(divides).unwrap_or(f);
                assert_eq!(is_irreducible(&polynomial), least == f, "{f:#x}");
                let factor = least_factor(&polynomial);
                assert_eq!(factor.bits(), BigUint::from(least).bits(), "{f:#x}");
                assert!(divide(&polynomial, &factor).1.is_zero() && is_irreducible(&factor));
                found += u32::from(least == f);
            }
            assert_eq!(found, *count, "degree {degree}");
        }
    }

    #[test]
    fn polynomials_of_standards_are_irreducible() {
        for (degree, ..) in STANDARD {
            let (f, _) = standard(*degree).unwrap();
            assert!(is_irreducible(&f), "{degree}");
        }
        // Those of fewest terms of Seroussi's table.
        for (degree, wanted) in [
            (2, "x^2+x+1"),
            (8, "x^8+x^4+x^3+x+1"),
            (29, "x^29+x^2+1"),
            (64, "x^64+x^4+x^3+x+1"),
            (163, "x^163+x^7+x^6+x^3+1"),
            (233, "x^233+x^74+1"),
            (1024, "x^1024+x^19+x^6+x+1"),
        ] {
            assert_eq!(text(&lowest_weight(degree)), wanted);
        }
    }

    #[test]
    fn inverses() {
        let modulus = Modulus::new(lowest_weight(12));
        for a in 1u32..1 << 12 {
            let a = BigUint::from(a);
            assert!(modulus.multiply(&a, &modulus.inverse(&a)).is_one());
        }
        assert!(modulus.inverse(&BigUint::zero()).is_zero());
    }
}
