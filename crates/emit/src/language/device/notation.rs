//! Signs and lines of OpenCL C and CUDA C++.

use std::cell::RefCell;
use std::collections::BTreeSet;

use evariste_ir::ArrayKind;
use evariste_ir::range::pow2;
use num_bigint::BigInt;

use super::super::operators::{place, sign};
use super::super::words::{Chain, Held, Notation, Pair, Passed, Role, bare};
use super::chain::{self, Shape};
use super::dialect::Dialect;
use crate::unit::{Argument, Arithmetic, Elements, Helper, Place};

/// The language, in a function of that name.
#[derive(Debug)]
pub struct Device<'a> {
    /// The function's name.
    pub symbol: &'a str,
    /// The language.
    pub dialect: &'a Dialect,
    /// The shapes of chains so far.
    pub chains: &'a RefCell<BTreeSet<Shape>>,
}

/// The end of the name of what looks up in a table, where tables have an address space of their own.
pub const OF_TABLE: &str = "_of_table";

impl Dialect {
    /// A number as a literal.
    pub fn literal(&self, x: &BigInt) -> String {
        if *x < BigInt::from(10) { format!("{x}{}", self.suffix) } else { format!("{x:#x}{}", self.suffix) }
    }

    /// `2^k − 1`.
    pub fn ones(&self, k: u32) -> String {
        self.literal(&(pow2(k) - 1))
    }
}

impl Notation for Device<'_> {
    fn literal(&self, x: &BigInt, _bits: u32) -> String {
        self.dialect.literal(x)
    }

    fn arithmetic(&self, op: Arithmetic, _double: bool, left: &str, right: &str) -> (String, bool) {
        (format!("{left} {} {right}", sign(op)), false)
    }

    fn not(&self) -> &'static str {
        "~"
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
        if held.bits == 64 { element } else { format!("(({}){element})", self.dialect.word()) }
    }

    fn index(&self, _array: &str, _held: &Held, at: &Place) -> String {
        place(at)
    }

    /// A table says its address space, by which [`Notation::helper`] takes the function that reads it.
    fn whole(&self, array: &str, held: &Held) -> String {
        let Dialect { table, tables_first, .. } = self.dialect;
        let apart = *tables_first && held.role == Role::Table;
        if apart { format!("({table} {} *){array}", self.dialect.element(held.bits)) } else { array.to_string() }
    }

    fn helper(&self, helper: Helper, arguments: &[String]) -> String {
        let of_table = matches!(helper, Helper::Lookup(_)) && arguments.first().is_some_and(|a| a.starts_with('('));
        format!("{}{}({})", helper.name(), if of_table { OF_TABLE } else { "" }, arguments.join(", "))
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

    fn far_shift(&self, shifted: &str, amount: &str, bits: u32) -> String {
        format!("({amount} < {bits} ? {shifted} : 0{})", self.dialect.suffix)
    }

    fn table(&self, name: &str, held: &Held, entries: &[String]) -> (String, Vec<String>) {
        let Dialect { table, tables_first, .. } = self.dialect;
        let ty = self.dialect.element(held.bits);
        let width = entries.iter().map(String::len).max().unwrap_or(1) + 2;
        let rows = entries.chunks((100 / width).max(1)).map(|row| format!("  {},", row.join(", ")));
        if !tables_first {
            let open = format!("{table} {ty} {name}[{}] = {{", held.len);
            return (String::new(), [open].into_iter().chain(rows).chain(["};".to_string()]).collect());
        }
        let first = format!("table_{}_{name}", self.symbol);
        let rows: String = rows.map(|row| row + "\n").collect();
        (
            format!("\n{table} {ty} {first}[{}] = {{\n{rows}}};\n", held.len),
            vec![format!("{table} {ty} *{name} = {first};"), format!("(void){name};")],
        )
    }

    fn array(&self, name: &str, held: &Held) -> String {
        format!("{} {name}[{}];", self.dialect.element(held.bits), held.len)
    }

    fn define(&self, name: &str, _double: bool, _changes: bool, value: &str) -> String {
        format!("{} {name} = {value};", self.dialect.word())
    }

    fn assign(&self, name: &str, value: &str) -> String {
        format!("{name} = {value};")
    }

    fn pair(&self, pair: Pair) -> Vec<String> {
        let Pair { helper, arguments, first, second, .. } = pair;
        let (word, name) = (self.dialect.word(), helper.name());
        let high = second.map_or_else(|| format!("evariste_of_{}", first.unwrap_or_default()), str::to_string);
        let call = format!("{name}({}, &{high});", arguments.join(", "));
        match (first, second) {
            (None, None) => Vec::new(),
            (first, _) => {
                vec![
                    format!("{word} {high};"),
                    first.map_or(format!("(void){call}"), |x| format!("{word} {x} = {call}")),
                ]
            }
        }
    }

    fn has_chains(&self) -> bool {
        self.dialect.chain.is_some()
    }

    fn chain(&self, chain: &Chain<String>) -> Vec<String> {
        let shape = Shape::of(chain);
        let lines = chain::call(self.dialect, &shape, chain);
        self.chains.borrow_mut().insert(shape);
        lines
    }

    fn unread(&self, name: &str) -> Option<String> {
        Some(format!("(void){name};"))
    }

    fn store(&self, array: &str, held: &Held, at: &str, value: &str) -> String {
        match held.bits {
            64 => format!("{array}[{at}] = {};", bare(value)),
            bits => format!("{array}[{at}] = ({}){value};", self.dialect.element(bits)),
        }
    }

    fn repeat(&self, counter: &str, count: u32) -> (Vec<String>, Vec<String>) {
        (vec![format!("for (int {counter} = 0; {counter} < {count}; {counter}++) {{")], vec!["}".into()])
    }

    fn call(&self, function: &str, arguments: &[Passed]) -> Vec<String> {
        let (mut before, mut passed, mut after) = (Vec::new(), Vec::new(), Vec::new());
        for (i, Passed { argument: Argument { array, len, kind, elements, .. }, held }) in arguments.iter().enumerate()
        {
            let ty = self.dialect.element(held.bits);
            let each = |to: &str, from: &str| format!("for (int e = 0; e < {len}; e++) {to} = {from};");
            match elements {
                // A table of an address space of its own is copied: functions take arrays of the thread.
                Elements::From(start) if held.role == Role::Table && self.dialect.tables_first => {
                    let copy = format!("evariste_given_{i}");
                    before.push(format!("{ty} {copy}[{len}];"));
                    before.push(each(&format!("{copy}[e]"), &format!("{array}[{} + e]", place(start))));
                    passed.push(copy);
                }
                Elements::From(start) if start.is_zero() => passed.push(array.clone()),
                Elements::From(start) => passed.push(format!("{array} + {}", place(start))),
                Elements::Scattered(copy, element) => {
                    let theirs = format!("{array}[{}]", place(element));
                    before.push(format!("{ty} {copy}[{len}];"));
                    if *kind != ArrayKind::Output {
                        before.push(each(&format!("{copy}[e]"), &theirs));
                    }
                    if *kind != ArrayKind::Input {
                        after.push(each(&theirs, &format!("{copy}[e]")));
                    }
                    passed.push(copy.clone());
                }
            }
        }
        before.push(format!("{function}({});", passed.join(", ")));
        let copies = before.len() > 1;
        let all = before.into_iter().chain(after);
        // Copies have names of this call alone.
        if copies { ["{".to_string()].into_iter().chain(all).chain(["}".to_string()]).collect() } else { all.collect() }
    }

    fn indent(&self) -> &'static str {
        "  "
    }
}
