//! The prelude: small inline functions that the kernels of one file need, each printed once, before its users.
//!
//! Measured on x86-64 (gcc 12, clang 14): both compile `unsigned __int128` products and `a·b + c + d` well; gcc is weak
//! at carry chains through `__int128`, so chains go through the `addcarry`/`subborrow` builtins that both compilers
//! have (Comba of 4 words: 50 cycles instead of 92), with plain C elsewhere and under `EVARISTE_PORTABLE`. Selections
//! of several words by one mask are one `test` and conditional moves: fewer instructions than and/or, and no compiler
//! can turn them into a branch.

use std::collections::BTreeSet;

use super::by_name::{ByName, MULTIPLY_ADD_ADD, PROCESSORS, either, named};
use super::types::{computing, is_native, literal, ones, unsigned};
use crate::unit::Helper::{self, *};
use crate::unit::container;
use evariste_ir::range::pow2;

/// The text of all helpers, after the definitions that they rest upon; `frame` makes what is printed of a name and a text.
pub fn all(needed: &BTreeSet<Helper>, frame: impl Fn(&str, String) -> String) -> String {
    let mut out = String::new();
    if !needed.is_empty() {
        out += INLINE;
    }
    let has_name = |h: &Helper| {
        matches!(
            h,
            AddCarry(32 | 64) | AddWithCarry(32 | 64) | SubBorrow(32 | 64) | SubWithBorrow(32 | 64) | SelectGroup(..)
        )
    };
    if needed.iter().any(has_name) {
        out.extend(PROCESSORS.iter().map(|processor| processor.opening));
    }
    for helper in needed {
        out += "\n";
        out += &frame(&helper.name(), text(*helper));
    }
    out
}

/// Does its text compute in integers of 128 bits?
pub fn is_wide(helper: Helper) -> bool {
    match helper {
        AddCarry(n) | SubBorrow(n) => container(n) == 128 || n == 64,
        MulWide(n) | MulAddAdd(n) | Clmul(n) => n > 32,
        MaddLo(n, k) | MaddHi(n, k) => container(n) == 128 || k > 32,
        Barrier(n)
        | Mask(n)
        | AddWithCarry(n)
        | SubWithBorrow(n)
        | Equal(n)
        | Less(n)
        | Select(n)
        | SelectGroup(n, _)
        | Sar(n)
        | Rotate(n)
        | Funnel(n)
        | Lookup(n) => container(n) == 128,
        RijndaelMul | BitMatrix | BitsToFloat | FloatToBits | WrapIndex | FloorIndex => false,
    }
}

/// Does its text compute in signed integers of 128 bits?
pub fn is_wide_signed(helper: Helper) -> bool {
    matches!(helper, Sar(n) if container(n) == 128)
}

const INLINE: &str = "
#if defined(__GNUC__)
#define EVARISTE_INLINE static inline __attribute__((always_inline))
#else
#define EVARISTE_INLINE static inline
#endif
";

/// A function of C: what its comment says (empty: it has none), its result, its parameters and its body.
struct Function {
    comment: String,
    result: &'static str,
    parameters: String,
    body: String,
}

impl Function {
    /// A function of words whose parameters are all of the result's type, but for those that say otherwise.
    fn new(comment: &str, result: &'static str, parameters: &str, body: impl Into<String>) -> Function {
        let typed = |name: &str| if name.contains(' ') { name.to_string() } else { format!("{result} {name}") };
        let parameters: Vec<String> = parameters.split(", ").map(typed).collect();
        Function { comment: comment.to_string(), result, parameters: parameters.join(", "), body: body.into() }
    }

    fn text(self, name: &str) -> String {
        let Function { comment, result, parameters, body } = self;
        let comment = if comment.is_empty() { comment } else { format!("/* {comment} */\n") };
        format!("{comment}EVARISTE_INLINE {result} {name}({parameters}) {{\n{body}}}\n")
    }
}

/// The C text of a helper.
fn text(helper: Helper) -> String {
    let function = match helper {
        Barrier(n) => return barrier(n),
        AddCarry(n) | AddWithCarry(n) | SubBorrow(n) | SubWithBorrow(n) => return carry(helper, n),
        SelectGroup(n, count) => return select_group(n, count),
        Clmul(n) => return clmul(n),
        MulWide(n) => wide_product("a b", "a, b", n),
        MulAddAdd(n) => {
            let mut product = wide_product("a b + c + d", "a, b, c, d", n);
            if n == 32 {
                let by_name = MULTIPLY_ADD_ADD.iter().map(|(has, text)| (has.to_string(), text.to_string()));
                product.body = either(by_name, &product.body);
            }
            product
        }
        MaddLo(n, k) | MaddHi(n, k) => half_product(matches!(helper, MaddHi(..)), n, k),
        Mask(n) => mask(n),
        Equal(n) => equal(n),
        Less(n) => less(n),
        Select(n) => {
            let body = format!("  return ({})(b ^ (mask & (a ^ b)));\n", unsigned(n));
            Function::new("a where the mask is all ones, b where it is zero.", unsigned(n), "mask, a, b", body)
        }
        Sar(n) => sar(n),
        Rotate(n) => {
            let a = lifted(n, "a");
            let turned = held(n, &format!("({a} << k | {a} >> ({n} - k))"));
            let body = format!("  k %= {n};\n  return k == 0 ? a : {turned};\n");
            Function::new("", unsigned(n), "a, int k", body)
        }
        Funnel(n) => funnel(n),
        Lookup(n) => lookup(n),
        RijndaelMul => Function::new(
            "The product of two bytes in GF(2)[x]/(x^8 + x^4 + x^3 + x + 1).",
            "uint8_t",
            "a, b",
            "  unsigned r = 0, x = a;\n  int i;\n  for (i = 0; i < 8; i++) {\n    r ^= x & (0u - (b >> i & 1u));\n    x = (x << 1) ^ (0x11bu & (0u - (x >> 7 & 1u)));\n  }\n  return (uint8_t)r;\n",
        ),
        BitMatrix => Function::new(
            "The sum of the images of the bits of a: byte i of the constant is that of bit i.",
            "uint8_t",
            "uint64_t images, a",
            "  unsigned r = 0;\n  int i;\n  for (i = 0; i < 8; i++) {\n    r ^= (unsigned)(images >> 8 * i & 0xffu) & (0u - (a >> i & 1u));\n  }\n  return (uint8_t)r;\n",
        ),
        BitsToFloat => pattern("double", "uint64_t bits", "bits", "number"),
        FloatToBits => pattern("uint64_t", "double number", "number", "bits"),
        WrapIndex => Function::new("", "int", "i, length", "  return i < length ? i : i - length;\n"),
        FloorIndex => Function::new("", "int", "i, length", "  i %= length;\n  return i < 0 ? i + length : i;\n"),
    };
    function.text(&helper.name())
}

fn mask(n: u32) -> Function {
    let all = held(n, &format!("0 - ({})flag", computing(n)));
    let body = format!("  return {}({all});\n", Barrier(container(n)).name());
    Function::new("All ones for 1, zero for 0.", unsigned(n), "uint8_t flag", body)
}

/// A product in two words, with what is added to it.
fn wide_product(formula: &str, parameters: &str, n: u32) -> Function {
    let (t, d) = (unsigned(n), computing(2 * n));
    let value = formula.replacen("a b", "a * b", 1);
    let body = format!("  {d} t = ({d}){value};\n  *high = ({t})(t >> {n});\n  return {};\n", low(n, "t"));
    let parameters = format!("{parameters}, {t} *high");
    Function::new(&format!("low + 2^{n} high = {formula}"), t, &parameters, body)
}

/// A sum and the low or the high half of a product of words of k bits.
fn half_product(high: bool, n: u32, k: u32) -> Function {
    let (t, d, m) = (unsigned(n), computing(2 * k), ones(k));
    let part = if high { format!("t >> {k}") } else { format!("t & {m}") };
    let sum = masked(n, &format!("sum + ({})({part})", computing(n)));
    let body = format!("  {d} t = ({d})(a & {m}) * (b & {m});\n  return ({t})({sum});\n");
    Function::new("", t, "sum, a, b", body)
}

fn equal(n: u32) -> Function {
    let (c, top) = (computing(n), container(n).max(32) - 1);
    let mask = Mask(n).name();
    let body = format!("  {c} x = ({c})(a ^ b);\n  return {mask}((uint8_t)(1 ^ ((x | (0 - x)) >> {top})));\n");
    Function::new("All ones when a = b.", unsigned(n), "a, b", body)
}

fn less(n: u32) -> Function {
    let (borrow, mask) = (SubBorrow(n).name(), Mask(n).name());
    let body = format!("  uint8_t less;\n  (void){borrow}(a, b, 0, &less);\n  return {mask}(less);\n");
    Function::new("All ones when a < b.", unsigned(n), "a, b", body)
}

fn sar(n: u32) -> Function {
    let (t, c) = (unsigned(n), computing(n));
    let signed = c.trim_start_matches('u');
    let sign = literal(&pow2(n - 1), n);
    let shifted = masked(n, &format!("({c})(x >> (k < {n} ? k : {}))", n - 1));
    let body = format!("  {signed} x = ({signed})((({c})a ^ {sign}) - {sign});\n  return ({t})({shifted});\n");
    Function::new("", t, "a, int k", body)
}

fn funnel(n: u32) -> Function {
    let (high, low) = (lifted(n, "high"), lifted(n, "low"));
    let shifted = held(n, &format!("({high} << ({n} - k) | {low} >> k)"));
    let body = format!("  return k == 0 ? low : k == {n} ? high : {shifted};\n");
    let comment = format!("The low word of (2^{n} high + low) / 2^k.");
    Function::new(&comment, unsigned(n), "high, low, int k", body)
}

fn lookup(n: u32) -> Function {
    let t = unsigned(n);
    let body = format!(
        "  {t} entry = 0;\n  int i;\n  for (i = 0; i < length; i++) {{\n    entry |= ({t})(table[i] & ({t})equal_64(index, (uint64_t)i));\n  }}\n  return entry;\n"
    );
    let parameters = format!("const {t} *table, int length, uint64_t index");
    Function::new("table[index], reading every entry.", t, &parameters, body)
}

/// A double as its pattern or the other way round.
fn pattern(result: &'static str, parameter: &str, from: &str, to: &str) -> Function {
    let body = format!("  union {{ uint64_t bits; double number; }} x;\n  x.{from} = {from};\n  return x.{to};\n");
    Function::new("", result, parameter, body)
}

/// `expression mod 2^n`, for an expression in the computing type.
pub fn masked(n: u32, expression: &str) -> String {
    if is_native(n) || n == container(n) { expression.to_string() } else { format!("({expression}) & {}", ones(n)) }
}

/// The low n bits of a variable of any wider type, as that type.
fn low(n: u32, variable: &str) -> String {
    let t = unsigned(n);
    if n == container(n) { format!("({t}){variable}") } else { format!("({t})({variable} & {})", ones(n)) }
}

/// `expression mod 2^n` as the type that holds it.
fn held(n: u32, expression: &str) -> String {
    if is_native(n) { expression.to_string() } else { format!("({})({})", unsigned(n), masked(n, expression)) }
}

/// A variable in the type to compute in.
fn lifted(n: u32, variable: &str) -> String {
    if is_native(n) { variable.to_string() } else { format!("({}){variable}", computing(n)) }
}

fn barrier(n: u32) -> String {
    let t = unsigned(n);
    let hide = if n == 128 {
        "  uint64_t low = (uint64_t)x, high = (uint64_t)(x >> 64);\n  __asm__(\"\" : \"+r\"(low), \"+r\"(high));\n  return (uint128)high << 64 | low;\n".to_string()
    } else {
        "  __asm__(\"\" : \"+r\"(x));\n  return x;\n".to_string()
    };
    format!(
        "/* The value itself; the compiler cannot know where it came from, so it cannot branch on it. */\nEVARISTE_INLINE {t} barrier_{n}({t} x) {{\n#if defined(__GNUC__)\n{hide}#else\n  volatile {t} hidden = x;\n  return hidden;\n#endif\n}}\n"
    )
}

/// The four functions of carry chains.
fn carry(helper: Helper, n: u32) -> String {
    let name = helper.name();
    let t = unsigned(n);
    let add = matches!(helper, AddCarry(_) | AddWithCarry(_));
    let out = matches!(helper, AddCarry(_) | SubBorrow(_));
    let (sign, flag, equation) = if add {
        ("+", "carry", format!("sum + 2^{n} carry = a + b + c"))
    } else {
        ("-", "borrow", format!("difference - 2^{n} borrow = a - b - c"))
    };
    let plain = if !out {
        format!("  return {};\n", held(n, &format!("{} {sign} b {sign} c", lifted(n, "a"))))
    } else if n == 128 {
        let (first, second) = if add { ("r < a", "s < r") } else { ("a < b", "r < c") };
        format!("  {t} r = a {sign} b, s = r {sign} c;\n  *{flag} = (uint8_t)(({first}) | ({second}));\n  return s;\n")
    } else {
        let d = computing(n + 1);
        format!(
            "  {d} r = ({d})a {sign} b {sign} c;\n  *{flag} = (uint8_t)(r >> {n} & 1);\n  return {};\n",
            low(n, "r")
        )
    };
    let body = if matches!(n, 32 | 64) {
        let r = if n == 64 { "unsigned long long" } else { "unsigned int" };
        let keep = if out { format!("*{flag} = ") } else { "(void)".to_string() };
        let call =
            |by_name: &ByName| format!("  {r} r;\n  {keep}{}(c, a, b, &r);\n  return r;\n", (by_name.carry)(n, add));
        named(call, &plain)
    } else {
        plain
    };
    let parameters =
        if out { format!("{t} a, {t} b, uint8_t c, uint8_t *{flag}") } else { format!("{t} a, {t} b, uint8_t c") };
    let comment = if out { equation } else { format!("a {sign} b {sign} c modulo 2^{n}") };
    format!("/* {comment} */\nEVARISTE_INLINE {t} {name}({parameters}) {{\n{body}}}\n")
}

/// `count` selections by one mask.
fn select_group(n: u32, count: u32) -> String {
    let t = unsigned(n);
    let each = |f: &dyn Fn(u32) -> String, separator: &str| (0..count).map(f).collect::<Vec<_>>().join(separator);
    let parameters = each(&|i| format!("{t} *r{i}, {t} a{i}, {t} b{i}"), ", ");
    let start = each(&|i| format!("x{i} = b{i}"), ", ");
    let plain = each(&|i| format!("  x{i} ^= mask & (a{i} ^ x{i});\n"), "");
    let stores = each(&|i| format!("  *r{i} = x{i};\n"), "");
    format!(
        "/* Each r is its a where the mask is all ones, its b where it is zero. */\n\
         EVARISTE_INLINE void {}({t} mask, {parameters}) {{\n  {t} {start};\n{}{stores}}}\n",
        SelectGroup(n, count).name(),
        named(|by_name| (by_name.select)(count), &plain)
    )
}

/// Carry-less product, by the instruction where the compiler's flags allow it, else bit by bit.
fn clmul(n: u32) -> String {
    let (t, d) = (unsigned(n), unsigned(2 * n));
    let c = computing(2 * n);
    let wide = if 2 * n > 64 { "(uint128)(uint64_t)r[1] << 64 | (uint64_t)r[0]" } else { "(uint64_t)r[0]" };
    let by_name = |processor: &&ByName| {
        let (condition, product) = processor.carryless;
        let condition = format!("defined(__GNUC__) && defined({condition}) && !defined(EVARISTE_PORTABLE)");
        (condition, format!("{product}  return ({d})({wide});\n"))
    };
    let plain = format!(
        "  {c} r = 0;\n  int i;\n  for (i = 0; i < {n}; i++) {{\n    r ^= (({c})a << i) & (({c})0 - ({c})(b >> i & 1));\n  }}\n  return ({d})r;\n"
    );
    format!(
        "/* The product of two polynomials over GF(2). */\nEVARISTE_INLINE {d} {}({t} a, {t} b) {{\n{}}}\n",
        Clmul(n).name(),
        either(PROCESSORS.iter().map(by_name), &plain)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every helper, for numbers of many lengths.
    fn all() -> impl Iterator<Item = Helper> {
        let of_words = [4, 5, 8, 13, 16, 24, 31, 32, 33, 48, 52, 63, 64].into_iter().flat_map(|n| {
            let parts = [1, n / 2, n].into_iter().flat_map(move |k| [MaddLo(n, k), MaddHi(n, k)]);
            [MulWide(n), MulAddAdd(n), Clmul(n)].into_iter().chain(parts)
        });
        let of_integers = [1, 5, 8, 16, 32, 40, 64, 80, 128].into_iter().flat_map(|n| {
            let carries = [AddCarry(n), AddWithCarry(n), SubBorrow(n), SubWithBorrow(n)];
            let others = [Equal(n), Less(n), Select(n), Sar(n), Rotate(n), Funnel(n), Mask(n), Lookup(container(n))];
            [Barrier(container(n))].into_iter().chain(carries).chain(others)
        });
        of_words.chain(of_integers).chain([RijndaelMul, BitMatrix, BitsToFloat, FloatToBits, WrapIndex])
    }

    /// A file defines integers of 128 bits when its helpers are said to use them: they must be the ones that do.
    #[test]
    fn what_is_wide_is_said_to_be() {
        for helper in all() {
            assert_eq!(is_wide(helper), text(helper).contains("uint128"), "{helper:?}");
            assert_eq!(is_wide_signed(helper), text(helper).contains("(int128)"), "{helper:?}");
        }
        assert!(all().count() > 200);
    }

    /// What a helper brings along is what some text of those that it brings calls: what nobody calls is a warning.
    #[test]
    fn what_is_brought_along_is_called() {
        for helper in all() {
            let mut brought = std::collections::BTreeSet::new();
            helper.add_to(&mut brought);
            for one in brought.iter().filter(|one| **one != helper) {
                let call = format!("{}(", one.name());
                assert!(brought.iter().any(|by| by != one && text(*by).contains(&call)), "{helper:?}: {one:?}");
            }
        }
    }
}
