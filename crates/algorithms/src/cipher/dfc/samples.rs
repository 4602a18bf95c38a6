//! Operands of DFC: as kernels have them, and for vectors.
//!
//! * **computes** the padded key of a key; keys and blocks of published values.
//! * **needs** the reference.
//! * **gives** numbers in the order of contracts.
//! * **cost** some schedules by the reference.
//! * **source** NIST's values of the first round of AES: `ecb_tbl`, `ecb_vk`, `ecb_vt`.

use evariste_descriptions::{Dfc, Field, Part, dfc};
use num_bigint::BigUint;
use num_traits::One;

use crate::kinds::Given;
use crate::layout::Layout;
use crate::operation::{Holds, Operation};

/// A key as its padded one, all else as it is.
pub fn given(field: &Field, holds: Holds, x: &BigUint) -> Given {
    let padded = |cipher: &Dfc| cipher.padded(x).iter().fold(BigUint::ZERO, |all, word| (all << 32u32) + *word);
    match (holds, field.get::<Dfc>()) {
        (Holds::Part(Part::Key), Some(cipher)) => Given::Number(padded(cipher)),
        _ => Given::Number(x.clone()),
    }
}

/// Keys of 0 in each length of the published values, keys and blocks of one bit.
pub fn samples(field: &Field, _: &Layout, operation: &Operation) -> Vec<Vec<BigUint>> {
    let Some(cipher) = field.get::<Dfc>() else { return Vec::new() };
    let counting = (0..16u32).fold(BigUint::ZERO, |all, byte| (all << 8u32) + byte);
    let bit = |bits: u32, i: u32| BigUint::one() << (bits - 1 - i);
    let key = |bits: u32, value: BigUint| (BigUint::one() << bits) + value;
    let mut all = Vec::new();
    for bits in [128, 160, 192, 224, 256] {
        all.push((key(bits, BigUint::ZERO), counting.clone()));
        all.push((key(bits, bit(bits, bits / 32)), BigUint::ZERO));
        all.push((key(bits, BigUint::ZERO), bit(128, bits / 2 - 1)));
    }
    let one = |(key, block): (BigUint, BigUint)| -> Option<Vec<BigUint>> {
        let padded = || match given(field, Holds::Part(Part::Key), &key) {
            Given::Number(number) => number,
            Given::Elements(_) => BigUint::ZERO,
        };
        let expanded = || Operation::EXPAND_KEY.meaning(cipher, std::slice::from_ref(&key));
        match operation {
            op if op.is_any(&[Operation::ENCRYPT, Operation::DECRYPT]) => Some(vec![padded(), block]),
            op if *op == Operation::EXPAND_KEY => Some(vec![padded()]),
            op if op.is_any(&[Operation::ENCRYPT_BLOCK, Operation::DECRYPT_BLOCK]) => Some(vec![expanded()?, block]),
            // The block, the next ones, and so on.
            op if op.is_any(&[Operation::ENCRYPT_BLOCKS, Operation::DECRYPT_BLOCKS]) => {
                let next = |i: u32| (&block + i) % (BigUint::one() << 128u32);
                let blocks = (0..dfc::BLOCKS).fold(BigUint::ZERO, |all, i| (all << 128u32) + next(i));
                Some(vec![expanded()?, blocks])
            }
            _ => None,
        }
    };
    all.into_iter().filter_map(one).collect()
}
