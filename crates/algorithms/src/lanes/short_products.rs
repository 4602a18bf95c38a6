//! Products, sums, differences and negatives modulo `2^K` in lanes: the columns below `2^K` alone.
//!
//! * **computes** `a·b`, `a²`, `a + b`, `a − b`, `−a` modulo `2^K`: columns 0 to n − 1, one chain of carries, and the top
//!   digit cut at bit K.
//! * **needs** the modulus `2^K`, canonical numbers in clean digits.
//! * **gives** canonical numbers in clean digits. What leaves the top digit is dropped.
//! * **cost** n² multiply-adds (a whole product has 2n²), squares about half of that and n doublings; sums n additions;
//!   2(n − 1) for the carries, n cuts.
//! * **source** as `reduction::short_products`; the columns are those of `lanes::columns`.

use evariste_descriptions::{Field, Modulus};
use evariste_ir::{Builder, Number, Value};

use super::add::{self, of, sums};
use super::columns::{self, add_high, add_low, is_plain};
use crate::layout::Layout;
use crate::operation::Operation;
use crate::prime::representation::{kernel_name, modulus, prime};
use crate::recipe::{Integrated, Whole};
use crate::reduction::carry_pass::covering_multiple;
use crate::signature::NotApplicable;

/// Registry line: products.
pub const INTEGRATED: Integrated = Integrated {
    name: "short-madd",
    applies,
    multiply: |b, m, layout, x, y| {
        let t = product(b, layout, &x.digits, &y.digits);
        carried(b, m, layout, t)
    },
    square: Some(|b, m, layout, x| {
        let t = square(b, layout, &x.digits);
        carried(b, m, layout, t)
    }),
};

/// Registry line: sums.
pub const SUMS: Whole = Whole {
    name: "truncation-lanes",
    applies: |f, l, op| sums(op) && of(f, l, applies),
    write: |f, l, op| add::write(f, l, op, &kernel_name(op, "truncation-lanes"), |b, f, x, y| sum(b, f, l, op, x, y)),
};

/// Layouts of powers of two for lanes.
pub fn applies(m: &Modulus, layout: &Layout) -> bool {
    m.power_of_two().is_some() && is_plain(m, layout)
}

fn radix(layout: &Layout) -> u32 {
    layout.radix.unwrap_or(layout.word)
}

/// The number of these columns modulo `2^K`.
fn carried(b: &mut Builder, m: &Modulus, layout: &Layout, mut t: Vec<Value>) -> Number {
    let (n, k) = (layout.digits(), radix(layout));
    columns::carry(b, k, &mut t, 0, n - 1);
    let top = m.bits - k * (n as u32 - 1);
    let digits = t.iter().enumerate().map(|(i, t)| b.low_bits(*t, if i + 1 == n { top } else { k })).collect();
    Number { digits, weights: layout.weights.clone(), bound: prime(m) - 1u32 }
}

/// Adds `x·y` to column `at`, and to the next one where that is below `2^K`.
fn add_product(b: &mut Builder, layout: &Layout, t: &mut [Value], at: usize, x: Value, y: Value) {
    if at < t.len() {
        add_low(b, radix(layout), t, at, x, y);
    }
    if at + 1 < t.len() {
        add_high(b, radix(layout), t, at + 1, x, y);
    }
}

fn product(b: &mut Builder, layout: &Layout, x: &[Value], y: &[Value]) -> Vec<Value> {
    let mut t = vec![b.word_constant(0); x.len()];
    for (i, yi) in y.iter().enumerate() {
        for (j, xj) in x.iter().enumerate() {
            add_product(b, layout, &mut t, i + j, *xj, *yi);
        }
    }
    t
}

/// Products of different digits once, these columns doubled, then the squares of digits.
fn square(b: &mut Builder, layout: &Layout, x: &[Value]) -> Vec<Value> {
    let mut t = vec![b.word_constant(0); x.len()];
    for (i, xi) in x.iter().enumerate() {
        for (j, xj) in x.iter().enumerate().skip(i + 1) {
            add_product(b, layout, &mut t, i + j, *xj, *xi);
        }
    }
    for column in &mut t {
        *column = b.add(*column, *column);
    }
    for (i, xi) in x.iter().enumerate() {
        add_product(b, layout, &mut t, 2 * i, *xi, *xi);
    }
    t
}

/// The sum, difference or negative.
fn sum(
    b: &mut Builder,
    field: &Field,
    layout: &Layout,
    op: &Operation,
    x: Option<&Number>,
    y: &Number,
) -> Result<Number, NotApplicable> {
    let m = modulus(field)?;
    let mut t = y.digits.clone();
    if *op != Operation::ADD {
        // A multiple of 2^K in digits that are as large as those of b can be.
        let most: Vec<_> = y.digits.iter().map(|y| b.max(*y).clone()).collect();
        let cover = covering_multiple(&prime(m), &layout.weights, &most);
        for (t, cover) in t.iter_mut().zip(cover) {
            let cover = b.word_constant(cover);
            *t = b.sub(cover, *t);
        }
    }
    if let Some(x) = x {
        t = x.digits.iter().zip(t).map(|(x, t)| b.add(*x, t)).collect();
    }
    Ok(carried(b, m, layout, t))
}
