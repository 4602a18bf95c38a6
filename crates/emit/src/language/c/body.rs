//! Statements and expressions in C.

use num_bigint::BigInt;

use crate::unit::{
    Argument, Bitwise, Elements, Entries, Expression, Model, Part, Place, Reach, Statement, Variable, container,
};
use evariste_ir::ArrayKind;

use super::super::operators::{place, sign};
use super::helpers::masked;
use super::types::{c_type, computing, constant, index_type, is_native, ones, unsigned};
use super::verify;

/// Prints the statements of one function.
#[derive(Debug)]
pub struct Text {
    model: Model,
    /// The lines so far.
    pub out: String,
    indent: usize,
}

impl Text {
    /// No line yet.
    pub fn new(model: Model) -> Text {
        Text { model, out: String::new(), indent: 1 }
    }

    pub(super) fn line(&mut self, text: &str) {
        self.out += &"  ".repeat(self.indent);
        self.out += text;
        self.out += "\n";
    }

    /// Statements in order.
    pub fn block(&mut self, body: &[Statement]) {
        body.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &Statement) {
        let model = self.model;
        match statement {
            Statement::Table { name, entries } => self.table(name, entries),
            Statement::Array { variable: Variable { ty, name }, len } => {
                self.line(&format!("{} {name}[{len}];", c_type(model, *ty)));
            }
            Statement::Unread(name) => self.line(&format!("(void){name};")),
            Statement::Define { variable: Variable { ty, name }, value } => {
                let value = self.whole(value);
                self.line(&format!("{} {name} = {value};", c_type(model, *ty)));
            }
            Statement::Assign { name, value } => self.line(&format!("{name} = {};", operand(model, value))),
            Statement::Pair { helper, arguments, first, second, .. } => {
                let arguments = list(model, arguments);
                let (call, other) = (format!("{}({arguments}, &{})", helper.name(), second.name), &second.name);
                let other_ty = c_type(model, second.ty);
                match first {
                    None => self.line(&format!("{other_ty} {other}; (void){call};")),
                    Some(Variable { ty, name }) if c_type(model, *ty) == other_ty => {
                        self.line(&format!("{other_ty} {other}, {name} = {call};"));
                    }
                    Some(Variable { ty, name }) => {
                        self.line(&format!("{other_ty} {other}; {} {name} = {call};", c_type(model, *ty)));
                    }
                }
            }
            Statement::Choose { helper, ty, mask, choices } => {
                let names: Vec<&str> = choices.iter().map(|(name, ..)| name.as_str()).collect();
                let each = |(name, a, b): &(String, Expression, Expression)| {
                    format!("&{name}, {}, {}", operand(model, a), operand(model, b))
                };
                let arguments: Vec<String> =
                    [operand(model, mask)].into_iter().chain(choices.iter().map(each)).collect();
                self.line(&format!("{} {};", c_type(model, *ty), names.join(", ")));
                self.line(&format!("{}({});", helper.name(), arguments.join(", ")));
            }
            Statement::Store { array, at, value } => {
                self.line(&format!("{array}[{}] = {};", place(at), operand(model, value)));
            }
            Statement::Repeat { counter, count, body } => {
                self.line(&format!("for (int {counter} = 0; {counter} < {count}; {counter}++) {{"));
                self.indent += 1;
                self.block(body);
                self.indent -= 1;
                self.line("}");
            }
            Statement::Call { function, arguments } => self.call(function, arguments),
            Statement::Within { name, info } => self.line(&verify::within(&operand(model, name), info)),
        }
    }

    fn table(&mut self, name: &str, entries: &Entries) {
        let (ty, entries): (&str, Vec<String>) = match entries {
            Entries::Indices(all) => (index_type(all), all.iter().map(BigInt::to_string).collect()),
            Entries::Values(ty, all) => {
                (c_type(self.model, *ty), all.iter().map(|e| constant(self.model, *ty, e)).collect())
            }
        };
        self.line(&format!("static const {ty} {name}[{}] = {{", entries.len()));
        let width = entries.iter().map(String::len).max().unwrap_or(1);
        for row in entries.chunks((96 / (width + 2)).max(1)) {
            self.line(&format!("  {},", row.join(", ")));
        }
        self.line("};");
    }

    fn call(&mut self, function: &str, arguments: &[Argument]) {
        let mut passed = Vec::new();
        let mut after = Vec::new();
        for Argument { array, ty, len, kind, elements } in arguments {
            match elements {
                Elements::From(start) if start.is_zero() => passed.push(array.clone()),
                Elements::From(start) => passed.push(format!("{array} + {}", place(start))),
                Elements::Scattered(copy, element) => {
                    let element = place(element);
                    self.line(&format!("{} {copy}[{len}];", c_type(self.model, *ty)));
                    if *kind != ArrayKind::Output {
                        self.line(&format!("for (int e = 0; e < {len}; e++) {copy}[e] = {array}[{element}];"));
                    }
                    if *kind != ArrayKind::Input {
                        after.push(format!("for (int e = 0; e < {len}; e++) {array}[{element}] = {copy}[e];"));
                    }
                    passed.push(copy.clone());
                }
            }
        }
        self.line(&format!("{function}({});", passed.join(", ")));
        after.iter().for_each(|line| self.line(line));
    }

    /// What a name is defined to be: brought back to its type.
    fn whole(&self, value: &Expression) -> String {
        let text = raw(self.model, value);
        match value {
            _ if self.model == Model::Lanes => text,
            Expression::Not { bits, of } => back(*bits, &format!("~{}", computed(self.model, *bits, of))),
            Expression::Arithmetic { bits, .. } | Expression::Join { bits, .. } => back(*bits, &text),
            Expression::Shift { reach: Reach::Outside, .. } => text,
            Expression::Shift { bits, .. } => back(*bits, &text),
            Expression::Bitwise { bits, .. } | Expression::Low { bits, .. } if !is_native(*bits) => {
                format!("({})({text})", unsigned(*bits))
            }
            _ => text,
        }
    }
}

/// A part as a function of its own, which is given what the others left.
pub fn part(model: Model, symbol: &str, part: &Part) -> String {
    let Part { name, tables, takes, body, gives, arrays } = part;
    let mut text = Text::new(model);
    text.block(tables);
    for Variable { ty, name } in takes {
        text.line(&format!("{} {name} = live->{name};", c_type(model, *ty)));
    }
    text.block(body);
    for Variable { name, .. } in gives {
        text.line(&format!("live->{name} = {name};"));
    }
    let declared = arrays.iter().map(|(Variable { ty, name }, len, is_read)| {
        format!("{}{} {name}[{len}]", if *is_read { "const " } else { "" }, c_type(model, *ty))
    });
    let live = part.passes_values().then(|| format!("live_in_{symbol} *live"));
    let parameters: Vec<String> = live.into_iter().chain(declared).collect();
    let parameters = if parameters.is_empty() { "void".into() } else { parameters.join(", ") };
    format!("EVARISTE_SECTION void {name}({parameters}) {{\n{}}}\n\n", text.out)
}

/// An expression in the computing type, as the type of its bits.
fn back(bits: u32, text: &str) -> String {
    if is_native(bits) { text.to_string() } else { format!("({})({})", unsigned(bits), masked(bits, text)) }
}

/// An operand in its computing type.
fn computed(model: Model, bits: u32, x: &Expression) -> String {
    let text = operand(model, x);
    if is_native(bits) { text } else { format!("({}){text}", computing(bits)) }
}

fn list(model: Model, arguments: &[Expression]) -> String {
    arguments.iter().map(|x| operand(model, x)).collect::<Vec<_>>().join(", ")
}

/// A value as an operand: in parentheses where it needs them.
fn operand(model: Model, x: &Expression) -> String {
    let text = raw(model, x);
    match x {
        Expression::Bitwise { .. } | Expression::Arithmetic { .. } | Expression::Float { .. } => format!("({text})"),
        _ => text,
    }
}

/// The expression, before it is brought back to its type.
fn raw(model: Model, x: &Expression) -> String {
    let value = |x: &Expression| operand(model, x);
    match x {
        Expression::Name(name) => name.clone(),
        Expression::Constant(ty, c) => constant(model, *ty, c),
        Expression::Pattern(bits) => format!("UINT64_C({bits:#018x})"),
        Expression::Public(at) => bracketed(at),
        Expression::Element(array, at) => format!("{array}[{}]", place(at)),
        Expression::Entry(array, index) => format!("{array}[{}]", value(index)),
        Expression::Arithmetic { op, bits, left, right, .. } => {
            // Sums of a product: from the left, each step wrapping as the whole does.
            let left = match &**left {
                inner @ Expression::Arithmetic { .. } => raw(model, inner),
                other => computed(model, *bits, other),
            };
            format!("{left} {} {}", sign(*op), value(right))
        }
        Expression::Product { bits, left, right } => {
            format!("({})(({}){} * {})", unsigned(*bits), computing(*bits), value(left), value(right))
        }
        Expression::Bitwise { op, left, right, .. } => {
            let sign = match op {
                Bitwise::And => "&",
                Bitwise::Or => "|",
                Bitwise::Xor => "^",
            };
            let left = match &**left {
                inner @ Expression::Bitwise { op: Bitwise::Xor, .. } if *op == Bitwise::Xor => raw(model, inner),
                other => value(other),
            };
            format!("{left} {sign} {}", value(right))
        }
        Expression::Not { of, .. } => format!("~{}", value(of)),
        Expression::Shift { bits, reach: Reach::Outside, .. } => format!("({})0", unsigned(*bits)),
        Expression::Shift { left, bits, value, amount, reach } => {
            let (sign, amount) = (if *left { "<<" } else { ">>" }, bracketed(amount));
            let shifted = format!("{} {sign} {amount}", computed(model, *bits, value));
            if *reach == Reach::Inside { shifted } else { format!("({amount} < {bits} ? {shifted} : 0)") }
        }
        Expression::Low { low, value: of, .. } => format!("{} & {}", value(of), ones(*low)),
        Expression::Convert { bits, value: of } => format!("({}){}", unsigned(*bits), value(of)),
        Expression::Slice { at, bits, value: of } => {
            let shifted = if *at == 0 { value(of) } else { format!("({} >> {at})", value(of)) };
            let ty = unsigned(*bits);
            if *bits == container(*bits) {
                format!("({ty}){shifted}")
            } else {
                format!("({ty})({shifted} & {})", ones(*bits))
            }
        }
        Expression::Join { bits, parts } => {
            let (c, mut at, mut terms) = (computing(*bits), 0, Vec::new());
            for (width, part) in parts {
                let shift = if at == 0 { String::new() } else { format!(" << {at}") };
                terms.push(format!("({c}){}{shift}", value(part)));
                at += width;
            }
            terms.join(" | ")
        }
        Expression::Flag(mask) => format!("(uint8_t)({} & 1)", value(mask)),
        Expression::Mask { to, mask, .. } => {
            let copies = format!("0 - ({})({} & 1)", computing(*to), value(mask));
            format!("({})({})", unsigned(*to), masked(*to, &copies))
        }
        Expression::Helper(helper, arguments) => format!("{}({})", helper.name(), list(model, arguments)),
        Expression::Float { op, left, right } => format!("{} {} {}", value(left), sign(*op), value(right)),
        Expression::Fused { bits, operands } => {
            let fma = if *bits == 32 { "__builtin_fmaf" } else { "__builtin_fma" };
            format!("{fma}({})", list(model, operands))
        }
    }
}

/// As [`place`], in parentheses unless it is one word.
fn bracketed(at: &Place) -> String {
    let text = place(at);
    if text.chars().all(|c| c.is_ascii_alphanumeric()) { text } else { format!("({text})") }
}
