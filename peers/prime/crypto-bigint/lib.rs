//! crypto-bigint: `ConstMontyForm` and `Uint`. Results are values of its interface; they are inlined here, so that they
//! are written once.

use crypto_bigint::modular::ConstMontyForm;
use crypto_bigint::{Uint, const_monty_params};

/// A field: product and square of its Montgomery form.
macro_rules! field {
    ($config:ident, $n:literal, $modulus:literal, $mul:ident, $sqr:ident) => {
        const_monty_params!($config, Uint<$n>, $modulus);

        #[unsafe(no_mangle)]
        #[inline(never)]
        pub extern "C" fn $mul(
            o: &mut ConstMontyForm<$config, $n>,
            a: &ConstMontyForm<$config, $n>,
            b: &ConstMontyForm<$config, $n>,
        ) {
            *o = a.mul(b);
        }

        #[unsafe(no_mangle)]
        #[inline(never)]
        pub extern "C" fn $sqr(o: &mut ConstMontyForm<$config, $n>, a: &ConstMontyForm<$config, $n>) {
            *o = a.square();
        }
    };
}

/// Product and square of integers of `n` words, low half first.
macro_rules! integers {
    ($n:literal, $mul:ident, $sqr:ident) => {
        #[unsafe(no_mangle)]
        #[inline(never)]
        pub extern "C" fn $mul(o: &mut [Uint<$n>; 2], a: &Uint<$n>, b: &Uint<$n>) {
            (o[0], o[1]) = a.widening_mul(b);
        }

        #[unsafe(no_mangle)]
        #[inline(never)]
        pub extern "C" fn $sqr(o: &mut [Uint<$n>; 2], a: &Uint<$n>) {
            (o[0], o[1]) = a.widening_square();
        }
    };
}

field!(
    Bls12381Fr,
    4,
    "73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001",
    peer_bls12_381_fr_mul_montgomery,
    peer_bls12_381_fr_sqr_montgomery
);
field!(
    Bls12381Fp,
    6,
    "1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab",
    peer_bls12_381_fp_mul_montgomery,
    peer_bls12_381_fp_sqr_montgomery
);
field!(
    Bn254Fp,
    4,
    "30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47",
    peer_bn254_fp_mul_montgomery,
    peer_bn254_fp_sqr_montgomery
);
field!(
    Bn254Fr,
    4,
    "30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001",
    peer_bn254_fr_mul_montgomery,
    peer_bn254_fr_sqr_montgomery
);
field!(
    F25519,
    4,
    "7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffed",
    peer_25519_mul_montgomery,
    peer_25519_sqr_montgomery
);
field!(
    P256,
    4,
    "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff",
    peer_p256_mul_montgomery,
    peer_p256_sqr_montgomery
);
field!(
    P384,
    6,
    "fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffeffffffff0000000000000000ffffffff",
    peer_p384_mul_montgomery,
    peer_p384_sqr_montgomery
);
field!(
    P521,
    9,
    "00000000000001ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    peer_p521_mul_montgomery,
    peer_p521_sqr_montgomery
);
field!(
    Secp256k1,
    4,
    "fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f",
    peer_secp256k1_mul_montgomery,
    peer_secp256k1_sqr_montgomery
);
field!(
    F448,
    7,
    "fffffffffffffffffffffffffffffffffffffffffffffffffffffffeffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    peer_448_mul_montgomery,
    peer_448_sqr_montgomery
);
integers!(3, peer_int192_mul_integer, peer_int192_sqr_integer);
integers!(4, peer_int256_mul_integer, peer_int256_sqr_integer);
integers!(6, peer_int384_mul_integer, peer_int384_sqr_integer);
integers!(8, peer_int512_mul_integer, peer_int512_sqr_integer);
integers!(9, peer_int521_mul_integer, peer_int521_sqr_integer);
integers!(16, peer_int1024_mul_integer, peer_int1024_sqr_integer);
