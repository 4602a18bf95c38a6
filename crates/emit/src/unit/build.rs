//! One kernel as one function.

use std::collections::{BTreeSet, HashMap, HashSet};

use evariste_ir::range::pow2;
use evariste_ir::statements::all;
use evariste_ir::{Array, ArrayKind, Index, Kernel, Op, Stmt, Type, Value};
use num_traits::Zero;

use crate::error::EmitError;

use super::call::{Callee, symbol_of};
use super::collect::Beside;
use super::data::{Body, Entries, Expression, Function, Statement, Variable};
use super::helper::Helper;
use super::model::Model;
use super::names::{self, Names, Words};
use super::parts::parts;
use super::place::{Context, Counters, Place, entries};
use super::prepare::{Prepared, prepare};
use super::within;

/// Writes the body of one function.
pub(super) struct Writer<'a> {
    pub(super) prepared: &'a Prepared,
    pub(super) helpers: &'a mut BTreeSet<Helper>,
    pub(super) callees: &'a [Callee],
    pub(super) words: &'a Words,
    pub(super) counters: Counters,
    names: Names,
    /// Selections that were written before their turn, in a group.
    grouped: HashSet<Value>,
    /// Values that have been computed at this place.
    defined: HashSet<Value>,
    /// The statements of the block that is open.
    pub(super) out: Vec<Statement>,
}

/// The function of a kernel, `callees` being written already. A public function is another's equal where there is one.
pub(super) fn function(
    model: Model,
    kernel: &Kernel,
    symbol: &str,
    public: bool,
    callees: &[Callee],
    how: &Beside,
    helpers: &mut BTreeSet<Helper>,
) -> Result<Function, EmitError> {
    let words = how.words;
    let made = |kernel: Kernel, body| Function { kernel, model, symbol: symbol.to_string(), public, body };
    if let Some(callee) = callees.iter().find(|c| public && c.model == model && *c.kernel == *kernel) {
        return Ok(made(kernel.clone(), Body::Same(callee.symbol.clone())));
    }
    only_masks(kernel, words)?;
    let prepared = prepare(kernel, model)?;
    let mut writer = Writer {
        prepared: &prepared,
        helpers,
        callees,
        words,
        counters: Counters::default(),
        names: Names::new(&prepared.kernel, words),
        grouped: HashSet::new(),
        defined: HashSet::new(),
        out: Vec::new(),
    };
    let parts = parts(&prepared, how.lengths);
    let body = if parts.len() > 1 {
        writer.in_parts(symbol, &parts)?
    } else {
        writer.arrays(&|_| true, true);
        writer.arrays(&|_| true, false);
        writer.block(&prepared.kernel.body)?;
        Body::Whole(std::mem::take(&mut writer.out))
    };
    Ok(made(prepared.kernel, body))
}

/// Entries of tables of masks and flags are all ones or 0: selections rest on it.
fn only_masks(kernel: &Kernel, words: &Words) -> Result<(), EmitError> {
    for info in &kernel.arrays {
        let (ArrayKind::Table(entries), Type::Mask(_) | Type::Flag) = (&info.kind, info.ty) else { continue };
        let ones = pow2(info.ty.bits()) - 1;
        if let Some(entry) = entries.iter().find(|e| !e.is_zero() && **e != ones) {
            return Err(EmitError::Unsupported {
                kernel: kernel.name.clone(),
                what: format!("the entry {entry} of `{}`, a table of masks or flags,", info.name),
                language: words.language,
                help: "entries of such tables are 0 or all ones",
            });
        }
    }
    Ok(())
}

impl Writer<'_> {
    pub(super) fn push(&mut self, statement: Statement) {
        self.out.push(statement);
    }

    /// Is the value needed?
    pub(super) fn is_live(&self, v: Value) -> bool {
        self.prepared.live[v.0 as usize]
    }

    /// Is the value the constant 0?
    pub(super) fn is_zero(&self, v: Value) -> bool {
        self.prepared.constants.get(&v).is_some_and(Zero::is_zero)
    }

    /// A value as an operand: a constant or its name.
    pub(super) fn value(&self, v: Value) -> Expression {
        match self.prepared.constants.get(&v) {
            Some(c) => Expression::Constant(self.prepared.kernel.value(v).ty, c.clone()),
            None => Expression::Name(self.name(v)),
        }
    }

    fn name(&self, v: Value) -> String {
        self.names.get(v).unwrap_or("undefined_value").to_string()
    }

    /// A value's type and name.
    pub(super) fn variable(&self, v: Value) -> Variable {
        Variable { ty: self.prepared.kernel.value(v).ty, name: self.name(v) }
    }

    pub(super) fn define(&mut self, result: Value, value: Expression) {
        let variable = self.variable(result);
        self.push(Statement::Define { variable, value });
    }

    /// A call of a helper.
    pub(super) fn helper(&mut self, helper: Helper, arguments: Vec<Expression>) -> Expression {
        helper.add_to(self.helpers);
        Expression::Helper(helper, arguments)
    }

    /// A name that nothing else has.
    pub(super) fn fresh(&mut self, wish: &str) -> String {
        self.names.fresh(wish)
    }

    /// A public index into an array of that length.
    pub(super) fn place(&mut self, index: &Index, length: u32) -> Place {
        let mut context = Context { kernel: &self.prepared.kernel, words: self.words, helpers: self.helpers };
        self.counters.place(&mut context, index, length)
    }

    /// The tables among the arrays that are `wanted`, or else the locals and the parameters that nobody reads.
    pub(super) fn arrays(&mut self, wanted: &dyn Fn(Array) -> bool, tables: bool) {
        let prepared = self.prepared;
        for (i, info) in prepared.kernel.arrays.iter().enumerate() {
            let array = Array(i as u32);
            let (name, live) = (self.words.name(&info.name), prepared.live_array[i]);
            match &info.kind {
                _ if !wanted(array) => {}
                ArrayKind::Table(values) if tables => {
                    if prepared.index_tables.contains(&array)
                        && let Some(indices) = entries(&prepared.kernel, array)
                    {
                        let name = names::index_table(&prepared.kernel, self.words, array);
                        self.push(Statement::Table { name, entries: Entries::Indices(indices.to_vec()) });
                    }
                    if live {
                        self.push(Statement::Table { name, entries: Entries::Values(info.ty, values.clone()) });
                    }
                }
                ArrayKind::Local | ArrayKind::Ghost if !tables && live => {
                    self.push(Statement::Array { variable: Variable { ty: info.ty, name }, len: info.len });
                }
                ArrayKind::Input if !tables && !reads(&prepared.kernel.body, array) => {
                    self.push(Statement::Unread(name));
                }
                _ => {}
            }
        }
    }

    /// Statements in order.
    pub(super) fn block(&mut self, body: &[Stmt]) -> Result<(), EmitError> {
        for (i, stmt) in body.iter().enumerate() {
            if !self.prepared.is_live(stmt) {
                continue;
            }
            match stmt {
                Stmt::Op { op, args, results } => self.op(op, args, results, &body[i..])?,
                Stmt::Load { result, array, index } => self.load(*result, *array, index),
                Stmt::Store { array, index, value } => {
                    let info = self.prepared.kernel.array(*array);
                    let at = self.place(index, info.len);
                    let value = self.value(*value);
                    self.push(Statement::Store { array: self.words.name(&info.name), at, value });
                }
                Stmt::Loop(l) => self.repeat(l)?,
                Stmt::Call { callee, args } => {
                    let callee = symbol_of(self.callees, self.prepared, *callee, self.words)?;
                    self.call_kernel(&callee, args);
                }
            }
        }
        Ok(())
    }

    fn op(&mut self, op: &Op, args: &[Value], results: &[Value], rest: &[Stmt]) -> Result<(), EmitError> {
        if matches!(op, Op::Const(_)) || results.iter().all(|r| self.grouped.contains(r)) {
            return Ok(());
        }
        if self.prepared.model == Model::Words && matches!(op, Op::Select) && self.select_group(args, results[0], rest)
        {
            return Ok(());
        }
        let types: Vec<Type> = results.iter().map(|r| self.prepared.kernel.value(*r).ty).collect();
        self.names.results(op, results, &types);
        match self.prepared.model {
            Model::Words => self.operation(op, args, results),
            Model::Lanes => self.lane_operation(op, args, results)?,
        }
        for checked in within::results(self.prepared, op, args, results) {
            if self.is_live(checked) {
                self.within(checked);
            }
        }
        self.defined.extend(results);
        Ok(())
    }

    /// Says that a value is in its interval.
    fn within(&mut self, v: Value) {
        let (name, info) = (self.value(v), self.prepared.kernel.value(v).clone());
        self.push(Statement::Within { name, info });
    }

    /// Writes a selection together with up to three later ones by the same mask; false when there is nothing to join.
    fn select_group(&mut self, args: &[Value], result: Value, rest: &[Stmt]) -> bool {
        let kernel = &self.prepared.kernel;
        let ty = kernel.value(result).ty;
        let n = ty.bits();
        if !matches!(ty, Type::Word(32 | 64))
            || kernel.value(args[0]).ty.bits() != n
            || self.is_zero(args[1])
            || self.is_zero(args[2])
        {
            return false;
        }
        let known = |v: &Value| {
            self.defined.contains(v) || self.prepared.constants.contains_key(v) || self.names.get(*v).is_some()
        };
        let mut group = vec![(result, args[1], args[2])];
        for stmt in &rest[1..] {
            if group.len() == 4 || matches!(stmt, Stmt::Loop(_)) {
                break;
            }
            if let Stmt::Op { op: Op::Select, args: more, results } = stmt
                && more[0] == args[0]
                && kernel.value(results[0]).ty == ty
                && self.is_live(results[0])
                && !self.grouped.contains(&results[0])
                && !self.is_zero(more[1])
                && !self.is_zero(more[2])
                && more.iter().all(known)
            {
                group.push((results[0], more[1], more[2]));
            }
        }
        if group.len() < 2 {
            return false;
        }
        let mask = self.value(args[0]);
        let mut choices = Vec::new();
        for (result, a, b) in &group {
            self.names.results(&Op::Select, &[*result], &[ty]);
            choices.push((self.name(*result), self.value(*a), self.value(*b)));
            self.grouped.insert(*result);
            self.defined.insert(*result);
        }
        let helper = Helper::SelectGroup(n, group.len() as u32);
        helper.add_to(self.helpers);
        self.push(Statement::Choose { helper, ty, mask, choices });
        true
    }

    fn load(&mut self, result: Value, array: Array, index: &Index) {
        let info = self.prepared.kernel.array(array);
        let name = self.words.name(&info.name);
        let at = self.place(index, info.len);
        self.names.loaded(result, &name, index.constant());
        self.define(result, Expression::Element(name, at));
        self.defined.insert(result);
    }

    /// A loop; one name holds each carried value before, inside and after it.
    fn repeat(&mut self, l: &evariste_ir::Loop) -> Result<(), EmitError> {
        let carried: Vec<_> = l.carried.iter().filter(|c| self.is_live(c.result)).cloned().collect();
        for c in &carried {
            let ty = self.prepared.kernel.value(c.inner).ty;
            self.names.results(&Op::Add, &[c.inner], &[ty]);
            self.names.share(c.result, c.inner);
            let init = self.value(c.init);
            self.define(c.inner, init);
            self.defined.insert(c.inner);
        }
        let wish = ["i", "j", "k", "l"].get(self.counters.depth()).copied().unwrap_or("i");
        let counter = self.counter_name(wish);
        let outside = std::mem::take(&mut self.out);
        self.counters.enter(l.counter, counter.clone(), l.count);
        self.block(&l.body)?;
        self.counters.leave(l.counter);
        self.carry(&carried);
        let body = std::mem::replace(&mut self.out, outside);
        self.push(Statement::Repeat { counter, count: l.count, body });
        Ok(())
    }

    /// The end of a loop's body: carried names get their next values.
    fn carry(&mut self, carried: &[evariste_ir::Carried]) {
        let inners: HashMap<Value, usize> = carried.iter().enumerate().map(|(i, c)| (c.inner, i)).collect();
        let mut nexts: Vec<Expression> = carried.iter().map(|c| self.value(c.next)).collect();
        for (i, c) in carried.iter().enumerate() {
            // A next value that is another carried one must be kept before that one is assigned.
            if inners.get(&c.next).is_some_and(|j| *j < i) {
                let name = self.fresh("kept");
                let variable = Variable { ty: self.prepared.kernel.value(c.inner).ty, name: name.clone() };
                let value = std::mem::replace(&mut nexts[i], Expression::Name(name));
                self.push(Statement::Define { variable, value });
            }
        }
        for (c, value) in carried.iter().zip(nexts) {
            let name = self.name(c.inner);
            if !matches!(&value, Expression::Name(next) if *next == name) {
                self.push(Statement::Assign { name, value });
            }
            if self.prepared.model == Model::Words && within::is_tight(&self.prepared.kernel, c.inner) {
                self.within(c.inner);
            }
        }
    }

    /// `i`, `j`, … by depth; a counter's name may come again in a later loop, but not in an array's place.
    fn counter_name(&mut self, wish: &str) -> String {
        let clash = self.prepared.kernel.arrays.iter().any(|a| self.words.name(&a.name) == wish);
        if clash || self.counters.depth() > 3 { self.fresh(&format!("counter_{wish}")) } else { wish.to_string() }
    }

    /// Parameters and locals among the arrays, as a part is given them.
    pub(super) fn passed(&self, arrays: &BTreeSet<Array>) -> Vec<(Variable, u32, bool)> {
        let kernel = &self.prepared.kernel;
        let visible: Vec<Array> = kernel.visible().collect();
        let given = arrays.iter().filter(|a| {
            self.prepared.live_array[a.0 as usize] && !matches!(kernel.array(**a).kind, ArrayKind::Table(_))
        });
        given
            .map(|a| {
                let info = kernel.array(*a);
                let variable = Variable { ty: info.ty, name: self.words.name(&info.name) };
                (variable, info.len, visible.contains(a) && info.kind == ArrayKind::Input)
            })
            .collect()
    }
}

/// Is the array read anywhere?
fn reads(body: &[Stmt], array: Array) -> bool {
    all(body).any(|stmt| match stmt {
        Stmt::Load { array: from, .. } => *from == array,
        Stmt::Call { args, .. } => args.iter().any(|view| view.array == array),
        _ => false,
    })
}
