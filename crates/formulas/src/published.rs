//! Counts that sources print, by formula. They stand beside ours and are never taken for them.

use crate::Counts;

/// What a source says that a formula costs: M, S, products with constants, A, halvings and products with roots of unity
/// apart; and where ours are counted otherwise, why. [`UNSAID`] is what it does not count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Published {
    /// The formula.
    pub name: &'static str,
    /// Products.
    pub mul: u32,
    /// Squares.
    pub square: u32,
    /// Products with constants.
    pub by_constants: u32,
    /// Additions.
    pub add: u32,
    /// Why ours are counted otherwise; empty where they are not.
    pub note: &'static str,
}

/// What a source does not count.
pub const UNSAID: u32 = u32::MAX;

const fn row(name: &'static str, mul: u32, square: u32, by_constants: u32, add: u32, note: &'static str) -> Published {
    Published { name, mul, square, by_constants, add, note }
}

/// All counts that we know of.
#[rustfmt::skip] // A table.
pub const PUBLISHED: &[Published] = &[
    row("quadratic-schoolbook", 4, 0, 1, 2, ""),
    row("quadratic-karatsuba", 3, 0, 1, 5, ""),
    row("quadratic-complex-square", 2, 0, 2, 5, ""),
    row("gauss-complex-square", 2, 0, 0, 3, ""),
    row("multiple-by-1-plus-u", 0, 0, 0, 2, ""),
    row("multiple-by-1-plus-2u", 0, 0, 0, 4, ""),
    row("multiple-by-9-plus-u", 0, 0, 0, 10, ""),
    row("cubic-schoolbook", 9, 0, 2, 6, ""),
    row("karatsuba-3", 6, 0, 2, 15, ""),
    row("karatsuba-3-shared", 6, 0, 2, 14, ""),
    row("toom-3", 5, 0, 2, 35, ""),
    row("toom-3-tripled-once", 5, 0, 2, 34, "33 are claimed, by a schedule that we have not seen"),
    row("toom-3i", 5, 0, 5, 27, "products with i cost nothing"),
    row("karatsuba-3-square", 0, 6, 2, 11, ""),
    row("chung-hasan-1", 3, 2, 2, 9, "a1 is doubled, not two products"),
    row("chung-hasan-2", 2, 3, 2, 10, "a1 is doubled, not two products"),
    row("chung-hasan-3", 1, 4, 2, 11, "one halving more"),
    row("chung-hasan-3x", 1, 4, 2, 14, ""),
    row("toom-3-square", 0, 5, 2, 28, ""),
    row("toom-3i-square", 0, 5, 4, 19, "products with i cost nothing"),
    row("karatsuba-2-2", 9, 0, 3, 27, ""),
    row("quartic-sixth-roots", 7, 0, 9, 55, "6 products with ζ"),
    row("sextic-fifth-roots", 11, 0, 69, 120, "64 products with powers of ζ"),
    row("twelve-karatsuba", 18, 0, 7, 57, ""),
    row("twelve-toom-3i", 15, 0, 16, 90, "products with i cost nothing"),
    row("twelve-complex-square", 12, 0, 6, 43, ""),
    row("twelve-toom-3i-square", 10, 0, 12, 65, "products with i cost nothing"),
    row("sparse-m-twist", 13, 0, 4, 25, ""),
    row("sparse-d-twist", 13, 0, 3, 25, ""),
    row("granger-scott", 0, 9, 4, 30, ""),
    row("karabina", 0, 6, 3, 24, ""),
    row("complete-addition", 12, 0, 5, 23, ""),
    row("complete-addition-minus-3", 12, 0, 2, 29, ""),
    row("complete-addition-0", 12, 0, 2, 19, ""),
    row("complete-doubling", 8, 3, 5, 15, ""),
    row("complete-doubling-minus-3", 8, 3, 2, 21, ""),
    row("complete-doubling-0", 6, 2, 1, 9, ""),
    row("montgomery-ladder-step", 5, 4, 1, 8, ""),
    row("edwards-addition", 9, 0, 2, UNSAID, ""),
    row("edwards-addition-minus-1", 8, 0, 1, UNSAID, ""),
    row("edwards-mixed-addition", 8, 0, 1, UNSAID, ""),
    row("edwards-mixed-addition-minus-1", 7, 0, 0, UNSAID, ""),
    row("edwards-doubling", 4, 4, 1, UNSAID, ""),
    row("edwards-doubling-minus-1", 4, 4, 0, UNSAID, ""),
    row("edwards-doubling-without-t", 3, 4, 1, UNSAID, ""),
    row("edwards-doubling-minus-1-without-t", 3, 4, 0, UNSAID, ""),
    row("lopez-dahab-step", 5, 5, 1, 3, "(X0 Z1 + X1 Z0)², X0², Z0², (X0² + c Z0²)²: four squares"),
    row("lopez-dahab-step-koblitz", 5, 5, 0, 3, "as above"),
    row("lopez-dahab-recovery", 10, UNSAID, 0, UNSAID, "and one inverse"),
    row("binary-edwards-step", 5, 4, 2, UNSAID, ""),
    row("miller-doubling", 3, 6, 1, UNSAID, "two halvings more; 4m for the line at P are apart"),
    row("miller-addition", 11, 2, 0, UNSAID, "4m for the line at P are apart"),
];

/// What was published of a formula.
pub fn published(name: &str) -> Option<&'static Published> {
    PUBLISHED.iter().find(|row| row.name == name)
}

impl Published {
    /// `6M + 14A`, without what does not occur, and the note.
    pub fn text(&self) -> String {
        let letters = [(self.mul, "M"), (self.square, "S"), (self.add, "A"), (self.by_constants, "c")];
        let said = letters.iter().filter(|(n, _)| ![0, UNSAID].contains(n));
        let all: Vec<String> = said.map(|(n, letter)| format!("{n}{letter}")).collect();
        let note = if self.note.is_empty() { String::new() } else { format!(" ({})", self.note) };
        format!("{}{note}", all.join(" + "))
    }

    /// What ours cost more: nothing, where ours are as published or better.
    pub fn exceeded_by(&self, ours: &Counts) -> Vec<String> {
        let all = [
            ("products", ours.mul, self.mul),
            ("squares", ours.square, self.square),
            ("products with constants", ours.by_constants(), self.by_constants),
            ("additions", ours.add, self.add),
        ];
        let more = all.iter().filter(|(_, ours, theirs)| ours > theirs);
        more.map(|(what, ours, theirs)| format!("{ours} {what}, not {theirs}")).collect()
    }
}
