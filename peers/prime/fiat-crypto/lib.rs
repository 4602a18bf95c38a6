//! fiat-crypto's Rust, compiled for this processor. Its unsaturated fields take loose elements and give tight ones.

use fiat_crypto::{
    curve25519_64::*, curve25519_solinas_64::*, p256_64::*, p384_64::*, p448_solinas_64::*, p521_64::*,
    secp256k1_dettman_64::*, secp256k1_montgomery_64::*,
};

include!("../functions.rs");

/// The words as fiat-crypto's type, which is a struct of just them.
macro_rules! of {
    (mut $x:ident) => {
        // SAFETY: a struct of one array of these words.
        unsafe { &mut *($x as *mut _ as *mut _) }
    };
    ($x:ident) => {
        // SAFETY: a struct of one array of these words.
        unsafe { &*($x as *const _ as *const _) }
    };
}

mul! {
    peer_p256_mul_montgomery: 4 = 4, |o, a, b| fiat_p256_mul(of!(mut o), of!(a), of!(b));
    peer_p384_mul_montgomery: 6 = 6, |o, a, b| fiat_p384_mul(of!(mut o), of!(a), of!(b));
    peer_p521_mul_radix58: 9 = 9, |o, a, b| fiat_p521_carry_mul(of!(mut o), of!(a), of!(b));
    peer_25519_mul_radix51: 5 = 5, |o, a, b| fiat_25519_carry_mul(of!(mut o), of!(a), of!(b));
    peer_25519_mul_radix64: 4 = 4, |o, a, b| fiat_curve25519_solinas_mul(o, a, b);
    peer_448_mul_radix56: 8 = 8, |o, a, b| fiat_p448_carry_mul(of!(mut o), of!(a), of!(b));
    peer_secp256k1_mul_montgomery: 4 = 4, |o, a, b| fiat_secp256k1_montgomery_mul(of!(mut o), of!(a), of!(b));
    peer_secp256k1_mul_radix52: 5 = 5, |o, a, b| fiat_secp256k1_dettman_mul(o, a, b);
}
sqr! {
    peer_p256_sqr_montgomery: 4 = 4, |o, a| fiat_p256_square(of!(mut o), of!(a));
    peer_p384_sqr_montgomery: 6 = 6, |o, a| fiat_p384_square(of!(mut o), of!(a));
    peer_p521_sqr_radix58: 9 = 9, |o, a| fiat_p521_carry_square(of!(mut o), of!(a));
    peer_25519_sqr_radix51: 5 = 5, |o, a| fiat_25519_carry_square(of!(mut o), of!(a));
    peer_25519_sqr_radix64: 4 = 4, |o, a| fiat_curve25519_solinas_square(o, a);
    peer_448_sqr_radix56: 8 = 8, |o, a| fiat_p448_carry_square(of!(mut o), of!(a));
    peer_secp256k1_sqr_montgomery: 4 = 4, |o, a| fiat_secp256k1_montgomery_square(of!(mut o), of!(a));
    peer_secp256k1_sqr_radix52: 5 = 5, |o, a| fiat_secp256k1_dettman_square(o, a);
}
