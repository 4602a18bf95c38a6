//! A kernel made ready for printing: ghosts that nobody reads and what only they need are gone, constants are known, a
//! flag that is added to a word has become a carry.

use std::collections::{HashMap, HashSet};

use evariste_ir::range::Interval;
use evariste_ir::statements::{all, change_all};
use evariste_ir::{Array, ArrayKind, Index, Kernel, Op, Stmt, Type, Value, ValueInfo};
use num_bigint::BigInt;

use crate::error::EmitError;
use crate::source::Parameter;

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

/// The parameters in calling order.
pub fn parameters(kernel: &Kernel, words: &Words) -> Vec<Parameter> {
    let model = Model::of(kernel);
    let describe = |array| {
        let info = kernel.array(array);
        let element_bytes = model.element_bytes(info.ty) as u32;
        Some(Parameter { name: words.name(&info.name), element_bytes, len: info.len, role: info.role()? })
    };
    kernel.visible().filter_map(describe).collect()
}

/// Prepares a kernel; fails when a result depends on what a called kernel writes for its contract only.
pub(super) fn prepare(kernel: &Kernel, model: Model) -> Result<Prepared, EmitError> {
    let mut kernel = kernel.written_out().into_owned();
    let mut body = std::mem::take(&mut kernel.body);
    if model == Model::Words {
        let zeros = [Type::Word(32), Type::Word(64)].map(|ty| fresh(&mut kernel, ty, Interval::point(0)));
        add_flags_as_carries(&mut kernel, &mut body, zeros);
        body.splice(
            0..0,
            zeros.map(|zero| Stmt::Op { op: Op::Const(BigInt::from(0)), args: vec![], results: vec![zero] }),
        );
    }
    kernel.body = body;
    let (constants, index_tables) = scan(&kernel);
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
fn add_flags_as_carries(kernel: &mut Kernel, body: &mut [Stmt], zeros: [Value; 2]) {
    let mut flags = HashMap::new();
    change_all(body, &mut |stmt| match stmt {
        Stmt::Op { op: Op::FlagToWord, args, results } => {
            flags.insert(results[0], args[0]);
        }
        Stmt::Op { op, args, results } if matches!(op, Op::Add | Op::WrappingAdd | Op::Sub | Op::WrappingSub) => {
            let adds = matches!(op, Op::Add | Op::WrappingAdd);
            let zero = match kernel.value(args[0]).ty {
                Type::Word(32) => zeros[0],
                Type::Word(64) => zeros[1],
                _ => return,
            };
            let (word, flag) = match (flags.get(&args[0]), flags.get(&args[1])) {
                (_, Some(flag)) => (args[0], *flag),
                (Some(flag), None) if adds => (args[1], *flag),
                _ => return,
            };
            let unused = fresh(kernel, Type::Flag, Type::Flag.full());
            *op = if adds { Op::AddCarry } else { Op::SubBorrow };
            *args = vec![word, zero, flag];
            results.push(unused);
        }
        _ => {}
    });
}

/// Constants, and the tables that hold public indices.
fn scan(kernel: &Kernel) -> (HashMap<Value, BigInt>, HashSet<Array>) {
    let (mut constants, mut index_tables) = (HashMap::new(), HashSet::new());
    for stmt in kernel.statements() {
        index_tables.extend(stmt.indices().into_iter().flat_map(Index::tables));
        match stmt {
            Stmt::Op { op: Op::Const(c), results, .. } => {
                constants.insert(results[0], c.clone());
            }
            Stmt::Call { args, .. } => index_tables.extend(args.iter().filter_map(|view| view.order)),
            _ => {}
        }
    }
    (constants, index_tables)
}

/// Does a call write `array` as the callee's ghost?
fn writes_ghost(kernel: &Kernel, body: &[Stmt], array: Array) -> bool {
    all(body).any(|stmt| match stmt {
        Stmt::Call { callee, args } => {
            let callee = &kernel.callees[*callee as usize];
            callee.params().zip(args).any(|(p, view)| callee.array(p).kind == ArrayKind::Ghost && view.array == array)
        }
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
