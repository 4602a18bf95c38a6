//! A kernel made ready for printing: ghosts that nobody reads and what only they need are gone, constants are known, a
//! flag that is added to a word has become a carry.

use std::collections::{HashMap, HashSet};

use evariste_ir::range::Interval;
use evariste_ir::{Array, ArrayKind, Index, Kernel, Op, Stmt, Type, Value, ValueInfo};
use num_bigint::BigInt;

use crate::error::EmitError;
use crate::source::{Parameter, Role};

use super::model::Model;
use super::names::Words;

/// A kernel and what the printer must know about it.
#[derive(Debug)]
pub(super) struct Prepared {
    /// The kernel, rewritten.
    pub kernel: Kernel,
    /// What one value stands for.
    pub model: Model,
    /// Values that are constants.
    pub constants: HashMap<Value, BigInt>,
    /// Is the value needed for a result?
    pub live: Vec<bool>,
    /// Is the array a parameter that the caller sees, or one that is read?
    pub live_array: Vec<bool>,
    /// Tables that hold public indices.
    pub index_tables: HashSet<Array>,
}

impl Prepared {
    /// Is the statement needed for a result?
    pub fn is_live(&self, stmt: &Stmt) -> bool {
        match stmt {
            Stmt::Op { results, .. } => results.iter().any(|r| self.live[r.0 as usize]),
            Stmt::Load { result, .. } => self.live[result.0 as usize],
            Stmt::Store { array, .. } => self.live_array[array.0 as usize],
            Stmt::Loop(l) => {
                l.body.iter().any(|s| self.is_live(s)) || l.carried.iter().any(|c| self.live[c.result.0 as usize])
            }
            Stmt::Call { .. } => true,
        }
    }
}

/// The parameters of a kernel but for its ghosts.
pub fn visible_params(kernel: &Kernel) -> impl Iterator<Item = Array> + '_ {
    kernel.visible()
}

/// The parameters in calling order.
pub fn parameters(kernel: &Kernel, words: &Words) -> Vec<Parameter> {
    let model = Model::of(kernel);
    let describe = |array| {
        let info = kernel.array(array);
        let role = match info.kind {
            ArrayKind::Input => Role::Input,
            ArrayKind::InOut => Role::InOut,
            _ => Role::Output,
        };
        Parameter { name: words.name(&info.name), bytes: model.element_bytes(info.ty) * info.len as usize, role }
    };
    visible_params(kernel).map(describe).collect()
}

/// Must the two parameters not overlap (by declaration, or because their shapes differ)?
pub fn is_disjoint(kernel: &Kernel, a: Array, b: Array) -> bool {
    kernel.are_disjoint(a, b)
}

/// Prepares a kernel; fails when a result depends on what a called kernel writes for its contract only.
pub(super) fn prepare(kernel: &Kernel, model: Model) -> Result<Prepared, EmitError> {
    let mut kernel = kernel.written_out().into_owned();
    let mut body = std::mem::take(&mut kernel.body);
    if model == Model::Words {
        let mut flags = HashMap::new();
        let zeros = [Type::Word(32), Type::Word(64)].map(|ty| fresh(&mut kernel, ty, Interval::point(0)));
        add_flags_as_carries(&mut kernel, &mut body, &mut flags, zeros);
        body.splice(
            0..0,
            zeros.map(|zero| Stmt::Op { op: Op::Const(BigInt::from(0)), args: vec![], results: vec![zero] }),
        );
    }
    kernel.body = body;
    let mut scan = Scan::default();
    scan.block(&kernel.body);
    let Scan { constants, index_tables } = scan;
    let live = vec![false; kernel.values.len()];
    let live_array = kernel.arrays.iter().map(|a| a.is_param() && a.kind != ArrayKind::Ghost).collect();
    let mut prepared = Prepared { model, constants, live, live_array, index_tables, kernel };
    let body = std::mem::take(&mut prepared.kernel.body);
    while prepared.mark(&body) {}
    for (array, info) in prepared.kernel.arrays.iter().enumerate() {
        // A callee's ghost may lie in an array of ours, but nobody may then read it.
        if prepared.live_array[array] && writes_ghost(&prepared.kernel, &body, Array(array as u32)) {
            return Err(EmitError::GhostIsRead { kernel: prepared.kernel.name.clone(), array: info.name.clone() });
        }
    }
    prepared.kernel.body = body;
    Ok(prepared)
}

fn fresh(kernel: &mut Kernel, ty: Type, range: Interval) -> Value {
    kernel.values.push(ValueInfo { ty, range });
    Value(kernel.values.len() as u32 - 1)
}

/// Turns `x + word(flag)` into a sum with carry in, which compilers print as one instruction; `x − word(flag)`
/// likewise.
fn add_flags_as_carries(kernel: &mut Kernel, body: &mut [Stmt], flags: &mut HashMap<Value, Value>, zeros: [Value; 2]) {
    for stmt in body {
        match stmt {
            Stmt::Op { op: Op::FlagToWord, args, results } => {
                flags.insert(results[0], args[0]);
            }
            Stmt::Op { op, args, results } if matches!(op, Op::Add | Op::WrappingAdd | Op::Sub | Op::WrappingSub) => {
                let adds = matches!(op, Op::Add | Op::WrappingAdd);
                let zero = match kernel.value(args[0]).ty {
                    Type::Word(32) => zeros[0],
                    Type::Word(64) => zeros[1],
                    _ => continue,
                };
                let (word, flag) = match (flags.get(&args[0]), flags.get(&args[1])) {
                    (_, Some(flag)) => (args[0], *flag),
                    (Some(flag), None) if adds => (args[1], *flag),
                    _ => continue,
                };
                let unused = fresh(kernel, Type::Flag, Type::Flag.full());
                *op = if adds { Op::AddCarry } else { Op::SubBorrow };
                *args = vec![word, zero, flag];
                results.push(unused);
            }
            Stmt::Loop(l) => add_flags_as_carries(kernel, &mut l.body, flags, zeros),
            _ => {}
        }
    }
}

#[derive(Default)]
struct Scan {
    constants: HashMap<Value, BigInt>,
    index_tables: HashSet<Array>,
}

impl Scan {
    fn block(&mut self, body: &[Stmt]) {
        for stmt in body {
            match stmt {
                Stmt::Op { op, results, .. } => {
                    if let Op::Const(c) = op {
                        self.constants.insert(results[0], c.clone());
                    }
                    if let Some(amount) = shift(op) {
                        self.index(amount);
                    }
                }
                Stmt::Load { index, .. } | Stmt::Store { index, .. } => self.index(index),
                Stmt::Loop(l) => self.block(&l.body),
                Stmt::Call { args, .. } => {
                    for view in args {
                        self.index(&view.start);
                        self.index_tables.extend(view.order);
                    }
                }
            }
        }
    }

    fn index(&mut self, index: &Index) {
        if let Some((table, inner)) = &index.table {
            self.index_tables.insert(*table);
            self.index(inner);
        }
    }
}

/// The public amount of a shift.
pub(super) fn shift(op: &Op) -> Option<&Index> {
    op.amount()
}

/// Does a call write `array` as the callee's ghost?
fn writes_ghost(kernel: &Kernel, body: &[Stmt], array: Array) -> bool {
    body.iter().any(|stmt| match stmt {
        Stmt::Call { callee, args } => {
            let callee = &kernel.callees[*callee as usize];
            callee.params().zip(args).any(|(p, view)| callee.array(p).kind == ArrayKind::Ghost && view.array == array)
        }
        Stmt::Loop(l) => writes_ghost(kernel, &l.body, array),
        _ => false,
    })
}

impl Prepared {
    /// Marks what live statements need; true when something new was found.
    fn mark(&mut self, body: &[Stmt]) -> bool {
        let mut changed = false;
        for stmt in body.iter().rev() {
            match stmt {
                Stmt::Op { op, args, .. } => {
                    if self.is_live(stmt) {
                        for a in args {
                            changed |= set(&mut self.live, a.0);
                        }
                        if let Op::Lookup { table, .. } = op {
                            changed |= set(&mut self.live_array, table.0);
                        }
                    }
                }
                Stmt::Load { array, .. } => {
                    if self.is_live(stmt) {
                        changed |= set(&mut self.live_array, array.0);
                    }
                }
                Stmt::Store { value, .. } => {
                    if self.is_live(stmt) {
                        changed |= set(&mut self.live, value.0);
                    }
                }
                Stmt::Loop(l) => {
                    for c in &l.carried {
                        // One variable holds the carried value inside and after the loop.
                        if self.live[c.result.0 as usize] || self.live[c.inner.0 as usize] {
                            for v in [c.result, c.inner, c.next, c.init] {
                                changed |= set(&mut self.live, v.0);
                            }
                        }
                    }
                    changed |= self.mark(&l.body);
                }
                Stmt::Call { callee, args } => {
                    let callee = self.kernel.callees[*callee as usize].clone();
                    for (param, view) in callee.params().zip(args) {
                        if callee.array(param).kind != ArrayKind::Ghost {
                            changed |= set(&mut self.live_array, view.array.0);
                        }
                    }
                }
            }
        }
        changed
    }
}

fn set(bits: &mut [bool], i: u32) -> bool {
    let bit = &mut bits[i as usize];
    let new = !*bit;
    *bit = true;
    new
}
