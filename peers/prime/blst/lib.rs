//! blst: its C interface, which is its assembly.

use blst::{
    blst_final_exp, blst_fp_add, blst_fp_mul, blst_fp_sqr, blst_fp2_mul, blst_fp2_sqr, blst_fp12_mul, blst_fp12_sqr,
    blst_fr_add, blst_fr_mul, blst_fr_sqr, blst_miller_loop, blst_p1_mult, blst_p2_mult,
};

include!("../functions.rs");
include!("../../curves/functions.rs");

foreign_mul! {
    peer_bls12_381_fr_mul_montgomery: 4 = 4, blst_fr_mul;
    peer_bls12_381_fp_mul_montgomery: 6 = 6, blst_fp_mul;
    peer_bls12_381_fr_add_montgomery: 4 = 4, blst_fr_add;
    peer_bls12_381_fp_add_montgomery: 6 = 6, blst_fp_add;
    peer_bls12_381_fp2_mul_montgomery: 12 = 12, blst_fp2_mul;
    peer_bls12_381_fp12_mul_montgomery: 72 = 72, blst_fp12_mul;
}
foreign_sqr! {
    peer_bls12_381_fr_sqr_montgomery: 4 = 4, blst_fr_sqr;
    peer_bls12_381_fp_sqr_montgomery: 6 = 6, blst_fp_sqr;
    peer_bls12_381_fp2_sqr_montgomery: 12 = 12, blst_fp2_sqr;
    peer_bls12_381_fp12_sqr_montgomery: 72 = 72, blst_fp12_sqr;
}

export! {
    peer_bls12_381_g1_scalar_mul(o: [u64; 18], k: [u64; 4], p: [u64; 18]) {
        // SAFETY: points, values and scalars of as many words.
        unsafe { blst_p1_mult(o.as_mut_ptr().cast(), p.as_ptr().cast(), k.as_ptr().cast(), 255) }
    }
    peer_bls12_381_g2_scalar_mul(o: [u64; 36], k: [u64; 4], p: [u64; 36]) {
        // SAFETY: points, values and scalars of as many words.
        unsafe { blst_p2_mult(o.as_mut_ptr().cast(), p.as_ptr().cast(), k.as_ptr().cast(), 255) }
    }
    peer_bls12_381_pairing(o: [u64; 72], p: [u64; 12], q: [u64; 24]) {
        // SAFETY: points, values and scalars of as many words.
        unsafe {
            blst_miller_loop(o.as_mut_ptr().cast(), q.as_ptr().cast(), p.as_ptr().cast());
            blst_final_exp(o.as_mut_ptr().cast(), o.as_ptr().cast());
        }
    }
}
