//! plonky3: products of its packed fields, which are vectors as wide as this processor's; arrays of elements are taken
//! as arrays of packed ones, as they lie.

use p3_baby_bear::BabyBear;
use p3_field::{Field, PackedValue};
use p3_goldilocks::Goldilocks;
use p3_koala_bear::KoalaBear;
use p3_mersenne_31::Mersenne31;

/// Products of N elements.
fn mul<F: Field, const N: usize>(o: &mut [F; N], a: &[F; N], b: &[F; N]) {
    let (a, b) = (F::Packing::pack_slice(a), F::Packing::pack_slice(b));
    for ((o, a), b) in F::Packing::pack_slice_mut(o).iter_mut().zip(a).zip(b) {
        *o = *a * *b;
    }
}

/// Montgomery form, factor 2^32, canonical.
#[unsafe(no_mangle)]
#[inline(never)]
pub extern "C" fn peer_babybear_mul_array(o: &mut [BabyBear; 512], a: &[BabyBear; 512], b: &[BabyBear; 512]) {
    mul(o, a, b);
}

/// Any word that is congruent.
#[unsafe(no_mangle)]
#[inline(never)]
pub extern "C" fn peer_goldilocks_mul_array(o: &mut [Goldilocks; 256], a: &[Goldilocks; 256], b: &[Goldilocks; 256]) {
    mul(o, a, b);
}

/// Montgomery form, factor 2^32, canonical.
#[unsafe(no_mangle)]
#[inline(never)]
pub extern "C" fn peer_koalabear_mul_array(o: &mut [KoalaBear; 512], a: &[KoalaBear; 512], b: &[KoalaBear; 512]) {
    mul(o, a, b);
}

/// Words up to p.
#[unsafe(no_mangle)]
#[inline(never)]
pub extern "C" fn peer_mersenne31_mul_array(o: &mut [Mersenne31; 512], a: &[Mersenne31; 512], b: &[Mersenne31; 512]) {
    mul(o, a, b);
}
