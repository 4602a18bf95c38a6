//! The units of a prime field: a generator, as far as p − 1 is known, and the root of unity of the order of its twos.

use num_bigint::BigUint;
use num_traits::One;

use super::Modulus;
use crate::prime::is_prime;

/// Primes below this are looked for in p − 1.
const SMALL: u32 = 1 << 16;

/// What is known of the units of a prime field.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Units {
    /// The least number that is no q-th power for any known prime q of p − 1, or the one that was given.
    pub generator: BigUint,
    /// How often 2 divides p − 1.
    pub twos: u32,
    /// The generator to the odd part of p − 1: its order is `2^twos`.
    pub root: BigUint,
    /// Are all primes of p − 1 known? Then the generator is one. p − 1 is never factored wholly: what its small primes
    /// leave is 1 or a prime, or it stays unknown.
    pub complete: bool,
}

impl Modulus {
    /// A generator of the units, found or given.
    ///
    /// # Errors
    /// A modulus that is not prime; a given number that is a q-th power for a known prime q of p − 1.
    ///
    /// ```
    /// use evariste_descriptions::Field;
    /// let field = Field::parse("bls12-381-fr")?;
    /// let modulus = field.get::<evariste_descriptions::Modulus>().expect("a modulus");
    /// let units = modulus.units(None).expect("a prime");
    /// assert_eq!((units.generator, units.twos), (7u32.into(), 32));
    /// # Ok::<(), evariste_descriptions::Diagnostic>(())
    /// ```
    pub fn units(&self, given: Option<&BigUint>) -> Result<Units, String> {
        if !self.prime || self.value == 2u32.into() {
            return Err("the modulus is no odd prime\nhelp: only prime fields have generators of this kind".into());
        }
        let all = &self.value - 1u32;
        let (primes, complete) = known_primes(&all);
        let power = |g: &BigUint| primes.iter().find(|q| self.pow(g, &(&all / *q)).is_one());
        let generator = match given {
            Some(g) if self.reduce(g).bits() == 0 => return Err(format!("{g} is 0 modulo p\nhelp: name a generator")),
            Some(g) => match power(g) {
                Some(q) if *q == 2u32.into() => {
                    return Err(format!("{g} is a square modulo p\nhelp: name a generator"));
                }
                Some(q) => return Err(format!("{g} is a power of exponent {q} modulo p\nhelp: name a generator")),
                None => self.reduce(g),
            },
            None => {
                let found = (2u32..100_000).map(BigUint::from).find(|g| power(g).is_none());
                found.ok_or("no generator is below 100000\nhelp: name one")?
            }
        };
        let twos = all.trailing_zeros().and_then(|twos| u32::try_from(twos).ok()).unwrap_or_default();
        let root = self.pow(&generator, &(&all >> twos));
        Ok(Units { generator, twos, root, complete })
    }
}

/// The primes of a number that trial division finds, and what they leave where that is a prime; are these all?
fn known_primes(n: &BigUint) -> (Vec<BigUint>, bool) {
    let (mut primes, mut rest) = (Vec::new(), n.clone());
    for q in (2..SMALL).filter(|q| *q == 2 || q % 2 == 1) {
        // A divisor here is prime: lesser ones were divided out.
        if (&rest % q).bits() == 0 {
            primes.push(BigUint::from(q));
            while (&rest % q).bits() == 0 {
                rest /= q;
            }
        }
    }
    let is_last = rest.is_one() || is_prime(&rest);
    if is_last && !rest.is_one() {
        primes.push(rest);
    }
    (primes, is_last)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Field;

    /// Of every prime below 3000 the least generator, by the orders of all numbers.
    #[test]
    fn small_primes_have_their_least_generator() {
        for p in (3u32..3000).filter(|p| is_prime(&(*p).into())) {
            let modulus = Modulus::new(p.into()).expect("a modulus");
            let units = modulus.units(None).expect("a prime");
            let order = |g: u32| {
                let (mut x, mut order) = (u64::from(g), 1);
                while x != 1 {
                    x = x * u64::from(g) % u64::from(p);
                    order += 1;
                }
                order
            };
            let least = (1..p).find(|g| *g > 1 && order(*g) == p - 1 || p == 3 && *g == 2).expect("a generator");
            assert!(units.complete && units.generator == least.into(), "{p}: {units:?}");
            let root = u32::try_from(&units.root).expect("it is small");
            assert!(root == 1 && units.twos == 0 || order(root) == 1 << units.twos, "{p}: {units:?}");
        }
    }

    /// What libraries have for fields that they share with us: ff and ark-ff name these generators.
    #[test]
    fn well_known_generators_are_found() {
        let known = [
            ("bls12-381-fr", 7),
            ("bls12-381-fp", 2),
            ("bn254-fr", 5),
            ("bn254-fp", 3),
            ("p256", 6),
            ("p384", 19),
            ("secp256k1", 3),
            ("25519", 2),
            ("goldilocks", 7),
            ("babybear", 31),
        ];
        for (name, generator) in known {
            let field = Field::parse(name).expect(name);
            let modulus = field.get::<Modulus>().expect(name);
            let units = modulus.units(None).expect(name);
            assert_eq!(units.generator, BigUint::from(generator as u32), "{name}");
            assert_eq!(modulus.units(Some(&units.generator)), Ok(units.clone()), "{name}");
            assert!(modulus.units(Some(&4u32.into())).unwrap_err().contains("4 is a square"), "{name}");
            let order = BigUint::one() << units.twos;
            assert!(modulus.pow(&units.root, &order).is_one() && !modulus.pow(&units.root, &(&order >> 1u32)).is_one());
        }
        let ring = Field::parse("2^64").expect("a ring");
        assert!(ring.get::<Modulus>().expect("a modulus").units(None).unwrap_err().contains("no odd prime"));
    }
}
