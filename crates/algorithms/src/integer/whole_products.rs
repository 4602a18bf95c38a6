//! Whole products over the integers.
//!
//! * **computes** `a·b` or `a²` by a schedule.
//! * **needs** saturated words within the layout's loose bounds.
//! * **gives** all 2n words.
//! * **cost** that of the schedule.
//! * **source** the schedule's.

use evariste_descriptions::{Integers, Modulus, OddModuli};
use evariste_ir::{Builder, Contract, Kernel, Number, Polynomial};

use crate::layout::{Bounds, Layout};
use crate::operation::Operation;
use crate::prime::representation::kernel_name;
use crate::recipe::{Kind, Need, Parts, Product, Recipe, Setting};
use crate::signature::{NotApplicable, ValueClaim, input, output, store_result};

/// Whole products of what is made of numbers, of integers also as their product.
impl Recipe for Product {
    fn name(&self) -> &'static str {
        self.name
    }

    fn kind(&self) -> Kind {
        Kind::Product
    }

    fn needs(&self, s: Setting) -> Option<&'static [Need]> {
        let integers = s.field.get::<Integers>().is_some();
        let numbers = integers || s.field.get::<Modulus>().is_some() || s.field.get::<OddModuli>().is_some();
        let wide = s.operation.is_any(&[Operation::MUL_WIDE, Operation::SQUARE_WIDE]);
        let makes = wide && numbers && s.layout.saturated()
            || integers && s.operation.is_any(&[Operation::MUL, Operation::SQUARE]);
        (makes && s.layout.radix.is_none() && (self.applies)(s.layout.word, s.layout.digits())).then_some(&[])
    }

    fn write(&self, s: Setting, algorithm: &str, _: &dyn Parts) -> Result<Kernel, NotApplicable> {
        let square = s.squares();
        // Reductions call whole products by these names.
        let kind = if square { "square" } else { "multiply" };
        let called = format!("{kind}_{}", algorithm.replace('-', "_"));
        let alone = s.operation.is_any(&[Operation::MUL, Operation::SQUARE]);
        let name = if alone { kernel_name(s.operation, algorithm) } else { called };
        plain_product(&name, self, s.layout, square)
    }
}

/// Most bits of operands of straight-line code.
pub const UNROLLED_BITS: usize = 1088;

/// Is straight-line code for operands of `n` words of `w` bits of a reasonable size? Beyond it only rolled kernels
/// apply.
pub fn unrolled(w: u32, n: usize) -> bool {
    w as usize * n <= UNROLLED_BITS
}

/// Weights of the words of a whole product.
pub fn wide_weights(layout: &Layout) -> Vec<u32> {
    (0..2 * layout.digits() as u32).map(|i| i * layout.word).collect()
}

/// Bounds of the whole product of two operands.
pub fn wide_bounds(layout: &Layout) -> Bounds {
    let bound = &layout.loose.bound * &layout.loose.bound;
    let full: num_bigint::BigInt = evariste_ir::range::pow2(layout.word) - 1;
    let digit_max = wide_weights(layout).iter().map(|w| std::cmp::min(full.clone(), &bound >> *w)).collect();
    Bounds { digit_max, bound, low: None }
}

/// A kernel of the whole product `a·b` (or `a²`) over the integers: `2n` words out.
pub fn plain_product(name: &str, product: &Product, layout: &Layout, square: bool) -> Result<Kernel, NotApplicable> {
    let mut b = Builder::new(name, layout.word);
    let (weights, bounds) = (wide_weights(layout), wide_bounds(layout));
    let bound = bounds.bound.clone();
    let (out, operand) = output(&mut b, "out", &weights, &bounds);
    let x = input(&mut b, "a", &layout.weights, &layout.loose);
    let mut inputs = vec![];
    let digits;
    let polynomial;
    if square {
        let a = x.load(&mut b);
        digits = (product.square)(&mut b, &a.digits);
        polynomial = Polynomial::default().plus(1, &[0, 0]);
        inputs.push(x.operand);
    } else {
        let y = input(&mut b, "b", &layout.weights, &layout.loose);
        let (a, c) = (x.load(&mut b), y.load(&mut b));
        digits = (product.multiply)(&mut b, &a.digits, &c.digits);
        polynomial = Polynomial::default().plus(1, &[0, 1]);
        inputs.extend([x.operand, y.operand]);
    }
    let operand = store_result(&mut b, out, operand, &Number { digits, weights, bound })?;
    Ok(b.finish(Contract { facts: Vec::new(), inputs, claims: vec![ValueClaim::plain(polynomial, None).on(operand)] }))
}
