//! AArch64: the extensions that matter to field arithmetic.

/// The instruction-set extensions present, of those that matter to field arithmetic.
pub(crate) fn features() -> Vec<String> {
    macro_rules! present {
        ($($name:tt)*) => {
            [$(($name, std::arch::is_aarch64_feature_detected!($name))),*]
        };
    }
    let all = present!("neon" "pmull" "sha3" "sve" "sve2");
    all.iter().filter(|(_, present)| *present).map(|(name, _)| name.to_string()).collect()
}
