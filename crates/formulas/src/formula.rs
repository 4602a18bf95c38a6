//! What a formula is, as plain data.

use std::sync::Arc;

use crate::expression::Expression;

/// An element of the coefficient ring: an input, a constant, or a result of a step. Numbers go in that order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Value(pub u32);

/// A secret bit among the inputs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Bit(pub u32);

/// Over which coefficient rings a formula holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Characteristic {
    /// Over every commutative ring.
    Any,
    /// Where 2 can be divided by.
    NotTwo,
    /// Where 1 + 1 = 0.
    Two,
}

/// Elements that are one thing: `P = (X, Y, Z)`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Group {
    /// The thing.
    pub name: String,
    /// The names of its elements.
    pub elements: Vec<String>,
}

/// What is known of a constant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Known {
    /// Nothing: any element of the ring.
    Free,
    /// Its value, in integers and the constants before it: `b3 = 3*b`.
    Is(Expression),
    /// A monic relation, in itself and the constants before it: `i^2 = -1`.
    Root {
        /// The exponent on the left.
        power: u32,
        /// The right side, of lower degree in the constant.
        is: Expression,
    },
}

/// A constant of the coefficient ring.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Constant {
    /// Its name.
    pub name: String,
    /// What is known of it.
    pub known: Known,
}

/// A step. All but `Swap` and `Call` have one result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// `a + b`
    Add(Value, Value),
    /// `a − b`
    Sub(Value, Value),
    /// `−a`
    Neg(Value),
    /// `2a`
    Double(Value),
    /// `k·a`, k at least 3
    Small(u32, Value),
    /// `a/2`
    Halve(Value),
    /// `a·b`
    Mul(Value, Value),
    /// `a²`
    Square(Value),
    /// A constant times an element
    MulConstant(Value, Value),
    /// `1/a`
    Invert(Value),
    /// `a` where the bit is 1, `b` where it is 0
    Select(Bit, Value, Value),
    /// `(b, a)` where the bit is 1, `(a, b)` where it is 0
    Swap(Bit, Value, Value),
    /// The outputs of another formula for these inputs
    Call {
        /// Place in [`Formula::callees`].
        callee: u32,
        /// One for each element of its input groups, in order.
        arguments: Vec<Value>,
    },
}

impl Step {
    /// The elements that it reads.
    pub fn operands(&self) -> Vec<Value> {
        match self {
            Step::Neg(a) | Step::Double(a) | Step::Small(_, a) | Step::Halve(a) | Step::Square(a) | Step::Invert(a) => {
                vec![*a]
            }
            Step::Add(a, b)
            | Step::Sub(a, b)
            | Step::Mul(a, b)
            | Step::MulConstant(a, b)
            | Step::Select(_, a, b)
            | Step::Swap(_, a, b) => vec![*a, *b],
            Step::Call { arguments, .. } => arguments.clone(),
        }
    }

    /// The same step on other elements.
    pub fn on(&self, mut value: impl FnMut(Value) -> Value) -> Step {
        match self {
            Step::Add(a, b) => Step::Add(value(*a), value(*b)),
            Step::Sub(a, b) => Step::Sub(value(*a), value(*b)),
            Step::Neg(a) => Step::Neg(value(*a)),
            Step::Double(a) => Step::Double(value(*a)),
            Step::Small(k, a) => Step::Small(*k, value(*a)),
            Step::Halve(a) => Step::Halve(value(*a)),
            Step::Mul(a, b) => Step::Mul(value(*a), value(*b)),
            Step::Square(a) => Step::Square(value(*a)),
            Step::MulConstant(a, b) => Step::MulConstant(value(*a), value(*b)),
            Step::Invert(a) => Step::Invert(value(*a)),
            Step::Select(s, a, b) => Step::Select(*s, value(*a), value(*b)),
            Step::Swap(s, a, b) => Step::Swap(*s, value(*a), value(*b)),
            Step::Call { callee, arguments } => {
                Step::Call { callee: *callee, arguments: arguments.iter().map(|v| value(*v)).collect() }
            }
        }
    }
}

/// An output: its name and what it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Output {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: Value,
}

/// Outputs that are one thing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OutputGroup {
    /// The thing.
    pub name: String,
    /// Its elements.
    pub elements: Vec<Output>,
}

/// A line of a definition.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Line {
    /// `root x^3 = xi`: a formal variable of an extension. Equations hold for each coefficient of its powers.
    Root {
        /// The variable.
        name: String,
        /// The degree.
        power: u32,
        /// What the power is.
        is: Expression,
    },
    /// `unknown x1`: a quantity that the formula does not see.
    Unknown(String),
    /// `given y1^2 = …`: what is known of an input or an unknown.
    Given {
        /// The input or unknown.
        name: String,
        /// The exponent on the left.
        power: u32,
        /// What the power is.
        is: Expression,
    },
    /// `let l = …`: a name for an expression.
    Let {
        /// The name.
        name: String,
        /// The expression.
        is: Expression,
    },
    /// `nonzero x1 - x2 "equal or opposite points"`: a condition, with the name of what it excepts.
    Nonzero {
        /// What must not be zero.
        is: Expression,
        /// The excepted case.
        except: String,
    },
    /// `assume E: … = …`: an equation that operands satisfy. Its name stands for left side minus right side.
    Assume {
        /// The name.
        name: String,
        /// Left side.
        left: Expression,
        /// Right side.
        right: Expression,
    },
    /// `gives … = … by …`: what outputs are. `by` is the combination of assumptions that the sides differ by.
    Gives {
        /// Left side.
        left: Expression,
        /// Right side.
        right: Expression,
        /// Left side minus right side, as a combination of assumptions.
        by: Option<Expression>,
    },
}

impl Line {
    /// The name that it declares.
    pub fn declares(&self) -> Option<&str> {
        match self {
            Line::Root { name, .. } | Line::Unknown(name) | Line::Let { name, .. } | Line::Assume { name, .. } => {
                Some(name)
            }
            Line::Given { .. } | Line::Nonzero { .. } | Line::Gives { .. } => None,
        }
    }

    /// The same line with other names.
    pub fn renamed(&self, to: &dyn Fn(&str) -> String) -> Line {
        match self {
            Line::Root { name, power, is } => Line::Root { name: to(name), power: *power, is: is.renamed(to) },
            Line::Unknown(name) => Line::Unknown(to(name)),
            Line::Given { name, power, is } => Line::Given { name: to(name), power: *power, is: is.renamed(to) },
            Line::Let { name, is } => Line::Let { name: to(name), is: is.renamed(to) },
            Line::Nonzero { is, except } => Line::Nonzero { is: is.renamed(to), except: except.clone() },
            Line::Assume { name, left, right } => {
                Line::Assume { name: to(name), left: left.renamed(to), right: right.renamed(to) }
            }
            Line::Gives { left, right, by } => Line::Gives {
                left: left.renamed(to),
                right: right.renamed(to),
                by: by.as_ref().map(|by| by.renamed(to)),
            },
        }
    }
}

/// What the outputs are, written from the mathematics, never from the steps.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Definition(pub Vec<Line>);

/// A straight-line computation over elements of one commutative ring.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Formula {
    /// Standard name, lower case with hyphens.
    pub name: String,
    /// What it computes, in a line.
    pub computes: String,
    /// Where it comes from.
    pub source: String,
    /// Over which rings it holds.
    pub characteristic: Characteristic,
    /// The inputs.
    pub inputs: Vec<Group>,
    /// The secret bits.
    pub bits: Vec<String>,
    /// The constants.
    pub constants: Vec<Constant>,
    /// Formulas that it calls.
    pub callees: Vec<Arc<Formula>>,
    /// The steps.
    pub steps: Vec<Step>,
    /// The outputs.
    pub outputs: Vec<OutputGroup>,
    /// The factor that outputs carry: they are this many times what the definition says.
    pub scale: u32,
    /// What they are.
    pub definition: Definition,
}

impl Formula {
    /// How many elements the inputs have.
    pub fn input_count(&self) -> usize {
        self.inputs.iter().map(|g| g.elements.len()).sum()
    }

    /// The names of the elements of all inputs, in order.
    pub fn input_names(&self) -> impl Iterator<Item = &str> {
        self.inputs.iter().flat_map(|g| &g.elements).map(String::as_str)
    }

    /// The elements of all outputs, in order.
    pub fn output_list(&self) -> impl Iterator<Item = &Output> {
        self.outputs.iter().flat_map(|g| &g.elements)
    }

    /// The element that is input i of all.
    pub fn input(&self, i: usize) -> Value {
        Value(i as u32)
    }

    /// The element that is a constant.
    pub fn constant(&self, i: usize) -> Value {
        Value((self.input_count() + i) as u32)
    }

    /// The constant that an element is.
    pub fn as_constant(&self, v: Value) -> Option<&Constant> {
        self.constants.get((v.0 as usize).checked_sub(self.input_count())?)
    }

    /// The name of an element that has one: an input or a constant.
    pub fn name_of(&self, v: Value) -> Option<&str> {
        self.input_names().nth(v.0 as usize).or_else(|| Some(&self.as_constant(v)?.name))
    }

    /// The number of the first element that a step gives.
    pub fn first_result(&self) -> Value {
        self.constant(self.constants.len())
    }

    /// How many results a step has.
    pub fn results(&self, step: &Step) -> usize {
        match step {
            Step::Swap(..) => 2,
            Step::Call { callee, .. } => {
                self.callees.get(*callee as usize).map_or(0, |callee| callee.output_list().count())
            }
            _ => 1,
        }
    }

    /// The steps, each with its first result.
    pub fn statements(&self) -> impl Iterator<Item = (Value, &Step)> {
        let mut next = self.first_result();
        self.steps.iter().map(move |step| {
            let first = next;
            next.0 += self.results(step) as u32;
            (first, step)
        })
    }

    /// How many elements there are: inputs, constants and results.
    pub fn value_count(&self) -> usize {
        self.first_result().0 as usize + self.steps.iter().map(|step| self.results(step)).sum::<usize>()
    }
}
