//! libsecp256k1's field: five digits of 52 bits, in C with 128-bit products. Products take digits of magnitude 8 and
//! give digits of magnitude 1. Multiples of points by its public functions: secp256k1_ecdh, whose hash function here
//! only copies x, and secp256k1_ec_pubkey_create, both in constant time.

use core::ffi::{c_int, c_uchar, c_void};
use std::sync::OnceLock;

use secp256k1_sys as library;

include!("../functions.rs");
include!("../../curves/functions.rs");

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

/// x alone, in place of a hash.
unsafe extern "C" fn first(o: *mut c_uchar, x: *const c_uchar, _: *const c_uchar, _: *mut c_void) -> c_int {
    // SAFETY: the library gives 32 bytes each.
    unsafe { o.copy_from_nonoverlapping(x, 32) };
    1
}

/// The library's context, made once.
fn context() -> *const library::Context {
    static CONTEXT: OnceLock<usize> = OnceLock::new();
    // SAFETY: a context may be made at any time; this one is never destroyed.
    let make = || unsafe { library::secp256k1_context_create(library::SECP256K1_START_SIGN) }.as_ptr() as usize;
    *CONTEXT.get_or_init(make) as *const library::Context
}

export! {
    peer_secp256k1_ecdh(o: [u8; 32], k: [u8; 32], p: [u8; 65]) {
        let own = context();
        // SAFETY: a context of the library's, and as many bytes as it asks for.
        let done = unsafe {
            let mut point = library::PublicKey::new();
            library::secp256k1_ec_pubkey_parse(own, &mut point, p.as_ptr(), 65) == 1
                && library::secp256k1_ecdh(own, o.as_mut_ptr(), &point, k.as_ptr(), Some(first), core::ptr::null_mut())
                    == 1
        };
        if !done {
            o.fill(0);
        }
    }
    peer_secp256k1_public_key(o: [u8; 65], k: [u8; 32]) {
        let (own, mut bytes) = (context(), 65);
        // SAFETY: as above.
        let done = unsafe {
            let mut point = library::PublicKey::new();
            library::secp256k1_ec_pubkey_create(own, &mut point, k.as_ptr()) == 1
                && library::secp256k1_ec_pubkey_serialize(
                    own,
                    o.as_mut_ptr(),
                    &mut bytes,
                    &point,
                    library::SECP256K1_SER_UNCOMPRESSED,
                ) == 1
        };
        if !done {
            o.fill(0);
        }
    }
}
