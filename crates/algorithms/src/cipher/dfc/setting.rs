//! What kernels of DFC work in: halves of a block in words, lowest first, in arrays whose first half is the highest.
//!
//! * **computes** layouts, the field of the affine map, parameters of halves.
//! * **needs** words of 32 or 64 bits.
//! * **gives** numbers as their digits lie: those of a key or a block from its end on.
//! * **cost** nothing.
//! * **source** Gilbert et al., "Decorrelated Fast Cipher" (1998), section 2: everything is big-endian.

use evariste_descriptions::{Dfc, Field};
use evariste_ir::range::{Interval, pow2};
use evariste_ir::{Array, ArrayKind, Builder, Claim, Operand};

use crate::layout::Layout;
use crate::operation::Operation;
use crate::signature::NotApplicable;

/// Bits of half a block.
pub(super) const HALF: u32 = 64;

/// The integers modulo `2^64 + 13`.
pub fn ground(field: &Field) -> Option<Field> {
    field.get::<Dfc>()?;
    Field::parse("2^64 + 13").ok()
}

/// The affine map of a round.
pub(super) fn affine_map() -> Operation {
    Operation::AFFINE_MOD.with(HALF)
}

/// The layouts in which there is an affine map.
pub fn layouts(field: &Field, word: u32) -> Vec<Layout> {
    let Some(ground) = ground(field).filter(|_| matches!(word, 32 | 64)) else { return Vec::new() };
    let mut all = crate::layouts(&ground, word);
    all.retain(|layout| !crate::plans(&ground, layout, &affine_map()).is_empty());
    all
}

/// The cipher of a field.
pub(super) fn cipher(field: &Field) -> Result<&Dfc, NotApplicable> {
    field.get::<Dfc>().ok_or_else(|| NotApplicable("not DFC".into()))
}

/// Words of half a block.
pub(super) fn words(b: &Builder) -> u32 {
    HALF / b.word()
}

/// A parameter of so many halves, and the number that they are.
pub(super) fn halves(b: &mut Builder, name: &str, kind: ArrayKind, count: u32) -> (Array, Operand) {
    let (word, each, ty) = (b.word(), words(b), b.word_type());
    let array = b.array(name, ty, count * each, kind, vec![Interval::bits(word)]);
    let mut operand = Operand { name: name.into(), digits: Vec::new(), bound: pow2(HALF * count) - 1, below: None };
    for half in (0..count).rev() {
        for i in 0..each {
            let weight = HALF * (count - 1 - half) + i * word;
            operand = operand.with_digit(array, half * each + i, weight, pow2(word) - 1);
        }
    }
    (array, operand)
}

/// A local array of so many halves.
pub(super) fn local(b: &mut Builder, name: &str, count: u32) -> Array {
    let (each, word) = (words(b), b.word());
    b.local(name, count * each, Interval::bits(word))
}

/// What a kernel promises: a step of the cipher.
pub(super) fn step(output: Operand, name: &str) -> Vec<Claim> {
    vec![Claim::Step { output, name: name.into() }]
}
