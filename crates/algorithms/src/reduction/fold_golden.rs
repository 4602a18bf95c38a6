//! Products modulo a prime of the golden ratio, `p = φ² − φ − 1` with φ = 2^h: halves by Karatsuba, where the reduction
//! takes part of the subtraction away.
//!
//! * **computes** `a·b` and `a²` modulo p: `(a₀ + a₁φ)(b₀ + b₁φ) ≡ a₀b₀ + a₁b₁ + ((a₀ + a₁)(b₀ + b₁) − a₀b₀)φ`, in
//!   columns of unsplit double words, then one carry pass along both halves at once.
//! * **needs** an unsaturated layout with a digit at 2^h; digits up to its loose maxima; [`columns_fit`] says whether
//!   all columns stay in a double word.
//! * **gives** digits within the resting maxima.
//! * **cost** 3n²/4 products (squares: 3n(n + 2)/8), n additions of words, about 4n of double words; none for the
//!   reduction.
//! * **source** Hamburg, "Ed448-Goldilocks, a new elliptic curve" (2015), section 3.1.

use evariste_descriptions::Modulus;
use evariste_ir::range::pow2;
use evariste_ir::{Builder, Interval, Number, Value};
use num_bigint::BigInt;
use num_traits::Zero;

use super::carry_pass::{carry_pass_in, golden_ratio};
use super::fold_unsaturated::accumulate;
use crate::layout::Layout;
use crate::recipe::Integrated;

/// Registry line.
pub const INTEGRATED: Integrated = Integrated {
    name: "fold-golden",
    applies: |m, layout| golden_ratio(m).is_some_and(|half| columns_fit(layout, half)),
    multiply: |b, m, layout, x, y| multiply(b, m, layout, x, Some(y)),
    square: Some(|b, m, layout, x| multiply(b, m, layout, x, None)),
};

/// Greatest values of the columns of a product of two halves.
fn greatest(x: &[BigInt], y: &[BigInt]) -> Vec<BigInt> {
    let mut columns = vec![BigInt::zero(); 2 * x.len()];
    for (i, x) in x.iter().enumerate() {
        for (j, y) in y.iter().enumerate() {
            columns[i + j] += x * y;
        }
    }
    columns
}

/// The greatest values of the n columns after the fold, for loose operands.
fn folded_maxima(layout: &Layout) -> Vec<BigInt> {
    let h = layout.digits() / 2;
    let (low, high) = layout.loose.digit_max.split_at(h);
    let sums: Vec<BigInt> = low.iter().zip(high).map(|(a, b)| a + b).collect();
    let (low, high, sums) = (greatest(low, low), greatest(high, high), greatest(&sums, &sums));
    let lower = (0..h).map(|j| &low[j] + &high[j] + &sums[j + h]);
    let upper = (0..h).map(|j| &high[j + h] + &sums[j] + &sums[j + h]);
    lower.chain(upper).collect()
}

/// Does a digit begin at 2^half, and does every column, with twice its neighbour's carry, fit a double word?
pub fn columns_fit(layout: &Layout, half: u32) -> bool {
    let n = layout.digits();
    let radix = layout.weights.get(1).copied().unwrap_or(0);
    let even = layout.weights.iter().zip(0..).all(|(w, i)| *w == i * radix);
    let headroom = layout.resting.digit_max.iter().all(|d| d >= &pow2(radix));
    let sums_fit = layout.loose.digit_max.iter().all(|d| d * 4 < pow2(layout.word));
    even && headroom
        && sums_fit
        && n >= 2
        && n.is_multiple_of(2)
        && radix * n as u32 == 2 * half
        && folded_maxima(layout).iter().all(|c| c * 2 < pow2(2 * layout.word))
}

/// The columns of a product of two halves, or of a square without `y`; the last one, which no product reaches, is
/// `None`.
fn columns(b: &mut Builder, x: &[Value], y: Option<&[Value]>) -> Vec<Option<Value>> {
    let h = x.len();
    let twice: Vec<Value> = if y.is_none() { x.iter().map(|d| b.shl(*d, 1u32)).collect() } else { Vec::new() };
    (0..2 * h)
        .map(|column| {
            let mut total = None;
            for i in (column + 1).saturating_sub(h)..=column.min(h - 1) {
                let j = column - i;
                match y {
                    Some(y) => accumulate(b, &mut total, x[i], y[j]),
                    None if i < j => accumulate(b, &mut total, twice[i], x[j]),
                    None if i == j => accumulate(b, &mut total, x[i], x[i]),
                    None => {}
                }
            }
            total
        })
        .collect()
}

/// The product, or the square without `y`.
fn multiply(b: &mut Builder, m: &Modulus, layout: &Layout, x: &Number, y: Option<&Number>) -> Number {
    let h = layout.digits() / 2;
    let halves_sum =
        |b: &mut Builder, x: &Number| (0..h).map(|i| b.add(x.digits[i], x.digits[i + h])).collect::<Vec<_>>();
    let (xs, ys) = (halves_sum(b, x), y.map(|y| halves_sum(b, y)));
    let low = columns(b, &x.digits[..h], y.map(|y| &y.digits[..h]));
    let high = columns(b, &x.digits[h..], y.map(|y| &y.digits[h..]));
    let mixed = columns(b, &xs, ys.as_deref());
    let maxima = folded_maxima(layout);
    let mut all = Vec::with_capacity(2 * h);
    for (column, greatest) in maxima.into_iter().enumerate() {
        let j = column % h;
        let (added, subtracted) = if column < h {
            ([low[j], high[j], mixed[j + h]], low[j + h])
        } else {
            ([high[j + h], mixed[j], mixed[j + h]], low[j])
        };
        let mut total = b.zero(b.wide_type());
        for v in added.into_iter().flatten() {
            total = b.add(total, v);
        }
        if let Some(v) = subtracted {
            total = b.sub(total, v);
        }
        all.push(b.declare(total, &Interval::up_to(greatest)));
    }
    let number = Number::from_ranges(b, all, layout.weights.clone());
    // The tops of both halves first, then up both halves side by side.
    let order: Vec<usize> = [h - 1, 2 * h - 1].into_iter().chain((0..h).flat_map(|i| [i, i + h])).collect();
    carry_pass_in(b, m, layout, number, &order)
}
