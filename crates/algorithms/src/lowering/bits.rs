//! Formulas over binary fields as calls of the field's kernels.
//!
//! * **computes** what the formula does, step by step. Sums are XOR, negatives and differences with them; a multiple by
//!   an even number is nothing.
//! * **needs** a formula of characteristic two without bits; kernels whose outputs may lie where operands do. An output
//!   may lie where an operand does: it is written when no operand is read any more.
//! * **gives** elements. The contract is the formula's polynomials over the field; of a formula that divides, which is
//!   none, it is structure alone.
//! * **cost** the formula's counts of the field's operations; a product by a constant that is 1 is free.
//! * **source** the formula's.

use std::collections::BTreeMap;
use std::sync::Arc;

use evariste_descriptions::BinaryField;
use evariste_formulas::evaluate::{evaluate, expression};
use evariste_formulas::formula::Known;
use evariste_formulas::{Checked, Expression, Formula, Ring, Step, Value, inlined};
use evariste_ir::{Builder, Claim, Contract, Kernel, Operand, Polynomial, View};
use num_bigint::{BigInt, BigUint};
use num_traits::{One, Zero};

use super::constants::constant_array;
use super::places::Places;
use super::{Element, Numbers, coordinate, output_name};
use crate::binary::coordinates::product_map;
use crate::layout::Layout;
use crate::prime::power::Callee;
use crate::signature::NotApplicable;

/// The binary field that a formula is lowered to, and a layout of its elements.
#[derive(Clone, Copy)]
pub struct BinaryGround<'a> {
    /// The field.
    pub field: &'a BinaryField,
    /// The layout.
    pub layout: &'a Layout,
}

impl BinaryGround<'_> {
    /// One more than the greatest number that an element is: constants below it are digits as they are.
    pub(crate) fn limit(&self) -> BigUint {
        BigUint::one() << self.field.degree
    }
}

/// Kernels of the field's operations in the layout.
#[derive(Clone)]
pub struct BinaryOperations {
    /// `a·b`
    pub mul: Arc<Kernel>,
    /// `a²`
    pub square: Arc<Kernel>,
    /// `a + b`
    pub add: Arc<Kernel>,
    /// `1/a`, and 0 for 0; for formulas that divide
    pub inverse: Option<Arc<Kernel>>,
}

/// The kernel of a formula: its output groups and its input groups are parameters, one array each, in order.
///
/// # Errors
/// For a formula of another characteristic, one that chooses by a bit, a constant without a number, and where a kernel
/// forbids its output at the place of an operand.
pub fn lower_bits(
    name: &str,
    formula: &Checked,
    ground: BinaryGround,
    numbers: &Numbers,
    operations: &BinaryOperations,
) -> Result<Kernel, NotApplicable> {
    let formula = inlined(formula.formula()).map_err(|e| NotApplicable(e.to_string()))?;
    let constants = constants(&formula, ground.field, numbers)?;
    let mut b = Builder::new(name, ground.layout.word);
    let outputs = formula.outputs.iter();
    let outputs: Vec<Element> = outputs
        .map(|g| Element::output(&mut b, ground.layout, &output_name(&formula, &g.name), g.elements.len()))
        .collect();
    let inputs = formula.inputs.iter();
    let inputs: Vec<Element> =
        inputs.map(|g| Element::input(&mut b, ground.layout, &g.name, g.elements.len())).collect();
    write(&mut b, &formula, ground, &constants, operations, &outputs, &inputs)?;
    let operands = |all: &[Element]| -> Vec<Operand> { all.iter().flat_map(|e| e.numbered(ground.layout)).collect() };
    let divides = formula.steps.iter().any(|step| matches!(step, Step::Invert(_)));
    let claims = if divides {
        let step = |output| Claim::Step { output, name: formula.name.replace('-', "_") };
        operands(&outputs).into_iter().map(step).collect()
    } else {
        let count = formula.input_count() as u32;
        let inputs = (0..count).map(|i| variable(ground.field, i)).collect::<Vec<_>>();
        let polynomials = polynomials(&formula, ground.field, &constants, None, &inputs)?;
        let map = product_map(ground.field);
        let claim = |(output, polynomial)| Claim::Polynomial { output, polynomial, map: map.clone() };
        operands(&outputs).into_iter().zip(polynomials).map(claim).collect()
    };
    Ok(b.finish(Contract { facts: Vec::new(), inputs: operands(&inputs), claims }))
}

/// What a ladder's step does to its state, as [`super::step_polynomials`] has it: of inputs 0 and 1, then the state, then
/// a bit.
pub(crate) fn step_vectors(
    formula: &Checked,
    ground: BinaryGround,
    numbers: &Numbers,
) -> Result<Vec<Polynomial>, NotApplicable> {
    let formula = formula.formula();
    let constants = constants(formula, ground.field, numbers)?;
    let half = formula.input_count() / 2;
    let bit = 2 * half as u32 + 2;
    let mut ring = Vectors { f: ground.field, bit: Some(bit) };
    let state: Vec<Terms> = (2..bit).map(|i| variable(ground.field, i)).collect();
    let (low, high) = state.split_at(half);
    let exchanged = low.iter().zip(high).chain(high.iter().zip(low)).map(|(a, b)| {
        let change = ring.add(a, b);
        let change = ring.mul(&variable(ground.field, bit), &change);
        ring.add(a, &change)
    });
    let inputs: Vec<Terms> = std::iter::once(variable(ground.field, 1)).chain(exchanged).collect();
    polynomials(formula, ground.field, &constants, Some(bit), &inputs)
}

/// A polynomial: the coefficients of monomials, which are sorted lists of inputs.
type Terms = BTreeMap<Vec<u32>, BigUint>;

fn variable(f: &BinaryField, i: u32) -> Terms {
    Terms::from([(vec![i], f.one())])
}

/// The ring of such polynomials.
struct Vectors<'a> {
    f: &'a BinaryField,
    /// An input that is 0 or 1: its own square.
    bit: Option<u32>,
}

impl Ring for Vectors<'_> {
    type Element = Terms;

    fn integer(&mut self, x: &BigInt) -> Terms {
        if x.bit(0) { Terms::from([(Vec::new(), self.f.one())]) } else { Terms::new() }
    }

    fn add(&mut self, a: &Terms, b: &Terms) -> Terms {
        let mut sum = a.clone();
        for (factors, c) in b {
            *sum.entry(factors.clone()).or_default() ^= c;
        }
        sum.retain(|_, c| !c.is_zero());
        sum
    }

    fn sub(&mut self, a: &Terms, b: &Terms) -> Terms {
        self.add(a, b)
    }

    fn mul(&mut self, a: &Terms, b: &Terms) -> Terms {
        let mut product = Terms::new();
        let one = self.f.one();
        for (x, c) in a {
            for (y, d) in b {
                let mut factors = [&x[..], &y[..]].concat();
                factors.sort_unstable();
                factors.dedup_by(|x, y| x == y && Some(*x) == self.bit);
                let c = if *c == one { d.clone() } else { self.f.multiply(c, d) };
                *product.entry(factors).or_default() ^= c;
            }
        }
        product.retain(|_, c| !c.is_zero());
        product
    }

    fn halve(&mut self, _: &Terms) -> Option<Terms> {
        None
    }

    fn invert(&mut self, a: &Terms) -> Option<Terms> {
        let constant = (a.len() == 1).then(|| a.get(&Vec::new())).flatten()?;
        Some(Terms::from([(Vec::new(), self.f.inverse(constant)?)]))
    }
}

/// The outputs as polynomials in these inputs.
fn polynomials(
    formula: &Formula,
    f: &BinaryField,
    constants: &[BigUint],
    bit: Option<u32>,
    inputs: &[Terms],
) -> Result<Vec<Polynomial>, NotApplicable> {
    let named = |name: &str| {
        let at = formula.constants.iter().position(|c| c.name == name)?;
        Some(constant_terms(constants.get(at)?))
    };
    let outputs = evaluate(formula, &mut Vectors { f, bit }, inputs, &[], &named);
    let outputs = outputs.map_err(|e| NotApplicable(e.to_string()))?;
    let polynomial = |terms: Terms| {
        terms.into_iter().fold(Polynomial::default(), |sum, (factors, c)| sum.plus(BigInt::from(c), &factors))
    };
    Ok(outputs.into_iter().map(polynomial).collect())
}

fn constant_terms(number: &BigUint) -> Terms {
    if number.is_zero() { Terms::new() } else { Terms::from([(Vec::new(), number.clone())]) }
}

/// The numbers of a formula's constants, in order: those that are given, and what follows from those before them. One that
/// is given is what the formula was checked with, since the contract rests on it.
fn constants(formula: &Formula, f: &BinaryField, numbers: &Numbers) -> Result<Vec<BigUint>, NotApplicable> {
    let mut known: Vec<(String, BigUint)> = Vec::new();
    for constant in &formula.constants {
        let named = |name: &str| {
            let number = known.iter().find(|(n, _)| n == name).map(|(_, x)| x.clone()).or_else(|| numbers(name));
            number.map(|x| constant_terms(&x))
        };
        let value = |is: &Expression| {
            let value = expression(is, &mut Vectors { f, bit: None }, &named).ok()?;
            Some(value.get(&Vec::new()).cloned().unwrap_or_default())
        };
        let given = numbers(&constant.name);
        let number = match &constant.known {
            Known::Free => given,
            Known::Is(is) => value(is).filter(|is| given.is_none_or(|given| given == *is)),
            Known::Root { power, is } => {
                let is = value(is);
                given.filter(|x| Some(f.pow(x, &(*power).into())) == is)
            }
        };
        let number = number.ok_or_else(|| {
            NotApplicable(format!("the constant {} has no number here, or another one", constant.name))
        })?;
        known.push((constant.name.clone(), number));
    }
    Ok(known.into_iter().map(|(_, number)| number).collect())
}

struct Writer<'a> {
    b: &'a mut Builder,
    ground: BinaryGround<'a>,
    mul: Callee,
    square: Callee,
    add: Callee,
    inverse: Option<Callee>,
    places: Places,
    /// Where values lie, and whose place that is; constants from where they are first read.
    held: Vec<Option<(View, usize)>>,
    inputs: usize,
    constants: &'a [BigUint],
}

/// Writes the calls.
fn write(
    b: &mut Builder,
    formula: &Formula,
    ground: BinaryGround,
    constants: &[BigUint],
    operations: &BinaryOperations,
    outputs: &[Element],
    inputs: &[Element],
) -> Result<(), NotApplicable> {
    let BinaryOperations { mul, square, add, inverse } = operations;
    if let Some(kernel) = [mul, square, add].into_iter().chain(inverse).find(|kernel| !kernel.disjoint.is_empty()) {
        return Err(NotApplicable(format!("{} must allow an output at the place of an operand", kernel.name)));
    }
    let callee = |b: &mut Builder, kernel: &Arc<Kernel>, name: &str| Callee::new(b, kernel.clone(), name);
    let [mul, square, add] = [(mul, "mul"), (square, "square"), (add, "add")].map(|(k, name)| callee(b, k, name));
    let inverse = inverse.as_ref().map(|kernel| callee(b, kernel, "inverse"));
    let count = formula.input_count();
    let mut held = vec![None; formula.value_count()];
    for (i, held) in held.iter_mut().enumerate().take(count) {
        *held = Some((coordinate(inputs, i, ground.layout), i));
    }
    let places = Places::new(ground.layout, last_uses(formula, ground.field, constants));
    let mut writer = Writer { b, ground, mul, square, add, inverse, places, held, inputs: count, constants };
    for (at, (result, step)) in formula.statements().enumerate() {
        writer.step(at, result, step)?;
    }
    let n = ground.layout.digits() as u32;
    let mut all = Vec::new();
    for output in formula.output_list() {
        let (view, _) = writer.operand(output.value)?;
        all.push((0..n).map(|i| writer.b.load(view.array, view.start.clone().offset(i.into()))).collect::<Vec<_>>());
    }
    for (i, digits) in all.into_iter().enumerate() {
        let to = coordinate(outputs, i, ground.layout);
        for (i, digit) in (0..n).zip(digits) {
            writer.b.store(to.array, to.start.clone().offset(i.into()), digit);
        }
    }
    Ok(())
}

/// What a step is over a binary field.
enum Does {
    /// The element itself.
    Same(Value),
    /// Nothing at all.
    Zero,
    /// A product.
    Product(Value, Value),
    /// A sum.
    Sum(Value, Value),
    /// A square.
    Square(Value),
    /// An inverse.
    Inverse(Value),
    /// What binary fields do not have.
    Other,
}

fn does(step: &Step, f: &BinaryField, constant: impl Fn(Value) -> Option<BigUint>) -> Does {
    match step {
        Step::Neg(a) => Does::Same(*a),
        Step::Double(_) => Does::Zero,
        Step::Small(k, a) => {
            if k % 2 == 1 {
                Does::Same(*a)
            } else {
                Does::Zero
            }
        }
        Step::MulConstant(c, a) => match constant(*c) {
            Some(c) if c.is_zero() => Does::Zero,
            Some(c) if c == f.one() => Does::Same(*a),
            _ => Does::Product(*c, *a),
        },
        Step::Mul(a, b) => Does::Product(*a, *b),
        Step::Add(a, b) | Step::Sub(a, b) => Does::Sum(*a, *b),
        Step::Square(a) => Does::Square(*a),
        Step::Invert(a) => Does::Inverse(*a),
        _ => Does::Other,
    }
}

/// The last step that reads each value; of a value that is another one, what is read of it is read of that.
fn last_uses(formula: &Formula, f: &BinaryField, constants: &[BigUint]) -> Vec<usize> {
    let count = formula.value_count();
    let (mut last, mut of): (Vec<usize>, Vec<usize>) = (vec![0; count], (0..count).collect());
    let constant = |v: Value| constants.get((v.0 as usize).checked_sub(formula.input_count())?).cloned();
    for (at, (result, step)) in formula.statements().enumerate() {
        if let Does::Same(a) = does(step, f, constant) {
            of[result.0 as usize] = of[a.0 as usize];
        }
        step.operands().iter().for_each(|v| last[of[v.0 as usize]] = at);
    }
    formula.output_list().for_each(|output| last[of[output.value.0 as usize]] = formula.steps.len());
    last
}

impl Writer<'_> {
    /// Where a value lies; a constant is written where it is first read.
    fn operand(&mut self, value: Value) -> Result<(View, usize), NotApplicable> {
        let at = value.0 as usize;
        if self.held[at].is_none()
            && let Some(number) = at.checked_sub(self.inputs).and_then(|i| self.constants.get(i))
        {
            let view = constant_array(self.b, &self.ground.limit(), self.ground.layout, number);
            self.held[at] = Some((view, at));
        }
        self.held[at].clone().ok_or_else(|| NotApplicable("a step reads what is not there".into()))
    }

    /// The place of a result: operands that die leave theirs first, since kernels read before they write.
    fn place(&mut self, operands: &[(View, usize)], at: usize) -> View {
        let steps = self.inputs + self.constants.len();
        for (view, of) in operands {
            if *of >= steps && self.places.dies_at(*of, at) {
                self.places.leave(view);
            }
        }
        self.places.take(self.b)
    }

    fn step(&mut self, at: usize, result: Value, step: &Step) -> Result<(), NotApplicable> {
        let (inputs, constants) = (self.inputs, self.constants);
        let constant = |v: Value| constants.get((v.0 as usize).checked_sub(inputs)?).cloned();
        let to = result.0 as usize;
        let does = does(step, self.ground.field, constant);
        let operands: Vec<Value> = match does {
            Does::Same(a) => {
                self.held[to] = Some(self.operand(a)?);
                return Ok(());
            }
            Does::Zero => Vec::new(),
            Does::Product(a, b) | Does::Sum(a, b) => vec![a, b],
            Does::Square(a) | Does::Inverse(a) => vec![a],
            Does::Other => return Err(NotApplicable("a step that binary fields do not have".into())),
        };
        let read: Vec<(View, usize)> = operands.into_iter().map(|v| self.operand(v)).collect::<Result<_, _>>()?;
        let callee = match does {
            Does::Sum(..) => Some(&self.add),
            Does::Square(_) => Some(&self.square),
            Does::Inverse(_) => self.inverse.as_ref(),
            _ => Some(&self.mul),
        };
        let callee = callee.cloned().ok_or_else(|| NotApplicable("the formula divides".into()))?;
        let view = if read.is_empty() {
            constant_array(self.b, &self.ground.limit(), self.ground.layout, &BigUint::ZERO)
        } else {
            let view = self.place(&read, at);
            let views: Vec<View> = read.into_iter().map(|(view, _)| view).collect();
            callee.call_views(self.b, view.clone(), &views);
            view
        };
        self.held[to] = Some((view, to));
        Ok(())
    }
}
