//! Hashes of messages of any length, 32 words at a time: a running sum that takes another piece, and its end.
//!
//! * **computes** `T + S mod p`, or `T + S mod 2^(2n)` of MMH that wraps, S a sum of [`sums`](super::sums) over another 32
//!   words; at the end `(T mod p) mod 2^l`.
//! * **needs** 32 words of a key and of a message; a running sum T of 2n bits, which is 0 at first (of square hash with an
//!   addend that word).
//! * **gives** 2n bits, a residue where the sum is exact; l bits at the end. What a number has above them is a ghost, so that
//!   the contract says `out ≡ T + S`; of square hash whose sums wrap, which is no polynomial, it promises ranges.
//! * **cost** that of the sum, and of a reduction by the complement of the quotient where one is needed.
//! * **source** Halevi, Krawczyk, "MMH" (FSE 1997); Etzel, Patel, Ramzan, "Square Hash" (CRYPTO 1999): both are sums of terms.

use evariste_descriptions::Field;
use evariste_ir::{ArrayKind, Claim, Contract, Kernel, Polynomial};

use super::given::{Family, WORDS, Words, shape};
use super::setting::Setting;
use super::sums::{Terms, total};
use super::whole::{polynomial, store};
use crate::layout::Layout;
use crate::operation::Operation;
use crate::recipe::{Recipe, Whole};
use crate::reduction::complement::Variant;
use crate::signature::{NotApplicable, ValueClaim};

super::ways::reductions!();

/// The sum that wraps, which nothing reduces.
const WRAP: Whole = Whole {
    name: "wrapping-sum",
    applies: |field, _, operation| absorbed(field, operation).is_some_and(|what| what.wrapping),
    write: |field, layout, operation| write(field, layout, operation, "wrapping-sum", Variant::default()),
};

/// The recipe without a reduction.
pub const WRAPPING_RECIPES: &[&dyn Recipe] = &[&WRAP];

/// What is absorbed.
#[derive(Clone, Copy)]
struct Absorbed {
    terms: Terms,
    /// Does the running sum wrap?
    wrapping: bool,
}

/// What an operation absorbs, where it does.
fn absorbed(field: &Field, operation: &Operation) -> Option<Absorbed> {
    let family = shape(&**field)?.family;
    let wrapping = *operation == Operation::ABSORB_WRAPPING;
    if !wrapping && *operation != Operation::ABSORB {
        return None;
    }
    let (terms, wrapping) = match family {
        Family::Mmh => (Terms::Products, wrapping),
        Family::Square if wrapping => (Terms::WrappedSquares, false),
        Family::Square => (Terms::Squares, false),
        Family::Tmmh => return None,
    };
    Some(Absorbed { terms, wrapping })
}

fn applies(field: &Field, _: &Layout, operation: &Operation) -> bool {
    if *operation == Operation::FINISH {
        return shape(&**field).is_some_and(|shape| shape.family != Family::Tmmh);
    }
    absorbed(field, operation).is_some_and(|what| !what.wrapping)
}

fn write(
    field: &Field,
    layout: &Layout,
    operation: &Operation,
    name: &str,
    variant: Variant,
) -> Result<Kernel, NotApplicable> {
    let setting = Setting::of(field, layout, operation, (name, variant))?;
    match absorbed(field, operation) {
        Some(what) => absorb(setting, what),
        None => finish(setting),
    }
}

fn absorb(mut setting: Setting, what: Absorbed) -> Result<Kernel, NotApplicable> {
    let Absorbed { terms, wrapping } = what;
    let (word, bits, b) = (setting.shape.word, 2 * setting.shape.word, &mut setting.b);
    let out = Words::new(b, "out", ArrayKind::Output, bits, 1);
    let mut input = |name, bits, count| Words::new(b, name, ArrayKind::Input, bits, count);
    let (key, message) = (input("key", word, WORDS), input("message", word, WORDS));
    let state = input("state", bits, 1);
    let start = state.load(b, 0);
    let mut all = total(b, terms, &key, &message, Some(start));
    if !wrapping {
        all = setting.residue(all)?;
        let b = &mut setting.b;
        // A residue has n + 1 bits, a running sum 2n.
        let zero = b.word_constant(0);
        for i in all.len()..bits.div_ceil(b.word()) as usize {
            all.weights.push(i as u32 * b.word());
            all.digits.push(zero);
        }
    }
    let is_polynomial = terms != Terms::WrappedSquares;
    let Setting { mut b, modulus, .. } = setting;
    let output = store(&mut b, &out, all, bits, is_polynomial);
    let claim = if is_polynomial {
        let modulus = (!wrapping).then(|| modulus.value.into());
        ValueClaim::plain(polynomial(terms, true), modulus).on(output)
    } else {
        Claim::Step { output, name: "square_hash_absorb".into() }
    };
    let inputs = [key, message, state].into_iter().flat_map(|words| words.operands).collect();
    Ok(b.finish(Contract { facts: Vec::new(), inputs, claims: vec![claim] }))
}

fn finish(mut setting: Setting) -> Result<Kernel, NotApplicable> {
    let (shape, b) = (setting.shape, &mut setting.b);
    let out = Words::new(b, "out", ArrayKind::Output, shape.result, 1);
    let state = Words::new(b, "state", ArrayKind::Input, 2 * shape.word, 1);
    let all = state.load(b, 0);
    let all = setting.residue(all)?;
    let Setting { mut b, modulus, .. } = setting;
    let output = store(&mut b, &out, all, shape.result, true);
    let claim = ValueClaim::plain(Polynomial::input(0), Some(modulus.value.into())).on(output);
    Ok(b.finish(Contract { facts: Vec::new(), inputs: state.operands, claims: vec![claim] }))
}
