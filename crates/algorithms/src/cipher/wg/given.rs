//! Operands of WG as kernels have them.
//!
//! * **computes** layouts, the field, elements and states in its coordinates, and back.
//! * **needs** nothing.
//! * **gives** elements whose first coordinate is the lowest bit; a state as eleven of them, S1 first.
//! * **cost** nothing.
//! * **source** Nawaz, Gong, "The WG Stream Cipher" (2005): a word has the first coordinate on top.

use evariste_descriptions::{Field, Part, Wg, wg};
use num_bigint::BigUint;

use crate::kinds::Given;
use crate::layout::Layout;
use crate::operation::{Holds, Operation};

/// Coordinates of an element.
pub(super) const DEGREE: u32 = 29;

/// The field of WG, in its basis.
pub fn ground(field: &Field) -> Option<Field> {
    field.get::<Wg>()?;
    Field::parse("GF(2^29):onb2").ok()
}

/// The layouts of that in which there are products.
pub fn layouts(field: &Field, word: u32) -> Vec<Layout> {
    let Some(ground) = ground(field) else { return Vec::new() };
    let mut all = crate::layouts(&ground, word);
    all.retain(|l| l.digits() == 1 || l.word == 1);
    all.retain(|l| !crate::plans(&ground, l, &Operation::MUL).is_empty());
    all
}

/// The same coordinates from the other end.
fn reversed(x: &BigUint) -> BigUint {
    (0..DEGREE).filter(|i| x.bit(u64::from(*i))).fold(BigUint::ZERO, |mut all, i| {
        all.set_bit(u64::from(DEGREE - 1 - i), true);
        all
    })
}

/// Elements and states in coordinates of the field, all else as it is.
pub fn given(_: &Field, holds: Holds, x: &BigUint) -> Given {
    match holds {
        Holds::Element => Given::Elements(vec![reversed(x)]),
        Holds::Part(Part::State) => {
            let stage = |i: usize| (x >> (32 * (wg::STAGES - 1 - i) + 3)) % (BigUint::from(1u32) << DEGREE);
            Given::Elements((0..wg::STAGES).map(|i| reversed(&stage(i))).collect())
        }
        _ => Given::Number(x.clone()),
    }
}

/// The element or the state whose coordinates kernels gave.
pub fn result(_: &Field, holds: Holds, x: &[BigUint]) -> Option<BigUint> {
    match holds {
        Holds::Element => x.first().map(reversed),
        Holds::Part(Part::State) => {
            let stages = x.get(..wg::STAGES)?;
            Some(stages.iter().fold(BigUint::ZERO, |all, stage| (all << 32u32) + (reversed(stage) << 3u32)))
        }
        _ => x.first().cloned(),
    }
}
