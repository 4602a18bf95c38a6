//! The one form between a proved kernel and what runs: instructions over physical registers, stack slots, arrays and
//! constants.
//!
//! A program follows the [convention](crate::isa::Convention) of its processor: the parameters are pointers to arrays,
//! the first in registers, later ones on the stack. It is written by the scheduler, replayed against its kernel by the
//! checker, encoded by `jit`, printed as assembly by `emit`. Nothing in it is symbolic but labels: what the checker reads
//! is what the processor executes.

use std::fmt;

use evariste_ir::Arrangement;
pub use evariste_ir::{Parameter, Role};

use crate::isa::{Isa, OnVectors};

/// How many elements a call works on, and how they lie in the arrays.
///
/// A program for one element has one lane and one group. With more, element `g·count + l` of a parameter has its word i
/// at `(g·len + i)·count + l`, where `len` is the number of words that the kernel has there: each word of a group of
/// elements fills one vector.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Lanes {
    /// Words of a vector.
    pub count: u32,
    /// Groups of elements, one after the other.
    pub groups: u32,
}

impl Lanes {
    /// One element.
    pub const ONE: Lanes = Lanes { count: 1, groups: 1 };

    /// Elements of one call.
    pub fn elements(self) -> u32 {
        self.count * self.groups
    }
}

/// A function in machine code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program<I: Isa> {
    /// Name, an identifier.
    pub name: String,
    /// What a processor must offer.
    pub features: I::Features,
    /// Elements of a call.
    pub lanes: Lanes,
    /// Parameters in calling order.
    pub params: Vec<Parameter>,
    /// Pairs of parameters (positions in `params`, lower first, sorted) that must not overlap: those of
    /// `Kernel::disjoint`, and pairs of different type or length. In every other pair of which exactly one is written,
    /// the two may be the same array (same address). Nothing that is written overlaps otherwise.
    pub disjoint: Vec<(u32, u32)>,
    /// Constants that are reached by an address of their own.
    pub constants: Vec<u64>,
    /// The instructions. The first is where a call lands.
    pub code: Vec<I::Inst>,
    /// What the code calls, each before what it calls itself. The checker shows it; nobody else needs it.
    pub callees: Vec<Callee>,
}
/// A routine in the code of a function and the kernel that it is said to compute.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Callee {
    /// Where it begins.
    pub label: u32,
    /// Which kernel: a callee of the function's kernel, by its number there, a callee of that one, and so on.
    pub path: Vec<u32>,
    /// Its parameters, in the places of a function's.
    pub params: Vec<Parameter>,
    /// Pairs of them that must not overlap, as those of a [`Program`].
    pub disjoint: Vec<(u32, u32)>,
}

/// May two parameters, i < j, be the same array? `disjoint`: the pairs that must not.
pub fn may_be_same(params: &[Parameter], disjoint: &[(u32, u32)], i: usize, j: usize) -> bool {
    let (p, q) = (&params[i], &params[j]);
    p.role.is_written() != q.role.is_written()
        && p.len == q.len
        && p.element_bytes == q.element_bytes
        && !disjoint.contains(&(i as u32, j as u32))
}

impl Callee {
    /// May the two parameters, i < j, be the same array?
    pub fn may_be_same(&self, i: usize, j: usize) -> bool {
        may_be_same(&self.params, &self.disjoint, i, j)
    }
}

impl<I: Isa> Program<I> {
    /// May the two parameters, i < j, be the same array?
    pub fn may_be_same(&self, i: usize, j: usize) -> bool {
        may_be_same(&self.params, &self.disjoint, i, j)
    }

    /// The order of elements in its arrays.
    pub fn arrangement(&self) -> Arrangement {
        let word_bits = 8 * self.params.first().map_or(8, |p| p.element_bytes);
        Arrangement { lanes: self.lanes.count, groups: self.lanes.groups, word_bits }
    }

    /// Elements of a group that 64 bits of a vector hold, word by word: 1, or 2 of 32 bits; 1 without vectors, and of
    /// bytes, of which one is followed. `None`: the elements of a vector are neither.
    pub fn elements_followed(&self) -> Option<u32> {
        match (self.lanes.count, self.params.first().map_or(8, |p| p.element_bytes)) {
            (1, _) | (_, 8) => Some(1),
            (_, 4) => Some(2),
            (_, 1) => Some(1),
            _ => None,
        }
    }

    /// Are the elements of its vectors bytes?
    pub fn has_bytes(&self) -> bool {
        self.lanes.count > 1 && self.params.first().is_some_and(|p| p.element_bytes == 1)
    }

    /// How many elements of 64 bits of a vector can depend on one another: 1, or where it has instructions on pairs 2. Of
    /// registers of four words that one element has, all four.
    pub fn units_followed(&self) -> u32 {
        if self.lanes.count == 1 && self.on_vectors().any(|on| on.four_words) {
            return 4;
        }
        if self.on_vectors().any(|on| on.pairs) { 2 } else { 1 }
    }

    /// What its instructions on vectors ask of the checker.
    pub fn on_vectors(&self) -> impl Iterator<Item = OnVectors> + '_ {
        self.code.iter().filter_map(I::on_vectors)
    }
}

impl<I: Isa> fmt::Display for Program<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let params: Vec<&str> = self.params.iter().map(|p| p.name.as_str()).collect();
        writeln!(f, "{}({}) for {}", self.name, params.join(", "), self.features)?;
        for (i, c) in self.constants.iter().enumerate() {
            writeln!(f, "  constants + {}: {c:#x}", 8 * i)?;
        }
        for inst in &self.code {
            let indent = if I::label(inst).is_none() { "    " } else { "" };
            writeln!(f, "{indent}{inst}")?;
        }
        Ok(())
    }
}
