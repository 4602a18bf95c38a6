//! s2n-bignum: its assembly for processors with BMI2 and ADX, as AWS-LC has it.

include!("../functions.rs");

/// Words that a product needs beside its result, one call at a time.
struct Room(core::cell::UnsafeCell<[u64; 32]>);

// SAFETY: the comparison calls on one thread.
unsafe impl Sync for Room {}

impl Room {
    fn get(&self) -> *mut u64 {
        self.0.get().cast()
    }
}

static ROOM: Room = Room(core::cell::UnsafeCell::new([0; 32]));

unsafe extern "C" {
    fn bignum_mul_p25519(o: *mut u64, a: *const u64, b: *const u64);
    fn bignum_sqr_p25519(o: *mut u64, a: *const u64);
    fn bignum_montmul_p256(o: *mut u64, a: *const u64, b: *const u64);
    fn bignum_montsqr_p256(o: *mut u64, a: *const u64);
    fn bignum_montmul_p384(o: *mut u64, a: *const u64, b: *const u64);
    fn bignum_montsqr_p384(o: *mut u64, a: *const u64);
    fn bignum_mul_p521(o: *mut u64, a: *const u64, b: *const u64);
    fn bignum_sqr_p521(o: *mut u64, a: *const u64);
    fn bignum_mul_p256k1(o: *mut u64, a: *const u64, b: *const u64);
    fn bignum_sqr_p256k1(o: *mut u64, a: *const u64);
    fn bignum_add_p25519(o: *mut u64, a: *const u64, b: *const u64);
    fn bignum_add_p256(o: *mut u64, a: *const u64, b: *const u64);
    fn bignum_add_p384(o: *mut u64, a: *const u64, b: *const u64);
    fn bignum_add_p521(o: *mut u64, a: *const u64, b: *const u64);
    fn bignum_add_p256k1(o: *mut u64, a: *const u64, b: *const u64);
    fn bignum_mul_4_8(o: *mut u64, a: *const u64, b: *const u64);
    fn bignum_sqr_4_8(o: *mut u64, a: *const u64);
    fn bignum_mul_6_12(o: *mut u64, a: *const u64, b: *const u64);
    fn bignum_sqr_6_12(o: *mut u64, a: *const u64);
    fn bignum_mul_8_16(o: *mut u64, a: *const u64, b: *const u64);
    fn bignum_sqr_8_16(o: *mut u64, a: *const u64);
    fn bignum_kmul_16_32(o: *mut u64, a: *const u64, b: *const u64, room: *mut u64);
    fn bignum_ksqr_16_32(o: *mut u64, a: *const u64, room: *mut u64);
}

foreign_mul! {
    peer_25519_mul_canonical: 4 = 4, bignum_mul_p25519;
    peer_p256_mul_montgomery: 4 = 4, bignum_montmul_p256;
    peer_p384_mul_montgomery: 6 = 6, bignum_montmul_p384;
    peer_p521_mul_canonical: 9 = 9, bignum_mul_p521;
    peer_secp256k1_mul_canonical: 4 = 4, bignum_mul_p256k1;
    peer_25519_add_canonical: 4 = 4, bignum_add_p25519;
    peer_p256_add_montgomery: 4 = 4, bignum_add_p256;
    peer_p384_add_montgomery: 6 = 6, bignum_add_p384;
    peer_p521_add_canonical: 9 = 9, bignum_add_p521;
    peer_secp256k1_add_canonical: 4 = 4, bignum_add_p256k1;
    peer_int256_mul_integer: 8 = 4, bignum_mul_4_8;
    peer_int384_mul_integer: 12 = 6, bignum_mul_6_12;
    peer_int512_mul_integer: 16 = 8, bignum_mul_8_16;
    peer_int1024_mul_integer: 32 = 16, bignum_kmul_16_32, ROOM.get();
}
foreign_sqr! {
    peer_25519_sqr_canonical: 4 = 4, bignum_sqr_p25519;
    peer_p256_sqr_montgomery: 4 = 4, bignum_montsqr_p256;
    peer_p384_sqr_montgomery: 6 = 6, bignum_montsqr_p384;
    peer_p521_sqr_canonical: 9 = 9, bignum_sqr_p521;
    peer_secp256k1_sqr_canonical: 4 = 4, bignum_sqr_p256k1;
    peer_int256_sqr_integer: 8 = 4, bignum_sqr_4_8;
    peer_int384_sqr_integer: 12 = 6, bignum_sqr_6_12;
    peer_int512_sqr_integer: 16 = 8, bignum_sqr_8_16;
    peer_int1024_sqr_integer: 32 = 16, bignum_ksqr_16_32, ROOM.get();
}
