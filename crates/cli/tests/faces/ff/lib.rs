//! What ff promises of a prime field, with integers of num-bigint as the judge.
#![cfg(test)]

use ff::{FromUniformBytes, PrimeField, PrimeFieldBits};
use num_bigint::BigUint;
use zeroize::Zeroize;

/// Words by Vigna's splitmix64.
struct Words(u64);

impl rand_core::TryRng for Words {
    type Error = core::convert::Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        Ok(self.try_next_u64()? as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        Ok(z ^ (z >> 31))
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Self::Error> {
        for byte in bytes {
            *byte = self.try_next_u32()? as u8;
        }
        Ok(())
    }
}

fn number<F: PrimeField>(x: &F) -> BigUint {
    BigUint::from_bytes_le(x.to_repr().as_ref())
}

fn modulus<F: PrimeField>() -> BigUint {
    BigUint::parse_bytes(F::MODULUS.strip_prefix("0x").unwrap().as_bytes(), 16).unwrap()
}

fn repr<F: PrimeField>(x: &BigUint) -> F::Repr {
    let mut repr = F::Repr::default();
    let bytes = x.to_bytes_le();
    repr.as_mut()[..bytes.len()].copy_from_slice(&bytes);
    repr
}

fn constants<F: PrimeField>() {
    let p = modulus::<F>();
    let one = BigUint::from(1u32);
    assert_eq!(number(&F::ZERO), BigUint::default());
    assert_eq!(number(&F::ONE), one);
    assert_eq!(u64::from(F::NUM_BITS), p.bits());
    assert_eq!(F::CAPACITY, F::NUM_BITS - 1);
    assert_eq!(number(&F::TWO_INV) * 2u32 % &p, one);
    let even = &p - 1u32;
    assert_eq!(u64::from(F::S), even.trailing_zeros().unwrap());
    let (g, root) = (number(&F::MULTIPLICATIVE_GENERATOR), number(&F::ROOT_OF_UNITY));
    assert_eq!(g.modpow(&(&even >> 1), &p), even, "no square");
    assert_eq!(root, g.modpow(&(&even >> F::S), &p));
    assert_eq!(root.modpow(&(&one << (F::S - 1)), &p), even, "of order 2^S");
    assert_eq!(root * number(&F::ROOT_OF_UNITY_INV) % &p, one);
    assert_eq!(number(&F::DELTA), g.modpow(&(&one << F::S), &p));
    assert_eq!(F::from_str_vartime(&even.to_string()).unwrap(), -F::ONE);
}

fn representations<F: PrimeFieldBits>() {
    let p = modulus::<F>();
    let bytes = F::Repr::default().as_ref().len();
    assert_eq!(bytes as u64, (p.bits() + 7) / 8);
    // What is not below the modulus is refused.
    for x in [p.clone(), &p + 1u32, (BigUint::from(1u32) << (8 * bytes)) - 1u32] {
        assert!(bool::from(F::from_repr(repr::<F>(&x)).is_none()) && F::from_repr_vartime(repr::<F>(&x)).is_none());
    }
    let modulus: Vec<bool> = F::char_le_bits().iter().map(|bit| *bit).collect();
    let mut words = Words(1);
    let edges = [F::ZERO, F::ONE, -F::ONE, F::TWO_INV];
    for x in edges.into_iter().chain((0..100).map(|_| F::random(&mut words))) {
        let n = number(&x);
        assert!(n < p);
        assert_eq!(F::from_repr(x.to_repr()).unwrap(), x);
        assert_eq!(bool::from(x.is_odd()), n.bit(0));
        assert_eq!(bool::from(x.is_even()), !n.bit(0));
        let bits = x.to_le_bits();
        for (i, is_set) in modulus.iter().enumerate() {
            assert_eq!(*is_set, p.bit(i as u64));
            assert_eq!(bits[i], n.bit(i as u64));
        }
    }
    for x in [0, 1, u64::MAX, 0x1234_5678_9abc_def0] {
        assert_eq!(number(&F::from(x)), BigUint::from(x) % &p);
        let both = u128::from(x) << 60 | 77;
        assert_eq!(number(&F::from_u128(both)), BigUint::from(both) % &p);
    }
}

fn arithmetic<F: PrimeField + Zeroize>() {
    let p = modulus::<F>();
    let mut words = Words(2);
    let mut all = vec![F::ZERO, F::ONE, -F::ONE, F::TWO_INV, F::ROOT_OF_UNITY, F::DELTA];
    all.extend((0..30).map(|_| F::random(&mut words)));
    for a in &all {
        let x = number(a);
        assert_eq!(number(&a.square()), &x * &x % &p);
        assert_eq!(number(&a.cube()), &x * &x * &x % &p);
        assert_eq!(number(&a.double()), &x * 2u32 % &p);
        assert_eq!(number(&-*a), (&p - &x) % &p);
        assert_eq!(bool::from(a.is_zero()), x.bits() == 0);
        assert_eq!(bool::from(a.invert().is_some()), x.bits() != 0);
        if let Some(inverse) = Option::<F>::from(a.invert()) {
            assert_eq!(number(&inverse) * &x % &p, BigUint::from(1u32));
        }
        let e = [0x1234_5678_9abc_def0, 5];
        assert_eq!(number(&a.pow(e)), x.modpow(&(BigUint::from(e[0]) + (BigUint::from(e[1]) << 64)), &p));
        assert_eq!(a.pow_vartime(e), a.pow(e));
        // Euler's criterion.
        let is_square = x.bits() == 0 || x.modpow(&((&p - 1u32) >> 1), &p) == BigUint::from(1u32);
        let root = a.sqrt();
        assert_eq!(bool::from(root.is_some()), is_square);
        if is_square {
            assert_eq!(root.unwrap().square(), *a);
        }
        let mut wiped = *a;
        wiped.zeroize();
        assert_eq!(wiped, F::ZERO);
        for b in &all {
            let y = number(b);
            assert_eq!(number(&(*a * b)), &x * &y % &p);
            assert_eq!(number(&(*a + b)), (&x + &y) % &p);
            assert_eq!(number(&(*a - b)), (&p + &x - &y) % &p);
            assert_eq!(a == b, x == y);
            let chosen = [F::conditional_select(a, b, 0.into()), F::conditional_select(a, b, 1.into())];
            assert_eq!(chosen, [*a, *b]);
            let (is_square, root) = F::sqrt_ratio(a, b);
            let ratio = b.invert().unwrap_or(F::ZERO) * a;
            if bool::from(is_square) {
                assert_eq!(root.square(), ratio);
            } else {
                assert_eq!(root.square(), ratio * F::ROOT_OF_UNITY);
                assert!(bool::from(b.is_zero()) || bool::from(ratio.sqrt().is_none()));
            }
        }
    }
    assert_eq!(all.iter().sum::<F>(), all.iter().fold(F::ZERO, |x, y| x + y));
    assert_eq!(all[1..].iter().product::<F>(), all[1..].iter().fold(F::ONE, |x, y| x * y));
}

fn uniform_bytes<F: FromUniformBytes<64>>() {
    let p = modulus::<F>();
    let mut words = Words(3);
    for fill in [Some(0), Some(0xff), None, None, None] {
        let mut bytes = [fill.unwrap_or(0); 64];
        if fill.is_none() {
            let Ok(()) = rand_core::TryRng::try_fill_bytes(&mut words, &mut bytes);
        }
        assert_eq!(number(&F::from_uniform_bytes(&bytes)), BigUint::from_bytes_le(&bytes) % &p);
    }
}

macro_rules! field {
    ($name:ident) => {
        mod $name {
            use $name::Element;

            #[test]
            fn constants() {
                super::constants::<Element>();
            }

            #[test]
            fn representations() {
                super::representations::<Element>();
            }

            #[test]
            fn arithmetic() {
                super::arithmetic::<Element>();
            }

            #[test]
            fn uniform_bytes() {
                super::uniform_bytes::<Element>();
            }
        }
    };
}

field!(p256);
field!(f25519);
field!(bls12_381_fr);
field!(bls12_381_fp);
field!(babybear);
