//! This system's libcrypto: multiples of points of prime and binary curves, X25519.

use core::ffi::{c_char, c_int, c_ulong};

include!("../functions.rs");

unsafe extern "C" {
    fn shim_ecdh(which: c_int, o: *mut u8, k: *const u8, p: *const u8);
    fn shim_public_key(which: c_int, o: *mut u8, k: *const u8);
    fn shim_x25519(o: *mut u8, k: *const u8, u: *const u8);
    fn shim_x25519_public_key(o: *mut u8, k: *const u8);
    fn shim_version(text: *mut c_char, bytes: c_ulong);
}

/// Both functions of a curve: its place in the shim's list, bytes of a coordinate and of a point.
macro_rules! curve {
    ($which:literal, $field:literal, $point:literal, $ecdh:ident, $public_key:ident) => {
        export! {
            $ecdh(o: [u8; $field], k: [u8; $field], p: [u8; $point]) {
                // SAFETY: as many bytes as the shim reads and writes.
                unsafe { shim_ecdh($which, o.as_mut_ptr(), k.as_ptr(), p.as_ptr()) }
            }
            $public_key(o: [u8; $point], k: [u8; $field]) {
                // SAFETY: as many bytes as the shim reads and writes.
                unsafe { shim_public_key($which, o.as_mut_ptr(), k.as_ptr()) }
            }
        }
    };
}

curve!(0, 32, 65, peer_p256_ecdh, peer_p256_public_key);
curve!(1, 32, 65, peer_secp256k1_ecdh, peer_secp256k1_public_key);
curve!(2, 17, 35, peer_sect131r1_ecdh, peer_sect131r1_public_key);
curve!(3, 21, 43, peer_sect163r2_ecdh, peer_sect163r2_public_key);
curve!(4, 30, 61, peer_sect233r1_ecdh, peer_sect233r1_public_key);
curve!(5, 36, 73, peer_sect283r1_ecdh, peer_sect283r1_public_key);

export! {
    peer_25519_ecdh(o: [u8; 32], k: [u8; 32], u: [u8; 32]) {
        // SAFETY: as many bytes as the shim reads and writes.
        unsafe { shim_x25519(o.as_mut_ptr(), k.as_ptr(), u.as_ptr()) }
    }
    peer_25519_public_key(o: [u8; 32], k: [u8; 32]) {
        // SAFETY: as many bytes as the shim reads and writes.
        unsafe { shim_x25519_public_key(o.as_mut_ptr(), k.as_ptr()) }
    }
    peer_version(text: [u8; 64]) {
        // SAFETY: as many bytes as the shim reads and writes.
        unsafe { shim_version(text.as_mut_ptr().cast(), 64) }
    }
}
