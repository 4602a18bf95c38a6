//! Lowering: formulas over a prime field, or a binary one ([`lower_bits`]), as kernels in a layout of that field.
//!
//! A formula knows no words, a kernel knows no fields; this folder stands between them. [`lower`] takes a formula that
//! was checked as mathematics, the numbers of its constants and kernels of the field's operations. The contract is that
//! of the formula, one congruence for each coordinate of each output ([`claims`]); it says nothing of the calls that
//! follow, and the proof judges these by it.
//!
//! An element of several coordinates (of a tower, a point) is one array: its coordinates one after the other, each in
//! the digits of the layout.

pub(crate) mod bits;
pub mod calls;
pub mod claims;
mod constants;
mod halve;
pub mod lazy;
mod order;
mod places;
pub(crate) mod side_by_side;

use std::sync::Arc;

use evariste_descriptions::Modulus;
use evariste_formulas::{Checked, Constant, Formula, Known, Step, Value, check, inlined, registry};
use evariste_ir::{Array, Builder, Contract, Kernel, Operand, View};
use num_bigint::{BigInt, BigUint};

pub use self::bits::{BinaryGround, BinaryOperations, lower_bits};
pub(crate) use self::claims::{rung_claims, step_polynomials};
pub(crate) use self::constants::digits_of;
use crate::layout::{Bounds, Layout};
use crate::signature::{NotApplicable, ValueClaim, input, output};

/// The prime field that a formula is lowered to, and a layout of its elements.
#[derive(Clone, Copy)]
pub struct Ground<'a> {
    /// The prime.
    pub modulus: &'a Modulus,
    /// The layout.
    pub layout: &'a Layout,
}

/// Kernels of the field's operations in the layout: every product is reduced.
#[derive(Clone, Debug)]
pub struct Operations {
    /// `a·b`
    pub mul: Arc<Kernel>,
    /// `a²`
    pub square: Arc<Kernel>,
    /// `a + b`
    pub add: Arc<Kernel>,
    /// `a − b`
    pub sub: Arc<Kernel>,
    /// `−a`
    pub opp: Arc<Kernel>,
}

/// The numbers of constants, by name.
pub type Numbers<'a> = dyn Fn(&str) -> Option<BigUint> + 'a;

/// The kernel of a formula: its output groups and its input groups are parameters, one array each, in order.
///
/// # Errors
/// For a formula that divides or chooses by a bit, for a constant without a number, and where a kernel forbids its
/// output at the place of an operand.
pub fn lower(
    name: &str,
    formula: &Checked,
    ground: Ground,
    numbers: &Numbers,
    operations: &Operations,
) -> Result<Kernel, NotApplicable> {
    let formula = inlined(formula.formula()).map_err(|e| NotApplicable(e.to_string()))?;
    framed(name, formula, ground, numbers, |b, formula, constants, outputs, inputs| {
        calls::write(b, formula, ground, constants, operations, outputs, inputs)
    })
}

/// The signature around the steps of a formula, which `body` writes: it gets the formula without its scale, the
/// numbers of its constants, outputs and inputs.
fn framed(
    name: &str,
    formula: Formula,
    ground: Ground,
    numbers: &Numbers,
    body: impl FnOnce(&mut Builder, &Formula, &[BigUint], &[Element], &[Element]) -> Result<(), NotApplicable>,
) -> Result<Kernel, NotApplicable> {
    let (formula, constants) = prepared(formula, ground, numbers)?;
    let claims = claims::claims(&formula, ground, &constants)?;
    let mut b = Builder::new(name, ground.layout.word);
    let outputs: Vec<Element> = formula
        .outputs
        .iter()
        .map(|g| Element::output(&mut b, ground.layout, &output_name(&formula, &g.name), g.elements.len()))
        .collect();
    let inputs: Vec<Element> =
        formula.inputs.iter().map(|g| Element::input(&mut b, ground.layout, &g.name, g.elements.len())).collect();
    body(&mut b, &formula, &constants, &outputs, &inputs)?;
    let operands = |all: &[Element]| -> Vec<Operand> { all.iter().flat_map(|e| e.numbered(ground.layout)).collect() };
    let claims = operands(&outputs).into_iter().zip(claims).map(|(operand, claim)| ValueClaim::on(claim, operand));
    let claims = claims.collect();
    Ok(b.finish(Contract { facts: Vec::new(), inputs: operands(&inputs), claims }))
}

/// The formula without its scale, and the numbers of its constants.
fn prepared(formula: Formula, ground: Ground, numbers: &Numbers) -> Result<(Formula, Vec<BigUint>), NotApplicable> {
    let formula = unscaled(formula);
    let inverse = |scale: u32| BigUint::from(scale).modinv(&ground.modulus.value);
    let numbers = |name: &str| match name.strip_prefix(ONE_OVER) {
        Some(scale) => inverse(scale.parse().ok()?),
        None => numbers(name),
    };
    let constants = constants(&formula, ground.modulus, &numbers)?;
    Ok((formula, constants))
}

/// How the constant is named by which outputs lose the factor that a formula leaves them.
const ONE_OVER: &str = "one_over_";

/// The formula without its scale: every output times its inverse.
fn unscaled(mut formula: Formula) -> Formula {
    if formula.scale == 1 {
        return formula;
    }
    let first = formula.first_result().0;
    let constant = Value(first);
    formula.constants.push(Constant { name: format!("{ONE_OVER}{}", formula.scale), known: Known::Free });
    // Results move up by the new constant.
    let moved = |v: Value| if v.0 < first { v } else { Value(v.0 + 1) };
    formula.steps.iter_mut().for_each(|step| *step = step.on(moved));
    let results = formula.value_count() as u32..;
    for (result, output) in results.zip(formula.outputs.iter_mut().flat_map(|group| &mut group.elements)) {
        formula.steps.push(Step::MulConstant(constant, moved(output.value)));
        output.value = Value(result);
    }
    Formula { scale: 1, ..formula }
}

/// What an output's array is called: `out`, where there is only one.
fn output_name(formula: &Formula, group: &str) -> String {
    if formula.outputs.len() == 1 { "out".into() } else { format!("out_{group}") }
}

/// The numbers of a formula's constants, in order.
fn constants(formula: &Formula, m: &Modulus, numbers: &Numbers) -> Result<Vec<BigUint>, NotApplicable> {
    let mut known: Vec<(String, BigUint)> = Vec::new();
    for constant in &formula.constants {
        let number = claims::constant(constant, m, numbers, &known).ok_or_else(|| {
            NotApplicable(format!("the constant {} has no number here, or another one", constant.name))
        })?;
        known.push((constant.name.clone(), number));
    }
    Ok(known.into_iter().map(|(_, number)| number).collect())
}

/// The formula of that name, checked.
pub(crate) fn named(name: &str) -> Result<Checked, NotApplicable> {
    let families = registry();
    let entry = families.iter().flat_map(|family| family.formulas).find(|entry| entry.name == name);
    let formula = entry.ok_or_else(|| NotApplicable(format!("no formula {name}")))?.formula();
    let checked = formula.map_err(|e| NotApplicable(e.to_string())).map(|formula| check(&formula))?;
    checked.map_err(|e| NotApplicable(e.to_string()))
}

/// Coordinate i of all elements, one after the other.
pub(super) fn coordinate(elements: &[Element], mut i: usize, layout: &Layout) -> View {
    for element in elements {
        if i < element.coordinates {
            return View::from(element.array, i as u32 * layout.digits() as u32);
        }
        i -= element.coordinates;
    }
    unreachable!("an output has a coordinate")
}

/// A parameter: an element of several coordinates in one array.
pub(crate) struct Element {
    name: String,
    /// The array.
    pub(crate) array: Array,
    /// How many coordinates it has.
    pub(crate) coordinates: usize,
}

impl Element {
    /// Bounds and weights of all coordinates one after the other, as those of digits that lie in one array.
    fn repeated(layout: &Layout, coordinates: usize) -> (Vec<u32>, Bounds) {
        let repeat = |x: &[BigInt]| (0..coordinates).flat_map(|_| x.to_vec()).collect::<Vec<_>>();
        let weights = (0..coordinates).flat_map(|_| layout.weights.clone()).collect();
        let digit_max = repeat(&layout.resting.digit_max);
        (weights, Bounds { digit_max, ..layout.resting.clone() })
    }

    pub(crate) fn input(b: &mut Builder, layout: &Layout, name: &str, coordinates: usize) -> Element {
        let (weights, bounds) = Element::repeated(layout, coordinates);
        let array = input(b, name, &weights, &bounds).array;
        Element { name: name.into(), array, coordinates }
    }

    pub(crate) fn output(b: &mut Builder, layout: &Layout, name: &str, coordinates: usize) -> Element {
        let (weights, bounds) = Element::repeated(layout, coordinates);
        let (array, _) = output(b, name, &weights, &bounds);
        Element { name: name.into(), array, coordinates }
    }

    /// The numbers that the coordinates are, named by their places.
    pub(crate) fn numbered(&self, layout: &Layout) -> Vec<Operand> {
        let names: Vec<String> = (0..self.coordinates).map(|i| format!("{}{i}", self.name)).collect();
        self.operands(layout, &names)
    }

    /// The numbers that the coordinates are.
    fn operands(&self, layout: &Layout, names: &[String]) -> Vec<Operand> {
        let n = layout.digits() as u32;
        let resting = &layout.resting;
        let own = |(i, name): (usize, &String)| {
            let mut operand =
                Operand::new(name.as_str(), self.array, &layout.weights, &resting.digit_max, resting.bound.clone());
            operand.digits.iter_mut().for_each(|digit| digit.index += i as u32 * n);
            operand.unmasked(resting.low)
        };
        let all: Vec<Operand> = names.iter().enumerate().map(own).collect();
        match <[Operand; 1]>::try_from(all) {
            // A single coordinate is the element.
            Ok([one]) => vec![Operand { name: self.name.clone(), ..one }],
            Err(all) => all,
        }
    }
}
