//! Is every element of an input read before it is written, in case that the input and an output are the same array?
//! **Trusted.**
//!
//! A program runs the same instructions at the same addresses whatever its arrays hold, and whichever of them are the
//! same. If no element of an input is read after that element of an output was written that may be the same array, then
//! an input that is an output is read as if it were not: what is right with arrays apart is right with all that may be
//! the same. Of the kernel `ir::verify` says the same.

/// Elements that were written, and what may be the same as they.
pub(super) struct Order {
    /// Parameter → those that are written and may be the same array, if it is only read.
    over: Vec<Vec<usize>>,
    /// Parameter → its elements that were written.
    written: Vec<Vec<bool>>,
    /// Was one read too late?
    pub(super) late: bool,
}

impl Order {
    pub(super) fn new(over: Vec<Vec<usize>>, lengths: impl Iterator<Item = usize>) -> Order {
        Order { over, written: lengths.map(|n| vec![false; n]).collect(), late: false }
    }

    /// May the two parameters be the same array?
    pub(super) fn may_be_same(&self, a: usize, b: usize) -> bool {
        self.over[a].contains(&b) || self.over[b].contains(&a)
    }

    /// An element of a parameter is read.
    pub(super) fn read(&mut self, param: usize, i: usize) {
        self.late |= self.over[param].iter().any(|q| self.written[*q][i]);
    }

    /// An element of a parameter is written.
    pub(super) fn write(&mut self, param: usize, i: usize) {
        self.written[param][i] = true;
    }
}
