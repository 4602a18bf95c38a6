//! Reduction modulo a signed sum of few powers of two (generalised Mersenne numbers), without multiplications.
//!
//! * **computes** where all exponents are multiples of a chunk of w or w/2 bits: every chunk of t is replaced by its
//!   signed combination of chunks below `2^k` (the word tables of P-192 … P-384, generated), column by column, above a
//!   multiple of p that keeps columns from going below zero; one carry pass; what is above bit k comes back times
//!   `2^k − p`. Else: `lo + Σ ± hi·2^e` with `2^k ≡ Σ ± 2^e`, by shifted rows, until nothing is left above bit k.
//! * **needs** `p = 2^k ± … < 2^k` of few signed powers, saturated digits, not in Montgomery form; any bound of t for
//!   the rows, at most `2^(2k)` for the table.
//! * **gives** a number below 2p (or within the layout's resting bound), not normalised.
//! * **cost** one addition a table entry (P-256: 64 chunks of 32 bits), k/chunk carries, then a row of small products;
//!   rows: |p| − 1 shifted additions of n words a round.
//! * **source** Solinas, "Generalized Mersenne numbers" (1999); NIST FIPS 186-4, D.2. The multiple of p and the finish
//!   are ours: no branch, nothing negative.

use evariste_descriptions::{Modulus, Shape};
use evariste_ir::range::pow2;
use evariste_ir::{Builder, Number, Type, Value};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Zero};

use super::carry_pass::covering_multiple;
use super::fold::fold_at;
use crate::layout::Layout;
use crate::recipe::Reduction;
use crate::words::{add_product, add_row_exact, folded_bound, low_bits, shift_left, shift_right, sub_row, words_for};

/// Registry line.
pub const REDUCTION: Reduction = Reduction { name: "solinas", applies, reduce };

/// More rounds of shifted rows are never worth it.
const MOST_ROUNDS: u32 = 4;
/// Longer columns mean that the exponents are too close.
const MOST_TERMS: i64 = 64;

/// `(k, terms)` with `2^k ≡ Σ sign·2^exponent (mod p)`, for p below `2^k`.
pub fn signed_powers(m: &Modulus) -> Option<(u32, Vec<(i8, u32)>)> {
    let terms = m.shapes.iter().find_map(|s| match s {
        Shape::SignedPowers(terms) => Some(terms),
        _ => None,
    })?;
    let (first, rest) = terms.split_first()?;
    // The next sign says on which side of 2^k the modulus is.
    (first.0 > 0 && rest.first()?.0 < 0).then(|| (first.1, rest.iter().map(|(sign, e)| (-sign, *e)).collect()))
}

/// Row j: chunk j of the input (weight `2^(chunk·j)`) as a signed combination of the `k/chunk` chunks below `2^k`.
/// `terms` are those of `2^k`, multiples of `chunk`.
pub fn table(k: u32, terms: &[(i8, u32)], chunk: u32, rows: usize) -> Vec<Vec<i64>> {
    let n = (k / chunk) as usize;
    let mut power = vec![0i64; n];
    for (sign, e) in terms {
        power[(e / chunk) as usize] += i64::from(*sign);
    }
    let mut table: Vec<Vec<i64>> = Vec::with_capacity(rows);
    for j in 0..rows {
        let row = match table.last() {
            _ if j < n => (0..n).map(|i| i64::from(i == j)).collect(),
            _ if j == n => power.clone(),
            Some(last) => {
                // One chunk up; what leaves the top is 2^k again.
                let top = last[n - 1];
                (0..n)
                    .map(|i| top.saturating_mul(power[i]).saturating_add(if i == 0 { 0 } else { last[i - 1] }))
                    .collect()
            }
            None => Vec::new(),
        };
        table.push(row);
    }
    table
}

/// The chunk size: the largest divisor of all exponents that is w or w/2.
fn chunk_size(k: u32, terms: &[(i8, u32)], word: u32) -> Option<u32> {
    let common = terms.iter().fold(k, |g, (_, e)| g.gcd(e));
    [word, word / 2].into_iter().find(|g| *g > 0 && word.is_multiple_of(*g) && common % g == 0)
}

/// How a modulus is reduced at a word size.
enum Method {
    Table { k: u32, chunk: u32, rows: Vec<Vec<i64>> },
    Rows { k: u32, terms: Vec<(i8, u32)> },
}

fn method(m: &Modulus, word: u32) -> Option<Method> {
    let (k, terms) = signed_powers(m)?;
    if let Some(chunk) = chunk_size(k, &terms, word) {
        let rows = table(k, &terms, chunk, 2 * (k / chunk) as usize);
        let terms = |column: usize| rows.iter().map(|r| r[column].saturating_abs()).fold(0i64, i64::saturating_add);
        if k / chunk > 1 && (0..(k / chunk) as usize).all(|i| terms(i) <= MOST_TERMS) {
            let columns = columns(m, &Columns { chunk, rows: &rows }, &(pow2(2 * k) - 1));
            // What leaves the top is one word.
            let total: BigInt = columns.iter().enumerate().map(|(i, c)| &c.max << (i as u32 * chunk)).sum();
            if columns.iter().all(|c| c.max < pow2(2 * word) - pow2(2 * word - chunk)) && total >> k < pow2(word) {
                return Some(Method::Table { k, chunk, rows });
            }
        }
    }
    let p = BigInt::from(m.value.clone());
    let delta: BigInt = pow2(k) - &p;
    let mut bound: BigInt = pow2(2 * k);
    for _ in 0..MOST_ROUNDS {
        bound = folded_bound(&bound, k, &delta);
    }
    (bound < &p * 2).then_some(Method::Rows { k, terms })
}

fn applies(m: &Modulus, layout: &Layout) -> bool {
    let chunks_fit = |method: Method| match method {
        Method::Table { k, .. } => &layout.loose.bound * &layout.loose.bound < pow2(2 * k),
        Method::Rows { .. } => true,
    };
    layout.montgomery.is_none() && layout.saturated() && method(m, layout.word).is_some_and(chunks_fit)
}

fn reduce(b: &mut Builder, m: &Modulus, layout: &Layout, t: Number) -> Number {
    let p = BigInt::from(m.value.clone());
    let target = if layout.resting.bound < p { &p * 2 - 1 } else { layout.resting.bound.clone() };
    let Some(method) = method(m, layout.word) else { return t };
    let (k, mut t) = match method {
        Method::Table { k, chunk, rows } if t.bound < pow2(2 * k) => (k, by_table(b, m, k, chunk, &rows, t)),
        Method::Table { k, .. } => (k, t),
        Method::Rows { k, terms } => {
            let mut t = t;
            while t.bound > target && words_for(&(&t.bound >> k), layout.word) > 1 {
                t = by_rows(b, m, k, &terms, t);
            }
            (k, t)
        }
    };
    // What is above bit k is one word: times 2^k − p.
    let delta: BigInt = pow2(k) - &p;
    let mut carry = None;
    while t.bound > target && folded_bound(&t.bound, k, &delta) < t.bound {
        (t, carry) = fold_at(b, t, carry, k, &delta, layout.digits());
    }
    t
}

/// `lo + Σ ± hi·2^e`.
fn by_rows(b: &mut Builder, m: &Modulus, k: u32, terms: &[(i8, u32)], t: Number) -> Number {
    let word = b.word();
    let high = &t.bound >> k;
    let delta: BigInt = pow2(k) - BigInt::from(m.value.clone());
    let bound = folded_bound(&t.bound, k, &delta);
    // Positive rows first: nothing is negative on the way, and the words hold what is there before the subtractions.
    let positive: BigInt = terms.iter().filter(|(sign, _)| *sign > 0).map(|(_, e)| pow2(*e)).sum();
    let words = words_for(&(pow2(k) - 1 + positive * &high), word);
    let upper = shift_right(b, &t.digits, k, words_for(&high, word));
    let mut digits = low_bits(b, &t.digits, k);
    let zero = b.word_constant(0);
    digits.resize(words.max(digits.len()), zero);
    for (wanted, (sign, e)) in [1, -1].into_iter().flat_map(|wanted| terms.iter().map(move |t| (wanted, t))) {
        if *sign != wanted {
            continue;
        }
        let skip = (e / word) as usize;
        let len = (words_for(&(&high << (e % word)), word)).min(digits.len() - skip);
        let row = shift_left(b, &upper, e % word, len);
        if wanted > 0 {
            let end = digits.len();
            add_row_exact(b, &mut digits, &row, skip, end);
        } else {
            sub_row(b, &mut digits, &row, skip);
        }
    }
    Number::new(digits, word, bound).trimmed()
}

/// What the columns are made of.
struct Columns<'a> {
    chunk: u32,
    rows: &'a [Vec<i64>],
}

/// One column: the multiple of p that covers its negative part, and its greatest value with that.
struct Column {
    bias: BigInt,
    max: BigInt,
}

/// The columns for an input up to `bound`.
fn columns(m: &Modulus, columns: &Columns, bound: &BigInt) -> Vec<Column> {
    let chunk = columns.chunk;
    let n = columns.rows.first().map_or(0, Vec::len);
    let chunk_max = |j: usize| std::cmp::min(pow2(chunk) - 1, bound >> (chunk * j as u32));
    let sum = |i: usize, sign: i64| -> BigInt {
        columns.rows.iter().enumerate().map(|(j, row)| chunk_max(j) * (row[i] * sign).max(0)).sum()
    };
    let negative: Vec<BigInt> = (0..n).map(|i| sum(i, -1)).collect();
    let weights: Vec<u32> = (0..n as u32).map(|i| i * chunk).collect();
    let bias = if negative.iter().all(Zero::is_zero) {
        vec![BigInt::zero(); n]
    } else {
        covering_multiple(&BigInt::from(m.value.clone()), &weights, &negative)
    };
    bias.into_iter().enumerate().map(|(i, bias)| Column { max: &bias + sum(i, 1), bias }).collect()
}

/// The chunks of t below `2^(chunk·rows)`.
fn chunks(b: &mut Builder, t: &Number, chunk: u32, rows: usize) -> Vec<Value> {
    let zero = b.word_constant(0);
    let per_word = b.word() / chunk;
    (0..rows as u32)
        .map(|j| {
            let Some(word) = t.digits.get((j / per_word) as usize).copied().filter(|_| t.bound >= pow2(j * chunk))
            else {
                return zero;
            };
            let shifted = b.shr(word, j % per_word * chunk);
            if (j + 1) % per_word == 0 { shifted } else { b.low_bits(shifted, chunk) }
        })
        .collect()
}

/// Columns by the table and a carry pass; what is above bit k is the top word, or (where k ends no word) has come back
/// once.
fn by_table(b: &mut Builder, m: &Modulus, k: u32, chunk: u32, rows: &[Vec<i64>], t: Number) -> Number {
    let (word, n) = (b.word(), (k / chunk) as usize);
    // The chunks count as full, whatever the number's bound says of the highest ones: no step of a column then goes
    // below zero by its range.
    let columns = columns(m, &Columns { chunk, rows }, &(pow2(2 * k) - 1));
    let chunks = chunks(b, &t, chunk, rows.len());
    // Columns fit words where chunks are half words.
    let fits = columns.iter().all(|c| c.max < pow2(word) - pow2(word - chunk));
    let ty = if fits && chunk < word { b.word_type() } else { b.wide_type() };
    let total: BigInt = columns.iter().enumerate().map(|(i, c)| &c.max << (i as u32 * chunk)).sum();
    let mut carry = b.zero(ty);
    let mut low = Vec::with_capacity(n);
    for (i, column) in columns.iter().enumerate() {
        let bias = b.constant(ty, column.bias.clone());
        let mut sum = b.add(bias, carry);
        for wanted in [1, -1] {
            sum = add_terms(b, sum, &chunks, |j| rows[j][i] * wanted, wanted > 0, ty);
        }
        let digit = b.low_bits(sum, chunk);
        low.push(b.narrow(digit, Type::Word(word as u8)));
        carry = b.shr(sum, chunk);
    }
    let top = super::carry_pass::narrowed(b, carry);
    let mut digits: Vec<Value> = low.chunks((word / chunk) as usize).map(|parts| joined(b, parts, chunk)).collect();
    let delta: BigInt = pow2(k) - BigInt::from(m.value.clone());
    let bound = folded_bound(&total, k, &delta);
    if (&total >> k).is_zero() {
        return Number::new(digits, word, total);
    }
    if k.is_multiple_of(word) {
        digits.push(top);
        return Number::new(digits, word, total);
    }
    let zero = b.word_constant(0);
    digits.resize(words_for(&bound, word).max(digits.len()), zero);
    let end = digits.len();
    add_product(b, &mut digits, &[top], &delta, end);
    Number::new(digits, word, bound)
}

/// `sum ± Σ coefficient·chunk` over the positive coefficients, those of one size together.
fn add_terms(
    b: &mut Builder,
    mut sum: Value,
    chunks: &[Value],
    coefficient: impl Fn(usize) -> i64,
    add: bool,
    ty: Type,
) -> Value {
    let mut sizes: Vec<i64> = (0..chunks.len()).map(&coefficient).filter(|c| *c > 0).collect();
    sizes.sort_unstable();
    sizes.dedup();
    for size in sizes {
        let terms: Vec<Value> = (0..chunks.len()).filter(|j| coefficient(*j) == size).map(|j| chunks[j]).collect();
        if size.is_one() {
            for term in terms {
                let term = b.widen(term, ty);
                sum = if add { b.add(sum, term) } else { b.sub(sum, term) };
            }
            continue;
        }
        let mut group = b.zero(ty);
        for term in terms {
            let term = b.widen(term, ty);
            group = b.add(group, term);
        }
        let factor = b.constant(ty, size);
        let group = b.mul(group, factor);
        sum = if add { b.add(sum, group) } else { b.sub(sum, group) };
    }
    sum
}

/// The parts, `chunk` bits each, as one word.
fn joined(b: &mut Builder, parts: &[Value], chunk: u32) -> Value {
    let mut word = parts[0];
    for (i, part) in parts.iter().enumerate().skip(1) {
        let shifted = b.shl(*part, i as u32 * chunk);
        word = b.add(word, shifted);
    }
    word
}
