//! What `-DEVARISTE_VERIFY` checks at run time: the bounds that the proof found, value by value, and the bounds of
//! whole numbers at entry and exit. Without it the checks are nothing.

use evariste_ir::range::pow2;
use evariste_ir::{Array, ArrayInfo, ArrayKind, Digit, Interval, Kernel, Operand, Type, ValueInfo};
use num_bigint::{BigInt, Sign};
use num_traits::Zero;

use crate::unit::{Function, Model, container, fills};

use super::names;
use super::types::{c_type, computing, literal, unsigned};

/// The checking macro; printed into every file.
pub const CHECK: &str = "
/* With EVARISTE_VERIFY every bound that was proved is also checked while the code runs. */
#ifdef EVARISTE_VERIFY
#include <stdio.h>
#include <stdlib.h>
#define EVARISTE_CHECK(condition) do { if (!(condition)) { \\
  fprintf(stderr, \"%s:%d: %s: a proved bound does not hold: %s\\n\", __FILE__, __LINE__, __func__, #condition); abort(); } } while (0)
#else
#define EVARISTE_CHECK(condition) ((void)0)
#endif
";

/// Functions that add up and compare whole numbers of `limbs` limbs of 32 bits.
pub fn number_functions(limbs: u32) -> String {
    format!(
        "
#ifdef EVARISTE_VERIFY
#define EVARISTE_LIMBS {limbs}
/* number += digit 2^weight */
static inline void evariste_digit(uint32_t *number, uint64_t digit, int weight) {{
  uint32_t part[3];
  uint64_t carry = 0;
  int at = weight / 32, shift = weight % 32, i;
  part[0] = (uint32_t)(digit << shift);
  part[1] = (uint32_t)(digit >> (32 - shift));
  part[2] = shift == 0 ? 0 : (uint32_t)(digit >> (64 - shift));
  for (i = at; i < EVARISTE_LIMBS; i++) {{
    carry += (uint64_t)number[i] + (i - at < 3 ? part[i - at] : 0);
    number[i] = (uint32_t)carry;
    carry >>= 32;
  }}
}}

static inline int evariste_at_most(const uint32_t *number, const uint32_t *bound) {{
  int i;
  for (i = EVARISTE_LIMBS - 1; i >= 0; i--) {{
    if (number[i] != bound[i]) return number[i] < bound[i];
  }}
  return 1;
}}
#endif
"
    )
}

/// Limbs of 32 bits that the numbers of a kernel need, 0 when it has none that are checked.
pub fn limbs(kernel: &Kernel) -> u32 {
    let operands = kernel.contract.inputs.iter().chain(kernel.contract.claims.iter().map(|c| c.output()));
    let bits = operands.filter(|o| is_checked(kernel, o)).map(|o| {
        let digits =
            o.digits.iter().map(|d| d.weight + 2 * container(kernel.array(d.array).ty.bits())).max().unwrap_or(0);
        digits.max(o.bound.bits() as u32) + 32
    });
    bits.max().map_or(0, |bits| bits / 32 + 1)
}

/// Numbers of nonnegative integer digits are checked; lanes of single bits are not, a bit being in range by its type.
fn is_checked(kernel: &Kernel, operand: &Operand) -> bool {
    Model::of(kernel) == Model::Words
        && operand.bound.sign() != Sign::Minus
        && operand.digits.iter().all(|d| {
            let info = kernel.array(d.array);
            !matches!(info.ty, Type::Float(_)) && info.ranges.iter().all(|r| r.lo.sign() != Sign::Minus)
        })
}

/// `EVARISTE_CHECK(…);` for a value.
pub fn within(name: &str, info: &ValueInfo) -> String {
    check(name, info.ty, &info.range)
}

fn check(name: &str, ty: Type, range: &Interval) -> String {
    let n = ty.bits();
    let span = &range.hi - &range.lo;
    if range.lo.is_zero() {
        format!("EVARISTE_CHECK({name} <= {});", literal(&range.hi, n))
    } else {
        // One unsigned comparison, also for signed values.
        let c = if n == container(n) { unsigned(n) } else { computing(n) };
        let moved = format!("({c})({name} - {})", literal(&range.lo, n));
        let moved = if n == container(n) { moved } else { format!("({moved} & {})", super::types::ones(n)) };
        format!("EVARISTE_CHECK({moved} <= {});", literal(&span, n))
    }
}

/// Functions that check what a function is given and what it gives, and the lines that call them, empty where nothing
/// is to be checked.
#[derive(Default, Debug)]
pub struct Checks {
    /// The definitions, to stand before the function.
    pub functions: String,
    /// The line at its start.
    pub entry: String,
    /// The line at its end.
    pub exit: String,
    /// Do they add up whole numbers?
    pub numbers: bool,
}

/// The checks of a function.
pub fn checks(function: &Function) -> Checks {
    let (kernel, symbol) = (&function.kernel, &function.symbol);
    if function.model == Model::Lanes {
        return Checks::default();
    }
    let inputs: Vec<&Operand> = kernel.contract.inputs.iter().collect();
    let outputs: Vec<&Operand> = kernel.contract.claims.iter().map(|c| c.output()).collect();
    let read = |kind: &ArrayKind| matches!(kind, ArrayKind::Input | ArrayKind::InOut);
    let written = |kind: &ArrayKind| matches!(kind, ArrayKind::Output | ArrayKind::InOut);
    let mut checks = Checks::default();
    let before = side(kernel, symbol, "inputs", read, &inputs, &mut checks.entry);
    let after = side(kernel, symbol, "outputs", written, &outputs, &mut checks.exit);
    if !before.is_empty() || !after.is_empty() {
        checks.functions = format!("#ifdef EVARISTE_VERIFY\n{before}{after}#endif\n\n");
    }
    let is_summed = |o: &&&Operand| is_checked(kernel, o) && needs_sum(kernel, o);
    checks.numbers = inputs.iter().chain(&outputs).any(|o| is_summed(&o));
    checks
}

fn side(
    kernel: &Kernel,
    symbol: &str,
    side: &str,
    kinds: impl Fn(&ArrayKind) -> bool,
    operands: &[&Operand],
    call: &mut String,
) -> String {
    let mut lines = Vec::new();
    for info in kernel.arrays.iter().filter(|a| kinds(&a.kind)) {
        elements(info, &mut lines);
    }
    for operand in operands.iter().filter(|o| is_checked(kernel, o)) {
        number(kernel, operand, &mut lines);
    }
    if lines.is_empty() {
        return String::new();
    }
    let text: String = lines.iter().map(|l| format!("  {l}\n")).collect();
    let summed = |array: Array| {
        let numbers = operands.iter().filter(|o| is_checked(kernel, o) && needs_sum(kernel, o));
        numbers.flat_map(|o| visible_digits(kernel, o)).any(|d| d.array == array)
    };
    let has_checks = |info: &ArrayInfo| kinds(&info.kind) && info.ranges.iter().any(|r| !fills(r, info.ty));
    let checked = kernel.visible().filter(|a| has_checks(kernel.array(*a)) || summed(*a));
    let arrays: Vec<&ArrayInfo> = checked.map(|a| kernel.array(a)).collect();
    let name = format!("{side}_of_{symbol}");
    let parameters: Vec<String> = arrays
        .iter()
        .map(|a| format!("const {} {}[{}]", c_type(Model::Words, a.ty), names::array(&a.name), a.len))
        .collect();
    let arguments: Vec<String> = arrays.iter().map(|a| names::array(&a.name)).collect();
    let definition = format!("static void {name}({}) {{\n{text}}}\n\n", parameters.join(", "));
    *call = format!("#ifdef EVARISTE_VERIFY\n  {name}({});\n#endif\n", arguments.join(", "));
    definition
}

/// Each element within its interval.
fn elements(info: &ArrayInfo, lines: &mut Vec<String>) {
    let name = names::array(&info.name);
    if info.ranges.len() == 1 {
        if !fills(&info.ranges[0], info.ty) {
            lines.push(format!(
                "for (int e = 0; e < {}; e++) {}",
                info.len,
                check(&format!("{name}[e]"), info.ty, &info.ranges[0])
            ));
        }
        return;
    }
    for (i, range) in info.ranges.iter().enumerate() {
        if !fills(range, info.ty) {
            lines.push(check(&format!("{name}[{i}]"), info.ty, range));
        }
    }
}

/// The digits of a number that the caller sees.
fn visible_digits<'a>(kernel: &'a Kernel, operand: &'a Operand) -> impl Iterator<Item = &'a Digit> {
    let seen = |array: Array| kernel.array(array).kind != ArrayKind::Ghost;
    operand.digits.iter().filter(move |d| seen(d.array))
}

/// May its digits make up more than the bound?
fn needs_sum(kernel: &Kernel, operand: &Operand) -> bool {
    let most: BigInt = visible_digits(kernel, operand)
        .map(|d| (&kernel.array(d.array).range(d.index).hi).min(&d.bits.map_or(pow2(128), |k| pow2(k) - 1)) << d.weight)
        .sum();
    most > operand.bound && visible_digits(kernel, operand).next().is_some()
}

/// A whole number at most its bound, unless its digits' own maxima already say so.
fn number(kernel: &Kernel, operand: &Operand, lines: &mut Vec<String>) {
    if !needs_sum(kernel, operand) {
        return;
    }
    let limbs = limbs(kernel) as usize;
    let bound: Vec<String> = (0..limbs.min(operand.bound.bits() as usize / 32 + 1))
        .map(|i| literal(&((&operand.bound >> (32 * i)) % pow2(32)), 32))
        .collect();
    let name = format!("{}_bound", names::array(&operand.name));
    lines.push("{".to_string());
    lines.push("  uint32_t number[EVARISTE_LIMBS] = {0};".to_string());
    lines.push(format!("  static const uint32_t {name}[EVARISTE_LIMBS] = {{{}}};", bound.join(", ")));
    for digit in visible_digits(kernel, operand) {
        let info = kernel.array(digit.array);
        let element = format!("{}[{}]", names::array(&info.name), digit.index);
        // Of an unmasked digit only the low bits count.
        let element = match digit.bits {
            Some(k) => format!("({element} & {})", literal(&(pow2(k) - 1), info.ty.bits())),
            None => element,
        };
        if info.ty.bits() > 64 {
            lines.push(format!("  evariste_digit(number, (uint64_t){element}, {});", digit.weight));
            lines.push(format!("  evariste_digit(number, (uint64_t)({element} >> 64), {});", digit.weight + 64));
        } else {
            lines.push(format!("  evariste_digit(number, {element}, {});", digit.weight));
        }
    }
    lines.push(format!("  EVARISTE_CHECK(evariste_at_most(number, {name}));"));
    lines.push("}".to_string());
}
