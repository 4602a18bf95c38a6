//! The helpers in Go.

use std::collections::BTreeSet;

use evariste_ir::Kernel;
use evariste_ir::range::pow2;

use super::super::words::helpers;
use super::names::WORDS;
use super::notation::{literal, ones};
use crate::error::EmitError;
use crate::unit::Helper::{self, *};

/// The texts of all that are needed.
pub fn all(needed: &BTreeSet<Helper>, kernel: &Kernel) -> Result<String, EmitError> {
    helpers(needed, kernel, &WORDS, text)
}

fn masked(n: u32, text: &str) -> String {
    if n == 64 { text.to_string() } else { format!("({text}) & {}", ones(n)) }
}

/// The text of one; `None` where there is none.
fn text(helper: Helper) -> Option<String> {
    let (parameters, result, body) = match helper {
        // Those of words are in math/bits.
        Barrier(_) | SelectGroup(..) | MulWide(64) | MulAddAdd(64) | AddCarry(64) | SubBorrow(64) => {
            return Some(String::new());
        }
        Mask(_) | AddCarry(_) | SubBorrow(_) | AddWithCarry(_) | SubWithBorrow(_) | MulWide(_) | MulAddAdd(_)
        | MaddLo(..) | MaddHi(..) => arithmetic(helper)?,
        Equal(n) if n <= 64 => {
            ("a, b uint64", "uint64", format!("x := a ^ b\n\treturn {}(1 ^ (x|-x)>>63)", Mask(n).name()))
        }
        Less(n) if n <= 64 => {
            ("a, b uint64", "uint64", format!("_, less := bits.Sub64(a, b, 0)\n\treturn {}(less)", Mask(n).name()))
        }
        Select(n) if n <= 64 => ("mask, a, b uint64", "uint64", "return b ^ (mask & (a ^ b))".into()),
        Sar(n) if n <= 64 => {
            let sign = literal(&pow2(n - 1));
            let shifted = format!("uint64(int64((a^{sign})-{sign}) >> k)");
            ("a uint64, k int", "uint64", format!("return {}", masked(n, &shifted)))
        }
        Rotate(n) if n <= 64 => {
            ("a uint64, k int", "uint64", format!("k %= {n}\n\treturn {}", masked(n, &format!("a<<k | a>>({n}-k)"))))
        }
        Funnel(n) if n <= 64 => {
            ("high, low uint64, k int", "uint64", format!("return {}", masked(n, &format!("high<<({n}-k) | low>>k"))))
        }
        Clmul(n) if n <= 32 => ("a, b uint64", "uint64", CARRYLESS.into()),
        RijndaelMul => ("a, b uint64", "uint64", RIJNDAEL.into()),
        BitMatrix => ("images, a uint64", "uint64", BIT_MATRIX.into()),
        Lookup(n) => {
            let body = "found := uint64(0)\n\tfor i := 0; i < length; i++ {\n\t\tfound |= uint64(table[i]) & equal_64(index, uint64(i))\n\t}\n\treturn found";
            return Some(format!(
                "\nfunc {}(table []uint{n}, length int, index uint64) uint64 {{\n\t{body}\n}}\n",
                helper.name()
            ));
        }
        WrapIndex => ("i, length int", "int", "if i < length {\n\t\treturn i\n\t}\n\treturn i - length".into()),
        FloorIndex => {
            ("i, length int", "int", "i %= length\n\tif i < 0 {\n\t\treturn i + length\n\t}\n\treturn i".into())
        }
        _ => return None,
    };
    Some(format!("\nfunc {}({parameters}) {result} {{\n\t{body}\n}}\n", helper.name()))
}

/// Parameters, result and body of carries and products.
fn arithmetic(helper: Helper) -> Option<(&'static str, &'static str, String)> {
    Some(match helper {
        Mask(n) if n <= 64 => ("flag uint64", "uint64", format!("return {}", masked(n, "-flag"))),
        AddCarry(n) if n < 64 => {
            ("a, b, c uint64", "(uint64, uint64)", format!("s := a + b + c\n\treturn s & {}, s >> {n} & 1", ones(n)))
        }
        SubBorrow(n) if n < 64 => {
            ("a, b, c uint64", "(uint64, uint64)", format!("d := a - b - c\n\treturn d & {}, d >> {n} & 1", ones(n)))
        }
        AddWithCarry(n) if n <= 64 => ("a, b, c uint64", "uint64", format!("return {}", masked(n, "a + b + c"))),
        SubWithBorrow(n) if n <= 64 => ("a, b, c uint64", "uint64", format!("return {}", masked(n, "a - b - c"))),
        MulWide(n) if n <= 32 => {
            ("a, b uint64", "(uint64, uint64)", format!("t := a * b\n\treturn t & {}, t >> {n}", ones(n)))
        }
        MulWide(n) if n < 64 => (
            "a, b uint64",
            "(uint64, uint64)",
            format!("high, low := bits.Mul64(a, b)\n\treturn low & {}, high<<{} | low>>{n}", ones(n), 64 - n),
        ),
        MulAddAdd(n) if n <= 32 => {
            ("a, b, c, d uint64", "(uint64, uint64)", format!("t := a*b + c + d\n\treturn t & {}, t >> {n}", ones(n)))
        }
        MaddLo(n, k) | MaddHi(n, k) if k <= 32 => {
            let product = format!("(a & {0}) * (b & {0})", ones(k));
            let part = match helper {
                MaddLo(..) => format!("({product} & {})", ones(k)),
                _ => format!("({product} >> {k})"),
            };
            ("sum, a, b uint64", "uint64", format!("return {}", masked(n, &format!("sum + {part}"))))
        }
        _ => return None,
    })
}

/// Products of integers whose bits are four apart: no sum of half words reaches the next bit.
const CARRYLESS: &str = "const m = 0x1111111111111111
	a0, a1, a2, a3 := a&m, a&(m<<1), a&(m<<2), a&(m<<3)
	b0, b1, b2, b3 := b&m, b&(m<<1), b&(m<<2), b&(m<<3)
	r0 := a0*b0 ^ a1*b3 ^ a2*b2 ^ a3*b1
	r1 := a0*b1 ^ a1*b0 ^ a2*b3 ^ a3*b2
	r2 := a0*b2 ^ a1*b1 ^ a2*b0 ^ a3*b3
	r3 := a0*b3 ^ a1*b2 ^ a2*b1 ^ a3*b0
	return r0&m | r1&(m<<1) | r2&(m<<2) | r3&(m<<3)";

const RIJNDAEL: &str = "r, x := uint64(0), a
	for i := 0; i < 8; i++ {
		r ^= x & -(b >> i & 1)
		x = x<<1 ^ 0x11b & -(x>>7&1)
	}
	return r";

const BIT_MATRIX: &str = "r := uint64(0)
	for i := 0; i < 8; i++ {
		r ^= images >> (8 * i) & 0xff & -(a >> i & 1)
	}
	return r";
