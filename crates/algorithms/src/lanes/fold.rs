//! Products modulo `2^B − c` in lanes: the upper half is folded by a product with `c·2^(kn − B)`.
//!
//! * **computes** `a·b` and `a²` modulo p: all columns; carries through the upper n of them, which are then digits as
//!   far as products look at them; their products with `C = c·2^(kn−B)` onto the lower ones; what is above `2^B` once
//!   more, by c and C; one chain of carries.
//! * **needs** a layout of `2^B − c` with `C < 2^k`, two digits or more.
//! * **gives** a number little above `2^B`: the top digit takes the last carry.
//! * **cost** 2n² (squares: n(n+1) and 2n − 2 doublings), 6n − 4 for carries and fold, 4 or 5 for the bits above `2^B`;
//!   n − 1 more with clean digits.
//! * **source** Bernstein, "Curve25519" (2006), section 4, for the fold; the order of carries is the one that needs no
//!   masks, since products drop what is above a digit.

use evariste_descriptions::Modulus;
use evariste_ir::range::pow2;
use evariste_ir::{Builder, Number, Value};
use num_bigint::BigInt;

use super::columns::{self, is_plain};
use super::{fold_columns, fold_doubles, fold_early_columns};
use crate::layout::Layout;
use crate::recipe::Integrated;
use crate::reduction::carry_pass::pseudo_mersenne;

/// Registry line.
pub const INTEGRATED: Integrated =
    Integrated { name: "fold-madd", applies: |m, l| parameters(m, l).is_some(), multiply, square: Some(square) };

/// Layouts of `2^B − c` for lanes.
pub fn applies(m: &Modulus, layout: &Layout) -> bool {
    reduces(m, layout) || fold_early_columns::applies(m, layout) || fold_doubles::applies(m, layout)
}

/// Those whose 2n columns [`reduce`] takes.
pub(super) fn reduces(m: &Modulus, layout: &Layout) -> bool {
    parameters(m, layout).is_some() || fold_columns::applies(m, layout)
}

/// `(k, bits of the top digit, c, C)`.
fn parameters(m: &Modulus, layout: &Layout) -> Option<(u32, u32, BigInt, BigInt)> {
    let halves = |k: &u32| columns::halves(layout.word, *k) && layout.montgomery.is_none() && !is_plain(m, layout);
    let k = layout.radix.filter(halves)?;
    let (power, c) = pseudo_mersenne(m)?;
    let n = layout.digits() as u32;
    let top = power.checked_sub(k * (n - 1)).filter(|top| (1..=k).contains(top) && n > 1)?;
    let large: BigInt = &c << (k - top);
    (large < pow2(k)).then_some((k, top, c, large))
}

pub(super) fn multiply(b: &mut Builder, m: &Modulus, layout: &Layout, x: &Number, y: &Number) -> Number {
    let t = columns::product(b, layout.radix.unwrap_or(layout.word), &[], &x.digits, &y.digits);
    reduce(b, m, layout, t)
}

fn square(b: &mut Builder, m: &Modulus, layout: &Layout, x: &Number) -> Number {
    let t = columns::square(b, layout.radix.unwrap_or(layout.word), &x.digits);
    reduce(b, m, layout, t)
}

/// Reduces 2n columns.
pub(super) fn reduce(b: &mut Builder, m: &Modulus, layout: &Layout, mut t: Vec<Value>) -> Number {
    let Some((k, top, _, large)) = parameters(m, layout) else { return fold_columns::reduce(b, m, layout, t) };
    let n = layout.digits();
    columns::carry(b, k, &mut t, n, 2 * n - 1);
    let upper = t.split_off(n);
    let zero = b.word_constant(0);
    t.push(zero);
    let large = b.word_constant(large);
    for (i, digit) in upper.into_iter().enumerate() {
        columns::add_product(b, k, &mut t, i, digit, large);
    }
    // Bits from 2^(kn) on, and those from 2^B on below them.
    if b.max(t[n - 1]) >> top >= pow2(k) {
        columns::carry(b, k, &mut t, n - 1, n);
        t[n - 1] = b.low_bits(t[n - 1], k);
    }
    let above = t.pop().unwrap_or(zero);
    columns::add_product(b, k, &mut t, 0, above, large);
    carried(b, m, layout, t)
}

/// Columns of n digits: what is above `2^B` comes back as c times itself, and the carries run once.
pub(super) fn carried(b: &mut Builder, m: &Modulus, layout: &Layout, mut t: Vec<Value>) -> Number {
    let Some((k, top, c, _)) = parameters(m, layout) else { return fold_columns::carried(b, m, layout, t) };
    let (n, c) = (layout.digits(), b.word_constant(c));
    let over = b.shr(t[n - 1], top);
    t[n - 1] = b.low_bits(t[n - 1], top);
    columns::add_product(b, k, &mut t, 0, over, c);
    let mut number = columns::digits(b, layout, t, BigInt::from(0));
    number.bound = columns::bound_by_top(b, &number.digits, k);
    number
}
