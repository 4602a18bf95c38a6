//! mcl: its C interface, which calls the machine code that it writes for this processor when it starts.

use std::os::raw::{c_int, c_void};

use mcl_rust::{CurveType, init};

include!("../functions.rs");
include!("../../curves/functions.rs");

unsafe extern "C" {
    fn mclBn_getVersion() -> u32;
    fn mclBnFr_mul(z: *mut c_void, x: *const c_void, y: *const c_void);
    fn mclBnFr_add(z: *mut c_void, x: *const c_void, y: *const c_void);
    fn mclBnFr_sqr(y: *mut c_void, x: *const c_void);
    fn mclBnFp_mul(z: *mut c_void, x: *const c_void, y: *const c_void);
    fn mclBnFp_add(z: *mut c_void, x: *const c_void, y: *const c_void);
    fn mclBnFp_sqr(y: *mut c_void, x: *const c_void);
    fn mclBnFp2_mul(z: *mut c_void, x: *const c_void, y: *const c_void);
    fn mclBnFp2_sqr(y: *mut c_void, x: *const c_void);
    fn mclBnGT_mul(z: *mut c_void, x: *const c_void, y: *const c_void);
    fn mclBnGT_sqr(y: *mut c_void, x: *const c_void);
    fn mclBnFr_setLittleEndian(x: *mut c_void, bytes: *const c_void, count: usize) -> c_int;
    fn mclBnG1_mul(z: *mut c_void, x: *const c_void, y: *const c_void);
    fn mclBnG1_mulCT(z: *mut c_void, x: *const c_void, y: *const c_void);
    fn mclBnG1_mulEach(x: *mut c_void, y: *const c_void, count: usize);
    fn mclBnG2_mul(z: *mut c_void, x: *const c_void, y: *const c_void);
    fn mclBnG2_mulCT(z: *mut c_void, x: *const c_void, y: *const c_void);
    fn mclBn_pairing(z: *mut c_void, x: *const c_void, y: *const c_void);
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
    peer_bls12_381_fr_add_montgomery: 4 = 4, mclBnFr_add;
    peer_bls12_381_fp_add_montgomery: 6 = 6, mclBnFp_add;
    peer_bls12_381_fp2_mul_montgomery: 12 = 12, mclBnFp2_mul;
    peer_bls12_381_fp12_mul_montgomery: 72 = 72, mclBnGT_mul;
}
foreign_sqr! {
    peer_bls12_381_fr_sqr_montgomery: 4 = 4, mclBnFr_sqr;
    peer_bls12_381_fp_sqr_montgomery: 6 = 6, mclBnFp_sqr;
    peer_bls12_381_fp2_sqr_montgomery: 12 = 12, mclBnFp2_sqr;
    peer_bls12_381_fp12_sqr_montgomery: 72 = 72, mclBnGT_sqr;
}

/// 2^384 mod p: 1 in Montgomery form.
const ONE: [u64; 6] = [
    0x760900000002fffd,
    0xebf4000bc40c0002,
    0x5f48985753c758ba,
    0x77ce585370525745,
    0x5c071a97a256ec6d,
    0x15f65ec3fa80e493,
];

/// A scalar as mcl has it.
fn scalar(k: &[u64]) -> [u64; 4] {
    let mut own = [0; 4];
    // SAFETY: 32 bytes, and a scalar has four words.
    unsafe { mclBnFr_setLittleEndian(own.as_mut_ptr().cast(), k.as_ptr().cast(), 32) };
    own
}

macro_rules! multiple {
    ($($name:ident: $n:literal, $function:ident;)*) => {
        export! {$(
            $name(o: [u64; $n], k: [u64; 4], p: [u64; $n]) {
                // SAFETY: points of so many words, and a scalar.
                unsafe { $function(o.as_mut_ptr().cast(), p.as_ptr().cast(), scalar(k).as_ptr().cast()) }
            }
        )*}
    };
}

multiple! {
    peer_bls12_381_g1_scalar_mul: 18, mclBnG1_mulCT;
    peer_bls12_381_g1_scalar_mul_vartime: 18, mclBnG1_mul;
    peer_bls12_381_g2_scalar_mul: 36, mclBnG2_mulCT;
    peer_bls12_381_g2_scalar_mul_vartime: 36, mclBnG2_mul;
}

/// Points of a call of `mclBnG1_mulEach`, which has code for AVX-512 IFMA.
const EACH: usize = 64;

export! {
    peer_bls12_381_g1_scalar_mul_array(o: [u64; 18 * EACH], k: [u64; 4 * EACH], p: [u64; 18 * EACH]) {
        let mut scalars = [[0u64; 4]; EACH];
        scalars.iter_mut().zip(k.chunks(4)).for_each(|(to, k)| *to = scalar(k));
        o.copy_from_slice(p);
        // SAFETY: as many points and scalars.
        unsafe { mclBnG1_mulEach(o.as_mut_ptr().cast(), scalars.as_ptr().cast(), EACH) };
    }
    peer_bls12_381_pairing(o: [u64; 72], p: [u64; 12], q: [u64; 24]) {
        let (mut x, mut y) = ([0u64; 18], [0u64; 36]);
        x[..12].copy_from_slice(p);
        x[12..].copy_from_slice(&ONE);
        y[..24].copy_from_slice(q);
        y[24..30].copy_from_slice(&ONE);
        // SAFETY: points and values take as many words.
        unsafe { mclBn_pairing(o.as_mut_ptr().cast(), x.as_ptr().cast(), y.as_ptr().cast()) };
    }
}
