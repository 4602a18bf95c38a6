//! A short digest that tells long moduli and polynomials apart in names.

use num_bigint::BigUint;

/// FNV-1a of the little-endian bytes.
pub(crate) fn digest(value: &BigUint) -> u32 {
    value.to_bytes_le().iter().fold(0x811c_9dc5, |hash: u32, &byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}
