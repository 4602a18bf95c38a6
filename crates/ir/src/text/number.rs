//! Big integers in text: short, and the same number back.

use num_bigint::{BigInt, Sign};
use num_traits::ToPrimitive;

use crate::range::{Interval, pow2};

/// Decimal when short, `2^k` and `(2^k±c)` near powers of two, else hexadecimal.
pub(super) fn show(x: &BigInt) -> String {
    let sign = if x.sign() == Sign::Minus { "-" } else { "" };
    let m = BigInt::from(x.magnitude().clone());
    if m < BigInt::from(1000) {
        return format!("{sign}{m}");
    }
    let k = m.bits() as u32;
    let (above, below) = (&m - pow2(k - 1), pow2(k) - &m);
    // Small differences from a power of two, smaller ones first; small numbers are clearer in decimal.
    let near = |c: &BigInt| c.to_u32().filter(|c| *c < if k > 32 { 1 << 16 } else { 2 });
    match (near(&above), near(&below)) {
        (Some(0), _) => format!("{sign}2^{}", k - 1),
        (Some(c), None) => format!("{sign}(2^{}+{c})", k - 1),
        (_, Some(c)) => format!("{sign}(2^{k}-{c})"),
        _ if k <= 32 => format!("{sign}{m}"),
        _ => format!("{sign}{m:#x}"),
    }
}

/// ` <2^k`, ` [c]` or ` [lo, hi]`.
pub(super) fn show_range(r: &Interval) -> String {
    let size = (&r.hi + 1u32).bits() as u32;
    if r.lo == r.hi {
        format!("[{}]", show(&r.lo))
    } else if r.lo.sign() == Sign::NoSign && r.hi.sign() == Sign::Plus && r.hi == pow2(size - 1) - 1 {
        format!("<2^{}", size - 1)
    } else {
        format!("[{}, {}]", show(&r.lo), show(&r.hi))
    }
}
