//! Java's signs and lines.

use evariste_ir::ArrayKind;
use evariste_ir::range::pow2;
use num_bigint::BigInt;

use super::super::operators::{place, sign};
use super::super::words::{Held, Notation, Pair, Passed, Role};
use crate::unit::{Argument, Arithmetic, Elements, Helper, Place};

/// The language, in a function of that name.
#[derive(Debug)]
pub struct Java<'a> {
    /// The function's name.
    pub symbol: &'a str,
}

/// The most entries of an array that one initialiser holds: its method has 64 KiB, and an entry takes eight bytes there.
const MOST_ENTRIES: usize = 4096;

/// A class with a constant array: its initialiser runs when the array is used.
fn table_class(class: &str, ty: &str, entries: &[String]) -> String {
    let width = entries.iter().map(String::len).max().unwrap_or(1) + 2;
    let rows: String =
        entries.chunks((100 / width).max(1)).map(|row| format!("            {},\n", row.join(", "))).collect();
    format!(
        "\n    private static final class {class} {{\n        static final {ty}[] ENTRIES = {{\n{rows}        }};\n    }}\n"
    )
}

/// The type of an array's elements.
pub fn element_type(bits: u32) -> &'static str {
    match bits {
        0 => "int",
        8 => "byte",
        _ => "long",
    }
}

/// The name of a parameter's first index.
pub fn offset(array: &str) -> String {
    format!("{array}_at")
}

/// A number as a literal.
pub fn literal(x: &BigInt) -> String {
    if *x < BigInt::from(10) { format!("{x}L") } else { format!("{x:#x}L") }
}

/// `2^k − 1`.
pub fn ones(k: u32) -> String {
    literal(&(pow2(k) - 1))
}

/// An element of an array as it is stored.
pub fn entry(bits: u32, text: &str) -> String {
    match bits {
        0 => text.to_string(),
        8 => format!("(byte) {text}"),
        _ => text.to_string(),
    }
}

fn is_parameter(held: &Held) -> bool {
    matches!(held.role, Role::Read | Role::Written)
}

/// A text as an operand.
fn atom(text: &str) -> String {
    let simple = text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '[' || c == ']');
    if simple { text.to_string() } else { format!("({text})") }
}

impl Notation for Java<'_> {
    fn literal(&self, x: &BigInt, _bits: u32) -> String {
        literal(x)
    }

    fn arithmetic(&self, op: Arithmetic, _double: bool, left: &str, right: &str) -> (String, bool) {
        (format!("{left} {} {right}", sign(op)), false)
    }

    fn not(&self) -> &'static str {
        "~"
    }

    fn right(&self) -> &'static str {
        ">>>"
    }

    fn place(&self, at: &Place) -> String {
        let text = place(at);
        if text.chars().all(|c| c.is_ascii_alphanumeric()) { text } else { format!("({text})") }
    }

    fn element(&self, array: &str, held: &Held, at: &str) -> String {
        if held.bits == 8 { format!("({array}[{at}] & 0xffL)") } else { format!("{array}[{at}]") }
    }

    fn index(&self, array: &str, held: &Held, at: &Place) -> String {
        behind(array, held, &place(at))
    }

    fn whole(&self, array: &str, held: &Held) -> String {
        format!("{array}, {}", behind(array, held, "0"))
    }

    fn secret_index(&self, array: &str, held: &Held, at: &str) -> String {
        behind(array, held, &format!("(int) {at}"))
    }

    fn widened(&self, x: String) -> String {
        x
    }

    fn narrowed(&self, x: String) -> String {
        x
    }

    fn far_shift(&self, shifted: &str, amount: &str, bits: u32) -> String {
        format!("({amount} < {bits} ? {shifted} : 0L)")
    }

    fn table(&self, name: &str, held: &Held, entries: &[String]) -> (String, Vec<String>) {
        let (ty, class) = (element_type(held.bits), format!("Table_{}_{name}", self.symbol));
        let entries: Vec<String> = entries.iter().map(|text| entry(held.bits, text)).collect();
        let declared = format!("final {ty}[] {name} = {class}.ENTRIES;");
        if entries.len() <= MOST_ENTRIES {
            return (table_class(&class, ty, &entries), vec![declared]);
        }
        let (mut parts, mut copies) = (String::new(), String::new());
        for (i, part) in entries.chunks(MOST_ENTRIES).enumerate() {
            let (at, len) = (i * MOST_ENTRIES, part.len());
            parts += &table_class(&format!("{class}_{i}"), ty, part);
            copies += &format!("            System.arraycopy({class}_{i}.ENTRIES, 0, ENTRIES, {at}, {len});\n");
        }
        let whole = format!(
            "\n    private static final class {class} {{\n        static final {ty}[] ENTRIES = new {ty}[{}];\n\n        static {{\n{copies}        }}\n    }}\n",
            entries.len()
        );
        (parts + &whole, vec![declared])
    }

    fn array(&self, name: &str, held: &Held) -> String {
        let ty = element_type(held.bits);
        format!("final {ty}[] {name} = new {ty}[{}];", held.len)
    }

    fn define(&self, name: &str, _double: bool, _changes: bool, value: &str) -> String {
        format!("long {name} = {value};")
    }

    fn assign(&self, name: &str, value: &str) -> String {
        format!("{name} = {value};")
    }

    fn pair(&self, pair: Pair) -> Vec<String> {
        let Pair { helper, arguments, signless, first, second } = pair;
        let a: Vec<String> = arguments.iter().map(|text| atom(text)).collect();
        let (low, high) = match helper {
            Helper::MulAddAdd(64) => multiply_add(&a, signless, first),
            Helper::MulWide(64) => {
                (format!("{} * {}", word(&a, 0), word(&a, 1)), high(word(&a, 0), word(&a, 1), signless))
            }
            _ => both(helper, &a, first),
        };
        let line = |(name, value): (&str, String)| format!("long {name} = {value};");
        first.map(|name| (name, low)).into_iter().chain(second.map(|name| (name, high))).map(line).collect()
    }

    fn unread(&self, _name: &str) -> Option<String> {
        None
    }

    fn store(&self, array: &str, held: &Held, at: &str, value: &str) -> String {
        let value = if held.bits == 8 { format!("(byte) {value}") } else { value.to_string() };
        format!("{array}[{at}] = {value};")
    }

    fn repeat(&self, counter: &str, count: u32) -> (Vec<String>, Vec<String>) {
        (vec![format!("for (int {counter} = 0; {counter} < {count}; {counter}++) {{")], vec!["}".into()])
    }

    fn call(&self, function: &str, arguments: &[Passed]) -> Vec<String> {
        let (mut before, mut passed, mut after) = (Vec::new(), Vec::new(), Vec::new());
        for Passed { argument: Argument { array, len, kind, elements, .. }, held } in arguments {
            match elements {
                Elements::From(start) => passed.push(format!("{array}, {}", behind(array, held, &place(start)))),
                Elements::Scattered(copy, element) => {
                    let ty = element_type(held.bits);
                    let theirs = format!("{array}[{}]", behind(array, held, &place(element)));
                    let each = |to: &str, from: &str| format!("for (int e = 0; e < {len}; e++) {to} = {from};");
                    before.push(format!("final {ty}[] {copy} = new {ty}[{len}];"));
                    if *kind != ArrayKind::Output {
                        before.push(each(&format!("{copy}[e]"), &theirs));
                    }
                    if *kind != ArrayKind::Input {
                        after.push(each(&theirs, &format!("{copy}[e]")));
                    }
                    passed.push(format!("{copy}, 0"));
                }
            }
        }
        before.push(format!("{function}({});", passed.join(", ")));
        before.into_iter().chain(after).collect()
    }

    fn indent(&self) -> &'static str {
        "    "
    }
}

/// The index of a parameter's element: behind where it begins.
fn behind(array: &str, held: &Held, at: &str) -> String {
    match (is_parameter(held), at) {
        (false, _) => at.to_string(),
        (true, "0") => offset(array),
        (true, _) => format!("{} + {at}", offset(array)),
    }
}

/// An operand, 0 where there is none.
fn word(a: &[String], i: usize) -> &str {
    a.get(i).map_or("0L", String::as_str)
}

/// Both results of a helper as expressions; `first` is the name of the first one, where it has one.
fn both(helper: Helper, a: &[String], first: Option<&str>) -> (String, String) {
    let word = |i: usize| word(a, i);
    let (x, y, c) = (word(0), word(1), word(2));
    let masked = |n: u32, text: &str| if n == 64 { text.to_string() } else { format!("({text}) & {}", ones(n)) };
    match helper {
        Helper::MulWide(n) if n <= 32 => (masked(n, &format!("{x} * {y}")), format!("({x} * {y}) >>> {n}")),
        Helper::MulWide(n) => {
            (masked(n, &format!("{x} * {y}")), format!("(mul_high({x}, {y}) << {}) | (({x} * {y}) >>> {n})", 64 - n))
        }
        Helper::MulAddAdd(n) => {
            let sum = format!("{x} * {y} + {c} + {}", word(3));
            (masked(n, &sum), format!("({sum}) >>> {n}"))
        }
        Helper::SubBorrow(n) => {
            let difference = format!("{x} - {y} - {c}");
            let high = match (n, first) {
                (64, Some(name)) => format!("borrow({x}, {y}, {name})"),
                (64, None) => format!("borrow({x}, {y}, {difference})"),
                _ => format!("(({difference}) >>> {n}) & 1L"),
            };
            (masked(n, &difference), high)
        }
        // Others have one result.
        Helper::AddCarry(n) => {
            let sum = format!("{x} + {y} + {c}");
            let high = match (n, first) {
                (64, Some(name)) => format!("carry({x}, {y}, {name})"),
                (64, None) => format!("carry({x}, {y}, {sum})"),
                _ => format!("({sum}) >>> {n}"),
            };
            (masked(n, &sum), high)
        }
        _ => (String::new(), String::new()),
    }
}

/// The high word of a product; that of signed words where both highest bits are 0.
fn high(x: &str, y: &str, signless: [bool; 2]) -> String {
    match signless {
        [true, true] => format!("Math.multiplyHigh({x}, {y})"),
        _ => format!("mul_high({x}, {y})"),
    }
}

/// Both words of `x·y` plus what is not 0 of c and d: each sum has a carry. Compilers see that products and sums come again.
fn multiply_add(a: &[String], signless: [bool; 2], first: Option<&str>) -> (String, String) {
    let [x, y, addends @ ..] = a else { return (String::new(), String::new()) };
    let (mut low, mut high) = (format!("{x} * {y}"), high(x, y, signless));
    let addends: Vec<&String> = addends.iter().filter(|c| *c != "0L").collect();
    for (i, c) in addends.iter().enumerate() {
        let sum = format!("{low} + {c}");
        let named = first.filter(|_| i + 1 == addends.len()).unwrap_or(&sum);
        high += &format!(" + carry({low}, {c}, {named})");
        low = sum;
    }
    (low, high)
}

/// Can both results of the helper be written here?
pub fn has_both(helper: Helper) -> bool {
    match helper {
        Helper::MulWide(n) | Helper::AddCarry(n) | Helper::SubBorrow(n) => n <= 64,
        Helper::MulAddAdd(n) => n <= 32 || n == 64,
        _ => false,
    }
}
