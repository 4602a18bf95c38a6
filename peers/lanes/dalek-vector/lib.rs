//! curve25519-dalek's fields for AVX-512 IFMA and AVX2: its source files, compiled here, because no function of them is
//! public. Four elements at a time in vectors of 256 bits: for IFMA five digits of 51 bits, a digit of all four in a
//! vector; for AVX2 ten digits of 26 and 25 bits, two digits of all four in a vector.

include!(concat!(env!("OUT_DIR"), "/dalek.rs"));

use backend::vector::avx2::field::FieldElement2625x4;
use backend::vector::ifma::field::{F51x4Reduced, F51x4Unreduced};

/// Vectors of four elements.
const N: usize = 16;

/// Products that are operands again: reduced, as the library's formulas need them for the next product.
#[unsafe(no_mangle)]
#[inline(never)]
pub extern "C" fn peer_25519_mul_reduced(o: &mut [F51x4Reduced; N], a: &[F51x4Reduced; N], b: &[F51x4Reduced; N]) {
    for ((o, a), b) in o.iter_mut().zip(a).zip(b) {
        *o = F51x4Reduced::from(a * b);
    }
}

/// Products alone: digits that are not operands of a product, but of a sum.
#[unsafe(no_mangle)]
#[inline(never)]
pub extern "C" fn peer_25519_mul_unreduced(o: &mut [F51x4Unreduced; N], a: &[F51x4Reduced; N], b: &[F51x4Reduced; N]) {
    for ((o, a), b) in o.iter_mut().zip(a).zip(b) {
        *o = a * b;
    }
}

/// Products by 32-bit multiplications.
#[unsafe(no_mangle)]
#[inline(never)]
pub extern "C" fn peer_25519_mul_avx2(
    o: &mut [FieldElement2625x4; N],
    a: &[FieldElement2625x4; N],
    b: &[FieldElement2625x4; N],
) {
    for ((o, a), b) in o.iter_mut().zip(a).zip(b) {
        *o = a * b;
    }
}
