//! The helpers in Rust.

use std::collections::BTreeSet;

use evariste_ir::Kernel;
use evariste_ir::range::pow2;

use super::super::words::{bare, helpers};
use super::names::WORDS;
use super::notation::Rust;
use crate::error::EmitError;
use crate::unit::Helper::{self, *};

/// Elements of an array from a place on.
pub const PART: &str = "
/// The elements from `at` on, as many as the caller needs.
#[inline(always)]
const fn part<T, const N: usize>(from: &[T], at: isize) -> &[T; N] {
    match from.split_at(at as usize).1.first_chunk() {
        Some(part) => part,
        None => panic!(),
    }
}
";

/// The same as `sub_borrow_64`, written so that compilers keep the chain of borrows where `b` is 0 or all ones and not hidden
/// from them: with `|` they make comparisons of it. On other constants `|` is as good or better.
const KNOWN: &str = "
#[allow(dead_code)]
#[inline(always)]
const fn sub_borrow_known_64(a: u64, b: u64, c: u64) -> (u64, u64) {
    let (s, x) = a.overflowing_sub(b);
    let (s, y) = s.overflowing_sub(c);
    (s, x as u64 + y as u64)
}
";

/// The texts of all that are needed.
pub fn all(needed: &BTreeSet<Helper>, kernel: &Kernel) -> Result<String, EmitError> {
    let known = if needed.contains(&SubBorrow(64)) { KNOWN } else { "" };
    let carryless = if needed.iter().any(|helper| matches!(helper, Clmul(_))) { CARRYLESS } else { "" };
    Ok(carryless.to_string() + &helpers(needed, kernel, &WORDS, text)? + known)
}

/// The type that holds n bits.
fn word(n: u32) -> &'static str {
    if n > 64 { "u128" } else { "u64" }
}

/// The bits of that type.
fn whole(n: u32) -> u32 {
    if n > 64 { 128 } else { 64 }
}

fn ones(n: u32) -> String {
    Rust::number(&(pow2(n) - 1))
}

/// What is computed, brought back to n bits.
fn masked(n: u32, text: &str) -> String {
    if n == whole(n) { text.to_string() } else { format!("{text} & {}", ones(n)) }
}

/// A flag as a word of n bits.
fn lifted(n: u32, flag: &str) -> String {
    if n > 64 { format!("({flag} as u128)") } else { flag.to_string() }
}

/// The text of one; `None` where there is none.
fn text(helper: Helper) -> Option<String> {
    let (parameters, result, body) = match helper {
        // Nothing without `unsafe` hides a value from the compiler and keeps it in a register.
        Barrier(_) | SelectGroup(..) => return Some(String::new()),
        BitsToFloat | FloatToBits => return None,
        AddCarry(_) | SubBorrow(_) | AddWithCarry(_) | SubWithBorrow(_) => carry(helper),
        MulWide(n) => (typed("a, b", n), pair(n), product(n, "a * b")),
        MulAddAdd(n) => (typed("a, b, c, d", n), pair(n), product(n, "a * b + c + d")),
        MaddLo(n, k) => (typed("sum, a, b", n), word(n).into(), part_of_product(n, k, false)),
        MaddHi(n, k) => (typed("sum, a, b", n), word(n).into(), part_of_product(n, k, true)),
        Mask(n) => {
            let body = masked(n, &format!("0_{}.wrapping_sub({})", word(n), bare(&lifted(n, "flag"))));
            ("flag: u64".into(), word(n).into(), body)
        }
        Equal(n) => {
            let top = format!("(x | 0_{}.wrapping_sub(x)) >> {}", word(n), whole(n) - 1);
            let top = if n > 64 { format!("(({top}) as u64)") } else { format!("({top})") };
            (typed("a, b", n), word(n).into(), format!("let x = a ^ b;\n    {}(1 ^ {top})", Mask(n).name()))
        }
        Less(n) => {
            let body = format!("{}({}(a, b, 0).1)", Mask(n).name(), SubBorrow(n).name());
            (typed("a, b", n), word(n).into(), body)
        }
        Select(n) => (typed("mask, a, b", n), word(n).into(), "b ^ (mask & (a ^ b))".into()),
        Sar(n) => (format!("a: {}, k: isize", word(n)), word(n).into(), sar(n)),
        Rotate(n) => {
            let turned = masked(n, &format!("(a << k | a >> ({n} - k))"));
            let body = format!("let k = k % {n};\n    if k == 0 {{ a }} else {{ {} }}", bare(&turned));
            (format!("a: {}, k: isize", word(n)), word(n).into(), body)
        }
        Funnel(n) => {
            let shifted = masked(n, &format!("(high << ({n} - k) | low >> k)"));
            let body = format!(
                "if k == 0 {{\n        low\n    }} else if k == {n} {{\n        high\n    }} else {{\n        {}\n    }}",
                bare(&shifted)
            );
            (format!("high: {0}, low: {0}, k: isize", word(n)), word(n).into(), body)
        }
        Clmul(n) => return Some(carryless(n)),
        RijndaelMul => (typed("a, b", 8), "u64".into(), RIJNDAEL.into()),
        BitMatrix => (typed("images, a", 64), "u64".into(), BIT_MATRIX.into()),
        Lookup(n) => {
            let entry = if n == 64 { "table[i as usize]".into() } else { "(table[i as usize] as u64)".to_string() };
            let body = format!(
                "let mut entry = 0;\n    let mut i: isize = 0;\n    while i < length {{\n        entry |= {entry} & equal_64(index, i as u64);\n        i += 1;\n    }}\n    entry"
            );
            (format!("table: &[u{n}], length: isize, index: u64"), "u64".into(), body)
        }
        WrapIndex => {
            ("i: isize, length: isize".into(), "isize".into(), "if i < length { i } else { i - length }".into())
        }
        FloorIndex => ("i: isize, length: isize".into(), "isize".into(), "i.rem_euclid(length)".into()),
    };
    Some(format!("\n#[inline(always)]\nconst fn {}({parameters}) -> {result} {{\n    {body}\n}}\n", helper.name()))
}

/// Names of one type.
fn typed(names: &str, n: u32) -> String {
    names.split(", ").map(|name| format!("{name}: {}", word(n))).collect::<Vec<_>>().join(", ")
}

fn pair(n: u32) -> String {
    format!("({0}, {0})", word(n))
}

fn carry(helper: Helper) -> (String, String, String) {
    let (n, add, both) = match helper {
        AddCarry(n) => (n, true, true),
        AddWithCarry(n) => (n, true, false),
        SubBorrow(n) => (n, false, true),
        SubWithBorrow(n) | Helper::Barrier(n) => (n, false, false),
        _ => (64, true, true),
    };
    let verb = if add { "add" } else { "sub" };
    let parameters = format!("a: {0}, b: {0}, c: u64", word(n));
    let c = lifted(n, "c");
    let c = bare(&c);
    let plain = format!("a.wrapping_{verb}(b).wrapping_{verb}({c})");
    let body = match (both, n == whole(n)) {
        (false, _) => masked(n, &plain),
        (true, true) => format!(
            "let (s, x) = a.overflowing_{verb}(b);\n    let (s, y) = s.overflowing_{verb}({c});\n    (s, (x | y) as u64)"
        ),
        (true, false) => {
            let carry = format!("(s >> {n}) & 1");
            let carry = if n > 64 { format!("({carry}) as u64") } else { carry };
            format!("let s = {plain};\n    ({}, {carry})", masked(n, "s"))
        }
    };
    let result = if both { format!("({}, u64)", word(n)) } else { word(n).to_string() };
    (parameters, result, body)
}

/// Both words of a product.
fn product(n: u32, formula: &str) -> String {
    if n <= 32 {
        return format!("let t = {formula};\n    (t & {}, t >> {n})", ones(n));
    }
    let wide: Vec<String> = formula
        .split(' ')
        .map(
            |x| if x.len() == 1 && x.chars().all(char::is_alphabetic) { format!("{x} as u128") } else { x.to_string() },
        )
        .collect();
    let low = if n == 64 { "t as u64".to_string() } else { format!("t as u64 & {}", ones(n)) };
    format!("let t = {};\n    ({low}, (t >> {n}) as u64)", wide.join(" "))
}

fn part_of_product(n: u32, k: u32, high: bool) -> String {
    let m = ones(k);
    let cast = |x: &str| if k > 32 { format!("(({x} & {m}) as u128)") } else { format!("({x} & {m})") };
    let product = format!("{} * {}", cast("a"), cast("b"));
    let part = match (high, k > 32) {
        (true, true) => format!("(({product}) >> {k}) as u64"),
        (true, false) => format!("({product}) >> {k}"),
        (false, true) => format!("({product}) as u64 & {m}"),
        (false, false) => format!("({product}) & {m}"),
    };
    masked(n, &format!("sum.wrapping_add({part})"))
}

fn sar(n: u32) -> String {
    let (ty, signed) = (word(n), word(n).replace('u', "i"));
    let sign = Rust::number(&pow2(n - 1));
    let shifted = format!("(((a ^ {sign}).wrapping_sub({sign}) as {signed}) >> k) as {ty}");
    format!(
        "let k = if k < {n} {{ k }} else {{ {} }};\n    {}",
        n - 1,
        if n == whole(n) { shifted } else { format!("({shifted}) & {}", ones(n)) }
    )
}

const RIJNDAEL: &str = "let mut r = 0;
    let mut x = a;
    let mut i = 0;
    while i < 8 {
        r ^= x & 0_u64.wrapping_sub((b >> i) & 1);
        x = (x << 1) ^ (0x11b & 0_u64.wrapping_sub((x >> 7) & 1));
        i += 1;
    }
    r";

const BIT_MATRIX: &str = "let mut r = 0;
    let mut i = 0;
    while i < 8 {
        r ^= ((images >> (8 * i)) & 0xff) & 0_u64.wrapping_sub((a >> i) & 1);
        i += 1;
    }
    r";

/// The product of polynomials over GF(2) by products of integers whose bits are four apart: of the words of half the
/// size no sum reaches the next bit; of whole ones the low half is right, and the high half is that of the mirror images.
const CARRYLESS: &str = "
/// The low word of a product of polynomials over GF(2): integers with holes of three bits.
#[inline(always)]
const fn carryless_low(a: u64, b: u64) -> u64 {
    const M: u64 = 0x1111_1111_1111_1111;
    let (a0, a1, a2, a3) = (a & M, a & (M << 1), a & (M << 2), a & (M << 3));
    let (b0, b1, b2, b3) = (b & M, b & (M << 1), b & (M << 2), b & (M << 3));
    let r0 = a0.wrapping_mul(b0) ^ a1.wrapping_mul(b3) ^ a2.wrapping_mul(b2) ^ a3.wrapping_mul(b1);
    let r1 = a0.wrapping_mul(b1) ^ a1.wrapping_mul(b0) ^ a2.wrapping_mul(b3) ^ a3.wrapping_mul(b2);
    let r2 = a0.wrapping_mul(b2) ^ a1.wrapping_mul(b1) ^ a2.wrapping_mul(b0) ^ a3.wrapping_mul(b3);
    let r3 = a0.wrapping_mul(b3) ^ a1.wrapping_mul(b2) ^ a2.wrapping_mul(b1) ^ a3.wrapping_mul(b0);
    (r0 & M) | (r1 & (M << 1)) | (r2 & (M << 2)) | (r3 & (M << 3))
}
";

/// The whole product.
fn carryless(n: u32) -> String {
    let name = Clmul(n).name();
    if n <= 32 {
        format!("\n#[inline(always)]\nconst fn {name}(a: u64, b: u64) -> u64 {{\n    carryless_low(a, b)\n}}\n")
    } else {
        format!(
            "\n#[inline(always)]\nconst fn {name}(a: u64, b: u64) -> u128 {{\n    let high = carryless_low(a.reverse_bits(), b.reverse_bits()).reverse_bits() >> 1;\n    ((high as u128) << 64) | carryless_low(a, b) as u128\n}}\n"
        )
    }
}
