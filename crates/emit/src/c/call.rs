//! Calls: callees are static functions; a view that is contiguous is a pointer, any other is gathered into a copy and
//! scattered back.

use std::sync::Arc;

use evariste_ir::{Array, ArrayKind, Kernel, View};
use num_traits::{Signed, ToPrimitive};

use crate::error::EmitError;

use super::function::Printer;
use super::helpers::Helper;
use super::names;
use super::prepare::{Prepared, visible_params};
use super::types::{Model, index_table};

/// A kernel that others call, and its function.
#[derive(Clone, Debug)]
pub struct Callee {
    /// The kernel.
    pub kernel: Arc<Kernel>,
    /// The function's name.
    pub symbol: String,
    /// What its values stand for: that of its callers.
    pub model: Model,
}

/// Adds all kernels that `kernel` calls, directly or not, each once, callees before callers; those that are `given`
/// elsewhere are left out.
pub fn collect(kernel: &Kernel, prefix: &str, given: &[Callee], found: &mut Vec<Callee>) {
    for callee in &kernel.callees {
        add(callee, Model::of(kernel), prefix, given, found);
    }
}

fn is_same(a: &Arc<Kernel>, b: &Arc<Kernel>) -> bool {
    Arc::ptr_eq(a, b) || a.name == b.name && a == b
}

fn add(kernel: &Arc<Kernel>, model: Model, prefix: &str, given: &[Callee], found: &mut Vec<Callee>) {
    if found.iter().chain(given).any(|c| c.model == model && is_same(&c.kernel, kernel)) {
        return;
    }
    for callee in &kernel.callees {
        add(callee, model, prefix, given, found);
    }
    let base = format!("{prefix}_inner_{}", kernel.name);
    let mut symbol = base.clone();
    let mut count = 2;
    while found.iter().any(|c| c.symbol == symbol) {
        symbol = format!("{base}_{count}");
        count += 1;
    }
    found.push(Callee { kernel: kernel.clone(), symbol, model });
}

/// The function for `kernel.callees[index]`.
pub fn symbol_of(callees: &[Callee], prepared: &Prepared, index: u32) -> Result<Callee, EmitError> {
    let kernel = &prepared.kernel;
    let wanted = kernel.callees.get(index as usize);
    wanted
        .and_then(|w| callees.iter().find(|c| c.model == prepared.model && is_same(&c.kernel, w)))
        .cloned()
        .ok_or_else(|| EmitError::Unsupported {
            kernel: kernel.name.clone(),
            what: format!("a call of unknown kernel {index}"),
            language: "C",
            help: "register the callee with the kernel",
        })
}

impl Printer<'_> {
    /// Prints a call with one view for each parameter of the callee, ghosts left out.
    pub(super) fn call_kernel(&mut self, callee: &Callee, args: &[View]) {
        let visible: Vec<Array> = visible_params(&callee.kernel).collect();
        let mut arguments = Vec::new();
        let mut after = Vec::new();
        for (param, view) in callee.kernel.params().zip(args).filter(|(param, _)| visible.contains(param)) {
            let (kind, len) = (&callee.kernel.array(param).kind, callee.kernel.array(param).len);
            if let Some(pointer) = self.pointer(view, len) {
                arguments.push(pointer);
                continue;
            }
            let info = self.prepared.kernel.array(view.array);
            let array = names::array(&info.name);
            let ty = self.prepared.model.c_type(info.ty);
            let copy = self.fresh(&format!("{array}_view"));
            let element = self.element(view, len);
            self.line(&format!("{ty} {copy}[{len}];"));
            if *kind != ArrayKind::Output {
                self.line(&format!("for (int e = 0; e < {len}; e++) {copy}[e] = {array}[{element}];"));
            }
            if *kind != ArrayKind::Input {
                after.push(format!("for (int e = 0; e < {len}; e++) {array}[{element}] = {copy}[e];"));
            }
            arguments.push(copy);
        }
        self.line(&format!("{}({});", callee.symbol, arguments.join(", ")));
        for line in after {
            self.line(&line);
        }
    }

    /// The view's first element as a pointer, when its `len` elements follow each other.
    fn pointer(&mut self, view: &View, len: u32) -> Option<String> {
        let kernel = &self.prepared.kernel;
        let info = kernel.array(view.array);
        let (lo, hi) = self.counters.range(kernel, &view.start);
        let runs_over = view.start.modulo && (lo < 0 || hi + i64::from(len) > i64::from(info.len));
        if view.order.is_some() || runs_over {
            return None;
        }
        let start = self.counters.print(kernel, self.prelude, &view.start, info.len);
        let array = names::array(&info.name);
        Some(if start == "0" { array } else { format!("{array} + {start}") })
    }

    /// The index of element `e` of a view of `len` elements.
    fn element(&mut self, view: &View, len: u32) -> String {
        let kernel = &self.prepared.kernel;
        let length = kernel.array(view.array).len;
        let place = match view.order {
            Some(table) => format!("{}[e]", names::index_table(kernel, table)),
            None => "e".to_string(),
        };
        let start = self.counters.print(kernel, self.prelude, &view.start, length);
        let sum = if start == "0" { place } else { format!("{place} + {start}") };
        if view.start.modulo {
            // The start is reduced already, so one turn around the ring is enough unless a table leaps farther or back.
            let most = match view.order {
                Some(table) => index_table(kernel, table)
                    .filter(|(_, entries)| !entries.iter().any(Signed::is_negative))
                    .and_then(|(_, entries)| entries.iter().max()?.to_u32())
                    .unwrap_or(u32::MAX),
                None => len - 1,
            };
            let ring = self.prelude.name(if most <= length { Helper::WrapIndex } else { Helper::FloorIndex });
            format!("{ring}({sum}, {length})")
        } else {
            sum
        }
    }
}
