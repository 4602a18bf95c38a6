//! Public indices. Where the range of the counters allows, the modulo of a ring becomes nothing or one comparison of
//! public numbers.

use std::collections::{BTreeSet, HashMap};

use evariste_ir::{Array, ArrayKind, Counter, Index, Kernel};
use num_bigint::BigInt;
use num_traits::ToPrimitive;

use super::helper::Helper;
use super::names::{self, Words};

/// A public number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Place {
    /// A sum of terms, `true` for those that are subtracted; 0 without any.
    Sum(Vec<(bool, Term)>),
    /// A sum modulo a length; `once` where it is nonnegative and less than twice that.
    Ring { sum: Box<Place>, length: u32, once: bool },
}

/// A term of a sum.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Term {
    /// A constant.
    Constant(u64),
    /// A multiple of a loop's counter.
    Counter(u64, String),
    /// An entry of a table of indices.
    Entry(String, Place),
    /// The number of the element, in a view.
    Element,
    /// Another number.
    Place(Box<Place>),
}

impl Place {
    /// A constant.
    pub fn constant(x: u64) -> Place {
        Place::Sum(if x == 0 { vec![] } else { vec![(false, Term::Constant(x))] })
    }

    /// Is it the constant 0?
    pub fn is_zero(&self) -> bool {
        matches!(self, Place::Sum(terms) if terms.is_empty())
    }

    /// Modulo a length.
    pub(super) fn in_ring(self, length: u32, once: bool, helpers: &mut BTreeSet<Helper>) -> Place {
        (if once { Helper::WrapIndex } else { Helper::FloorIndex }).add_to(helpers);
        Place::Ring { sum: Box::new(self), length, once }
    }
}

/// The entries of a table.
pub(super) fn entries(kernel: &Kernel, table: Array) -> Option<&[BigInt]> {
    match &kernel.array(table).kind {
        ArrayKind::Table(entries) => Some(entries),
        _ => None,
    }
}

/// The loops around the place that is being written.
#[derive(Clone, Default, Debug)]
pub(super) struct Counters {
    open: HashMap<Counter, (String, u32)>,
}

impl Counters {
    /// Enters a loop whose counter is called `name`.
    pub fn enter(&mut self, counter: Counter, name: String, count: u32) {
        self.open.insert(counter, (name, count));
    }

    /// Leaves it.
    pub fn leave(&mut self, counter: Counter) {
        self.open.remove(&counter);
    }

    /// Number of loops around.
    pub fn depth(&self) -> usize {
        self.open.len()
    }

    /// Least and greatest value of the index before any modulo.
    pub fn range(&self, kernel: &Kernel, index: &Index) -> (i64, i64) {
        let (mut lo, mut hi) = (index.base, index.base);
        for (counter, coefficient) in &index.terms {
            let count = self.open.get(counter).map_or(1, |(_, count)| *count);
            let last = coefficient.saturating_mul(i64::from(count) - 1);
            lo = lo.saturating_add(last.min(0));
            hi = hi.saturating_add(last.max(0));
        }
        if let Some(entries) = index.table.as_ref().and_then(|(table, _)| entries(kernel, *table)) {
            let entries = || entries.iter().map(|e| e.to_i64().unwrap_or(i64::MAX));
            lo = lo.saturating_add(entries().min().unwrap_or(0));
            hi = hi.saturating_add(entries().max().unwrap_or(0));
        }
        (lo, hi)
    }

    /// The index into an array of `length` elements.
    pub fn place(&self, context: &mut Context, index: &Index, length: u32) -> Place {
        let sum = self.sum(context, index);
        let (lo, hi) = self.range(context.kernel, index);
        let ring = i64::from(length);
        if !index.modulo || lo >= 0 && hi < ring {
            return sum;
        }
        if lo == hi && length > 0 {
            return Place::constant(lo.rem_euclid(ring) as u64);
        }
        sum.in_ring(length, lo >= 0 && hi < 2 * ring, context.helpers)
    }

    /// The sum itself.
    fn sum(&self, context: &mut Context, index: &Index) -> Place {
        let mut out = Vec::new();
        // A positive term first, if there is one.
        let mut terms: Vec<_> = index.terms.iter().filter(|(_, k)| *k != 0).collect();
        terms.sort_by_key(|(_, k)| *k < 0);
        let based = index.base > 0 && terms.first().is_some_and(|(_, k)| *k < 0);
        if based {
            out.push((false, Term::Constant(index.base.unsigned_abs())));
        }
        for (counter, k) in terms {
            let name = self.open.get(counter).map_or("0", |(name, _)| name.as_str());
            out.push((*k < 0, Term::Counter(k.unsigned_abs(), name.to_string())));
        }
        if let Some((table, inner)) = &index.table {
            let inner = self.place(context, inner, context.kernel.array(*table).len);
            out.push((false, Term::Entry(names::index_table(context.kernel, context.words, *table), inner)));
        }
        if index.base != 0 && !based {
            out.push((index.base < 0, Term::Constant(index.base.unsigned_abs())));
        }
        Place::Sum(out)
    }
}

/// What the writing of an index needs and adds to.
pub(super) struct Context<'a> {
    /// The kernel.
    pub kernel: &'a Kernel,
    /// Names that the language keeps for itself.
    pub words: &'a Words,
    /// The helpers so far.
    pub helpers: &'a mut BTreeSet<Helper>,
}
