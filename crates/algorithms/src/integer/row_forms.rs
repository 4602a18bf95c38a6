//! The forms of one row for machines with add-with-carry: which sums share a carry chain. Every chain is one flag from
//! its first word to its last.
//!
//! * **computes** `t + x·y` for a word y.
//! * **needs** saturated words; t as long as x, or a word longer, or empty (zero).
//! * **gives** one word more than x has, and the carry above them as a flag; a row that is told the carry out of its
//!   lowest word leaves that word out.
//! * **cost** n multiplications, 2n + 1 additions in two chains, 2n − 1 of them with a carry that comes in; n − 1 of
//!   these where t is zero.
//! * **source** Knuth, The Art of Computer Programming 2, 4.3.1, for the row; Ozturk, Guilford, Gopal, "Large integer
//!   squaring on Intel architecture processors" (2013), for two chains. In the merge row the products are first added
//!   to one number: its words do not wait for t.

use evariste_ir::{Builder, Op, Value};

/// Which sums a chain holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// Chain 1 adds neighbours among the halves of the products, `s[j] = high[j − 1] + low[j]`; chain 2 adds s to t.
    /// One chain after the other.
    Merge,
    /// Chain 1 adds the low halves to t, chain 2 the high halves, one after the other.
    TwoPass,
    /// The chains of `TwoPass` side by side.
    TwoChains,
}

/// `t + x·y` as `x.len() + 1` words and the carry above them. With `cleared`, the lowest words of t and of the product
/// are known to add up to zero and that carry: they take no part, and the lowest word is left out.
pub fn row(
    b: &mut Builder,
    form: Form,
    t: &[Value],
    x: &[Value],
    y: Value,
    cleared: Option<Value>,
) -> (Vec<Value>, Value) {
    match form {
        Form::Merge => merge(b, t, x, y, cleared),
        Form::TwoPass => by_halves(b, t, x, y, Start::of(cleared), false),
        Form::TwoChains => by_halves(b, t, x, y, Start::of(cleared), true),
    }
}

/// `t + x·y + below` in two chains side by side, for a word that is the first link of the chain of high halves.
pub fn row_above(b: &mut Builder, t: &[Value], x: &[Value], y: Value, below: Option<Value>) -> (Vec<Value>, Value) {
    by_halves(b, t, x, y, below.map_or(Start::None, Start::Below), true)
}

/// What a row by halves begins with.
#[derive(Clone, Copy)]
enum Start {
    /// Its lowest word.
    None,
    /// The carry out of its lowest word, which is left out.
    Cleared(Value),
    /// One more word to add to its lowest.
    Below(Value),
}

impl Start {
    fn of(cleared: Option<Value>) -> Start {
        cleared.map_or(Start::None, Start::Cleared)
    }
}

/// The two halves of a product; a product with a constant power of two is one as well (shifts would take ports from the
/// additions).
fn wide(b: &mut Builder, x: Value, y: Value) -> (Value, Value) {
    let shifts =
        [x, y].iter().any(|v| b.constant_of(*v).is_some_and(|c| c.bits() > 1 && c.magnitude().count_ones() == 1));
    if shifts && !b.fits_mul(x, y) {
        let ty = b.word_type();
        let halves = b.op(Op::MulWide, &[x, y], &[ty, ty]);
        return (halves[0], halves[1]);
    }
    b.mul_wide(x, y)
}

/// `x·y`: one word more than x has, the neighbouring halves added in one chain; beside it the highest half, which does
/// not wait for that chain.
pub fn product(b: &mut Builder, x: &[Value], y: Value) -> (Vec<Value>, Value) {
    let (low, mut high) = wide(b, x[0], y);
    let mut s = vec![low];
    let mut carry = b.no_flag();
    for xj in &x[1..] {
        let (low, next) = wide(b, *xj, y);
        let (sum, c) = b.add_carry(high, low, carry);
        s.push(sum);
        (high, carry) = (next, c);
    }
    // A high half is at most 2^w − 2: it takes the carry.
    let zero = b.word_constant(0);
    s.push(b.add_carry(high, zero, carry).0);
    (s, high)
}

/// `x·y` where it fits as many words as x has: the highest product is one word.
pub fn product_within(b: &mut Builder, x: &[Value], y: Value) -> Vec<Value> {
    let mut words = product(b, x, y).0;
    words.truncate(x.len());
    words
}

fn merge(b: &mut Builder, t: &[Value], x: &[Value], y: Value, cleared: Option<Value>) -> (Vec<Value>, Value) {
    let (s, _) = product(b, x, y);
    add_merged(b, t, &s, cleared)
}

/// The second chain of a merge row: `t + s`.
fn add_merged(b: &mut Builder, t: &[Value], s: &[Value], cleared: Option<Value>) -> (Vec<Value>, Value) {
    let (first, mut carry) = start(b, cleared);
    let mut sum = Vec::with_capacity(s.len());
    for (j, sj) in s.iter().enumerate().skip(first) {
        let (word, next) = match t.get(j) {
            Some(tj) => b.add_carry(*tj, *sj, carry),
            None => add_flag(b, *sj, carry),
        };
        sum.push(word);
        carry = next;
    }
    (sum, carry)
}

fn by_halves(
    b: &mut Builder,
    t: &[Value],
    x: &[Value],
    y: Value,
    begin: Start,
    side_by_side: bool,
) -> (Vec<Value>, Value) {
    let zero = b.word_constant(0);
    let (first, mut low_carry) = start(b, if let Start::Cleared(carry) = begin { Some(carry) } else { None });
    let mut high_carry = b.no_flag();
    let mut sum = Vec::with_capacity(x.len() + 1);
    let mut highs = Vec::with_capacity(x.len());
    for (j, xj) in x.iter().enumerate() {
        let (low, high) = wide(b, *xj, y);
        if j >= first {
            let mut above = t.get(j).copied();
            if let (0, Start::Below(below)) = (j, begin) {
                let (word, next) = match above {
                    Some(above) => b.add_carry(above, below, high_carry),
                    None => (below, high_carry),
                };
                (above, high_carry) = (Some(word), next);
            }
            let (word, next) = b.add_carry(above.unwrap_or(zero), low, low_carry);
            low_carry = next;
            sum.push(word);
            if side_by_side && j > 0 {
                (sum[j - first], high_carry) = b.add_carry(word, highs[j - 1], high_carry);
            }
        }
        highs.push(high);
    }
    // The highest half takes the carry of the low halves.
    let last = highs.len() - 1;
    let top = add_flag(b, highs[last], low_carry).0;
    if !side_by_side {
        for j in 1..x.len() {
            (sum[j - first], high_carry) = b.add_carry(sum[j - first], highs[j - 1], high_carry);
        }
    }
    let (word, carry) = match t.get(x.len()) {
        Some(above) => b.add_carry(*above, top, high_carry),
        None => add_flag(b, top, high_carry),
    };
    sum.push(word);
    (sum, carry)
}

/// The first word of a row that takes part, and the carry into it.
fn start(b: &mut Builder, cleared: Option<Value>) -> (usize, Value) {
    match cleared {
        Some(carry) => (1, carry),
        None => (0, b.no_flag()),
    }
}

/// `x + carry` as the last link of a chain.
pub fn add_flag(b: &mut Builder, x: Value, carry: Value) -> (Value, Value) {
    let zero = b.word_constant(0);
    b.add_carry(x, zero, carry)
}

/// The 2n words of `x·y`, row i in the form that `form(i)` names.
pub fn multiply(b: &mut Builder, x: &[Value], y: &[Value], form: impl Fn(usize) -> Form) -> Vec<Value> {
    let mut t = Vec::new();
    let mut done = Vec::with_capacity(2 * x.len());
    for (i, yi) in y.iter().enumerate() {
        let (mut sum, _) = row(b, form(i), &t, x, *yi, None);
        done.push(sum.remove(0));
        t = sum;
    }
    done.extend(t);
    done
}

/// The 2n words of `x·y` by merge rows, and the high half of the product of the highest words: the highest word but for
/// its carries.
pub fn multiply_with_top(b: &mut Builder, x: &[Value], y: &[Value]) -> (Vec<Value>, Value) {
    let Some((last, rest)) = y.split_last() else { return (Vec::new(), b.word_constant(0)) };
    let mut words = multiply(b, x, rest, |_| Form::Merge);
    let (s, top) = product(b, x, *last);
    let (sum, _) = add_merged(b, &words[rest.len()..], &s, None);
    words.truncate(rest.len());
    words.extend(sum);
    (words, top)
}

/// The 2n words of `x²`: the products of different words by rows, row i in the form that `form(i)` names; then their
/// double in one chain and the squares of the words in another, side by side.
pub fn square(b: &mut Builder, x: &[Value], form: impl Fn(usize) -> Form) -> Vec<Value> {
    let t = triangle(b, x, form);
    double_with_squares(b, &t, x).0
}

/// Words 1 to 2n − 2 of `Σ_{i<j} x_i x_j`, and entry 0.
fn triangle(b: &mut Builder, x: &[Value], form: impl Fn(usize) -> Form) -> Vec<Value> {
    let n = x.len();
    let mut t = vec![b.word_constant(0)];
    for i in 0..n - 1 {
        // x[i]·x[i+1..] at word 2i + 1.
        let (sum, _) = row(b, form(i), &t[(2 * i + 1).min(t.len())..], &x[i + 1..], x[i], None);
        t.truncate(2 * i + 1);
        t.extend(sum);
    }
    t
}

/// The 2n words of `x²` by merge rows, and the high half of the square of the highest word.
pub fn square_with_top(b: &mut Builder, x: &[Value]) -> (Vec<Value>, Value) {
    let t = triangle(b, x, |_| Form::Merge);
    double_with_squares(b, &t, x)
}

/// `2t + Σ x_i²·2^(2wi)`: the double in one chain, the squares of the words in another, side by side. t has 0 at entry 0
/// and no word above 2n − 2. Beside it the high half of the last square.
pub fn double_with_squares(b: &mut Builder, t: &[Value], x: &[Value]) -> (Vec<Value>, Value) {
    let (mut doubling, mut carry) = (b.no_flag(), b.no_flag());
    let mut result = Vec::with_capacity(2 * x.len());
    let mut top = b.word_constant(0);
    for (i, xi) in x.iter().enumerate() {
        let (low, high) = b.mul_wide(*xi, *xi);
        top = high;
        for (at, part) in [(2 * i, low), (2 * i + 1, high)] {
            let (word, next) = if at == 0 {
                (part, carry)
            } else if at < t.len() {
                let (double, next) = b.add_carry(t[at], t[at], doubling);
                doubling = next;
                b.add_carry(double, part, carry)
            } else {
                // The highest half takes both carries: the square fits.
                let part = add_flag(b, part, doubling).0;
                add_flag(b, part, carry)
            };
            result.push(word);
            carry = next;
        }
    }
    (result, top)
}
