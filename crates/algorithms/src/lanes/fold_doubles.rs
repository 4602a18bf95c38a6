//! Products modulo `2^B − c` in lanes by doubles, for processors with multiply-adds of doubles and no products of 52 bits.
//!
//! * **computes** `a·b` and `a²` modulo p: digits become doubles, their products two multiply-adds each, of which one gives
//!   what is above a digit and the other what is left, with a sign; patterns are summed as integers. A column from
//!   `2^(kn)` on comes back as `C = c·2^(kn − B)` times itself, whole, a multiple of p makes up for signs; one carry pass
//!   ends it.
//! * **needs** a layout of [`layout`]: digits of k = 51 bits or a few less, C times a column in a word.
//! * **gives** digits at rest: each at most a sixteenth of its radix above it.
//! * **cost** 2n² multiply-adds, n² subtractions of doubles and 2n² additions of integers (squares: about half, and 2n
//!   doublings); 4n for conversions, a small product (shifts, where C has few bits) and two additions for each of n columns, three
//!   operations for each of n + 1 carries.
//! * **source** Emmart, Zheng, Weems, "Faster modular exponentiation using double precision floating point arithmetic on
//!   the GPU" (2018), for products; Bernstein, "Floating-point arithmetic and message authentication" (2004), for fields in
//!   doubles; the fold as in Bernstein, "Curve25519" (2006).

use evariste_descriptions::Modulus;
use evariste_ir::range::pow2;
use evariste_ir::{Builder, Number, Value};
use num_bigint::BigInt;

use super::columns::{doubles, is_plain};
use crate::floats::Columns;
use crate::layout::Layout;
use crate::layouts::unsaturated_at;
use crate::prime::representation::prime;
use crate::recipe::Integrated;
use crate::reduction::carry_pass::{carry_pass, covering_multiple, pseudo_mersenne};

/// Registry line.
pub const INTEGRATED: Integrated = Integrated {
    name: "fold-doubles",
    applies,
    multiply: |b, m, layout, x, y| product(b, m, layout, x, Some(y)),
    square: Some(|b, m, layout, x| product(b, m, layout, x, None)),
};

/// Columns that are summed at once, and one more by what is above a digit.
const STRIP: usize = 4;

/// All pairs of n digits, a few columns at a time.
fn in_strips(n: usize) -> impl Iterator<Item = (usize, usize)> {
    let strip = move |start: usize| (0..n).flat_map(move |i| (start..start + STRIP).map(move |at| (i, at)));
    let pairs = (0..2 * n).step_by(STRIP).flat_map(strip);
    pairs.filter_map(move |(i, at)| Some((i, at.checked_sub(i).filter(|j| *j < n)?)))
}

/// The layout of `2^B − c` in the fewest digits of `radix` bits.
pub(super) fn layout(m: &Modulus, word: u32, radix: u32) -> Option<Layout> {
    let (power, c) = pseudo_mersenne(m)?;
    let n = power.div_ceil(radix).max(2);
    let weights: Vec<u32> = (0..n).map(|i| radix * i).collect();
    let plain = unsaturated_at(power, &c, weights, word)?;
    let size = if word == 64 { String::new() } else { format!("-w{word}") };
    let found = Layout { name: format!("{n}x{radix}{size}-doubles"), radix: Some(radix), ..plain };
    applies(m, &found).then_some(found)
}

/// Layouts of `2^B − c` whose digits are multiplied as doubles.
pub(super) fn applies(m: &Modulus, layout: &Layout) -> bool {
    let Some((k, large)) = parameters(m, layout) else { return false };
    let Some(floats) = doubles(layout.word, k) else { return false };
    let Some(most) = layout.resting.digit_max.iter().max() else { return false };
    let n = layout.digits() as u32;
    // A product stays in its binade, a digit below that of conversions; a column with what comes back fits a pattern.
    let column: BigInt = ((most * most >> k) + pow2(k) * 2u32) * n;
    most * most < pow2(k + floats.mantissa() - 1)
        && most < &pow2(floats.mantissa() - 1)
        && column * (large + 1u32) < pow2(floats.format.bits() - 1)
}

/// The radix, and `C = c·2^(kn − B)`.
fn parameters(m: &Modulus, layout: &Layout) -> Option<(u32, BigInt)> {
    let k = layout.radix.filter(|k| doubles(layout.word, *k).is_some())?;
    if layout.montgomery.is_some() || layout.constants || is_plain(m, layout) {
        return None;
    }
    let (power, c) = pseudo_mersenne(m)?;
    let n = layout.digits() as u32;
    let spare = (k * n).checked_sub(power).filter(|spare| *spare < k && n > 1)?;
    Some((k, c << spare))
}

/// The product, or the square without `y`.
fn product(b: &mut Builder, m: &Modulus, layout: &Layout, x: &Number, y: Option<&Number>) -> Number {
    let n = layout.digits();
    let known = parameters(m, layout).and_then(|(k, large)| Some((k, large, doubles(layout.word, k)?)));
    let Some((k, large, floats)) = known else { return Number::new(Vec::new(), layout.word, BigInt::default()) };
    let numbers = |b: &mut Builder, x: &Number| x.digits.iter().map(|d| floats.number(b, *d)).collect::<Vec<Value>>();
    let x = numbers(b, x);
    let mut columns = Columns::new(floats, k, 2 * n);
    match y {
        Some(y) => {
            let y = numbers(b, y);
            in_strips(n).for_each(|(i, j)| columns.add_product(b, i + j, x[i], y[j]));
        }
        None => {
            in_strips(n).filter(|(i, j)| i < j).for_each(|(i, j)| columns.add_product(b, i + j, x[i], x[j]));
            columns.double(b);
            (0..n).for_each(|i| columns.add_product(b, 2 * i, x[i], x[i]));
        }
    }
    let digits = columns.folded(b, &large, |below| covering_multiple(&prime(m), &layout.weights, below));
    let number = Number::from_ranges(b, digits, layout.weights.clone());
    carry_pass(b, m, layout, number)
}
