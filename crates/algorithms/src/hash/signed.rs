//! Sums of products of words in two's complement.
//!
//! * **computes** `Σ k_i·m_i`, exact, or wrapped to 2n bits in two's complement, plus a multiple of p that makes it
//!   positive. With `h = 2^(n−1)`, `k' = k + h`, `m' = m + h`, which are the patterns of k and m with the upper bit turned,
//!   `k·m = k'·m' + h·((2^n − 1 − k') + (2^n − 1 − m')) + h² − 2h·(2^n − 1)`.
//! * **needs** patterns of n bits.
//! * **gives** a number that is not negative, congruent to the sum modulo p.
//! * **cost** a product, four differences of bits and three sums for each word of the message.
//! * **source** the sum: Halevi, Krawczyk, "MMH" (FSE 1997). Numbers with an offset for signed ones: Warren, Hacker's
//!   Delight, section 2-13.

use evariste_descriptions::Modulus;
use evariste_ir::range::pow2;
use evariste_ir::{Builder, Number};
use num_bigint::BigInt;
use num_integer::Integer;

use super::given::{WORDS, Words};
use super::sums::{added, cut, product};
use crate::words::{constant_digits, shift_left, words_for};

/// The sum of all products of such words, plus a multiple of p.
pub(super) fn signed_total(
    b: &mut Builder,
    m: &Modulus,
    [key, message]: [&Words; 2],
    bits: u32,
    wrapping: bool,
) -> Number {
    let (half, ones) = (pow2(bits - 1), pow2(bits) - 1);
    let wrap = wrapping.then_some(2 * bits);
    let (mut products, mut rests) = (zero(b), zero(b));
    for i in 0..WORDS {
        let with_offset = [key, message].map(|words| {
            let x = words.load(b, i);
            turned(b, &x, &half)
        });
        let [k, m] = &with_offset;
        let next = product(b, k, m);
        products = added(b, &products, &next, wrap);
        for x in &with_offset {
            let rest = turned(b, x, &ones);
            rests = added(b, &rests, &rest, None);
        }
    }
    let count = BigInt::from(WORDS);
    let constant: BigInt = &count * (&half * &half - 2 * &half * &ones);
    let bound = &rests.bound << (bits - 1);
    let len = words_for(&bound, b.word()).min(wrap.map_or(usize::MAX, |bits| bits.div_ceil(b.word()) as usize));
    let digits = shift_left(b, &rests.digits, bits - 1, len);
    let shifted = Number::new(digits, b.word(), bound.min(pow2(len as u32 * b.word()) - 1));
    let all = added(b, &products, &shifted, wrap);
    let p = BigInt::from(m.value.clone());
    if !wrapping {
        let constant = fixed(b, &constant.mod_floor(&p));
        return added(b, &all, &constant, None);
    }
    // In two's complement of 2n bits: as many above 0 as the number with the upper bit turned, less that bit.
    let limit = pow2(2 * bits - 1);
    let constant = fixed(b, &(constant + &limit).mod_floor(&pow2(2 * bits)));
    let all = added(b, &all, &constant, wrap);
    let all = cut(b, all, 2 * bits);
    let back = fixed(b, &(-limit).mod_floor(&p));
    added(b, &all, &back, None)
}

fn zero(b: &mut Builder) -> Number {
    Number::new(Vec::new(), b.word(), 0.into())
}

fn fixed(b: &mut Builder, x: &BigInt) -> Number {
    let digits = constant_digits(b, x, words_for(x, b.word()));
    Number::new(digits, b.word(), x.clone())
}

/// The number with those bits turned that a pattern has, of as many bits or fewer.
fn turned(b: &mut Builder, x: &Number, pattern: &BigInt) -> Number {
    let pattern = constant_digits(b, pattern, x.len());
    let digits = x.digits.iter().zip(pattern).map(|(x, bits)| b.xor(*x, bits)).collect();
    Number::new(digits, b.word(), x.bound.clone())
}
