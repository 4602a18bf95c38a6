//! x86-64: AVX2, and AVX-512 with multiply-adds of 52 bits.

use super::level::{Body, Level, Moves, Processor};
use crate::unit::Helper;

/// Of gcc and clang. (gcc does not align the stack of Windows to what vectors need.)
pub static X86_64: Processor = Processor {
    name: "x86-64",
    compiled_for: "defined(__x86_64__) && EVARISTE_INTRINSICS && !defined(_WIN32) && !defined(__CYGWIN__)",
    compilers: COMPILERS,
    opening: OPENING,
    prepare: "__builtin_cpu_init();",
    levels: &[AVX2, AVX_512],
};

/// The first versions that have all names and ask for all features.
const COMPILERS: &str = "
#if defined(__clang__)
#define EVARISTE_INTRINSICS (__clang_major__ >= 9)
#elif defined(__GNUC__)
#define EVARISTE_INTRINSICS (__GNUC__ >= 7)
#else
#define EVARISTE_INTRINSICS 0
#endif
";

const OPENING: &str = "
#include <immintrin.h>

#define EVARISTE_PAIR(p) _mm_loadu_si128((const __m128i *)(const void *)(p))
";

const AVX2: Level = Level {
    name: "avx2",
    suffix: "avx2",
    title: "AVX2",
    vector: "__m256i",
    start: "_mm256",
    bits: 256,
    target: "avx2",
    runs: "__builtin_cpu_supports(\"avx2\")",
    broadcast: "_mm256_set1_epi64x",
    product: ("mul_low_avx2", MUL_LOW),
    by_half: BY_HALF,
    signed_shift: None,
    helper: |helper| body(helper, false),
    moves: AVX2_MOVES,
};

const AVX_512: Level = Level {
    name: "avx-512",
    suffix: "avx512",
    title: "AVX-512 with IFMA",
    vector: "__m512i",
    start: "_mm512",
    bits: 512,
    target: "avx512f,avx512dq,avx512ifma",
    runs: "__builtin_cpu_supports(\"avx512f\") && __builtin_cpu_supports(\"avx512dq\") && __builtin_cpu_supports(\"avx512ifma\")",
    broadcast: "_mm512_set1_epi64",
    product: ("_mm512_mullo_epi64", ""),
    by_half: WIDE_BY_HALF,
    signed_shift: Some("_mm512_srai_epi64"),
    helper: |helper| body(helper, true),
    moves: AVX_512_MOVES,
};

/// Products of halves: the high one of the two counts for nothing.
const MUL_LOW: &str = "
EVARISTE_AVX2 __m256i mul_low_avx2(__m256i a, __m256i b) {
  __m256i cross = _mm256_add_epi64(_mm256_mul_epu32(_mm256_srli_epi64(a, 32), b), _mm256_mul_epu32(a, _mm256_srli_epi64(b, 32)));
  return _mm256_add_epi64(_mm256_mul_epu32(a, b), _mm256_slli_epi64(cross, 32));
}
";

/// Two products, of which the high one counts 32 bits further up.
const BY_HALF: &str = "
EVARISTE_AVX2 __m256i mul_wide_by_half_avx2(__m256i a, __m256i half, __m256i *high) {
  __m256i low = _mm256_mul_epu32(a, half), cross = _mm256_mul_epu32(_mm256_srli_epi64(a, 32), half);
  *high = _mm256_srli_epi64(_mm256_add_epi64(cross, _mm256_srli_epi64(low, 32)), 32);
  return _mm256_add_epi64(low, _mm256_slli_epi64(cross, 32));
}
";

/// As that of AVX2.
const WIDE_BY_HALF: &str = "
EVARISTE_AVX512 __m512i mul_wide_by_half_avx512(__m512i a, __m512i half, __m512i *high) {
  __m512i low = _mm512_mul_epu32(a, half), cross = _mm512_mul_epu32(_mm512_srli_epi64(a, 32), half);
  *high = _mm512_srli_epi64(_mm512_add_epi64(cross, _mm512_srli_epi64(low, 32)), 32);
  return _mm512_add_epi64(low, _mm512_slli_epi64(cross, 32));
}
";

/// What a helper is in intrinsics, which are written as of 256 bits; `wide`: AVX-512.
fn body(helper: Helper, wide: bool) -> Option<Body> {
    let of = |parameters, second, text: &str| {
        let text = if wide {
            text.replace("_mm256_set1_epi64x", "_mm512_set1_epi64")
                .replace("_mm256", "_mm512")
                .replace("__m256i", "__m512i")
                .replace("si256", "si512")
        } else {
            text.to_string()
        };
        Some(Body { parameters, second, text })
    };
    match helper {
        Helper::Mask(n) => of("flag", "", &format!("  return {};\n", mask(n, "flag"))),
        Helper::Equal(n) => {
            let mask =
                if wide { "_mm512_movm_epi64(_mm512_cmpeq_epi64_mask(a, b))" } else { "_mm256_cmpeq_epi64(a, b)" };
            of("a, b", "", &format!("  return {};\n", low(n, mask)))
        }
        Helper::Less(n) => of("a, b", "", &format!("  return {};\n", low(n, &less(n, "a", "b", wide)))),
        Helper::Select(64) if wide => of("mask, a, b", "", "  return _mm512_ternarylogic_epi64(mask, a, b, 0xca);\n"),
        Helper::Select(64) => of("mask, a, b", "", "  return _mm256_blendv_epi8(b, a, mask);\n"),
        Helper::Select(_) => {
            of("mask, a, b", "", "  return _mm256_xor_si256(b, _mm256_and_si256(mask, _mm256_xor_si256(a, b)));\n")
        }
        Helper::MaddLo(64, 52) if wide => of("sum, a, b", "", "  return _mm512_madd52lo_epu64(sum, a, b);\n"),
        Helper::MaddHi(64, 52) if wide => of("sum, a, b", "", "  return _mm512_madd52hi_epu64(sum, a, b);\n"),
        Helper::AddWithCarry(n) | Helper::AddCarry(n) => {
            carried(helper, n, wide).and_then(|(s, t)| of("a, b, carry", s, &t))
        }
        Helper::SubWithBorrow(n) | Helper::SubBorrow(n) => {
            carried(helper, n, wide).and_then(|(s, t)| of("a, b, borrow", s, &t))
        }
        Helper::MulWide(n @ (..=32 | 64)) => of("a, b", "high", &product(n, None)),
        Helper::MulAddAdd(n @ ..=32) => {
            of("a, b, c, d", "high", &product(n, Some("_mm256_add_epi64(_mm256_add_epi64(t, c), d)")))
        }
        _ => None,
    }
}

/// The lowest bits of an expression.
fn low(n: u32, text: &str) -> String {
    if n == 64 {
        text.to_string()
    } else {
        format!("_mm256_and_si256({text}, _mm256_set1_epi64x({:#x}ll))", (1u64 << n) - 1)
    }
}

fn mask(n: u32, flag: &str) -> String {
    low(n, &format!("_mm256_sub_epi64(_mm256_set1_epi64x(0), {flag})"))
}

/// All ones where `a < b`, of numbers of n bits.
fn less(n: u32, a: &str, b: &str, wide: bool) -> String {
    match n {
        _ if wide => format!("_mm512_movm_epi64(_mm512_cmplt_epu64_mask({a}, {b}))"),
        64 => {
            let signed =
                |x: &str| format!("_mm256_xor_si256({x}, _mm256_set1_epi64x((long long)0x8000000000000000ull))");
            format!("_mm256_cmpgt_epi64({}, {})", signed(b), signed(a))
        }
        _ => format!("_mm256_cmpgt_epi64({b}, {a})"),
    }
}

/// Sums and differences with a carry in and perhaps out: the name of what goes out, and the statements.
fn carried(helper: Helper, n: u32, wide: bool) -> Option<(&'static str, String)> {
    let (op, carry, adds) = match helper {
        Helper::AddCarry(_) | Helper::AddWithCarry(_) => ("add", "carry", true),
        _ => ("sub", "borrow", false),
    };
    let first = format!("_mm256_{op}_epi64(a, b)");
    if matches!(helper, Helper::AddWithCarry(_) | Helper::SubWithBorrow(_)) {
        let whole = low(n, &format!("_mm256_{op}_epi64({first}, {carry})"));
        return Some(("", format!("  return {whole};\n")));
    }
    if n < 64 {
        // What leaves the number's bits is in those above, or below zero.
        let out = format!("_mm256_srli_epi64(t, {})", if adds { n } else { 63 });
        let text =
            format!("  __m256i t = _mm256_{op}_epi64({first}, {carry});\n  *out = {out};\n  return {};\n", low(n, "t"));
        return Some(("out", text));
    }
    let (x, y) = if adds {
        (less(64, "t", "a", wide), less(64, "u", "t", wide))
    } else {
        (less(64, "a", "b", wide), less(64, "t", carry, wide))
    };
    let text = format!(
        "  __m256i t = {first}, u = _mm256_{op}_epi64(t, {carry});\n  *out = _mm256_srli_epi64(_mm256_or_si256({x}, {y}), 63);\n  return u;\n"
    );
    Some(("out", text))
}

/// Both words of a product and of what is added to it.
fn product(n: u32, sum: Option<&str>) -> String {
    if n <= 32 {
        let sum = sum.map_or(String::new(), |sum| format!("  t = {sum};\n"));
        return format!(
            "  __m256i t = _mm256_mul_epu32(a, b);\n{sum}  *high = _mm256_srli_epi64(t, {n});\n  return {};\n",
            low(n, "t")
        );
    }
    "  __m256i low32 = _mm256_set1_epi64x(0xffffffffll), a1 = _mm256_srli_epi64(a, 32), b1 = _mm256_srli_epi64(b, 32);
  __m256i low = _mm256_mul_epu32(a, b), x = _mm256_mul_epu32(a1, b), y = _mm256_mul_epu32(a, b1);
  /* Neither sum passes 64 bits. */
  x = _mm256_add_epi64(x, _mm256_srli_epi64(low, 32));
  y = _mm256_add_epi64(y, _mm256_and_si256(x, low32));
  *high = _mm256_add_epi64(_mm256_mul_epu32(a1, b1), _mm256_add_epi64(_mm256_srli_epi64(x, 32), _mm256_srli_epi64(y, 32)));
  return _mm256_or_si256(_mm256_and_si256(low, low32), _mm256_slli_epi64(y, 32));
"
    .to_string()
}

/// Pairs of words go through halves of 128 bits: a load of two words each, one instruction between registers for each
/// vector.
const AVX2_MOVES: Moves = Moves {
    pairs: "
/* Words 0 and 1 of four elements of n words, and back. */
EVARISTE_AVX2 void evariste_in_pair_avx2(__m256i *low, __m256i *high, const uint64_t *x, size_t n) {
  __m256i even = _mm256_inserti128_si256(_mm256_castsi128_si256(EVARISTE_PAIR(x)), EVARISTE_PAIR(x + 2 * n), 1);
  __m256i odd = _mm256_inserti128_si256(_mm256_castsi128_si256(EVARISTE_PAIR(x + n)), EVARISTE_PAIR(x + 3 * n), 1);
  *low = _mm256_unpacklo_epi64(even, odd);
  *high = _mm256_unpackhi_epi64(even, odd);
}

EVARISTE_AVX2 void evariste_out_pair_avx2(uint64_t *x, size_t n, __m256i low, __m256i high) {
  __m256i even = _mm256_unpacklo_epi64(low, high), odd = _mm256_unpackhi_epi64(low, high);
  _mm_storeu_si128((__m128i *)(void *)x, _mm256_castsi256_si128(even));
  _mm_storeu_si128((__m128i *)(void *)(x + n), _mm256_castsi256_si128(odd));
  _mm_storeu_si128((__m128i *)(void *)(x + 2 * n), _mm256_extracti128_si256(even, 1));
  _mm_storeu_si128((__m128i *)(void *)(x + 3 * n), _mm256_extracti128_si256(odd, 1));
}
",
    ones: "
/* Word 0 of four elements of n words, and back. */
EVARISTE_AVX2 __m256i evariste_in_one_avx2(const uint64_t *x, size_t n) {
  return _mm256_set_epi64x((long long)x[3 * n], (long long)x[2 * n], (long long)x[n], (long long)x[0]);
}

EVARISTE_AVX2 void evariste_out_one_avx2(uint64_t *x, size_t n, __m256i word) {
  uint64_t words[4];
  _mm256_storeu_si256((__m256i *)(void *)words, word);
  x[0] = words[0], x[n] = words[1], x[2 * n] = words[2], x[3 * n] = words[3];
}
",
    rows: "
/* Four elements of one word, and back. */
EVARISTE_AVX2 __m256i evariste_in_row_avx2(const uint64_t *x) {
  return _mm256_loadu_si256((const __m256i *)(const void *)x);
}

EVARISTE_AVX2 void evariste_out_row_avx2(uint64_t *x, __m256i word) {
  _mm256_storeu_si256((__m256i *)(void *)x, word);
}
",
    shorts: "
/* Four elements of one word of 32 bits, and back. */
EVARISTE_AVX2 __m256i evariste_in_short_avx2(const uint32_t *x) {
  return _mm256_cvtepu32_epi64(EVARISTE_PAIR(x));
}

EVARISTE_AVX2 void evariste_out_short_avx2(uint32_t *x, __m256i word) {
  __m256i low = _mm256_permutevar8x32_epi32(word, _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6));
  _mm_storeu_si128((__m128i *)(void *)x, _mm256_castsi256_si128(low));
}
",
};

/// As those of AVX2, of twice as many elements.
const AVX_512_MOVES: Moves = Moves {
    pairs: "
/* Words 0 and 1 of eight elements of n words, and back. */
EVARISTE_AVX512 __m512i evariste_in_half_avx512(const uint64_t *x, size_t n) {
  __m512i v = _mm512_castsi128_si512(EVARISTE_PAIR(x));
  v = _mm512_inserti64x2(v, EVARISTE_PAIR(x + 2 * n), 1);
  v = _mm512_inserti64x2(v, EVARISTE_PAIR(x + 4 * n), 2);
  return _mm512_inserti64x2(v, EVARISTE_PAIR(x + 6 * n), 3);
}

EVARISTE_AVX512 void evariste_out_half_avx512(uint64_t *x, size_t n, __m512i v) {
  _mm_storeu_si128((__m128i *)(void *)x, _mm512_castsi512_si128(v));
  _mm_storeu_si128((__m128i *)(void *)(x + 2 * n), _mm512_extracti64x2_epi64(v, 1));
  _mm_storeu_si128((__m128i *)(void *)(x + 4 * n), _mm512_extracti64x2_epi64(v, 2));
  _mm_storeu_si128((__m128i *)(void *)(x + 6 * n), _mm512_extracti64x2_epi64(v, 3));
}

EVARISTE_AVX512 void evariste_in_pair_avx512(__m512i *low, __m512i *high, const uint64_t *x, size_t n) {
  __m512i even = evariste_in_half_avx512(x, n), odd = evariste_in_half_avx512(x + n, n);
  *low = _mm512_unpacklo_epi64(even, odd);
  *high = _mm512_unpackhi_epi64(even, odd);
}

EVARISTE_AVX512 void evariste_out_pair_avx512(uint64_t *x, size_t n, __m512i low, __m512i high) {
  evariste_out_half_avx512(x, n, _mm512_unpacklo_epi64(low, high));
  evariste_out_half_avx512(x + n, n, _mm512_unpackhi_epi64(low, high));
}
",
    ones: "
/* Word 0 of eight elements of n words, and back. */
EVARISTE_AVX512 __m512i evariste_in_one_avx512(const uint64_t *x, size_t n) {
  return _mm512_set_epi64((long long)x[7 * n], (long long)x[6 * n], (long long)x[5 * n], (long long)x[4 * n],
                          (long long)x[3 * n], (long long)x[2 * n], (long long)x[n], (long long)x[0]);
}

EVARISTE_AVX512 void evariste_out_one_avx512(uint64_t *x, size_t n, __m512i word) {
  uint64_t words[8];
  size_t i;
  _mm512_storeu_si512((void *)words, word);
  for (i = 0; i < 8; i++) x[i * n] = words[i];
}
",
    rows: "
/* Eight elements of one word, and back. */
EVARISTE_AVX512 __m512i evariste_in_row_avx512(const uint64_t *x) {
  return _mm512_loadu_si512((const void *)x);
}

EVARISTE_AVX512 void evariste_out_row_avx512(uint64_t *x, __m512i word) {
  _mm512_storeu_si512((void *)x, word);
}
",
    shorts: "
/* Eight elements of one word of 32 bits, and back. */
EVARISTE_AVX512 __m512i evariste_in_short_avx512(const uint32_t *x) {
  return _mm512_cvtepu32_epi64(_mm256_loadu_si256((const __m256i *)(const void *)x));
}

EVARISTE_AVX512 void evariste_out_short_avx512(uint32_t *x, __m512i word) {
  _mm256_storeu_si256((__m256i *)(void *)x, _mm512_cvtepi64_epi32(word));
}
",
};
