//! GMP, built from source for this processor: `mpn_mul_n` and `mpn_sqr`.

use gmp_mpfr_sys::gmp::{mpn_mul_n, mpn_sqr};

include!("../functions.rs");

// SAFETY (all): operands of n words, a result of 2n words elsewhere.
mul! {
    peer_int192_mul_integer: 6 = 3, |o, a, b| unsafe { mpn_mul_n(o.as_mut_ptr(), a.as_ptr(), b.as_ptr(), 3) };
    peer_int256_mul_integer: 8 = 4, |o, a, b| unsafe { mpn_mul_n(o.as_mut_ptr(), a.as_ptr(), b.as_ptr(), 4) };
    peer_int384_mul_integer: 12 = 6, |o, a, b| unsafe { mpn_mul_n(o.as_mut_ptr(), a.as_ptr(), b.as_ptr(), 6) };
    peer_int512_mul_integer: 16 = 8, |o, a, b| unsafe { mpn_mul_n(o.as_mut_ptr(), a.as_ptr(), b.as_ptr(), 8) };
    peer_int521_mul_integer: 18 = 9, |o, a, b| unsafe { mpn_mul_n(o.as_mut_ptr(), a.as_ptr(), b.as_ptr(), 9) };
    peer_int1024_mul_integer: 32 = 16, |o, a, b| unsafe { mpn_mul_n(o.as_mut_ptr(), a.as_ptr(), b.as_ptr(), 16) };
}
sqr! {
    peer_int192_sqr_integer: 6 = 3, |o, a| unsafe { mpn_sqr(o.as_mut_ptr(), a.as_ptr(), 3) };
    peer_int256_sqr_integer: 8 = 4, |o, a| unsafe { mpn_sqr(o.as_mut_ptr(), a.as_ptr(), 4) };
    peer_int384_sqr_integer: 12 = 6, |o, a| unsafe { mpn_sqr(o.as_mut_ptr(), a.as_ptr(), 6) };
    peer_int512_sqr_integer: 16 = 8, |o, a| unsafe { mpn_sqr(o.as_mut_ptr(), a.as_ptr(), 8) };
    peer_int521_sqr_integer: 18 = 9, |o, a| unsafe { mpn_sqr(o.as_mut_ptr(), a.as_ptr(), 9) };
    peer_int1024_sqr_integer: 32 = 16, |o, a| unsafe { mpn_sqr(o.as_mut_ptr(), a.as_ptr(), 16) };
}

/// GMP's own version.
#[unsafe(no_mangle)]
pub extern "C" fn peer_version(text: &mut [u8; 64]) {
    // SAFETY: a constant string, ended by zero.
    let version = unsafe { core::ffi::CStr::from_ptr(gmp_mpfr_sys::gmp::version) }.to_bytes();
    let length = version.len().min(63);
    text[..length].copy_from_slice(&version[..length]);
}
