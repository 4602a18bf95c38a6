//! What this processor has, of what compilers and peers take where it is there.

macro_rules! features {
    ($($name:tt)*) => {
        /// The features of this processor, by the compiler's names.
        pub fn features() -> Vec<&'static str> {
            let mut features = Vec::new();
            #[cfg(target_arch = "x86_64")]
            {
                $(if is_x86_feature_detected!($name) {
                    features.push($name);
                })*
            }
            features
        }
    };
}

features! {
    "sse3" "ssse3" "sse4.1" "sse4.2" "popcnt" "avx" "avx2" "fma" "f16c" "bmi1" "bmi2" "lzcnt" "movbe" "adx" "aes"
    "pclmulqdq" "sha" "gfni" "vaes" "vpclmulqdq" "avx512f" "avx512bw" "avx512cd" "avx512dq" "avx512vl" "avx512ifma"
    "avx512vbmi" "avx512vbmi2" "avx512bitalg" "avx512vnni" "avx512vpopcntdq" "avx512bf16" "avx512fp16" "avxifma"
}

/// Those that this processor lacks.
pub fn lacking<'a>(needed: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let has = features();
    needed.into_iter().filter(|feature| !has.contains(feature)).collect()
}

/// The level of x86-64 that Go compiles for: a program for a higher one ends with its process.
pub fn go_level() -> &'static str {
    const V2: [&str; 5] = ["sse3", "ssse3", "sse4.1", "sse4.2", "popcnt"];
    const V3: [&str; 8] = ["avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "lzcnt", "movbe"];
    const V4: [&str; 5] = ["avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"];
    let has = |features: &[&'static str]| lacking(features.iter().copied()).is_empty();
    match (has(&V2), has(&V3), has(&V4)) {
        (true, true, true) => "v4",
        (true, true, false) => "v3",
        (true, false, _) => "v2",
        _ => "v1",
    }
}
