//! blst: its C interface, which is its assembly.

use blst::{
    blst_fp_mul, blst_fp_sqr, blst_fp2_mul, blst_fp2_sqr, blst_fp12_mul, blst_fp12_sqr, blst_fr_mul, blst_fr_sqr,
};

include!("../functions.rs");

foreign_mul! {
    peer_bls12_381_fr_mul_montgomery: 4 = 4, blst_fr_mul;
    peer_bls12_381_fp_mul_montgomery: 6 = 6, blst_fp_mul;
    peer_bls12_381_fp2_mul_montgomery: 12 = 12, blst_fp2_mul;
    peer_bls12_381_fp12_mul_montgomery: 72 = 72, blst_fp12_mul;
}
foreign_sqr! {
    peer_bls12_381_fr_sqr_montgomery: 4 = 4, blst_fr_sqr;
    peer_bls12_381_fp_sqr_montgomery: 6 = 6, blst_fp_sqr;
    peer_bls12_381_fp2_sqr_montgomery: 12 = 12, blst_fp2_sqr;
    peer_bls12_381_fp12_sqr_montgomery: 72 = 72, blst_fp12_sqr;
}
