//! Columns: words `t[i]` of weight `2^(radix·i)` that products are added to, and what becomes of them.
//!
//! * **computes** sums of the low and high halves of digit products; carries by shift and addition; digits cut at their
//!   radix. A column that has no room for one more whole product gives what is above its digit to the next one first.
//! * **needs** words with room for the sums (`layouts` looks to that).
//! * **gives** columns of the same number.
//! * **cost** one operation a half, two a whole product; two a carry; one a cut; three where a column overflows.
//! * **source** Gueron, Krasnov, "Software implementation of modular exponentiation, using advanced vector instructions
//!   architectures" (2012) for radices with room; the halves as in Gueron, Krasnov, "Accelerating big integer
//!   arithmetic using Intel IFMA extensions" (2016).

use evariste_descriptions::Modulus;
use evariste_ir::range::{Interval, pow2};
use evariste_ir::{Builder, Number, Value};
use num_bigint::BigInt;
use num_traits::Zero;

use crate::floats::Floats;
use crate::layout::Layout;

/// Do digits of k bits leave a column room for whole products? There are no halves then, and digits are clean: for
/// processors whose product of 32 bits gives 64 (`vpmuludq` of AVX2), after Bernstein, Schwabe, "NEON crypto" (2012),
/// and the AVX2 code of Langley's and Moon's curve25519 implementations, radix 2^25.5 and 2^28.
pub fn whole(word: u32, k: u32) -> bool {
    2 * k + 3 <= word
}

/// Are digits of k bits multiplied as doubles, whose products of two digits leave no more than a mantissa on either side?
/// Lanes of 64 bits; toy words of five bits have patterns of two words.
pub fn doubles(word: u32, k: u32) -> Option<Floats> {
    match (word, k) {
        (64, 44..=51) => Floats::new(word, 53),
        (5, 3) => Floats::new(word, 5),
        _ => None,
    }
}

/// Are digits of k bits multiplied by multiply-adds that take their low k bits?
pub fn halves(word: u32, k: u32) -> bool {
    !whole(word, k) && doubles(word, k).is_none()
}

/// Canonical numbers in clean digits at rest, of an even modulus: that of a layout without Montgomery form.
pub fn is_plain(m: &Modulus, layout: &Layout) -> bool {
    m.twos() > 0
        && layout.radix.is_some()
        && layout.montgomery.is_none()
        && !layout.constants
        && layout.resting.low.is_none()
        && layout.resting.bound == BigInt::from(m.value.clone()) - 1u32
}

/// The most that the low k bits of a word can be.
fn low_max(b: &Builder, k: u32, x: Value) -> BigInt {
    Interval::up_to(b.max(x).clone()).low_bits(k).hi
}

/// Can the high half of the product of the low k bits be anything but 0?
pub fn has_high(b: &Builder, k: u32, x: Value, y: Value) -> bool {
    low_max(b, k, x) * low_max(b, k, y) >= pow2(k)
}

/// Adds `lo_k(x·y)` to column `at`; the whole product where that is what columns take.
pub fn add_low(b: &mut Builder, k: u32, t: &mut [Value], at: usize, x: Value, y: Value) {
    if b.is_zero(x) || b.is_zero(y) {
        return;
    }
    if whole(b.word(), k) {
        let product = b.mul(x, y);
        add(b, k, t, at, product);
    } else {
        t[at] = b.madd_lo(k, t[at], x, y);
    }
}

/// Adds to a column, which keeps its digit alone first where it has no room.
pub fn add(b: &mut Builder, k: u32, t: &mut [Value], at: usize, x: Value) {
    if !b.fits_add(t[at], x) && at + 1 < t.len() {
        let above = b.shr(t[at], k);
        t[at] = b.low_bits(t[at], k);
        add(b, k, t, at + 1, above);
    }
    t[at] = b.add(t[at], x);
}

/// Adds `hi_k(x·y)` to column `at`, where it can be anything but 0 and the column below has not got it already.
pub fn add_high(b: &mut Builder, k: u32, t: &mut [Value], at: usize, x: Value, y: Value) {
    if !whole(b.word(), k) && has_high(b, k, x, y) {
        t[at] = b.madd_hi(k, t[at], x, y);
    }
}

/// Adds `x·y` to columns `at` and `at + 1`.
pub fn add_product(b: &mut Builder, k: u32, t: &mut [Value], at: usize, x: Value, y: Value) {
    add_low(b, k, t, at, x, y);
    add_high(b, k, t, at + 1, x, y);
}

/// Adds `x·y·2^(ki)`.
pub fn add_row(b: &mut Builder, k: u32, t: &mut [Value], i: usize, x: &[Value], y: Value) {
    for (j, xj) in x.iter().enumerate() {
        add_product(b, k, t, i + j, *xj, y);
    }
}

/// Adds, of digits with room for whole products, the square of digit i of x and twice its products with those above.
pub fn add_square_row(b: &mut Builder, k: u32, t: &mut [Value], i: usize, x: &[Value]) {
    add_low(b, k, t, 2 * i, x[i], x[i]);
    if i + 1 < x.len() {
        let twice = b.add(x[i], x[i]);
        for (j, xj) in x.iter().enumerate().skip(i + 1) {
            add_low(b, k, t, i + j, twice, *xj);
        }
    }
}

/// The 2n columns of `x·y`, a row for each digit of y, on top of what the lowest columns start from.
pub fn product(b: &mut Builder, k: u32, start: &[Value], x: &[Value], y: &[Value]) -> Vec<Value> {
    let zero = b.word_constant(0);
    let mut t = start.to_vec();
    t.resize(x.len() + y.len(), zero);
    for (i, yi) in y.iter().enumerate() {
        add_row(b, k, &mut t, i, x, *yi);
    }
    t
}

/// The 2n columns of `x²`: products of different digits once, these columns doubled, then the squares of digits. Digits
/// with room for whole products have room to be doubled themselves.
pub fn square(b: &mut Builder, k: u32, x: &[Value]) -> Vec<Value> {
    let zero = b.word_constant(0);
    let n = x.len();
    let mut t = vec![zero; 2 * n];
    if whole(b.word(), k) {
        (0..n).for_each(|i| add_square_row(b, k, &mut t, i, x));
        return t;
    }
    for (i, xi) in x.iter().enumerate() {
        for (j, xj) in x.iter().enumerate().skip(i + 1) {
            add_product(b, k, &mut t, i + j, *xj, *xi);
        }
    }
    for column in &mut t {
        *column = b.add(*column, *column);
    }
    for (i, xi) in x.iter().enumerate() {
        add_product(b, k, &mut t, 2 * i, *xi, *xi);
    }
    t
}

/// Lets the carries run from column `from` to column `to`: each column but the last then counts modulo `2^k`.
pub fn carry(b: &mut Builder, k: u32, t: &mut [Value], from: usize, to: usize) {
    for i in from..to {
        let c = b.shr(t[i], k);
        add(b, k, t, i + 1, c);
    }
}

/// Carries through all columns; their digits, cut at the radix unless the layout's are unmasked. The number is at most
/// `bound`.
pub fn digits(b: &mut Builder, layout: &Layout, mut t: Vec<Value>, bound: BigInt) -> Number {
    let k = layout.radix.unwrap_or(layout.word);
    let top = t.len() - 1;
    carry(b, k, &mut t, 0, top);
    if layout.resting.low.is_none() {
        t[..top].iter_mut().for_each(|d| *d = b.low_bits(*d, k));
    }
    Number::new(t, k, bound)
}

/// The bound of a number whose digits below the top one count less than `2^k` each.
pub fn bound_by_top(b: &Builder, t: &[Value], k: u32) -> BigInt {
    let weight = k * (t.len() as u32 - 1);
    t.last().map_or_else(BigInt::zero, |top| (b.max(*top) << weight) + pow2(weight) - 1)
}
