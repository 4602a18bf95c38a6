//! Bounds of integers, and their common divisors. **Trusted.**

use super::Bounds;

/// What both bounds say.
pub(super) fn meet(a: Bounds, b: Bounds) -> Bounds {
    match (a, b) {
        (Some((l, h)), Some((m, i))) => Some((l.max(m), h.min(i))),
        (a, b) => a.or(b),
    }
}

/// The greatest common divisor.
pub(super) fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}
