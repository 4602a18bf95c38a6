//! A formula's steps as calls: where ranges end, reductions fall.
//!
//! Products whose sums are wanted stay whole; a sum that an output or a product reads is reduced once. Sums of elements
//! that products read are not reduced while the range allows. Where it does not, the sums that they are made of rest:
//! the formula is gone through again.

use std::collections::{HashMap, HashSet};

use evariste_formulas::{Formula, Step, Value};
use num_bigint::BigInt;
use num_traits::Zero;

use super::form::Size;
use super::limits::Limits;
use super::merge::merged;
use super::steps::{Block, From, Kind, Known, Node, Program, Sum, Term};
use crate::lowering::order::{Order, Times, signed_digits};
use crate::signature::NotApplicable;

/// What stops a pass.
enum Stop {
    /// This sum has to rest.
    Rest(Value),
    /// A sum of products leaves its digits though all factors rest.
    NoRoom,
    Refused(NotApplicable),
}

impl std::convert::From<NotApplicable> for Stop {
    fn from(why: NotApplicable) -> Stop {
        Stop::Refused(why)
    }
}

/// A formula, and what is asked of its calls.
#[derive(Clone, Copy)]
pub(super) struct Wanted<'a> {
    pub order: &'a Order<'a>,
    pub limits: &'a Limits<'a>,
    /// The greatest input.
    pub inputs: &'a BigInt,
    /// Are outputs whole numbers, not reduced?
    pub wide: bool,
    /// What a formula that is called gives.
    pub block: &'a dyn Fn(&Block) -> Result<Given, NotApplicable>,
}

/// The outputs of a formula that is called.
pub(super) struct Given {
    pub sizes: Vec<Size>,
    /// Are they whole numbers, not reduced?
    pub wide: bool,
}

/// The calls of a formula within limits. Where a sum of products has no room, factors rest, so that it gets less; where
/// that does not help, products are reduced before the sum.
pub(super) fn program(wanted: Wanted) -> Result<Program, NotApplicable> {
    let order = wanted.order;
    let doubled = doubled(order);
    let summed = summed(order, &doubled);
    // In lanes reductions of products one by one take more than sums that rest: whoever calls is asked for these first.
    let is_loose = wanted.limits.has_columns() && *wanted.inputs > wanted.limits.resting;
    for factors_rest in if is_loose { &[true][..] } else { &[true, false] } {
        let factors_rest = *factors_rest;
        let (mut resting, mut most) = (HashSet::new(), HashMap::new());
        loop {
            let pass = Pass {
                wanted,
                order,
                limits: wanted.limits,
                resting: &resting,
                most: &most,
                factors_rest,
                summed: &summed,
                doubled: &doubled,
                numbers: Vec::new(),
                origins: HashMap::new(),
                reduced: HashMap::new(),
                constants: HashMap::new(),
                held: vec![None; order.formula.value_count()],
            };
            match pass.run() {
                Ok(program) => {
                    let greatest = greatest_of_long(order.formula, &program);
                    if greatest == most {
                        return Ok(merged(program, wanted.limits));
                    }
                    most = greatest;
                }
                Err(Stop::Refused(why)) => return Err(why),
                Err(Stop::Rest(value)) if resting.insert(value) => {}
                Err(Stop::Rest(_) | Stop::NoRoom) if factors_rest => break,
                Err(_) => return Err(NotApplicable("a sum that rests is out of range".into())),
            }
        }
    }
    Err(NotApplicable("sums of products have no room".into()))
}

/// The greatest operand of each formula that is called and calls others: one kernel of it is long enough, so that all of
/// its calls are of one.
fn greatest_of_long(formula: &Formula, program: &Program) -> HashMap<usize, BigInt> {
    let mut all: HashMap<usize, BigInt> = HashMap::new();
    for number in &program.numbers {
        if let From::Output { block, .. } = &number.from
            && !formula.callees[block.callee].callees.is_empty()
        {
            let most = all.entry(block.callee).or_default();
            *most = std::mem::take(most).max(block.most.clone());
        }
    }
    all
}

/// Products of which only the double is read: an operand is doubled before, which is shorter.
fn doubled(order: &Order) -> HashSet<Value> {
    let mut reads: HashMap<Value, usize> = HashMap::new();
    let formula = order.formula;
    let outputs = formula.output_list().map(|output| output.value);
    let read = formula.steps.iter().flat_map(|step| order.operands(step)).chain(outputs);
    read.for_each(|value| *reads.entry(value).or_default() += 1);
    let doubles = formula.steps.iter().filter_map(|step| match order.multiple(step) {
        Some((a, Times::Small { k: 2, .. })) => Some(a),
        _ => None,
    });
    let all: HashSet<Value> = doubles.filter(|a| reads.get(a) == Some(&1)).collect();
    let products = formula.statements().filter(|(_, step)| matches!(step, Step::Mul(..)));
    products.map(|(result, _)| result).filter(|result| all.contains(result)).collect()
}

/// The values that sums read, themselves or their negatives.
fn summed(order: &Order, doubled: &HashSet<Value>) -> HashSet<Value> {
    let mut of: HashMap<Value, Value> = HashMap::new();
    let mut all = HashSet::new();
    for (result, step) in order.formula.statements() {
        let read: Vec<Value> = match order.multiple(step) {
            Some((a, Times::Small { k, .. })) if k == 1 || doubled.contains(&a) => {
                let root = of.get(&a).copied().unwrap_or(a);
                of.insert(result, root);
                continue;
            }
            Some((a, Times::Small { .. })) => vec![a],
            Some(_) => continue,
            None if matches!(step, Step::Add(..) | Step::Sub(..)) => step.operands(),
            None => continue,
        };
        all.extend(read.into_iter().map(|a| of.get(&a).copied().unwrap_or(a)));
    }
    all
}

struct Pass<'a> {
    wanted: Wanted<'a>,
    order: &'a Order<'a>,
    limits: &'a Limits<'a>,
    resting: &'a HashSet<Value>,
    /// The greatest operands of formulas that are called.
    most: &'a HashMap<usize, BigInt>,
    /// Where a sum of products has no room, do factors rest?
    factors_rest: bool,
    summed: &'a HashSet<Value>,
    doubled: &'a HashSet<Value>,
    numbers: Vec<Known>,
    /// The values of the formula that sums of elements were written for.
    origins: HashMap<Node, Value>,
    /// Whole numbers that were reduced.
    reduced: HashMap<Node, Node>,
    constants: HashMap<num_bigint::BigUint, Node>,
    held: Vec<Option<Term>>,
}

impl Pass<'_> {
    fn run(mut self) -> Result<Program, Stop> {
        let formula = self.order.formula;
        for i in 0..formula.input_count() {
            let node = self.add(From::Input(i), false, Size::of(self.wanted.inputs.clone()));
            self.held[i] = Some(Term { node, negative: false });
        }
        for (result, step) in formula.statements() {
            if let Step::Call { callee, arguments } = step {
                let first = self.called(*callee as usize, arguments)?;
                for i in 0..formula.results(step) {
                    self.held[result.0 as usize + i] = Some(Term { node: Node(first.0 + i), negative: false });
                }
                continue;
            }
            let term = self.step(result, step)?;
            self.held[result.0 as usize] = Some(term);
        }
        let outputs: Vec<Value> = formula.output_list().map(|o| o.value).collect();
        let outputs = outputs.into_iter().map(|value| self.output(value)).collect::<Result<Vec<_>, Stop>>()?;
        Ok(Program { numbers: self.numbers, outputs })
    }

    fn output(&mut self, value: Value) -> Result<Node, Stop> {
        if self.wanted.wide {
            let term = self.value(value)?;
            return match self.known(term.node).wide && !term.negative {
                true => Ok(term.node),
                false => Err(Stop::Refused(NotApplicable("an output is no sum of products".into()))),
            };
        }
        let term = self.single(value)?;
        self.rests(term.node)?;
        Ok(if term.negative { self.resting_call(Kind::Opp, &[term.node]) } else { term.node })
    }

    /// The outputs of a formula that is called: the first of their numbers.
    fn called(&mut self, callee: usize, arguments: &[Value]) -> Result<Node, Stop> {
        let mut operands = Vec::new();
        for value in arguments {
            let term = self.single(*value)?;
            operands.push(if term.negative {
                self.rests(term.node)?;
                self.resting_call(Kind::Opp, &[term.node])
            } else {
                term.node
            });
        }
        let greatest = operands.iter().copied().max_by_key(|node| self.bound(*node).clone());
        let most = greatest.map_or_else(BigInt::zero, |node| self.bound(node).clone());
        let most = self.limits.operand(&most);
        let most = self.most.get(&callee).cloned().unwrap_or_default().max(most);
        let block = Block { callee, most };
        let Given { sizes, wide } = match (self.wanted.block)(&block) {
            Ok(given) => given,
            Err(why) => {
                let loose = greatest.filter(|node| *self.bound(*node) > self.limits.resting);
                return Err(loose.map_or(Stop::Refused(why), |node| self.tightened(node)));
            }
        };
        let first = Node(self.numbers.len());
        for (index, size) in sizes.into_iter().enumerate() {
            let from = From::Output { block: block.clone(), index, operands: operands.clone() };
            self.add(from, wide, size);
        }
        Ok(first)
    }

    fn add(&mut self, from: From, wide: bool, size: Size) -> Node {
        self.numbers.push(Known { size, wide, from });
        Node(self.numbers.len() - 1)
    }

    fn known(&self, node: Node) -> &Known {
        &self.numbers[node.0]
    }

    /// The greatest value of a number.
    fn bound(&self, node: Node) -> &BigInt {
        &self.known(node).size.bound
    }

    fn resting_call(&mut self, kind: Kind, operands: &[Node]) -> Node {
        self.add(From::Call(kind, operands.to_vec()), false, Size::of(self.limits.resting.clone()))
    }

    /// Is it at rest? Else the sum that it is has to be.
    fn rests(&self, node: Node) -> Result<(), Stop> {
        if *self.bound(node) <= self.limits.resting { Ok(()) } else { Err(self.tightened(node)) }
    }

    /// Which sum has to rest, so that this number becomes less: one of those that it is made of, else itself.
    fn tightened(&self, node: Node) -> Stop {
        if let From::Call(Kind::Sum(_), operands) = &self.known(node).from
            && let Some(loose) = operands.iter().find(|x| *self.bound(**x) > self.limits.resting)
        {
            return self.tightened(*loose);
        }
        match self.origins.get(&node) {
            Some(value) => Stop::Rest(*value),
            None => Stop::Refused(NotApplicable("a number without a sum is out of range".into())),
        }
    }

    /// Which sum has to rest, so that products become less: that of the greatest factor.
    fn with_less_factors(&self) -> Stop {
        let is_product = |from: &From| match from {
            From::Call(kind, _) => matches!(kind, Kind::MulWide(_) | Kind::SquareWide(_)),
            from => matches!(from, From::Output { .. }),
        };
        let products = self.numbers.iter().filter(|number| is_product(&number.from));
        let factors = products.flat_map(|number| number.from.operands().iter().copied());
        let greatest = factors.max_by_key(|node| self.bound(*node).clone());
        let greatest = greatest.filter(|node| *self.bound(*node) > self.limits.resting);
        match greatest.map(|node| self.tightened(node)) {
            Some(Stop::Rest(value)) => Stop::Rest(value),
            _ => Stop::NoRoom,
        }
    }

    fn value(&mut self, value: Value) -> Result<Term, Stop> {
        if let Some(number) = self.order.number(value) {
            let node = self.constant(number.clone());
            return Ok(Term { node, negative: false });
        }
        let held = self.held.get(value.0 as usize).copied().flatten();
        held.ok_or_else(|| Stop::Refused(NotApplicable("a step reads what is not there".into())))
    }

    fn constant(&mut self, number: num_bigint::BigUint) -> Node {
        if let Some(node) = self.constants.get(&number) {
            return *node;
        }
        let node = self.add(From::Constant(number.clone()), false, Size::of(&self.limits.p - 1u32));
        self.constants.insert(number, node);
        node
    }

    /// A value of n words: what is whole is reduced.
    fn single(&mut self, value: Value) -> Result<Term, Stop> {
        let term = self.value(value)?;
        let known = self.known(term.node);
        if !known.wide {
            return Ok(term);
        }
        let bound = known.size.bound.clone();
        let node = match self.reduced.get(&term.node) {
            Some(node) => *node,
            None => {
                let bound = bound.max(self.limits.double.bound.clone());
                let node = self.resting_call(Kind::Reduce(bound), &[term.node]);
                self.reduced.insert(term.node, node);
                node
            }
        };
        Ok(Term { node, ..term })
    }

    fn step(&mut self, result: Value, step: &Step) -> Result<Term, Stop> {
        let refused = |why: &str| Err(Stop::Refused(NotApplicable(why.into())));
        match step {
            Step::Add(a, b) => self.sum(result, *a, *b, false),
            Step::Sub(a, b) => self.sum(result, *a, *b, true),
            Step::Mul(a, b) => {
                let (mut a, b) = (self.single(*a)?, self.single(*b)?);
                if self.doubled.contains(&result) {
                    a = self.sum_of(result, a, a)?;
                }
                let node = self.product(result, &[a.node, b.node])?;
                Ok(Term { node, negative: a.negative ^ b.negative })
            }
            Step::Square(a) => {
                let a = self.single(*a)?;
                let node = self.product(result, &[a.node])?;
                Ok(Term { node, negative: false })
            }
            Step::Invert(_) => refused("a formula that divides"),
            Step::Select(..) | Step::Swap(..) => refused("a formula that chooses by a bit"),
            Step::Call { .. } => refused("a call in the place of a step"),
            _ => self.multiple(result, step),
        }
    }

    fn multiple(&mut self, result: Value, step: &Step) -> Result<Term, Stop> {
        let Some((a, times)) = self.order.multiple(step) else {
            return Err(Stop::Refused(NotApplicable("a multiple by no constant".into())));
        };
        Ok(match times {
            Times::Zero => Term { node: self.constant(num_bigint::BigUint::ZERO), negative: false },
            Times::Small { k, negative } => {
                let done = self.doubled.contains(&a);
                let a = self.value(a)?;
                let negative = a.negative ^ negative;
                if done {
                    return Ok(Term { negative, ..a });
                }
                let a = Term { negative: false, ..a };
                let mut sum = a;
                for digit in signed_digits(k).iter().rev().skip(1) {
                    sum = self.sum_of(result, sum, sum)?;
                    if *digit != 0 {
                        sum = self.sum_of(result, sum, Term { negative: *digit < 0, ..a })?;
                    }
                }
                Term { negative: sum.negative ^ negative, ..sum }
            }
            Times::Any(number) => {
                let a = self.single(a)?;
                let node = match self.order.halvings(&number) {
                    Some(count) => {
                        self.rests(a.node)?;
                        (0..count).fold(a.node, |node, _| self.resting_call(Kind::Halve, &[node]))
                    }
                    None => {
                        let constant = self.constant(number);
                        self.product(result, &[a.node, constant])?
                    }
                };
                Term { node, ..a }
            }
        })
    }

    /// The product of two numbers, or the square of one.
    fn product(&mut self, result: Value, operands: &[Node]) -> Result<Node, Stop> {
        let greatest = operands.iter().map(|node| self.bound(*node).clone()).max().unwrap_or_else(BigInt::zero);
        let square = operands.len() == 1;
        let summed = self.wanted.wide || self.summed.contains(&result);
        if !summed && greatest <= self.limits.loose {
            return Ok(self.resting_call(if square { Kind::Square } else { Kind::Mul }, operands));
        }
        let greatest = self.limits.operand(&greatest);
        let whole = self.limits.product(&greatest, square);
        if !whole.is_within(self.limits.limit(true)) {
            let largest = operands.iter().copied().max_by_key(|node| self.bound(*node).clone());
            return Err(match largest.filter(|_| greatest > self.limits.resting) {
                Some(largest) => self.tightened(largest),
                None => Stop::Refused(NotApplicable("products of resting elements have no room for sums".into())),
            });
        }
        if !summed {
            let kind = if square { Kind::SquareOf(greatest) } else { Kind::MulOf(greatest) };
            return Ok(self.resting_call(kind, operands));
        }
        let kind = if square { Kind::SquareWide(greatest) } else { Kind::MulWide(greatest) };
        Ok(self.add(From::Call(kind, operands.to_vec()), true, whole))
    }

    fn sum(&mut self, result: Value, a: Value, b: Value, minus: bool) -> Result<Term, Stop> {
        let (x, y) = (self.value(a)?, self.value(b)?);
        // What is whole stays whole only beside what is.
        let (x, y) = match (self.known(x.node).wide, self.known(y.node).wide) {
            (true, false) | (false, true) => (self.single(a)?, self.single(b)?),
            _ => (x, y),
        };
        self.sum_of(result, x, Term { negative: y.negative ^ minus, ..y })
    }

    /// The sum of two numbers of one length.
    fn sum_of(&mut self, result: Value, x: Term, y: Term) -> Result<Term, Stop> {
        let (x, y) = if x.negative && !y.negative { (y, x) } else { (x, y) };
        let difference = y.negative && !x.negative;
        let nodes = [x.node, y.node];
        let wide = self.known(x.node).wide;
        if !wide && self.resting.contains(&result) {
            self.rests(x.node)?;
            self.rests(y.node)?;
            let node = self.resting_call(if difference { Kind::Sub } else { Kind::Add }, &nodes);
            return Ok(Term { node, negative: x.negative });
        }
        let (a, b) = (&self.known(x.node).size, &self.known(y.node).size);
        let sum = if difference { self.limits.difference(wide, a, b) } else { self.limits.sum(wide, a, b) };
        let node = match sum {
            Some(sum) => self.loose(result, sum, &nodes),
            None if wide && self.factors_rest => return Err(self.with_less_factors()),
            None if wide => return self.sum_of_reduced(result, x, y),
            None => {
                let loose = nodes.iter().find(|node| *self.bound(**node) > self.limits.resting);
                return Err(loose.map_or(Stop::Rest(result), |node| self.tightened(*node)));
            }
        };
        Ok(Term { node, negative: x.negative })
    }

    fn loose(&mut self, result: Value, sum: Sum, nodes: &[Node]) -> Node {
        let (size, wide) = (sum.size(), sum.wide);
        let node = self.add(From::Call(Kind::Sum(sum), nodes.to_vec()), wide, size);
        self.origins.insert(node, result);
        node
    }

    /// Whole numbers that leave no room for their sum are reduced before it.
    fn sum_of_reduced(&mut self, result: Value, x: Term, y: Term) -> Result<Term, Stop> {
        let mut reduced = |term: Term| {
            let bound = self.bound(term.node).clone().max(self.limits.double.bound.clone());
            Term { node: self.resting_call(Kind::Reduce(bound), &[term.node]), ..term }
        };
        let (x, y) = (reduced(x), reduced(y));
        self.sum_of(result, x, y)
    }
}
