//! Rust's signs and lines.

use std::cell::RefCell;

use evariste_ir::ArrayKind;
use num_bigint::BigInt;

use super::super::operators::place_with;
use super::super::words::{Held, Notation, Pair, Passed, Role, bare};
use super::names::{array_type, element_type, results};
use crate::unit::{Argument, Arithmetic, Elements, Helper, Place};

/// The helper of a difference whose second number is 0 or all ones.
pub const KNOWN_BORROW: &str = "sub_borrow_known_64";

/// The language, in a function.
#[derive(Debug, Default)]
pub struct Rust {
    /// Are constants that are subtracted with borrows hidden from the compiler?
    pub hides: bool,
    /// Those that are hidden, in the order of `hidden`.
    pub hidden: RefCell<Vec<String>>,
}

impl Rust {
    /// A number as a literal.
    pub fn number(x: &BigInt) -> String {
        if *x < BigInt::from(10) { x.to_string() } else { format!("{x:#x}") }
    }

    /// The constant as an element of `hidden`.
    fn hide(&self, constant: &str) -> String {
        let mut all = self.hidden.borrow_mut();
        let at = all.iter().position(|x| x == constant).unwrap_or(all.len());
        if at == all.len() {
            all.push(constant.to_string());
        }
        format!("hidden[{at}]")
    }

    /// The line that declares `hidden`; `None`: nothing is hidden. What is hidden are values: an address would come back from
    /// memory.
    pub fn declared(&self) -> Option<String> {
        let all = self.hidden.borrow();
        let list = all.join(", ");
        (!all.is_empty()).then(|| format!("let hidden: [u64; {}] = core::hint::black_box([{list}]);", all.len()))
    }
}

/// Does a function read and write the same whole array, and give nothing else?
fn in_place(arguments: &[Passed]) -> Option<String> {
    let is_whole = |p: &Passed| {
        matches!(&p.argument.elements, Elements::From(start) if start.is_zero()) && p.held.len == p.argument.len
    };
    let mut written = arguments.iter().filter(|p| p.argument.kind != ArrayKind::Input);
    let (Some(one), None) = (written.next(), written.next()) else { return None };
    let array = &one.argument.array;
    let reads = |p: &&Passed| p.argument.kind == ArrayKind::Input && p.argument.array == *array;
    let fits = is_whole(one) && one.argument.kind == ArrayKind::Output && arguments.iter().any(|p| reads(&p));
    // Other parts of the array would be read in the middle.
    (fits && arguments.iter().filter(reads).all(is_whole)).then(|| array.clone())
}

/// An array of words as an expression.
pub fn words(all: &[BigInt]) -> String {
    format!("[{}]", all.iter().map(Rust::number).collect::<Vec<_>>().join(", "))
}

/// A public number as a signed one.
fn signed(at: &Place) -> String {
    place_with(at, &|table, at| format!("{table}[{}]", as_index(at)))
}

/// A signed public number as an index.
fn as_index(at: &str) -> String {
    match at {
        _ if at.chars().all(|c| c.is_ascii_digit()) => at.to_string(),
        _ if at.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') => format!("{at} as usize"),
        _ => format!("({at}) as usize"),
    }
}

/// A literal on which a method is called has its type.
fn receiver(text: &str, double: bool) -> String {
    let ty = if double { "u128" } else { "u64" };
    if text.starts_with(|c: char| c.is_ascii_digit()) { format!("{text}_{ty}") } else { text.to_string() }
}

fn type_of(double: bool) -> &'static str {
    if double { "u128" } else { "u64" }
}

/// An array as the reference that a function takes.
fn reference(array: &str, held: &Held) -> String {
    let is_reference = matches!(held.role, Role::Read | Role::Table);
    if is_reference { array.to_string() } else { format!("&{array}") }
}

/// A loop over the elements of a copy.
fn copies(len: u32, line: &str) -> Vec<String> {
    vec!["let mut e: isize = 0;".into(), format!("while e < {len} {{"), line.to_string(), "e += 1;".into(), "}".into()]
}

impl Notation for Rust {
    fn literal(&self, x: &BigInt, _bits: u32) -> String {
        Rust::number(x)
    }

    fn arithmetic(&self, op: Arithmetic, double: bool, left: &str, right: &str) -> (String, bool) {
        let name = match op {
            Arithmetic::Add => "wrapping_add",
            Arithmetic::Sub => "wrapping_sub",
            Arithmetic::Mul => "wrapping_mul",
        };
        (format!("{}.{name}({})", receiver(left, double), bare(right)), true)
    }

    fn not(&self) -> &'static str {
        "!"
    }

    fn right(&self) -> &'static str {
        ">>"
    }

    fn place(&self, at: &Place) -> String {
        let text = signed(at);
        if text.chars().all(|c| c.is_ascii_alphanumeric()) { text } else { format!("({text})") }
    }

    fn element(&self, array: &str, held: &Held, at: &str) -> String {
        let element = format!("{array}[{at}]");
        if held.bits == 64 { element } else { format!("({element} as u64)") }
    }

    fn index(&self, _array: &str, _held: &Held, at: &Place) -> String {
        as_index(&signed(at))
    }

    fn whole(&self, array: &str, held: &Held) -> String {
        reference(array, held)
    }

    fn secret_index(&self, _array: &str, _held: &Held, at: &str) -> String {
        format!("{at} as usize")
    }

    fn widened(&self, x: String) -> String {
        format!("({x} as u128)")
    }

    fn narrowed(&self, x: String) -> String {
        format!("({x} as u64)")
    }

    fn far_shift(&self, shifted: &str, amount: &str, bits: u32) -> String {
        format!("(if {} < {bits} {{ {shifted} }} else {{ 0 }})", bare(amount))
    }

    fn table(&self, name: &str, held: &Held, entries: &[String]) -> (String, Vec<String>) {
        let mut lines = vec![format!("const {name}: &{} = &[", array_type(held))];
        let width = entries.iter().map(String::len).max().unwrap_or(1) + 2;
        lines.extend(entries.chunks((100 / width).max(1)).map(|row| format!("    {},", row.join(", "))));
        lines.push("];".into());
        (String::new(), lines)
    }

    fn array(&self, name: &str, held: &Held) -> String {
        format!("let mut {name} = [0_{}; {}];", element_type(held.bits), held.len)
    }

    fn define(&self, name: &str, double: bool, changes: bool, value: &str) -> String {
        format!("let {}{name}: {} = {value};", if changes { "mut " } else { "" }, type_of(double))
    }

    fn assign(&self, name: &str, value: &str) -> String {
        format!("{name} = {value};")
    }

    fn pair(&self, pair: Pair) -> Vec<String> {
        let Pair { helper, arguments, first, second, .. } = pair;
        if first.is_none() && second.is_none() {
            return Vec::new();
        }
        let is_literal = |x: &String| x.starts_with(|c: char| c.is_ascii_digit());
        if self.hides
            && helper == Helper::SubBorrow(64)
            && let [a, b, c] = arguments
            && is_literal(b)
            && first.is_some()
        {
            let second = second.unwrap_or("_");
            let (first, b, name) = (first.unwrap_or_default(), self.hide(b), helper.name());
            return vec![format!("let ({first}, {second}) = {name}({a}, {b}, {c});")];
        }
        let [first, second] = [first, second].map(|name| name.unwrap_or("_"));
        // 0 and all ones make comparisons of borrows: see the helper.
        let is_known = |x: &String| x == "0" || x == "0xffffffffffffffff";
        let name = match helper {
            Helper::SubBorrow(64) if arguments.get(1).is_some_and(is_known) => KNOWN_BORROW.to_string(),
            helper => helper.name(),
        };
        vec![format!("let ({first}, {second}) = {name}({});", arguments.join(", "))]
    }

    fn unread(&self, name: &str) -> Option<String> {
        Some(format!("let _ = {name};"))
    }

    fn store(&self, array: &str, held: &Held, at: &str, value: &str) -> String {
        match held.bits {
            64 => format!("{array}[{at}] = {};", bare(value)),
            bits => format!("{array}[{at}] = {value} as u{bits};"),
        }
    }

    fn repeat(&self, counter: &str, count: u32) -> (Vec<String>, Vec<String>) {
        let open = vec![format!("let mut {counter}: isize = 0;"), format!("while {counter} < {count} {{")];
        (open, vec![format!("{counter} += 1;"), "}".into()])
    }

    fn call(&self, function: &str, arguments: &[Passed]) -> Vec<String> {
        let (mut before, mut passed, mut taken, mut after) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (i, Passed { argument, held }) in arguments.iter().enumerate() {
            let Argument { array, len, kind, elements, .. } = argument;
            let (whole, at) = match elements {
                Elements::From(start) => (start.is_zero() && held.len == *len, signed(start)),
                Elements::Scattered(_, at) => (false, signed(at)),
            };
            if *kind != ArrayKind::Output {
                passed.push(match elements {
                    _ if whole => reference(array, held),
                    Elements::From(_) => format!("part({}, {at})", reference(array, held)),
                    Elements::Scattered(copy, _) => {
                        before.push(format!("let mut {copy} = [0_{}; {len}];", element_type(held.bits)));
                        before.extend(copies(*len, &format!("{copy}[e as usize] = {array}[{}];", as_index(&at))));
                        format!("&{copy}")
                    }
                });
            }
            if *kind != ArrayKind::Input {
                if whole {
                    taken.push(array.clone());
                    continue;
                }
                let given = format!("given_{i}");
                let to = match elements {
                    Elements::From(start) if start.is_zero() => "e as usize".to_string(),
                    Elements::From(_) => format!("({at} + e) as usize"),
                    Elements::Scattered(..) => as_index(&at),
                };
                before.push(format!("let {given};"));
                after.extend(copies(*len, &format!("{array}[{to}] = {given}[e as usize];")));
                taken.push(given);
            }
        }
        before.push(format!("{} = {function}({});", results(&taken), passed.join(", ")));
        before.into_iter().chain(after).collect()
    }

    /// Where a function changes an array, its name then means another one, which the function writes: an assignment would
    /// copy it, in larger pieces than it was just stored in, and processors wait at such loads.
    fn call_once(&self, function: &str, arguments: &[Passed]) -> Vec<String> {
        let mut lines = self.call(function, arguments);
        if in_place(arguments).is_some()
            && let [line] = &mut lines[..]
        {
            *line = format!("let mut {line}");
        }
        lines
    }

    fn call_twice(&self, function: &str, arguments: &[Passed]) -> Option<Vec<String>> {
        let array = in_place(arguments)?;
        let lines = self.call(function, arguments);
        let [line] = &lines[..] else { return None };
        let (_, call) = line.split_once(" = ")?;
        let again = call.replace(&format!("&{array},"), "&given_half,").replace(&format!("&{array})"), "&given_half)");
        Some(vec![format!("let given_half = {call}"), format!("{array} = {again}")])
    }

    fn barrier(&self, mask: &str) -> Option<String> {
        let is_name = mask.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        is_name.then(|| format!("let {mask} = core::hint::black_box({mask});"))
    }

    fn indent(&self) -> &'static str {
        "    "
    }
}
