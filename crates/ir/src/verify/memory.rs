//! What needs the unrolled kernel: bounds of indices, shift amounts, order of reads and writes, aliasing, views of
//! calls.

use super::{STEPS, Verifier};
use crate::kernel::{Array, ArrayInfo, ArrayKind, Kernel};
use crate::op::Op;
use crate::unroll::{Event, trace};

/// Defects reported of one kernel.
const MOST: usize = 20;

struct Memory {
    /// Per array and element: the step of the last read and of the first write.
    read: Vec<Vec<Option<u64>>>,
    written: Vec<Vec<Option<u64>>>,
    /// Is the element what a callee left in a local as its ghost?
    ghost: Vec<Vec<bool>>,
    found: Vec<(Vec<u32>, String)>,
    step: u64,
}

/// Must the element be written before it is read?
fn starts_undefined(info: &ArrayInfo) -> bool {
    matches!(info.kind, ArrayKind::Output | ArrayKind::Local | ArrayKind::Ghost)
}

impl Memory {
    fn defect(&mut self, path: &[u32], message: String) {
        if self.found.len() < MOST && !self.found.iter().any(|(p, m)| p == path && *m == message) {
            self.found.push((path.to_vec(), message));
        }
    }

    /// The element, if it is in bounds.
    fn element(&mut self, k: &Kernel, path: &[u32], array: Array, index: Option<i64>) -> Option<usize> {
        let info = k.array(array);
        match index {
            Some(i) if (0..i64::from(info.len)).contains(&i) => Some(i as usize),
            Some(i) => {
                self.defect(
                    path,
                    format!("the index {i} is outside of {}, which has {} elements", info.name, info.len),
                );
                None
            }
            None => {
                self.defect(path, format!("an index of {} uses a table outside of its entries", info.name));
                None
            }
        }
    }

    fn reads(&mut self, k: &Kernel, path: &[u32], array: Array, i: usize) {
        let info = k.array(array);
        if starts_undefined(info) && self.written[array.0 as usize][i].is_none() {
            self.defect(path, format!("{}[{i}] is read before it is written", info.name));
        }
        if self.ghost[array.0 as usize][i] {
            self.defect(
                path,
                format!(
                    "{}[{i}] is read and holds a ghost of a callee, which exists for proofs only: make it an output \
                     of the callee",
                    info.name
                ),
            );
        }
        self.read[array.0 as usize][i] = Some(self.step);
    }

    fn writes(&mut self, array: Array, i: usize) {
        self.written[array.0 as usize][i].get_or_insert(self.step);
        self.ghost[array.0 as usize][i] = false;
    }
}

pub(super) fn check(v: &mut Verifier) {
    let k = v.kernel;
    let table = || k.arrays.iter().map(|a| vec![None; a.len as usize]).collect::<Vec<_>>();
    let ghost = k.arrays.iter().map(|a| vec![false; a.len as usize]).collect();
    let mut m = Memory { read: table(), written: table(), ghost, found: Vec::new(), step: 0 };
    let result = trace(k, STEPS, |path, event| {
        m.step += 1;
        match event {
            Event::Op { op, args, amount: Some(amount), .. } => {
                let n = i64::from(k.value(args[0]).ty.bits());
                let most = if matches!(op, Op::FunnelShift(_)) { n } else { n - 1 };
                if !(0..=most).contains(&amount) {
                    m.defect(path, format!("{}: an amount of {amount} where 0 to {most} are possible", op.name()));
                }
            }
            Event::Op { op: Op::Lookup { table, .. }, .. } if k.array(*table).kind == ArrayKind::Local => {
                (0..k.array(*table).len as usize).for_each(|i| m.reads(k, path, *table, i));
            }
            Event::Load { array, index, .. } => {
                if let Some(i) = m.element(k, path, array, index) {
                    m.reads(k, path, array, i);
                }
            }
            Event::Store { array, index, .. } => {
                if let Some(i) = m.element(k, path, array, index) {
                    m.writes(array, i);
                }
            }
            Event::Call { callee, views } => call(k, &k.callees[callee as usize], path, &views, &mut m),
            _ => {}
        }
    });
    if let Err(e) = result {
        v.defect(e.to_string());
    }
    for (path, message) in std::mem::take(&mut m.found) {
        v.defect_at(&path, message);
    }
    for a in k.params() {
        let info = k.array(a);
        if matches!(info.kind, ArrayKind::Output | ArrayKind::Ghost)
            && let Some(i) = m.written[a.0 as usize].iter().position(Option::is_none)
        {
            v.defect(format!("{}[{i}] is never written", info.name));
        }
    }
    for x in k.params() {
        for y in k.params() {
            if !k.may_alias(x, y) || k.array(x).is_written() {
                continue;
            }
            let late =
                |(read, written): (&Option<u64>, &Option<u64>)| matches!((read, written), (Some(r), Some(w)) if r > w);
            if let Some(i) = m.read[x.0 as usize].iter().zip(&m.written[y.0 as usize]).position(late) {
                let (x, y) = (&k.array(x).name, &k.array(y).name);
                v.defect(format!("{x}[{i}] is read after {y}[{i}] is written, and {y} may be {x}: say that they are disjoint, or read first"));
            }
        }
    }
}

fn call(k: &Kernel, callee: &Kernel, path: &[u32], views: &[(Array, Vec<Option<i64>>)], m: &mut Memory) {
    let params: Vec<Array> = callee.params().collect();
    let mut shown: Vec<Vec<usize>> = Vec::new();
    for (array, elements) in views {
        let elements: Option<Vec<usize>> = elements.iter().map(|i| m.element(k, path, *array, *i)).collect();
        match elements {
            Some(e) => shown.push(e),
            None => return,
        }
    }
    for ((param, (array, _)), elements) in params.iter().zip(views).zip(&shown) {
        if matches!(callee.array(*param).kind, ArrayKind::Input | ArrayKind::InOut) {
            elements.iter().for_each(|i| m.reads(k, path, *array, *i));
        }
    }
    for ((param, (array, _)), elements) in params.iter().zip(views).zip(&shown) {
        if callee.array(*param).is_written() {
            elements.iter().for_each(|i| m.writes(*array, *i));
            if callee.array(*param).kind == ArrayKind::Ghost && k.array(*array).kind == ArrayKind::Local {
                elements.iter().for_each(|i| m.ghost[array.0 as usize][*i] = true);
            }
            let mut sorted = elements.clone();
            sorted.sort_unstable();
            if sorted.windows(2).any(|w| w[0] == w[1]) {
                m.defect(
                    path,
                    format!(
                        "the view of {}, which {} writes, shows an element twice",
                        callee.array(*param).name,
                        callee.name
                    ),
                );
            }
        }
    }
    // Overlap of the views of two parameters of which one is written: also when the caller's arrays may be the same
    // memory.
    for (i, p) in params.iter().enumerate() {
        for (j, q) in params.iter().enumerate().skip(i + 1) {
            let (a, b) = (views[i].0, views[j].0);
            let written = callee.array(*p).is_written() || callee.array(*q).is_written();
            if !written || a != b && !k.may_alias(a, b) {
                continue;
            }
            let mut sorted = shown[i].clone();
            sorted.sort_unstable();
            let common = shown[j].iter().any(|e| sorted.binary_search(e).is_ok());
            let exact = shown[i] == shown[j] && callee.may_alias(*p, *q);
            if common && !exact {
                let (p, q) = (&callee.array(*p).name, &callee.array(*q).name);
                m.defect(
                    path,
                    format!("the views of {p} and {q} may overlap in a way that {} does not allow", callee.name),
                );
            }
        }
    }
}
