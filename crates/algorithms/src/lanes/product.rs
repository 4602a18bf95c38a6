//! Products of plain integers in lanes: rows where all columns stay in registers, strips of columns above.
//!
//! * **computes** `a·b` and `a²` over the integers, in 2n canonical digits.
//! * **needs** canonical digits.
//! * **gives** canonical digits, the top one by the product's bound. Strips store each digit as soon as it is known and
//!   load operands again for every strip.
//! * **cost** 2n² + 3(2n − 1) operations (less where a digit is short); squares n(n + 1) products and 2n − 2 doublings.
//! * **source** Gueron, Krasnov (2016) for rows; strips are the product scanning of Comba (1990) for several columns at
//!   a time.

use evariste_descriptions::{Field, Integers};
use evariste_ir::range::pow2;
use evariste_ir::{Array, Builder, Contract, Kernel, Operand, Polynomial, Value};

use super::columns::{add_high, add_low, has_high};
use crate::layout::{Bounds, Layout};
use crate::operation::Operation;
use crate::prime::representation::kernel_name;
use crate::recipe::Whole;
use crate::signature::{NotApplicable, ValueClaim, input, output};

/// Registry line.
pub const ROWS_MADD: Whole = Whole {
    name: "rows-madd",
    applies: |f, l, op| applies(f, l, op) && l.digits() <= 12,
    write: |_, l, op| write(l, op, "rows-madd", usize::MAX),
};

/// Registry line.
pub const STRIPS_12_MADD: Whole = Whole {
    name: "strips-12-madd",
    applies: |f, l, op| applies(f, l, op) && l.digits() > 6,
    write: |_, l, op| write(l, op, "strips-12-madd", 12),
};

/// Registry line.
pub const STRIPS_13_MADD: Whole = Whole {
    name: "strips-13-madd",
    applies: |f, l, op| applies(f, l, op) && l.digits() > 6,
    write: |_, l, op| write(l, op, "strips-13-madd", 13),
};

/// Registry line.
pub const STRIPS_14_MADD: Whole = Whole {
    name: "strips-14-madd",
    applies: |f, l, op| applies(f, l, op) && l.digits() > 6,
    write: |_, l, op| write(l, op, "strips-14-madd", 14),
};

/// A strip for operands of tests.
pub const STRIPS_2_MADD: Whole = Whole {
    name: "strips-2-madd",
    applies: |f, l, op| applies(f, l, op) && l.word < 16,
    write: |_, l, op| write(l, op, "strips-2-madd", 2),
};

fn applies(field: &Field, layout: &Layout, op: &Operation) -> bool {
    field.get::<Integers>().is_some()
        && layout.radix.is_some()
        && layout.resting.low.is_none()
        && op.is_any(&[Operation::MUL, Operation::SQUARE])
}

/// The kernel, `width` columns at a time.
fn write(layout: &Layout, op: &Operation, name: &str, width: usize) -> Result<Kernel, NotApplicable> {
    let k = layout.radix.ok_or_else(|| NotApplicable("not a layout for lanes".into()))?;
    let mut b = Builder::new(kernel_name(op, name), layout.word);
    let n = layout.digits();
    let weights: Vec<u32> = (0..2 * n as u32).map(|i| i * k).collect();
    let bound = &layout.loose.bound * &layout.loose.bound;
    let digit_max = weights.iter().map(|w| std::cmp::min(pow2(k) - 1, &bound >> *w)).collect();
    let (out, operand) = output(&mut b, "out", &weights, &Bounds { digit_max, bound, low: None });
    let names: &[&str] = if *op == Operation::SQUARE { &["a"] } else { &["a", "b"] };
    let inputs: Vec<_> = names.iter().map(|name| input(&mut b, name, &layout.weights, &layout.loose)).collect();
    let arrays: Vec<Array> = inputs.iter().map(|i| i.array).collect();
    let (x, y) = (arrays[0], arrays[arrays.len() - 1]);
    let zero = b.word_constant(0);
    let mut carry = zero;
    let mut loaded: Option<(Vec<Value>, Vec<Value>)> = None;
    let width = width.min(2 * n);
    for from in (0..2 * n).step_by(width) {
        let strip = from..(from + width).min(2 * n);
        if loaded.is_none() || width < 2 * n {
            loaded = Some((b.load_all(x), b.load_all(y)));
        }
        let Some((a, c)) = &loaded else { break };
        let mut t =
            if x == y { squares(&mut b, k, a, strip.clone()) } else { products(&mut b, k, a, c, strip.clone()) };
        for (column, i) in t.iter_mut().zip(strip) {
            let sum = b.add(*column, carry);
            let top = i + 1 == 2 * n;
            carry = if top { zero } else { b.shr(sum, k) };
            *column = if top { sum } else { b.low_bits(sum, k) };
            b.store(out, i, *column);
        }
    }
    let factors = [0, inputs.len() as u32 - 1];
    let claim = ValueClaim::plain(Polynomial::default().plus(1, &factors), None).on(operand);
    let inputs: Vec<Operand> = inputs.into_iter().map(|i| i.operand).collect();
    Ok(b.finish(Contract { facts: Vec::new(), inputs, claims: vec![claim] }))
}

/// Columns `strip` of `a·c`.
fn products(b: &mut Builder, k: u32, a: &[Value], c: &[Value], strip: std::ops::Range<usize>) -> Vec<Value> {
    let zero = b.word_constant(0);
    let mut t = vec![zero; strip.len()];
    for (i, ci) in c.iter().enumerate() {
        for (j, aj) in a.iter().enumerate() {
            add_to_strip(b, k, &mut t, &strip, i + j, *aj, *ci);
        }
    }
    t
}

/// Columns `strip` of `a²`: different digits once, doubled, then the squares of digits.
fn squares(b: &mut Builder, k: u32, a: &[Value], strip: std::ops::Range<usize>) -> Vec<Value> {
    let zero = b.word_constant(0);
    let mut t = vec![zero; strip.len()];
    for (i, ai) in a.iter().enumerate() {
        for (j, aj) in a.iter().enumerate().skip(i + 1) {
            add_to_strip(b, k, &mut t, &strip, i + j, *aj, *ai);
        }
    }
    for column in &mut t {
        *column = b.add(*column, *column);
    }
    for (i, ai) in a.iter().enumerate() {
        add_to_strip(b, k, &mut t, &strip, 2 * i, *ai, *ai);
    }
    t
}

fn add_to_strip(
    b: &mut Builder,
    k: u32,
    t: &mut [Value],
    strip: &std::ops::Range<usize>,
    at: usize,
    x: Value,
    y: Value,
) {
    if strip.contains(&at) {
        add_low(b, k, t, at - strip.start, x, y);
    }
    if strip.contains(&(at + 1)) && has_high(b, k, x, y) {
        add_high(b, k, t, at + 1 - strip.start, x, y);
    }
}
