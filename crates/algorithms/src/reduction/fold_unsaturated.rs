//! Products in unsaturated digits modulo `2^k − c`, folded by `2^k ≡ c`: in the columns while they are summed (`fold`),
//! or after the upper columns have been carried to digits (`fold-late`, for a c that is too large for a premultiplied
//! digit).
//!
//! * **computes** `a·b` and `a²` modulo p: columns of unsplit double-word products, then one carry pass.
//! * **needs** an unsaturated layout of `2^k − c`, digits up to its loose maxima; [`columns_fit`] says whether all
//!   columns stay in a double word.
//! * **gives** digits within the resting maxima.
//! * **cost** n² products (squares: n(n+1)/2), n − 1 premultiplied digits (`fold`) or n to 2n small products
//!   (`fold-late`), one carry pass.
//! * **source** Bernstein, "Curve25519: new Diffie-Hellman speed records" (2006); Langley, curve25519-donna-c64; Wuille
//!   et al., libsecp256k1 field_5x52. Weights that are not multiples of one radix give some products a factor 2
//!   (Bernstein, section 3), which goes to the digit of a.

use evariste_descriptions::Modulus;
use evariste_ir::range::pow2;
use evariste_ir::{Builder, Number, Value};
use num_bigint::BigInt;
use num_traits::{One, Zero};
use std::collections::HashMap;

use super::carry_pass::{carry_pass, cut, digits_at, pseudo_mersenne, sum, times};
use crate::layout::Layout;
use crate::recipe::Integrated;

/// Registry line: folded while the columns are summed.
pub const EARLY: Integrated = Integrated {
    name: "fold",
    applies: |m, layout| applies(m, layout, Schedule::Early),
    multiply: |b, m, layout, x, y| multiply(b, m, layout, x, Some(y), Schedule::Early),
    square: Some(|b, m, layout, x| multiply(b, m, layout, x, None, Schedule::Early)),
};

/// Registry line: folded after the upper columns have become digits.
pub const LATE: Integrated = Integrated {
    name: "fold-late",
    applies: |m, layout| applies(m, layout, Schedule::Late),
    multiply: |b, m, layout, x, y| multiply(b, m, layout, x, Some(y), Schedule::Late),
    square: Some(|b, m, layout, x| multiply(b, m, layout, x, None, Schedule::Late)),
};

/// When `2^k ≡ c` is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Schedule {
    /// Digits of b premultiplied by c; n columns.
    Early,
    /// 2n columns, the upper n carried to digits and multiplied by c.
    Late,
}

fn applies(m: &Modulus, layout: &Layout, schedule: Schedule) -> bool {
    let Some((k, c)) = pseudo_mersenne(m) else { return false };
    layout.montgomery.is_none() && is_unsaturated(layout, k) && columns_fit(layout, k, &c, schedule)
}

/// Do the digits have headroom above their radix?
pub(super) fn is_unsaturated(layout: &Layout, k: u32) -> bool {
    let top = layout.weights.len() - 1;
    let max = &layout.resting.digit_max[top];
    max >= &pow2(k.saturating_sub(layout.weights[top]))
        && max < &(pow2(layout.word) - 1)
        && layout.weights.iter().zip(0..).all(|(w, i)| *w == 0 || *w < layout.word * i)
}

/// Where the product of digits i and j goes: (column, `2^e` that it has to be multiplied by beyond the c of a wrapped
/// one, wrapped?).
pub(crate) fn place(weights: &[u32], k: u32, i: usize, j: usize) -> Option<(usize, u32, bool)> {
    let n = weights.len();
    let weight = weights[i] + weights[j];
    if i + j < n {
        return Some((i + j, weight.checked_sub(weights[i + j])?, false));
    }
    Some((i + j - n, weight.checked_sub(k + weights[i + j - n])?, true))
}

/// The radix, when all weights are its multiples.
pub(crate) fn even_radix(weights: &[u32], k: u32) -> Option<u32> {
    let radix = weights.get(1).copied().unwrap_or(k);
    weights.iter().zip(0..).all(|(w, i)| *w == i * radix).then_some(radix)
}

/// What [`columns_fit`] needs of the weights alone: for `Early` a c of one digit, for `Late` an even radix.
pub fn may_fold(weights: &[u32], k: u32, c: &BigInt, schedule: Schedule) -> bool {
    match schedule {
        Schedule::Early => weights.get(1).is_none_or(|w| c < &pow2(*w)),
        Schedule::Late => weights.len() > 1 && even_radix(weights, k).is_some(),
    }
}

/// Would the columns of the most products fit a double word, without carries? Most layouts that do not fit are found out
/// by these alone: the products of one column, and those of column 0 that are wrapped.
fn longest_columns_fit(layout: &Layout, c: &BigInt, schedule: Schedule) -> bool {
    let (n, max, wide) = (layout.digits(), &layout.loose.digit_max, pow2(2 * layout.word));
    let column = (0..n).map(|i| &max[i] * &max[n - 1 - i]).sum::<BigInt>();
    let wrapped = || (1..n).map(|i| &max[i] * &max[n - i] * c).sum::<BigInt>();
    column < wide && (schedule == Schedule::Late || wrapped() < wide)
}

/// Would every premultiplied digit fit a word, and every column with its incoming carry a double word, for loose
/// operands?
pub fn columns_fit(layout: &Layout, k: u32, c: &BigInt, schedule: Schedule) -> bool {
    if !may_fold(&layout.weights, k, c, schedule) || !longest_columns_fit(layout, c, schedule) {
        return false;
    }
    let (n, word, max) = (layout.digits(), layout.word, &layout.loose.digit_max);
    let wide = pow2(2 * word);
    let fits_word = |x: &BigInt| x < &pow2(word);
    // The carry chain over columns, from `first` on; gives what leaves the top.
    let chain = |columns: &mut [BigInt], radix: &dyn Fn(usize) -> u32| -> Option<BigInt> {
        let mut carry = BigInt::zero();
        for (i, column) in columns.iter_mut().enumerate() {
            *column += &carry;
            if *column >= wide {
                return None;
            }
            carry = &*column >> radix(i);
            *column = std::cmp::min(column.clone(), pow2(radix(i)) - 1);
        }
        Some(carry)
    };
    let sizes = super::carry_pass::digit_sizes(&layout.weights, k);
    let even = even_radix(&layout.weights, k);
    let returned_fits = |top: Option<BigInt>| {
        // carry_pass multiplies what leaves the top by each digit of c.
        top.is_some_and(|t| digits_at(c, &layout.weights).iter().all(|c| fits_word(c) && &t * c + pow2(word) < wide))
    };
    match schedule {
        Schedule::Early => {
            let mut columns = vec![BigInt::zero(); n];
            for i in 0..n {
                for j in 0..n {
                    let Some((column, e, wrapped)) = place(&layout.weights, k, i, j) else { return false };
                    let factor = if wrapped { c.clone() } else { BigInt::one() };
                    let (left, right) = if even.is_some() {
                        (max[i].clone(), &max[j] * &factor << e)
                    } else {
                        (&max[i] << e, &max[j] * &factor)
                    };
                    // Squares double the left digit once more.
                    if !fits_word(&(&left * if i == j { 1 } else { 2 })) || !fits_word(&right) {
                        return false;
                    }
                    columns[column] += left * right;
                }
            }
            returned_fits(chain(&mut columns, &|i| sizes[i]))
        }
        Schedule::Late => {
            let Some(radix) = even else { return false };
            if !max.iter().all(|d| fits_word(&(d * 2))) {
                return false;
            }
            let mut columns = vec![BigInt::zero(); 2 * n];
            for i in 0..n {
                for j in 0..n {
                    columns[i + j] += &max[i] * &max[j];
                }
            }
            if columns.iter().any(|c| c >= &wide) {
                return false;
            }
            let Some(last) = chain(&mut columns[n - 1..2 * n - 1], &|_| radix).filter(&fits_word) else { return false };
            columns[2 * n - 1] = last;
            // low[n] holds what goes beyond the top digit.
            let mut low = columns[..n].to_vec();
            low.push(BigInt::zero());
            let fold = fold_factor(c, radix, n, k);
            for (i, digit) in columns[n..].iter().enumerate() {
                for (d, factor) in fold.iter().enumerate() {
                    if !fits_word(factor) || i + d > n && !factor.is_zero() && !digit.is_zero() {
                        return false;
                    }
                    low[(i + d).min(n)] += digit * factor;
                }
            }
            if let Some(beyond) = low.pop() {
                low[n - 1] += beyond << radix;
            }
            returned_fits(chain(&mut low, &|i| sizes[i]))
        }
    }
}

/// `2^(radix·n) mod p` as `c·2^(radix·n − k)`, in digits of the radix.
fn fold_factor(c: &BigInt, radix: u32, n: usize, k: u32) -> Vec<BigInt> {
    let mut rest = c << (radix * n as u32 - k);
    let mut digits = Vec::new();
    while !rest.is_zero() {
        digits.push(&rest & (pow2(radix) - 1));
        rest >>= radix;
    }
    digits
}

/// Digits times small constants, each made once.
#[derive(Default)]
struct Multiples(HashMap<(Value, BigInt), Value>);

impl Multiples {
    fn get(&mut self, b: &mut Builder, v: Value, factor: BigInt) -> Value {
        if factor.is_one() {
            return v;
        }
        if let Some(known) = self.0.get(&(v, factor.clone())) {
            return *known;
        }
        let c = b.word_constant(factor.clone());
        let product = b.mul(v, c);
        self.0.insert((v, factor), product);
        product
    }
}

/// The product, or the square without `y`.
fn multiply(
    b: &mut Builder,
    m: &Modulus,
    layout: &Layout,
    x: &Number,
    y: Option<&Number>,
    schedule: Schedule,
) -> Number {
    let (k, c) = pseudo_mersenne(m).unwrap_or((m.bits, pow2(m.bits) - BigInt::from(m.value.clone())));
    let columns = match schedule {
        Schedule::Early => early_columns(b, layout, k, &c, x, y),
        Schedule::Late => late_columns(b, layout, k, &c, x, y),
    };
    let number = Number::from_ranges(b, columns, layout.weights.clone());
    carry_pass(b, m, layout, number)
}

/// Adds a product to a column.
pub(super) fn accumulate(b: &mut Builder, column: &mut Option<Value>, left: Value, right: Value) {
    let product = b.mul_full(left, right);
    *column = Some(match *column {
        Some(sum) => b.add(sum, product),
        None => product,
    });
}

/// The n columns of the product modulo p: wrapped products use digits of b premultiplied by c.
fn early_columns(b: &mut Builder, layout: &Layout, k: u32, c: &BigInt, x: &Number, y: Option<&Number>) -> Vec<Value> {
    let n = layout.digits();
    let even = even_radix(&layout.weights, k).is_some();
    let mut multiples = Multiples::default();
    (0..n)
        .map(|column| {
            let mut total = None;
            for i in 0..n {
                let j = (column + n - i) % n;
                if y.is_none() && i > j {
                    continue;
                }
                let Some((_, e, wrapped)) = place(&layout.weights, k, i, j) else { continue };
                let factor = if wrapped { c.clone() } else { BigInt::one() };
                let double = if y.is_none() && i < j { 1 } else { 0 };
                let (left, right) = if even { (pow2(double), factor << e) } else { (pow2(e + double), factor) };
                let left = multiples.get(b, x.digits[i], left);
                let right = multiples.get(b, y.unwrap_or(x).digits[j], right);
                accumulate(b, &mut total, left, right);
            }
            total.unwrap_or_else(|| b.zero(b.wide_type()))
        })
        .collect()
}

/// The n columns of the product modulo p: the upper columns are carried to digits, which are multiplied by
/// `2^(radix·n) mod p`.
fn late_columns(b: &mut Builder, layout: &Layout, k: u32, c: &BigInt, x: &Number, y: Option<&Number>) -> Vec<Value> {
    let n = layout.digits();
    let radix = even_radix(&layout.weights, k).unwrap_or(k);
    let mut multiples = Multiples::default();
    let mut columns = Vec::with_capacity(2 * n);
    for column in 0..2 * n - 1 {
        let mut total = None;
        for i in (column + 1).saturating_sub(n)..=column.min(n - 1) {
            let j = column - i;
            match y {
                Some(y) => accumulate(b, &mut total, x.digits[i], y.digits[j]),
                None if i < j => {
                    let twice = multiples.get(b, x.digits[i], 2.into());
                    accumulate(b, &mut total, twice, x.digits[j]);
                }
                None if i == j => accumulate(b, &mut total, x.digits[i], x.digits[i]),
                None => {}
            }
        }
        columns.push(total.unwrap_or_else(|| b.zero(b.wide_type())));
    }
    // Columns n − 1 … 2n − 2 become digits; the last carry is digit 2n − 1.
    let mut carry = b.zero(b.word_type());
    let mut upper = Vec::with_capacity(n);
    for (i, column) in columns.iter_mut().enumerate().skip(n - 1) {
        let total = sum(b, *column, carry);
        let (low, high) = cut(b, total, radix);
        carry = high;
        if i == n - 1 {
            *column = low;
        } else {
            upper.push(low);
        }
    }
    upper.push(carry);
    columns.truncate(n);
    let fold = fold_factor(c, radix, n, k);
    let mut beyond = b.zero(b.word_type());
    for (i, digit) in upper.into_iter().enumerate() {
        for (d, factor) in fold.iter().enumerate().filter(|(_, f)| !f.is_zero()) {
            let product = times(b, digit, factor);
            let place = if i + d < n { &mut columns[i + d] } else { &mut beyond };
            *place = sum(b, *place, product);
        }
    }
    if !b.is_zero(beyond) {
        // Weight 2^(radix·n), above the top digit: into the top digit, whose carry is then folded by the carry pass.
        let wide = b.wide_type();
        let beyond = b.widen(beyond, wide);
        let beyond = b.shl(beyond, radix);
        columns[n - 1] = sum(b, columns[n - 1], beyond);
    }
    columns
}
