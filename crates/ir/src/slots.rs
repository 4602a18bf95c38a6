//! Port slots of a kernel in lanes: how many of its operations need an arithmetic unit of a vector processor (ports 0 and 5 of AVX-512).
//!
//! Every multiply-add, addition, subtraction, shift, comparison and selection is one. Logic of two inputs joins into three-input logic (`vpternlog`) where the inner
//! one has a single use; an operation with a single use joins the selection that it is the chosen side of (a masked form). Loads, stores, constants and
//! copies are free. A bound of the work, not a schedule.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::kernel::{Kernel, Stmt, Value};
use crate::op::Op;

/// The port slots of one run; `None` for operations that lanes of words do not have (flags, wide products, look-ups).
pub fn port_slots(kernel: &Kernel) -> Option<u64> {
    Slots { calls: HashMap::new() }.kernel(kernel)
}

struct Slots {
    calls: HashMap<*const Kernel, Option<u64>>,
}

/// What is known of the operations that were seen.
#[derive(Default)]
struct Seen {
    uses: HashMap<Value, u32>,
    /// Leaves of logic of up to three inputs; a constant is its own leaf.
    logic: HashMap<Value, HashSet<Leaf>>,
    /// Results of other operations that have masked forms.
    maskable: HashSet<Value>,
    /// Masks of comparisons.
    compared: HashSet<Value>,
}

#[derive(Clone, PartialEq, Eq, Hash)]
enum Leaf {
    Value(Value),
    Bits(u32),
}

impl Slots {
    fn kernel(&mut self, kernel: &Kernel) -> Option<u64> {
        let mut seen = Seen::default();
        uses(&kernel.body, &mut seen.uses);
        self.body(kernel, &kernel.body, &mut seen)
    }

    fn body(&mut self, kernel: &Kernel, body: &[Stmt], seen: &mut Seen) -> Option<u64> {
        let mut total = 0u64;
        for stmt in body {
            total = total.saturating_add(match stmt {
                Stmt::Op { op, args, results } => seen.op(op, args, results[0])?,
                Stmt::Load { .. } | Stmt::Store { .. } => 0,
                Stmt::Loop(l) => self.body(kernel, &l.body, seen)?.saturating_mul(l.count as u64),
                Stmt::Call { callee, .. } => self.callee(&kernel.callees[*callee as usize])?,
            });
        }
        Some(total)
    }

    fn callee(&mut self, callee: &Arc<Kernel>) -> Option<u64> {
        if let Some(known) = self.calls.get(&Arc::as_ptr(callee)) {
            return *known;
        }
        let slots = self.kernel(callee);
        self.calls.insert(Arc::as_ptr(callee), slots);
        slots
    }
}

impl Seen {
    fn single(&self, v: &Value) -> bool {
        self.uses.get(v) == Some(&1)
    }

    /// Slots of an operation beyond those that it takes over from the operations that join it.
    fn op(&mut self, op: &Op, args: &[Value], result: Value) -> Option<u64> {
        use Op::*;
        match op {
            Const(_) | FlagToMask | MaskToFlag | Widen | Narrow => return Some(0),
            And | Or | Xor | AndNot | Not | LowBits(_) => {
                let mut leaves: HashSet<Leaf> = args.iter().map(|a| Leaf::Value(*a)).collect();
                if let LowBits(k) = op {
                    leaves.insert(Leaf::Bits(*k));
                }
                let mut joined = 0;
                for a in args {
                    let Some(inner) = self.logic.get(a).filter(|_| self.single(a)) else { continue };
                    let mut union = leaves.clone();
                    union.remove(&Leaf::Value(*a));
                    union.extend(inner.iter().cloned());
                    if joined == 0 && union.len() <= 3 {
                        leaves = union;
                        joined += 1;
                    }
                }
                self.logic.insert(result, leaves);
                // The first that joins brings its slot along; a second one would bring one too many, so only one may.
                return Some(if joined == 0 { 1 } else { 0 });
            }
            Select => {
                let joins = |v: &Value| self.single(v) && (self.maskable.contains(v) || self.logic.contains_key(v));
                let inverted = self.compared.contains(&args[0]) && self.single(&args[0]);
                return Some(if joins(&args[1]) || inverted && joins(&args[2]) { 0 } else { 1 });
            }
            Add | Sub | WrappingAdd | WrappingSub | MaddLo(_) | MaddHi(_) | Shl(_) | WrappingShl(_) | Shr(_) | Sar(_) | Rotate(_) | FunnelShift(_) | MaskToWord => {
                self.maskable.insert(result);
            }
            Equal | Less => {
                self.compared.insert(result);
            }
            _ => return None,
        }
        Some(1)
    }
}

fn uses(body: &[Stmt], all: &mut HashMap<Value, u32>) {
    for stmt in body {
        match stmt {
            Stmt::Op { args, .. } => args.iter().for_each(|a| *all.entry(*a).or_default() += 1),
            Stmt::Store { value, .. } => *all.entry(*value).or_default() += 1,
            Stmt::Loop(l) => {
                // Carried values live on: nothing joins across an iteration.
                l.carried.iter().for_each(|c| [c.init, c.next].into_iter().for_each(|v| *all.entry(v).or_default() += 2));
                uses(&l.body, all);
            }
            Stmt::Load { .. } | Stmt::Call { .. } => {}
        }
    }
}
