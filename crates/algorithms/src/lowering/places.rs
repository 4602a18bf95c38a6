//! Where the values of a formula lie while it is computed: in as few arrays as its order allows.

use evariste_formulas::Value;
use evariste_ir::range::Interval;
use evariste_ir::{Array, ArrayKind, Builder, View};

use crate::layout::Layout;

/// Arrays of one element each that are used again after the last use of what they hold.
pub(super) struct Places {
    free: Vec<Array>,
    made: u32,
    name: &'static str,
    digits: u32,
    ranges: Vec<Interval>,
    /// The step after which each value is not read any more.
    last_use: Vec<usize>,
}

impl Places {
    /// For elements of a layout; `last_use` has the last reader of each value.
    pub(super) fn new(layout: &Layout, last_use: Vec<usize>) -> Places {
        let ranges = layout.resting.digit_max.iter().map(|d| Interval::up_to(d.clone())).collect();
        Places { free: Vec::new(), made: 0, name: "t", digits: layout.digits() as u32, ranges, last_use }
    }

    /// For numbers of so many words, whatever they hold; twice as many as an element has where `wide`.
    pub(super) fn of_words(digits: u32, word: u32, wide: bool, last_use: Vec<usize>) -> Places {
        let name = if wide { "w" } else { "t" };
        Places { free: Vec::new(), made: 0, name, digits, ranges: vec![Interval::bits(word)], last_use }
    }

    /// A place for a value.
    pub(super) fn take(&mut self, b: &mut Builder) -> View {
        let array = self.free.pop().unwrap_or_else(|| {
            self.made += 1;
            let ty = b.word_type();
            b.array(format!("{}{}", self.name, self.made), ty, self.digits, ArrayKind::Local, self.ranges.clone())
        });
        View::whole(array)
    }

    /// Is a value not read after this step?
    pub(super) fn dies(&self, value: Value, at: usize) -> bool {
        self.dies_at(value.0 as usize, at)
    }

    /// Is what has this number not read after this step?
    pub(super) fn dies_at(&self, number: usize, at: usize) -> bool {
        self.last_use[number] <= at
    }

    /// The place of a value that nobody reads any more.
    pub(super) fn leave(&mut self, place: &View) {
        if !self.free.contains(&place.array) {
            self.free.push(place.array);
        }
    }
}
