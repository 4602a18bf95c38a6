//! libsecp256k1's field: five digits of 52 bits, in C with 128-bit products. Products take digits of magnitude 8 and
//! give digits of magnitude 1.

include!("../functions.rs");

unsafe extern "C" {
    fn evariste_secp256k1_mul(o: *mut u64, a: *const u64, b: *const u64);
    fn evariste_secp256k1_sqr(o: *mut u64, a: *const u64);
}

foreign_mul! {
    peer_secp256k1_mul_radix52: 5 = 5, evariste_secp256k1_mul;
}
foreign_sqr! {
    peer_secp256k1_sqr_radix52: 5 = 5, evariste_secp256k1_sqr;
}
