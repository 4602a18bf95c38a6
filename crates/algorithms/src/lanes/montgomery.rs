//! Montgomery multiplication in lanes, digit by digit of b (CIOS), without a final subtraction.
//!
//! * **computes** `a·b/R mod p`, R = 2^(kn) for radix k: for each digit of b a row `+ a·b[i]`, a row `+ q·p`, and the
//!   lowest column is shifted out.
//! * **needs** p odd, 4p ≤ R, operands at rest.
//! * **gives** at most `(A·B + (R−1)·p)/R`, at rest again (below 2p for operands below 2p): the ranges show it, nothing
//!   is subtracted.
//! * **cost** 4n² + 5n − 2 operations, n − 1 less with unmasked digits: 118 for n = 5, 286 for n = 8. For
//!   `p ≡ −1 (mod 2^k)` 2n less for q, and a zero digit of p + 1 saves 2n more.
//! * **source** Gueron, Krasnov (2012, 2016) for the rows. The lowest column plus `lo(q·p0)` is 0 modulo `2^k`, so its
//!   carry is `⌊(t0 + 2^k − 1)/2^k⌋`: columns start from `2^k − 1`, `lo(q·p0)` is never computed, and q = lo(t0·n′)
//!   with n′ = −1/p becomes lo(n′ + t0′·n′) for the raised t0′; for p ≡ 1 it is the complement of t0′.

use evariste_descriptions::Modulus;
use evariste_ir::range::pow2;
use evariste_ir::{Builder, Number, Value};
use num_bigint::BigInt;
use num_traits::{One, Zero};

use super::{columns, montgomery_columns};
use crate::layout::Layout;
use crate::recipe::Integrated;
use crate::reduction::montgomery::{RunTimeModulus, inverse_digit};

/// Registry line.
pub const INTEGRATED: Integrated = Integrated {
    name: "montgomery-madd",
    applies: |m, l| applies(m, l) && !montgomery_columns::is_whole(l),
    multiply,
    square: Some(square),
};

/// Montgomery layouts for lanes.
pub fn applies(_: &Modulus, layout: &Layout) -> bool {
    layout.radix.is_some_and(|k| layout.montgomery == Some(k * layout.digits() as u32))
}

/// The multiple of p below `2^k·p` that is −1 modulo `2^k`.
pub fn multiple(m: &Modulus, k: u32) -> BigInt {
    BigInt::from(m.value.clone()) * inverse_digit(m, k)
}

/// Is p congruent to 1 or −1 modulo `2^k`, and no product needed for q?
pub fn is_friendly(m: &Modulus, k: u32) -> bool {
    let low = BigInt::from(m.value.clone()) % pow2(k);
    low.is_one() || low + 1u32 == pow2(k)
}

/// How q follows from the lowest column.
enum Quotient {
    /// p ≡ −1: it is the column, and digits of p + 1 are added.
    Lowest,
    /// p ≡ 1: the complement of the raised column.
    Complement(Value),
    /// A product with n′ = −1/p mod 2^k.
    Product(Value),
}

/// What clears the lowest column.
pub struct Clearing {
    k: u32,
    quotient: Quotient,
    /// Digits of p, or of p + 1 for `p ≡ −1`.
    digits: Vec<Value>,
    /// The greatest value of p: p itself where it is known.
    greatest: BigInt,
}

impl Clearing {
    /// For modulus p in n digits of k bits.
    pub fn new(b: &mut Builder, m: &Modulus, k: u32, n: usize) -> Clearing {
        let p = BigInt::from(m.value.clone());
        let low = &p % pow2(k);
        let quotient = match () {
            () if &low + 1u32 == pow2(k) => Quotient::Lowest,
            () if low.is_one() => Quotient::Complement(b.word_constant(pow2(k) - 1)),
            () => Quotient::Product(b.word_constant(inverse_digit(m, k))),
        };
        let greatest = p.clone();
        let multiplier: BigInt = if matches!(quotient, Quotient::Lowest) { &p + 1u32 } else { p };
        let digits = (0..n as u32).map(|i| b.word_constant((&multiplier >> (i * k)) % pow2(k))).collect();
        Clearing { k, quotient, digits, greatest }
    }

    /// For the multiple of p in n + 1 digits of k bits that is −1 modulo `2^k`: q is the lowest column. What it leaves is
    /// as much greater as the multiple is.
    pub fn of_multiple(b: &mut Builder, m: &Modulus, k: u32, n: usize) -> Clearing {
        let greatest = multiple(m, k);
        let multiplier: BigInt = &greatest + 1u32;
        let digits = (0..=n as u32).map(|i| b.word_constant((&multiplier >> (i * k)) % pow2(k))).collect();
        Clearing { k, quotient: Quotient::Lowest, digits, greatest }
    }

    /// For a modulus that is known when the kernel runs, its digits of k bits and `−1/p mod 2^k`.
    pub fn at_run_time(modulus: &RunTimeModulus, k: u32) -> Clearing {
        Clearing {
            k,
            quotient: Quotient::Product(modulus.inverse),
            digits: modulus.number.digits.clone(),
            greatest: modulus.number.bound.clone(),
        }
    }

    /// Bound of the result for a product up to `product`: `(product + (R−1)·p)/R`.
    pub fn bound(&self, layout: &Layout, product: &BigInt) -> BigInt {
        let r = layout.factor();
        (product + (&r - 1) * &self.greatest) / r
    }

    /// What each column starts from that is to be cleared.
    pub fn start(&self, b: &mut Builder) -> Value {
        b.word_constant(if self.adds_lowest(b) { BigInt::zero() } else { pow2(self.k) - 1 })
    }

    /// Is the lowest column cleared by a sum, digit 0 of the multiplier with it, or known to vanish?
    fn adds_lowest(&self, b: &Builder) -> bool {
        match self.quotient {
            Quotient::Lowest => true,
            Quotient::Complement(_) => false,
            Quotient::Product(_) => columns::whole(b.word(), self.k),
        }
    }

    /// Adds `q·p` so that column `at` vanishes (it started from [`Clearing::start`]), and its carry to the next column.
    pub fn row(&self, b: &mut Builder, t: &mut [Value], at: usize) {
        let (k, whole) = (self.k, columns::whole(b.word(), self.k));
        let q = match self.quotient {
            Quotient::Lowest if whole => b.low_bits(t[at], k),
            Quotient::Product(inverse) if whole => {
                let low = b.low_bits(t[at], k);
                let product = b.mul(low, inverse);
                b.low_bits(product, k)
            }
            Quotient::Lowest => t[at],
            Quotient::Complement(ones) => {
                let low = b.low_bits(t[at], k);
                b.xor(low, ones)
            }
            Quotient::Product(inverse) => b.madd_lo(k, inverse, t[at], inverse),
        };
        let adds_lowest = self.adds_lowest(b);
        for (j, digit) in self.digits.iter().enumerate() {
            if j > 0 || adds_lowest {
                columns::add_low(b, k, t, at + j, q, *digit);
            }
            columns::add_high(b, k, t, at + j + 1, q, *digit);
            // What waits for q goes to the next column last.
            if j == 0 && whole {
                self.carry(b, t, at);
            }
        }
        if !whole {
            self.carry(b, t, at);
        }
    }

    /// (t0 + lo(q·p0))/2^k, or of whole products (t0 + q·p0)/2^k; for p ≡ −1 the lowest digit of p + 1 is 0 and t0 − q
    /// is divided.
    fn carry(&self, b: &mut Builder, t: &mut [Value], at: usize) {
        let carry = b.shr(t[at], self.k);
        columns::add(b, self.k, t, at + 1, carry);
    }
}

/// The product: a row of products, a row that clears, in turn.
pub fn multiply(b: &mut Builder, m: &Modulus, layout: &Layout, x: &Number, y: &Number) -> Number {
    let clearing = Clearing::new(b, m, layout.radix.unwrap_or(layout.word), layout.digits());
    scan(b, &clearing, layout, x, y)
}

/// The product, for what clears columns.
pub fn scan(b: &mut Builder, clearing: &Clearing, layout: &Layout, x: &Number, y: &Number) -> Number {
    let (n, k) = (layout.digits(), clearing.k);
    let (start, zero) = (clearing.start(b), b.word_constant(0));
    let mut t = vec![start; n];
    t.resize(2 * n, zero);
    for (i, yi) in y.digits.iter().enumerate() {
        columns::add_row(b, k, &mut t, i, &x.digits, *yi);
        clearing.row(b, &mut t, i);
    }
    let bound = clearing.bound(layout, &(&x.bound * &y.bound));
    columns::digits(b, layout, t.split_off(n), bound)
}

/// The square: all columns, then the rows that clear.
pub fn square(b: &mut Builder, m: &Modulus, layout: &Layout, x: &Number) -> Number {
    let clearing = Clearing::new(b, m, layout.radix.unwrap_or(layout.word), layout.digits());
    scan_square(b, &clearing, layout, x)
}

/// The square, for what clears columns.
pub fn scan_square(b: &mut Builder, clearing: &Clearing, layout: &Layout, x: &Number) -> Number {
    let (n, k) = (layout.digits(), clearing.k);
    let start = clearing.start(b);
    let mut t = columns::square(b, k, &x.digits);
    for i in 0..n {
        columns::add(b, k, &mut t, i, start);
        clearing.row(b, &mut t, i);
    }
    let bound = clearing.bound(layout, &(&x.bound * &x.bound));
    columns::digits(b, layout, t.split_off(n), bound)
}
