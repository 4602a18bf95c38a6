//! Tags of TMMH/16: several words, each by the key from another word on.
//!
//! * **computes** `((K_j·len + Σ K_(j+i)·M_i mod 2^32) mod 2^16 + 1) mod 2^16` for j = 1 … [`TAG_WORDS`].
//! * **needs** a message of up to 32 words, its length in bytes, 32 words of a key and one for each of the tag.
//! * **gives** all words of the tag; a shorter tag is the first ones. Sums that wrap are no polynomials: ranges are promised.
//! * **cost** 33 products for each word, and a reduction by the complement of the quotient.
//! * **source** McGrew, "The Truncated Multi-Modular Hash Function (TMMH), Version One" (2001).

use evariste_descriptions::Field;
use evariste_ir::{ArrayKind, Claim, Contract, Kernel};

use super::given::{Family, TAG_WORDS, WORDS, Words, shape};
use super::setting::Setting;
use super::sums::wrapping_total;
use crate::layout::Layout;
use crate::operation::Operation;
use crate::recipe::{Recipe, Whole};
use crate::reduction::complement::Variant;
use crate::signature::NotApplicable;
use crate::words::low_bits;

super::ways::reductions! {
    MUL: "complement-mul" shifts false table false;
}

fn applies(field: &Field, _: &Layout, operation: &Operation) -> bool {
    *operation == Operation::TAG && shape(&**field).is_some_and(|shape| shape.family == Family::Tmmh)
}

fn write(
    field: &Field,
    layout: &Layout,
    operation: &Operation,
    name: &str,
    variant: Variant,
) -> Result<Kernel, NotApplicable> {
    let mut setting = Setting::of(field, layout, operation, (name, variant))?;
    let (bits, b) = (setting.shape.word, &mut setting.b);
    let out = Words::new(b, "out", ArrayKind::Output, bits, TAG_WORDS);
    let mut input = |name, count| Words::new(b, name, ArrayKind::Input, bits, count);
    let (key, bytes, message) = (input("key", WORDS + TAG_WORDS), input("bytes", 1), input("message", WORDS));
    for j in 0..TAG_WORDS {
        let all = wrapping_total(&mut setting.b, bits, (&key, j), &[&bytes, &message]);
        let residue = setting.residue(all)?;
        let low = low_bits(&mut setting.b, &residue.digits, bits);
        out.store_at(&mut setting.b, j, &low);
    }
    let claims = out.operands.into_iter().map(|output| Claim::Step { output, name: "tmmh".into() }).collect();
    let inputs = [key, bytes, message].into_iter().flat_map(|words| words.operands).collect();
    Ok(setting.b.finish(Contract { facts: Vec::new(), inputs, claims }))
}
