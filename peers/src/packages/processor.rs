//! What this processor has, of what compilers and peers take where it is there, without what `EVARISTE_WITHOUT` names:
//! where it stands for a lesser processor, peers are built for that one too.

macro_rules! features {
    ($($name:tt)*) => {
        /// The features of this processor, by the compiler's names.
        fn present() -> Vec<&'static str> {
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

/// The features to build for.
pub fn features() -> Vec<&'static str> {
    let mut features = present();
    features.retain(|feature| !is_withheld(feature));
    features
}

/// The features that are there and to be done without.
pub fn withheld() -> Vec<&'static str> {
    let mut features = present();
    features.retain(|feature| is_withheld(feature));
    features
}

/// The names in `EVARISTE_WITHOUT`, which are those of `show program`.
pub fn asked_without() -> Vec<String> {
    let text = std::env::var("EVARISTE_WITHOUT").unwrap_or_default();
    text.split(',').map(|name| name.trim().to_string()).filter(|name| !name.is_empty()).collect()
}

/// Does `EVARISTE_WITHOUT` name it, or what it is of no use without?
fn is_withheld(feature: &str) -> bool {
    asked_without().iter().any(|name| match name.as_str() {
        "avx2" => feature.starts_with("avx") && feature != "avx" || ["fma", "vaes", "vpclmulqdq"].contains(&feature),
        "avx512" => feature.starts_with("avx512"),
        "ifma" => feature == "avx512ifma",
        "vbmi2" => feature.starts_with("avx512vbmi"),
        "bmi2" => ["bmi1", "bmi2", "adx"].contains(&feature),
        name => feature == name,
    })
}

/// Those that are not there, or to be done without.
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
