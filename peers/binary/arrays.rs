//! What the functions in C are exported by: each `peer_FIELD_mul_array(o, a, b)` on arrays of 64 elements.

use core::ffi::c_char;

macro_rules! arrays {
    ($($name:ident = $inner:ident;)*) => {
        unsafe extern "C" {
            $(fn $inner(o: *mut u64, a: *const u64, b: *const u64);)*
            fn shim_version(text: *mut c_char, bytes: usize);
        }
        $(
            /// # Safety
            /// Arrays of 64 elements of the field, the result's of 64 results.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $name(o: *mut u64, a: *const u64, b: *const u64) {
                // SAFETY: the caller's.
                unsafe { $inner(o, a, b) };
            }
        )*
    };
}

arrays! {
    peer_gf2_131_mul_array = shim_131;
    peer_gf2_163_mul_array = shim_163;
    peer_gf2_233_mul_array = shim_233;
    peer_gf2_283_mul_array = shim_283;
}

/// The library's own version.
#[unsafe(no_mangle)]
pub extern "C" fn peer_version(text: &mut [u8; 64]) {
    // SAFETY: 64 bytes, ended by zero.
    unsafe { shim_version(text.as_mut_ptr().cast(), text.len()) };
}
