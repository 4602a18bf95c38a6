//! OpenSSL's libcrypto, its inner functions: `ecp_nistz256_mul_mont`, `_sqr_mont` and `_add` for P-256, `x25519_fe64_*` and
//! `x25519_fe51_*` for 2^255 − 19, `bn_mul_mont` (behind `BN_mod_mul_montgomery`) for the other moduli; for integers
//! what `BN_mul` and `BN_sqr` call at that length: `bn_mul_comba4`, `bn_mul_comba8`, `bn_mul_recursive` and their
//! squares.

use core::cell::UnsafeCell;
use core::ffi::c_int;

include!("../functions.rs");

unsafe extern "C" {
    fn ecp_nistz256_mul_mont(o: *mut u64, a: *const u64, b: *const u64);
    fn ecp_nistz256_add(o: *mut u64, a: *const u64, b: *const u64);
    fn ecp_nistz256_sqr_mont(o: *mut u64, a: *const u64);
    fn x25519_fe64_eligible() -> c_int;
    #[cfg(target_feature = "adx")]
    fn x25519_fe64_mul(o: *mut u64, a: *const u64, b: *const u64);
    #[cfg(target_feature = "adx")]
    fn x25519_fe64_sqr(o: *mut u64, a: *const u64);
    #[cfg(target_feature = "adx")]
    fn x25519_fe64_add(o: *mut u64, a: *const u64, b: *const u64);
    fn x25519_fe51_mul(o: *mut u64, a: *const u64, b: *const u64);
    fn x25519_fe51_sqr(o: *mut u64, a: *const u64);
    fn bn_mul_mont(
        o: *mut u64,
        a: *const u64,
        b: *const u64,
        modulus: *const u64,
        n0: *const u64,
        words: c_int,
    ) -> c_int;
    fn bn_mul_comba4(o: *mut u64, a: *const u64, b: *const u64);
    fn bn_mul_comba8(o: *mut u64, a: *const u64, b: *const u64);
    fn bn_sqr_comba4(o: *mut u64, a: *const u64);
    fn bn_sqr_comba8(o: *mut u64, a: *const u64);
    fn bn_mul_recursive(
        o: *mut u64,
        a: *const u64,
        b: *const u64,
        words: c_int,
        more_a: c_int,
        more_b: c_int,
        room: *mut u64,
    );
    fn bn_sqr_recursive(o: *mut u64, a: *const u64, words: c_int, room: *mut u64);
}

/// Words that a product by Karatsuba's method needs beside its result, one call at a time.
struct Room(UnsafeCell<[u64; 64]>);

// SAFETY: the comparison calls on one thread.
unsafe impl Sync for Room {}

impl Room {
    fn get(&self) -> *mut u64 {
        self.0.get().cast()
    }
}

static ROOM: Room = Room(UnsafeCell::new([0; 64]));

/// A field by `bn_mul_mont`: modulus, −1/modulus mod 2^64 (libcrypto has two words there).
macro_rules! field {
    ($n:literal, $modulus:expr, $n0:literal, $mul:ident, $sqr:ident) => {
        const _: () = {
            static MODULUS: [u64; $n] = $modulus;
            static N0: [u64; 2] = [$n0, 0];

            #[inline(always)]
            unsafe fn square(o: *mut u64, a: *const u64) {
                // SAFETY: the caller's pointers are to `n` words.
                unsafe { bn_mul_mont(o, a, a, MODULUS.as_ptr(), N0.as_ptr(), $n) };
            }

            foreign_mul! { $mul: $n = $n, bn_mul_mont, MODULUS.as_ptr(), N0.as_ptr(), $n; }
            foreign_sqr! { $sqr: $n = $n, square; }
        };
    };
}

field!(
    4,
    [0xffffffff00000001, 0x53bda402fffe5bfe, 0x3339d80809a1d805, 0x73eda753299d7d48],
    0xfffffffeffffffff,
    peer_bls12_381_fr_mul_montgomery,
    peer_bls12_381_fr_sqr_montgomery
);
field!(
    6,
    [
        0xb9feffffffffaaab,
        0x1eabfffeb153ffff,
        0x6730d2a0f6b0f624,
        0x64774b84f38512bf,
        0x4b1ba7b6434bacd7,
        0x1a0111ea397fe69a
    ],
    0x89f3fffcfffcfffd,
    peer_bls12_381_fp_mul_montgomery,
    peer_bls12_381_fp_sqr_montgomery
);
field!(
    4,
    [0x3c208c16d87cfd47, 0x97816a916871ca8d, 0xb85045b68181585d, 0x30644e72e131a029],
    0x87d20782e4866389,
    peer_bn254_fp_mul_montgomery,
    peer_bn254_fp_sqr_montgomery
);
field!(
    4,
    [0x43e1f593f0000001, 0x2833e84879b97091, 0xb85045b68181585d, 0x30644e72e131a029],
    0xc2e1f593efffffff,
    peer_bn254_fr_mul_montgomery,
    peer_bn254_fr_sqr_montgomery
);
field!(
    6,
    [
        0x00000000ffffffff,
        0xffffffff00000000,
        0xfffffffffffffffe,
        0xffffffffffffffff,
        0xffffffffffffffff,
        0xffffffffffffffff
    ],
    0x0000000100000001,
    peer_p384_mul_montgomery,
    peer_p384_sqr_montgomery
);
field!(
    9,
    [
        0xffffffffffffffff,
        0xffffffffffffffff,
        0xffffffffffffffff,
        0xffffffffffffffff,
        0xffffffffffffffff,
        0xffffffffffffffff,
        0xffffffffffffffff,
        0xffffffffffffffff,
        0x00000000000001ff
    ],
    0x0000000000000001,
    peer_p521_mul_montgomery,
    peer_p521_sqr_montgomery
);
field!(
    4,
    [0xfffffffefffffc2f, 0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff],
    0xd838091dd2253531,
    peer_secp256k1_mul_montgomery,
    peer_secp256k1_sqr_montgomery
);
field!(
    7,
    [
        0xffffffffffffffff,
        0xffffffffffffffff,
        0xffffffffffffffff,
        0xfffffffeffffffff,
        0xffffffffffffffff,
        0xffffffffffffffff,
        0xffffffffffffffff
    ],
    0x0000000000000001,
    peer_448_mul_montgomery,
    peer_448_sqr_montgomery
);

foreign_mul! {
    peer_p256_mul_montgomery: 4 = 4, ecp_nistz256_mul_mont;
    peer_p256_add_montgomery: 4 = 4, ecp_nistz256_add;
    peer_25519_mul_radix51: 5 = 5, x25519_fe51_mul;
    peer_int256_mul_integer: 8 = 4, bn_mul_comba4;
    peer_int512_mul_integer: 16 = 8, bn_mul_comba8;
    peer_int1024_mul_integer: 32 = 16, bn_mul_recursive, 16, 0, 0, ROOM.get();
}
foreign_sqr! {
    peer_p256_sqr_montgomery: 4 = 4, ecp_nistz256_sqr_mont;
    peer_25519_sqr_radix51: 5 = 5, x25519_fe51_sqr;
    peer_int256_sqr_integer: 8 = 4, bn_sqr_comba4;
    peer_int512_sqr_integer: 16 = 8, bn_sqr_comba8;
    peer_int1024_sqr_integer: 32 = 16, bn_sqr_recursive, 16, ROOM.get();
}

// Its code with ADX, which does not ask.
#[cfg(target_feature = "adx")]
foreign_mul! {
    peer_25519_mul_radix64: 4 = 4, x25519_fe64_mul;
    peer_25519_add_radix64: 4 = 4, x25519_fe64_add;
}
#[cfg(target_feature = "adx")]
foreign_sqr! { peer_25519_sqr_radix64: 4 = 4, x25519_fe64_sqr; }

/// The version of the source; libcrypto has asked what the processor has when it was loaded, as for any user of it.
#[unsafe(no_mangle)]
pub extern "C" fn peer_version(text: &mut [u8; 64]) {
    // SAFETY: a function without arguments.
    let eligible = unsafe { x25519_fe64_eligible() } != 0;
    let told = if eligible { env!("OPENSSL_VERSION") } else { concat!(env!("OPENSSL_VERSION"), " (without ADX)") };
    text[..told.len()].copy_from_slice(told.as_bytes());
}
