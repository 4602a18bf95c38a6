//! mcl: its C interface, which calls the machine code that it writes for this processor when it starts.

use std::os::raw::c_void;

use mcl_rust::{CurveType, init};

include!("../functions.rs");

unsafe extern "C" {
    fn mclBn_getVersion() -> u32;
    fn mclBnFr_mul(z: *mut c_void, x: *const c_void, y: *const c_void);
    fn mclBnFr_sqr(y: *mut c_void, x: *const c_void);
    fn mclBnFp_mul(z: *mut c_void, x: *const c_void, y: *const c_void);
    fn mclBnFp_sqr(y: *mut c_void, x: *const c_void);
    fn mclBnFp2_mul(z: *mut c_void, x: *const c_void, y: *const c_void);
    fn mclBnFp2_sqr(y: *mut c_void, x: *const c_void);
    fn mclBnGT_mul(z: *mut c_void, x: *const c_void, y: *const c_void);
    fn mclBnGT_sqr(y: *mut c_void, x: *const c_void);
}

/// The library's own version. It is asked for before anything else: mcl writes its functions for one curve now.
#[unsafe(no_mangle)]
pub extern "C" fn peer_version(text: &mut [u8; 64]) {
    // SAFETY: it reads nothing.
    let version = unsafe { mclBn_getVersion() };
    let told = if init(CurveType::BLS12_381) {
        format!("{}.{:02x}", version >> 8, version & 0xff)
    } else {
        "not started".into()
    };
    text[..told.len()].copy_from_slice(told.as_bytes());
}

foreign_mul! {
    peer_bls12_381_fr_mul_montgomery: 4 = 4, mclBnFr_mul;
    peer_bls12_381_fp_mul_montgomery: 6 = 6, mclBnFp_mul;
    peer_bls12_381_fp2_mul_montgomery: 12 = 12, mclBnFp2_mul;
    peer_bls12_381_fp12_mul_montgomery: 72 = 72, mclBnGT_mul;
}
foreign_sqr! {
    peer_bls12_381_fr_sqr_montgomery: 4 = 4, mclBnFr_sqr;
    peer_bls12_381_fp_sqr_montgomery: 6 = 6, mclBnFp_sqr;
    peer_bls12_381_fp2_sqr_montgomery: 12 = 12, mclBnFp2_sqr;
    peer_bls12_381_fp12_sqr_montgomery: 72 = 72, mclBnGT_sqr;
}
