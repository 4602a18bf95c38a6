//! A number in digits of other sizes: cuts and shifts only.
//!
//! * **computes** the digits of a number at other weights.
//! * **needs** digits that do not overlap: each below the weight of the next.
//! * **gives** digits below the radix of their place, the last one with all bits that are left.
//! * **cost** for each place where a digit is cut: a mask, two shifts and an addition.
//! * **source** the conversions between radix 2^51 and bytes of Bernstein, "Curve25519" (2006). Additions, not ors: the
//!   bits are disjoint, and sums are proved.

use evariste_ir::range::bit_length;
use evariste_ir::{Builder, Value};

/// Digits of weights `to` (bits, starting at 0, increasing) from digits of weights `from`, all in one word type. A
/// digit's own range says how many bits it has; they must not overlap those of the next digit. The last target digit
/// takes all bits that are left.
///
/// Each source digit is cut at the places where a target digit begins; the pieces are shifted to their place and added.
pub fn repack(b: &mut Builder, digits: &[Value], from: &[u32], to: &[u32]) -> Vec<Value> {
    let Some(first) = digits.first() else { return Vec::new() };
    let zero = b.zero(b.ty(*first));
    let mut result = vec![zero; to.len()];
    for (digit, weight) in digits.iter().zip(from) {
        let end = weight + bit_length(b.max(*digit));
        let (mut rest, mut at) = (*digit, *weight);
        while at < end {
            // The target digit in which bit `at` lies, and where the next one begins.
            let j = to.partition_point(|w| *w <= at) - 1;
            let next = to.get(j + 1).copied().unwrap_or(end).min(end);
            let (piece, above) =
                if next < end { (b.low_bits(rest, next - at), b.shr(rest, next - at)) } else { (rest, rest) };
            let placed = b.shl(piece, at - to[j]);
            result[j] = b.add(result[j], placed);
            (rest, at) = (above, next);
        }
    }
    result
}
