//! curve25519-dalek's field for words of 64 bits: its source file, compiled here, because no function of it is public.
//! Products take digits below 2^54 and give digits below 2^51 and a little.

include!(concat!(env!("OUT_DIR"), "/dalek.rs"));
include!("../functions.rs");

use field::FieldElement51;

/// The words as a field element, which is a struct of just them.
fn element(x: &[u64; 5]) -> &FieldElement51 {
    // SAFETY: a struct of one array of five words.
    unsafe { &*(x as *const [u64; 5]).cast() }
}

mul! {
    peer_25519_mul_radix51: 5 = 5, |o, a, b| *o = (element(a) * element(b)).0;
}
sqr! {
    peer_25519_sqr_radix51: 5 = 5, |o, a| *o = element(a).square().0;
}
