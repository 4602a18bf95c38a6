//! Hashes of 32 words.
//!
//! * **computes** `(S mod p) mod 2^l`, S a sum of [`sums`](super::sums), p the least prime above `2^n`.
//! * **needs** 32 words of a key and of a message; of some an addend of n bits; of TMMH the number of bytes, and a word of the key for it.
//! * **gives** l bits. What of the residue is above them is a ghost, so that the contract says `out ≡ S` modulo p, where S is
//!   a polynomial in the words; sums that wrap and sums of signed words are none, and their kernels promise ranges.
//! * **cost** that of the sum, and a reduction by the complement of the quotient ([`complement`](crate::reduction::complement)).
//! * **source** Halevi, Krawczyk, "MMH" (FSE 1997); McGrew, "TMMH" (2001); Etzel, Patel, Ramzan, "Square Hash" (CRYPTO 1999).

use evariste_descriptions::Field;
use evariste_ir::range::{Interval, pow2};
use evariste_ir::{ArrayKind, Builder, Claim, Contract, Kernel, Number, Operand, Polynomial, Type};

use super::given::{Family, Shape, WORDS, Words, shape};
use super::setting::Setting;
use super::signed::signed_total;
use super::sums::{Terms, total, wrapping_total};
use crate::layout::Layout;
use crate::operation::Operation;
use crate::recipe::{Recipe, Whole};
use crate::reduction::complement::Variant;
use crate::signature::{NotApplicable, ValueClaim};
use crate::words::low_bits;

super::ways::reductions!();

/// What a hash is of.
#[derive(Clone, Copy)]
struct Hashed {
    terms: Terms,
    /// Does the sum wrap?
    wrapping: bool,
    /// Is there an addend?
    addend: bool,
}

/// What an operation sums.
fn hashed(operation: &Operation, family: Family) -> Option<Hashed> {
    use Terms::{Products, SignedProducts, Squares, WrappedSquares};
    let (mmh, square) = (family == Family::Mmh, family == Family::Square);
    let (terms, wrapping, addend) = match operation {
        op if *op == Operation::TAG_WORD && family == Family::Tmmh => (Products, true, false),
        op if *op == Operation::HASH && mmh => (Products, false, false),
        op if *op == Operation::HASH_WRAPPING && mmh => (Products, true, false),
        op if *op == Operation::HASH_SIGNED && mmh => (SignedProducts, false, false),
        op if *op == Operation::HASH_WRAPPING_SIGNED && mmh => (SignedProducts, true, false),
        op if *op == Operation::HASH && square => (Squares, false, false),
        op if *op == Operation::WRAPPING && square => (WrappedSquares, false, false),
        op if *op == Operation::HASH_PLUS && square => (Squares, false, true),
        op if *op == Operation::WRAPPING_PLUS && square => (WrappedSquares, false, true),
        _ => return None,
    };
    Some(Hashed { terms, wrapping, addend })
}

fn applies(field: &Field, _: &Layout, operation: &Operation) -> bool {
    shape(&**field).is_some_and(|shape| hashed(operation, shape.family).is_some())
}

/// Squares of which the carry of the sum below is apart, where a product of two words of a message fills a word: what
/// multiplies halves of words has no square of one bit more.
pub(super) fn applies_apart(field: &Field, layout: &Layout, operation: &Operation) -> bool {
    let apart = |shape: Shape| 2 * shape.word == layout.word;
    let of = shape(&**field).filter(|shape| apart(*shape)).and_then(|shape| hashed(operation, shape.family));
    of.is_some_and(|hashed| hashed.terms == Terms::Squares)
}

fn write(
    field: &Field,
    layout: &Layout,
    operation: &Operation,
    name: &str,
    variant: Variant,
) -> Result<Kernel, NotApplicable> {
    written(field, layout, operation, (name, variant), |terms| terms)
}

/// The same with sums that are written in another way.
pub(super) fn written(
    field: &Field,
    layout: &Layout,
    operation: &Operation,
    by: (&str, Variant),
    how: fn(Terms) -> Terms,
) -> Result<Kernel, NotApplicable> {
    let mut setting = Setting::of(field, layout, operation, by)?;
    let (shape, b) = (setting.shape, &mut setting.b);
    let missing = || NotApplicable("no hash of words".into());
    let Hashed { terms, wrapping, addend } = hashed(operation, shape.family).ok_or_else(missing)?;
    let out = Words::new(b, "out", ArrayKind::Output, shape.result, 1);
    let mut input = |name, count| Words::new(b, name, ArrayKind::Input, shape.word, count);
    let before = u32::from(shape.family == Family::Tmmh);
    let key = input("key", WORDS + before);
    let bytes = (before > 0).then(|| input("bytes", before));
    let message = input("message", WORDS);
    let plus = addend.then(|| Words::new(b, "b", ArrayKind::Input, shape.word, 1));
    let start = plus.as_ref().map(|plus| plus.load(b, 0));
    let all = if terms == Terms::SignedProducts {
        signed_total(b, &setting.modulus, [&key, &message], shape.word, wrapping)
    } else if wrapping {
        let words: Vec<&Words> = bytes.iter().chain([&message]).collect();
        wrapping_total(b, shape.word, (&key, 0), &words)
    } else {
        total(b, how(terms), &key, &message, start)
    };
    let residue = setting.residue(all)?;
    let Setting { mut b, modulus, .. } = setting;
    let is_polynomial = !wrapping && matches!(terms, Terms::Products | Terms::Squares);
    let output = store(&mut b, &out, residue, shape.result, is_polynomial);
    let claim = if is_polynomial {
        ValueClaim::plain(polynomial(terms, addend), Some(modulus.value.into())).on(output)
    } else {
        let name = match shape.family {
            Family::Mmh if terms == Terms::SignedProducts => "mmh_signed",
            Family::Mmh => "mmh",
            Family::Tmmh => "tmmh",
            Family::Square => "square_hash",
        };
        Claim::Step { output, name: name.into() }
    };
    let parameters = [Some(key), bytes, Some(message), plus].into_iter().flatten();
    let inputs = parameters.flat_map(|words| words.operands).collect();
    Ok(b.finish(Contract { facts: Vec::new(), inputs, claims: vec![claim] }))
}

/// The sum in the words of key and message, and the addend after them.
pub(super) fn polynomial(terms: Terms, addend: bool) -> Polynomial {
    let mut all = Polynomial::default();
    for i in 0..WORDS {
        let (k, m) = (i, WORDS + i);
        all = if terms == Terms::Products {
            all.plus(1, &[k, m])
        } else {
            all.plus(1, &[k, k]).plus(2, &[k, m]).plus(1, &[m, m])
        };
    }
    if addend { all.plus(1, &[2 * WORDS]) } else { all }
}

/// Stores the lowest bits of a residue, and what is above them to a ghost, where the whole is promised.
pub(super) fn store(b: &mut Builder, out: &Words, residue: Number, result: u32, whole: bool) -> Operand {
    let word = b.word();
    let low = low_bits(b, &residue.digits, result);
    out.store(b, &low);
    if !whole {
        let bound = residue.bound.min(pow2(result) - 1);
        return Operand { bound, ..out.operands[0].clone() };
    }
    let mut rest = Vec::new();
    let cut = (result / word) as usize;
    if !result.is_multiple_of(word)
        && let Some(digit) = residue.digits.get(cut)
    {
        rest.push((b.shr(*digit, result % word), result));
    }
    let above = result.div_ceil(word) as usize..residue.len();
    rest.extend(above.map(|i| (residue.digits[i], residue.weights[i])));
    let mut operand = Operand { bound: residue.bound.clone(), ..out.operands[0].clone() };
    if !rest.is_empty() {
        let ty: Type = b.word_type();
        let ghost = b.array("ghost", ty, rest.len() as u32, ArrayKind::Ghost, vec![Interval::bits(word)]);
        for (i, (value, weight)) in (0..).zip(rest) {
            b.store(ghost, i, value);
            operand = operand.with_digit(ghost, i, weight, pow2(word) - 1);
        }
    }
    operand
}
