//! Vectors of words of 32 bits, as [`crate::residues`] wants them: by AVX-512 with VNNI, and by AVX2.

use std::arch::x86_64::*;

use crate::residues::vector::{Modulus, Task, Vector};

/// Sixteen words.
#[derive(Clone, Copy)]
pub struct Wide(__m512i);

/// Eight words.
#[derive(Clone, Copy)]
pub struct Narrow(__m256i);

/// Runs a task on vectors of 512 bits.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,avx2,fma,bmi2")]
pub fn wide<T: Task>(task: T) -> T::Output {
    task.run::<Wide>()
}

/// Runs a task on vectors of 256 bits.
#[target_feature(enable = "avx2,fma,bmi2")]
pub fn narrow<T: Task>(task: T) -> T::Output {
    task.run::<Narrow>()
}

/// The instruction itself: compilers that do not know which processor this is for make a product and a sum of it.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
fn add_products(mut sum: __m512i, a: __m512i, b: __m512i) -> __m512i {
    // SAFETY: the instruction reads and writes these registers alone.
    unsafe {
        std::arch::asm!(
            "vpdpwssd {sum}, {a}, {b}",
            sum = inout(zmm_reg) sum,
            a = in(zmm_reg) a,
            b = in(zmm_reg) b,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    sum
}

/// Words whose lowest bits are the nearest integers to words times a number, up to 2^21.
#[inline]
#[target_feature(enable = "avx512f")]
fn quotients(words: __m512i, inverse: __m512) -> __m512i {
    _mm512_castps_si512(_mm512_fmadd_ps(_mm512_cvtepi32_ps(words), inverse, _mm512_set1_ps(12582912.0)))
}

/// Residues of the words of two vectors, as halves from such places.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn residues(a: Wide, b: Wide, m: &Modulus<Wide>, places: &[u16; 32]) -> Wide {
    // SAFETY: these are 64 bytes.
    let places = unsafe { _mm512_loadu_si512(places.as_ptr().cast()) };
    let q = _mm512_permutex2var_epi16(quotients(a.0, m.inverse), places, quotients(b.0, m.inverse));
    let x = _mm512_permutex2var_epi16(a.0, places, b.0);
    Wide(_mm512_sub_epi16(x, _mm512_mullo_epi16(q, m.halves.0)))
}

/// The places of the lower halves of the words of two vectors: those of the second one after those of the first.
static THEN: [u16; 32] = places(false);

/// The same: those of the second one as upper halves beside those of the first.
static BESIDE: [u16; 32] = places(true);

const fn places(beside: bool) -> [u16; 32] {
    let mut places = [0; 32];
    let mut i = 0;
    while i < 32 {
        // The second vector's halves are counted on from 32.
        places[i] = if beside { i as u16 / 2 * 2 + i as u16 % 2 * 32 } else { 2 * i as u16 };
        i += 1;
    }
    places
}

// In both: methods are called by the two functions above alone, whose callers have looked at what the processor has; they
// become part of them. Loads and stores are of as many words as the slice is cut to first.
macro_rules! by {
    ($call:expr) => {
        // SAFETY: the processor has the instruction, see above.
        unsafe { $call }
    };
}

impl Vector for Wide {
    const LANES: usize = 16;
    const ROWS: usize = 12;
    type Floats = __m512;

    #[inline(always)]
    fn all(x: i32) -> Wide {
        Wide(by!(_mm512_set1_epi32(x)))
    }
    #[inline(always)]
    fn load(from: &[i32]) -> Wide {
        let from = &from[..16];
        Wide(by!(_mm512_loadu_si512(from.as_ptr().cast())))
    }
    #[inline(always)]
    fn store(self, to: &mut [i32]) {
        let to = &mut to[..16];
        by!(_mm512_storeu_si512(to.as_mut_ptr().cast(), self.0))
    }
    #[inline(always)]
    fn add_products(self, a: Wide, b: Wide) -> Wide {
        Wide(by!(add_products(self.0, a.0, b.0)))
    }
    #[inline(always)]
    fn add(self, b: Wide) -> Wide {
        Wide(by!(_mm512_add_epi32(self.0, b.0)))
    }
    #[inline(always)]
    fn sub(self, b: Wide) -> Wide {
        Wide(by!(_mm512_sub_epi32(self.0, b.0)))
    }
    #[inline(always)]
    fn times(self, b: Wide) -> Wide {
        Wide(by!(_mm512_mullo_epi32(self.0, b.0)))
    }
    #[inline(always)]
    fn and(self, b: Wide) -> Wide {
        Wide(by!(_mm512_and_si512(self.0, b.0)))
    }
    #[inline(always)]
    fn or(self, b: Wide) -> Wide {
        Wide(by!(_mm512_or_si512(self.0, b.0)))
    }
    #[inline(always)]
    fn xor(self, b: Wide) -> Wide {
        Wide(by!(_mm512_xor_si512(self.0, b.0)))
    }
    #[inline(always)]
    fn left(self, bits: u32) -> Wide {
        Wide(by!(_mm512_sll_epi32(self.0, _mm_cvtsi32_si128(bits as i32))))
    }
    #[inline(always)]
    fn right(self, bits: u32) -> Wide {
        Wide(by!(_mm512_sra_epi32(self.0, _mm_cvtsi32_si128(bits as i32))))
    }
    #[inline(always)]
    fn halves(self, high: Wide) -> Wide {
        // Instructions pack in parts of 128 bits: first part of either, then the second ones, and so on.
        let order = by!(_mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7));
        Wide(by!(_mm512_permutexvar_epi64(order, _mm512_packs_epi32(self.0, high.0))))
    }
    // Residues have 16 bits: products with quotients and differences are taken modulo 2^16, and quotients are what a sum
    // with 3·2^22 leaves in the lowest bits, which makes one rounding of two.
    #[inline(always)]
    fn residues_beside(self, other: Wide, m: &Modulus<Wide>) -> Wide {
        by!(residues(self, other, m, &BESIDE))
    }
    #[inline(always)]
    fn residues_then(self, other: Wide, m: &Modulus<Wide>) -> Wide {
        by!(residues(self, other, m, &THEN))
    }
    #[inline(always)]
    fn widen(self, high: Wide, bits: u32, to: &mut [u64]) {
        let to = &mut to[..16];
        // SAFETY: of these sixteen words each half is written; the processor has the instructions.
        unsafe {
            let bits = _mm_cvtsi32_si128(bits as i32);
            let one = |low: __m256i, high: __m256i| {
                let high = _mm512_sll_epi64(_mm512_cvtepu32_epi64(high), bits);
                _mm512_or_si512(_mm512_cvtepu32_epi64(low), high)
            };
            let (a, b) = (self.0, high.0);
            let first = one(_mm512_castsi512_si256(a), _mm512_castsi512_si256(b));
            let second = one(_mm512_extracti64x4_epi64::<1>(a), _mm512_extracti64x4_epi64::<1>(b));
            _mm512_storeu_si512(to.as_mut_ptr().cast(), first);
            _mm512_storeu_si512(to.as_mut_ptr().add(8).cast(), second);
        }
    }
    #[inline(always)]
    fn part(from: &[u64], mask: u64, [right, left]: [u32; 2]) -> Wide {
        let from = &from[..8];
        // SAFETY: these are 64 bytes; the processor has the instructions.
        unsafe {
            let word =
                _mm512_and_si512(_mm512_loadu_si512(from.as_ptr().cast()), _mm512_set1_epi64(mask.cast_signed()));
            let word = _mm512_srlv_epi64(word, _mm512_set1_epi64(right.into()));
            Wide(_mm512_sllv_epi64(word, _mm512_set1_epi64(left.into())))
        }
    }
    #[inline(always)]
    fn split(self, low: &mut [i32], high: &mut [i32]) {
        let low = &mut low[..8];
        by!(_mm256_storeu_si256(low.as_mut_ptr().cast(), _mm512_cvtepi64_epi32(self.0)));
        if let Some(high) = high.first_chunk_mut::<8>() {
            let word = by!(_mm512_cvtepi64_epi32(_mm512_srli_epi64::<32>(self.0)));
            by!(_mm256_storeu_si256(high.as_mut_ptr().cast(), word));
        }
    }
    #[inline(always)]
    fn where_negative(self, sign: Wide, other: Wide) -> Wide {
        Wide(by!(_mm512_mask_blend_epi32(_mm512_movepi32_mask(sign.0), other.0, self.0)))
    }
    #[inline(always)]
    fn floats(self) -> __m512 {
        by!(_mm512_cvtepi32_ps(self.0))
    }
    #[inline(always)]
    fn all_floats(x: f32) -> __m512 {
        by!(_mm512_set1_ps(x))
    }
    #[inline(always)]
    fn product(a: __m512, b: __m512) -> __m512 {
        by!(_mm512_mul_ps(a, b))
    }
    #[inline(always)]
    fn sum(a: __m512, b: __m512) -> __m512 {
        by!(_mm512_add_ps(a, b))
    }
    #[inline(always)]
    fn nearest(a: __m512) -> Wide {
        Wide(by!(_mm512_cvt_roundps_epi32::<{ _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC }>(a)))
    }
    #[inline(always)]
    fn floor(a: __m512) -> Wide {
        Wide(by!(_mm512_cvt_roundps_epi32::<{ _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC }>(a)))
    }
}

impl Vector for Narrow {
    const LANES: usize = 8;
    const ROWS: usize = 6;
    type Floats = __m256;

    #[inline(always)]
    fn all(x: i32) -> Narrow {
        Narrow(by!(_mm256_set1_epi32(x)))
    }
    #[inline(always)]
    fn load(from: &[i32]) -> Narrow {
        let from = &from[..8];
        Narrow(by!(_mm256_loadu_si256(from.as_ptr().cast())))
    }
    #[inline(always)]
    fn store(self, to: &mut [i32]) {
        let to = &mut to[..8];
        by!(_mm256_storeu_si256(to.as_mut_ptr().cast(), self.0))
    }
    #[inline(always)]
    fn add_products(self, a: Narrow, b: Narrow) -> Narrow {
        Narrow(by!(_mm256_add_epi32(self.0, _mm256_madd_epi16(a.0, b.0))))
    }
    #[inline(always)]
    fn add(self, b: Narrow) -> Narrow {
        Narrow(by!(_mm256_add_epi32(self.0, b.0)))
    }
    #[inline(always)]
    fn sub(self, b: Narrow) -> Narrow {
        Narrow(by!(_mm256_sub_epi32(self.0, b.0)))
    }
    #[inline(always)]
    fn times(self, b: Narrow) -> Narrow {
        Narrow(by!(_mm256_mullo_epi32(self.0, b.0)))
    }
    #[inline(always)]
    fn and(self, b: Narrow) -> Narrow {
        Narrow(by!(_mm256_and_si256(self.0, b.0)))
    }
    #[inline(always)]
    fn or(self, b: Narrow) -> Narrow {
        Narrow(by!(_mm256_or_si256(self.0, b.0)))
    }
    #[inline(always)]
    fn xor(self, b: Narrow) -> Narrow {
        Narrow(by!(_mm256_xor_si256(self.0, b.0)))
    }
    #[inline(always)]
    fn left(self, bits: u32) -> Narrow {
        Narrow(by!(_mm256_sll_epi32(self.0, _mm_cvtsi32_si128(bits as i32))))
    }
    #[inline(always)]
    fn right(self, bits: u32) -> Narrow {
        Narrow(by!(_mm256_sra_epi32(self.0, _mm_cvtsi32_si128(bits as i32))))
    }
    #[inline(always)]
    fn halves(self, high: Narrow) -> Narrow {
        Narrow(by!(_mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packs_epi32(self.0, high.0))))
    }
    #[inline(always)]
    fn widen(self, high: Narrow, bits: u32, to: &mut [u64]) {
        let to = &mut to[..8];
        // SAFETY: of these eight words each half is written; the processor has the instructions.
        unsafe {
            let bits = _mm_cvtsi32_si128(bits as i32);
            let one = |low: __m128i, high: __m128i| {
                let high = _mm256_sll_epi64(_mm256_cvtepu32_epi64(high), bits);
                _mm256_or_si256(_mm256_cvtepu32_epi64(low), high)
            };
            let (a, b) = (self.0, high.0);
            let first = one(_mm256_castsi256_si128(a), _mm256_castsi256_si128(b));
            let second = one(_mm256_extracti128_si256::<1>(a), _mm256_extracti128_si256::<1>(b));
            _mm256_storeu_si256(to.as_mut_ptr().cast(), first);
            _mm256_storeu_si256(to.as_mut_ptr().add(4).cast(), second);
        }
    }
    #[inline(always)]
    fn part(from: &[u64], mask: u64, [right, left]: [u32; 2]) -> Narrow {
        let from = &from[..4];
        // SAFETY: these are 32 bytes; the processor has the instructions.
        unsafe {
            let word =
                _mm256_and_si256(_mm256_loadu_si256(from.as_ptr().cast()), _mm256_set1_epi64x(mask.cast_signed()));
            let word = _mm256_srlv_epi64(word, _mm256_set1_epi64x(right.into()));
            Narrow(_mm256_sllv_epi64(word, _mm256_set1_epi64x(left.into())))
        }
    }
    #[inline(always)]
    fn split(self, low: &mut [i32], high: &mut [i32]) {
        let low = &mut low[..4];
        // Even words, then odd ones.
        let words = by!(_mm256_permutevar8x32_epi32(self.0, _mm256_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7)));
        by!(_mm_storeu_si128(low.as_mut_ptr().cast(), _mm256_castsi256_si128(words)));
        if let Some(high) = high.first_chunk_mut::<4>() {
            by!(_mm_storeu_si128(high.as_mut_ptr().cast(), _mm256_extracti128_si256::<1>(words)));
        }
    }
    #[inline(always)]
    fn where_negative(self, sign: Narrow, other: Narrow) -> Narrow {
        let own = by!(_mm256_castsi256_ps(self.0));
        let (other, sign) = by!((_mm256_castsi256_ps(other.0), _mm256_castsi256_ps(sign.0)));
        Narrow(by!(_mm256_castps_si256(_mm256_blendv_ps(other, own, sign))))
    }
    #[inline(always)]
    fn floats(self) -> __m256 {
        by!(_mm256_cvtepi32_ps(self.0))
    }
    #[inline(always)]
    fn all_floats(x: f32) -> __m256 {
        by!(_mm256_set1_ps(x))
    }
    #[inline(always)]
    fn product(a: __m256, b: __m256) -> __m256 {
        by!(_mm256_mul_ps(a, b))
    }
    #[inline(always)]
    fn sum(a: __m256, b: __m256) -> __m256 {
        by!(_mm256_add_ps(a, b))
    }
    #[inline(always)]
    fn nearest(a: __m256) -> Narrow {
        let whole = by!(_mm256_round_ps::<{ _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC }>(a));
        Narrow(by!(_mm256_cvtps_epi32(whole)))
    }
    #[inline(always)]
    fn floor(a: __m256) -> Narrow {
        let whole = by!(_mm256_round_ps::<{ _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC }>(a));
        Narrow(by!(_mm256_cvtps_epi32(whole)))
    }
}
