//! Public indices at known and at counted counters; where an element lies.

use evariste_ir::{Array, ArrayKind, Index, View};
use num_traits::ToPrimitive;

use super::error::LowerError;
use super::lowering::Lowering;
use super::values::Activation;

/// A sum of counters times numbers: an entry of the routine's table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Terms(pub u32);

impl Terms {
    /// No counter.
    pub const NONE: Terms = Terms(0);
}

/// A counter of a kernel's loop.
#[derive(Clone, Copy, Debug)]
pub enum Counter {
    /// A number: the loop is unrolled.
    Known(i64),
    /// What that word of the frame holds, plus a number.
    Counted(u32, i64),
}

/// Where the elements of a kernel's array lie: `offsets` elements behind the terms.
#[derive(Clone, Debug)]
pub struct Binding {
    /// Which memory.
    pub storage: u32,
    /// Counters in all indices.
    pub terms: Terms,
    /// For each element.
    pub offsets: Vec<i64>,
    /// Does each element lie behind the one before?
    pub contiguous: bool,
}

impl Binding {
    /// The elements of a storage from its first on.
    pub fn whole(storage: u32, len: u32) -> Binding {
        Binding { storage, terms: Terms::NONE, offsets: (0..i64::from(len)).collect(), contiguous: true }
    }
}

/// An element in memory.
#[derive(Clone, Copy, Debug)]
pub struct Location {
    /// Which memory.
    pub storage: u32,
    /// Counters in the index.
    pub terms: Terms,
    /// Elements behind them.
    pub offset: i64,
}

/// A number plus counters that are not known.
struct Affine {
    base: i64,
    terms: Vec<(u32, i64)>,
}

const OUTSIDE: LowerError = LowerError::Malformed("an index outside of its array");

/// Loops whose index has no affine form are not rolled; to come here would be a fault of that decision.
fn uncounted() -> LowerError {
    LowerError::Unsupported("an index that is no sum of counters in a rolled loop".into())
}

impl<'k> Lowering<'k, '_> {
    fn affine(&self, a: &Activation<'k>, index: &Index) -> Result<Affine, LowerError> {
        let mut sum = Affine { base: index.base, terms: Vec::new() };
        let mut add = |x: i64| {
            sum.base = sum.base.checked_add(x).ok_or(OUTSIDE)?;
            Ok::<(), LowerError>(())
        };
        for (c, k) in &index.terms {
            match a.counters.get(c.0 as usize).copied().flatten().ok_or(OUTSIDE)? {
                Counter::Known(i) => add(k.checked_mul(i).ok_or(OUTSIDE)?)?,
                Counter::Counted(word, i) => {
                    add(k.checked_mul(i).ok_or(OUTSIDE)?)?;
                    match sum.terms.iter_mut().find(|(w, _)| *w == word) {
                        Some((_, n)) => *n = n.checked_add(*k).ok_or(OUTSIDE)?,
                        None => sum.terms.push((word, *k)),
                    }
                }
            }
        }
        if let Some((table, inner)) = &index.table {
            let ArrayKind::Table(entries) = &a.kernel.array(*table).kind else { return Err(OUTSIDE) };
            let at = self.number(a, inner, Some(entries.len() as i64))?;
            let entry = usize::try_from(at).ok().and_then(|at| entries.get(at)?.to_i64()).ok_or(OUTSIDE)?;
            sum.base = sum.base.checked_add(entry).ok_or(OUTSIDE)?;
        }
        sum.terms.retain(|(_, n)| *n != 0);
        sum.terms.sort_unstable();
        Ok(sum)
    }

    /// The value of an index without unknown counters; modulo `len`, if it asks for that.
    pub(super) fn number(&self, a: &Activation<'k>, index: &Index, len: Option<i64>) -> Result<i64, LowerError> {
        let sum = self.affine(a, index)?;
        match len {
            _ if !sum.terms.is_empty() => Err(uncounted()),
            Some(n) if index.modulo => Ok(sum.base.rem_euclid(n.max(1))),
            _ => Ok(sum.base),
        }
    }

    /// Where an element of an array lies.
    pub(super) fn locate(&mut self, a: &Activation<'k>, array: Array, index: &Index) -> Result<Location, LowerError> {
        let binding = &a.bindings[array.0 as usize];
        let sum = self.affine(a, index)?;
        if sum.terms.is_empty() {
            let len = binding.offsets.len() as i64;
            let i = if index.modulo { sum.base.rem_euclid(len.max(1)) } else { sum.base };
            let offset = usize::try_from(i).ok().and_then(|i| binding.offsets.get(i)).copied().ok_or(OUTSIDE)?;
            return Ok(Location { storage: binding.storage, terms: binding.terms, offset });
        }
        if index.modulo || !binding.contiguous {
            return Err(uncounted());
        }
        let offset = binding.offsets.first().and_then(|o| o.checked_add(sum.base)).ok_or(OUTSIDE)?;
        Ok(Location { storage: binding.storage, terms: self.sum(binding.terms, &sum.terms), offset })
    }

    /// The elements of the caller's array that a view shows to a parameter of `len` elements.
    pub(super) fn view(&mut self, a: &Activation<'k>, view: &View, len: u32) -> Result<Binding, LowerError> {
        let binding = &a.bindings[view.array.0 as usize];
        let start = self.affine(a, &view.start)?;
        let counted = !start.terms.is_empty();
        if counted && (view.start.modulo || !binding.contiguous) {
            return Err(uncounted());
        }
        let order = match view.order.map(|t| &a.kernel.array(t).kind) {
            Some(ArrayKind::Table(entries)) => Some(entries),
            Some(_) => return Err(OUTSIDE),
            None => None,
        };
        let shown = binding.offsets.len() as i64;
        let mut offsets = Vec::with_capacity(len as usize);
        for j in 0..len {
            let j = match order {
                Some(entries) => entries.get(j as usize).and_then(ToPrimitive::to_i64).ok_or(OUTSIDE)?,
                None => i64::from(j),
            };
            let i = start.base.checked_add(j).ok_or(OUTSIDE)?;
            offsets.push(if counted {
                binding.offsets.first().and_then(|o| o.checked_add(i)).ok_or(OUTSIDE)?
            } else {
                let i = if view.start.modulo { i.rem_euclid(shown.max(1)) } else { i };
                usize::try_from(i).ok().and_then(|i| binding.offsets.get(i)).copied().ok_or(OUTSIDE)?
            });
        }
        let contiguous = offsets.windows(2).all(|w| w[1] == w[0] + 1);
        let storage = binding.storage;
        let terms = self.sum(binding.terms, &start.terms);
        Ok(Binding { storage, terms, offsets, contiguous })
    }

    /// The entry of a sum.
    fn sum(&mut self, terms: Terms, more: &[(u32, i64)]) -> Terms {
        if more.is_empty() {
            return terms;
        }
        let mut all = self.terms[terms.0 as usize].clone();
        for (word, n) in more {
            match all.iter_mut().find(|(w, _)| w == word) {
                Some((_, sum)) => *sum += n,
                None => all.push((*word, *n)),
            }
        }
        all.retain(|(_, n)| *n != 0);
        all.sort_unstable();
        let known = self.terms.iter().position(|t| *t == all);
        Terms(known.unwrap_or_else(|| {
            self.terms.push(all);
            self.terms.len() - 1
        }) as u32)
    }
}
