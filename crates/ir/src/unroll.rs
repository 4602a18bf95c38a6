//! The straight-line trace of a kernel: every statement in order of execution, loops unrolled, indices concrete. Calls
//! are single events.

use num_traits::ToPrimitive;

use crate::kernel::{Array, ArrayKind, Index, Kernel, Loop, Stmt, Value, View};
use crate::op::Op;

/// One step of the trace. Indices and amounts may lie outside of their arrays: the verifier finds that out. `None`: an
/// index into a table was outside of the table.
#[allow(missing_docs)]
#[derive(Debug)]
pub enum Event<'a> {
    /// `results = op(args)`; `amount` is the public amount of a shift.
    Op { op: &'a Op, args: &'a [Value], results: &'a [Value], amount: Option<i64> },
    /// `result = array[index]`.
    Load { result: Value, array: Array, index: Option<i64> },
    /// `array[index] = value`.
    Store { array: Array, index: Option<i64>, value: Value },
    /// A loop begins: `inner = init`.
    Begin(&'a Loop),
    /// An iteration other than the last ended: `inner = next`.
    Again(&'a Loop),
    /// The last iteration ended: `result = next`.
    End(&'a Loop),
    /// A call; for each parameter of the callee the caller's array and the elements shown.
    Call { callee: u32, views: Vec<(Array, Vec<Option<i64>>)> },
}

/// The trace has more events than the caller wants.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the unrolled kernel has more than {0} steps")]
pub struct TooLong(pub u64);

/// The value of a public index at the counters' values; `len` is the length of the indexed array (for `modulo`). `None`
/// when a table is read outside of its entries, or the sum does not fit.
pub fn evaluate(kernel: &Kernel, index: &Index, counters: &[u32], len: Option<u32>) -> Option<i64> {
    let mut sum = index.base;
    for (c, k) in &index.terms {
        sum = sum.checked_add(k.checked_mul(i64::from(*counters.get(c.0 as usize)?))?)?;
    }
    if let Some((table, inner)) = &index.table {
        let ArrayKind::Table(entries) = &kernel.arrays.get(table.0 as usize)?.kind else { return None };
        let at = evaluate(kernel, inner, counters, Some(entries.len() as u32))?;
        sum = sum.checked_add(entries.get(usize::try_from(at).ok()?)?.to_i64()?)?;
    }
    match len {
        Some(n) if index.modulo => Some(sum.rem_euclid(i64::from(n.max(1)))),
        _ => Some(sum),
    }
}

/// The elements of the caller's array that a view shows to a parameter of `len` elements.
pub fn view_elements(kernel: &Kernel, view: &View, counters: &[u32], len: u32) -> Vec<Option<i64>> {
    let n = kernel.array(view.array).len;
    let start = evaluate(kernel, &view.start, counters, None);
    let order = view.order.map(|t| match &kernel.array(t).kind {
        ArrayKind::Table(entries) => entries.as_slice(),
        _ => &[],
    });
    (0..len)
        .map(|j| {
            let j = match order {
                Some(o) => o.get(j as usize)?.to_i64()?,
                None => i64::from(j),
            };
            let i = start?.checked_add(j)?;
            Some(if view.start.modulo { i.rem_euclid(i64::from(n.max(1))) } else { i })
        })
        .collect()
}

/// Visits every event with the path of its statement (indices into bodies, outermost first).
///
/// # Errors
/// When there are more than `limit` events (those before were visited).
pub fn trace<'a>(kernel: &'a Kernel, limit: u64, visit: impl FnMut(&[u32], Event<'a>)) -> Result<(), TooLong> {
    let mut t = Tracer { kernel, limit, left: limit, visit, path: Vec::new(), counters: Vec::new() };
    t.block(&kernel.body)
}

struct Tracer<'a, F> {
    kernel: &'a Kernel,
    limit: u64,
    left: u64,
    visit: F,
    path: Vec<u32>,
    counters: Vec<u32>,
}

impl<'a, F: FnMut(&[u32], Event<'a>)> Tracer<'a, F> {
    fn event(&mut self, event: Event<'a>) -> Result<(), TooLong> {
        let steps = match &event {
            Event::Call { views, .. } => 1 + views.iter().map(|(_, v)| v.len() as u64).sum::<u64>(),
            _ => 1,
        };
        self.left = self.left.checked_sub(steps).ok_or(TooLong(self.limit))?;
        (self.visit)(&self.path, event);
        Ok(())
    }

    fn block(&mut self, body: &'a [Stmt]) -> Result<(), TooLong> {
        for (i, stmt) in body.iter().enumerate() {
            self.path.push(i as u32);
            match stmt {
                Stmt::Op { op, args, results } => {
                    let amount = op.amount().map(|k| evaluate(self.kernel, k, &self.counters, None).unwrap_or(-1));
                    self.event(Event::Op { op, args, results, amount })?;
                }
                Stmt::Load { result, array, index } => {
                    let index = evaluate(self.kernel, index, &self.counters, Some(self.kernel.array(*array).len));
                    self.event(Event::Load { result: *result, array: *array, index })?;
                }
                Stmt::Store { array, index, value } => {
                    let index = evaluate(self.kernel, index, &self.counters, Some(self.kernel.array(*array).len));
                    self.event(Event::Store { array: *array, index, value: *value })?;
                }
                Stmt::Loop(l) => {
                    let c = l.counter.0 as usize;
                    if self.counters.len() <= c {
                        self.counters.resize(c + 1, 0);
                    }
                    self.event(Event::Begin(l))?;
                    for i in 0..l.count {
                        self.counters[c] = i;
                        self.block(&l.body)?;
                        self.event(if i + 1 == l.count { Event::End(l) } else { Event::Again(l) })?;
                    }
                }
                Stmt::Call { callee, args } => {
                    let k = &self.kernel.callees[*callee as usize];
                    let views = args
                        .iter()
                        .zip(k.params())
                        .map(|(v, p)| (v.array, view_elements(self.kernel, v, &self.counters, k.array(p).len)))
                        .collect();
                    self.event(Event::Call { callee: *callee, views })?;
                }
            }
            self.path.pop();
        }
        Ok(())
    }
}
