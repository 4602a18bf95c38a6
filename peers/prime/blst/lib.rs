//! blst: its C interface, which is its assembly.

use blst::{blst_fp, blst_fp_mul, blst_fp_sqr, blst_fr, blst_fr_mul, blst_fr_sqr};

include!("../functions.rs");

/// The words as blst's type, which is a struct of just them.
macro_rules! words {
    (mut $x:ident as $t:ty) => {
        ($x as *mut _ as *mut $t)
    };
    ($x:ident as $t:ty) => {
        ($x as *const _ as *const $t)
    };
}

// SAFETY (all): pointers to as many words as the type has.
mul! {
    peer_bls12_381_fr_mul_montgomery: 4 = 4, |o, a, b| unsafe { blst_fr_mul(words!(mut o as blst_fr), words!(a as blst_fr), words!(b as blst_fr)) };
    peer_bls12_381_fp_mul_montgomery: 6 = 6, |o, a, b| unsafe { blst_fp_mul(words!(mut o as blst_fp), words!(a as blst_fp), words!(b as blst_fp)) };
}
sqr! {
    peer_bls12_381_fr_sqr_montgomery: 4 = 4, |o, a| unsafe { blst_fr_sqr(words!(mut o as blst_fr), words!(a as blst_fr)) };
    peer_bls12_381_fp_sqr_montgomery: 6 = 6, |o, a| unsafe { blst_fp_sqr(words!(mut o as blst_fp), words!(a as blst_fp)) };
}
