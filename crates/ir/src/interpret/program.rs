//! The prepared form of a kernel: values in slots (reused after their last use), indices ready to evaluate, callees
//! prepared.

use std::collections::HashMap;
use std::sync::Arc;

use num_bigint::{BigInt, Sign};
use num_traits::ToPrimitive;

use crate::float::{Format, Toy};
use crate::kernel::{Array, ArrayKind, Index, Kernel, Stmt, Type, Value, View};
use crate::lanes::vectors::{Cell, Inst, Operand, Step};
use crate::op::{Meaning, Op};
use crate::range::{Interval, pow2};

/// A range to hold: `(x − lo) mod 2^bits ≤ width`; for floats `lo ≤ x ≤ hi`.
pub(crate) struct Check<L> {
    pub slot: u32,
    pub bits: u32,
    pub lo: L,
    pub width: L,
    /// Mantissa bits and bounds of a float.
    pub float: Option<(u8, f64, f64)>,
    pub statement: u32,
    pub fault: super::Fault,
}

/// A public index ready to evaluate.
#[derive(Clone, Default)]
pub(crate) struct Address {
    pub base: i64,
    pub terms: Vec<(u32, i64)>,
    pub table: Option<(Arc<Vec<i64>>, Box<Address>)>,
    /// Length to reduce by.
    pub modulo: Option<i64>,
}

impl Address {
    /// The value at the counters, `shift` added before the modulo; `None` when a table is left.
    pub fn at(&self, counters: &[u32], shift: i64) -> Option<i64> {
        let mut i = self.base.wrapping_add(shift);
        for (c, k) in &self.terms {
            i = i.wrapping_add(k.wrapping_mul(counters[*c as usize] as i64));
        }
        if let Some((table, inner)) = &self.table {
            i = i.wrapping_add(*table.get(usize::try_from(inner.at(counters, 0)?).ok()?)?);
        }
        Some(match self.modulo {
            Some(n) => i.rem_euclid(n.max(1)),
            None => i,
        })
    }
}

/// A view of the caller's array.
pub(crate) struct PreparedView {
    pub array: u32,
    pub start: Address,
    pub order: Option<Arc<Vec<i64>>>,
    /// Elements shown: the length of the callee's parameter.
    pub len: u32,
}

/// One step of a prepared kernel.
pub(crate) enum Node<L> {
    Op {
        inst: Inst<L>,
        step: Step<L>,
        /// The amount of a shift.
        shift: Option<Address>,
        statement: u32,
    },
    /// A look-up at the operand's place.
    Entry {
        result: u32,
        array: u32,
        place: u32,
        statement: u32,
    },
    Check(Check<L>),
    Load {
        result: u32,
        array: u32,
        index: Address,
        statement: u32,
    },
    /// `checks`: per element (or one for all), in range-checking mode.
    Store {
        array: u32,
        index: Address,
        value: u32,
        statement: u32,
        checks: Vec<Check<L>>,
    },
    /// `(from, to)` copies, one after the other.
    Copy(Vec<(u32, u32)>),
    Loop {
        counter: u32,
        count: u32,
        body: Vec<Node<L>>,
    },
    Call {
        callee: u32,
        views: Vec<PreparedView>,
        statement: u32,
    },
}

/// Where an array of a frame lives.
pub(crate) enum Place<L> {
    /// Parameter number.
    Param(u32),
    /// First slot, relative to the frame.
    Local(u32),
    /// Constant entries.
    Table(Vec<L>),
}

/// A prepared kernel.
pub(crate) struct Program<L> {
    pub name: String,
    pub nodes: Vec<Node<L>>,
    pub places: Vec<(Place<L>, u32)>,
    pub counters: u32,
    /// Slots of its own frame (values, then locals).
    pub slots: u32,
    /// Slots with its deepest callee.
    pub total_slots: u32,
    pub callees: Vec<Arc<Program<L>>>,
    pub paths: Vec<Vec<u32>>,
}

/// The two's complement pattern of `x` in `bits` bits.
pub(crate) fn pattern(x: &BigInt, bits: u32) -> u128 {
    let m = pow2(bits);
    (((x % &m) + &m) % &m).to_u128().unwrap_or(0)
}

/// The pattern of a constant of a type: integers as they are, floats by their nearest binary value.
pub(crate) fn constant_pattern(x: &BigInt, ty: Type) -> u128 {
    match ty {
        Type::Float(m @ ..=11) => Format::new(m).map_or(0, |f| Toy(f).pattern(x)) as u128,
        Type::Float(m) if m <= 24 => (x.to_f32().unwrap_or(f32::INFINITY)).to_bits() as u128,
        Type::Float(_) => (x.to_f64().unwrap_or(f64::INFINITY)).to_bits() as u128,
        _ => pattern(x, ty.bits()),
    }
}

struct Preparer<'a, L> {
    kernel: &'a Kernel,
    check_ranges: bool,
    slots: Vec<u32>,
    free: Vec<u32>,
    used: u32,
    /// Depth of the defining block of each value, and the statement of that block that uses it last.
    depth: Vec<u32>,
    last: Vec<usize>,
    counters: u32,
    paths: Vec<Vec<u32>>,
    tables: HashMap<u32, Arc<Vec<i64>>>,
    marker: std::marker::PhantomData<L>,
}

/// Prepares a kernel (which `verify` accepts).
pub(crate) fn prepare<L: Cell>(kernel: &Kernel, check_ranges: bool) -> Program<L> {
    let mut known = HashMap::new();
    prepare_with(kernel, check_ranges, &mut known)
}

type Known<L> = HashMap<*const Kernel, Arc<Program<L>>>;

fn prepare_with<L: Cell>(kernel: &Kernel, check_ranges: bool, known: &mut Known<L>) -> Program<L> {
    let kernel = &*kernel.written_out();
    let callees: Vec<Arc<Program<L>>> = kernel
        .callees
        .iter()
        .map(|k| {
            if let Some(p) = known.get(&Arc::as_ptr(k)) {
                return p.clone();
            }
            let p = Arc::new(prepare_with(k, check_ranges, known));
            known.insert(Arc::as_ptr(k), p.clone());
            p
        })
        .collect();
    let n = kernel.values.len();
    let tables = kernel
        .arrays
        .iter()
        .enumerate()
        .filter_map(|(i, a)| match &a.kind {
            ArrayKind::Table(entries) => {
                Some((i as u32, Arc::new(entries.iter().map(|e| e.to_i64().unwrap_or(i64::MIN)).collect())))
            }
            _ => None,
        })
        .collect();
    let mut p = Preparer::<L> {
        kernel,
        check_ranges,
        slots: vec![0; n],
        free: Vec::new(),
        used: 0,
        depth: vec![0; n],
        last: vec![0; n],
        counters: 0,
        paths: Vec::new(),
        tables,
        marker: std::marker::PhantomData,
    };
    p.lifetimes(&kernel.body, &mut Vec::new());
    let nodes = p.block(&kernel.body, 0, &mut Vec::new());
    let mut slots = p.used;
    let mut params = 0;
    let places = kernel
        .arrays
        .iter()
        .map(|a| {
            let place = match &a.kind {
                ArrayKind::Table(entries) => {
                    Place::Table(entries.iter().map(|e| L::broadcast(constant_pattern(e, a.ty))).collect())
                }
                ArrayKind::Local => {
                    slots += a.len;
                    Place::Local(slots - a.len)
                }
                _ => {
                    params += 1;
                    Place::Param(params - 1)
                }
            };
            (place, a.len)
        })
        .collect();
    let total_slots = slots + callees.iter().map(|c| c.total_slots).max().unwrap_or(0);
    Program {
        name: kernel.name.clone(),
        nodes,
        places,
        counters: p.counters,
        slots,
        total_slots,
        callees,
        paths: p.paths,
    }
}

impl<L: Cell> Preparer<'_, L> {
    /// Fills `depth` and `last`. `at` holds the current statement of each enclosing block.
    fn lifetimes(&mut self, body: &[Stmt], at: &mut Vec<usize>) {
        let depth = at.len() as u32;
        at.push(0);
        for (i, stmt) in body.iter().enumerate() {
            at[depth as usize] = i;
            match stmt {
                Stmt::Op { args, results, .. } => {
                    args.iter().for_each(|v| self.used_at(*v, at));
                    results.iter().for_each(|v| self.defined(*v, depth, i));
                }
                Stmt::Load { result, .. } => self.defined(*result, depth, i),
                Stmt::Store { value, .. } => self.used_at(*value, at),
                Stmt::Loop(l) => {
                    for c in &l.carried {
                        self.used_at(c.init, at);
                        self.defined(c.result, depth, i);
                        self.defined(c.inner, depth + 1, 0);
                    }
                    self.lifetimes(&l.body, at);
                    at.push(l.body.len());
                    for c in &l.carried {
                        self.used_at(c.next, at);
                    }
                    at.pop();
                }
                Stmt::Call { .. } => {}
            }
        }
        at.pop();
    }

    fn used_at(&mut self, v: Value, at: &[usize]) {
        let i = v.0 as usize;
        self.last[i] = at.get(self.depth[i] as usize).copied().unwrap_or(usize::MAX);
    }

    fn defined(&mut self, v: Value, depth: u32, i: usize) {
        self.depth[v.0 as usize] = depth;
        self.last[v.0 as usize] = i;
    }

    fn allocate(&mut self) -> u32 {
        self.free.pop().unwrap_or_else(|| {
            self.used += 1;
            self.used - 1
        })
    }

    fn operand(&self, v: Value) -> Operand {
        let info = self.kernel.value(v);
        Operand {
            slot: self.slots[v.0 as usize],
            bits: info.ty.bits(),
            signed: info.range.lo.sign() == Sign::Minus && !matches!(info.ty, Type::Float(_)),
        }
    }

    fn address(&self, index: &Index, len: Option<u32>) -> Address {
        Address {
            base: index.base,
            terms: index.terms.iter().map(|(c, k)| (c.0, *k)).collect(),
            table: index.table.as_ref().map(|(t, inner)| {
                let entries = self.tables.get(&t.0).cloned().unwrap_or_default();
                let len = entries.len() as u32;
                (entries, Box::new(self.address(inner, Some(len))))
            }),
            modulo: len.filter(|_| index.modulo).map(|n| n as i64),
        }
    }

    fn check(&self, slot: u32, ty: Type, range: &Interval, statement: u32, fault: super::Fault) -> Check<L> {
        let bits = ty.bits();
        let width = (&range.hi - &range.lo).min(pow2(bits) - 1);
        let float = match ty {
            Type::Float(m) => {
                Some((m, range.lo.to_f64().unwrap_or(f64::NEG_INFINITY), range.hi.to_f64().unwrap_or(f64::INFINITY)))
            }
            _ => None,
        };
        Check {
            slot,
            bits,
            lo: L::broadcast(pattern(&range.lo, bits)),
            width: L::broadcast(pattern(&width, bits)),
            float,
            statement,
            fault,
        }
    }

    /// A range check of a value, in range-checking mode.
    fn check_value(&self, v: Value, statement: u32, fault: super::Fault, nodes: &mut Vec<Node<L>>) {
        let info = self.kernel.value(v);
        if self.check_ranges && info.range != info.ty.full() {
            nodes.push(Node::Check(self.check(self.slots[v.0 as usize], info.ty, &info.range, statement, fault)));
        }
    }

    fn block(&mut self, body: &[Stmt], depth: u32, path: &mut Vec<u32>) -> Vec<Node<L>> {
        // Values of this block to free after each of its statements.
        let mut dying: Vec<Vec<u32>> = vec![Vec::new(); body.len()];
        let mut nodes = Vec::new();
        for (i, stmt) in body.iter().enumerate() {
            path.push(i as u32);
            self.paths.push(path.clone());
            let statement = self.paths.len() as u32 - 1;
            match stmt {
                Stmt::Op { op, args, results } => {
                    for v in results {
                        self.define(*v, &mut dying);
                    }
                    nodes.extend(self.operation(op, args, results, statement));
                    for v in results {
                        self.check_value(*v, statement, super::Fault::OutsideRange, &mut nodes);
                    }
                }
                Stmt::Load { result, array, index } => {
                    self.define(*result, &mut dying);
                    let index = self.address(index, Some(self.kernel.array(*array).len));
                    nodes.push(Node::Load { result: self.slots[result.0 as usize], array: array.0, index, statement });
                    self.check_value(*result, statement, super::Fault::OutsideRange, &mut nodes);
                }
                Stmt::Store { array, index, value } => {
                    let info = self.kernel.array(*array);
                    let slot = self.slots[value.0 as usize];
                    let checked = self.check_ranges && info.ranges.iter().any(|r| *r != info.ty.full());
                    let checks = if checked {
                        info.ranges
                            .iter()
                            .map(|r| self.check(slot, info.ty, r, statement, super::Fault::OutsideRange))
                            .collect()
                    } else {
                        Vec::new()
                    };
                    nodes.push(Node::Store {
                        array: array.0,
                        index: self.address(index, Some(info.len)),
                        value: slot,
                        statement,
                        checks,
                    });
                }
                Stmt::Loop(l) => self.repeat(l, depth, statement, path, &mut dying, &mut nodes),
                Stmt::Call { callee, args } => {
                    let views = self.views(*callee as usize, args);
                    nodes.push(Node::Call { callee: *callee, views, statement });
                }
            }
            self.free.append(&mut dying[i]);
            path.pop();
        }
        nodes
    }

    /// The arrays that a call hands on.
    fn views(&self, callee: usize, args: &[View]) -> Vec<PreparedView> {
        let callee = &self.kernel.callees[callee];
        let prepared = |(view, param): (&View, Array)| PreparedView {
            array: view.array.0,
            start: self.address(&view.start, Some(self.kernel.array(view.array).len)),
            order: view.order.and_then(|t| self.tables.get(&t.0).cloned()),
            len: callee.array(param).len,
        };
        args.iter().zip(callee.params()).map(prepared).collect()
    }

    /// An operation whose results have slots. What has a body was written out.
    fn operation(&self, op: &Op, args: &[Value], results: &[Value], statement: u32) -> Option<Node<L>> {
        let inst = Inst {
            op: op.clone(),
            args: args.iter().map(|v| self.operand(*v)).collect(),
            results: results.iter().map(|v| self.operand(*v)).collect(),
            constant: match op {
                Op::Const(c) => L::broadcast(constant_pattern(c, self.kernel.value(results[0]).ty)),
                _ => L::ZERO,
            },
            format: args
                .iter()
                .chain(results)
                .find_map(|v| if let Type::Float(m) = self.kernel.value(*v).ty { Format::new(m) } else { None }),
        };
        match (op.row().meaning, op) {
            (Meaning::OnLanes(run), _) => {
                let shift = op.amount().map(|k| self.address(k, None));
                Some(Node::Op { inst, step: L::step(&run), shift, statement })
            }
            (Meaning::Entry, Op::Lookup { table, .. }) => {
                Some(Node::Entry { result: inst.results[0].slot, array: table.0, place: inst.args[0].slot, statement })
            }
            (Meaning::Entry | Meaning::Body(_), _) => None,
        }
    }

    /// A slot for `v`, given back after its last use.
    fn define(&mut self, v: Value, dying: &mut [Vec<u32>]) {
        let slot = self.allocate();
        self.slots[v.0 as usize] = slot;
        if let Some(d) = dying.get_mut(self.last[v.0 as usize]) {
            d.push(slot);
        }
    }

    fn repeat(
        &mut self,
        l: &crate::kernel::Loop,
        depth: u32,
        statement: u32,
        path: &mut Vec<u32>,
        dying: &mut [Vec<u32>],
        nodes: &mut Vec<Node<L>>,
    ) {
        self.counters = self.counters.max(l.counter.0 + 1);
        // A carried value keeps one slot through the loop and after it.
        let mut entry = Vec::new();
        for c in &l.carried {
            self.define(c.result, dying);
            let slot = self.slots[c.result.0 as usize];
            self.slots[c.inner.0 as usize] = slot;
            entry.push((self.slots[c.init.0 as usize], slot));
        }
        nodes.push(Node::Copy(entry));
        for c in &l.carried {
            self.check_value(c.inner, statement, super::Fault::InvariantAtEntry, nodes);
        }
        let mut body = self.block(&l.body, depth + 1, path);
        // The next values are copied at once when one of them is itself carried.
        let moves: Vec<(u32, u32)> = l
            .carried
            .iter()
            .map(|c| (self.slots[c.next.0 as usize], self.slots[c.inner.0 as usize]))
            .filter(|(a, b)| a != b)
            .collect();
        if moves.iter().any(|(a, _)| moves.iter().any(|(_, b)| a == b)) {
            let scratch: Vec<u32> = moves.iter().map(|_| self.allocate()).collect();
            let mut copies: Vec<(u32, u32)> = moves.iter().zip(&scratch).map(|((a, _), s)| (*a, *s)).collect();
            copies.extend(moves.iter().zip(&scratch).map(|((_, b), s)| (*s, *b)));
            body.push(Node::Copy(copies));
            self.free.extend(scratch);
        } else {
            body.push(Node::Copy(moves));
        }
        for c in &l.carried {
            self.check_value(c.inner, statement, super::Fault::InvariantAtStep, &mut body);
        }
        nodes.push(Node::Loop { counter: l.counter.0, count: l.count, body });
    }
}
