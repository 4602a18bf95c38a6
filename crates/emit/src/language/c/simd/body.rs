//! Statements and expressions on vectors: a value is a lane of 64 bits, a number below `2^bits` of its type; flags are 0
//! or 1, masks 0 or `2^bits − 1`.

use std::collections::BTreeSet;

use evariste_ir::range::pow2;
use evariste_ir::{ArrayKind, Type};
use num_bigint::BigInt;

use super::level::Level;
use crate::language::c::types::{index_type, literal};
use crate::language::operators::place;
use crate::unit::{
    Argument, Arithmetic, Bitwise, Elements, Entries, Expression, Helper, Place, Reach, Statement, Variable,
};

/// What has no form on vectors.
pub struct NoForm(pub String);

type Printed = Result<String, NoForm>;

/// What functions call of what a level defines.
#[derive(Default)]
pub struct Called {
    /// Helpers.
    pub helpers: BTreeSet<Helper>,
    /// Products by numbers below 2^32.
    pub by_half: bool,
}

/// Prints the statements of one function.
pub struct Text<'a> {
    level: &'a Level,
    /// The lines so far.
    pub out: String,
    indent: usize,
    /// Tables of constants, whose entries are alike in all lanes.
    tables: BTreeSet<String>,
    called: &'a mut Called,
}

impl<'a> Text<'a> {
    /// No line yet.
    pub fn new(level: &'a Level, called: &'a mut Called) -> Text<'a> {
        Text { level, out: String::new(), indent: 1, tables: BTreeSet::new(), called }
    }

    fn line(&mut self, text: &str) {
        self.out += &"  ".repeat(self.indent);
        self.out += text;
        self.out += "\n";
    }

    /// Statements in order.
    pub fn block(&mut self, body: &[Statement]) -> Result<(), NoForm> {
        body.iter().try_for_each(|statement| self.statement(statement))
    }

    fn statement(&mut self, statement: &Statement) -> Result<(), NoForm> {
        let vector = self.level.vector;
        match statement {
            Statement::Table { name, entries } => self.table(name, entries),
            Statement::Array { variable, len } => self.line(&format!("{vector} {}[{len}];", fits(variable)?)),
            Statement::Unread(name) => self.line(&format!("(void){name};")),
            Statement::Define { variable, value } => {
                let value = self.expression(value)?;
                self.line(&format!("{vector} {} = {value};", fits(variable)?));
            }
            Statement::Assign { name, value } => {
                let value = self.expression(value)?;
                self.line(&format!("{name} = {value};"));
            }
            Statement::Pair { helper, arguments, halves, first, second, .. } => {
                self.pair(*helper, arguments, *halves, first.as_ref(), second)?;
            }
            Statement::Choose { ty, mask, choices, .. } => {
                for (name, a, b) in choices {
                    let arguments = [mask.clone(), a.clone(), b.clone()];
                    let call = self.call_of(Helper::Select(ty.bits()), &arguments, None)?;
                    self.line(&format!("{vector} {name} = {call};"));
                }
            }
            Statement::Store { array, at, value } => {
                let value = self.expression(value)?;
                self.line(&format!("{array}[{}] = {value};", place(at)));
            }
            Statement::Repeat { counter, count, body } => {
                self.line(&format!("for (int {counter} = 0; {counter} < {count}; {counter}++) {{"));
                self.indent += 1;
                self.block(body)?;
                self.indent -= 1;
                self.line("}");
            }
            Statement::Call { function, arguments } => self.call(function, arguments)?,
            // Bounds are checked in the functions of one element.
            Statement::Within { .. } => {}
        }
        Ok(())
    }

    /// Two results. A product of numbers below 2^32 has nothing in its high word.
    fn pair(
        &mut self,
        helper: Helper,
        arguments: &[Expression],
        halves: [bool; 2],
        first: Option<&Variable>,
        second: &Variable,
    ) -> Result<(), NoForm> {
        let (vector, name) = (self.level.vector, fits(second)?);
        if let (Helper::MulWide(64), [a, b]) = (helper, arguments) {
            let (a, b) = self.two(a, b)?;
            let call = match halves {
                [true, true] => {
                    let zero = self.constant(&BigInt::ZERO);
                    let low = first.map(fits).transpose()?;
                    let low = low.map(|low| format!(", {low} = {}", self.half_product(&a, &b)));
                    self.line(&format!("{vector} {name} = {zero}{};", low.unwrap_or_default()));
                    return Ok(());
                }
                [true, false] => self.by_half(&b, &a, name),
                [false, true] => self.by_half(&a, &b, name),
                [false, false] => self.call_of(helper, arguments, Some(name))?,
            };
            return self.two_of(&call, first, name);
        }
        let call = self.call_of(helper, arguments, Some(name))?;
        self.two_of(&call, first, name)
    }

    /// What a call gives, and what it writes to a name.
    fn two_of(&mut self, call: &str, first: Option<&Variable>, second: &str) -> Result<(), NoForm> {
        let vector = self.level.vector;
        match first {
            None => self.line(&format!("{vector} {second}; (void){call};")),
            Some(first) => self.line(&format!("{vector} {second}, {} = {call};", fits(first)?)),
        }
        Ok(())
    }

    /// Both words of a product by a number below 2^32.
    fn by_half(&mut self, a: &str, half: &str, second: &str) -> String {
        self.called.by_half = true;
        format!("mul_wide_by_half_{}({a}, {half}, &{second})", self.level.suffix)
    }

    fn table(&mut self, name: &str, entries: &Entries) {
        let (ty, entries): (&str, Vec<String>) = match entries {
            Entries::Indices(all) => (index_type(all), all.iter().map(BigInt::to_string).collect()),
            Entries::Values(_, all) => {
                self.tables.insert(name.to_string());
                ("uint64_t", all.iter().map(|entry| literal(entry, 64)).collect())
            }
        };
        self.line(&format!("static const {ty} {name}[{}] = {{{}}};", entries.len(), entries.join(", ")));
    }

    fn call(&mut self, function: &str, arguments: &[Argument]) -> Result<(), NoForm> {
        let (mut passed, mut after) = (Vec::new(), Vec::new());
        for Argument { array, len, kind, elements, .. } in arguments {
            if self.tables.contains(array) {
                return Err(NoForm(format!("the table `{array}` in a call")));
            }
            match elements {
                Elements::From(start) if start.is_zero() => passed.push(array.clone()),
                Elements::From(start) => passed.push(format!("{array} + {}", place(start))),
                Elements::Scattered(copy, element) => {
                    let element = place(element);
                    self.line(&format!("{} {copy}[{len}];", self.level.vector));
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
        Ok(())
    }

    /// A call of a helper, of whose results the second goes to a name.
    fn call_of(&mut self, helper: Helper, arguments: &[Expression], second: Option<&str>) -> Printed {
        if (self.level.helper)(helper).is_none() {
            return Err(NoForm(format!("`{}`", helper.name())));
        }
        self.called.helpers.insert(helper);
        let mut all = arguments.iter().map(|x| self.expression(x)).collect::<Result<Vec<_>, _>>()?;
        all.extend(second.map(|name| format!("&{name}")));
        Ok(format!("{}_{}({})", helper.name(), self.level.suffix, all.join(", ")))
    }

    /// An intrinsic of words of 64 bits.
    fn of_words(&self, name: &str, a: &str, b: &str) -> String {
        format!("{}_{name}_epi64({a}, {b})", self.level.start)
    }

    fn logic(&self, op: Bitwise, a: &str, b: &str) -> String {
        let name = match op {
            Bitwise::And => "and",
            Bitwise::Or => "or",
            Bitwise::Xor => "xor",
        };
        format!("{}_{name}_si{}({a}, {b})", self.level.start, self.level.bits)
    }

    fn broadcast(&self, number: &str) -> String {
        format!("{}((long long){number})", self.level.broadcast)
    }

    fn constant(&self, value: &BigInt) -> String {
        self.broadcast(&literal(value, 64))
    }

    /// The lowest bits of a lane.
    fn low(&self, bits: u32, text: String) -> String {
        if bits >= 64 { text } else { self.logic(Bitwise::And, &text, &self.constant(&(pow2(bits) - 1))) }
    }

    fn shifted(&self, left: bool, text: &str, k: u32) -> String {
        self.of_words(if left { "slli" } else { "srli" }, text, &k.to_string())
    }

    fn two(&mut self, left: &Expression, right: &Expression) -> Result<(String, String), NoForm> {
        Ok((self.expression(left)?, self.expression(right)?))
    }

    /// A value.
    fn expression(&mut self, x: &Expression) -> Printed {
        Ok(match x {
            Expression::Name(name) => name.clone(),
            Expression::Constant(Type::Float(_), _) | Expression::Float { .. } | Expression::Fused { .. } => {
                return Err(NoForm("a double".into()));
            }
            Expression::Constant(ty, c) => self.constant(&(c & (pow2(ty.bits().min(64)) - 1))),
            Expression::Pattern(_) => return Err(NoForm("a map of bits".into())),
            Expression::Public(at) => format!("({})", place(at)),
            Expression::Element(array, at) if self.tables.contains(array) => {
                self.broadcast(&format!("{array}[{}]", place(at)))
            }
            Expression::Element(array, at) => format!("{array}[{}]", place(at)),
            Expression::Entry(..) => return Err(NoForm("a look-up".into())),
            Expression::Arithmetic { op, bits, left, right, halves } => {
                self.arithmetic(*op, *bits, left, right, *halves)?
            }
            Expression::Product { bits: ..=64, left, right } => {
                let (a, b) = self.two(left, right)?;
                self.half_product(&a, &b)
            }
            Expression::Product { .. } => return Err(NoForm("a double word".into())),
            Expression::Bitwise { op, left, right, .. } => {
                let (a, b) = self.two(left, right)?;
                self.logic(*op, &a, &b)
            }
            Expression::Not { bits, of } => {
                let of = self.expression(of)?;
                self.logic(Bitwise::Xor, &of, &self.constant(&(pow2((*bits).min(64)) - 1)))
            }
            Expression::Shift { left, bits, value, amount, reach } => {
                self.shift(*left, *bits, value, amount, *reach)?
            }
            Expression::Low { low, value, .. } => {
                let value = self.expression(value)?;
                self.low(*low, value)
            }
            Expression::Convert { bits, value } => {
                let value = self.expression(value)?;
                self.low(*bits, value)
            }
            Expression::Slice { at, bits, value } => {
                let value = self.expression(value)?;
                let shifted = if *at == 0 { value } else { self.shifted(false, &value, *at) };
                self.low(*bits, shifted)
            }
            Expression::Join { bits, parts } => self.join(*bits, parts)?,
            Expression::Flag(mask) => {
                let mask = self.expression(mask)?;
                self.low(1, mask)
            }
            Expression::Mask { to, mask } => self.mask(*to, mask)?,
            Expression::Helper(turned @ (Helper::Sar(n) | Helper::Rotate(n) | Helper::Funnel(n)), arguments) => {
                self.turned(*turned, *n, arguments)?
            }
            Expression::Helper(helper, arguments) => self.call_of(*helper, arguments, None)?,
        })
    }

    /// A mask of another length.
    fn mask(&mut self, bits: u32, mask: &Expression) -> Printed {
        let mask = self.expression(mask)?;
        let flag = self.low(1, mask);
        let ones = self.of_words("sub", &self.constant(&BigInt::ZERO), &flag);
        Ok(self.low(bits, ones))
    }

    /// A sum, a difference or a product modulo 2^bits; `halves`: of factors below 2^32.
    fn arithmetic(
        &mut self,
        op: Arithmetic,
        bits: u32,
        left: &Expression,
        right: &Expression,
        halves: bool,
    ) -> Printed {
        let (a, b) = self.two(left, right)?;
        let value = match op {
            Arithmetic::Add => self.of_words("add", &a, &b),
            Arithmetic::Sub => self.of_words("sub", &a, &b),
            Arithmetic::Mul if halves || bits <= 32 => self.half_product(&a, &b),
            Arithmetic::Mul => format!("{}({a}, {b})", self.level.product.0),
        };
        Ok(self.low(bits, value))
    }

    /// The product of numbers below 2^32.
    fn half_product(&self, a: &str, b: &str) -> String {
        format!("{}_mul_epu32({a}, {b})", self.level.start)
    }

    fn shift(&mut self, left: bool, bits: u32, value: &Expression, by: &Place, reach: Reach) -> Printed {
        if bits > 64 {
            return Err(NoForm("a double word".into()));
        }
        let value = self.expression(value)?;
        if reach == Reach::Outside {
            return Ok(self.constant(&BigInt::ZERO));
        }
        let shifted = self.shifted(left, &value, amount(by)?);
        Ok(if left { self.low(bits, shifted) } else { shifted })
    }

    /// Signed shifts, rotations, and shifts through two words, by a constant.
    fn turned(&mut self, helper: Helper, n: u32, arguments: &[Expression]) -> Printed {
        let [words @ .., Expression::Public(by)] = arguments else {
            return Err(NoForm(format!("`{}`", helper.name())));
        };
        let k = amount(by)?;
        let words = words.iter().map(|x| self.expression(x)).collect::<Result<Vec<_>, _>>()?;
        let or = |a: &str, b: &str| self.logic(Bitwise::Or, a, b);
        Ok(match (helper, words.as_slice()) {
            (Helper::Funnel(_), [high, low]) if k == 0 || k >= n => (if k == 0 { low } else { high }).clone(),
            (Helper::Funnel(_), [high, low]) => {
                self.low(n, or(&self.shifted(true, high, n - k), &self.shifted(false, low, k)))
            }
            (Helper::Rotate(_), [word]) if k % n == 0 => word.clone(),
            (Helper::Rotate(_), [word]) => {
                self.low(n, or(&self.shifted(true, word, k % n), &self.shifted(false, word, n - k % n)))
            }
            (_, [word]) => match self.level.signed_shift {
                Some(name) if n == 64 => format!("{name}({word}, {})", k.min(63)),
                _ => {
                    // Of a number that is raised until it is nonnegative.
                    let (k, sign) = (k.min(n - 1), pow2(n - 1));
                    let raised = self.logic(Bitwise::Xor, word, &self.constant(&sign));
                    let shifted = self.shifted(false, &raised, k);
                    self.low(n, self.of_words("sub", &shifted, &self.constant(&(sign >> k))))
                }
            },
            _ => return Err(NoForm(format!("`{}`", helper.name()))),
        })
    }

    fn join(&mut self, bits: u32, parts: &[(u32, Expression)]) -> Printed {
        if bits > 64 {
            return Err(NoForm("a double word".into()));
        }
        let (mut at, mut sum) = (0, String::new());
        for (width, part) in parts {
            let part = self.expression(part)?;
            let part = if at == 0 { part } else { self.shifted(true, &part, at) };
            sum = if sum.is_empty() { part } else { self.logic(Bitwise::Or, &sum, &part) };
            at += width;
        }
        Ok(sum)
    }
}

/// A constant number of places: compilers have shifts of vectors by others under other names.
fn amount(by: &Place) -> Result<u32, NoForm> {
    place(by).parse().map_err(|_| NoForm("a shift by a number of the loop".into()))
}

/// Numbers that a lane holds.
fn fits(variable: &Variable) -> Result<&str, NoForm> {
    match variable.ty {
        Type::Float(_) => Err(NoForm("a double".into())),
        ty if ty.bits() > 64 => Err(NoForm("a double word".into())),
        _ => Ok(&variable.name),
    }
}
