//! blst: its C interface, which is its assembly.

use blst::{blst_fp_mul, blst_fp_sqr, blst_fr_mul, blst_fr_sqr};

include!("../functions.rs");

foreign_mul! {
    peer_bls12_381_fr_mul_montgomery: 4 = 4, blst_fr_mul;
    peer_bls12_381_fp_mul_montgomery: 6 = 6, blst_fp_mul;
}
foreign_sqr! {
    peer_bls12_381_fr_sqr_montgomery: 4 = 4, blst_fr_sqr;
    peer_bls12_381_fp_sqr_montgomery: 6 = 6, blst_fp_sqr;
}
