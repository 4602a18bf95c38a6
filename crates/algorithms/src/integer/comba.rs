//! Comba's product scanning: column by column in a register of three words.
//!
//! * **computes** `a·b`; column k sums `a[i]·b[k−i]`, its low word is digit k of the result.
//! * **needs** saturated words, equally many in both operands; `n < 2^w`, so that three words hold a column.
//! * **gives** all 2n words.
//! * **cost** n² multiplications; a product enters the register by one fused `a·b + r0`, one addition with carry and
//!   one addition of the carry (three additions with carry on a machine that chains them). Squares: n(n+1)/2
//!   multiplications, then one doubling pass of 2n shifts.
//! * **source** Comba, "Exponentiation cryptosystems on the IBM PC" (1990). The fused form is that of libsecp256k1: the
//!   high half of `a·b + r0` is below 2^w, so the register takes it with one carry.

use evariste_ir::{Builder, Value};

use crate::recipe::Product;

/// Registry line.
pub const PRODUCT: Product = Product { name: "comba", applies, multiply, square };

/// Three words hold a column of n products and its carry when n ≤ 2^w.
pub fn applies(w: u32, n: usize) -> bool {
    super::unrolled(w, n) && (w >= 32 || n <= 1 << w)
}

/// A column's sum `r[0] + 2^w r[1] + 2^(2w) r[2]`.
pub struct Column {
    /// The words, lowest first.
    pub r: [Value; 3],
}

impl Column {
    /// An empty column.
    pub fn new(b: &mut Builder) -> Column {
        Column { r: [b.word_constant(0); 3] }
    }

    /// Adds `x·y`.
    pub fn add_product(&mut self, b: &mut Builder, x: Value, y: Value) {
        if b.is_zero(x) || b.is_zero(y) {
            return;
        }
        let zero = b.word_constant(0);
        let (low, high) = b.mul_add_add(x, y, self.r[0], zero);
        self.r[0] = low;
        self.add_high(b, high);
    }

    /// Adds a word at the lowest position.
    pub fn add_low(&mut self, b: &mut Builder, low: Value) {
        let none = b.no_flag();
        let (sum, carry) = b.add_carry(self.r[0], low, none);
        let carry = b.flag_to_word(carry, b.word_type());
        self.r[0] = sum;
        self.add_high(b, carry);
    }

    /// Adds a word at the second position.
    pub fn add_high(&mut self, b: &mut Builder, high: Value) {
        let none = b.no_flag();
        let (middle, carry) = b.add_carry(self.r[1], high, none);
        let carry = b.flag_to_word(carry, b.word_type());
        self.r[1] = middle;
        self.r[2] = b.add(self.r[2], carry);
    }

    /// Adds twice another column.
    pub fn add_double(&mut self, b: &mut Builder, other: &Column) {
        let word = b.word();
        let zero = b.word_constant(0);
        let mut carry = b.no_flag();
        let mut below = zero;
        for i in 0..3 {
            let doubled = b.funnel_shift(other.r[i], below, word - 1);
            below = other.r[i];
            if i < 2 {
                (self.r[i], carry) = b.add_carry(self.r[i], doubled, carry);
            } else {
                let carry = b.flag_to_word(carry, b.word_type());
                let sum = b.add(self.r[2], doubled);
                self.r[2] = b.add(sum, carry);
            }
        }
    }

    /// Takes the lowest word out and moves to the next column.
    pub fn shift(&mut self, b: &mut Builder) -> Value {
        let zero = b.word_constant(0);
        let [low, middle, high] = self.r;
        self.r = [middle, high, zero];
        low
    }
}

/// The indices i of the products `x[i]·y[k−i]` of column k.
pub fn column(n: usize, k: usize) -> std::ops::Range<usize> {
    (k + 1).saturating_sub(n)..n.min(k + 1)
}

/// The 2n words of `a·b`.
pub fn multiply(b: &mut Builder, x: &[Value], y: &[Value]) -> Vec<Value> {
    let n = x.len();
    let mut sum = Column::new(b);
    let mut t = Vec::with_capacity(2 * n);
    for k in 0..2 * n - 1 {
        for i in column(n, k) {
            sum.add_product(b, x[i], y[k - i]);
        }
        t.push(sum.shift(b));
    }
    t.push(sum.r[0]);
    t
}

/// The 2n words of `a²`: columns of products of different digits, then doubled word by word, the squares of the digits
/// added on the way.
pub fn square(b: &mut Builder, x: &[Value]) -> Vec<Value> {
    let (n, word) = (x.len(), b.word());
    let mut below = b.word_constant(0);
    let mut sum = Column::new(b);
    let mut carry = b.no_flag();
    let mut t = Vec::with_capacity(2 * n);
    let mut squared = (below, below);
    for k in 0..2 * n {
        for i in column(n, k).filter(|i| 2 * i < k) {
            sum.add_product(b, x[i], x[k - i]);
        }
        // Digit k of Σ_{i<j} x_i x_j; with the digit below it gives digit k of the double.
        let digit = sum.shift(b);
        let doubled = b.funnel_shift(digit, below, word - 1);
        below = digit;
        if k % 2 == 0 {
            squared = b.mul_wide(x[k / 2], x[k / 2]);
        }
        let part = if k % 2 == 0 { squared.0 } else { squared.1 };
        let (s, next) = b.add_carry(doubled, part, carry);
        t.push(s);
        carry = next;
    }
    t
}
