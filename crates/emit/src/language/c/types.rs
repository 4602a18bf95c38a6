//! How the types of the kernel language are held in C, and how numbers are written.
//!
//! An integer of n bits lives in the smallest unsigned type that holds it. Words of 32 and 64 bits and wide words of 64
//! and 128 bits fill their type and are *native*: C's own operators are their arithmetic. All others (toy words, bytes)
//! are masked after each operation. In a bit-sliced kernel every value is an `evariste_lanes`: as many elements, one
//! bit of each, as a word of the compiler's choice has bits ([`LANES`]).

use evariste_ir::Type;
use evariste_ir::range::pow2;
use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive, Zero};

use crate::unit::{Model, container};

/// The C type of an element.
pub fn c_type(model: Model, ty: Type) -> &'static str {
    match (model, ty) {
        (Model::Lanes, _) => "evariste_lanes",
        (_, Type::Float(_)) if ty.bits() == 32 => "float",
        (_, Type::Float(_)) => "double",
        _ => unsigned(ty.bits()),
    }
}

/// A constant of the type as a C expression that can stand as an operand.
pub fn constant(model: Model, ty: Type, value: &BigInt) -> String {
    match (model, ty) {
        (Model::Lanes, _) => if value.is_zero() { "EVARISTE_ALL(0)" } else { "EVARISTE_ALL(~0ull)" }.to_string(),
        (_, Type::Float(_)) => format!("{value}.0{}", if ty.bits() == 32 { "f" } else { "" }),
        _ => literal(value, ty.bits()),
    }
}

/// Defines the word of bit-sliced code.
pub const LANES: &str = "
/* Elements that one call of a bit-sliced function computes: 64, 32, 16 or 8 (-DEVARISTE_LANES=8), the same wherever the functions are used. With gcc and clang also 128: two words side by side, in
 * vectors where there are some. */
#ifndef EVARISTE_LANES
#define EVARISTE_LANES 64
#endif
#if EVARISTE_LANES == 128
#define evariste_lanes __attribute__((vector_size(16))) uint64_t
#define evariste_part uint64_t
#define EVARISTE_PARTS 2
#define EVARISTE_PART(x, h) ((x)[h])
#define EVARISTE_ALL(x) ((evariste_lanes){(x), (x)})
#else
#if EVARISTE_LANES == 64
#define evariste_lanes uint64_t
#elif EVARISTE_LANES == 32
#define evariste_lanes uint32_t
#elif EVARISTE_LANES == 16
#define evariste_lanes uint16_t
#elif EVARISTE_LANES == 8
#define evariste_lanes uint8_t
#else
#error \"EVARISTE_LANES is 128, 64, 32, 16 or 8\"
#endif
#define evariste_part evariste_lanes
#define EVARISTE_PARTS 1
#define EVARISTE_PART(x, h) (x)
#define EVARISTE_ALL(x) ((evariste_lanes)(x))
#endif
#define EVARISTE_PART_LANES (EVARISTE_LANES / EVARISTE_PARTS)
";

/// The unsigned type of at least `bits` bits.
pub fn unsigned(bits: u32) -> &'static str {
    match container(bits) {
        8 => "uint8_t",
        16 => "uint16_t",
        32 => "uint32_t",
        64 => "uint64_t",
        _ => "uint128",
    }
}

/// The unsigned type to compute in: at least 32 bits, so that C's promotions to a signed `int` do no harm.
pub fn computing(bits: u32) -> &'static str {
    unsigned(bits.max(32))
}

/// Do C's operators on the type wrap at exactly `bits` bits?
pub fn is_native(bits: u32) -> bool {
    matches!(bits, 32 | 64 | 128)
}

/// `2^k − 1` as a literal.
pub fn ones(k: u32) -> String {
    literal(&(pow2(k) - 1), k)
}

/// `value mod 2^bits` as a C constant of the computing type.
pub fn literal(value: &BigInt, bits: u32) -> String {
    let modulus = pow2(bits);
    let value = ((value % &modulus) + &modulus) % &modulus;
    if bits <= 64 {
        let suffix = if bits <= 32 { "u" } else { "ull" };
        return match value.to_u64() {
            Some(small) if small < 10 => format!("{small}{suffix}"),
            _ => format!("0x{value:x}{suffix}"),
        };
    }
    let (high, low): (BigInt, BigInt) = (&value >> 64u32, &value % pow2(64));
    if high.is_zero() {
        format!("(uint128){}", literal(&low, 64))
    } else {
        format!("((uint128){} << 64 | {})", literal(&high, 64), literal(&low, 64))
    }
}

/// The type of a table of indices.
pub fn index_type(entries: &[BigInt]) -> &'static str {
    let most = entries.iter().map(|e| e.bits()).max().unwrap_or(0) as u32;
    let negative = entries.iter().any(Signed::is_negative);
    match container(most.clamp(1, 31) + u32::from(negative)) {
        8 if negative => "int8_t",
        16 if negative => "int16_t",
        _ if negative => "int32_t",
        bits => unsigned(bits),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals() {
        let shown = [(0u64, 64), (9, 32), (10, 32), (255, 64), (31, 5)].map(|(v, n)| literal(&BigInt::from(v), n));
        assert_eq!(shown, ["0ull", "9u", "0xau", "0xffull", "0x1fu"]);
        assert_eq!(literal(&BigInt::from(-1), 5), "0x1fu");
        assert_eq!(literal(&(pow2(100) + 7), 128), "((uint128)0x1000000000ull << 64 | 7ull)");
        assert_eq!(literal(&BigInt::from(7), 128), "(uint128)7ull");
    }

    #[test]
    fn containers() {
        assert_eq!(
            [1, 8, 9, 32, 33, 64, 65, 128].map(unsigned),
            ["uint8_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t", "uint64_t", "uint128", "uint128"]
        );
        assert_eq!((computing(5), computing(40)), ("uint32_t", "uint64_t"));
    }
}
