//! ark-algebra's own tests of fields.
#![cfg(test)]

use ark_algebra_test_templates::*;

test_field!(bls12_381_fr; ::bls12_381_fr::ark::Fp; mont_prime_field);
test_field!(bls12_381_fp; ::bls12_381_fp::ark::Fp; mont_prime_field);
test_field!(bn254_fr; ::bn254_fr::ark::Fp; mont_prime_field);
test_field!(bn254_fp; ::bn254_fp::ark::Fp; mont_prime_field);
test_field!(secp256k1; ::secp256k1::ark::Fp; mont_prime_field);
test_field!(f25519; ::f25519::ark::Fp; prime);
test_field!(f25519_5x51; ::f25519_5x51::ark::Fp; prime);

/// Values go from the crate's own type to that of ark-ff and back.
#[test]
fn elements_are_converted() {
    macro_rules! converted {
        ($($field:ident)+) => { $(
            for x in [0, 1, 2, u64::MAX] {
                let element = ::$field::Element::from(x);
                let value = ::$field::ark::Fp::from(element);
                assert_eq!(value, ::$field::ark::Fp::from(x));
                assert_eq!(::$field::Element::from(-value), -element);
            }
        )+ };
    }
    converted!(bls12_381_fr bls12_381_fp bn254_fr bn254_fp secp256k1 f25519 f25519_5x51);
}
