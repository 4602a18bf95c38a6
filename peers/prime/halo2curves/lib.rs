//! halo2curves, with or without its assembly (feature `asm`). Its fields are structs of just their words; results are
//! values, inlined here.

use halo2curves::{bls12381, bn256, secp256k1, secp256r1};

/// A field: product, square and sum in Montgomery form.
macro_rules! field {
    ($field:ty, $mul:ident, $sqr:ident, $add:ident) => {
        #[unsafe(no_mangle)]
        #[inline(never)]
        pub extern "C" fn $add(o: &mut $field, a: &$field, b: &$field) {
            *o = a.add(b);
        }

        #[unsafe(no_mangle)]
        #[inline(never)]
        pub extern "C" fn $mul(o: &mut $field, a: &$field, b: &$field) {
            *o = a.mul(b);
        }

        #[unsafe(no_mangle)]
        #[inline(never)]
        pub extern "C" fn $sqr(o: &mut $field, a: &$field) {
            *o = a.square();
        }
    };
}

field!(
    bls12381::Fr,
    peer_bls12_381_fr_mul_montgomery,
    peer_bls12_381_fr_sqr_montgomery,
    peer_bls12_381_fr_add_montgomery
);
field!(
    bls12381::Fq,
    peer_bls12_381_fp_mul_montgomery,
    peer_bls12_381_fp_sqr_montgomery,
    peer_bls12_381_fp_add_montgomery
);
field!(bn256::Fq, peer_bn254_fp_mul_montgomery, peer_bn254_fp_sqr_montgomery, peer_bn254_fp_add_montgomery);
field!(bn256::Fr, peer_bn254_fr_mul_montgomery, peer_bn254_fr_sqr_montgomery, peer_bn254_fr_add_montgomery);
field!(secp256k1::Fp, peer_secp256k1_mul_montgomery, peer_secp256k1_sqr_montgomery, peer_secp256k1_add_montgomery);
field!(secp256r1::Fp, peer_p256_mul_montgomery, peer_p256_sqr_montgomery, peer_p256_add_montgomery);
