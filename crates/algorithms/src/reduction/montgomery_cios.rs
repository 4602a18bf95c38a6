//! Montgomery multiplication, coarsely integrated operand scanning (CIOS).
//!
//! * **computes** `a·b/R mod p`, R = 2^(wn): for each digit of b, one row `+ a·b[i]`, one row `+ q·p`, and the zero digit is dropped.
//! * **needs** p odd, saturated words; any bounds A, B of the operands.
//! * **gives** a number at most `(A·B + (R−1)·p)/R`, in n words and one more where that does not fit n; not settled.
//! * **cost** 2n² + n multiplications, 4n² + 4n + 2 additions.
//! * **source** Koç, Acar, Kaliski, "Analyzing and comparing Montgomery multiplication algorithms" (1996); the second carry word is written only where ranges need it.

use evariste_ir::{Builder, Number};
use evariste_spec::Modulus;
use num_bigint::BigInt;

use super::constant_digits;
use crate::layout::Layout;
use crate::registry::Integrated;

/// Registry line.
pub const INTEGRATED: Integrated = Integrated { name: "montgomery-cios", applies, multiply, square: None };

/// Montgomery layouts of saturated words.
pub fn applies(_: &Modulus, layout: &Layout) -> bool {
    layout.montgomery == Some(layout.word * layout.digits() as u32) && layout.saturated()
}

/// `−1/p mod 2^w`.
pub fn inverse_digit(m: &Modulus, word: u32) -> BigInt {
    let base = BigInt::from(1) << word;
    let p = BigInt::from(m.value.clone()) % &base;
    // Newton: the number of correct low bits doubles at each step, 3 at the start.
    let mut x = p.clone();
    for _ in 0..6 {
        x = (&x * (2 - &p * &x)) % &base;
    }
    ((-x) % &base + &base) % &base
}

/// Bound of the result: `(A·B + (R−1)·p)/R`.
pub fn bound(m: &Modulus, layout: &Layout, product: &BigInt) -> BigInt {
    let r = layout.factor();
    (product + (&r - 1) * BigInt::from(m.value.clone())) / r
}

/// The product.
pub fn multiply(b: &mut Builder, m: &Modulus, layout: &Layout, x: &Number, y: &Number) -> Number {
    let (n, word) = (layout.digits(), layout.word);
    let zero = b.word_constant(0);
    let p = constant_digits(b, &BigInt::from(m.value.clone()), n);
    let inverse = b.word_constant(inverse_digit(m, word));
    // t has n + 1 words; before each row t ≤ (X·(2^w − 1) + …)/2^w < X + p.
    let mut t = vec![zero; n + 1];
    for yi in &y.digits {
        let mut carry = zero;
        for (j, xj) in x.digits.iter().enumerate() {
            (t[j], carry) = b.mul_add_add(*xj, *yi, t[j], carry);
        }
        let none = b.no_flag();
        let (top, over) = b.add_carry(t[n], carry, none);
        let over = b.flag_to_word(over, b.word_type());
        let q = b.wrapping_mul(t[0], inverse);
        let (_, mut carry) = b.mul_add_add(q, p[0], t[0], zero);
        for j in 1..n {
            (t[j - 1], carry) = b.mul_add_add(q, p[j], t[j], carry);
        }
        let none = b.no_flag();
        let (s, c) = b.add_carry(top, carry, none);
        t[n - 1] = s;
        let c = b.flag_to_word(c, b.word_type());
        t[n] = b.add(over, c);
    }
    let bound = bound(m, layout, &(&x.bound * &y.bound));
    Number::new(t, word, bound).trimmed()
}
