//! The integers modulo a number.

use evariste_descriptions::{Field, Modulus, Shape};
use evariste_ir::range::pow2;
use num_bigint::BigInt;

use super::kind::{Kind, Mix, curve_mix, element, first};
use crate::lanes;
use crate::layout::Layout;
use crate::layouts::{golden_layouts, unsaturated_layouts};
use crate::operation::Operation;
use crate::prime::representation;
use crate::reduction::carry_pass::pseudo_mersenne;

pub(super) const KIND: Kind = Kind {
    describes: |f| f.get::<Modulus>().is_some(),
    layouts: |f, word| f.get::<Modulus>().map(|m| layouts(m, word)).unwrap_or_default(),
    lane_layouts: |f, word, radix| {
        f.get::<Modulus>().map(|m| lanes::layouts::modulus_layouts(m, word, radix)).unwrap_or_default()
    },
    words: &[],
    listed: true,
    own: &[],
    ground: |_| None,
    given: element,
    result: first,
    samples: |_, _, _| Vec::new(),
    exact: |_| Vec::new(),
    is_canonical: representation::is_canonical,
    mix,
};

/// Canonical saturated; redundant saturated (any n-word value) for `2^k − c`; Montgomery canonical; Montgomery lazy
/// (`< 2p`, when `4p ≤ R`); unsaturated for `2^k − c` and `2^(2h) − 2^h − 1`.
fn layouts(m: &Modulus, word: u32) -> Vec<Layout> {
    let p = BigInt::from(m.value.clone());
    let n = m.bits.div_ceil(word) as usize;
    let r = n as u32 * word;
    let mut all = vec![Layout::saturated_with(format!("{n}x{word}"), word, n, &p - 1, None)];
    let folds = m.shapes.iter().any(|s| matches!(s, Shape::PseudoMersenne { .. }));
    if folds && p != pow2(r) {
        all.push(Layout::saturated_with(format!("{n}x{word}-redundant"), word, n, pow2(r) - 1, None));
    }
    if p.bit(0) {
        all.push(Layout::saturated_with(format!("montgomery-{n}x{word}"), word, n, &p - 1, Some(r)));
        if &p * 4 <= pow2(r) {
            all.push(Layout::saturated_with(format!("montgomery-{n}x{word}-lazy"), word, n, &p * 2 - 1, Some(r)));
        }
    }
    match pseudo_mersenne(m) {
        Some((k, c)) => all.extend(unsaturated_layouts(k, &c, word)),
        None => all.extend(golden_layouts(m, word)),
    }
    all
}

/// Named moduli that exist for their affine map ([`Named::affine_map`]) are compared on that map; other moduli just
/// above a power of two, such as Pallas, are not.
///
/// [`Named::affine_map`]: evariste_descriptions::Named::affine_map
fn mix(field: &Field) -> Mix {
    let Some(m) = field.get::<Modulus>().filter(|m| m.named().is_some_and(|named| named.affine_map)) else {
        return curve_mix();
    };
    let above = m.shapes.iter().find_map(|s| if let Shape::AbovePower { k, .. } = s { Some(*k) } else { None });
    let Some(k) = above else { return curve_mix() };
    let shown = curve_mix().into_iter().map(|(op, _)| (op, 0));
    // By a constant, and sixteen by one: in lanes alone.
    let in_lanes = [Operation::AFFINE_CONSTANT.with(k), Operation::AFFINE_EACH.with(16u32)].map(|op| (op, 0));
    [(Operation::AFFINE_MOD.with(k), 1)].into_iter().chain(in_lanes).chain(shown).collect()
}
