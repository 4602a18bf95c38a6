//! The helpers in Java.

use std::collections::BTreeSet;

use evariste_ir::Kernel;
use evariste_ir::range::pow2;

use super::super::words::helpers;
use super::names::WORDS;
use super::notation::{element_type, has_both, literal, ones};
use crate::error::EmitError;
use crate::unit::Helper::{self, *};

/// The high word of a product of unsigned words, which Java has from version 18 on; the carry of a sum s, and the borrow of a
/// difference d (Warren, Hacker's Delight, 2-13).
const WORDS_OF_64: &str = "
    private static long mul_high(long a, long b) {
        return Math.multiplyHigh(a, b) + ((a >> 63) & b) + ((b >> 63) & a);
    }

    private static long carry(long a, long b, long s) {
        return ((a & b) | ((a | b) & ~s)) >>> 63;
    }

    private static long borrow(long a, long b, long d) {
        return ((~a & b) | ((~a | b) & d)) >>> 63;
    }
";

/// The texts of all that are needed.
pub fn all(needed: &BTreeSet<Helper>, kernel: &Kernel) -> Result<String, EmitError> {
    let text = |helper| if has_both(helper) { Some(String::new()) } else { text(helper) };
    Ok(WORDS_OF_64.to_string() + &helpers(needed, kernel, &WORDS, text)?)
}

fn masked(n: u32, text: &str) -> String {
    if n == 64 { text.to_string() } else { format!("({text}) & {}", ones(n)) }
}

/// The text of one; `None` where there is none.
fn text(helper: Helper) -> Option<String> {
    let words = |names: &str| names.split(", ").map(|name| format!("long {name}")).collect::<Vec<_>>().join(", ");
    let (parameters, body) = match helper {
        Barrier(_) | SelectGroup(..) => return Some(String::new()),
        Mask(n) if n <= 64 => (words("flag"), format!("return {};", masked(n, "-flag"))),
        AddWithCarry(n) if n <= 64 => (words("a, b, c"), format!("return {};", masked(n, "a + b + c"))),
        SubWithBorrow(n) if n <= 64 => (words("a, b, c"), format!("return {};", masked(n, "a - b - c"))),
        MaddLo(n, k) | MaddHi(n, k) if k <= 32 => {
            let product = format!("(a & {0}) * (b & {0})", ones(k));
            let part = match helper {
                MaddLo(..) => format!("({product} & {})", ones(k)),
                _ => format!("({product} >>> {k})"),
            };
            (words("sum, a, b"), format!("return {};", masked(n, &format!("sum + {part}"))))
        }
        Equal(n) if n <= 64 => {
            (words("a, b"), format!("long x = a ^ b;\n        return {}(1L ^ ((x | -x) >>> 63));", Mask(n).name()))
        }
        Less(n) if n <= 64 => (words("a, b"), format!("return {}(borrow(a, b, a - b));", Mask(n).name())),
        Select(n) if n <= 64 => (words("mask, a, b"), "return b ^ (mask & (a ^ b));".into()),
        Sar(n) if n <= 64 => {
            let sign = literal(&pow2(n - 1));
            let shifted = format!("((a ^ {sign}) - {sign}) >> (k < {n} ? k : {})", n - 1);
            ("long a, int k".into(), format!("return {};", masked(n, &shifted)))
        }
        Rotate(n) if n <= 64 => {
            let turned = masked(n, &format!("(a << k) | (a >>> ({n} - k))"));
            ("long a, int k".into(), format!("k %= {n};\n        return k == 0 ? a : {turned};"))
        }
        Funnel(n) if n <= 64 => {
            let shifted = masked(n, &format!("(high << ({n} - k)) | (low >>> k)"));
            ("long high, long low, int k".into(), format!("return k == 0 ? low : k == {n} ? high : {shifted};"))
        }
        Clmul(n) if n <= 32 => (words("a, b"), CARRYLESS.into()),
        RijndaelMul => (words("a, b"), RIJNDAEL.into()),
        BitMatrix => (words("images, a"), BIT_MATRIX.into()),
        Lookup(n) => {
            let entry = if n == 8 { "(table[at + i] & 0xffL)" } else { "table[at + i]" };
            let body = format!(
                "long found = 0L;\n        for (int i = 0; i < length; i++) found |= {entry} & equal_64(index, i);\n        return found;"
            );
            (format!("{}[] table, int at, int length, long index", element_type(n)), body)
        }
        WrapIndex => return Some(index(helper, "i < length ? i : i - length")),
        FloorIndex => return Some(index(helper, "Math.floorMod(i, length)")),
        _ => return None,
    };
    Some(format!("\n    private static long {}({parameters}) {{\n        {body}\n    }}\n", helper.name()))
}

fn index(helper: Helper, value: &str) -> String {
    format!("\n    private static int {}(int i, int length) {{\n        return {value};\n    }}\n", helper.name())
}

/// Products of integers whose bits are four apart: no sum of half words reaches the next bit.
const CARRYLESS: &str = "final long m = 0x1111111111111111L;
        long a0 = a & m, a1 = a & (m << 1), a2 = a & (m << 2), a3 = a & (m << 3);
        long b0 = b & m, b1 = b & (m << 1), b2 = b & (m << 2), b3 = b & (m << 3);
        long r0 = (a0 * b0) ^ (a1 * b3) ^ (a2 * b2) ^ (a3 * b1);
        long r1 = (a0 * b1) ^ (a1 * b0) ^ (a2 * b3) ^ (a3 * b2);
        long r2 = (a0 * b2) ^ (a1 * b1) ^ (a2 * b0) ^ (a3 * b3);
        long r3 = (a0 * b3) ^ (a1 * b2) ^ (a2 * b1) ^ (a3 * b0);
        return (r0 & m) | (r1 & (m << 1)) | (r2 & (m << 2)) | (r3 & (m << 3));";

const RIJNDAEL: &str = "long r = 0L, x = a;
        for (int i = 0; i < 8; i++) {
            r ^= x & -((b >>> i) & 1L);
            x = (x << 1) ^ (0x11bL & -((x >>> 7) & 1L));
        }
        return r;";

const BIT_MATRIX: &str = "long r = 0L;
        for (int i = 0; i < 8; i++) {
            r ^= ((images >>> (8 * i)) & 0xffL) & -((a >>> i) & 1L);
        }
        return r;";
