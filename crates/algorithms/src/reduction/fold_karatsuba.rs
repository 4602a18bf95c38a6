//! Products in unsaturated digits modulo a Mersenne prime, two digits a product:
//! `aᵢbⱼ + aⱼbᵢ = (aᵢ + aⱼ)(bᵢ + bⱼ) − aᵢbᵢ − aⱼbⱼ`.
//!
//! * **computes** `a·b` modulo p: n columns of unsplit double words, folded while they are summed, then one carry pass.
//! * **needs** an even unsaturated layout of `2^k − c` in which a wrapped product counts `2^e` times (Mersenne primes:
//!   c = 1), n ≥ 2, digits up to its loose maxima, every column within a double word.
//! * **gives** digits within the resting maxima.
//! * **cost** n(n + 1)/2 products instead of n², n(n − 1) more additions of words, about 3n of double words; the aᵢbᵢ
//!   serve all columns by their prefix sums.
//! * **source** Weimerskirch, Paar, "Generalizations of the Karatsuba algorithm for efficient implementations" (2006),
//!   one iteration for any degree; for 2^521 − 1 Granger, Scott, "Faster ECC over F_{2^521−1}" (2015), with differences
//!   of digits where this has sums.

use evariste_descriptions::Modulus;
use evariste_ir::range::pow2;
use evariste_ir::{Builder, Interval, Number, Value};
use num_bigint::BigInt;

use super::carry_pass::{carry_pass, pseudo_mersenne};
use super::fold_unsaturated::{accumulate, even_radix, is_unsaturated};
use crate::layout::Layout;
use crate::recipe::Integrated;

/// Registry line.
pub const INTEGRATED: Integrated = Integrated { name: "fold-karatsuba", applies, multiply, square: None };

/// The e of `2^(radix·n) ≡ 2^e`, where there is one.
fn wrap(layout: &Layout, k: u32, c: &BigInt) -> Option<u32> {
    let radix = even_radix(&layout.weights, k)?;
    (*c == BigInt::from(1)).then(|| radix * layout.digits() as u32 - k)
}

/// The greatest value of column `column`.
fn greatest(max: &[BigInt], e: u32, column: usize) -> BigInt {
    let n = max.len();
    (0..n).map(|i| &max[i] * &max[(column + n - i) % n] << if i > column { e } else { 0 }).sum()
}

fn applies(m: &Modulus, layout: &Layout) -> bool {
    let Some((k, c)) = pseudo_mersenne(m) else { return false };
    let Some(e) = wrap(layout, k, &c) else { return false };
    let (n, max) = (layout.digits(), &layout.loose.digit_max);
    // A column's positive part, with the squares that are subtracted again and the carry from below.
    let squares: BigInt = max.iter().map(|d| d * d).sum();
    let fits = |column| (greatest(max, e, column) << 1u32) + (&squares << (e + 2)) < pow2(2 * layout.word);
    let words = max.iter().all(|d| d << (e + 1) < pow2(layout.word));
    layout.montgomery.is_none() && n >= 2 && is_unsaturated(layout, k) && words && (0..n).all(fits)
}

fn multiply(b: &mut Builder, m: &Modulus, layout: &Layout, x: &Number, y: &Number) -> Number {
    let (k, c) = pseudo_mersenne(m).unwrap_or((m.bits, BigInt::from(1)));
    let e = wrap(layout, k, &c).unwrap_or(0);
    let n = layout.digits();
    let squares: Vec<Value> = (0..n).map(|i| b.mul_full(x.digits[i], y.digits[i])).collect();
    // prefix[i] = a₀b₀ + … + aᵢbᵢ.
    let mut prefix = squares.clone();
    for i in 1..n {
        prefix[i] = b.add(prefix[i - 1], prefix[i]);
    }
    let all = b.shl(prefix[n - 1], e);
    let max: Vec<BigInt> = layout.loose.digit_max.clone();
    let columns = (0..n)
        .map(|column| {
            let mut total = None;
            for i in 0..n {
                let (j, wrapped) = ((column + n - i) % n, i > column);
                if i >= j {
                    continue;
                }
                let left = b.add(x.digits[i], x.digits[j]);
                let right = b.add(y.digits[i], y.digits[j]);
                let right = b.shl(right, if wrapped { e } else { 0 });
                accumulate(b, &mut total, left, right);
            }
            // Each pair brought its two squares: those up to the column once, the others 2^e times. One that stands
            // alone is missing twice.
            let mut add = |b: &mut Builder, v: Value| total = Some(total.map_or(v, |t| b.add(t, v)));
            for i in (0..n).filter(|i| 2 * i % n == column) {
                let alone = b.shl(squares[i], if i > column { e + 1 } else { 1 });
                add(b, alone);
            }
            if e > 0 {
                // 2^e·(squares above the column) + (squares up to it) = 2^e·all − (2^e − 1)·prefix.
                let mut back = b.shl(prefix[column], e);
                back = b.sub(back, prefix[column]);
                add(b, back);
            }
            let total = total.unwrap_or(all);
            let subtracted = b.sub(total, all);
            b.declare(subtracted, &Interval::up_to(greatest(&max, e, column)))
        })
        .collect();
    let number = Number::from_ranges(b, columns, layout.weights.clone());
    carry_pass(b, m, layout, number)
}
