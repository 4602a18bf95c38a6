//! ark-ff: Montgomery fields made by its derive macro, with or without its assembly (feature `asm`). Elements are
//! changed in place, as its interface has it; the functions out of place copy first.

use ark_ff::fields::{Fp, MontBackend, MontConfig};

/// A field: `(o, a, b)`, `(o, a)` and, in place, `(o, b)` and `(o)`.
macro_rules! field {
    ($config:ident, $n:literal, $modulus:literal, $generator:literal, $mul:ident, $sqr:ident, $mul_in_place:ident, $sqr_in_place:ident) => {
        /// The field's modulus and constants.
        #[derive(MontConfig)]
        #[modulus = $modulus]
        #[generator = $generator]
        pub struct $config;

        #[unsafe(no_mangle)]
        #[inline(never)]
        pub extern "C" fn $mul(
            o: &mut Fp<MontBackend<$config, $n>, $n>,
            a: &Fp<MontBackend<$config, $n>, $n>,
            b: &Fp<MontBackend<$config, $n>, $n>,
        ) {
            *o = *a;
            $config::mul_assign(o, b);
        }

        #[unsafe(no_mangle)]
        #[inline(never)]
        pub extern "C" fn $sqr(o: &mut Fp<MontBackend<$config, $n>, $n>, a: &Fp<MontBackend<$config, $n>, $n>) {
            *o = *a;
            $config::square_in_place(o);
        }

        #[unsafe(no_mangle)]
        #[inline(never)]
        pub extern "C" fn $mul_in_place(
            o: &mut Fp<MontBackend<$config, $n>, $n>,
            b: &Fp<MontBackend<$config, $n>, $n>,
        ) {
            $config::mul_assign(o, b);
        }

        #[unsafe(no_mangle)]
        #[inline(never)]
        pub extern "C" fn $sqr_in_place(o: &mut Fp<MontBackend<$config, $n>, $n>) {
            $config::square_in_place(o);
        }
    };
}

field!(
    Bls12381Fr,
    4,
    "52435875175126190479447740508185965837690552500527637822603658699938581184513",
    "7",
    peer_bls12_381_fr_mul_montgomery,
    peer_bls12_381_fr_sqr_montgomery,
    peer_bls12_381_fr_mul_montgomery_in_place,
    peer_bls12_381_fr_sqr_montgomery_in_place
);
field!(
    Bls12381Fp,
    6,
    "4002409555221667393417789825735904156556882819939007885332058136124031650490837864442687629129015664037894272559787",
    "2",
    peer_bls12_381_fp_mul_montgomery,
    peer_bls12_381_fp_sqr_montgomery,
    peer_bls12_381_fp_mul_montgomery_in_place,
    peer_bls12_381_fp_sqr_montgomery_in_place
);
field!(
    Bn254Fp,
    4,
    "21888242871839275222246405745257275088696311157297823662689037894645226208583",
    "3",
    peer_bn254_fp_mul_montgomery,
    peer_bn254_fp_sqr_montgomery,
    peer_bn254_fp_mul_montgomery_in_place,
    peer_bn254_fp_sqr_montgomery_in_place
);
field!(
    Bn254Fr,
    4,
    "21888242871839275222246405745257275088548364400416034343698204186575808495617",
    "5",
    peer_bn254_fr_mul_montgomery,
    peer_bn254_fr_sqr_montgomery,
    peer_bn254_fr_mul_montgomery_in_place,
    peer_bn254_fr_sqr_montgomery_in_place
);
field!(
    F25519,
    4,
    "57896044618658097711785492504343953926634992332820282019728792003956564819949",
    "2",
    peer_25519_mul_montgomery,
    peer_25519_sqr_montgomery,
    peer_25519_mul_montgomery_in_place,
    peer_25519_sqr_montgomery_in_place
);
field!(
    P256,
    4,
    "115792089210356248762697446949407573530086143415290314195533631308867097853951",
    "6",
    peer_p256_mul_montgomery,
    peer_p256_sqr_montgomery,
    peer_p256_mul_montgomery_in_place,
    peer_p256_sqr_montgomery_in_place
);
field!(
    P384,
    6,
    "39402006196394479212279040100143613805079739270465446667948293404245721771496870329047266088258938001861606973112319",
    "2",
    peer_p384_mul_montgomery,
    peer_p384_sqr_montgomery,
    peer_p384_mul_montgomery_in_place,
    peer_p384_sqr_montgomery_in_place
);
field!(
    P521,
    9,
    "6864797660130609714981900799081393217269435300143305409394463459185543183397656052122559640661454554977296311391480858037121987999716643812574028291115057151",
    "3",
    peer_p521_mul_montgomery,
    peer_p521_sqr_montgomery,
    peer_p521_mul_montgomery_in_place,
    peer_p521_sqr_montgomery_in_place
);
field!(
    Secp256k1,
    4,
    "115792089237316195423570985008687907853269984665640564039457584007908834671663",
    "3",
    peer_secp256k1_mul_montgomery,
    peer_secp256k1_sqr_montgomery,
    peer_secp256k1_mul_montgomery_in_place,
    peer_secp256k1_sqr_montgomery_in_place
);
field!(
    F448,
    7,
    "726838724295606890549323807888004534353641360687318060281490199180612328166730772686396383698676545930088884461843637361053498018365439",
    "7",
    peer_448_mul_montgomery,
    peer_448_sqr_montgomery,
    peer_448_mul_montgomery_in_place,
    peer_448_sqr_montgomery_in_place
);
