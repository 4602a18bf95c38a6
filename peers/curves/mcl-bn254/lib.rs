//! mcl with the functions that it writes for BN254: its towers, multiples of points and pairings. Its elements have six
//! words, the upper two unused; of points and pairings, what is copied is in its time.

use std::os::raw::{c_int, c_void};

use mcl_rust::{CurveType, init};

include!("../functions.rs");
include!("../../prime/functions.rs");

unsafe extern "C" {
    fn mclBn_getVersion() -> u32;
    fn mclBnFr_setLittleEndian(x: *mut c_void, bytes: *const c_void, count: usize) -> c_int;
    fn mclBnG1_mulCT(z: *mut c_void, x: *const c_void, y: *const c_void);
    fn mclBnG2_mulCT(z: *mut c_void, x: *const c_void, y: *const c_void);
    fn mclBnFp2_mul(z: *mut c_void, x: *const c_void, y: *const c_void);
    fn mclBnFp2_sqr(y: *mut c_void, x: *const c_void);
    fn mclBnGT_mul(z: *mut c_void, x: *const c_void, y: *const c_void);
    fn mclBnGT_sqr(y: *mut c_void, x: *const c_void);
    fn mclBn_pairing(z: *mut c_void, x: *const c_void, y: *const c_void);
}

/// 2^256 mod p: 1 in Montgomery form.
const ONE: [u64; 4] = [0xd35d438dc58f0d9d, 0x0a78eb28f5c70b3d, 0x666ea36f7879462c, 0x0e0a77c19a07df2f];

/// Elements of four words as ones of six.
fn wide<const N: usize>(words: &[u64]) -> [u64; N] {
    let mut all = [0; N];
    all.chunks_mut(6).zip(words.chunks(4)).for_each(|(to, from)| to[..4].copy_from_slice(from));
    all
}

fn narrow(o: &mut [u64], words: &[u64]) {
    o.chunks_mut(4).zip(words.chunks(6)).for_each(|(to, from)| to.copy_from_slice(&from[..4]));
}

type Multiple = unsafe extern "C" fn(*mut c_void, *const c_void, *const c_void);

/// k·p for coordinates of `N` words of mcl's.
fn multiple<const N: usize>(function: Multiple, o: &mut [u64], k: &[u64; 4], p: &[u64]) {
    let (mut scalar, p, mut out) = ([0u64; 6], wide::<N>(p), [0u64; N]);
    // SAFETY: a scalar and points take at most as many words.
    unsafe {
        mclBnFr_setLittleEndian(scalar.as_mut_ptr().cast(), k.as_ptr().cast(), 32);
        function(out.as_mut_ptr().cast(), p.as_ptr().cast(), scalar.as_ptr().cast());
    }
    narrow(o, &out);
}

foreign_mul! {
    peer_bn254_fp2_mul_montgomery_in_6: 12 = 12, mclBnFp2_mul;
    peer_bn254_fp12_mul_montgomery_in_6: 72 = 72, mclBnGT_mul;
}
foreign_sqr! {
    peer_bn254_fp2_sqr_montgomery_in_6: 12 = 12, mclBnFp2_sqr;
    peer_bn254_fp12_sqr_montgomery_in_6: 72 = 72, mclBnGT_sqr;
}

export! {
    // The library's own version. It is asked for before anything else: mcl writes its functions for one curve now.
    peer_version(text: [u8; 64]) {
        // SAFETY: it reads nothing.
        let version = unsafe { mclBn_getVersion() };
        let told = if init(CurveType::SNARK) {
            format!("{}.{:02x}", version >> 8, version & 0xff)
        } else {
            "not started".into()
        };
        text[..told.len()].copy_from_slice(told.as_bytes());
    }
    peer_bn254_g1_scalar_mul(o: [u64; 12], k: [u64; 4], p: [u64; 12]) { multiple::<18>(mclBnG1_mulCT, o, k, p); }
    peer_bn254_g2_scalar_mul(o: [u64; 24], k: [u64; 4], p: [u64; 24]) { multiple::<36>(mclBnG2_mulCT, o, k, p); }
    peer_bn254_pairing(o: [u64; 48], p: [u64; 8], q: [u64; 16]) {
        let (mut x, mut y, mut out) = (wide::<18>(p), wide::<36>(q), [0u64; 72]);
        (x[12..16].copy_from_slice(&ONE), y[24..28].copy_from_slice(&ONE));
        // SAFETY: points and values take as many words.
        unsafe { mclBn_pairing(out.as_mut_ptr().cast(), x.as_ptr().cast(), y.as_ptr().cast()) };
        narrow(o, &out);
    }
}
