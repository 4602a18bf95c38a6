//! A formula as calls of the field's kernels: every product is reduced, every sum rests.
//!
//! * **computes** what the formula does, step by step.
//! * **needs** kernels whose outputs may lie where operands do; resting elements. An output may lie where an operand
//!   does: it is written when no operand is read any more.
//! * **gives** resting elements.
//! * **cost** the formula's counts of the field's operations; a small multiple is doublings and sums, one by 1/2, 1/4 or
//!   1/8 halves where the layout has these, a negative is free
//!   until somebody must have it; at most as many elements of memory as the order of the steps keeps alive.
//! * **source** the formula's.

use std::sync::Arc;

use evariste_formulas::{Formula, Step, Value};
use evariste_ir::{ArrayKind, Builder, Index, Kernel, View};
use num_bigint::BigUint;

use super::constants::constant_array;
use super::halve::halve;
use super::order::{Order, Times, signed_digits};
use super::places::Places;
use super::{Element, Ground, Operations, coordinate};
use crate::prime::power::Callee;
use crate::signature::NotApplicable;

/// Where a value lies, and whether it is minus what lies there.
#[derive(Clone)]
struct Held {
    view: View,
    negative: bool,
    /// The value whose place it is: a multiple by ±1 has none of its own.
    of: Value,
}

struct Writer<'a> {
    b: &'a mut Builder,
    ground: Ground<'a>,
    mul: Callee,
    square: Callee,
    add: Callee,
    sub: Callee,
    opp: Callee,
    halve: Option<Callee>,
    places: Places,
    held: Vec<Option<Held>>,
    /// Constants that have an array, as the number that lies there.
    constants: Vec<(BigUint, View)>,
}

/// Writes the calls.
pub(super) fn write(
    b: &mut Builder,
    formula: &Formula,
    ground: Ground,
    constants: &[BigUint],
    operations: &Operations,
    outputs: &[Element],
    inputs: &[Element],
) -> Result<(), NotApplicable> {
    let Operations { mul, square, add, sub, opp } = operations;
    let all = [mul, square, add, sub, opp];
    if let Some(kernel) = all.iter().find(|kernel| !kernel.disjoint.is_empty()) {
        return Err(NotApplicable(format!("{} must allow an output at the place of an operand", kernel.name)));
    }
    let plan = Order::new(formula, &ground.modulus.value, constants)?;
    let callee = |b: &mut Builder, kernel: &Arc<Kernel>, name: &str| Callee::new(b, kernel.clone(), name);
    let [mul, square] = [callee(b, mul, "mul"), callee(b, square, "square")];
    let [add, sub, opp] = [callee(b, add, "add"), callee(b, sub, "sub"), callee(b, opp, "opp")];
    let places = Places::new(ground.layout, plan.last_use.clone());
    let held = vec![None; formula.value_count()];
    let mut writer = Writer { b, ground, mul, square, add, sub, opp, halve: None, places, held, constants: Vec::new() };
    writer.inputs(inputs);
    for (at, (result, step)) in formula.statements().enumerate() {
        let to = plan.output(result, at).map(|i| coordinate(outputs, i, ground.layout));
        writer.step(&plan, at, result, step, to)?;
    }
    let mut rest = Vec::new();
    for (i, output) in formula.output_list().enumerate() {
        let to = coordinate(outputs, i, ground.layout);
        let from = writer.operand(&plan, output.value)?;
        if from.view != to || from.negative {
            rest.push((from, to));
        }
    }
    writer.copies(rest);
    Ok(())
}

impl Writer<'_> {
    /// The places of inputs.
    fn inputs(&mut self, inputs: &[Element]) {
        let count = inputs.iter().map(|e| e.coordinates).sum();
        for i in 0..count {
            let view = coordinate(inputs, i, self.ground.layout);
            self.held[i] = Some(Held { view, negative: false, of: Value(i as u32) });
        }
    }

    fn value(&self, value: Value) -> Result<Held, NotApplicable> {
        let held = self.held.get(value.0 as usize).cloned().flatten();
        held.ok_or_else(|| NotApplicable("a step reads what is not there".into()))
    }

    /// The place of a step's result. Operands that die leave theirs first: kernels read before they write.
    fn place(&mut self, operands: &[&Held], at: usize, to: Option<View>, inputs: usize) -> View {
        for held in operands {
            if held.of.0 as usize >= inputs && self.places.dies(held.of, at) && self.is_local(&held.view) {
                self.places.leave(&held.view);
            }
        }
        to.unwrap_or_else(|| self.places.take(self.b))
    }

    fn is_local(&self, view: &View) -> bool {
        let constant = self.constants.iter().any(|(_, other)| other == view);
        !constant && self.b.kernel().array(view.array).kind == ArrayKind::Local
    }

    fn step(
        &mut self,
        order: &Order,
        at: usize,
        result: Value,
        step: &Step,
        to: Option<View>,
    ) -> Result<(), NotApplicable> {
        let inputs = order.formula.input_count();
        let held = match step {
            Step::Add(a, b) | Step::Sub(a, b) => {
                let (a, b) = (self.operand(order, *a)?, self.operand(order, *b)?);
                let b = Held { negative: b.negative ^ matches!(step, Step::Sub(..)), ..b };
                let view = self.place(&[&a, &b], at, to, inputs);
                let negative = a.negative && b.negative;
                match (a.negative, b.negative) {
                    (true, false) => self.sub.call_views(self.b, view.clone(), &[b.view, a.view]),
                    (false, true) => self.sub.call_views(self.b, view.clone(), &[a.view, b.view]),
                    _ => self.add.call_views(self.b, view.clone(), &[a.view, b.view]),
                }
                Held { view, negative, of: result }
            }
            Step::Mul(a, b) => {
                let (a, b) = (self.operand(order, *a)?, self.operand(order, *b)?);
                let view = self.place(&[&a, &b], at, to, inputs);
                let negative = a.negative ^ b.negative;
                self.mul.call_views(self.b, view.clone(), &[a.view, b.view]);
                Held { view, negative, of: result }
            }
            Step::Square(a) => {
                let a = self.operand(order, *a)?;
                let view = self.place(&[&a], at, to, inputs);
                self.square.call_views(self.b, view.clone(), &[a.view]);
                Held { view, negative: false, of: result }
            }
            Step::Invert(_) => return Err(NotApplicable("a formula that divides".into())),
            Step::Select(..) | Step::Swap(..) => return Err(NotApplicable("a formula that chooses by a bit".into())),
            Step::Call { .. } => return Err(NotApplicable("a call that was not inlined".into())),
            _ => self.multiple(order, at, result, step, to)?,
        };
        self.held[result.0 as usize] = Some(held);
        Ok(())
    }

    /// An operand; a constant gets an array.
    fn operand(&mut self, order: &Order, value: Value) -> Result<Held, NotApplicable> {
        match order.number(value) {
            Some(number) => Ok(Held { view: self.constant(number), negative: false, of: value }),
            None => self.value(value),
        }
    }

    fn multiple(
        &mut self,
        order: &Order,
        at: usize,
        result: Value,
        step: &Step,
        to: Option<View>,
    ) -> Result<Held, NotApplicable> {
        let inputs = order.formula.input_count();
        let (a, times) = order.multiple(step).ok_or_else(|| NotApplicable("a multiple by no constant".into()))?;
        let a = self.operand(order, a)?;
        Ok(match times {
            Times::Zero => Held { view: self.constant(&BigUint::ZERO), negative: false, of: result },
            Times::Small { k: 1, negative } => Held { negative: a.negative ^ negative, ..a },
            Times::Small { k, negative } => {
                // The operand is read until the end: it cannot lie where the result does.
                let read_on = k > 2;
                let is_input = (a.of.0 as usize) < inputs;
                let view = match (read_on, is_input) {
                    (false, _) => self.place(&[&a], at, to, inputs),
                    (true, false) => self.place(&[], at, to, inputs),
                    (true, true) => self.places.take(self.b),
                };
                self.small(k, &a.view, &view);
                if read_on && !is_input && self.places.dies(a.of, at) && self.is_local(&a.view) {
                    self.places.leave(&a.view);
                }
                Held { view, negative: a.negative ^ negative, of: result }
            }
            Times::Any(number) => {
                let view = self.place(&[&a], at, to, inputs);
                if let Some(count) = order.halvings(&number)
                    && let Some(halve) = self.halve()
                {
                    let mut from = a.view;
                    for _ in 0..count {
                        halve.call_views(self.b, view.clone(), &[from]);
                        from = view.clone();
                    }
                    return Ok(Held { view, negative: a.negative, of: result });
                }
                let constant = self.constant(&number);
                self.mul.call_views(self.b, view.clone(), &[a.view, constant]);
                Held { view, negative: a.negative, of: result }
            }
        })
    }

    /// What halves elements; `None` where their digits are of a form that it does not know.
    fn halve(&mut self) -> Option<Callee> {
        if self.halve.is_none() {
            let kernel = halve(self.ground.modulus, self.ground.layout).ok()?;
            self.halve = Some(Callee::new(self.b, Arc::new(kernel), "halve"));
        }
        self.halve.clone()
    }

    /// `k·a` for k ≥ 2 by doublings, and sums or differences at the other digits of k's signed form.
    fn small(&mut self, k: u32, a: &View, to: &View) {
        let digits = signed_digits(k);
        let mut from = a;
        for digit in digits.iter().rev().skip(1) {
            self.add.call_views(self.b, to.clone(), &[from.clone(), from.clone()]);
            from = to;
            match digit {
                1 => self.add.call_views(self.b, to.clone(), &[to.clone(), a.clone()]),
                -1 => self.sub.call_views(self.b, to.clone(), &[to.clone(), a.clone()]),
                _ => {}
            }
        }
    }

    /// The array of a constant, filled where it is first needed.
    fn constant(&mut self, number: &BigUint) -> View {
        if let Some((_, view)) = self.constants.iter().find(|(other, _)| other == number) {
            return view.clone();
        }
        let view = constant_array(self.b, &self.ground.modulus.value, self.ground.layout, number);
        self.constants.push((number.clone(), view.clone()));
        view
    }

    /// Elements, or their negatives, to outputs. An output may lie where an input does: all are read before the first is
    /// written.
    fn copies(&mut self, rest: Vec<(Held, View)>) {
        let n = self.ground.layout.digits() as u32;
        let mut all = Vec::new();
        for (from, to) in rest {
            let view = if from.negative {
                let place = self.places.take(self.b);
                self.opp.call_views(self.b, place.clone(), &[from.view]);
                place
            } else {
                from.view
            };
            all.push(((0..n).map(|i| self.b.load(view.array, at(&view, i))).collect::<Vec<_>>(), to));
        }
        for (digits, to) in all {
            for (i, digit) in (0..n).zip(digits) {
                self.b.store(to.array, at(&to, i), digit);
            }
        }
    }
}

/// Element i of what a view shows.
fn at(view: &View, i: u32) -> Index {
    view.start.clone().offset(i.into())
}
