//! Operand scanning by blocks of columns that fit registers, for long operands and machines with two carry flags.
//!
//! * **computes** `a·b`; the words of a in blocks of at most eight; for each block its rows with all words of b, whose
//!   sum keeps as many words alive as the block has. What earlier blocks gave at a row's lowest word is the first link
//!   of its chain of high halves.
//! * **needs** saturated words, equally many in both operands; more than eight (three or more at toy word sizes).
//! * **gives** all 2n words.
//! * **cost** n² multiplications, 2n² + O(n) additions. Squares: n(n+1)/2 multiplications, the triangle by such blocks,
//!   then doubling and squares of the words side by side.
//! * **source** Hutter, Wenger, "Fast multi-precision multiplication for public-key cryptography on embedded
//!   microprocessors" (2011), for operands in blocks; Ozturk, Guilford, Gopal, "Large integer squaring on Intel
//!   architecture processors" (2013), for the chains of halves.

use evariste_ir::{Builder, Value};

use super::row_forms::{self, Form};
use crate::recipe::Product;

/// Registry line.
pub const PRODUCT: Product = Product { name: "operand-scanning-blocks", applies, multiply, square };

/// Words of a block: as many sums as registers hold beside pointers and halves.
fn most(w: u32) -> usize {
    if w < 16 { 2 } else { 8 }
}

fn applies(w: u32, n: usize) -> bool {
    super::unrolled(w, n) && n > most(w)
}

/// The first and the last word but one of each block, the blocks about equally long.
fn blocks(w: u32, n: usize) -> impl Iterator<Item = (usize, usize)> {
    let count = n.div_ceil(most(w));
    (0..count).map(move |i| (i * n / count, (i + 1) * n / count))
}

/// Adds `x·y` at a word of t, whose words from `at + x.len()` on were given by others; they stay.
fn add_row(b: &mut Builder, t: &mut Vec<Value>, window: &mut Vec<Value>, at: usize, x: &[Value], y: Value) {
    let below = t.get(at).copied();
    let (mut sum, _) = row_forms::row_above(b, window, x, y, below);
    let word = sum.remove(0);
    if at < t.len() {
        t[at] = word;
    } else {
        t.push(word);
    }
    *window = sum;
}

/// The 2n words of `a·b`.
pub fn multiply(b: &mut Builder, x: &[Value], y: &[Value]) -> Vec<Value> {
    let mut t = Vec::with_capacity(2 * x.len());
    for (begin, end) in blocks(b.word(), x.len()) {
        let mut window = Vec::new();
        for (i, yi) in y.iter().enumerate() {
            add_row(b, &mut t, &mut window, begin + i, &x[begin..end], *yi);
        }
        t.extend(window);
    }
    t
}

/// The 2n words of `a²`.
pub fn square(b: &mut Builder, x: &[Value]) -> Vec<Value> {
    // Words 1 to 2n − 2 of Σ_{i<j} x_i x_j, and entry 0.
    let mut t = vec![b.word_constant(0)];
    for (begin, end) in blocks(b.word(), x.len()) {
        let mut window = Vec::new();
        for (i, xi) in x.iter().enumerate().take(begin) {
            add_row(b, &mut t, &mut window, begin + i, &x[begin..end], *xi);
        }
        t.extend(window);
        for i in begin..end - 1 {
            // x[i]·x[i+1..] at word 2i + 1.
            let at = (2 * i + 1).min(t.len());
            let (sum, _) = row_forms::row(b, Form::TwoChains, &t[at..], &x[i + 1..end], x[i], None);
            t.truncate(2 * i + 1);
            t.extend(sum);
        }
    }
    row_forms::double_with_squares(b, &t, x).0
}
