//! Whole products in lanes, and their reduction in Montgomery form: sums of them are sums of columns.
//!
//! * **computes** `a·b` and `a²` in 2n columns, an equality of integers; `a/R mod p` of such columns, or of sums of them.
//! * **needs** Montgomery layouts of one radix; factors up to the layout's loose bound. The reduction takes whatever
//!   columns leave it room for its rows, of a number that it brings to rest.
//! * **gives** columns that are not carried where digits are multiplied by halves: they have room for sums of many
//!   products. Columns of whole products of digits have none, and are cut at their radix. The reduction gives elements
//!   at rest; nothing is subtracted.
//! * **cost** 2n² multiply-adds a product, or n² whole products and 3(2n − 1) operations for carries; as many for the
//!   reduction as for that of a product.
//! * **source** Aranha, Karabina, Longa, Gebotys, López, "Faster explicit formulas for computing pairings over ordinary
//!   curves" (Eurocrypt 2011), for sums before a reduction; Gueron, Krasnov (2016) for columns with room.

use evariste_descriptions::{Field, Modulus};
use evariste_ir::range::pow2;
use evariste_ir::{Builder, Contract, Kernel, Number, Polynomial, Value};
use num_bigint::BigInt;

use super::montgomery::{self, Clearing};
use super::{add, columns, sums};
use crate::layout::{Bounds, Layout};
use crate::operation::Operation;
use crate::prime::representation::{kernel_name, modulus, prime};
use crate::recipe::Whole;
use crate::signature::{NotApplicable, ValueClaim, input, output, store_result};

/// Registry line.
pub const PRODUCT: Whole = Whole {
    name: "columns",
    applies: |f, l, op| op.is_any(&[Operation::MUL_WIDE, Operation::SQUARE_WIDE]) && add::of(f, l, applies),
    write: write_product,
};

/// Registry line.
pub const REDUCTION: Whole = Whole {
    name: "montgomery-of-columns",
    applies: |f, l, op| *op == Operation::REDUCE && add::of(f, l, applies),
    write: write_reduction,
};

/// Are products of the layout's elements columns that a reduction takes?
pub fn applies(m: &Modulus, layout: &Layout) -> bool {
    montgomery::applies(m, layout) && sums::has_columns(layout) && most(m, layout).is_some()
}

/// Weights of the columns.
pub fn weights(layout: &Layout) -> Vec<u32> {
    (0..2 * layout.digits() as u32).map(|i| i * layout.radix.unwrap_or(layout.word)).collect()
}

/// The columns of the product of two numbers up to the layout's loose bound, or of a square.
pub fn bounds(layout: &Layout, square: bool) -> Bounds {
    let mut b = Builder::new("bounds", layout.word);
    let x = input(&mut b, "a", &layout.weights, &layout.loose).load(&mut b);
    let y = if square { x.clone() } else { input(&mut b, "b", &layout.weights, &layout.loose).load(&mut b) };
    let t = product(&mut b, layout, &x, &y);
    let bound = &x.bound * &y.bound;
    let digit_max = t.iter().zip(weights(layout)).map(|(t, w)| b.max(*t).clone().min(&bound >> w)).collect();
    Bounds { digit_max, bound, low: None }
}

/// The most that a reduction takes: columns with room for its rows, of a number that it brings to rest. `None`: products
/// of elements have no room.
pub fn most(m: &Modulus, layout: &Layout) -> Option<Bounds> {
    let (k, n) = (layout.radix?, layout.digits() as u32);
    let full: BigInt = pow2(layout.word) - 1u32;
    // Halves of two rows, what a column starts from, a carry; whole products make room for themselves.
    let rows: BigInt = (pow2(k) - 1u32) * (2 * n + 1) + pow2(layout.word - k);
    let room = if columns::whole(layout.word, k) { BigInt::from(0) } else { rows };
    let rest = &layout.resting.bound;
    let bound: BigInt = (rest + 1u32) * layout.factor() - 1u32 - (layout.factor() - 1u32) * prime(m);
    let digit_max = weights(layout).iter().map(|w| (&full - &room).min(&bound >> *w)).collect();
    (full > room && rest * rest <= bound).then_some(Bounds { digit_max, bound, low: None })
}

/// The columns of `x·y`.
fn product(b: &mut Builder, layout: &Layout, x: &Number, y: &Number) -> Vec<Value> {
    let k = layout.radix.unwrap_or(layout.word);
    let mut t =
        if x == y { columns::square(b, k, &x.digits) } else { columns::product(b, k, &[], &x.digits, &y.digits) };
    if columns::whole(b.word(), k) {
        let top = t.len() - 1;
        columns::carry(b, k, &mut t, 0, top);
        t[..top].iter_mut().for_each(|column| *column = b.low_bits(*column, k));
    }
    t
}

fn write_product(_: &Field, layout: &Layout, op: &Operation) -> Result<Kernel, NotApplicable> {
    let square = *op == Operation::SQUARE_WIDE;
    let (weights, bounds) = (weights(layout), bounds(layout, square));
    let mut b = Builder::new(kernel_name(op, PRODUCT.name), layout.word);
    let (out, operand) = output(&mut b, "out", &weights, &bounds);
    let names: &[&str] = if square { &["a"] } else { &["a", "b"] };
    let inputs: Vec<_> = names.iter().map(|name| input(&mut b, name, &layout.weights, &layout.loose)).collect();
    let numbers: Vec<Number> = inputs.iter().map(|i| i.load(&mut b)).collect();
    let last = numbers.len() - 1;
    let digits = product(&mut b, layout, &numbers[0], &numbers[last]);
    let operand = store_result(&mut b, out, operand, &Number { digits, weights, bound: bounds.bound })?;
    let claim = ValueClaim::plain(Polynomial::default().plus(1, &[0, last as u32]), None).on(operand);
    let inputs = inputs.into_iter().map(|i| i.operand).collect();
    Ok(b.finish(Contract { facts: Vec::new(), inputs, claims: vec![claim] }))
}

fn write_reduction(field: &Field, layout: &Layout, op: &Operation) -> Result<Kernel, NotApplicable> {
    let m = modulus(field)?;
    let bounds = most(m, layout).ok_or_else(|| NotApplicable("columns without room for a reduction".into()))?;
    let (n, k) = (layout.digits(), layout.radix.unwrap_or(layout.word));
    let mut b = Builder::new(kernel_name(op, REDUCTION.name), layout.word);
    let (out, operand) = output(&mut b, "out", &layout.weights, &layout.resting);
    let x = input(&mut b, "a", &weights(layout), &bounds);
    let mut t = x.load(&mut b).digits;
    let clearing = Clearing::new(&mut b, m, k, n);
    let start = clearing.start(&mut b);
    for i in 0..n {
        columns::add(&mut b, k, &mut t, i, start);
        clearing.row(&mut b, &mut t, i);
    }
    let bound = clearing.bound(layout, &bounds.bound);
    let digits = columns::digits(&mut b, layout, t.split_off(n), bound);
    let operand = store_result(&mut b, out, operand, &digits)?;
    let claim = ValueClaim { factor: layout.factor(), polynomial: Polynomial::input(0), modulus: Some(prime(m)) };
    Ok(b.finish(Contract { facts: Vec::new(), inputs: vec![x.operand], claims: vec![claim.on(operand)] }))
}
