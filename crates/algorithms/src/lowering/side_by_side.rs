//! Operations of `2^k − c` for formulas whose calls are computed side by side, four of them in the words of a vector
//! register: few kernels, each without a chain of carries.
//!
//! * **computes** `a·b`, `a²` (as `a·a`, so that it stands beside products), `a + b`, `a − b` and `−a` modulo p. A product
//!   of digits is its low 52 bits and what is above, which belong to the next column `2^(52 − r)` times; the upper columns
//!   come back as `C = c·2^(rn − k)` times themselves; then all carries move up at once, the top one as c times itself.
//! * **needs** an unsaturated layout of one radix r whose resting digits have at most 52 bits, words of 64 bits, C and c of
//!   few bits that are set, columns that have room for that; resting operands. Outputs may be operands.
//! * **gives** resting elements.
//! * **cost** products 2n² multiply-adds, 4n additions and shifts, for each bit of C 2n more; three operations a digit for
//!   a pass of carries, most often one.
//! * **source** Gueron, Krasnov, "Accelerating big integer arithmetic using Intel IFMA extensions" (2016), for the halves;
//!   Nath, Sarkar, "Efficient 4-way vectorizations of the Montgomery ladder" (2022), for what lies side by side. Carries
//!   that move up at once: Bernstein, Chuengsatiansup, Lange, Schwabe, "Kummer strikes back" (2014), section 5.

use std::sync::Arc;

use evariste_descriptions::Modulus;
use evariste_ir::range::pow2;
use evariste_ir::{Builder, Kernel, Number, Polynomial, Value, View};
use num_bigint::BigInt;

use super::Operations;
use crate::layout::Layout;
use crate::prime::representation::prime;
use crate::reduction::carry_pass::{covering_multiple, digit_sizes, pseudo_mersenne};
use crate::reduction::fold_unsaturated::even_radix;
use crate::signature::{NotApplicable, ValueClaim, calls, kernel};

/// Bits of the factors of a multiply-add.
const HALF: u32 = 52;
/// A factor of more bits that are set is no sum of shifts.
const MOST_TERMS: u64 = 4;
/// Passes of carries, of which one or two are enough.
const PASSES: usize = 4;

/// What is known of modulus and layout.
struct Shape {
    radix: u32,
    /// Bits of each digit, the top one's up to bit k.
    sizes: Vec<u32>,
    c: BigInt,
    /// `c·2^(rn − k)`
    large: BigInt,
}

fn shape(m: &Modulus, layout: &Layout) -> Option<Shape> {
    let (k, c) = pseudo_mersenne(m)?;
    let plain = layout.word == 64 && layout.radix.is_none() && layout.montgomery.is_none() && !layout.saturated();
    let radix = even_radix(&layout.weights, k).filter(|radix| plain && *radix <= HALF)?;
    let n = layout.digits() as u32;
    let large = &c << (radix * n).checked_sub(k)?;
    let most = layout.resting.digit_max.iter().max()?;
    // A column of each kind, and what comes back to it.
    let column: BigInt = ((pow2(HALF) - 1) + ((most * most >> HALF) << (HALF - radix))) * n;
    let few = |x: &BigInt| x.iter_u64_digits().map(u64::count_ones).sum::<u32>() as u64 <= MOST_TERMS;
    let fits = most < &pow2(HALF) && column * (&large + 1) < pow2(64);
    (n > 1 && fits && few(&c) && few(&large)).then(|| Shape { radix, sizes: digit_sizes(&layout.weights, k), c, large })
}

/// Are there such operations?
pub(crate) fn applies(m: &Modulus, layout: &Layout) -> bool {
    shape(m, layout).is_some()
}

/// The operations.
///
/// # Errors
/// Where they do not [apply](applies).
pub(crate) fn operations(m: &Modulus, layout: &Layout) -> Result<Operations, NotApplicable> {
    let shape = shape(m, layout).ok_or_else(|| NotApplicable("digits have no room for products of 52 bits".into()))?;
    let resting = |names: &[&'static str]| names.iter().map(|name| (*name, &layout.resting)).collect::<Vec<_>>();
    let claim = |polynomial: Polynomial| ValueClaim::plain(polynomial, Some(prime(m)));
    let one = |name: &str, names: &[&'static str], polynomial, body: &dyn Fn(&mut Builder, &[Number]) -> Vec<Value>| {
        kernel(name, layout, &resting(names), claim(polynomial), |b, x| {
            let digits = body(b, x);
            Ok(at_rest(b, layout, &shape, digits))
        })
        .map(Arc::new)
    };
    let zero = Polynomial::default;
    let mul = one("mul_side_by_side", &["a", "b"], zero().plus(1, &[0, 1]), &|b, x| {
        product(b, &shape, &x[0].digits, &x[1].digits)
    })?;
    let add = one("add_side_by_side", &["a", "b"], Polynomial::input(0).plus(1, &[1]), &|b, x| {
        x[0].digits.iter().zip(&x[1].digits).map(|(x, y)| b.add(*x, *y)).collect()
    })?;
    let multiple = covering_multiple(&prime(m), &layout.weights, &layout.resting.digit_max);
    let sub = one("sub_side_by_side", &["a", "b"], Polynomial::input(0).plus(-1, &[1]), &|b, x| {
        raised(b, &multiple, Some(&x[0].digits), &x[1].digits)
    })?;
    let opp = one("opp_side_by_side", &["a"], zero().plus(-1, &[0]), &|b, x| raised(b, &multiple, None, &x[0].digits))?;
    Ok(Operations { square: Arc::new(square(m, layout, mul.clone())?), mul, add, sub, opp })
}

/// `a·a`, by the product.
fn square(m: &Modulus, layout: &Layout, mul: Arc<Kernel>) -> Result<Kernel, NotApplicable> {
    let claim = ValueClaim::plain(Polynomial::default().plus(1, &[0, 0]), Some(prime(m)));
    calls("square_side_by_side", layout, vec![("out", claim)], &["a"], |b, out, a| {
        let mul = b.callee(mul);
        b.call(mul, [out[0], a[0], a[0]].map(View::whole).to_vec());
        Ok(())
    })
}

/// The n columns of the product modulo p.
fn product(b: &mut Builder, shape: &Shape, x: &[Value], y: &[Value]) -> Vec<Value> {
    let n = x.len();
    let zero = b.word_constant(0);
    // Low and high halves wait for each other nowhere.
    let columns: Vec<Value> = (0..2 * n)
        .map(|at| {
            let (mut low, mut high) = (zero, zero);
            for (i, xi) in x.iter().enumerate() {
                if let Some(yj) = at.checked_sub(i).and_then(|j| y.get(j)) {
                    low = b.madd_lo(HALF, low, *xi, *yj);
                }
                if let Some(yj) = at.checked_sub(i + 1).and_then(|j| y.get(j)) {
                    high = b.madd_hi(HALF, high, *xi, *yj);
                }
            }
            let high = b.shl(high, HALF - shape.radix);
            b.add(low, high)
        })
        .collect();
    let (lower, upper) = columns.split_at(n);
    lower
        .iter()
        .zip(upper)
        .map(|(low, high)| {
            let back = times(b, *high, &shape.large);
            b.add(*low, back)
        })
        .collect()
}

/// `x + multiple − y`, digit by digit; without x `multiple − y`.
fn raised(b: &mut Builder, multiple: &[BigInt], x: Option<&[Value]>, y: &[Value]) -> Vec<Value> {
    let digit = |(i, (y, k)): (usize, (&Value, &BigInt))| {
        let k = b.word_constant(k.clone());
        let raised = x.map_or(k, |x| b.add(x[i], k));
        b.sub(raised, *y)
    };
    y.iter().zip(multiple).enumerate().map(digit).collect()
}

/// A word times a constant, as a sum of shifts.
fn times(b: &mut Builder, x: Value, factor: &BigInt) -> Value {
    let mut sum: Option<Value> = None;
    for bit in (0..factor.bits()).filter(|bit| factor.bit(*bit)) {
        let term = if bit == 0 { x } else { b.shl(x, bit as u32) };
        sum = Some(sum.map_or(term, |sum| b.add(sum, term)));
    }
    sum.unwrap_or_else(|| b.word_constant(0))
}

/// Passes of carries, in each of which every digit gives what is above its bits to the next one at once, until all rest.
fn at_rest(b: &mut Builder, layout: &Layout, shape: &Shape, mut digits: Vec<Value>) -> Number {
    let rest = |b: &Builder, digits: &[Value]| {
        digits.iter().zip(&layout.resting.digit_max).all(|(digit, most)| b.max(*digit) <= most)
    };
    for _ in 0..PASSES {
        if rest(b, &digits) {
            break;
        }
        let above: Vec<Value> = digits.iter().zip(&shape.sizes).map(|(digit, size)| b.shr(*digit, *size)).collect();
        let low: Vec<Value> = digits.iter().zip(&shape.sizes).map(|(digit, size)| b.low_bits(*digit, *size)).collect();
        digits = low
            .into_iter()
            .enumerate()
            .map(|(i, low)| {
                let carry = match i.checked_sub(1) {
                    Some(below) => above[below],
                    // 2^k ≡ c
                    None => times(b, above[above.len() - 1], &shape.c),
                };
                b.add(low, carry)
            })
            .collect();
    }
    Number::from_ranges(b, digits, layout.weights.clone())
}
