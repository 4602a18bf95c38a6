//! Products of plain integers: schedules over saturated words, one a file.

use evariste_ir::{Kernel, Number, Polynomial};

use crate::layout::{Bounds, Layout};
use crate::recipe::Product;
use crate::signature::{NotApplicable, ValueClaim, input, output, store_result};
use evariste_ir::{Builder, Contract};

pub mod comba;
pub mod comba_columns;
pub mod comba_delayed;
pub mod comba_delayed_3;
pub mod float_products;
pub mod karatsuba;
pub mod operand_scanning;
pub mod operand_scanning_chains;
pub mod operand_scanning_merge;
pub mod operand_scanning_mixed;
pub mod operand_scanning_rolled;
pub mod operand_scanning_two_pass;
pub mod row_forms;
pub mod rows;

/// Is straight-line code for operands of `n` words of `w` bits of a reasonable size? Beyond it only rolled kernels
/// apply.
pub fn unrolled(w: u32, n: usize) -> bool {
    w as usize * n <= 1088
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
