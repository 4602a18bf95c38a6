//! What is known of a formula before it is written: who reads each value last, which steps are multiples.

use evariste_formulas::{Formula, Step, Value};
use num_bigint::BigUint;
use num_traits::{One, ToPrimitive, Zero};

use crate::signature::NotApplicable;

/// The greatest number by which an element is multiplied in doublings and sums.
pub(super) const SMALL: u32 = 64;

/// What the writer knows of a formula before it begins.
pub(super) struct Order<'a> {
    pub(super) formula: &'a Formula,
    /// The number of each constant.
    pub(super) constants: &'a [BigUint],
    /// p
    pub(super) modulus: &'a BigUint,
    /// The last step that reads each value.
    pub(super) last_use: Vec<usize>,
    /// The last step that reads an input.
    pub(super) last_input: usize,
}

/// A multiple of an element.
pub(super) enum Times {
    /// Nothing.
    Zero,
    /// Itself, or its negative, some times.
    Small { k: u32, negative: bool },
    /// Any other.
    Any(BigUint),
}

impl<'a> Order<'a> {
    pub(super) fn new(
        formula: &'a Formula,
        modulus: &'a BigUint,
        constants: &'a [BigUint],
    ) -> Result<Order<'a>, NotApplicable> {
        let mut order = Order { formula, constants, modulus, last_use: vec![0; formula.value_count()], last_input: 0 };
        // What a multiple by ±1 is read for, its operand is read for.
        let mut of: Vec<Value> = (0..formula.value_count() as u32).map(Value).collect();
        for (at, (result, step)) in formula.statements().enumerate() {
            for operand in order.operands(step) {
                let root = of[operand.0 as usize];
                order.last_use[root.0 as usize] = at;
                if (root.0 as usize) < formula.input_count() {
                    order.last_input = at;
                }
            }
            if let Some((a, Times::Small { k: 1, .. })) = order.multiple(step) {
                of[result.0 as usize] = of[a.0 as usize];
            }
        }
        let end = formula.steps.len();
        for output in formula.output_list() {
            let root = of[output.value.0 as usize];
            order.last_use[root.0 as usize] = end;
            if (root.0 as usize) < formula.input_count() {
                order.last_input = end;
            }
        }
        Ok(order)
    }

    /// The elements that a step reads; of a multiple not the constant.
    pub(super) fn operands(&self, step: &Step) -> Vec<Value> {
        match step {
            Step::MulConstant(_, a) => vec![*a],
            step => step.operands(),
        }
    }

    /// The number that a value is, where it is a constant.
    pub(super) fn number(&self, value: Value) -> Option<&BigUint> {
        self.constants.get((value.0 as usize).checked_sub(self.formula.input_count())?)
    }

    /// The operand and the multiple, of steps that are one.
    pub(super) fn multiple(&self, step: &Step) -> Option<(Value, Times)> {
        let (number, a) = match step {
            Step::MulConstant(c, a) => (self.number(*c)?.clone(), *a),
            Step::Neg(a) => (self.modulus - 1u32, *a),
            Step::Double(a) => (2u32.into(), *a),
            Step::Small(k, a) => ((*k).into(), *a),
            Step::Halve(a) => ((self.modulus + 1u32) >> 1u32, *a),
            _ => return None,
        };
        let number = number % self.modulus;
        let small = |x: &BigUint| x.to_u32().filter(|k| *k <= SMALL);
        let times = match (small(&number), small(&(self.modulus - &number))) {
            _ if number.is_zero() => Times::Zero,
            (Some(k), _) => Times::Small { k, negative: false },
            (None, Some(k)) => Times::Small { k, negative: true },
            (None, None) => Times::Any(number),
        };
        Some((a, times))
    }

    /// How often the half is taken of what is multiplied by that number, at most three times.
    pub(super) fn halvings(&self, number: &BigUint) -> Option<u32> {
        (1..=3u32).find(|k| ((number << *k) % self.modulus).is_one())
    }

    /// The output that a step's result may be written to at once: it is only that, and no input is read after it.
    pub(super) fn output(&self, result: Value, at: usize) -> Option<usize> {
        let (i, _) = self.formula.output_list().enumerate().find(|(_, output)| output.value == result)?;
        (at >= self.last_input).then_some(i)
    }
}

/// The signed form of k ≥ 1 without two digits in a row, lowest first: the last is 1.
pub(super) fn signed_digits(mut k: u32) -> Vec<i8> {
    let mut digits = Vec::new();
    while k > 0 {
        let digit = match k & 3 {
            1 => 1,
            3 if k > 3 => -1,
            3 => 1,
            _ => 0,
        };
        digits.push(digit);
        k = if digit < 0 { k + 1 } else { k - digit as u32 };
        k >>= 1;
    }
    digits
}
