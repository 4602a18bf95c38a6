//! The helpers in OpenCL C and CUDA C++.

use std::collections::BTreeSet;

use evariste_ir::Kernel;
use evariste_ir::range::pow2;

use super::super::words::helpers;
use super::dialect::Dialect;
use super::notation::OF_TABLE;
use crate::error::EmitError;
use crate::unit::Helper::{self, *};

/// The texts of all that are needed.
pub fn all(dialect: &Dialect, needed: &BTreeSet<Helper>, kernel: &Kernel) -> Result<String, EmitError> {
    helpers(needed, kernel, dialect.words, |helper| Some(once(helper, text(dialect, helper)?)))
}

/// Several packages have it: a text may hold them all.
fn once(helper: Helper, text: String) -> String {
    let name = helper.name();
    if text.is_empty() {
        text
    } else {
        format!("\n#ifndef EVARISTE_HAS_{name}\n#define EVARISTE_HAS_{name}{text}#endif\n")
    }
}

impl Dialect {
    fn masked(&self, n: u32, text: &str) -> String {
        if n == 64 { text.to_string() } else { format!("({text}) & {}", self.ones(n)) }
    }

    /// Parameters that are words.
    fn parameters(&self, names: &str) -> String {
        names.split(", ").map(|name| format!("{} {name}", self.word())).collect::<Vec<_>>().join(", ")
    }
}

/// Parameters and body of carries and products.
fn arithmetic(dialect: &Dialect, helper: Helper) -> Option<(String, String)> {
    let (word, zero) = (dialect.word(), dialect.literal(&0.into()));
    let masked = |n: u32, text: &str| dialect.masked(n, text);
    let words = |names: &str| dialect.parameters(names);
    let high = |names: &str, high: &str| format!("{}, {word} *{high}", words(names));
    Some(match helper {
        Mask(n) if n <= 64 => (words("flag"), format!("return {};", masked(n, &format!("{zero} - flag")))),
        AddCarry(n) if n < 64 => (
            high("a, b, c", "carry"),
            format!("{word} s = a + b + c;\n  *carry = s >> {n} & 1;\n  return s & {};", dialect.ones(n)),
        ),
        SubBorrow(n) if n < 64 => (
            high("a, b, c", "borrow"),
            format!("{word} d = a - b - c;\n  *borrow = d >> {n} & 1;\n  return d & {};", dialect.ones(n)),
        ),
        AddWithCarry(n) if n <= 64 => (words("a, b, c"), format!("return {};", masked(n, "a + b + c"))),
        SubWithBorrow(n) if n <= 64 => (words("a, b, c"), format!("return {};", masked(n, "a - b - c"))),
        MulWide(n) if n <= 32 => {
            (high("a, b", "high"), format!("{word} t = a * b;\n  *high = t >> {n};\n  return t & {};", dialect.ones(n)))
        }
        MulWide(n) if n < 64 => (
            high("a, b", "high"),
            format!(
                "{word} top;\n  {word} low = mul_wide_64(a, b, &top);\n  *high = top << {} | low >> {n};\n  return low & {};",
                64 - n,
                dialect.ones(n)
            ),
        ),
        MulAddAdd(n) if n <= 32 => (
            high("a, b, c, d", "high"),
            format!("{word} t = a * b + c + d;\n  *high = t >> {n};\n  return t & {};", dialect.ones(n)),
        ),
        MaddLo(n, k) | MaddHi(n, k) if k <= 32 => {
            let product = format!("(a & {0}) * (b & {0})", dialect.ones(k));
            let part = match helper {
                MaddLo(..) => format!("({product} & {})", dialect.ones(k)),
                _ => format!("({product} >> {k})"),
            };
            (words("sum, a, b"), format!("return {};", masked(n, &format!("sum + {part}"))))
        }
        _ => return None,
    })
}

/// Parameters and body of what is about bytes and polynomials over GF(2).
fn of_bits(dialect: &Dialect, helper: Helper) -> Option<(String, String)> {
    let (word, zero) = (dialect.word(), dialect.literal(&0.into()));
    let words = |names: &str| dialect.parameters(names);
    Some(match helper {
        Clmul(n) if n <= 32 => (words("a, b"), carryless(dialect)),
        RijndaelMul => (
            words("a, b"),
            format!(
                "{word} r = 0, x = a;\n  for (int i = 0; i < 8; i++) {{\n    r ^= x & ({zero} - (b >> i & 1));\n    x = x << 1 ^ (0x11b & ({zero} - (x >> 7 & 1)));\n  }}\n  return r;"
            ),
        ),
        BitMatrix => (
            words("images, a"),
            format!(
                "{word} r = 0;\n  for (int i = 0; i < 8; i++) r ^= images >> 8 * i & 0xff & ({zero} - (a >> i & 1));\n  return r;"
            ),
        ),
        _ => return None,
    })
}

/// The text of one; `None` where there is none.
fn text(dialect: &Dialect, helper: Helper) -> Option<String> {
    let word = dialect.word();
    let zero = dialect.literal(&0.into());
    let masked = |n: u32, text: &str| dialect.masked(n, text);
    let words = |names: &str| dialect.parameters(names);
    let shift = |names: &str| format!("{}, int k", words(names));
    let (parameters, body) = match helper {
        // Those of whole words stand in the dialect.
        Barrier(_) | SelectGroup(..) | MulWide(64) | MulAddAdd(64) | AddCarry(64) | SubBorrow(64) => {
            return Some(String::new());
        }
        WrapIndex => return Some(index(dialect, helper, "return i < length ? i : i - length;")),
        FloorIndex => return Some(index(dialect, helper, "i %= length;\n  return i < 0 ? i + length : i;")),
        Equal(n) if n <= 64 => {
            (words("a, b"), format!("{word} x = a ^ b;\n  return {}(1 ^ (x | ({zero} - x)) >> 63);", Mask(n).name()))
        }
        Less(n) if n <= 64 => (
            words("a, b"),
            format!("{word} less;\n  (void)sub_borrow_64(a, b, {zero}, &less);\n  return {}(less);", Mask(n).name()),
        ),
        Select(n) if n <= 64 => (words("mask, a, b"), "return b ^ (mask & (a ^ b));".into()),
        Sar(n) if n <= 64 => {
            let sign = format!("({zero} - (a >> {}))", n - 1);
            let body = format!(
                "return k == 0 ? a : k >= {n} ? {} : {};",
                masked(n, &sign),
                masked(n, &format!("a >> k | {sign} << ({n} - k)"))
            );
            (shift("a"), body)
        }
        Rotate(n) if n <= 64 => (
            shift("a"),
            format!("k %= {n};\n  return k == 0 ? a : {};", masked(n, &format!("a << k | a >> ({n} - k)"))),
        ),
        Funnel(n) if n <= 64 => (
            shift("high, low"),
            format!("return k == 0 ? low : k == {n} ? high : {};", masked(n, &format!("high << ({n} - k) | low >> k"))),
        ),
        Lookup(n) => return Some(look_up(dialect, n)),
        _ => arithmetic(dialect, helper).or_else(|| of_bits(dialect, helper))?,
    };
    Some(format!("\n{} {word} {}({parameters}) {{\n  {body}\n}}\n", dialect.function, helper.name()))
}

/// An entry by reading all of an array, and of a table where these are apart.
fn look_up(dialect: &Dialect, n: u32) -> String {
    let (word, ty, name) = (dialect.word(), dialect.element(n), Lookup(n).name());
    let of = |end: &str, array: &str| {
        format!(
            "\n{} {word} {name}{end}({array} {ty} *table, int length, {word} index) {{\n  {word} found = 0;\n  for (int i = 0; i < length; i++) found |= table[i] & equal_64(index, ({word})i);\n  return found;\n}}\n",
            dialect.function
        )
    };
    let tables = if dialect.tables_first { of(OF_TABLE, dialect.table) } else { String::new() };
    of("", "const") + &tables
}

fn index(dialect: &Dialect, helper: Helper, body: &str) -> String {
    format!("\n{} int {}(int i, int length) {{\n  {body}\n}}\n", dialect.function, helper.name())
}

/// Products of integers whose bits are four apart: no sum of half words reaches the next bit.
fn carryless(dialect: &Dialect) -> String {
    let word = dialect.word();
    let mut out = format!("const {word} m = {};\n", dialect.literal(&(pow2(64) / 15)));
    for x in ["a", "b"] {
        let parts: Vec<String> = (0..4).map(|i| format!("{x}{i} = {x} & m << {i}")).collect();
        out += &format!("  {word} {};\n", parts.join(", "));
    }
    let row = |i: usize| {
        let products: Vec<String> = (0..4).map(|j| format!("a{j} * b{}", (4 + i - j) % 4)).collect();
        format!("(({}) & m << {i})", products.join(" ^ "))
    };
    out + &format!("  return {};", (0..4).map(row).collect::<Vec<_>>().join(" | "))
}
