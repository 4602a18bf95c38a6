//! GMP's `mpn_mul_n` and `mpn_sqr`: built from source, where it takes the assembly of the processor it runs on (the
//! package gmp), or this system's (gmp-system).

use core::ffi::{CStr, c_char, c_long};

#[cfg(feature = "source")]
use gmp_mpfr_sys as _;

unsafe extern "C" {
    #[link_name = "__gmpn_mul_n"]
    fn mpn_mul_n(o: *mut u64, a: *const u64, b: *const u64, words: c_long);
    #[link_name = "__gmpn_sqr"]
    fn mpn_sqr(o: *mut u64, a: *const u64, words: c_long);
    #[link_name = "__gmp_version"]
    static VERSION: *const c_char;
}

include!("../functions.rs");

foreign_mul! {
    peer_int192_mul_integer: 6 = 3, mpn_mul_n, 3;
    peer_int256_mul_integer: 8 = 4, mpn_mul_n, 4;
    peer_int384_mul_integer: 12 = 6, mpn_mul_n, 6;
    peer_int512_mul_integer: 16 = 8, mpn_mul_n, 8;
    peer_int521_mul_integer: 18 = 9, mpn_mul_n, 9;
    peer_int1024_mul_integer: 32 = 16, mpn_mul_n, 16;
}
foreign_sqr! {
    peer_int192_sqr_integer: 6 = 3, mpn_sqr, 3;
    peer_int256_sqr_integer: 8 = 4, mpn_sqr, 4;
    peer_int384_sqr_integer: 12 = 6, mpn_sqr, 6;
    peer_int512_sqr_integer: 16 = 8, mpn_sqr, 8;
    peer_int521_sqr_integer: 18 = 9, mpn_sqr, 9;
    peer_int1024_sqr_integer: 32 = 16, mpn_sqr, 16;
}

/// GMP 6.3 does not know processors that are younger than it, and then takes its code for any x86-64. Here its code for
/// Broadwell goes into its table where the processor has what that needs (BMI2 and ADX), as GMP does by itself for the
/// processors that it knows.
#[cfg(all(feature = "source", target_arch = "x86_64"))]
fn choose() {
    /// Places of the two functions in the table of GMP 6.3.
    const MUL: usize = 26;
    const SQR: usize = 33;
    unsafe extern "C" {
        #[link_name = "__gmpn_cpuvec_init"]
        fn init();
        #[link_name = "__gmpn_cpuvec"]
        static mut TABLE: [*const (); 34];
        #[link_name = "__gmpn_mul_basecase_fat"]
        fn mul_any();
        #[link_name = "__gmpn_sqr_basecase_fat"]
        fn sqr_any();
        #[link_name = "__gmpn_mul_basecase_coreibwl"]
        fn mul_broadwell();
        #[link_name = "__gmpn_sqr_basecase_coreibwl"]
        fn sqr_broadwell();
    }
    // SAFETY: GMP fills its table; two entries are replaced, when they are what they are taken for, by functions of the
    // same types before anything else calls GMP.
    unsafe {
        init();
        let known = [
            (MUL, mul_any as *const (), mul_broadwell as *const ()),
            (SQR, sqr_any as *const (), sqr_broadwell as *const ()),
        ];
        if known.iter().all(|(place, any, _)| TABLE[*place] == *any)
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("adx")
        {
            known.iter().for_each(|(place, _, better)| TABLE[*place] = *better);
        }
    }
}

/// GMP's own version. Asked first, so that it also settles which code GMP takes.
#[unsafe(no_mangle)]
pub extern "C" fn peer_version(text: &mut [u8; 64]) {
    #[cfg(all(feature = "source", target_arch = "x86_64"))]
    choose();
    // SAFETY: a constant string, ended by zero.
    let version = unsafe { CStr::from_ptr(VERSION) }.to_bytes();
    let home: &[u8] = if cfg!(feature = "source") { b"" } else { b" (of the system)" };
    for (place, byte) in text.iter_mut().take(63).zip(version.iter().chain(home)) {
        *place = *byte;
    }
}
