//! x86-64: the time-stamp counter, and the extensions that matter to field arithmetic.

/// The tick counter, after everything before it and before everything after it.
#[inline(always)]
pub(crate) fn ticks() -> u64 {
    use std::arch::x86_64::{_mm_lfence, _rdtsc};
    // SAFETY: `lfence` and `rdtsc` belong to every x86-64 processor and touch no memory.
    unsafe {
        _mm_lfence();
        let now = _rdtsc();
        _mm_lfence();
        now
    }
}

/// Runs a chain of register-register additions, each waiting for the one before: `CHAIN_CYCLES` core cycles.
/// (Additions of small immediates would not do: recent cores fold them away at rename.)
#[inline(never)]
pub(crate) fn dependent_additions(start: u64) -> u64 {
    let mut sum = start;
    for _ in 0..32 {
        // SAFETY: 64 additions between two registers; no memory is touched.
        unsafe {
            std::arch::asm!(
                ".rept 64", "add {sum}, {step}", ".endr",
                sum = inout(reg) sum, step = in(reg) start, options(pure, nomem, nostack)
            );
        }
    }
    sum
}

/// The instruction-set extensions present, of those that matter to field arithmetic.
pub(crate) fn features() -> Vec<String> {
    macro_rules! present {
        ($($name:tt)*) => {
            [$(($name, std::arch::is_x86_feature_detected!($name))),*]
        };
    }
    let all = present!("adx" "avx" "avx2" "avx512bw" "avx512dq" "avx512f" "avx512ifma" "avx512vbmi" "avx512vbmi2" "avx512vl"
        "avx512vpopcntdq" "avxifma" "bmi1" "bmi2" "fma" "gfni" "pclmulqdq" "sse4.1" "vpclmulqdq");
    all.iter().filter(|(_, present)| *present).map(|(name, _)| name.to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chain_makes_every_addition() {
        assert_eq!(dependent_additions(3), 3 + 2048 * 3);
    }
}
