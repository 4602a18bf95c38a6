//! Go's signs and lines.

use evariste_ir::ArrayKind;
use evariste_ir::range::pow2;
use num_bigint::BigInt;

use super::super::operators::{place, sign};
use super::super::words::{Held, Notation, Pair, Passed, Role, bare};
use crate::unit::{Argument, Arithmetic, Elements, Helper, Place};

/// The language, in a function of that name.
#[derive(Debug)]
pub struct Go<'a> {
    /// The function's name.
    pub symbol: &'a str,
}

/// The type of an array's elements.
pub fn element_type(bits: u32) -> String {
    if bits == 0 { "int".to_string() } else { format!("uint{bits}") }
}

/// A number as a literal.
pub fn literal(x: &BigInt) -> String {
    if *x < BigInt::from(10) { x.to_string() } else { format!("{x:#x}") }
}

/// `2^k − 1`.
pub fn ones(k: u32) -> String {
    literal(&(pow2(k) - 1))
}

/// Is it an array, where others are pointers to one?
fn is_array(held: &Held) -> bool {
    held.role == Role::Local
}

/// Both words of `x·y` plus what is not 0 of c and d: each carry is added to the high word, which has room for it.
fn multiply_add(a: &[String], first: Option<&str>, second: Option<&str>) -> Vec<String> {
    let [x, y, addends @ ..] = a else { return Vec::new() };
    let addends: Vec<&String> = addends.iter().filter(|c| *c != "uint64(0)").collect();
    // Names of its own, from the results': a kernel's names have no `evariste_` before them.
    let name = second.or(first).unwrap_or("_");
    let inner = |what: &str, i: usize| format!("evariste_{what}{i}_{name}");
    let (mut low, mut high) = (inner("l", 0), inner("h", 0));
    if addends.is_empty() {
        return vec![format!("{}, {} := bits.Mul64({x}, {y})", second.unwrap_or("_"), first.unwrap_or("_"))];
    }
    let mut lines = vec![format!("{high}, {low} := bits.Mul64({x}, {y})")];
    for (i, c) in addends.iter().enumerate() {
        let last = i + 1 == addends.len();
        let sum = if last { first.map_or("_".to_string(), str::to_string) } else { inner("l", i + 1) };
        let carry = inner("c", i + 1);
        lines.push(format!("{sum}, {carry} := bits.Add64({low}, {c}, 0)"));
        let carried = if last { second.map_or("_".to_string(), str::to_string) } else { inner("h", i + 1) };
        let sign = if carried == "_" { "=" } else { ":=" };
        lines.push(format!("{carried}, _ {sign} bits.Add64({high}, 0, {carry})"));
        (low, high) = (sum, carried);
    }
    lines
}

/// A literal alone has no type.
fn typed(text: &str) -> String {
    let alone = text.starts_with(|c: char| c.is_ascii_digit()) && text.chars().all(|c| c.is_ascii_alphanumeric());
    if alone { format!("uint64({text})") } else { text.to_string() }
}

impl Notation for Go<'_> {
    fn literal(&self, x: &BigInt, _bits: u32) -> String {
        literal(x)
    }

    fn arithmetic(&self, op: Arithmetic, _double: bool, left: &str, right: &str) -> (String, bool) {
        (format!("{} {} {right}", typed(left), sign(op)), false)
    }

    fn not(&self) -> &'static str {
        "^"
    }

    fn right(&self) -> &'static str {
        ">>"
    }

    fn place(&self, at: &Place) -> String {
        let text = place(at);
        if text.chars().all(|c| c.is_ascii_alphanumeric()) { text } else { format!("({text})") }
    }

    fn element(&self, array: &str, held: &Held, at: &str) -> String {
        let element = format!("{array}[{at}]");
        if held.bits == 64 { element } else { format!("uint64({element})") }
    }

    fn index(&self, _array: &str, _held: &Held, at: &Place) -> String {
        place(at)
    }

    fn whole(&self, array: &str, _held: &Held) -> String {
        format!("{array}[:]")
    }

    fn secret_index(&self, _array: &str, _held: &Held, at: &str) -> String {
        bare(at).to_string()
    }

    fn widened(&self, x: String) -> String {
        x
    }

    fn narrowed(&self, x: String) -> String {
        x
    }

    /// Shifts by more than a word are defined, and masked where that matters.
    fn far_shift(&self, shifted: &str, _amount: &str, _bits: u32) -> String {
        format!("({shifted})")
    }

    fn table(&self, name: &str, held: &Held, entries: &[String]) -> (String, Vec<String>) {
        let (ty, table) = (element_type(held.bits), format!("table_{}_{name}", self.symbol));
        let width = entries.iter().map(String::len).max().unwrap_or(1) + 2;
        let rows: String = entries.chunks((100 / width).max(1)).map(|row| format!("\t{},\n", row.join(", "))).collect();
        (
            format!("\nvar {table} = [{}]{ty}{{\n{rows}}}\n", held.len),
            vec![format!("{name} := &{table}"), format!("_ = {name}")],
        )
    }

    fn array(&self, name: &str, held: &Held) -> String {
        format!("var {name} [{}]{}", held.len, element_type(held.bits))
    }

    fn define(&self, name: &str, _double: bool, _changes: bool, value: &str) -> String {
        format!("{name} := {}", typed(value))
    }

    fn assign(&self, name: &str, value: &str) -> String {
        format!("{name} = {value}")
    }

    fn pair(&self, pair: Pair) -> Vec<String> {
        let Pair { helper, arguments, first, second, .. } = pair;
        let given: Vec<String> = arguments.iter().map(|text| typed(text)).collect();
        let two = |x: Option<&str>, y: Option<&str>, call: String| match (x, y) {
            (None, None) => Vec::new(),
            (x, y) => vec![format!("{}, {} := {call}", x.unwrap_or("_"), y.unwrap_or("_"))],
        };
        let arguments = given.join(", ");
        match helper {
            Helper::MulWide(64) => two(second, first, format!("bits.Mul64({arguments})")),
            Helper::MulAddAdd(64) => multiply_add(&given, first, second),
            Helper::AddCarry(64) => two(first, second, format!("bits.Add64({arguments})")),
            Helper::SubBorrow(64) => two(first, second, format!("bits.Sub64({arguments})")),
            _ => two(first, second, format!("{}({arguments})", helper.name())),
        }
    }

    fn unread(&self, name: &str) -> Option<String> {
        Some(format!("_ = {name}"))
    }

    fn store(&self, array: &str, held: &Held, at: &str, value: &str) -> String {
        match held.bits {
            64 => format!("{array}[{at}] = {}", bare(value)),
            bits => format!("{array}[{at}] = uint{bits}({})", bare(value)),
        }
    }

    fn repeat(&self, counter: &str, count: u32) -> (Vec<String>, Vec<String>) {
        (vec![format!("for {counter} := 0; {counter} < {count}; {counter}++ {{")], vec!["}".into()])
    }

    fn call(&self, function: &str, arguments: &[Passed]) -> Vec<String> {
        let (mut before, mut passed, mut after) = (Vec::new(), Vec::new(), Vec::new());
        for Passed { argument: Argument { array, len, kind, elements, .. }, held } in arguments {
            let ty = element_type(held.bits);
            match elements {
                Elements::From(start) if start.is_zero() && held.len == *len => {
                    passed.push(if is_array(held) { format!("&{array}") } else { array.clone() });
                }
                Elements::From(start) => passed.push(format!("(*[{len}]{ty})({array}[{}:])", place(start))),
                Elements::Scattered(copy, element) => {
                    let theirs = format!("{array}[{}]", place(element));
                    let each = |to: &str, from: &str| {
                        vec![format!("for e := 0; e < {len}; e++ {{"), format!("{to} = {from}"), "}".into()]
                    };
                    before.push(format!("var {copy} [{len}]{ty}"));
                    if *kind != ArrayKind::Output {
                        before.extend(each(&format!("{copy}[e]"), &theirs));
                    }
                    if *kind != ArrayKind::Input {
                        after.extend(each(&theirs, &format!("{copy}[e]")));
                    }
                    passed.push(format!("&{copy}"));
                }
            }
        }
        before.push(format!("{function}({})", passed.join(", ")));
        before.into_iter().chain(after).collect()
    }

    fn indent(&self) -> &'static str {
        "\t"
    }
}
