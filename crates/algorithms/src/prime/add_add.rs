//! Sum of three operands modulo p.
//!
//! * **computes** `a + b + c mod p`. Two sums: each reduced, in registers from the first step to the last. One more,
//!   modulo `2^k − 1`: `d = a + b + 1`, h its bit at `2^k`; `a + b mod p` is `d mod 2^k + h − 1`, so `d mod 2^k + h + c`
//!   is again one more than a sum, and its bit at `2^k` decides. Quotient of the top word, modulo `2^k − c`: of the whole
//!   sum s, `q = ⌊(s + E)/2^k⌋` by the top word alone, E a multiple of its weight; `t = s − q·p + E` is not negative, and
//!   `t − E` is the sum, or where it is negative p more.
//! * **needs** resting operands in saturated words. The output may be the last operand of two sums, else any.
//! * **gives** a resting element.
//! * **cost** two sums: 4n additions and 2n selects (modulo `2^k − 1` 4n additions); one more 3n additions; quotient of
//!   the top word 4n additions and the products of q with the words of c.
//! * **source** two sums see [`super::add`]; of these the other two are made: a carry that decides as in
//!   `bignum_add_p521` of s2n-bignum, a quotient by leading words as in the Handbook of Applied Cryptography, 14.20.

use evariste_descriptions::{Field, Modulus};
use evariste_ir::range::{Interval, pow2};
use evariste_ir::{ArrayKind, Builder, Contract, Kernel, Number, Polynomial, Type, Value};
use num_bigint::BigInt;
use num_integer::Integer;

use super::add::{mersenne, one_less, sum_and_bit};
use super::power::Callee;
use super::representation::{Resting, is_canonical, kernel_name, masked, modulus, prime, resting_of};
use crate::layout::Layout;
use crate::operation::Operation;
use crate::recipe::{Composite, Need, Pick, Whole};
use crate::signature::{self, NotApplicable, ValueClaim, input, output};
use crate::words::{add_row, constant_digits};

/// Saturated layouts with a bound in multiples of p.
pub const TWO_SUMS: Composite = Composite {
    name: "two-sums",
    applies: |f, l, op| {
        *op == Operation::ADD_ADD && l.saturated() && matches!(resting_of(f, l), Some(Resting::Below(_)))
    },
    needs: &[Need::new(Operation::ADD, Pick::Fewest)],
    write: |f, l, op, parts| {
        let [add] = parts else { return Err(NotApplicable("made of sums".into())) };
        let (m, r) = (modulus(f)?, &l.resting);
        let mut b = Builder::new(kernel_name(op, "two-sums"), l.word);
        let (out, operand) = output(&mut b, "out", &l.weights, r);
        let [x, y, z] = ["a", "b", "c"].map(|name| input(&mut b, name, &l.weights, r));
        // The output may be the last operand: the first sum has a place of its own.
        let ranges = r.digit_max.iter().map(|d| Interval::up_to(d.clone())).collect();
        let ty = b.word_type();
        let between = b.array("between", ty, l.digits() as u32, ArrayKind::Local, ranges);
        let callee = Callee::new(&mut b, add.clone(), "add");
        callee.call(&mut b, between, &[x.array, y.array]);
        callee.call(&mut b, out, &[between, z.array]);
        let claim = ValueClaim::plain(polynomial(), Some(prime(m))).on(operand);
        let inputs = vec![x.operand, y.operand, z.operand];
        Ok(b.finish(Contract { facts: Vec::new(), inputs, claims: vec![claim] }))
    },
};

/// Modulo `2^k − 1` in whole words: what a sum with one more leaves to take away is taken from the next one.
pub const MERSENNE: Whole = Whole {
    name: "one-more",
    applies: |f, l, op| *op == Operation::ADD_ADD && is_canonical(f, l) && l.saturated() && mersenne(f, l).is_some(),
    write: |f, l, op| {
        let place = mersenne(f, l).ok_or_else(|| NotApplicable("the modulus is not 2^k − 1".into()))?;
        write(f, l, &kernel_name(op, "one-more"), |b, m, [x, y, z]| {
            let one = b.constant(Type::Flag, 1);
            let (low, high) = sum_and_bit(b, x, &y.digits, one, place);
            let (zero, none) = (b.word_constant(0), b.no_flag());
            let (_, carry) = b.sub_borrow(zero, high, none);
            let (low, high) = sum_and_bit(b, z, &low, carry, place);
            let digits = one_less(b, low, high);
            Number::new(digits, l.word, prime(m) - 1)
        })
    },
};

/// Modulo `2^k − c` in canonical whole words, where a few times c are little beside the highest word.
pub const QUOTIENT_OF_TOP_WORD: Whole = Whole {
    name: "quotient-of-top-word",
    applies: |f, l, op| *op == Operation::ADD_ADD && added(f, l).is_some(),
    write: |f, l, op| {
        let e = added(f, l).ok_or_else(|| NotApplicable("the modulus is not just below a power of 2".into()))?;
        write(f, l, &kernel_name(op, "quotient-of-top-word"), |b, m, x| by_top_word(b, &prime(m), x, &e))
    },
};

/// E in units of the weight of the highest word: the least that is `(q + 1)·c` or more for the greatest q, and at most p.
fn added(field: &Field, layout: &Layout) -> Option<BigInt> {
    if !(is_canonical(field, layout) && layout.saturated() && layout.digits() > 1) {
        return None;
    }
    let p = prime(modulus(field).ok()?);
    let (k, weight) = (p.bits() as u32, pow2(layout.word * (layout.digits() as u32 - 1)));
    let mut e = BigInt::from(1);
    while &e * &weight <= p {
        let q: BigInt = (&p * 3 - 3 + &e * &weight) >> k;
        let excess: BigInt = (q + 1) * (pow2(k) - &p);
        let least = excess.div_ceil(&weight);
        if least <= e {
            return Some(e);
        }
        e = least;
    }
    None
}

/// The sum of three numbers below `p = 2^k − c`, with E of [`added`].
fn by_top_word(b: &mut Builder, p: &BigInt, [x, y, z]: [&Number; 3], e: &BigInt) -> Number {
    let (n, word, k) = (x.len(), b.word(), p.bits() as u32);
    let place = k - (n as u32 - 1) * word;
    let (e, zero, none, ty) = (b.word_constant(e.clone()), b.word_constant(0), b.no_flag(), b.word_type());
    let mut s = x.digits.clone();
    let [first, second] = [y, z].map(|y| add_row(b, &mut s, &y.digits, 0, n)).map(|carry| b.flag_to_word(carry, ty));
    let (top, third) = b.add_carry(s[n - 1], e, none);
    let third = b.flag_to_word(third, ty);
    let above = b.add(first, second);
    let above = b.add(above, third);
    let q = if place == word { above } else { b.funnel_shift(above, top, place) };
    let mut high = zero;
    let product = constant_digits(b, &(pow2(k) - p), n).into_iter().map(|c| {
        let low;
        (low, high) = b.mul_add_add(q, c, high, zero);
        low
    });
    let product: Vec<Value> = product.collect();
    let negative = if place == word {
        // The sum above is first + second, q more by the third carry: so much is taken away, in one more word.
        let carry = add_row(b, &mut s, &product, 0, n);
        let carry = b.flag_to_word(carry, ty);
        let (sign, negative) = b.sub_borrow(carry, third, none);
        s.push(sign);
        negative
    } else {
        // What is left of the highest word with E: t is below 2^k + q·c.
        s[n - 1] = b.low_bits(top, place);
        add_row(b, &mut s, &product, 0, n);
        let (top, negative) = b.sub_borrow(s[n - 1], e, none);
        s[n - 1] = top;
        negative
    };
    let p_digits = constant_digits(b, p, n);
    let p_digits = masked(b, negative, &p_digits);
    let words = s.len();
    add_row(b, &mut s, &p_digits, 0, words);
    Number::new(s, word, p - 1)
}

/// The sum of the operands.
fn polynomial() -> Polynomial {
    Polynomial::input(0).plus(1, &[1]).plus(1, &[2])
}

fn write(
    field: &Field,
    layout: &Layout,
    name: &str,
    body: impl FnOnce(&mut Builder, &Modulus, [&Number; 3]) -> Number,
) -> Result<Kernel, NotApplicable> {
    let m = modulus(field)?;
    let claim = ValueClaim::plain(polynomial(), Some(prime(m)));
    let operands = ["a", "b", "c"].map(|name| (name, &layout.resting));
    signature::kernel(name, layout, &operands, claim, |b, x| Ok(body(b, m, [&x[0], &x[1], &x[2]])))
}
