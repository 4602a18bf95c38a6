//! Operations that are defined by a body, written out.

use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use num_bigint::Sign;

use crate::build::{ONCE, interval_in};
use crate::kernel::{Kernel, Stmt, Type, Value, ValueInfo};
use crate::op::{Body, Op, Write};
use crate::range::{Interval, transfer};

impl Kernel {
    /// The kernel with every operation that is defined by a body as that body; its callees are left alone. Values keep
    /// their numbers, new ones follow. A kernel without such operations is itself.
    pub fn written_out(&self) -> Cow<'_, Kernel> {
        if !uses_definitions(self) {
            return Cow::Borrowed(self);
        }
        let mut out = self.clone();
        let body = std::mem::take(&mut out.body);
        let mut writer = Writer { kernel: &mut out, stmts: Vec::new() };
        writer.block(body);
        out.body = writer.stmts;
        Cow::Owned(out)
    }

    /// As [`written_out`](Kernel::written_out), callees too.
    pub fn all_written_out(&self) -> Cow<'_, Kernel> {
        fn with(kernel: &Kernel, done: &mut HashMap<*const Kernel, Arc<Kernel>>) -> Kernel {
            let mut out = kernel.written_out().into_owned();
            for callee in &mut out.callees {
                let key = Arc::as_ptr(callee);
                if !done.contains_key(&key) {
                    let new = Arc::new(with(callee, done));
                    done.insert(key, new);
                }
                *callee = done[&key].clone();
            }
            out
        }
        if is_written_out(self) { Cow::Borrowed(self) } else { Cow::Owned(with(self, &mut HashMap::new())) }
    }
}

fn is_written_out(kernel: &Kernel) -> bool {
    !uses_definitions(kernel) && kernel.callees.iter().all(|k| is_written_out(k))
}

fn uses_definitions(kernel: &Kernel) -> bool {
    kernel.statements().any(|stmt| matches!(stmt, Stmt::Op { op, .. } if op.row().body().is_some()))
}

struct Writer<'k> {
    kernel: &'k mut Kernel,
    stmts: Vec<Stmt>,
}

impl Writer<'_> {
    /// Appends statements, those of bodies in the place of what they define.
    fn block(&mut self, body: Vec<Stmt>) {
        for stmt in body {
            match stmt {
                Stmt::Op { op, args, results } => match op.row().body() {
                    Some(body) => self.define(body, &args, &results),
                    None => self.stmts.push(Stmt::Op { op, args, results }),
                },
                Stmt::Loop(mut l) => {
                    let before = std::mem::take(&mut self.stmts);
                    self.block(l.body);
                    l.body = std::mem::replace(&mut self.stmts, before);
                    self.stmts.push(Stmt::Loop(l));
                }
                stmt => self.stmts.push(stmt),
            }
        }
    }

    fn define(&mut self, body: Body, args: &[Value], results: &[Value]) {
        let operands: Vec<Value> = args.iter().map(|v| self.pattern(*v)).collect();
        let (start, first) = (self.stmts.len(), self.kernel.values.len());
        let values = body(self, &operands);
        let written = self.stmts.split_off(start);
        let mut names: HashMap<Value, Value> = HashMap::new();
        let mut copies = Vec::new();
        for (value, result) in values.into_iter().zip(results) {
            // A value that the body made is the result under another name; an operand, or another result, is copied.
            if operands.contains(&value) || names.contains_key(&value) {
                copies.push((value, *result));
            } else {
                names.insert(value, *result);
            }
        }
        // Every value has one definition: those that were renamed are gone, and the others move up.
        for (i, info) in self.kernel.values.split_off(first).into_iter().enumerate() {
            let new = Value(self.kernel.values.len() as u32);
            if let Entry::Vacant(unnamed) = names.entry(Value((first + i) as u32)) {
                unnamed.insert(new);
                self.kernel.values.push(info);
            }
        }
        let named = |v: &Value| names.get(v).copied().unwrap_or(*v);
        let rename = |stmt: Stmt| match stmt {
            Stmt::Op { op, args, results } => {
                Stmt::Op { op, args: args.iter().map(named).collect(), results: results.iter().map(named).collect() }
            }
            other => other,
        };
        let written: Vec<Stmt> = written.into_iter().map(rename).collect();
        let copies =
            copies.iter().map(|(v, result)| Stmt::Op { op: Op::Or, args: vec![named(v); 2], results: vec![*result] });
        // A body may use what other bodies define.
        self.block(written.into_iter().chain(copies).collect());
    }

    /// The bit pattern of a value: bodies are about unsigned operands.
    fn pattern(&mut self, v: Value) -> Value {
        let ty = self.ty(v);
        if self.kernel.value(v).range.lo.sign() == Sign::Minus { self.same(Op::LowBits(ty.bits()), &[v]) } else { v }
    }
}

impl Write for Writer<'_> {
    fn ty(&self, v: Value) -> Type {
        self.kernel.value(v).ty
    }

    fn op(&mut self, op: Op, args: &[Value], types: &[Type]) -> Vec<Value> {
        let operands: Vec<(Type, &Interval)> =
            args.iter().map(|v| (self.ty(*v), &self.kernel.value(*v).range)).collect();
        let amount = op.amount().and_then(|k| u32::try_from(k.constant()?).ok());
        let ranges = transfer(&op, &operands, types, amount.map_or(ONCE, |k| (k, k)));
        let results = ranges
            .into_iter()
            .zip(types)
            .map(|(range, ty)| {
                self.kernel.values.push(ValueInfo { ty: *ty, range: interval_in(range, *ty) });
                Value(self.kernel.values.len() as u32 - 1)
            })
            .collect::<Vec<_>>();
        self.stmts.push(Stmt::Op { op, args: args.to_vec(), results: results.clone() });
        results
    }
}
