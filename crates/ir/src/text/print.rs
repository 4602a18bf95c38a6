//! Kernels to text.

use std::fmt;

use num_bigint::{BigInt, Sign};
use num_traits::{One, Signed};

use super::number::{show, show_range};
use crate::contract::{Below, BitMap, Claim, Modulo, Multiplication, Operand, Polynomial};
use crate::kernel::{Array, ArrayInfo, ArrayKind, Index, Kernel, Stmt, Type, Value, ValueInfo, View};
use crate::op::Op;
use crate::recurrence::{BitOf, Recurrence};
use crate::ring::Ring;

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Word(n) => write!(f, "w{n}"),
            Type::Wide(n) => write!(f, "d{n}"),
            Type::Float(n) => write!(f, "f{n}"),
            Type::Flag => f.write_str("flag"),
            Type::Mask(n) => write!(f, "m{n}"),
        }
    }
}

/// The text form (see [`crate::text`]); callees first.
impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut order: Vec<&Kernel> = Vec::new();
        collect(self, &mut order);
        for (i, k) in order.iter().enumerate() {
            one(f, k, &order, Some(i))?;
            writeln!(f)?;
        }
        one(f, self, &order, None)
    }
}

/// The callees in post-order, each once.
fn collect<'a>(k: &'a Kernel, order: &mut Vec<&'a Kernel>) {
    for callee in &k.callees {
        if !order.iter().any(|o| std::ptr::eq(*o, &**callee) || **o == **callee) {
            collect(callee, order);
            order.push(callee);
        }
    }
}

fn one(f: &mut fmt::Formatter<'_>, k: &Kernel, order: &[&Kernel], number: Option<usize>) -> fmt::Result {
    f.write_str("kernel ")?;
    if let Some(i) = number {
        write!(f, "@{i} ")?;
    }
    writeln!(f, "{}: word {}{} {{", k.name, k.word, if k.vartime { " vartime" } else { "" })?;
    for a in &k.arrays {
        array(f, a)?;
    }
    for (a, b) in &k.disjoint {
        writeln!(f, "    disjoint {} {}", k.array(*a).name, k.array(*b).name)?;
    }
    if !k.callees.is_empty() {
        f.write_str("    callees")?;
        for callee in &k.callees {
            let at = order.iter().position(|o| **o == **callee).unwrap_or(0);
            write!(f, " @{at}")?;
        }
        writeln!(f)?;
    }
    if !k.contract.inputs.is_empty() || !k.contract.claims.is_empty() {
        writeln!(f)?;
    }
    for operand in &k.contract.inputs {
        writeln!(f, "    given {}", number_text(k, operand))?;
    }
    for (i, operand) in k.contract.inputs.iter().enumerate() {
        if let Some(b) = &operand.below {
            writeln!(f, "    where {} < {}", input_name(k, i as u32), below(k, b))?;
        }
    }
    for fact in &k.contract.facts {
        let times = fact.times.map(|i| format!(" * {}", input_name(k, i))).unwrap_or_default();
        writeln!(
            f,
            "    where {}{times} = {} mod {}",
            input_name(k, fact.number),
            polynomial(k, &fact.polynomial),
            show(&fact.modulus)
        )?;
    }
    for c in &k.contract.claims {
        let bound = c.output().below.map(|b| format!(" < {}", below(k, &b))).unwrap_or_default();
        writeln!(f, "    gives {}{bound}: {}", number_text(k, c.output()), claim(k, c))?;
    }
    if !k.body.is_empty() {
        writeln!(f)?;
    }
    block(f, k, &k.body, 1)?;
    writeln!(f, "}}")
}

fn array(f: &mut fmt::Formatter<'_>, a: &ArrayInfo) -> fmt::Result {
    let kind = match &a.kind {
        ArrayKind::Input => "input",
        ArrayKind::Output => "output",
        ArrayKind::InOut => "inout",
        ArrayKind::Ghost => "ghost",
        ArrayKind::Local => "local",
        ArrayKind::Table(_) => "table",
    };
    write!(f, "    {kind} {}: {} x {}", a.name, a.len, a.ty)?;
    match a.ranges.as_slice() {
        [r] if *r == a.ty.full() => {}
        [r] => write!(f, " {}", show_range(r))?,
        all => write!(f, " each ({})", all.iter().map(show_range).collect::<Vec<_>>().join(", "))?,
    }
    if let ArrayKind::Table(entries) = &a.kind {
        write!(f, " = ({})", entries.iter().map(show).collect::<Vec<_>>().join(", "))?;
    }
    writeln!(f)
}

// Contracts

/// `name <= bound = digits`.
fn number_text(k: &Kernel, operand: &Operand) -> String {
    let mut runs = Vec::new();
    let d = &operand.digits;
    let mut i = 0;
    while i < d.len() {
        // The longest run of elements in order with equal steps of weight and one maximum.
        let step = d.get(i + 1).and_then(|next| next.weight.checked_sub(d[i].weight));
        let mut j = i + 1;
        while let (Some(x), Some(step)) = (d.get(j), step) {
            let last = &d[j - 1];
            if x.array != last.array
                || Some(x.index) != last.index.checked_add(1)
                || last.weight.checked_add(step) != Some(x.weight)
                || (&x.max, x.bits) != (&last.max, last.bits)
            {
                break;
            }
            j += 1;
        }
        let (first, name, max) = (&d[i], &k.array(d[i].array).name, show(&d[i].max));
        let low = d[i].bits.map_or_else(String::new, |k| format!(" low {k}"));
        runs.push(match step {
            Some(step) if j > i + 1 => format!(
                "{name}[{}..{}]{low} * 2^{} step {step} max {max}",
                first.index,
                d[j - 1].index + 1,
                first.weight
            ),
            _ => format!("{name}[{}]{low} * 2^{} max {max}", first.index, first.weight),
        });
        i = j;
    }
    if runs.is_empty() {
        runs.push("nothing".to_string());
    }
    format!("{} <= {} = {}", operand.name, show(&operand.bound), runs.join(" + "))
}

/// `multiple * number`.
fn below(k: &Kernel, b: &Below) -> String {
    format!("{} * {}", b.multiple, input_name(k, b.number))
}

fn input_name(k: &Kernel, i: u32) -> String {
    let inputs = &k.contract.inputs;
    match inputs.get(i as usize) {
        Some(o) if o.name != "nothing" && inputs.iter().position(|p| p.name == o.name) == Some(i as usize) => {
            o.name.clone()
        }
        _ => format!("#{i}"),
    }
}

fn polynomial(k: &Kernel, p: &Polynomial) -> String {
    let mut text = String::new();
    for (c, factors) in &p.0 {
        let negative = c.sign() == Sign::Minus;
        text += match (text.is_empty(), negative) {
            (true, false) => "",
            (true, true) => "-",
            (false, false) => " + ",
            (false, true) => " - ",
        };
        let c: BigInt = c.abs();
        let mut parts: Vec<String> = factors.iter().map(|i| input_name(k, *i)).collect();
        if !c.is_one() || parts.is_empty() {
            parts.insert(0, show(&c));
        }
        text += &parts.join("*");
    }
    if text.is_empty() { "nothing".to_string() } else { text }
}

fn claim(k: &Kernel, c: &Claim) -> String {
    match c {
        Claim::Value { factor, polynomial: p, modulus, .. } => {
            let modulus = match modulus {
                None => String::new(),
                Some(Modulo::Constant(m)) => format!(" mod {}", show(m)),
                Some(Modulo::Input(i)) => format!(" mod {}", input_name(k, *i)),
            };
            format!("value {} it = {}{modulus}", show(factor), polynomial(k, p))
        }
        Claim::Equal { left, right: Some(right), .. } => {
            format!("equal {} {}", input_name(k, *left), input_name(k, *right))
        }
        Claim::Equal { left, right: None, .. } => format!("zero {}", input_name(k, *left)),
        Claim::Power { base, exponent, product, .. } => {
            let power = format!("power {} ^ {}", input_name(k, *base), show(&BigInt::from(exponent.clone())));
            match product {
                Multiplication::Modular { factor, modulus } => {
                    format!("{power} factor {} mod {}", show(factor), show(modulus))
                }
                Multiplication::Bits(map) => format!("{power} under {}", show_map(map)),
            }
        }
        Claim::Bits { map, .. } => show_map(map),
        Claim::Polynomial { polynomial: p, map, .. } => {
            format!("polynomial under {} it = {}", show_map(map), polynomial(k, p))
        }
        Claim::Iterate { recurrence, component, .. } => iterate(k, recurrence, *component),
        Claim::Divsteps { part, count, .. } => format!("divsteps {} after {count}", part.name()),
        Claim::Step { name, .. } => format!("step {name}"),
    }
}

/// `iterate component of count steps mod m from (…) bits (…) by (…)`.
fn iterate(k: &Kernel, r: &Recurrence, component: u32) -> String {
    let list = |all: &[Polynomial]| all.iter().map(|p| polynomial(k, p)).collect::<Vec<_>>().join(", ");
    let ring = match &r.ring {
        Ring::Integers(m) => format!("mod {}", show(m)),
        Ring::Bits(map) => format!("under {}", show_map(map)),
    };
    let bit = |b: &BitOf| format!("{} {} {}", input_name(k, b.number), b.first, b.stride);
    format!(
        "iterate {component} of {} steps {ring} from ({}) bits ({}) by ({})",
        r.count,
        list(&r.start),
        r.bits.iter().map(bit).collect::<Vec<_>>().join(", "),
        list(&r.step)
    )
}

fn show_map(map: &BitMap) -> String {
    let (name, images) = match map {
        BitMap::Linear(images) => ("linear", images),
        BitMap::Bilinear(images) => ("bilinear", images),
        BitMap::Convolution(images) => ("convolution", images),
        BitMap::RotatingBilinear(rows) => ("rotating", rows),
    };
    let row = |r: &Vec<u32>| format!("({})", r.iter().map(u32::to_string).collect::<Vec<_>>().join(", "));
    format!("{name} ({})", images.iter().map(row).collect::<Vec<_>>().join(", "))
}

// Statements

fn definition(k: &Kernel, v: Value) -> String {
    match k.values.get(v.0 as usize) {
        Some(ValueInfo { ty, range }) if *range == ty.full() => format!("%{}: {ty}", v.0),
        Some(ValueInfo { ty, range }) => format!("%{}: {ty} {}", v.0, show_range(range)),
        None => format!("%{}", v.0),
    }
}

fn definitions(k: &Kernel, vs: impl Iterator<Item = Value>) -> String {
    vs.map(|v| definition(k, v)).collect::<Vec<_>>().join(", ")
}

fn uses(vs: impl Iterator<Item = Value>) -> String {
    vs.map(|v| format!("%{}", v.0)).collect::<Vec<_>>().join(", ")
}

fn array_name(k: &Kernel, a: Array) -> &str {
    k.arrays.get(a.0 as usize).map_or("?", |a| a.name.as_str())
}

/// `i0*3 - i1 + t[i0] + 5 mod`.
fn index(k: &Kernel, x: &Index) -> String {
    let mut text = String::new();
    let mut add = |negative: bool, term: String| {
        text += match (text.is_empty(), negative) {
            (true, false) => "",
            (true, true) => "-",
            (false, false) => " + ",
            (false, true) => " - ",
        };
        text += &term;
    };
    for (c, coefficient) in &x.terms {
        let size = coefficient.unsigned_abs();
        add(*coefficient < 0, if size == 1 { format!("i{}", c.0) } else { format!("i{}*{size}", c.0) });
    }
    if let Some((t, inner)) = &x.table {
        add(false, format!("{}[{}]", array_name(k, *t), index(k, inner)));
    }
    if x.base != 0 || x.terms.is_empty() && x.table.is_none() {
        add(x.base < 0, x.base.unsigned_abs().to_string());
    }
    if x.modulo {
        text += " mod";
    }
    text
}

fn view(k: &Kernel, v: &View) -> String {
    let name = array_name(k, v.array);
    if v.start == Index::default() && v.order.is_none() {
        return name.to_string();
    }
    let order = v.order.map(|t| format!(" by {}", array_name(k, t))).unwrap_or_default();
    let gap = if v.start.modulo { " " } else { "" };
    format!("{name}[{}{gap}..{order}]", index(k, &v.start))
}

/// The public part of an operation, in parentheses.
fn immediate(k: &Kernel, op: &Op) -> String {
    match op {
        Op::Const(c) => format!("({})", show(c)),
        Op::MaddLo(n) | Op::MaddHi(n) | Op::LowBits(n) => format!("({n})"),
        Op::BitMatrix(images) => format!("({images:#018x})"),
        Op::Lookup { table, .. } => format!("({})", array_name(k, *table)),
        _ => op.amount().map_or_else(String::new, |i| format!("({})", index(k, i))),
    }
}

fn block(f: &mut fmt::Formatter<'_>, k: &Kernel, body: &[Stmt], depth: usize) -> fmt::Result {
    for stmt in body {
        write!(f, "{:1$}", "", 4 * depth)?;
        match stmt {
            Stmt::Op { op, args, results } => {
                write!(f, "{} = {}{}", definitions(k, results.iter().copied()), op.name(), immediate(k, op))?;
                if !args.is_empty() {
                    write!(f, " {}", uses(args.iter().copied()))?;
                }
                writeln!(f)?;
            }
            Stmt::Load { result, array, index: i } => {
                writeln!(f, "{} = {}[{}]", definition(k, *result), array_name(k, *array), index(k, i))?
            }
            Stmt::Store { array, index: i, value } => {
                writeln!(f, "{}[{}] = %{}", array_name(k, *array), index(k, i), value.0)?
            }
            Stmt::Loop(l) => {
                if !l.carried.is_empty() {
                    write!(f, "{} = ", definitions(k, l.carried.iter().map(|c| c.result)))?;
                }
                write!(f, "for i{} in 0..{}", l.counter.0, l.count)?;
                if !l.carried.is_empty() {
                    let carried: Vec<String> =
                        l.carried.iter().map(|c| format!("{} = %{}", definition(k, c.inner), c.init.0)).collect();
                    write!(f, " carry {}", carried.join(", "))?;
                }
                writeln!(f, " {{")?;
                block(f, k, &l.body, depth + 1)?;
                if !l.carried.is_empty() {
                    writeln!(f, "{:1$}yield {2}", "", 4 * depth + 4, uses(l.carried.iter().map(|c| c.next)))?;
                }
                writeln!(f, "{:1$}}}", "", 4 * depth)?;
            }
            Stmt::Call { callee, args } => {
                let name = k.callees.get(*callee as usize).map_or("?", |c| c.name.as_str());
                writeln!(
                    f,
                    "call {callee} {name}({})",
                    args.iter().map(|v| view(k, v)).collect::<Vec<_>>().join(", ")
                )?;
            }
        }
    }
    Ok(())
}
