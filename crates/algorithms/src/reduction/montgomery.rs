//! What every Montgomery schedule shares: the quotient digit, the multiplier that is added for it, and the bound of the
//! result.
//!
//! * **computes** for the lowest digit t0 of a number t the digit q with `t0 + q·p ≡ 0 (mod 2^w)`, and the carry that
//!   the cleared digit leaves.
//! * **needs** p odd, saturated words.
//! * **gives** q, the carry into digit 1, and digits 1 to n−1 of what q multiplies: those of p, or of p + 1 when
//!   `p ≡ −1 (mod 2^w)`, since then q = t0 and `t + q·p = (t − t0) + q·(p + 1)`.
//! * **cost** two multiplications; none when `p ≡ ±1 (mod 2^w)`. The rows of sparse p are shifts and additions (the
//!   builder folds constants).
//! * **source** Montgomery, "Modular multiplication without trial division" (1985); Montgomery-friendly moduli as in
//!   Gueron, Krasnov, "Fast prime field elliptic-curve cryptography with 256-bit primes" (2013).

use evariste_descriptions::Modulus;
use evariste_ir::range::pow2;
use evariste_ir::{Builder, Number, Value};
use num_bigint::BigInt;
use num_traits::Zero;

use super::signed_row::{SignedRow, SignedWords, price};
use crate::integer::operand_scanning_chains;
use crate::integer::operand_scanning_even_odd::EvenOdd;
use crate::integer::row_forms::{self, Form};
use crate::layout::Layout;
use crate::words::constant_digits;

/// How the quotient digit follows from the lowest digit.
enum Quotient {
    /// p ≡ −1, and digits of p + 1 are added: q = t0, no carry.
    Lowest,
    /// p ≡ −1, and digits of p are added (p + 1 has a digit too many): q = t0, and the carry is q.
    LowestCarried,
    /// p ≡ 1: q = −t0, and the carry is 1 unless t0 = 0.
    Negative,
    /// q = t0·p′, and the carry is the high half of `q·p[0] + t0`.
    Product { inverse: Value, p0: Value },
}

/// A product with the reduction interleaved, whatever is known of the modulus.
pub struct Scan {
    /// Standard name.
    pub name: &'static str,
    /// Does it apply to moduli that are supplied at run time in this layout?
    pub applies: fn(&Layout) -> bool,
    /// Product of two numbers.
    pub multiply: fn(&mut Builder, &Clearing, &Layout, &Number, &Number) -> Number,
    /// Square; `None`: multiply the number by itself.
    pub square: Option<fn(&mut Builder, &Clearing, &Layout, &Number) -> Number>,
}

/// The rows of the function `scan` (and `scan_square`) of a file: `SCAN`, and `INTEGRATED` for moduli that are known.
macro_rules! rows_of_scan {
    ($name:literal, applies: $applies:expr, at_run_time: $at_run_time:expr $(, square: $square:ident)?) => {
        /// For moduli that are known.
        pub const INTEGRATED: crate::recipe::Integrated = crate::recipe::Integrated {
            name: $name,
            applies: $applies,
            multiply: |b, m, layout, x, y| {
                let p = $crate::reduction::montgomery::Clearing::new(b, m, layout.digits());
                scan(b, &p, layout, x, y)
            },
            square: $crate::reduction::montgomery::optional!($(|b, m, layout, x| {
                let p = $crate::reduction::montgomery::Clearing::new(b, m, layout.digits());
                $square(b, &p, layout, x)
            })?),
        };

        /// For any moduli.
        pub const SCAN: $crate::reduction::montgomery::Scan = $crate::reduction::montgomery::Scan {
            name: $name,
            applies: $at_run_time,
            multiply: scan,
            square: $crate::reduction::montgomery::optional!($($square)?),
        };
    };
}

/// What may be there.
macro_rules! optional {
    () => {
        None
    };
    ($it:expr) => {
        Some($it)
    };
}

pub(crate) use {optional, rows_of_scan};

/// The greatest modulus of a layout.
pub fn greatest(layout: &Layout) -> BigInt {
    (&layout.resting.bound + 1u32) / layout.resting_multiple()
}

/// The multiples of p that clear digits.
pub struct Clearing {
    quotient: Quotient,
    /// Entry j: what q is multiplied with at digit j; entry 0 is not used.
    digits: Vec<Value>,
    /// Rows in signed words where they are cheaper.
    signed: Option<SignedRow>,
    /// Are the rows in the forms for carry flags those of `digits`?
    plain: bool,
    /// The greatest value of p: p itself where it is known.
    greatest: BigInt,
}

/// A modulus that is supplied at run time, as it lies in the kernel's parameters.
pub struct RunTimeModulus {
    /// The modulus, odd; its bound is all that is known of its size.
    pub number: Number,
    /// `−1/p mod 2^w`, which a fact of the contract ties to the modulus.
    pub inverse: Value,
}

/// Are the rows in the forms for carry flags those of p, or of p + 1 for `p ≡ −1 (mod 2^w)`, and not rows in signed
/// words? They are where these are no cheaper (a product with a power of two counts as a shift either way).
pub fn plain_rows(m: &Modulus, word: u32, n: usize) -> bool {
    let p = BigInt::from(m.value.clone());
    let Some(signed) = SignedWords::new(&p, word, n) else { return true };
    let above = p + 1u32;
    let lowest = (&above % pow2(word)).is_zero() && above < pow2(word * n as u32);
    let words = (1..n as u32).map(|i| price(&((&above >> (i * word)) % pow2(word)))).sum::<usize>();
    lowest && words <= signed.words.iter().map(price).sum()
}

impl Clearing {
    /// For modulus p in n words.
    pub fn new(b: &mut Builder, m: &Modulus, n: usize) -> Clearing {
        let word = b.word();
        let p = BigInt::from(m.value.clone());
        let inverse = b.word_constant(inverse_digit(m, word));
        let signed_words = SignedWords::new(&p, word, n);
        let low = &p % pow2(word);
        let (quotient, multiplier) = if low == pow2(word) - 1 {
            if &p + 1 < pow2(word * n as u32) { (Quotient::Lowest, &p + 1) } else { (Quotient::LowestCarried, p) }
        } else if low == BigInt::from(1) {
            (Quotient::Negative, p)
        } else {
            (Quotient::Product { inverse, p0: b.word_constant(low) }, p)
        };
        let plain = plain_rows(m, word, n);
        let signed = signed_words.map(|words| SignedRow::new(b, &words, inverse));
        Clearing {
            quotient,
            digits: constant_digits(b, &multiplier, n),
            signed,
            plain,
            greatest: BigInt::from(m.value.clone()),
        }
    }

    /// For a modulus that is supplied at run time.
    pub fn at_run_time(modulus: &RunTimeModulus) -> Clearing {
        let digits = modulus.number.digits.clone();
        let quotient = Quotient::Product { inverse: modulus.inverse, p0: digits[0] };
        Clearing { quotient, digits, signed: None, plain: true, greatest: modulus.number.bound.clone() }
    }

    /// The greatest value of p.
    pub fn greatest(&self) -> &BigInt {
        &self.greatest
    }

    /// Are the rows those of a sparse modulus, in signed words?
    pub fn is_sparse(&self) -> bool {
        self.signed.is_some()
    }

    /// Bound of the result for a product up to `product`: `(product + (R−1)·p)/R`.
    pub fn bound(&self, layout: &Layout, product: &BigInt) -> BigInt {
        let r = layout.factor();
        (product + (&r - 1) * &self.greatest) / r
    }

    /// Is A + p ≤ R for the bound A of the first operand? Then a running number below A + p needs no word above its n.
    pub fn has_room(&self, layout: &Layout) -> bool {
        has_room(&self.greatest, layout)
    }

    /// q for the lowest digit, and the carry into the next digit that remains of `t0 + q·p[0]`.
    pub fn quotient(&self, b: &mut Builder, t0: Value) -> (Value, Value) {
        let zero = b.word_constant(0);
        match self.quotient {
            Quotient::Lowest => (t0, zero),
            Quotient::LowestCarried => (t0, t0),
            Quotient::Negative => {
                let none = b.no_flag();
                let (q, carry) = b.sub_borrow(zero, t0, none);
                (q, b.flag_to_word(carry, b.word_type()))
            }
            Quotient::Product { inverse, p0 } => {
                let q = b.wrapping_mul(t0, inverse);
                let (_, carry) = b.mul_add_add(q, p0, t0, zero);
                (q, carry)
            }
        }
    }

    /// The number that q multiplies: p or p + 1.
    pub fn multiplier(&self, m: &Modulus) -> BigInt {
        let p = BigInt::from(m.value.clone());
        if matches!(self.quotient, Quotient::Lowest) { p + 1 } else { p }
    }

    /// What q is multiplied with at digit j, 1 ≤ j < n.
    pub fn digit(&self, j: usize) -> Value {
        self.digits[j]
    }

    /// Adds the multiples of q to `t[1..n]` and drops the cleared digit: entry j − 1 of the result is digit j; also the
    /// carry at digit n.
    pub fn row(&self, b: &mut Builder, t: &[Value]) -> (Vec<Value>, Value) {
        if let Some(signed) = &self.signed {
            return signed.row(b, t);
        }
        let (q, mut carry) = self.quotient(b, t[0]);
        let mut rest = Vec::with_capacity(t.len());
        for (j, tj) in t.iter().enumerate().skip(1) {
            let (digit, next) = b.mul_add_add(q, self.digits[j], *tj, carry);
            rest.push(digit);
            carry = next;
        }
        (rest, carry)
    }

    /// As [`Clearing::row`], the halves of the products in two carry chains.
    pub fn row_chains(&self, b: &mut Builder, t: &[Value]) -> (Vec<Value>, Value) {
        if let Some(signed) = &self.signed {
            return signed.row(b, t);
        }
        match self.quotient {
            Quotient::Lowest => operand_scanning_chains::row(b, &t[1..], &self.digits[1..], t[0]),
            Quotient::LowestCarried => self.row(b, t),
            Quotient::Negative => {
                let zero = b.word_constant(0);
                let q = b.wrapping_sub(zero, t[0]);
                self.add_cleared(b, t, q)
            }
            Quotient::Product { inverse, .. } => {
                let q = b.wrapping_mul(t[0], inverse);
                self.add_cleared(b, t, q)
            }
        }
    }

    /// As [`Clearing::row`] in one of the forms for carry flags, for t of n + 1 words: words 1 to n of `t + q·p`, and
    /// the carry above them as a flag. Where q is a product, the lowest words of t and of `q·p` add up to 0 or 2^w: the
    /// carry is that `0 − t[0]` borrows, and the low half of `q·p[0]` is not needed.
    pub fn row_form(&self, b: &mut Builder, form: Form, t: &[Value]) -> (Vec<Value>, Value) {
        let zero = b.word_constant(0);
        let none = b.no_flag();
        match self.quotient {
            Quotient::Lowest if self.plain => row_forms::row(b, form, &t[1..], &self.digits[1..], t[0], None),
            Quotient::Negative if self.plain => {
                let (q, borrow) = b.sub_borrow(zero, t[0], none);
                row_forms::row(b, form, t, &self.digits, q, Some(borrow))
            }
            Quotient::Product { inverse, .. } if self.plain => {
                let (_, borrow) = b.sub_borrow(zero, t[0], none);
                let q = b.wrapping_mul(t[0], inverse);
                row_forms::row(b, form, t, &self.digits, q, Some(borrow))
            }
            _ => {
                let n = self.digits.len();
                let (mut rest, above) = self.row(b, &t[..n]);
                let (last, carry) = match t.get(n) {
                    Some(top) => b.add_carry(*top, above, none),
                    None => (above, none),
                };
                rest.push(last);
                (rest, carry)
            }
        }
    }

    /// Clears the lowest word of a number in two parts, and divides by `2^w`. The carry above all words, in two flags.
    pub fn clear_even_odd(&self, b: &mut Builder, t: &mut EvenOdd) -> [Value; 2] {
        let zero = b.word_constant(0);
        let t0 = t.lowest().unwrap_or(zero);
        let q = match self.quotient {
            Quotient::Lowest => {
                // (t − t0) + t0·(p + 1), whose lowest word is 0.
                t.shift(b);
                return t.add(b, &self.digits[1..], t0);
            }
            Quotient::LowestCarried => t0,
            Quotient::Negative => b.wrapping_sub(zero, t0),
            Quotient::Product { inverse, .. } => b.wrapping_mul(t0, inverse),
        };
        let above = t.add(b, &self.digits, q);
        t.shift(b);
        above
    }

    /// `t + q·p` without its lowest word, which is 0.
    fn add_cleared(&self, b: &mut Builder, t: &[Value], q: Value) -> (Vec<Value>, Value) {
        let (mut sum, carry) = operand_scanning_chains::row(b, t, &self.digits, q);
        sum.remove(0);
        (sum, carry)
    }
}

/// Is A + p ≤ R for the bound A of an operand?
pub fn has_room(p: &BigInt, layout: &Layout) -> bool {
    &layout.loose.bound + p <= layout.factor()
}

/// Montgomery layouts of odd moduli in saturated words, in straight-line code.
pub fn applies(m: &Modulus, layout: &Layout) -> bool {
    m.twos() == 0
        && layout.montgomery == Some(layout.word * layout.digits() as u32)
        && layout.saturated()
        && crate::integer::unrolled(layout.word, layout.digits())
}

/// `−1/p mod 2^w`.
pub fn inverse_digit(m: &Modulus, word: u32) -> BigInt {
    let base = pow2(word);
    let p = BigInt::from(m.value.clone()) % &base;
    // Newton: the number of correct low bits doubles at each step, 3 at the start.
    let mut x = p.clone();
    for _ in 0..6 {
        x = (&x * (2 - &p * &x)) % &base;
    }
    ((-x) % &base + &base) % &base
}

/// Bound of the result for a product up to `product`: `(product + (R−1)·p)/R`.
pub fn bound(m: &Modulus, layout: &Layout, product: &BigInt) -> BigInt {
    let r = layout.factor();
    (product + (&r - 1) * BigInt::from(m.value.clone())) / r
}

/// A sum of two words as a word and a carry word.
pub fn add_words(b: &mut Builder, x: Value, y: Value) -> (Value, Value) {
    let none = b.no_flag();
    let (sum, carry) = b.add_carry(x, y, none);
    (sum, b.flag_to_word(carry, b.word_type()))
}
