//! What a lazily reduced formula does: calls on numbers of n digits and of 2n digits, each with its greatest value.

use num_bigint::{BigInt, BigUint};

use super::form::Size;

/// A number: the result of a step, an input or a constant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Node(pub(super) usize);

/// A number, or its negative.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Term {
    pub node: Node,
    pub negative: bool,
}

/// What is known of a number.
#[derive(Clone, Debug)]
pub(super) struct Known {
    /// Its greatest value.
    pub size: Size,
    /// Has it 2n digits?
    pub wide: bool,
    pub from: From,
}

/// The calls of a formula.
pub(super) struct Program {
    /// Numbers in the order in which they are made.
    pub numbers: Vec<Known>,
    /// What the outputs are: resting elements.
    pub outputs: Vec<Node>,
}

impl Program {
    /// The greatest value of a number.
    pub fn size(&self, node: Node) -> &Size {
        &self.numbers[node.0].size
    }
}

/// Where a number comes from.
#[derive(Clone, Debug)]
pub(super) enum From {
    /// A coordinate of the inputs.
    Input(usize),
    /// A constant of the formula.
    Constant(BigUint),
    /// A call.
    Call(Kind, Vec<Node>),
    /// An output of a formula that is called; the numbers of all its outputs follow one another.
    Output { block: Block, index: usize, operands: Vec<Node> },
}

impl From {
    /// What it is made of.
    pub fn operands(&self) -> &[Node] {
        match self {
            From::Call(_, operands) | From::Output { operands, .. } => operands,
            From::Input(_) | From::Constant(_) => &[],
        }
    }
}

/// A formula that is called, for numbers up to a bound.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Block {
    /// Its place among the callees.
    pub callee: usize,
    /// The greatest operand.
    pub most: BigInt,
}

/// What is called.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Kind {
    /// The field's reduced product of resting elements.
    Mul,
    /// The field's reduced square.
    Square,
    /// The reduced product of integers up to that one.
    MulOf(BigInt),
    /// The reduced square of an integer up to that one.
    SquareOf(BigInt),
    /// The field's sum, which rests.
    Add,
    /// The field's difference, which rests.
    Sub,
    /// The field's negative, which rests.
    Opp,
    /// Half of a resting element, which rests.
    Halve,
    /// The product of two integers up to that one.
    MulWide(BigInt),
    /// The square of an integer up to that one.
    SquareWide(BigInt),
    /// The reduction of an integer up to that one.
    Reduce(BigInt),
    /// A sum or difference that is not reduced.
    Sum(Sum),
    /// A sum of whole numbers in lanes.
    Combination(Combination),
    /// A sum of several resting elements in lanes, which rests; whether each is subtracted.
    Rested(Vec<bool>),
    /// A sum of products in lanes, reduced as it is made: no product is ever whole.
    /// For each the greatest factor.
    Products(Vec<BigInt>),
}

/// A sum of whole numbers in lanes, columns with their greatest values.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Combination {
    /// The terms, and whether they are subtracted.
    pub terms: Vec<(Size, bool)>,
    /// The multiple of p that is added where some are.
    pub cover: Option<Size>,
}

impl Combination {
    /// The sum of all terms of one sign.
    pub fn part(&self, minus: bool) -> Option<Size> {
        let own = self.terms.iter().filter(|(_, own)| *own == minus).map(|(size, _)| size.clone());
        own.reduce(|sum, size| sum.plus(&size))
    }

    /// The greatest value of the result.
    pub fn size(&self) -> Size {
        let parts = self.part(false).into_iter().chain(self.cover.clone());
        parts.reduce(|sum, size| sum.plus(&size)).unwrap_or_else(|| Size::of(BigInt::ZERO))
    }
}

/// A sum or difference of two numbers of one length, with their greatest values.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Sum {
    pub wide: bool,
    pub a: Size,
    pub b: Size,
    pub how: How,
}

/// How a sum stays in range.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum How {
    /// `a + b` as it is.
    Plain,
    /// `a + b`, less that multiple of p where it is not below it.
    Corrected(BigInt),
    /// `a + k − b` for that multiple k of p, in lanes in these digits.
    Biased(Size),
    /// `a − b`, and that multiple of p where it is negative.
    Masked(BigInt),
}

impl Sum {
    /// Is the second number subtracted?
    pub fn is_difference(&self) -> bool {
        matches!(self.how, How::Biased(_) | How::Masked(_))
    }

    /// The greatest value of the result.
    pub fn size(&self) -> Size {
        let (a, b) = (&self.a.bound, &self.b.bound);
        match &self.how {
            How::Plain => self.a.plus(&self.b),
            How::Corrected(k) => Size::of((k - 1u32).max(a + b - k)),
            How::Biased(k) => self.a.plus(k),
            How::Masked(k) => Size::of(a.clone().max(k - 1u32)),
        }
    }
}
