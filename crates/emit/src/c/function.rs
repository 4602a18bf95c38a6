//! One kernel as one C function.

use std::collections::{HashMap, HashSet};

use evariste_ir::range::pow2;
use evariste_ir::{Array, ArrayKind, Kernel, Op, Stmt, Type, Value};
use num_bigint::BigInt;
use num_traits::Zero;

use crate::error::EmitError;

use super::call::{Callee, symbol_of};
use super::helpers::{Helper, Prelude};
use super::index::Counters;
use super::names::{self, Names};
use super::parts::parts;
use super::prepare::{Prepared, prepare};
use super::types::{Model, index_table};
use super::verify;

/// Prints the body of one function.
pub struct Printer<'a> {
    pub(super) prepared: &'a Prepared,
    pub(super) prelude: &'a mut Prelude,
    pub(super) callees: &'a [Callee],
    pub(super) counters: Counters,
    names: Names,
    /// Selections that were printed before their turn, in a group.
    grouped: HashSet<Value>,
    /// Values that have been computed at this place.
    defined: HashSet<Value>,
    pub(super) out: String,
    indent: usize,
}

/// The C signature of a kernel: `void symbol(uint64_t out[4], const uint64_t a[4])`. In a definition, written arrays
/// that overlap no other are `restrict`.
pub fn signature(kernel: &Kernel, symbol: &str, definition: bool) -> String {
    signature_in(Model::of(kernel), kernel, symbol, definition)
}

/// As [`signature`], in the model of the caller.
fn signature_in(model: Model, kernel: &Kernel, symbol: &str, definition: bool) -> String {
    let params = super::prepare::visible_params(kernel).map(|p| {
        let info = kernel.array(p);
        let (ty, name) = (model.c_type(info.ty), names::array(&info.name));
        let constant = if info.kind == ArrayKind::Input { "const " } else { "" };
        let alone = super::prepare::visible_params(kernel).all(|q| q == p || is_disjoint(kernel, p, q));
        let restrict = definition && info.kind != ArrayKind::Input && kernel.params().count() > 1 && alone;
        format!("{constant}{ty} {name}[{}{}]", if restrict { "restrict " } else { "" }, info.len)
    });
    let params: Vec<String> = params.collect();
    format!("void {symbol}({})", if params.is_empty() { "void".to_string() } else { params.join(", ") })
}

/// Must the two parameters not overlap (by declaration, or because their shapes differ)?
pub fn is_disjoint(kernel: &Kernel, a: Array, b: Array) -> bool {
    let (x, y) = (kernel.array(a), kernel.array(b));
    x.ty != y.ty || x.len != y.len || kernel.disjoint.iter().any(|pair| *pair == (a, b) || *pair == (b, a))
}

/// The comment above a function: contract, bounds, representation.
fn comment(model: Model, kernel: &Kernel, symbol: &str) -> String {
    let mut lines = vec![format!("{symbol}: kernel {}", kernel.name)];
    lines.extend(super::facts_in(model, kernel).into_iter().map(|line| format!("  {line}")));
    format!("/* {}\n */\n", lines.join("\n * "))
}

/// The whole definition of a kernel's function with its comment, `callees` being printed already.
pub fn definition(
    model: Model,
    kernel: &Kernel,
    symbol: &str,
    linkage: &str,
    callees: &[Callee],
    prelude: &mut Prelude,
) -> Result<String, EmitError> {
    if let Some(callee) = callees.iter().find(|c| linkage.is_empty() && c.model == model && *c.kernel == *kernel) {
        let arguments: Vec<String> =
            super::prepare::visible_params(kernel).map(|p| names::array(&kernel.array(p).name)).collect();
        return Ok(format!(
            "{}{} {{\n  {}({});\n}}\n",
            comment(model, kernel, symbol),
            signature_in(model, kernel, symbol, true),
            callee.symbol,
            arguments.join(", ")
        ));
    }
    only_masks(kernel)?;
    let prepared = prepare(kernel, model)?;
    let mut printer = Printer {
        prepared: &prepared,
        prelude,
        callees,
        counters: Counters::default(),
        names: Names::new(&prepared.kernel),
        grouped: HashSet::new(),
        defined: HashSet::new(),
        out: String::new(),
        indent: 1,
    };
    let checks = verify::checks(&prepared, symbol);
    let parts = parts(&prepared);
    let mut text = checks.functions;
    if parts.len() > 1 {
        text += &printer.in_parts(symbol, &parts)?;
        printer.out.insert_str(0, &checks.entry);
    } else {
        printer.arrays(&|_| true, true);
        printer.arrays(&|_| true, false);
        printer.out += &checks.entry;
        printer.block(&prepared.kernel.body)?;
    }
    printer.out += &checks.exit;
    text += &comment(model, kernel, symbol);
    text += &format!("{linkage}{} {{\n{}}}\n", signature_in(model, &prepared.kernel, symbol, true), printer.out);
    Ok(text)
}

/// Entries of tables of masks and flags are all ones or 0: selections in C rest on it.
fn only_masks(kernel: &Kernel) -> Result<(), EmitError> {
    for info in &kernel.arrays {
        let (ArrayKind::Table(entries), Type::Mask(_) | Type::Flag) = (&info.kind, info.ty) else { continue };
        let ones = pow2(info.ty.bits()) - 1;
        if let Some(entry) = entries.iter().find(|e| !e.is_zero() && **e != ones) {
            return Err(EmitError::Unsupported {
                kernel: kernel.name.clone(),
                what: format!("the entry {entry} of `{}`, a table of masks or flags,", info.name),
                language: "C",
                help: "entries of such tables are 0 or all ones",
            });
        }
    }
    Ok(())
}

impl Printer<'_> {
    pub(super) fn line(&mut self, text: &str) {
        self.out += &"  ".repeat(self.indent);
        self.out += text;
        self.out += "\n";
    }

    /// Is the value needed?
    pub(super) fn is_live(&self, v: Value) -> bool {
        self.prepared.live[v.0 as usize]
    }

    /// Is the value the constant 0?
    pub(super) fn is_zero(&self, v: Value) -> bool {
        self.prepared.constants.get(&v).is_some_and(Zero::is_zero)
    }

    /// The C type of a value.
    pub(super) fn c_type(&self, v: Value) -> &'static str {
        self.prepared.model.c_type(self.prepared.kernel.value(v).ty)
    }

    /// A value as an operand: a constant or its name.
    pub(super) fn value(&self, v: Value) -> String {
        match self.prepared.constants.get(&v) {
            Some(c) => self.prepared.model.literal(self.prepared.kernel.value(v).ty, c),
            None => self.names.get(v).unwrap_or("undefined_value").to_string(),
        }
    }

    /// A name that nothing else has.
    pub(super) fn fresh(&mut self, wish: &str) -> String {
        self.names.fresh(wish)
    }

    /// The tables among the arrays that are `wanted`, or else the locals and the parameters that nobody reads.
    pub(super) fn arrays(&mut self, wanted: &dyn Fn(Array) -> bool, tables: bool) {
        let prepared = self.prepared;
        for (i, info) in prepared.kernel.arrays.iter().enumerate() {
            let array = Array(i as u32);
            let (name, live) = (names::array(&info.name), prepared.live_array[i]);
            let ty = prepared.model.c_type(info.ty);
            match &info.kind {
                _ if !wanted(array) => {}
                ArrayKind::Table(entries) if tables => {
                    if prepared.index_tables.contains(&array)
                        && let Some((ty, entries)) = index_table(&prepared.kernel, array)
                    {
                        let entries: Vec<String> = entries.iter().map(BigInt::to_string).collect();
                        self.table(ty, &format!("{name}_index"), &entries);
                    }
                    if live {
                        let entries: Vec<String> = entries.iter().map(|e| prepared.model.literal(info.ty, e)).collect();
                        self.table(ty, &name, &entries);
                    }
                }
                ArrayKind::Local | ArrayKind::Ghost if !tables && live => {
                    self.line(&format!("{ty} {name}[{}];", info.len))
                }
                ArrayKind::Input if !tables && !reads(&prepared.kernel.body, array) => {
                    self.line(&format!("(void){name};"))
                }
                _ => {}
            }
        }
    }

    fn table(&mut self, ty: &str, name: &str, entries: &[String]) {
        self.line(&format!("static const {ty} {name}[{}] = {{", entries.len()));
        let width = entries.iter().map(String::len).max().unwrap_or(1);
        for row in entries.chunks((96 / (width + 2)).max(1)) {
            self.line(&format!("  {},", row.join(", ")));
        }
        self.line("};");
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
                    let kernel = &self.prepared.kernel;
                    let info = kernel.array(*array);
                    let at = self.counters.print(kernel, self.prelude, index, info.len);
                    let value = self.value(*value);
                    self.line(&format!("{}[{at}] = {value};", names::array(&info.name)));
                }
                Stmt::Loop(l) => self.repeat(l)?,
                Stmt::Call { callee, args } => {
                    let callee = symbol_of(self.callees, self.prepared, *callee)?;
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
        for checked in verify::results(self.prepared, op, args, results) {
            if self.is_live(checked) {
                let text = verify::within(&self.value(checked), self.prepared.kernel.value(checked));
                self.line(&text);
            }
        }
        self.defined.extend(results);
        Ok(())
    }

    /// Prints a selection together with up to three later ones by the same mask; false when there is nothing to join.
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
        let mut arguments = vec![self.value(args[0])];
        let mut declared = Vec::new();
        for (result, a, b) in &group {
            self.names.results(&Op::Select, &[*result], &[ty]);
            let name = self.value(*result);
            arguments.push(format!("&{name}, {}, {}", self.value(*a), self.value(*b)));
            declared.push(name);
            self.grouped.insert(*result);
            self.defined.insert(*result);
        }
        let helper = self.prelude.name(Helper::SelectGroup(n, group.len() as u32));
        let c = self.prepared.model.c_type(ty);
        self.line(&format!("{c} {};", declared.join(", ")));
        self.line(&format!("{helper}({});", arguments.join(", ")));
        true
    }

    fn load(&mut self, result: Value, array: Array, index: &evariste_ir::Index) {
        let kernel = &self.prepared.kernel;
        let info = kernel.array(array);
        let name = names::array(&info.name);
        let at = self.counters.print(kernel, self.prelude, index, info.len);
        self.names.loaded(result, &name, index.constant());
        self.define(result, &format!("{name}[{at}]"));
        self.defined.insert(result);
    }

    /// A loop; one variable holds each carried value before, inside and after it.
    fn repeat(&mut self, l: &evariste_ir::Loop) -> Result<(), EmitError> {
        let carried: Vec<_> = l.carried.iter().filter(|c| self.is_live(c.result)).cloned().collect();
        for c in &carried {
            let ty = self.prepared.kernel.value(c.inner).ty;
            self.names.results(&Op::Add, &[c.inner], &[ty]);
            self.names.share(c.result, c.inner);
            let init = self.value(c.init);
            self.define(c.inner, &init);
            self.defined.insert(c.inner);
        }
        let wish = ["i", "j", "k", "l"].get(self.counters.depth()).copied().unwrap_or("i");
        let counter = self.counter_name(wish);
        self.line(&format!("for (int {counter} = 0; {counter} < {}; {counter}++) {{", l.count));
        self.indent += 1;
        self.counters.enter(l.counter, counter, l.count);
        self.block(&l.body)?;
        self.counters.leave(l.counter);
        let inners: HashMap<Value, usize> = carried.iter().enumerate().map(|(i, c)| (c.inner, i)).collect();
        let mut nexts: Vec<String> = carried.iter().map(|c| self.value(c.next)).collect();
        for (i, c) in carried.iter().enumerate() {
            // A next value that is another carried variable must be kept before that one is assigned.
            if inners.get(&c.next).is_some_and(|j| *j < i) {
                let kept = self.fresh("kept");
                let ty = self.c_type(c.inner);
                self.line(&format!("{ty} {kept} = {};", nexts[i]));
                nexts[i] = kept;
            }
        }
        for (c, next) in carried.iter().zip(nexts) {
            let name = self.value(c.inner);
            if name != next {
                self.line(&format!("{name} = {next};"));
            }
            if self.prepared.model == Model::Words && verify::is_tight(&self.prepared.kernel, c.inner) {
                let text = verify::within(&name, self.prepared.kernel.value(c.inner));
                self.line(&text);
            }
        }
        self.indent -= 1;
        self.line("}");
        Ok(())
    }

    /// `i`, `j`, … by depth; a counter's name may come again in a later loop, but not in an array's place.
    fn counter_name(&mut self, wish: &str) -> String {
        let clash = self.prepared.kernel.arrays.iter().any(|a| names::array(&a.name) == wish);
        if clash || self.counters.depth() > 3 { self.fresh(&format!("counter_{wish}")) } else { wish.to_string() }
    }
}

/// Is the array read anywhere?
fn reads(body: &[Stmt], array: Array) -> bool {
    body.iter().any(|stmt| match stmt {
        Stmt::Load { array: from, .. } => *from == array,
        Stmt::Loop(l) => reads(&l.body, array),
        Stmt::Call { args, .. } => args.iter().any(|view| view.array == array),
        _ => false,
    })
}
