//! Functions that compute carry chains, one for each shape.

use std::collections::BTreeSet;

use super::super::words::{Chain, Link};
use super::dialect::Dialect;

/// What a chain's function is told by its name.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Shape {
    /// Bits of the words: 32 or 64.
    pub bits: u32,
    /// Differences?
    pub subtracts: bool,
    /// Of each link, is it a product?
    pub products: Vec<bool>,
    /// Does a carry come in?
    pub carry: bool,
    /// Is the carry of the last link wanted?
    pub out: bool,
}

impl Shape {
    /// That of a chain.
    pub fn of(chain: &Chain<String>) -> Shape {
        Shape {
            bits: chain.bits,
            subtracts: chain.subtracts,
            products: chain.links.iter().map(|link| matches!(link, Link::Product { .. })).collect(),
            carry: chain.carry.is_some(),
            out: chain.out.is_some(),
        }
    }

    /// The words of the result.
    pub fn words(&self) -> usize {
        self.products.iter().map(|product| 1 + usize::from(*product)).sum()
    }

    /// `chain_add_32_s1p4_in_out`: a sum, four products, carries in and out.
    fn name(&self) -> String {
        let runs = self.products.chunk_by(|a, b| a == b).map(|run| {
            let letter = if run[0] { 'p' } else { 's' };
            format!("{letter}{}", run.len())
        });
        let (kind, runs) = (if self.subtracts { "sub" } else { "add" }, runs.collect::<String>());
        let [carry, out] = [(self.carry, "_in"), (self.out, "_out")].map(|(is, text)| if is { text } else { "" });
        format!("chain_{kind}_{}_{runs}{carry}{out}", self.bits)
    }

    /// The names of the parameters behind the results: of each word of the result `a`, and `b` of sums; of each product
    /// `x` and `y`.
    fn operands(&self) -> Vec<String> {
        let mut word = 0;
        let mut names = Vec::new();
        for (i, product) in self.products.iter().enumerate() {
            if *product {
                names.extend([format!("x{i}"), format!("y{i}"), format!("a{word}"), format!("a{}", word + 1)]);
            } else {
                names.extend([format!("a{word}"), format!("b{i}")]);
            }
            word += 1 + usize::from(*product);
        }
        names.extend(self.carry.then(|| "carry".to_string()));
        names
    }
}

/// The lines that declare results and call.
pub fn call(dialect: &Dialect, shape: &Shape, chain: &Chain<String>) -> Vec<String> {
    let mut results: Vec<String> =
        chain.results().into_iter().map(|name| name.unwrap_or_default().to_string()).collect();
    results.extend(chain.out.map(str::to_string));
    let known = results.iter().find(|name| !name.is_empty()).cloned().unwrap_or_default();
    for (i, name) in results.iter_mut().enumerate().filter(|(_, name)| name.is_empty()) {
        *name = format!("evariste_{i}_of_{known}");
    }
    let operands = chain.links.iter().flat_map(|link| match link {
        Link::Sum { operands, .. } => operands.to_vec(),
        Link::Product { factors, onto, .. } => [factors.clone(), onto.clone()].concat(),
    });
    let mut given: Vec<String> = results[..shape.words()].iter().map(|name| format!("&{name}")).collect();
    given.extend(operands.chain(chain.carry.clone()));
    given.extend(results[shape.words()..].iter().map(|name| format!("&{name}")));
    vec![format!("{} {};", dialect.word(), results.join(", ")), format!("{}({});", shape.name(), given.join(", "))]
}

/// The functions of all shapes.
pub fn all(dialect: &Dialect, shapes: &BTreeSet<Shape>) -> String {
    let Some(has_ptx) = dialect.chain else { return String::new() };
    let one = |shape: &Shape| {
        let (name, word) = (shape.name(), dialect.word());
        let results = (0..shape.words()).map(|i| format!("{word} *s{i}"));
        let operands = shape.operands().into_iter().map(|name| format!("{word} {name}"));
        let out = shape.out.then(|| format!("{word} *out"));
        let parameters: Vec<String> = results.chain(operands).chain(out).collect();
        format!(
            "\n#ifndef EVARISTE_HAS_{name}\n#define EVARISTE_HAS_{name}\n{} void {name}({}) {{\n#if {has_ptx}\n{}#else\n{}#endif\n}}\n#endif\n",
            dialect.function,
            parameters.join(", "),
            ptx(dialect, shape),
            portable(dialect, shape)
        )
    };
    shapes.iter().map(one).collect()
}

/// In PTX, whose carry is a flag from one instruction to the next: `mad.lo.cc`, `madc.hi.cc`, `addc.cc`.
fn ptx(dialect: &Dialect, shape: &Shape) -> String {
    let bits = shape.bits;
    let letter = if bits == 32 { "r" } else { "l" };
    let ty = dialect.element(bits);
    let verb = if shape.subtracts { "sub" } else { "add" };
    let words = shape.words();
    let results: Vec<String> = (0..words + usize::from(shape.out)).map(|i| format!("r{i}")).collect();
    let mut inputs = Vec::new();
    let mut lines = Vec::new();
    let mut given = |name: String| {
        inputs.push(format!("\"{letter}\"(({ty}){name})"));
        format!("%{}", results.len() + inputs.len() - 1)
    };
    let mut flag = shape.carry;
    if shape.carry {
        let carry = given("carry".into());
        // The flag is set where there is a carry.
        lines.push(format!(".reg .u{bits} t;"));
        lines.push(match shape.subtracts {
            true => format!("sub.cc.u{bits} t, 0, {carry};"),
            false => format!("add.cc.u{bits} t, {carry}, -1;"),
        });
    }
    let mut word = 0;
    for (i, product) in shape.products.iter().enumerate() {
        let c = if flag { "c" } else { "" };
        let last = i + 1 == shape.products.len() && !shape.out;
        let cc = if last { "" } else { ".cc" };
        if *product {
            let [x, y, low, high] =
                [format!("x{i}"), format!("y{i}"), format!("a{word}"), format!("a{}", word + 1)].map(&mut given);
            lines.push(format!("mad{c}.lo.cc.u{bits} %{word}, {x}, {y}, {low};"));
            lines.push(format!("madc.hi{cc}.u{bits} %{}, {x}, {y}, {high};", word + 1));
        } else {
            let [a, b] = [format!("a{word}"), format!("b{i}")].map(&mut given);
            lines.push(format!("{verb}{c}{cc}.u{bits} %{word}, {a}, {b};"));
        }
        flag = true;
        word += 1 + usize::from(*product);
    }
    if shape.out {
        lines.push(format!("{verb}c.u{bits} %{words}, 0, 0;"));
    }
    let outputs: Vec<String> = results.iter().map(|r| format!("\"=&{letter}\"({r})")).collect();
    let lines: String = lines.iter().map(|line| format!("      \"{line}\\n\\t\"\n")).collect();
    let mut text = format!(
        "  {ty} {};\n  asm(\"{{\\n\\t\"\n{lines}      \"}}\"\n      : {}\n      : {});\n",
        results.join(", "),
        outputs.join(", "),
        inputs.join(", ")
    );
    for i in 0..words {
        text += &format!("  *s{i} = r{i};\n");
    }
    if shape.out {
        // A borrow is all ones.
        text += &format!("  *out = r{words}{};\n", if shape.subtracts { " & 1" } else { "" });
    }
    text
}

/// As sums of words.
fn portable(dialect: &Dialect, shape: &Shape) -> String {
    let [half, word_type] = [32, 64].map(|bits| dialect.element(bits));
    let verb = if shape.subtracts { "sub_borrow_64" } else { "add_carry_64" };
    let also = if shape.bits == 64 || shape.products.contains(&true) { ", t" } else { "" };
    let mut text = format!("  {word_type} c = {}{also};\n", if shape.carry { "carry" } else { "0" });
    let mut word = 0;
    for (i, product) in shape.products.iter().enumerate() {
        if *product {
            text += &format!("  t = x{i} * y{i};\n");
        }
        let addends =
            if *product { vec![format!("({half})t"), "(t >> 32)".to_string()] } else { vec![format!("b{i}")] };
        for addend in addends {
            text += &match (shape.bits, shape.subtracts) {
                (64, _) => format!("  *s{word} = {verb}(a{word}, {addend}, c, &t);\n  c = t;\n"),
                (_, false) => format!("  c += a{word} + {addend};\n  *s{word} = ({half})c;\n  c >>= 32;\n"),
                (_, true) => format!("  c = a{word} - {addend} - c;\n  *s{word} = ({half})c;\n  c = c >> 32 & 1;\n"),
            };
            word += 1;
        }
    }
    text + if shape.out { "  *out = c;\n" } else { "" }
}
