//! What a unit is made of.

use std::collections::BTreeSet;

use evariste_ir::{ArrayKind, Kernel, Type, ValueInfo};
use num_bigint::BigInt;

use super::helper::Helper;
use super::model::Model;
use super::place::Place;

/// Functions of one text, callees before callers.
#[derive(Clone, Debug, Default)]
pub struct Unit {
    /// The functions, those that others call first.
    pub functions: Vec<Function>,
    /// The helpers that they call, in the order in which they are to be defined.
    pub helpers: BTreeSet<Helper>,
}

/// A typed name.
#[derive(Clone, Debug)]
pub struct Variable {
    /// The type.
    pub ty: Type,
    /// The name.
    pub name: String,
}

/// One function: what it takes and promises is its kernel's.
#[derive(Clone, Debug)]
pub struct Function {
    /// The kernel, made ready for printing: its parameters and its contract.
    pub kernel: Kernel,
    /// What a value stands for.
    pub model: Model,
    /// The function's name.
    pub symbol: String,
    /// Is it for users (or for functions of this text only)?
    pub public: bool,
    /// What it does.
    pub body: Body,
}

/// What a function does.
#[derive(Clone, Debug)]
pub enum Body {
    /// Exactly what another function does, with the same parameters.
    Same(String),
    /// Statements: tables and local arrays first.
    Whole(Vec<Statement>),
    /// A long function in parts, which pass values to each other.
    Parts {
        /// Local arrays of the whole.
        arrays: Vec<Statement>,
        /// The parts in order.
        parts: Vec<Part>,
    },
}

/// A part of a long function.
#[derive(Clone, Debug)]
pub struct Part {
    /// Its name.
    pub name: String,
    /// Tables that it reads.
    pub tables: Vec<Statement>,
    /// Values of earlier parts.
    pub takes: Vec<Variable>,
    /// The statements.
    pub body: Vec<Statement>,
    /// Values for later parts.
    pub gives: Vec<Variable>,
    /// Parameters and local arrays that it touches, with their lengths; `true` for what is only read.
    pub arrays: Vec<(Variable, u32, bool)>,
}

impl Part {
    /// Does it take values of earlier parts, or give some to later ones?
    pub fn passes_values(&self) -> bool {
        !self.takes.is_empty() || !self.gives.is_empty()
    }
}

/// Entries of a constant table.
#[derive(Clone, Debug)]
pub enum Entries {
    /// Constants of a type.
    Values(Type, Vec<BigInt>),
    /// Public indices.
    Indices(Vec<BigInt>),
}

/// One statement. All names but those of stored arrays and carried values are new.
#[derive(Clone, Debug)]
pub enum Statement {
    /// A constant table.
    Table { name: String, entries: Entries },
    /// A local array.
    Array { variable: Variable, len: u32 },
    /// A parameter that nobody reads.
    Unread(String),
    /// A new name for a value.
    Define { variable: Variable, value: Expression },
    /// A new value for a carried name.
    Assign { name: String, value: Expression },
    /// Two results of one helper; `None` where the first is not needed. Of the first two arguments, of a product: `halves`,
    /// are they below 2^32; `signless`, is their highest bit 0?
    Pair {
        helper: Helper,
        arguments: Vec<Expression>,
        halves: [bool; 2],
        signless: [bool; 2],
        first: Option<Variable>,
        second: Variable,
    },
    /// Several selections of one type by one mask.
    Choose { helper: Helper, ty: Type, mask: Expression, choices: Vec<(String, Expression, Expression)> },
    /// An element of an array is written.
    Store { array: String, at: Place, value: Expression },
    /// A loop over 0, 1, …
    Repeat { counter: String, count: u32, body: Vec<Statement> },
    /// A function is called.
    Call { function: String, arguments: Vec<Argument> },
    /// The value was proved to be in its interval, which says more than the operation does.
    Within { name: Expression, info: ValueInfo },
}

/// An array, or elements of one, for a callee.
#[derive(Clone, Debug)]
pub struct Argument {
    /// The array.
    pub array: String,
    /// The type of its elements.
    pub ty: Type,
    /// Elements that the callee takes.
    pub len: u32,
    /// What the callee does with them.
    pub kind: ArrayKind,
    /// Which they are.
    pub elements: Elements,
}

/// Elements of an array.
#[derive(Clone, Debug)]
pub enum Elements {
    /// Those from a place on.
    From(Place),
    /// Scattered ones: a name for a copy, and the place of its element `e`.
    Scattered(String, Place),
}

/// An operation on integers that may leave the type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arithmetic {
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
}

/// An operation bit by bit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bitwise {
    /// Both.
    And,
    /// Either.
    Or,
    /// One of the two.
    Xor,
}

/// How far a public amount of a shift may reach.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reach {
    /// Always less than the type's bits.
    Inside,
    /// Never.
    Outside,
    /// Both occur.
    Both,
}

/// A value. Operands are names and constants, except that logic (of bit-sliced values) and sums of a product are nested.
#[derive(Clone, Debug)]
pub enum Expression {
    /// A value or an array.
    Name(String),
    /// A constant of a type.
    Constant(Type, BigInt),
    /// 64 bits that are no number.
    Pattern(u64),
    /// A public number.
    Public(Place),
    /// An element at a public place.
    Element(String, Place),
    /// An element at a secret place (in variable time).
    Entry(String, Box<Expression>),
    /// Modulo 2^bits. `halves`: of a product, both factors are below 2^32.
    Arithmetic { op: Arithmetic, bits: u32, left: Box<Expression>, right: Box<Expression>, halves: bool },
    /// The exact product of words in the double word of that many bits.
    Product { bits: u32, left: Box<Expression>, right: Box<Expression> },
    /// Bit by bit.
    Bitwise { op: Bitwise, bits: u32, left: Box<Expression>, right: Box<Expression> },
    /// The complement.
    Not { bits: u32, of: Box<Expression> },
    /// Shift by a public amount modulo 2^bits, 0 from `bits` on.
    Shift { left: bool, bits: u32, value: Box<Expression>, amount: Place, reach: Reach },
    /// The lowest `low` of `bits` bits.
    Low { low: u32, bits: u32, value: Box<Expression> },
    /// The number converted to a type of that many bits.
    Convert { bits: u32, value: Box<Expression> },
    /// `bits` bits from bit `at` on.
    Slice { at: u32, bits: u32, value: Box<Expression> },
    /// Words of their bits, lowest first, as one of `bits` bits.
    Join { bits: u32, parts: Vec<(u32, Expression)> },
    /// 1 for a mask of all ones.
    Flag(Box<Expression>),
    /// A mask as one of `to` bits.
    Mask { to: u32, mask: Box<Expression> },
    /// A function of the language's own.
    Helper(Helper, Vec<Expression>),
    /// An operation on floating-point numbers, rounded once.
    Float { op: Arithmetic, left: Box<Expression>, right: Box<Expression> },
    /// `a b + c` of floating-point numbers of that many bits, rounded once.
    Fused { bits: u32, operands: Vec<Expression> },
}

impl Expression {
    pub(super) fn logic(op: Bitwise, bits: u32, left: Expression, right: Expression) -> Expression {
        Expression::Bitwise { op, bits, left: Box::new(left), right: Box::new(right) }
    }

    pub(super) fn inverted(bits: u32, of: Expression) -> Expression {
        Expression::Not { bits, of: Box::new(of) }
    }
}

impl Function {
    /// All its statements, those of loops included.
    pub fn statements<'a>(&'a self, each: &mut dyn FnMut(&'a Statement)) {
        fn walk<'a>(body: &'a [Statement], each: &mut dyn FnMut(&'a Statement)) {
            for statement in body {
                each(statement);
                if let Statement::Repeat { body, .. } = statement {
                    walk(body, each);
                }
            }
        }
        match &self.body {
            Body::Same(_) => {}
            Body::Whole(body) => walk(body, each),
            Body::Parts { arrays, parts } => {
                walk(arrays, each);
                for part in parts {
                    walk(&part.tables, each);
                    walk(&part.body, each);
                }
            }
        }
    }
}
