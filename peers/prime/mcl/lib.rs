//! mcl: its C interface, which is the machine code that it writes for this processor when it starts.

use std::os::raw::c_void;

use mcl_rust::{CurveType, init};

include!("../functions.rs");

unsafe extern "C" {
    fn mclBnFr_mul(z: *mut c_void, x: *const c_void, y: *const c_void);
    fn mclBnFr_sqr(y: *mut c_void, x: *const c_void);
    fn mclBnFp_mul(z: *mut c_void, x: *const c_void, y: *const c_void);
    fn mclBnFp_sqr(y: *mut c_void, x: *const c_void);
}

/// Called when the library is loaded: mcl writes its functions for one curve.
extern "C" fn start() {
    init(CurveType::BLS12_381);
}

#[used]
#[unsafe(link_section = ".init_array")]
static START: extern "C" fn() = start;

foreign_mul! {
    peer_bls12_381_fr_mul_montgomery: 4 = 4, mclBnFr_mul;
    peer_bls12_381_fp_mul_montgomery: 6 = 6, mclBnFp_mul;
}
foreign_sqr! {
    peer_bls12_381_fr_sqr_montgomery: 4 = 4, mclBnFr_sqr;
    peer_bls12_381_fp_sqr_montgomery: 6 = 6, mclBnFp_sqr;
}
