//! Products modulo a long odd number, in words: `a·b/R` for `R = 2^(64·n)`. Tests of primality take thousands of them,
//! and divisions take longer.
//!
//! Source: Montgomery, "Modular multiplication without trial division" (1985), words of the product first.

use num_bigint::BigUint;

/// An odd modulus. Residues are its words, below the modulus.
pub(crate) struct Montgomery {
    modulus: Vec<u64>,
    /// `−1/p` modulo 2^64.
    inverse: u64,
    /// Room for a product.
    product: Vec<u64>,
}

/// The words of a number, n of them.
fn words(x: &BigUint, n: usize) -> Vec<u64> {
    let mut words: Vec<u64> = x.iter_u64_digits().collect();
    words.resize(n, 0);
    words
}

/// `x += factor·a`, and the carry.
fn add_multiple(x: &mut [u64], a: &[u64], factor: u64) -> u64 {
    let mut carry = 0;
    for (x, a) in x.iter_mut().zip(a) {
        let sum = u128::from(*a) * u128::from(factor) + u128::from(*x) + u128::from(carry);
        (*x, carry) = (sum as u64, (sum >> 64) as u64);
    }
    carry
}

/// `x += carry`, and the carry out.
fn add_word(x: &mut [u64], mut carry: u64) -> u64 {
    for x in x {
        let (sum, over) = x.overflowing_add(carry);
        (*x, carry) = (sum, u64::from(over));
        if !over {
            break;
        }
    }
    carry
}

/// `x += a`; is there a carry?
fn add(x: &mut [u64], a: &[u64]) -> bool {
    x.iter_mut().zip(a).fold(false, |carry, (x, a)| {
        let (first, one) = x.overflowing_add(*a);
        let (second, two) = first.overflowing_add(u64::from(carry));
        *x = second;
        one || two
    })
}

/// `x −= a`; did it borrow?
fn subtract(x: &mut [u64], a: &[u64]) -> bool {
    x.iter_mut().zip(a).fold(false, |borrow, (x, a)| {
        let (first, one) = x.overflowing_sub(*a);
        let (second, two) = first.overflowing_sub(u64::from(borrow));
        *x = second;
        one || two
    })
}

fn is_below(x: &[u64], a: &[u64]) -> bool {
    x.iter().rev().lt(a.iter().rev())
}

impl Montgomery {
    /// An odd modulus.
    pub fn new(modulus: &BigUint) -> Montgomery {
        let modulus: Vec<u64> = modulus.iter_u64_digits().collect();
        let p = modulus[0];
        // Each step doubles the bits that are right; p is its own inverse modulo 8.
        let inverse = (0..5).fold(p, |x, _| x.wrapping_mul(2u64.wrapping_sub(p.wrapping_mul(x))));
        Montgomery { inverse: inverse.wrapping_neg(), product: vec![0; 2 * modulus.len()], modulus }
    }

    /// `x·R`, for x below the modulus.
    pub fn residue(&self, x: &BigUint) -> Vec<u64> {
        let n = self.modulus.len();
        let modulus = BigUint::new(self.modulus.iter().flat_map(|w| [*w as u32, (w >> 32) as u32]).collect());
        words(&((x << (64 * n)) % modulus), n)
    }

    /// `a·b/R`.
    pub fn multiply(&mut self, a: &[u64], b: &[u64]) -> Vec<u64> {
        let n = self.modulus.len();
        self.product.fill(0);
        for (i, b) in b.iter().enumerate() {
            self.product[n + i] = add_multiple(&mut self.product[i..n + i], a, *b);
        }
        self.reduce()
    }

    /// `a²/R`: products of different words once, then doubled.
    pub fn square(&mut self, a: &[u64]) -> Vec<u64> {
        let n = self.modulus.len();
        self.product.fill(0);
        for i in 0..n {
            self.product[n + i] = add_multiple(&mut self.product[2 * i + 1..n + i], &a[i + 1..], a[i]);
        }
        let (mut below, mut carry) = (0, 0);
        for (i, a) in a.iter().enumerate() {
            let own = u128::from(*a) * u128::from(*a);
            for (x, own) in self.product[2 * i..].iter_mut().zip([own as u64, (own >> 64) as u64]) {
                let twice = *x << 1 | below;
                below = *x >> 63;
                let sum = u128::from(twice) + u128::from(own) + u128::from(carry);
                (*x, carry) = (sum as u64, (sum >> 64) as u64);
            }
        }
        self.reduce()
    }

    /// The product that was written, divided by R.
    fn reduce(&mut self) -> Vec<u64> {
        let n = self.modulus.len();
        let mut over = 0;
        for i in 0..n {
            let factor = self.product[i].wrapping_mul(self.inverse);
            let carry = add_multiple(&mut self.product[i..n + i], &self.modulus, factor);
            over += add_word(&mut self.product[n + i..], carry);
        }
        let mut result = self.product[n..].to_vec();
        if over > 0 || !is_below(&result, &self.modulus) {
            subtract(&mut result, &self.modulus);
        }
        result
    }

    /// `a + b`.
    pub fn add(&self, a: &[u64], b: &[u64]) -> Vec<u64> {
        let mut sum = a.to_vec();
        if add(&mut sum, b) || !is_below(&sum, &self.modulus) {
            subtract(&mut sum, &self.modulus);
        }
        sum
    }

    /// `a − b`.
    pub fn sub(&self, a: &[u64], b: &[u64]) -> Vec<u64> {
        let mut difference = a.to_vec();
        if subtract(&mut difference, b) {
            add(&mut difference, &self.modulus);
        }
        difference
    }

    /// `k·a`, for a small k.
    pub fn times(&self, a: &[u64], k: i64) -> Vec<u64> {
        let (zero, size) = (vec![0; a.len()], k.unsigned_abs());
        let product = (0..64 - size.leading_zeros()).rev().fold(zero.clone(), |sum, bit| {
            let twice = self.add(&sum, &sum);
            if size >> bit & 1 == 1 { self.add(&twice, a) } else { twice }
        });
        if k < 0 { self.sub(&zero, &product) } else { product }
    }

    /// `a/2`.
    pub fn halve(&self, a: &[u64]) -> Vec<u64> {
        let mut half = a.to_vec();
        let odd = a[0] & 1 == 1;
        let mut above = u64::from(odd && add(&mut half, &self.modulus));
        for x in half.iter_mut().rev() {
            (*x, above) = (*x >> 1 | above << 63, *x & 1);
        }
        half
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_traits::One;

    fn value(x: &[u64]) -> BigUint {
        BigUint::new(x.iter().flat_map(|w| [*w as u32, (w >> 32) as u32]).collect())
    }

    /// Odd moduli of one to four words, with words that are 0 and words that are all ones, and all pairs of residues of
    /// the same kind.
    #[test]
    fn agrees_with_big_integers() {
        let mut tried = 0;
        for n in 1..=4usize {
            let kinds = [0, 1, 1 << 63, u64::MAX - 1, u64::MAX];
            let numbers = (0..5usize.pow(n as u32))
                .map(|i| (0..n).map(|w| kinds[i / 5usize.pow(w as u32) % 5]).collect::<Vec<u64>>())
                .step_by(5usize.pow(n as u32) / 25 + 1);
            let numbers: Vec<BigUint> = numbers.map(|words| value(&words)).collect();
            let moduli = numbers.iter().map(|x| x | BigUint::one()).filter(|p| *p > BigUint::from(2u32));
            for p in moduli {
                let mut modulo = Montgomery::new(&p);
                let r = BigUint::one() << (64 * modulo.modulus.len());
                let residues: Vec<Vec<u64>> = numbers.iter().map(|x| modulo.residue(&(x % &p))).collect();
                for a in &residues {
                    let x = value(a);
                    assert_eq!(value(&modulo.halve(a)) * 2u32 % &p, x);
                    assert_eq!(value(&modulo.square(a)) * &r % &p, &x * &x % &p);
                    assert_eq!(value(&modulo.times(a, 13)), &x * 13u32 % &p);
                    assert_eq!((value(&modulo.times(a, -5)) + &x * 5u32) % &p, BigUint::default());
                    for b in &residues {
                        let y = value(b);
                        assert_eq!(value(&modulo.multiply(a, b)) * &r % &p, &x * &y % &p, "{x} * {y} modulo {p}");
                        assert_eq!(value(&modulo.add(a, b)), (&x + &y) % &p);
                        assert_eq!((value(&modulo.sub(a, b)) + &y) % &p, x);
                        tried += 1;
                    }
                }
            }
        }
        assert!(tried > 10_000, "{tried}");
    }
}
