//! Public indices as C expressions. Where the range of the counters allows, the modulo of a ring becomes nothing or one
//! comparison of public numbers.

use std::collections::HashMap;

use evariste_ir::{Counter, Index, Kernel};
use num_traits::ToPrimitive;

use super::helpers::{Helper, Prelude};
use super::names;
use super::types;

/// The loops around the place that is being printed.
#[derive(Clone, Default, Debug)]
pub struct Counters {
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
        if let Some((_, entries)) = index.table.as_ref().and_then(|(table, _)| types::index_table(kernel, *table)) {
            let entries = || entries.iter().map(|e| e.to_i64().unwrap_or(i64::MAX));
            lo = lo.saturating_add(entries().min().unwrap_or(0));
            hi = hi.saturating_add(entries().max().unwrap_or(0));
        }
        (lo, hi)
    }

    /// The index into an array of `length` elements as an expression.
    pub fn print(&self, kernel: &Kernel, prelude: &mut Prelude, index: &Index, length: u32) -> String {
        let sum = self.sum(kernel, prelude, index);
        let (lo, hi) = self.range(kernel, index);
        let length = i64::from(length);
        if !index.modulo || lo >= 0 && hi < length {
            return sum;
        }
        if lo == hi && length > 0 {
            return lo.rem_euclid(length).to_string();
        }
        let helper = if lo >= 0 && hi < 2 * length { Helper::WrapIndex } else { Helper::FloorIndex };
        format!("{}({sum}, {length})", prelude.name(helper))
    }

    /// The sum itself.
    fn sum(&self, kernel: &Kernel, prelude: &mut Prelude, index: &Index) -> String {
        let mut out = String::new();
        let mut term = |negative: bool, text: String| {
            match (out.is_empty(), negative) {
                (true, false) => {}
                (true, true) => out += "-",
                (false, false) => out += " + ",
                (false, true) => out += " - ",
            }
            out += &text;
        };
        // A positive term first, if there is one.
        let mut terms: Vec<_> = index.terms.iter().filter(|(_, k)| *k != 0).collect();
        terms.sort_by_key(|(_, k)| *k < 0);
        if index.base > 0 && terms.first().is_some_and(|(_, k)| *k < 0) {
            term(false, index.base.to_string());
        }
        let based = index.base > 0 && terms.first().is_some_and(|(_, k)| *k < 0);
        for (counter, k) in terms {
            let name = self.open.get(counter).map_or("0", |(name, _)| name.as_str());
            let size = k.unsigned_abs();
            term(*k < 0, if size == 1 { name.to_string() } else { format!("{size} * {name}") });
        }
        if let Some((table, inner)) = &index.table {
            let length = kernel.array(*table).len;
            let inner = self.print(kernel, prelude, inner, length);
            term(false, format!("{}[{inner}]", names::index_table(kernel, *table)));
        }
        if index.base != 0 && !based {
            term(index.base < 0, index.base.unsigned_abs().to_string());
        }
        if out.is_empty() { "0".to_string() } else { out }
    }
}
