//! The calls that a kernel is made of, and where every word that one reads comes from: calls of kernels that call nothing,
//! or of some that are taken whole.

use std::collections::HashMap;

use evariste_ir::{ArrayKind, Index, Kernel, Op, Stmt, Value};
use num_bigint::BigInt;

use super::super::error::LowerError;
use super::super::lowering::visible;
use super::unsupported;

/// Where a word comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Source {
    /// An element of a parameter, as it was at entry.
    Input { param: u16, index: u32 },
    /// A constant.
    Constant(u64),
    /// The how many-th of the words that a call writes.
    Result { call: u32, word: u32 },
}

/// A call of a kernel that calls nothing, or is taken whole.
pub(super) struct Call {
    /// Which one.
    pub(super) callee: usize,
    /// The words that it reads, parameter after parameter.
    pub(super) inputs: Vec<Source>,
}

/// All calls, in the kernel's order.
pub(super) struct Calls<'k> {
    pub(super) all: Vec<Call>,
    /// What is called: equal kernels once.
    pub(super) callees: Vec<&'k Kernel>,
    /// What the kernel's parameters hold at the end; `None`: nobody wrote there.
    pub(super) outputs: Vec<Vec<Option<Source>>>,
}

/// An array of a kernel: a storage, and where in it the array begins.
#[derive(Clone, Copy)]
struct Binding {
    storage: usize,
    start: usize,
}

struct Walk<'k, 'w> {
    whole: &'w dyn Fn(&Kernel) -> bool,
    storages: Vec<Vec<Option<Source>>>,
    all: Vec<Call>,
    callees: Vec<&'k Kernel>,
}

impl<'k> Calls<'k> {
    /// Those of a kernel; `whole`: which callees are taken whole, though they call others.
    ///
    /// # Errors
    /// A statement of another kind.
    pub(super) fn of(kernel: &'k Kernel, whole: &dyn Fn(&Kernel) -> bool) -> Result<Calls<'k>, LowerError> {
        let mut walk = Walk { whole, storages: Vec::new(), all: Vec::new(), callees: Vec::new() };
        let params = visible(kernel);
        let mut bindings = Vec::new();
        for (i, info) in kernel.arrays.iter().enumerate() {
            let place = params.iter().position(|p| p.0 as usize == i);
            let is_read = info.role().is_some_and(|role| role.is_read());
            bindings.push(match place.filter(|_| is_read) {
                Some(p) => walk.storage((0..info.len).map(|index| Some(Source::Input { param: p as u16, index }))),
                None => walk.local(&info.kind, info.len)?,
            });
        }
        walk.block(kernel, &bindings, &kernel.body)?;
        let written = |a: &evariste_ir::Array| kernel.array(*a).is_written();
        let held = |a: &evariste_ir::Array| walk.storages[bindings[a.0 as usize].storage].clone();
        let outputs = params.iter().map(|a| if written(a) { held(a) } else { Vec::new() }).collect();
        Ok(Calls { all: walk.all, callees: walk.callees, outputs })
    }
}

impl<'k> Walk<'k, '_> {
    fn storage(&mut self, words: impl Iterator<Item = Option<Source>>) -> Binding {
        self.storages.push(words.collect());
        Binding { storage: self.storages.len() - 1, start: 0 }
    }

    /// An array of the kernel's own.
    fn local(&mut self, kind: &ArrayKind, len: u32) -> Result<Binding, LowerError> {
        Ok(match kind {
            ArrayKind::Table(entries) => {
                let entries = entries.iter().map(constant).collect::<Result<Vec<_>, _>>()?;
                self.storage(entries.into_iter().map(Some))
            }
            _ => self.storage((0..len).map(|_| None)),
        })
    }

    fn block(&mut self, kernel: &'k Kernel, bindings: &[Binding], body: &'k [Stmt]) -> Result<(), LowerError> {
        let mut values: HashMap<Value, Source> = HashMap::new();
        for stmt in body {
            match stmt {
                Stmt::Op { op: Op::Const(c), results, .. } => drop(values.insert(results[0], constant(c)?)),
                Stmt::Load { result, array, index } => {
                    let word = self.at(bindings[array.0 as usize], index)?;
                    let source = *word;
                    values.insert(*result, source.ok_or(LowerError::Malformed("an element that is not written"))?);
                }
                Stmt::Store { array, index, value } => {
                    let source = values.get(value).copied();
                    let source =
                        source.ok_or_else(|| unsupported("a stored word that is neither loaded nor constant"))?;
                    *self.at(bindings[array.0 as usize], index)? = Some(source);
                }
                Stmt::Call { callee, args } => self.call(kernel, bindings, *callee as usize, args)?,
                Stmt::Op { .. } => return Err(unsupported("an operation beside calls")),
                Stmt::Loop(_) => return Err(unsupported("a loop")),
            }
        }
        Ok(())
    }

    fn at(&mut self, binding: Binding, index: &Index) -> Result<&mut Option<Source>, LowerError> {
        let index = index.constant().and_then(|i| usize::try_from(i).ok());
        let index = index.ok_or_else(|| unsupported("an element at a place that is not constant"))?;
        let storage = &mut self.storages[binding.storage];
        storage.get_mut(binding.start + index).ok_or(LowerError::Malformed("an index outside of its array"))
    }

    fn call(
        &mut self,
        kernel: &'k Kernel,
        bindings: &[Binding],
        callee: usize,
        views: &'k [evariste_ir::View],
    ) -> Result<(), LowerError> {
        let callee: &'k Kernel = &kernel.callees[callee];
        let mut views = views.iter();
        let mut inner = Vec::with_capacity(callee.arrays.len());
        for info in &callee.arrays {
            if !info.is_param() {
                inner.push(self.local(&info.kind, info.len)?);
                continue;
            }
            let view = views.next().ok_or(LowerError::Malformed("a call without a view of each parameter"))?;
            let start = view.start.constant().and_then(|i| usize::try_from(i).ok()).filter(|_| view.order.is_none());
            let start = start.ok_or_else(|| unsupported("a view whose place is not constant"))?;
            let outer = bindings[view.array.0 as usize];
            if outer.start + start + info.len as usize > self.storages[outer.storage].len() {
                return Err(LowerError::Malformed("a view outside of its array"));
            }
            inner.push(Binding { storage: outer.storage, start: outer.start + start });
        }
        if !callee.callees.is_empty() && !(self.whole)(callee) {
            return self.block(callee, &inner, &callee.body);
        }
        self.leaf(callee, &inner)
    }

    /// A call of what is not looked into: all is read before anything is written, as graphs do.
    fn leaf(&mut self, callee: &'k Kernel, bindings: &[Binding]) -> Result<(), LowerError> {
        let params = visible(callee);
        let mut inputs = Vec::new();
        for a in params.iter().filter(|a| callee.array(**a).role().is_some_and(|role| role.is_read())) {
            let Binding { storage, start } = bindings[a.0 as usize];
            for word in &self.storages[storage][start..start + callee.array(*a).len as usize] {
                inputs.push(word.ok_or(LowerError::Malformed("an element that is not written"))?);
            }
        }
        let known = self.callees.iter().position(|k| std::ptr::eq(*k, callee) || **k == *callee);
        let number = known.unwrap_or_else(|| {
            self.callees.push(callee);
            self.callees.len() - 1
        });
        let call = self.all.len() as u32;
        self.all.push(Call { callee: number, inputs });
        let mut words = 0..;
        for a in params.iter().filter(|a| callee.array(**a).is_written()) {
            let Binding { storage, start } = bindings[a.0 as usize];
            let written = &mut self.storages[storage][start..start + callee.array(*a).len as usize];
            written.iter_mut().zip(&mut words).for_each(|(to, word)| *to = Some(Source::Result { call, word }));
        }
        Ok(())
    }
}

fn constant(c: &BigInt) -> Result<Source, LowerError> {
    u64::try_from(c).map(Source::Constant).map_err(|_| unsupported("a constant that is no word"))
}
