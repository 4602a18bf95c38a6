//! Products modulo `2^B − c` in lanes by whole products of digits that are folded before they are summed: also of mixed
//! radices.
//!
//! * **computes** `a·b` and `a²` modulo p in n columns: where digits i and j meet beyond `2^B`, digit j is multiplied by c
//!   first. A product whose weights add up to `2^e` times that of its column takes that factor: the part that all have in
//!   common goes with c, what is left doubles digit i. One carry pass ends it.
//! * **needs** a layout of `2^B − c` of one radix or of mixed ones (digit i begins at `⌈Bi/n⌉`), c below a digit, and
//!   columns that hold all their products: [`columns_fit`] of words half as long.
//! * **gives** digits at rest: each at most a sixteenth of its radix above it.
//! * **cost** n² products (squares: n(n+1)/2) and n − 1 by c, which are shifts for a power of two; n² − n additions, a
//!   doubling for each digit that needs it (squares: up to two), three operations for each of n + 1 carries.
//! * **source** Bernstein, "Curve25519: new Diffie-Hellman speed records" (2006), sections 3 and 4, for radix 2^25.5 and
//!   both factors; in lanes Bernstein, Schwabe, "NEON crypto" (2012), and Chou, "Sandy2x: new Curve25519 speed records"
//!   (2015), of two products at once.

use std::collections::HashMap;

use evariste_descriptions::Modulus;
use evariste_ir::range::pow2;
use evariste_ir::{Builder, Number, Value};
use num_bigint::BigInt;
use num_traits::One;

use super::columns::{self, is_plain};
use super::strips::Strips;
use crate::layout::Layout;
use crate::layouts::unsaturated_at;
use crate::recipe::Integrated;
use crate::reduction::carry_pass::{carry_pass, pseudo_mersenne};
use crate::reduction::fold_unsaturated::{Schedule, columns_fit, place};

/// Registry line.
pub const INTEGRATED: Integrated = Integrated {
    name: "fold-early-columns",
    applies,
    multiply: |b, m, layout, x, y| product(b, m, layout, x, Some(y)),
    square: Some(|b, m, layout, x| product(b, m, layout, x, None)),
};

/// The layout of `2^B − c` in the fewest digits of at most `radix` bits, of which some have a bit less, where columns have
/// room.
pub(super) fn mixed_layout(m: &Modulus, word: u32, radix: u32) -> Option<Layout> {
    let (power, c) = pseudo_mersenne(m)?;
    let n = power.div_ceil(radix).max(2);
    let weights: Vec<u32> = (0..n).map(|i| (power * i).div_ceil(n)).collect();
    let plain = unsaturated_at(power, &c, weights, word)?;
    let found = Layout { name: format!("{n}x{:.1}", f64::from(power) / f64::from(n)), radix: Some(radix), ..plain };
    (power.div_ceil(n) == radix && !found.is_even() && applies(m, &found)).then_some(found)
}

/// Layouts of `2^B − c` with room for whole products that are folded while they are summed.
pub(super) fn applies(m: &Modulus, layout: &Layout) -> bool {
    let Some((power, c)) = parameters(m, layout) else { return false };
    let halves = Layout { word: layout.word / 2, ..layout.clone() };
    let common = Places::new(&layout.weights, power, &c).common;
    let multiplied =
        layout.resting.digit_max.iter().max().is_some_and(|most| (most * &c) << common < pow2(halves.word));
    multiplied && columns_fit(&halves, power, &c, Schedule::Early)
}

/// B and c.
fn parameters(m: &Modulus, layout: &Layout) -> Option<(u32, BigInt)> {
    let whole = |k: u32| columns::whole(layout.word, k) && layout.montgomery.is_none() && !layout.constants;
    let (power, c) = pseudo_mersenne(m).filter(|_| layout.radix.is_some_and(whole) && !is_plain(m, layout))?;
    let (n, top) = (layout.digits(), layout.weights.last().copied().unwrap_or(0));
    (n > 1 && top < power && layout.resting.bound >= pow2(power)).then_some((power, c))
}

/// Where the product of two digits goes: the power of two for digit i, what digit j is multiplied by.
struct Places<'a> {
    weights: &'a [u32],
    power: u32,
    c: &'a BigInt,
    /// The least power of two of all products beyond `2^B`.
    common: u32,
}

impl Places<'_> {
    fn new<'a>(weights: &'a [u32], power: u32, c: &'a BigInt) -> Places<'a> {
        let n = weights.len();
        let all = (1..n).flat_map(|i| (n - i..n).filter_map(move |j| place(weights, power, i, j)));
        let common = all.map(|(_, e, _)| e).min().unwrap_or(0);
        Places { weights, power, c, common }
    }

    /// Of digits i and j.
    fn factors(&self, i: usize, j: usize) -> Option<(u32, BigInt)> {
        let (_, e, wrapped) = place(self.weights, self.power, i, j)?;
        Some(if wrapped { (e - self.common, self.c << self.common) } else { (e, BigInt::one()) })
    }
}

/// The product, or the square without `y`.
fn product(b: &mut Builder, m: &Modulus, layout: &Layout, x: &Number, y: Option<&Number>) -> Number {
    let n = layout.digits();
    let (power, c) = parameters(m, layout).unwrap_or_else(|| (m.bits, pow2(m.bits) - BigInt::from(m.value.clone())));
    let places = Places::new(&layout.weights, power, &c);
    // The digits of a product in column `at` that takes digit i of x, with their factors.
    let pair = |at: usize, i: usize| {
        let j = (at + n - i) % n;
        let (e, factor) = places.factors(i, j).filter(|_| y.is_some() || i <= j)?;
        Some((i, j, e + u32::from(y.is_none() && i < j), factor))
    };
    let mut multiples = HashMap::new();
    let mut made = vec![vec![None; n]; n];
    for (at, row) in made.iter_mut().enumerate() {
        for (i, entry) in row.iter_mut().enumerate() {
            let Some((i, j, e, factor)) = pair(at, i) else { continue };
            let left = *multiples.entry((true, i, pow2(e))).or_insert_with(|| times(b, x.digits[i], &pow2(e)));
            let right = y.unwrap_or(x).digits[j];
            *entry =
                Some((left, *multiples.entry((false, j, factor.clone())).or_insert_with(|| times(b, right, &factor))));
        }
    }
    let mut strips = Strips::new(n, vec![n], |at, i| made[at][i]);
    let sums = (0..n).map(|at| strips.column(b, at)).collect();
    let number = Number::from_ranges(b, sums, layout.weights.clone());
    carry_pass(b, m, layout, number)
}

/// A digit times a constant, by a shift where that does it.
fn times(b: &mut Builder, digit: Value, factor: &BigInt) -> Value {
    if factor.is_one() {
        return digit;
    }
    let shift = factor.bits() as u32 - 1;
    if shift == 1 && *factor == pow2(1) {
        return b.add(digit, digit);
    }
    if *factor == pow2(shift) {
        return b.shl(digit, shift);
    }
    let factor = b.word_constant(factor.clone());
    b.mul(digit, factor)
}
