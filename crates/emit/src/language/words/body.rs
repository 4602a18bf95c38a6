//! Statements, one after the other.

use std::collections::{HashMap, HashSet};

use evariste_ir::{ArrayKind, Type};
use num_bigint::BigInt;

use super::chain::{Step, steps};
use super::notation::{Notation, Pair, Passed};
use crate::error::EmitError;
use crate::unit::{Argument, Body, Entries, Expression, Function, Model, Part, Statement, Variable, Words, container};

/// An array of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Held {
    /// Bits of what holds an element: 8, 16, 32 or 64; 0 for public indices.
    pub bits: u32,
    /// Elements.
    pub len: u32,
    /// Is it a parameter, a constant table or a local array?
    pub role: Role,
}

/// What an array is to its function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// A parameter that is only read.
    Read,
    /// A parameter that is written.
    Written,
    /// A constant table.
    Table,
    /// A local array.
    Local,
}

/// Prints the statements of one function.
#[derive(Debug)]
pub struct Printer<'a, N> {
    pub(super) notation: &'a N,
    pub(super) model: Model,
    pub(super) bits: HashMap<String, u32>,
    arrays: HashMap<String, Held>,
    assigned: HashSet<String>,
    read: HashMap<String, u32>,
    tables: HashSet<String>,
    declared: HashSet<String>,
    loaded: HashSet<String>,
    /// What stands before the function.
    pub before: String,
    /// The lines so far.
    pub out: String,
    depth: usize,
    loops: usize,
}

/// Bits of what holds an element.
fn held_bits(model: Model, ty: Type) -> u32 {
    if model == Model::Lanes { 64 } else { container(ty.bits()) }
}

/// Does a language of words take the function? What it does not take: floating-point numbers.
pub fn is_supported(function: &Function, words: &Words, widest: u32) -> Result<(), EmitError> {
    let kernel = &function.kernel;
    let wide = kernel.arrays.iter().any(|a| a.ty.bits() > widest);
    let what = match () {
        () if kernel.uses_floats() => "a function of floating-point numbers",
        () if wide => "an array of double words",
        () => return Ok(()),
    };
    let (what, help) = (what.to_string(), "take `--lang c`, or a layout and a plan of words");
    Err(EmitError::Unsupported { kernel: kernel.name.clone(), what, language: words.language, help })
}

impl<'a, N: Notation> Printer<'a, N> {
    /// All statements, where parts are no functions of their own.
    pub fn body(&mut self, body: &Body) {
        match body {
            Body::Same(_) => {}
            Body::Whole(body) => self.block(body),
            Body::Parts { arrays, parts } => {
                self.block(arrays);
                for part in parts {
                    self.block(&part.tables);
                    self.block(&part.body);
                }
            }
        }
    }

    /// No line yet.
    pub fn new(notation: &'a N, words: &Words, function: &Function) -> Self {
        let (model, kernel) = (function.model, &function.kernel);
        let visible: HashSet<_> = kernel.visible().collect();
        let mut printer = Printer {
            notation,
            model,
            bits: HashMap::new(),
            arrays: HashMap::new(),
            assigned: HashSet::new(),
            read: HashMap::new(),
            tables: HashSet::new(),
            declared: HashSet::new(),
            loaded: HashSet::new(),
            before: String::new(),
            out: String::new(),
            depth: 1,
            loops: 0,
        };
        for (i, info) in kernel.arrays.iter().enumerate() {
            let role = match (visible.contains(&evariste_ir::Array(i as u32)), &info.kind) {
                (true, ArrayKind::Input) => Role::Read,
                (true, _) => Role::Written,
                (false, ArrayKind::Table(_)) => Role::Table,
                _ => Role::Local,
            };
            let held = Held { bits: held_bits(model, info.ty), len: info.len, role };
            printer.arrays.insert(words.name(&info.name), held);
        }
        function.statements(&mut |s| printer.look_at(s));
        printer
    }

    /// Notes types, what changes and what is read.
    fn look_at(&mut self, s: &Statement) {
        let mut defines = |v: &Variable| self.bits.insert(v.name.clone(), v.ty.bits());
        match s {
            Statement::Define { variable, value } => {
                defines(variable);
                reads(value, &mut self.read);
                if matches!(value, Expression::Element(..)) {
                    self.loaded.insert(variable.name.clone());
                }
            }
            Statement::Pair { arguments, first, second, .. } => {
                first.iter().for_each(|v| {
                    defines(v);
                });
                defines(second);
                arguments.iter().for_each(|x| reads(x, &mut self.read));
            }
            Statement::Choose { ty, mask, choices, .. } => {
                reads(mask, &mut self.read);
                for (name, a, b) in choices {
                    self.bits.insert(name.clone(), ty.bits());
                    [a, b].into_iter().for_each(|x| reads(x, &mut self.read));
                }
            }
            Statement::Assign { name, value } => {
                self.assigned.insert(name.clone());
                reads(value, &mut self.read);
            }
            Statement::Store { value, .. } => reads(value, &mut self.read),
            _ => {}
        }
    }

    /// Values that other parts of the function read.
    pub fn keep(&mut self, part: &Part) {
        part.gives.iter().for_each(|v| *self.read.entry(v.name.clone()).or_default() += 1);
    }

    /// The array of that name.
    pub fn held(&self, array: &str) -> Held {
        self.arrays.get(array).copied().unwrap_or(Held { bits: 64, len: 0, role: Role::Local })
    }

    /// Is there an array of that name?
    pub fn is_array(&self, name: &str) -> bool {
        self.arrays.contains_key(name)
    }

    /// A line of its own.
    pub fn line(&mut self, text: &str) {
        self.out += &self.notation.indent().repeat(self.depth);
        self.out += text;
        self.out += "\n";
    }

    fn lines(&mut self, all: &[String]) {
        for text in all {
            if text.starts_with('}') {
                self.depth -= 1;
            }
            self.line(text);
            if text.ends_with('{') {
                self.depth += 1;
            }
        }
    }

    /// Statements in order.
    pub fn block(&mut self, body: &[Statement]) {
        if !self.notation.has_chains() || self.model != Model::Words {
            return body.iter().for_each(|statement| self.statement(statement));
        }
        for step in steps(body, &self.read) {
            match step {
                Step::One(statement) => self.statement(statement),
                Step::Chain(chain) => {
                    let lines = self.notation.chain(&chain.map(&|x| self.operand(x)));
                    self.lines(&lines);
                }
            }
        }
    }

    fn unread(&mut self, name: &str) {
        if !self.read.contains_key(name)
            && let Some(line) = self.notation.unread(name)
        {
            self.line(&line);
        }
    }

    fn define(&mut self, Variable { ty, name }: &Variable, value: &str) {
        let double = self.model == Model::Words && ty.bits() > 64;
        let line = self.notation.define(name, double, self.assigned.contains(name), value);
        self.line(&line);
        self.unread(name);
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Table { name, entries } => self.table(name, entries),
            Statement::Array { variable, len } => {
                let held = Held { bits: held_bits(self.model, variable.ty), len: *len, role: Role::Local };
                let line = self.notation.array(&variable.name, &held);
                self.line(&line);
            }
            Statement::Unread(name) => {
                self.notation.unread(name).iter().for_each(|line| self.line(line));
            }
            Statement::Within { .. } => {}
            Statement::Define { variable, value } => self.define(variable, &self.value(value)),
            Statement::Assign { name, value } => {
                let line = self.notation.assign(name, &self.value(value));
                self.line(&line);
            }
            Statement::Pair { helper, arguments, signless, first, second, .. } => {
                let arguments: Vec<String> = arguments.iter().map(|x| self.value(x)).collect();
                let is_read = |v: &&Variable| self.read.contains_key(&v.name);
                let first = first.as_ref().filter(is_read).map(|v| v.name.as_str());
                let second = Some(second).filter(is_read).map(|v| v.name.as_str());
                let pair = Pair { helper: *helper, arguments: &arguments, signless: *signless, first, second };
                let lines = self.notation.pair(pair);
                self.lines(&lines);
            }
            Statement::Choose { ty, mask, choices, .. } => self.choose(*ty, mask, choices),
            Statement::Store { array, at, value } => {
                let held = self.held(array);
                let at = self.notation.index(array, &held, at);
                let line = self.notation.store(array, &held, &at, &self.operand(value));
                self.line(&line);
            }
            Statement::Repeat { counter, count, body } if self.in_pairs(counter, *count, body) => {}
            Statement::Repeat { counter, count, body } => {
                let (open, close) = self.notation.repeat(counter, *count);
                self.lines(&open);
                self.loops += 1;
                self.block(body);
                self.loops -= 1;
                self.lines(&close);
            }
            Statement::Call { function, arguments } => {
                let passed = self.passed(arguments);
                let lines = if self.is_once() {
                    self.notation.call_once(function, &passed)
                } else {
                    self.notation.call(function, &passed)
                };
                self.lines(&lines);
            }
        }
    }

    /// Results by a mask; the mask is hidden from the compiler where it chooses between elements of arrays.
    fn choose(&mut self, ty: Type, mask: &Expression, choices: &[(String, Expression, Expression)]) {
        let mask = self.operand(mask);
        if choices.iter().any(|(_, a, b)| self.is_loaded(a) && self.is_loaded(b))
            && let Some(line) = self.notation.barrier(&mask)
        {
            self.line(&line);
        }
        for (name, a, b) in choices {
            let [a, b] = [a, b].map(|x| self.operand(x));
            let value = format!("{b} ^ ({mask} & ({a} ^ {b}))");
            self.define(&Variable { ty, name: name.clone() }, &value);
        }
    }

    fn passed<'b>(&self, arguments: &'b [Argument]) -> Vec<Passed<'b>> {
        arguments.iter().map(|argument| Passed { argument, held: self.held(&argument.array) }).collect()
    }

    /// Is what comes outside all loops?
    fn is_once(&self) -> bool {
        self.loops == 0
    }

    /// Is it an element of an array as it was loaded?
    fn is_loaded(&self, x: &Expression) -> bool {
        match x {
            Expression::Element(..) => true,
            Expression::Name(name) => self.loaded.contains(name),
            _ => false,
        }
    }

    /// A loop of one call, two at a time where the language has a better form for that; false: nothing was printed.
    fn in_pairs(&mut self, counter: &str, count: u32, body: &[Statement]) -> bool {
        let [Statement::Call { function, arguments }] = body else { return false };
        let passed = self.passed(arguments);
        let Some(twice) = self.notation.call_twice(function, &passed).filter(|_| count >= 2) else { return false };
        let (open, close) = self.notation.repeat(counter, count / 2);
        self.lines(&[open, twice, close].concat());
        if count % 2 == 1 {
            self.statement(&body[0]);
        }
        true
    }

    fn table(&mut self, name: &str, entries: &Entries) {
        let (bits, texts): (u32, Vec<String>) = match entries {
            Entries::Indices(all) => (0, all.iter().map(BigInt::to_string).collect()),
            Entries::Values(ty, all) => {
                (held_bits(self.model, *ty), all.iter().map(|x| self.constant(*ty, x)).collect())
            }
        };
        let held = Held { bits, len: texts.len() as u32, role: Role::Table };
        self.arrays.insert(name.to_string(), held);
        // Parts of a function name their tables each.
        if !self.tables.insert(name.to_string()) {
            return;
        }
        let (before, inside) = self.notation.table(name, &held, &texts);
        if self.declared.insert(name.to_string()) {
            self.before += &before;
        }
        self.lines(&inside);
    }

    /// The function stands in something else: its lines are indented once more.
    pub fn inside(&mut self) {
        self.depth += 1;
    }

    /// Another function of the same kernel begins: its tables are named again.
    pub fn begin(&mut self) {
        self.out.clear();
        self.tables.clear();
    }
}

/// The names that an expression reads.
fn reads(x: &Expression, all: &mut HashMap<String, u32>) {
    each_name(x, &mut |name| *all.entry(name.to_string()).or_default() += 1);
}

/// Shows the names that an expression reads.
pub fn each_name<'a>(x: &'a Expression, each: &mut dyn FnMut(&'a str)) {
    match x {
        Expression::Name(name) => each(name),
        Expression::Arithmetic { left, right, .. }
        | Expression::Product { left, right, .. }
        | Expression::Bitwise { left, right, .. }
        | Expression::Float { left, right, .. } => {
            each_name(left, each);
            each_name(right, each);
        }
        Expression::Entry(_, of)
        | Expression::Not { of, .. }
        | Expression::Shift { value: of, .. }
        | Expression::Low { value: of, .. }
        | Expression::Convert { value: of, .. }
        | Expression::Slice { value: of, .. }
        | Expression::Flag(of)
        | Expression::Mask { mask: of, .. } => each_name(of, each),
        Expression::Join { parts, .. } => parts.iter().for_each(|(_, part)| each_name(part, each)),
        Expression::Helper(_, some) | Expression::Fused { operands: some, .. } => {
            some.iter().for_each(|x| each_name(x, each));
        }
        Expression::Constant(..) | Expression::Pattern(_) | Expression::Public(_) | Expression::Element(..) => {}
    }
}
