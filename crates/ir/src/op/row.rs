//! What the language says of an operation: one [`Row`] each.

use std::fmt;

use super::operation::Op;
use crate::float::Format;
use crate::interval::Interval;
use crate::lanes::vectors::Run;
use crate::types::{Array, Index, Type, Value};

/// All that the language says of one operation.
#[derive(Clone, Copy)]
pub struct Row {
    /// The name in the text form.
    pub name: &'static str,
    /// The public part, in parentheses behind the name.
    pub public: Public,
    /// Numbers and types of operands and results.
    pub types: Types,
    /// Must the result be shown to stay inside its type?
    pub exact: bool,
    /// Does it read numbers, so that an interval below 0 means what it says? Others read bit patterns, of which
    /// nothing is known where an operand may be negative.
    pub reads_numbers: bool,
    /// The intervals of the results, of the exact ones if the operation is exact.
    pub transfer: fn(&Applied) -> Vec<Interval>,
    /// What it is counted as.
    pub counts: Counted,
    /// How its results depend on its operands over GF(2).
    pub over_bits: OverBits,
    /// Does exchanging these two operands change nothing?
    pub symmetric: fn(usize, usize) -> bool,
    /// Operations of the same shape that a slip of the pen might write instead.
    pub slips: fn(&Op) -> Vec<Op>,
    /// What it gives.
    pub meaning: Meaning,
}

/// What an operation gives, and so what it is.
#[derive(Clone, Copy)]
pub enum Meaning {
    /// What this does to vectors of lanes.
    OnLanes(Run),
    /// The entry of its table or array that the operand says: the interpreter has the arrays.
    Entry,
    /// What it does in the rest of the language, of operands that may be any pattern of their types.
    Body(Body),
}

/// The meaning of an operation that a function of one row says, generic in the cells of lanes.
macro_rules! run {
    ($step:ident) => {
        $crate::op::row::Meaning::OnLanes($crate::lanes::vectors::Run {
            bits: $step,
            u16: $step,
            u64: $step,
            u128: $step,
        })
    };
}
pub(super) use run;

/// Writes an operation that is defined by others, and gives its results.
pub type Body = fn(&mut dyn Write, &[Value]) -> Vec<Value>;

/// Where the body of an operation is written. It has operations only: no array, loop or call.
pub trait Write {
    /// The type of a value.
    fn ty(&self, v: Value) -> Type;

    /// Appends an operation with results of these types.
    fn op(&mut self, op: Op, args: &[Value], types: &[Type]) -> Vec<Value>;

    /// Appends an operation with one result of that type.
    fn op1(&mut self, op: Op, args: &[Value], ty: Type) -> Value {
        self.op(op, args, &[ty])[0]
    }

    /// Appends an operation with one result of its first operand's type.
    fn same(&mut self, op: Op, args: &[Value]) -> Value {
        let ty = self.ty(args[0]);
        self.op1(op, args, ty)
    }
}

impl Row {
    /// The body, of an operation that is defined by one.
    pub fn body(&self) -> Option<Body> {
        if let Meaning::Body(body) = self.meaning { Some(body) } else { None }
    }
}

/// Names are unique.
impl PartialEq for Row {
    fn eq(&self, other: &Row) -> bool {
        self.name == other.name
    }
}

impl Eq for Row {}

impl fmt::Debug for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// The public part of an operation: how it is made of what its text says.
#[derive(Clone, Copy)]
pub enum Public {
    /// There is none.
    Nothing(fn() -> Op),
    /// A constant number.
    Constant,
    /// The bits that are kept of a value.
    Bits(fn(u32) -> Op),
    /// The bits that are kept of both factors of a product.
    FactorBits(fn(u32) -> Op),
    /// The amount of a shift.
    Amount(fn(Index) -> Op),
    /// The images of the eight bits of a byte.
    Images(fn(u64) -> Op),
    /// A table.
    Table(fn(Array) -> Op),
}

/// Numbers and types of operands and results.
#[derive(Clone, Copy)]
pub struct Types {
    /// Operands; `None` when their number varies, from one on.
    pub operands: Option<usize>,
    /// Results; `None` when their number varies, from one on.
    pub results: Option<usize>,
    /// What is wrong with the types, their numbers being right.
    pub check: fn(&Op, &[Type], &[Type]) -> Result<(), String>,
}

/// What an operation is counted as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Counted {
    /// A constant.
    Constant,
    /// A sum or difference, of words or of double words.
    Addition,
    /// A product and that many additions.
    Product(u64),
    /// A bitwise operation or a comparison.
    Logic,
    /// A shift or rotation.
    Shift,
    /// A selection.
    Select,
    /// A copy that changes the type only.
    Move,
    /// A look-up.
    LookUp,
}

/// How an operation's results depend on its operands over GF(2). Proofs of bit maps rest on it; the tests try it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OverBits {
    /// Each bit of a result is a sum of bits of the operands.
    Linear,
    /// Of two operands: each bit of the result is a sum of products of a bit of the first and a bit of the second.
    Bilinear,
    /// Neither, or not always.
    Other,
}

/// An operation on operands of which types and intervals are known.
pub struct Applied<'a> {
    /// The operation.
    pub op: &'a Op,
    /// Types and intervals of the operands.
    pub args: &'a [(Type, &'a Interval)],
    /// Types of the results.
    pub results: &'a [Type],
    /// The least and greatest public amount of a shift.
    pub shift: (u32, u32),
}

impl<'a> Applied<'a> {
    /// The interval of operand `i`.
    pub(super) fn range(&self, i: usize) -> &'a Interval {
        self.args[i].1
    }

    /// The bits of the first result.
    pub(super) fn bits(&self) -> u32 {
        self.results[0].bits()
    }

    /// Nothing better than the type is known of the result.
    pub(super) fn full(&self) -> Vec<Interval> {
        self.results.iter().map(|t| t.full()).collect()
    }

    /// The low word and the rest of an exact number.
    pub(super) fn split(&self, exact: Interval) -> Vec<Interval> {
        let n = self.bits();
        vec![exact.low_bits(n), exact.shr(n)]
    }

    /// The low word of an exact number.
    pub(super) fn wrapped(&self, exact: Interval) -> Vec<Interval> {
        let n = self.bits();
        vec![if exact.within(&Interval::bits(n)) { exact } else { exact.low_bits(n) }]
    }

    /// The hull of what the least and the greatest amount give.
    pub(super) fn shifted(&self, by: fn(&Interval, u32) -> Interval) -> Interval {
        by(self.range(0), self.shift.0).hull(&by(self.range(0), self.shift.1))
    }

    /// The numbers nearest to those of an interval: rounding keeps their order.
    pub(super) fn rounded(&self, exact: Interval) -> Vec<Interval> {
        let nearest = |f: Format| Interval { lo: f.nearest(&exact.lo), hi: f.nearest(&exact.hi) };
        vec![format(self.results[0]).map_or(exact.clone(), nearest)]
    }
}

/// The format of a float type.
pub(super) fn format(ty: Type) -> Option<Format> {
    if let Type::Float(m) = ty { Format::new(m) } else { None }
}

/// A row whose operation is exchanged for no other, has no symmetry, is not exact and reads bit patterns.
pub(super) const fn row(
    name: &'static str,
    public: Public,
    types: Types,
    transfer: fn(&Applied) -> Vec<Interval>,
    meaning: Meaning,
    counts: Counted,
) -> Row {
    Row {
        name,
        public,
        types,
        exact: false,
        reads_numbers: false,
        transfer,
        counts,
        over_bits: OverBits::Other,
        symmetric: |_, _| false,
        slips: |_| Vec::new(),
        meaning,
    }
}

/// The row of an operation that is defined by a body, on operands and results of one type. Nothing is known of its
/// results but their types, unless the row says more; it is counted as what its body is.
pub const fn defined(name: &'static str, make: fn() -> Op, types: Types, body: Body) -> Row {
    row(name, Public::Nothing(make), types, |x| x.full(), Meaning::Body(body), Counted::Logic)
}
