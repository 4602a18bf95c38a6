//! What leaves the house after a proof: without ghosts and without statements that nothing returned depends on, with proved intervals.

use std::collections::HashMap;
use std::sync::Arc;

use evariste_ir::{Array, ArrayKind, Claim, Counter, Index, Interval, Kernel, Operand, Stmt, Value, View};

/// Proved intervals by value; `None` where a value is never reached.
pub(crate) type Ranges = Vec<Option<Interval>>;

/// Cleans a kernel; `ranges` of this kernel and of each callee (by address).
pub(crate) struct Cleaner<'a> {
    /// Proved intervals of callees.
    pub(crate) callees: &'a dyn Fn(&Arc<Kernel>) -> Ranges,
    /// Callees done.
    pub(crate) done: HashMap<*const Kernel, Arc<Kernel>>,
}

/// Values and arrays that what is returned depends on.
struct Live {
    values: Vec<bool>,
    arrays: Vec<bool>,
}

impl Cleaner<'_> {
    /// The cleaned kernel.
    pub(crate) fn clean(&mut self, kernel: &Kernel, ranges: &Ranges) -> Kernel {
        let live = liveness(kernel);
        let mut r = Rewriter {
            kernel,
            live: &live,
            values: vec![None; kernel.values.len()],
            arrays: Vec::new(),
            counters: HashMap::new(),
            callees: HashMap::new(),
            out: Kernel { arrays: Vec::new(), values: Vec::new(), callees: Vec::new(), body: Vec::new(), disjoint: Vec::new(), ..kernel.clone() },
            ranges,
            cleaner: self,
        };
        r.arrays(kernel);
        let body = r.block(&kernel.body);
        r.out.body = body;
        let mut out = r.out.clone();
        let arrays = r.arrays.clone();
        out.disjoint = kernel.disjoint.iter().filter_map(|(a, b)| Some((arrays[a.0 as usize]?, arrays[b.0 as usize]?))).collect();
        for operand in out.contract.inputs.iter_mut().chain(out.contract.claims.iter_mut().map(output_mut)) {
            operand.digits.retain(|d| arrays[d.array.0 as usize].is_some());
            for d in &mut operand.digits {
                d.array = arrays[d.array.0 as usize].unwrap_or(d.array);
            }
        }
        out
    }

    fn callee(&mut self, callee: &Arc<Kernel>) -> Arc<Kernel> {
        let key = Arc::as_ptr(callee);
        if let Some(done) = self.done.get(&key) {
            return done.clone();
        }
        let ranges = (self.callees)(callee);
        let cleaned = Arc::new(self.clean(callee, &ranges));
        self.done.insert(key, cleaned.clone());
        cleaned
    }
}

fn output_mut(claim: &mut Claim) -> &mut Operand {
    match claim {
        Claim::Value { output, .. } | Claim::Equal { output, .. } | Claim::Power { output, .. } | Claim::Bits { output, .. } | Claim::Step { output, .. } => output,
    }
}

fn is_ghost(kernel: &Kernel, a: Array) -> bool {
    kernel.array(a).kind == ArrayKind::Ghost
}

fn liveness(kernel: &Kernel) -> Live {
    let returned = |k: &ArrayKind| matches!(k, ArrayKind::Input | ArrayKind::Output | ArrayKind::InOut);
    let mut live = Live { values: vec![false; kernel.values.len()], arrays: kernel.arrays.iter().map(|a| returned(&a.kind)).collect() };
    // Loops feed back: repeat until nothing new is found.
    loop {
        let mut changed = false;
        live.block(kernel, &kernel.body, &mut changed);
        if !changed {
            return live;
        }
    }
}

impl Live {
    fn value(&mut self, v: Value, changed: &mut bool) {
        *changed |= !std::mem::replace(&mut self.values[v.0 as usize], true);
    }

    fn array(&mut self, a: Array, changed: &mut bool) {
        *changed |= !std::mem::replace(&mut self.arrays[a.0 as usize], true);
    }

    fn index(&mut self, index: &Index, changed: &mut bool) {
        if let Some((table, inner)) = &index.table {
            self.array(*table, changed);
            self.index(inner, changed);
        }
    }

    fn call_is_live(&self, kernel: &Kernel, callee: u32, args: &[View]) -> bool {
        let callee = &kernel.callees[callee as usize];
        callee.params().zip(args).any(|(p, v)| matches!(callee.array(p).kind, ArrayKind::Output | ArrayKind::InOut) && self.arrays[v.array.0 as usize])
    }

    /// Is the statement needed?
    fn stmt_is_live(&self, kernel: &Kernel, stmt: &Stmt) -> bool {
        let any = |vs: &[Value]| vs.iter().any(|v| self.values[v.0 as usize]);
        match stmt {
            Stmt::Op { results, .. } => any(results),
            Stmt::Load { result, .. } => any(&[*result]),
            Stmt::Store { array, .. } => self.arrays[array.0 as usize],
            Stmt::Loop(l) => l.body.iter().any(|s| self.stmt_is_live(kernel, s)) || l.carried.iter().any(|c| any(&[c.inner, c.result])),
            Stmt::Call { callee, args } => self.call_is_live(kernel, *callee, args),
        }
    }

    fn block(&mut self, kernel: &Kernel, body: &[Stmt], changed: &mut bool) {
        for stmt in body.iter().rev() {
            match stmt {
                Stmt::Op { op, args, .. } if self.stmt_is_live(kernel, stmt) => {
                    args.iter().for_each(|v| self.value(*v, changed));
                    if let Some(i) = shift_index(op) {
                        self.index(i, changed);
                    }
                    if let evariste_ir::Op::Lookup { table, .. } = op {
                        self.array(*table, changed);
                    }
                }
                Stmt::Load { array, index, .. } if self.stmt_is_live(kernel, stmt) => {
                    self.array(*array, changed);
                    self.index(index, changed);
                }
                Stmt::Store { value, index, .. } if self.stmt_is_live(kernel, stmt) => {
                    self.value(*value, changed);
                    self.index(index, changed);
                }
                Stmt::Loop(l) => {
                    for c in &l.carried {
                        if self.values[c.inner.0 as usize] || self.values[c.result.0 as usize] {
                            self.value(c.init, changed);
                            self.value(c.next, changed);
                        }
                    }
                    self.block(kernel, &l.body, changed);
                }
                Stmt::Call { callee, args } if self.call_is_live(kernel, *callee, args) => {
                    let callee = &kernel.callees[*callee as usize];
                    for (p, v) in callee.params().zip(args) {
                        if !is_ghost(callee, p) {
                            self.array(v.array, changed);
                            self.index(&v.start, changed);
                            v.order.iter().for_each(|t| self.array(*t, changed));
                        }
                    }
                }
                _ => {}
            }
        }
    }
}

fn shift_index(op: &evariste_ir::Op) -> Option<&Index> {
    use evariste_ir::Op::*;
    match op {
        Shl(i) | WrappingShl(i) | Shr(i) | Sar(i) | Rotate(i) | FunnelShift(i) => Some(i),
        _ => None,
    }
}

struct Rewriter<'k, 'c, 'a> {
    kernel: &'k Kernel,
    live: &'k Live,
    values: Vec<Option<Value>>,
    arrays: Vec<Option<Array>>,
    counters: HashMap<Counter, Counter>,
    callees: HashMap<u32, u32>,
    out: Kernel,
    ranges: &'k Ranges,
    cleaner: &'c mut Cleaner<'a>,
}

impl Rewriter<'_, '_, '_> {
    fn arrays(&mut self, kernel: &Kernel) {
        for (info, live) in kernel.arrays.iter().zip(&self.live.arrays) {
            let place = live.then(|| {
                let mut info = info.clone();
                if info.kind == ArrayKind::Ghost {
                    // A ghost that is read is scratch.
                    info.kind = ArrayKind::Local;
                }
                self.out.arrays.push(info);
                Array(self.out.arrays.len() as u32 - 1)
            });
            self.arrays.push(place);
        }
    }

    fn array(&self, a: Array) -> Array {
        self.arrays[a.0 as usize].unwrap_or(a)
    }

    /// The value's new name, given on first sight.
    fn value(&mut self, v: Value) -> Value {
        let at = v.0 as usize;
        if let Some(known) = self.values[at] {
            return known;
        }
        let mut info = self.kernel.value(v).clone();
        if let Some(range) = &self.ranges[at] {
            info.range = range.clone();
        }
        self.out.values.push(info);
        let new = Value(self.out.values.len() as u32 - 1);
        self.values[at] = Some(new);
        new
    }

    fn index(&self, index: &Index) -> Index {
        Index {
            base: index.base,
            terms: index.terms.iter().map(|(c, k)| (self.counters.get(c).copied().unwrap_or(*c), *k)).collect(),
            table: index.table.as_ref().map(|(t, inner)| (self.array(*t), Box::new(self.index(inner)))),
            modulo: index.modulo,
        }
    }

    fn op(&self, op: &evariste_ir::Op) -> evariste_ir::Op {
        use evariste_ir::Op::*;
        match op {
            Shl(i) => Shl(self.index(i)),
            WrappingShl(i) => WrappingShl(self.index(i)),
            Shr(i) => Shr(self.index(i)),
            Sar(i) => Sar(self.index(i)),
            Rotate(i) => Rotate(self.index(i)),
            FunnelShift(i) => FunnelShift(self.index(i)),
            Lookup { table, vartime } => Lookup { table: self.array(*table), vartime: *vartime },
            other => other.clone(),
        }
    }

    fn block(&mut self, body: &[Stmt]) -> Vec<Stmt> {
        let live = self.live;
        let kernel = self.kernel;
        body.iter().filter(|s| live.stmt_is_live(kernel, s)).map(|s| self.stmt(s)).collect()
    }

    fn stmt(&mut self, stmt: &Stmt) -> Stmt {
        match stmt {
            Stmt::Op { op, args, results } => {
                let args = args.iter().map(|v| self.value(*v)).collect();
                Stmt::Op { op: self.op(op), args, results: results.iter().map(|v| self.value(*v)).collect() }
            }
            Stmt::Load { result, array, index } => Stmt::Load { result: self.value(*result), array: self.array(*array), index: self.index(index) },
            Stmt::Store { array, index, value } => Stmt::Store { array: self.array(*array), index: self.index(index), value: self.value(*value) },
            Stmt::Loop(l) => {
                let counter = Counter(self.counters.len() as u32);
                self.counters.insert(l.counter, counter);
                let live = |v: Value| self.live.values[v.0 as usize];
                let carried: Vec<_> = l.carried.iter().filter(|c| live(c.inner) || live(c.result)).collect();
                let entry: Vec<(Value, Value)> = carried.iter().map(|c| (self.value(c.init), self.value(c.inner))).collect();
                let body = self.block(&l.body);
                let carried = carried
                    .iter()
                    .zip(entry)
                    .map(|(c, (init, inner))| evariste_ir::Carried { init, inner, next: self.value(c.next), result: self.value(c.result) })
                    .collect();
                Stmt::Loop(evariste_ir::Loop { counter, count: l.count, carried, body })
            }
            Stmt::Call { callee, args } => {
                let original = &self.kernel.callees[*callee as usize];
                let kept = original.params().zip(args).filter(|(p, _)| !is_ghost(original, *p)).map(|(_, v)| View {
                    array: self.array(v.array),
                    start: self.index(&v.start),
                    order: v.order.map(|t| self.array(t)),
                });
                let args = kept.collect();
                let place = match self.callees.get(callee) {
                    Some(place) => *place,
                    None => {
                        let cleaned = self.cleaner.callee(original);
                        self.out.callees.push(cleaned);
                        let place = self.out.callees.len() as u32 - 1;
                        self.callees.insert(*callee, place);
                        place
                    }
                };
                Stmt::Call { callee: place, args }
            }
        }
    }
}
