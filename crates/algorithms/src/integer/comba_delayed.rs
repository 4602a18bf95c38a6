//! Comba with delayed carries, two accumulators: the halves of each product are summed apart in double words.
//!
//! * **computes** `a·b`; in column k the low halves of `a[i]·b[k−i]` go to one double word, the high halves to another;
//!   carries move once a column.
//! * **needs** saturated words, equally many in both operands; `2n ≤ 2^w` (the first accumulator stays below 2n·2^w).
//! * **gives** all 2n words.
//! * **cost** n² multiplications, 2n² + 2n − 1 additions of double words without a carry, 2n² halves taken. Squares:
//!   n(n+1)/2 multiplications, two shifts a column.
//! * **source** Brumnik and others, "Techniques for performance improvement of integer multiplication in cryptographic
//!   applications" (2014), with separate accumulators of low and high halves; here two accumulators do for the paper's
//!   three, since the carry travels with the high halves.

use evariste_ir::{Builder, Value};

use super::comba::column;
use crate::recipe::Product;

/// Registry line.
pub const PRODUCT: Product = Product { name: "comba-delayed", applies, multiply, square };

/// Both accumulators fit a double word when 2n ≤ 2^w.
pub fn applies(w: u32, n: usize) -> bool {
    super::unrolled(w, n) && (w >= 32 || 2 * n <= 1 << w)
}

/// A column's sum `low + 2^w high`, both double words.
pub struct Halves {
    /// Low halves and the carry.
    pub low: Value,
    /// High halves.
    pub high: Value,
}

impl Halves {
    /// An empty column.
    pub fn new(b: &mut Builder) -> Halves {
        let zero = b.zero(b.wide_type());
        Halves { low: zero, high: zero }
    }

    /// Adds `x·y`.
    pub fn add_product(&mut self, b: &mut Builder, x: Value, y: Value) {
        if b.is_zero(x) || b.is_zero(y) {
            return;
        }
        let word = b.word();
        let product = b.mul_full(x, y);
        let low = b.low_bits(product, word);
        let high = b.shr(product, word);
        if !b.fits_add(self.low, low) {
            // No headroom: what the accumulator has above its low word moves on now.
            let carry = b.shr(self.low, word);
            self.high = b.add(self.high, carry);
            self.low = b.low_bits(self.low, word);
        }
        self.low = b.add(self.low, low);
        self.high = b.add(self.high, high);
    }

    /// Doubles the sum.
    pub fn double(&mut self, b: &mut Builder) {
        self.low = b.shl(self.low, 1u32);
        self.high = b.shl(self.high, 1u32);
    }

    /// Adds a double word to the low halves.
    pub fn add_low(&mut self, b: &mut Builder, carry: Value) {
        self.low = b.add(self.low, carry);
    }

    /// The low word of the sum, and all the rest as the carry into the next column.
    pub fn carry(self, b: &mut Builder) -> (Value, Value) {
        let word = b.word();
        let digit = b.low_bits(self.low, word);
        let digit = b.narrow(digit, b.word_type());
        let rest = b.shr(self.low, word);
        (digit, b.add(self.high, rest))
    }
}

/// The 2n words of `a·b`.
pub fn multiply(b: &mut Builder, x: &[Value], y: &[Value]) -> Vec<Value> {
    let n = x.len();
    let mut carry = b.zero(b.wide_type());
    let mut t = Vec::with_capacity(2 * n);
    for k in 0..2 * n - 1 {
        let mut sum = Halves::new(b);
        sum.add_low(b, carry);
        for i in column(n, k) {
            sum.add_product(b, x[i], y[k - i]);
        }
        let (digit, rest) = sum.carry(b);
        t.push(digit);
        carry = rest;
    }
    t.push(b.narrow(carry, b.word_type()));
    t
}

/// The 2n words of `a²`: in each column products of different digits once, doubled, then the square of the middle
/// digit, then the carry.
pub fn square(b: &mut Builder, x: &[Value]) -> Vec<Value> {
    let n = x.len();
    let mut carry = b.zero(b.wide_type());
    let mut t = Vec::with_capacity(2 * n);
    for k in 0..2 * n - 1 {
        let mut sum = Halves::new(b);
        for i in column(n, k).filter(|i| 2 * i < k) {
            sum.add_product(b, x[i], x[k - i]);
        }
        sum.double(b);
        if k % 2 == 0 {
            sum.add_product(b, x[k / 2], x[k / 2]);
        }
        sum.add_low(b, carry);
        let (digit, rest) = sum.carry(b);
        t.push(digit);
        carry = rest;
    }
    t.push(b.narrow(carry, b.word_type()));
    t
}
