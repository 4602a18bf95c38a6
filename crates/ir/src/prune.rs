//! Removes what a proved kernel no longer needs: ghosts with their stores, then dead code, unused locals, tables and
//! callees.
//!
//! Values, arrays and counters are numbered again in order of appearance. A promise that spoke of ghost digits becomes
//! what remains of it: ghost digits that weigh more than the bound allows are 0; otherwise `x + 2^k·ghost = y`, with
//! `x < 2^k`, becomes `x ≡ y (mod 2^k)`; where less remains than was promised (of a residue, of digits above a ghost) the
//! output keeps its bounds only, as a step that is named after the promise: two such steps have one name where the whole
//! promises are equal. The promise itself stays in the kernel that was proved.

use std::collections::HashMap;
use std::sync::Arc;

use num_bigint::BigInt;

use crate::contract::{Claim, Operand};
use crate::kernel::{Array, ArrayKind, Carried, Counter, Index, Kernel, Loop, Stmt, Value, View, fingerprint};
use crate::op::Op;
use crate::range::pow2;
use crate::statements::{all, change_all};

/// The kernel without ghosts and dead code. `kernel` must pass [`verify`](crate::verify::verify); the result does too.
pub fn prune(kernel: &Kernel) -> Kernel {
    prune_with(kernel, &mut HashMap::new())
}

type Known = HashMap<*const Kernel, Arc<Kernel>>;

/// A callee without ghosts, which is pruned once however many call it.
fn prune_once(kernel: &Arc<Kernel>, known: &mut Known) -> Arc<Kernel> {
    if let Some(pruned) = known.get(&Arc::as_ptr(kernel)) {
        return pruned.clone();
    }
    let pruned = Arc::new(prune_with(kernel, known));
    known.insert(Arc::as_ptr(kernel), pruned.clone());
    pruned
}

fn prune_with(kernel: &Kernel, known: &mut Known) -> Kernel {
    let callees: Vec<Arc<Kernel>> = kernel.callees.iter().map(|k| prune_once(k, known)).collect();
    let live = Live::of(kernel);
    let mut r = Rewriter {
        kernel,
        live: &live,
        values: HashMap::new(),
        counters: HashMap::new(),
        tables: vec![false; kernel.arrays.len()],
        called: vec![false; callees.len()],
        infos: Vec::new(),
    };
    let mut body = r.block(&kernel.body);
    let kept = |a: usize| live.arrays[a] || r.tables[a];
    let mut places = vec![None; kernel.arrays.len()];
    let mut arrays = Vec::new();
    for (a, info) in kernel.arrays.iter().enumerate().filter(|(a, _)| kept(*a)) {
        places[a] = Some(Array(arrays.len() as u32));
        arrays.push(info.clone());
    }
    let mut numbers = vec![0; callees.len()];
    let mut used = Vec::new();
    for (i, k) in callees.into_iter().enumerate().filter(|(i, _)| r.called[*i]) {
        numbers[i] = used.len() as u32;
        used.push(k);
    }
    renumber(&mut body, &places, &numbers);
    let place = |a: Array| places[a.0 as usize];
    let mut contract = kernel.contract.clone();
    contract.inputs.iter_mut().for_each(|o| move_digits(o, &places));
    contract.claims = kernel.contract.claims.iter().filter_map(|c| remaining(kernel, c)).collect();
    contract.claims.iter_mut().for_each(|c| move_digits(c.output_mut(), &places));
    Kernel {
        name: kernel.name.clone(),
        word: kernel.word,
        arrays,
        disjoint: kernel.disjoint.iter().filter_map(|(a, b)| Some((place(*a)?, place(*b)?))).collect(),
        callees: used,
        values: r.infos,
        body,
        contract,
        vartime: kernel.vartime,
    }
}

// What is needed

struct Live<'a> {
    kernel: &'a Kernel,
    values: Vec<bool>,
    /// Parameters other than ghosts, and locals that are read.
    arrays: Vec<bool>,
    changed: bool,
}

impl Live<'_> {
    /// What the caller sees, and all that it needs.
    fn of(kernel: &Kernel) -> Live<'_> {
        let mut live = Live {
            kernel,
            values: vec![false; kernel.values.len()],
            arrays: vec![false; kernel.arrays.len()],
            changed: true,
        };
        for (a, info) in kernel.arrays.iter().enumerate() {
            live.arrays[a] = matches!(info.kind, ArrayKind::Output | ArrayKind::InOut | ArrayKind::Input);
        }
        while live.changed {
            live.changed = false;
            live.block(&kernel.body);
        }
        live
    }

    fn value(&mut self, v: Value) {
        let slot = &mut self.values[v.0 as usize];
        self.changed |= !*slot;
        *slot = true;
    }

    fn array(&mut self, a: Array) {
        let local = self.kernel.array(a).kind == ArrayKind::Local;
        let slot = &mut self.arrays[a.0 as usize];
        self.changed |= local && !*slot;
        *slot |= local;
    }

    fn is_live(&self, v: Value) -> bool {
        self.values[v.0 as usize]
    }

    /// Does the call write anything that is needed? Views of ghosts do not count.
    fn call(&self, callee: u32, args: &[View]) -> bool {
        let k = &self.kernel.callees[callee as usize];
        k.params().zip(args).any(|(p, v)| {
            matches!(k.array(p).kind, ArrayKind::Output | ArrayKind::InOut) && self.arrays[v.array.0 as usize]
        })
    }

    fn block(&mut self, body: &[Stmt]) {
        for stmt in body.iter().rev() {
            match stmt {
                Stmt::Op { op, args, results } => {
                    if results.iter().any(|v| self.is_live(*v)) {
                        args.iter().for_each(|v| self.value(*v));
                        if let Op::Lookup { table, .. } = op {
                            self.array(*table);
                        }
                    }
                }
                Stmt::Load { result, array, .. } => {
                    if self.is_live(*result) {
                        self.array(*array);
                    }
                }
                Stmt::Store { array, value, .. } => {
                    if self.arrays[array.0 as usize] {
                        self.value(*value);
                    }
                }
                Stmt::Loop(l) => {
                    for c in &l.carried {
                        if self.is_live(c.result) || self.is_live(c.inner) {
                            [c.init, c.inner, c.next, c.result].into_iter().for_each(|v| self.value(v));
                        }
                    }
                    self.block(&l.body);
                }
                Stmt::Call { callee, args } => {
                    if self.call(*callee, args) {
                        let k = &self.kernel.callees[*callee as usize];
                        for (p, v) in k.params().zip(args) {
                            if k.array(p).kind != ArrayKind::Ghost {
                                self.array(v.array);
                            }
                        }
                    }
                }
            }
        }
    }
}

// The smaller body

struct Rewriter<'a> {
    kernel: &'a Kernel,
    live: &'a Live<'a>,
    values: HashMap<Value, Value>,
    counters: HashMap<Counter, Counter>,
    tables: Vec<bool>,
    called: Vec<bool>,
    infos: Vec<crate::kernel::ValueInfo>,
}

impl Rewriter<'_> {
    fn define(&mut self, v: Value) -> Value {
        let new = Value(self.infos.len() as u32);
        self.infos.push(self.kernel.value(v).clone());
        self.values.insert(v, new);
        new
    }

    fn used(&self, v: Value) -> Value {
        self.values.get(&v).copied().unwrap_or(v)
    }

    fn index(&mut self, index: &Index) -> Index {
        Index {
            base: index.base,
            terms: index.terms.iter().map(|(c, k)| (self.counters.get(c).copied().unwrap_or(*c), *k)).collect(),
            table: index.table.as_ref().map(|(t, inner)| {
                self.tables[t.0 as usize] = true;
                (*t, Box::new(self.index(inner)))
            }),
            modulo: index.modulo,
        }
    }

    fn op(&mut self, op: &Op) -> Op {
        let mut op = op.clone();
        if let Some(k) = op.amount_mut() {
            *k = self.index(k);
        }
        if let Op::Lookup { table, .. } = op {
            self.tables[table.0 as usize] = true;
        }
        op
    }

    fn block(&mut self, body: &[Stmt]) -> Vec<Stmt> {
        let mut out = Vec::new();
        for stmt in body {
            match stmt {
                Stmt::Op { op, args, results } => {
                    if results.iter().any(|v| self.live.is_live(*v)) {
                        let (op, args) = (self.op(op), args.iter().map(|v| self.used(*v)).collect());
                        out.push(Stmt::Op { op, args, results: results.iter().map(|v| self.define(*v)).collect() });
                    }
                }
                Stmt::Load { result, array, index } => {
                    if self.live.is_live(*result) {
                        self.tables[array.0 as usize] |= matches!(self.kernel.array(*array).kind, ArrayKind::Table(_));
                        let index = self.index(index);
                        out.push(Stmt::Load { result: self.define(*result), array: *array, index });
                    }
                }
                Stmt::Store { array, index, value } => {
                    if self.live.arrays[array.0 as usize] {
                        let index = self.index(index);
                        out.push(Stmt::Store { array: *array, index, value: self.used(*value) });
                    }
                }
                Stmt::Loop(l) => {
                    if let Some(l) = self.repeat(l) {
                        out.push(Stmt::Loop(l));
                    }
                }
                Stmt::Call { callee, args } => {
                    if !self.live.call(*callee, args) {
                        continue;
                    }
                    self.called[*callee as usize] = true;
                    let k = self.kernel.callees[*callee as usize].clone();
                    let mut views = Vec::new();
                    for (_, v) in k.params().zip(args).filter(|(p, _)| k.array(*p).kind != ArrayKind::Ghost) {
                        for t in v.order.iter().chain([&v.array]) {
                            self.tables[t.0 as usize] |= matches!(self.kernel.array(*t).kind, ArrayKind::Table(_));
                        }
                        views.push(View { array: v.array, start: self.index(&v.start), order: v.order });
                    }
                    out.push(Stmt::Call { callee: *callee, args: views });
                }
            }
        }
        out
    }

    /// `None` when nothing of the loop is needed.
    fn repeat(&mut self, l: &Loop) -> Option<Loop> {
        let carried: Vec<&Carried> = l.carried.iter().filter(|c| self.live.is_live(c.inner)).collect();
        if carried.is_empty() && !self.needs(&l.body) {
            return None;
        }
        let counter = Counter(self.counters.len() as u32);
        self.counters.insert(l.counter, counter);
        let entry: Vec<(Value, Value)> = carried.iter().map(|c| (self.used(c.init), self.define(c.inner))).collect();
        let body = self.block(&l.body);
        let exit: Vec<(Value, Value)> = carried.iter().map(|c| (self.used(c.next), self.define(c.result))).collect();
        let carried = entry
            .into_iter()
            .zip(exit)
            .map(|((init, inner), (next, result))| Carried { init, inner, next, result })
            .collect();
        Some(Loop { counter, count: l.count, carried, body })
    }

    /// Does the block store anything that is needed?
    fn needs(&self, body: &[Stmt]) -> bool {
        all(body).any(|stmt| match stmt {
            Stmt::Store { array, .. } => self.live.arrays[array.0 as usize],
            Stmt::Call { callee, args } => self.live.call(*callee, args),
            _ => false,
        })
    }
}

/// New numbers of arrays and callees.
fn renumber(body: &mut [Stmt], places: &[Option<Array>], callees: &[u32]) {
    fn array(a: &mut Array, places: &[Option<Array>]) {
        *a = places[a.0 as usize].unwrap_or(*a);
    }
    fn index(i: &mut Index, places: &[Option<Array>]) {
        if let Some((t, inner)) = &mut i.table {
            array(t, places);
            index(inner, places);
        }
    }
    change_all(body, &mut |stmt| match stmt {
        Stmt::Op { op: Op::Lookup { table, .. }, .. } => array(table, places),
        Stmt::Op { op, .. } => {
            if let Some(k) = op.amount_mut() {
                index(k, places);
            }
        }
        Stmt::Load { array: a, index: i, .. } | Stmt::Store { array: a, index: i, .. } => {
            array(a, places);
            index(i, places);
        }
        Stmt::Loop(_) => {}
        Stmt::Call { callee, args } => {
            *callee = callees[*callee as usize];
            for v in args {
                array(&mut v.array, places);
                index(&mut v.start, places);
                v.order.iter_mut().for_each(|t| array(t, places));
            }
        }
    });
}

// The contract

fn move_digits(o: &mut Operand, places: &[Option<Array>]) {
    for d in &mut o.digits {
        d.array = places[d.array.0 as usize].unwrap_or(d.array);
    }
}

/// What a promise says without ghosts; `None` when its output is all ghost.
fn remaining(kernel: &Kernel, claim: &Claim) -> Option<Claim> {
    let output = claim.output();
    let is_ghost = |a: Array| kernel.array(a).kind == ArrayKind::Ghost;
    let ghosts: Vec<u32> = output.digits.iter().filter(|d| is_ghost(d.array)).map(|d| d.weight).collect();
    if ghosts.is_empty() {
        return Some(claim.clone());
    }
    let digits: Vec<_> = output.digits.iter().filter(|d| !is_ghost(d.array)).cloned().collect();
    if digits.is_empty() {
        return None;
    }
    let top: BigInt = digits.iter().map(|d| d.most() << d.weight).sum();
    let bound = top.min(output.bound.clone());
    // Digits are not negative: one that weighs more than the whole number can be is 0.
    let lost = ghosts.iter().filter(|k| pow2(**k) <= output.bound).min();
    let low = lost.is_some_and(|k| digits.iter().all(|d| d.weight < *k));
    let output = Operand { name: output.name.clone(), digits, bound, below: output.below };
    let Some(k) = lost else {
        let mut claim = claim.clone();
        *claim.output_mut() = output;
        return Some(claim);
    };
    Some(match claim {
        Claim::Value { factor, polynomial, modulus: None, .. } if low && *factor > BigInt::ZERO => Claim::Value {
            output,
            factor: factor.clone(),
            polynomial: polynomial.clone(),
            modulus: Some((factor * pow2(*k)).into()),
        },
        _ => Claim::Step { output, name: format!("digits_{:016x}", fingerprint(&format!("{claim:?}"))) },
    })
}
