//! `a·x + b` modulo `2^w + c` and then modulo `2^w`, of words: the quotient from the upper bits of two half products, the
//! remainder modulo `2^w`.
//!
//! * **computes** with h = w/2, x = x0 + 2^h·x1, a = a0 + 2^h·a1 and `a′ = p + 2^h·a0 − c·a1 ≡ 2^h·a` an approximation
//!   `2^g·Z` of `S = a·x0 + a′·x1 + b`, from above, by the upper halves of products of k bits; `Q = ⌊2^g·Z / 2^w⌋` and
//!   `r = 2^g·Z mod 2^w`; `R = a·x − c·(a1 − 1)·x1 + b − c·Q mod 2^w`, plus c where it is above r.
//! * **needs** p = 2^w + c, w even; words a, x, b; multiply-adds of k bits, k at most w − 1 and at least h + 2; less than
//!   `2^w` for what the approximation is too large by and c·Q together, so f = k − 1 − h of about four or more.
//! * **gives** the canonical value modulo `2^w`; its bit w is a ghost.
//! * **cost** three multiply-adds, two low products, five shifts, two sums, one comparison, one sum under its condition; of a
//!   and b alone, so for many x once, one small product, five shifts, one mask, four sums.
//! * **source** Gilbert et al., "Decorrelated Fast Cipher" (1998) for the map; the rest is ours. S ≡ a·x + b, since
//!   `a′ − 2^h·a = p·(1 − a1)`. With `2^g·Z = 2^w·Q + r` and `0 ≤ r − (S − p·Q) < 2^w` the number `S − p·Q` is R or
//!   `R − 2^w`, and it is this one where R is above r: canonical in both cases, after p was added. That difference is a double
//!   word that no result needs. The proof asks for it: its lower word is what the comparison leaves, its upper word 0.

use evariste_descriptions::{Field, Modulus};
use evariste_ir::range::pow2;
use evariste_ir::{Builder, Kernel, Number, Type, Value};
use num_bigint::BigInt;
use num_integer::Integer;

use super::affine::{complement_applies, cut, kernel, of_several};
use super::representation::{kernel_name, modulus, prime};
use crate::layout::Layout;
use crate::operation::Operation;
use crate::recipe::Whole;
use crate::reduction::complement::above_power;
use crate::signature::NotApplicable;

/// Registry line.
pub const QUOTIENT_BY_HALVES: Whole = Whole { name: "quotient-by-halves", applies, write };

/// Bits of the multiplicands of vector units' multiply-adds.
const MULTIPLICAND: u32 = 52;

/// How the map of a modulus is computed.
struct Halves {
    word: u32,
    /// Bits of half a word.
    half: u32,
    /// Bits of multiplicands.
    k: u32,
    /// Bits that multiplicands leave off a word, and one.
    off: u32,
    c: BigInt,
    p: BigInt,
    /// What the approximation is raised by, so that it is one from above.
    raise: BigInt,
}

impl Halves {
    fn new(m: &Modulus, word: u32) -> Option<Halves> {
        let (_, c) = above_power(m).filter(|(k, _)| *k == word && k % 2 == 0)?;
        let (half, k) = (word / 2, MULTIPLICAND.min(word - 1));
        let off = word - k + 1;
        // Two remainders of products, what a, a′ and b are longer by than what is left of them, in units of the
        // approximation: five, and c·x1.
        let raise = BigInt::from(5u32) + c.div_ceil(&pow2(off));
        let folded = &c * 3u32 << half;
        let fits = k > half + 1 && folded < pow2(k) && (&raise << (off + half)) + folded < pow2(word);
        fits.then(|| Halves { word, half, k, off, c, p: prime(m), raise })
    }

    /// Where Z begins: its lowest bit counts so much.
    fn unit(&self) -> u32 {
        self.off + self.half
    }

    /// What a map of a key needs of it alone.
    fn prepare(&self, b: &mut Builder, a: Value, addend: Value) -> Key {
        let (h, off) = (self.half, self.off);
        let none = b.no_flag();
        let c = b.word_constant(self.c.clone());
        let upper = b.shr(a, off);
        let (a0, a1) = (b.low_bits(a, h), b.shr(a, h));
        let folded = b.mul(a1, c);
        let (multiple, below) = b.sub_borrow(folded, c, none);
        let (moved, taken) = (b.shl(a0, h - off), b.shr(folded, off));
        let most = b.word_constant(pow2(self.word - off) - 1);
        let shifted = b.sub(most, taken);
        let shifted = b.add(moved, shifted);
        let raise = b.word_constant(self.raise.clone());
        let start = b.shr(addend, self.unit());
        let start = b.add(start, raise);
        Key { a, addend, upper, a1, multiple, below, shifted, start }
    }

    /// The value at x in two words, the upper one 0 or 1.
    fn value(&self, b: &mut Builder, key: &Key, x: Value) -> Number {
        let (h, k, unit) = (self.half, self.k, self.unit());
        let none = b.no_flag();
        let (c, zero) = (b.word_constant(self.c.clone()), b.word_constant(0));
        // Z, Q and r.
        let x1 = b.shr(x, h);
        let (low, high) = (b.wrapping_shl(x, k - h), b.shl(x1, k - h));
        let z = b.madd_hi(k, key.start, key.upper, low);
        let z = b.madd_hi(k, z, key.shifted, high);
        let quotient = b.shr(z, self.word - unit);
        let r = b.wrapping_shl(z, unit);
        // R, with the words above, which only the proof asks for.
        let [product, above_product] = whole_product(b, key.a, x);
        let [less, above_less] = whole_product(b, key.multiple, x1);
        let (sum, carry) = b.add_carry(product, key.addend, none);
        let of_quotient = b.madd_lo(k, zero, quotient, c);
        let (less, more) = b.add_carry(less, of_quotient, none);
        let (low, borrow) = b.sub_borrow(sum, less, none);
        let above = Above { x1, quotient, above_product, above_less, flags: [borrow, more, carry] };
        self.difference(b, key, r, low, &above);
        let exceeds = b.less(r, low);
        let raised = b.wrapping_add(low, c);
        let result = b.select(exceeds, raised, low);
        let (_, carry) = b.add_carry(low, c, none);
        let carry = b.flag_to_word(carry, b.word_type());
        let above = b.select(exceeds, carry, zero);
        Number::new(vec![result, above], self.word, &self.p - 1)
    }

    /// `r − (S − p·Q)` as a double word, and its words: for the proof alone.
    fn difference(&self, b: &mut Builder, key: &Key, r: Value, low: Value, above: &Above) {
        let ty = b.word_type();
        let below = b.flag_to_word(key.below, ty);
        let [borrow, more, carry] = above.flags.map(|flag| b.flag_to_word(flag, ty));
        let whole = b.mul(key.a1, above.x1);
        // (One more on both sides: bounds of products of parts are not sharp.)
        let one = b.word_constant(1);
        let product = b.add(above.above_product, one);
        let whole = b.sub(product, whole);
        let lifted = b.mul(below, above.x1);
        let sum = |b: &mut Builder, terms: &[Value]| terms[1..].iter().fold(terms[0], |sum, x| b.add(sum, *x));
        let upper = sum(b, &[above.above_less, above.quotient, borrow, more, one]);
        let lower = sum(b, &[above.x1, lifted, whole, carry]);
        let wide = Type::Wide(2 * self.word as u8);
        let (first, second) = (b.join(&[r, upper], wide), b.join(&[low, lower], wide));
        let difference = b.sub(first, second);
        b.split(difference, self.word);
    }
}

/// What is computed of a and b alone: the upper bits of a and of a′, `c·(a1 − 1)` modulo a word and whether that is below 0,
/// what Z starts from.
struct Key {
    a: Value,
    addend: Value,
    upper: Value,
    a1: Value,
    multiple: Value,
    below: Value,
    shifted: Value,
    start: Value,
}

/// The word of a product, and what is above it: as two operations, the second of which no result needs.
fn whole_product(b: &mut Builder, x: Value, y: Value) -> [Value; 2] {
    let (_, above) = b.mul_wide(x, y);
    [b.wrapping_mul(x, y), above]
}

/// What is above the word R.
struct Above {
    x1: Value,
    quotient: Value,
    above_product: Value,
    above_less: Value,
    /// The borrow of the difference, the carries of what is subtracted and of what it is subtracted from.
    flags: [Value; 3],
}

/// Has the map of a modulus this form in words of that size?
pub(crate) fn fits(field: &Field, word: u32) -> bool {
    modulus(field).is_ok_and(|m| Halves::new(m, word).is_some())
}

/// The maps of so many words by one a and b.
pub(crate) fn of_words(name: &str, field: &Field, word: u32, count: u32) -> Result<Kernel, NotApplicable> {
    let m = modulus(field)?;
    let halves = Halves::new(m, word).ok_or_else(|| NotApplicable("the quotient is not found by halves".into()))?;
    Ok(of_several(name, m, word, count, |b, a, addend, x| {
        let key = halves.prepare(b, a, addend);
        x.iter().map(|x| halves.value(b, &key, *x)).collect()
    }))
}

fn applies(field: &Field, layout: &Layout, operation: &Operation) -> bool {
    complement_applies(field, layout, operation) && fits(field, layout.word)
}

fn write(field: &Field, layout: &Layout, operation: &Operation) -> Result<Kernel, NotApplicable> {
    let m = modulus(field)?;
    let word = layout.word;
    let halves = Halves::new(m, word).ok_or_else(|| NotApplicable("the quotient is not found by halves".into()))?;
    let name = kernel_name(operation, QUOTIENT_BY_HALVES.name);
    kernel(&name, m, layout, cut(operation).flatten(), |b, a, x, addend| {
        let key = halves.prepare(b, a.digits[0], addend.digits[0]);
        halves.value(b, &key, x.digits[0])
    })
}
