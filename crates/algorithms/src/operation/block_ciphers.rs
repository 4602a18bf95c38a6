//! Rows of block ciphers: blocks by a key, and what that is made of.

use evariste_descriptions::{Dfc, Part, Structure, dfc};
use num_bigint::BigUint;
use num_traits::ToPrimitive;

use super::member::Operation;
use super::row::{Holds, Kind, OUT, Row, Slot};

const KEY: Slot = Slot::new("key", Holds::Part(Part::Key));
const ROUND_KEYS: Slot = Slot::new("round_keys", Holds::Part(Part::RoundKeys));
const BLOCK: Slot = Slot::element("block");
const BLOCKS: &[Slot] = &[ROUND_KEYS, Slot::new("blocks", Holds::Part(Part::Blocks))];
const OUT_BLOCKS: &[Slot] = &[Slot::new("out", Holds::Part(Part::Blocks))];
const ROUND_INPUTS: &[Slot] = &[
    Slot::new("a", Holds::Part(Part::Half)),
    Slot::new("x", Holds::Part(Part::Half)),
    Slot::new("b", Holds::Part(Part::Half)),
];

impl Operation {
    /// A block by a key.
    pub const ENCRYPT: Operation = Operation::of(&Row::new(
        Kind::Ciphers,
        "encrypt",
        &[KEY, BLOCK],
        &[OUT],
        "the block that a key encrypts block to; strings are in hexadecimal",
        |s, _, x| Some(s.get::<Dfc>()?.encrypt(&x[0], x[1].to_u128()?).into()),
    ));

    /// A block back by a key.
    pub const DECRYPT: Operation = Operation::of(&Row::new(
        Kind::Ciphers,
        "decrypt",
        &[KEY, BLOCK],
        &[OUT],
        "the block that a key encrypts to block",
        |s, _, x| Some(s.get::<Dfc>()?.decrypt(&x[0], x[1].to_u128()?).into()),
    ));

    /// The keys of all rounds.
    pub const EXPAND_KEY: Operation = Operation::of(&Row::new(
        Kind::Ciphers,
        "expand_key",
        &[KEY],
        &[Slot::new("out", Holds::Part(Part::RoundKeys))],
        "the keys of all rounds, a and b of each, the first round's first",
        |s, _, x| Some(packed(&s.get::<Dfc>()?.round_keys(&x[0]))),
    ));

    /// A block by expanded keys.
    pub const ENCRYPT_BLOCK: Operation = Operation::of(&Row::new(
        Kind::Ciphers,
        "encrypt_block",
        &[ROUND_KEYS, BLOCK],
        &[OUT],
        "the block that expanded keys encrypt block to",
        |s, _, x| network(s, &x[0], &x[1], false),
    ));

    /// A block back by expanded keys.
    pub const DECRYPT_BLOCK: Operation = Operation::of(&Row::new(
        Kind::Ciphers,
        "decrypt_block",
        &[ROUND_KEYS, BLOCK],
        &[OUT],
        "the block that expanded keys encrypt to block",
        |s, _, x| network(s, &x[0], &x[1], true),
    ));

    /// Several blocks by the same expanded keys: what a lane takes, so that it prepares its keys once for all.
    pub const ENCRYPT_BLOCKS: Operation = Operation::of(&Row::new(
        Kind::Ciphers,
        "encrypt_blocks",
        BLOCKS,
        OUT_BLOCKS,
        "the sixteen blocks that expanded keys encrypt blocks to, each by itself",
        |s, _, x| networks(s, &x[0], &x[1], false),
    ));

    /// Several blocks back by the same expanded keys.
    pub const DECRYPT_BLOCKS: Operation = Operation::of(&Row::new(
        Kind::Ciphers,
        "decrypt_blocks",
        BLOCKS,
        OUT_BLOCKS,
        "the sixteen blocks that expanded keys encrypt to blocks, each by itself",
        |s, _, x| networks(s, &x[0], &x[1], true),
    ));

    /// The function of a round.
    pub const ROUND: Operation = Operation::of(&Row::new(
        Kind::Ciphers,
        "round",
        ROUND_INPUTS,
        &[Slot::new("out", Holds::Part(Part::Half))],
        "the function of a round: of DFC CP(((a·x + b) mod 2^64 + 13) mod 2^64), CP by the table of 64 words",
        |s, _, x| {
            s.get::<Dfc>()?;
            Some(dfc::round([x[0].to_u64()?, x[2].to_u64()?], x[1].to_u64()?).into())
        },
    ));
}

/// Round keys as a number, the first round's on top.
fn packed(keys: &[[u64; 2]]) -> BigUint {
    keys.iter().flatten().fold(BigUint::ZERO, |all, half| (all << 64u32) + *half)
}

/// Each block by itself, the first one on top.
fn networks(s: &dyn Structure, keys: &BigUint, blocks: &BigUint, backward: bool) -> Option<BigUint> {
    (0..dfc::BLOCKS).rev().try_fold(BigUint::ZERO, |all, i| {
        let block = (blocks >> (128 * i)) % (BigUint::from(1u32) << 128u32);
        Some((all << 128u32) + network(s, keys, &block, backward)?)
    })
}

fn network(s: &dyn Structure, keys: &BigUint, block: &BigUint, backward: bool) -> Option<BigUint> {
    let rounds = s.get::<Dfc>()?.rounds;
    let half = |i: u32| ((keys >> (64 * (2 * rounds - 1 - i))) % (BigUint::from(1u32) << 64u32)).to_u64();
    let mut keys: Vec<[u64; 2]> = (0..rounds).map(|i| Some([half(2 * i)?, half(2 * i + 1)?])).collect::<Option<_>>()?;
    if backward {
        keys.reverse();
    }
    Some(dfc::network(&keys, block.to_u128()?).into())
}
