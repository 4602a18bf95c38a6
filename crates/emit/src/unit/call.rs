//! Calls: a view that is contiguous is passed on as it lies, any other is gathered into a copy and scattered back.

use std::sync::Arc;

use evariste_ir::{Array, Kernel, View};
use num_traits::{Signed, ToPrimitive};

use crate::error::EmitError;

use super::build::Writer;
use super::data::{Argument, Elements, Statement};
use super::model::Model;
use super::names;
use super::names::Words;
use super::place::{Place, Term, entries};
use super::prepare::Prepared;

/// A kernel that others call, and its function.
#[derive(Clone, Debug)]
pub(super) struct Callee {
    /// The kernel.
    pub kernel: Arc<Kernel>,
    /// The function's name.
    pub symbol: String,
    /// What its values stand for: that of its callers.
    pub model: Model,
}

/// Adds all kernels that `kernel` calls, directly or not, each once, callees before callers; those that are `given`
/// elsewhere are left out.
pub(super) fn collect(kernel: &Kernel, prefix: &str, given: &[Callee], found: &mut Vec<Callee>) {
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
pub(super) fn symbol_of(
    callees: &[Callee],
    prepared: &Prepared,
    index: u32,
    words: &Words,
) -> Result<Callee, EmitError> {
    let kernel = &prepared.kernel;
    let wanted = kernel.callees.get(index as usize);
    wanted
        .and_then(|w| callees.iter().find(|c| c.model == prepared.model && is_same(&c.kernel, w)))
        .cloned()
        .ok_or_else(|| EmitError::Unsupported {
            kernel: kernel.name.clone(),
            what: format!("a call of unknown kernel {index}"),
            language: words.language,
            help: "register the callee with the kernel",
        })
}

impl Writer<'_> {
    /// Writes a call with one view for each parameter of the callee, ghosts left out.
    pub(super) fn call_kernel(&mut self, callee: &Callee, args: &[View]) {
        let visible: Vec<Array> = callee.kernel.visible().collect();
        let mut arguments = Vec::new();
        for (param, view) in callee.kernel.params().zip(args).filter(|(param, _)| visible.contains(param)) {
            let (kind, len) = (callee.kernel.array(param).kind.clone(), callee.kernel.array(param).len);
            let info = self.prepared.kernel.array(view.array);
            let (array, ty) = (self.words.name(&info.name), info.ty);
            let elements = match self.contiguous(view, len) {
                Some(start) => Elements::From(start),
                None => {
                    let copy = self.fresh(&format!("{array}_view"));
                    Elements::Scattered(copy, self.element(view, len))
                }
            };
            arguments.push(Argument { array, ty, len, kind, elements });
        }
        self.push(Statement::Call { function: callee.symbol.clone(), arguments });
    }

    /// The place of the view's first element, when its `len` elements follow each other.
    fn contiguous(&mut self, view: &View, len: u32) -> Option<Place> {
        let kernel = &self.prepared.kernel;
        let info = kernel.array(view.array);
        let (lo, hi) = self.counters.range(kernel, &view.start);
        let runs_over = view.start.modulo && (lo < 0 || hi + i64::from(len) > i64::from(info.len));
        (view.order.is_none() && !runs_over).then(|| self.place(&view.start, info.len))
    }

    /// The index of element `e` of a view of `len` elements.
    fn element(&mut self, view: &View, len: u32) -> Place {
        let kernel = &self.prepared.kernel;
        let length = kernel.array(view.array).len;
        let own = match view.order {
            Some(table) => {
                Term::Entry(names::index_table(kernel, self.words, table), Place::Sum(vec![(false, Term::Element)]))
            }
            None => Term::Element,
        };
        let start = self.place(&view.start, length);
        let mut terms = vec![(false, own)];
        if !start.is_zero() {
            terms.push((false, Term::Place(Box::new(start))));
        }
        let sum = Place::Sum(terms);
        if !view.start.modulo {
            return sum;
        }
        // The start is reduced already, so one turn around the ring is enough unless a table leaps farther or back.
        let most = match view.order {
            Some(table) => entries(kernel, table)
                .filter(|entries| !entries.iter().any(Signed::is_negative))
                .and_then(|entries| entries.iter().max()?.to_u32())
                .unwrap_or(u32::MAX),
            None => len - 1,
        };
        sum.in_ring(length, most <= length, self.helpers)
    }
}
