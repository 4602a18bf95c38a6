//! A kernel as a straight-line graph of operations on machine words: what is left to decide is the order, the flags and
//! the registers.
//!
//! Values are words of 64 bits, flags, input words (they lie in memory until somebody wants them elsewhere) and
//! constants. An element of fewer bits lies zero-extended in its word; in a bit-sliced kernel a word holds 64 lanes.
//! Nodes stand in the order in which the kernel computes them, which respects all that a node needs but
//! [`Graph::edges`]: a store waits for the readers of the words that it may overwrite.

mod chains;
mod repeated;
mod text;

pub use chains::Chains;

use crate::program::Parameter;

/// A value, an index into [`Graph::values`].
pub type Id = u32;

/// No value.
pub const NONE: Id = u32::MAX;

/// What a value is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// Result of a node, 64 bits.
    Word,
    /// Carry or borrow of a node.
    Flag,
    /// Element `index` of parameter `param`, as it was when the function was called.
    Input {
        /// Which parameter.
        param: u16,
        /// Which element.
        index: u32,
    },
    /// A constant.
    Constant(u64),
    /// A [line](Graph::lines): what the lanes of a register hold differs from lane to lane.
    Line(u32),
}

/// What a node computes. Arguments and results stand in the order given here.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operation {
    /// `x, y → low, high` of the product.
    Mul,
    /// `x, y → low` word of the product.
    MulLow,
    /// `x, y, carry? → sum, carry`.
    Add,
    /// `x, y, borrow? → x − y − borrow, borrow`.
    Sub,
    /// `x, y → x and y`.
    And,
    /// `x, y → x or y`.
    Or,
    /// `x, y → x xor y`.
    Xor,
    /// `x, y → x and not y`.
    AndNot,
    /// `x → not x`.
    Not,
    /// `x → x · 2^k mod 2^64`, 0 < k < 64.
    Shl(u8),
    /// `x → ⌊x / 2^k⌋`, 0 < k < 64.
    Shr(u8),
    /// `x → ⌊x / 2^k⌋` of the signed reading, 0 < k < 64.
    Sar(u8),
    /// `x → x rotated left by k`, 0 < k < 64.
    Rol(u8),
    /// `high, low → low word of (high:low) / 2^k`, 0 < k < 64.
    Funnel(u8),
    /// `flag → 0 or 1`.
    WordOfFlag,
    /// `flag → 0 or 2^64 − 1`.
    MaskOfFlag,
    /// `x → flag`: bit 0 of x.
    FlagOfWord,
    /// `flag, x, y → x where the flag is set, else y`.
    Select,
    /// `accumulator, x, y → accumulator + (x·y mod 2^52)` of the low 52 bits of x and y: vectors only, as what follows.
    MaddLow,
    /// `accumulator, x, y → accumulator + ⌊x·y / 2^52⌋` of the low 52 bits of x and y.
    MaddHigh,
    /// `x, y → (x mod 2^32)·(y mod 2^32)`.
    MulHalf,
    /// `x, y → double words`: of each pair of lanes the carry-less product of the even ones, its low word in the even
    /// lane.
    ClmulEven,
    /// `x, y → double words`: the same of the odd lanes.
    ClmulOdd,
    /// `x, y → words`: double words of even and of odd lanes, of each the low word in its lane.
    UnpackEven,
    /// `x, y → words`: of each the high word.
    UnpackOdd,
    /// Of four words: `x →` as word l of the result the one that bits 2l and 2l + 1 of the number name.
    PermuteWords(u8),
    /// Of four words: `x, y →` as word l of the result that of y where bit l of the number is set, else that of x.
    BlendWords(u8),
    /// In lanes of bytes: `x, y → x·y` modulo x^8 + x^4 + x^3 + x + 1.
    RijndaelMul,
    /// `x →` the sum of those bytes of the constant whose bit is set in x.
    BitMatrix(u64),
    /// In lanes of 64 bits: `x, line, line →` of each 16 bits of x the entry at their lowest six bits, of the 64 entries of
    /// 16 bits that the two lines hold.
    LookUp,
    /// In lanes of 64 bits: `x, line →` of each 32 bits of x the entry at their lowest three, of the eight entries of 32 bits
    /// in the first half of a line: where there are no mask registers.
    LookUpHalves,
    /// In lanes of 64 bits: `x, line, line →` of each 32 bits of x the entry at their lowest five, of the 32 entries of 32 bits
    /// that the two lines hold.
    LookUpHalvesOfTwo,
    /// In lanes of 32 bits, of the 64 bits that two neighbours share: `x → its high half, twice`.
    CopyHigh,
    /// `x → its low half, twice`.
    CopyLow,
    /// `x, y → low half of x, high half of y`: where there are no mask registers.
    JoinHalves,
    /// `x, y → low half of x, low half of y`: where there are.
    MergeLow,
    /// `x, y → high half of x, high half of y`.
    MergeHigh,
    /// `x, y → all ones` where x is greater than y in the signed reading, else 0: where there are no mask registers.
    Greater,
    /// `x, y → the lesser of x and y`, unsigned, in lanes of 32 bits.
    Lesser,
    /// `x, y → flag`: x < y, unsigned.
    Less,
    /// `x, y → flag`: x = y.
    Equal,
    /// `flag, x, y → x + y where the flag is set, else x`.
    AddWhere,
    /// `flag, x, y → x − y where the flag is set, else x`.
    SubWhere,
    /// `flag, flag → flag`: both.
    FlagAnd,
    /// `flag, flag → flag`: one or both.
    FlagOr,
    /// `flag, flag → flag`: exactly one.
    FlagXor,
    /// `flag → flag`: the other.
    FlagNot,
    /// `d, a, b → a function of three bits`, bit by bit: bit 4d + 2a + b of the table.
    Ternary(u8),
    /// `x, y → x + y` of doubles.
    FloatAdd,
    /// `x, y → x − y` of doubles.
    FloatSub,
    /// `x, y → x·y` of doubles.
    FloatMul,
    /// `accumulator, x, y → x·y + accumulator` of doubles, rounded once.
    FloatFma,
    /// `x → x`: an input word that is stored as it is, read before others write there.
    Load,
    /// `x →`: writes element `index` of parameter `param`.
    Store {
        /// Which parameter.
        param: u16,
        /// Which element.
        index: u32,
    },
}

impl Operation {
    /// May the two words be exchanged?
    pub fn commutes(self) -> bool {
        matches!(
            self,
            Operation::Mul
                | Operation::MulLow
                | Operation::Add
                | Operation::And
                | Operation::Or
                | Operation::Xor
                | Operation::RijndaelMul
                | Operation::ClmulEven
                | Operation::ClmulOdd
                | Operation::FloatAdd
                | Operation::FloatMul
        )
    }
}

/// One operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Node {
    /// What.
    pub op: Operation,
    /// Arguments; [`NONE`] where there is none.
    pub args: [Id; 3],
    /// Results; [`NONE`] where there is none or nobody wants it.
    pub results: [Id; 2],
    /// Sums and differences: the carry is known to be 0.
    pub no_carry: bool,
}

impl Node {
    /// The arguments that there are.
    pub fn args(&self) -> impl Iterator<Item = Id> + '_ {
        self.args.iter().copied().filter(|v| *v != NONE)
    }

    /// The results that somebody wants.
    pub fn results(&self) -> impl Iterator<Item = Id> + '_ {
        self.results.iter().copied().filter(|v| *v != NONE)
    }

    /// Sum or difference?
    pub fn is_sum(&self) -> bool {
        matches!(self.op, Operation::Add | Operation::Sub)
    }
}

/// A kernel as a graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Graph {
    /// Name of the function.
    pub name: String,
    /// Parameters in calling order.
    pub params: Vec<Parameter>,
    /// All values.
    pub values: Vec<Kind>,
    /// Constants of 64 bytes, each of which is what one register holds.
    pub lines: Vec<[u64; 8]>,
    /// The nodes.
    pub nodes: Vec<Node>,
    /// `(before, after)`: nodes that must stay in that order though no value goes from one to the other. `after` may
    /// come first in [`Graph::nodes`].
    pub edges: Vec<(u32, u32)>,
    /// Pairs of parameters that must not overlap, as [`Program::disjoint`](crate::program::Program::disjoint).
    pub disjoint: Vec<(u32, u32)>,
}

impl Graph {
    /// Nothing, without a name.
    pub fn empty() -> Graph {
        Graph {
            name: String::new(),
            params: Vec::new(),
            values: Vec::new(),
            lines: Vec::new(),
            nodes: Vec::new(),
            edges: Vec::new(),
            disjoint: Vec::new(),
        }
    }

    /// For each value the node that computes it ([`NONE`] for inputs and constants).
    pub fn definitions(&self) -> Vec<u32> {
        let mut nodes = vec![NONE; self.values.len()];
        for (i, node) in self.nodes.iter().enumerate() {
            node.results().for_each(|v| nodes[v as usize] = i as u32);
        }
        nodes
    }

    /// For each value how often it is an argument.
    pub fn use_counts(&self) -> Vec<u32> {
        let mut counts = vec![0; self.values.len()];
        for node in &self.nodes {
            node.args().for_each(|v| counts[v as usize] += 1);
        }
        counts
    }

    /// Of a product of words with a constant 2^k, 0 < k < 64: the other word, and k. Shifts give it too.
    pub fn shift_of(&self, product: &Node) -> Option<(Id, u8)> {
        let [x, y, _] = product.args;
        let of = |x: Id, y: Id| Some((x, self.constant(y).filter(|c| *c > 1 && c.is_power_of_two())?.ilog2() as u8));
        if product.op == Operation::Mul { of(x, y).or_else(|| of(y, x)) } else { None }
    }

    /// The constant, if the value is one.
    pub fn constant(&self, v: Id) -> Option<u64> {
        match self.values.get(v as usize) {
            Some(Kind::Constant(c)) => Some(*c),
            _ => None,
        }
    }

    /// Bytes of an element of a parameter.
    pub fn element_bytes(&self, param: u16) -> u32 {
        self.params[param as usize].element_bytes
    }

    /// Does every node of the order come after all that it needs, and does each node occur once?
    pub fn is_order(&self, order: &[u32]) -> bool {
        let mut place = vec![NONE; self.nodes.len()];
        for (i, n) in order.iter().enumerate() {
            match place.get_mut(*n as usize) {
                Some(p) if *p == NONE => *p = i as u32,
                _ => return false,
            }
        }
        let defined = self.definitions();
        order.len() == self.nodes.len()
            && self.edges.iter().all(|(a, b)| place[*a as usize] < place[*b as usize])
            && self.nodes.iter().enumerate().all(|(i, n)| {
                n.args().all(|v| defined[v as usize] == NONE || place[defined[v as usize] as usize] < place[i])
            })
    }
}
