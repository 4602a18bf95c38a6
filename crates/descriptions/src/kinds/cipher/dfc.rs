//! The block ciphers DFC and DFCv2, in the arithmetic of their definitions.
//!
//! Sources: Gilbert, Girault, Hoogvorst, Noilhan, Pornin, Poupard, Stern, Vaudenay, "Decorrelated Fast Cipher: an AES
//! Candidate" (1998); Granboulan, Nguyen, Noilhan, Vaudenay, "DFCv2" (SAC 2000).

use num_bigint::BigUint;
use num_traits::{One, ToPrimitive};

use super::euler;
use crate::strings::{Lengths, Strings, unmarked};

/// Blocks of an operation that takes several.
pub const BLOCKS: u32 = 16;

/// Entries of the table of the confusion permutation.
pub const TABLE: usize = 64;

/// A version of DFC with its numbers of rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dfc {
    /// `None`: the AES candidate. `Some(s)`: DFCv2, each of whose round keys takes s rounds.
    pub schedule: Option<u32>,
    /// Rounds.
    pub rounds: u32,
    pub(super) parts: Parts,
}

/// What operands are of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Parts {
    pub key: Strings,
    pub block: Strings,
    pub half: Strings,
    pub blocks: Strings,
    pub round_keys: Strings,
}

/// The 64 words of the table, the constant of the other half, and the addend.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Confusion {
    /// `RT`.
    pub table: Vec<u32>,
    /// `KC`.
    pub mask: u32,
    /// `KD`.
    pub addend: u64,
}

impl Dfc {
    /// The AES candidate.
    pub const ONE: Dfc = Dfc::new(None, 8);
    /// DFCv2 with 8 rounds and 4 for each round key, as its printed vectors have them.
    pub const TWO: Dfc = Dfc::new(Some(4), 8);

    pub(super) const fn new(schedule: Option<u32>, rounds: u32) -> Dfc {
        let parts = Parts {
            key: Strings { what: "a key", lengths: Lengths::UpTo(256) },
            block: Strings::one("a block", 128),
            half: Strings::one("half a block", 64),
            blocks: Strings::one("sixteen blocks", 128 * BLOCKS),
            round_keys: Strings::one("all round keys", 128 * rounds),
        };
        Dfc { schedule, rounds, parts }
    }

    /// The constants of the confusion permutation.
    pub fn confusion() -> Confusion {
        let e = euler::words();
        Confusion { table: e[..TABLE].to_vec(), mask: e[66], addend: joined(&e[64..66]).to_u64().unwrap_or_default() }
    }

    /// What the walk of DFCv2's schedule has added after each of so many steps.
    pub fn walk(steps: u32) -> Vec<[u64; 2]> {
        let e = euler::words();
        let mut sum = 0;
        (0..steps as usize)
            .map(|step| {
                // Beyond 64 steps other bits of the table: not confirmed by printed vectors.
                let chosen = if step < TABLE { e[step] % 16 } else { (e[(step - TABLE) % TABLE] >> 8) % 16 };
                let at = 4 * chosen as usize;
                sum ^= joined(&e[at..at + 4]).to_u128().unwrap_or_default();
                split(sum)
            })
            .collect()
    }

    /// The first 256 bits of a key with the digits of e behind it, in words of 32 bits.
    pub fn padded(&self, key: &BigUint) -> [u32; 8] {
        let e = euler::words();
        let padding = joined(if self.schedule.is_some() { &e[64..72] } else { &e[12..20] });
        let (value, bits) = unmarked(key);
        let all = ((value << 256u32) + padding) >> bits;
        std::array::from_fn(|i| ((&all >> (224 - 32 * i)) % (BigUint::one() << 32u32)).to_u32().unwrap_or_default())
    }

    /// The keys of all rounds, a and b of each.
    pub fn round_keys(&self, key: &BigUint) -> Vec<[u64; 2]> {
        self.round_keys_of(&self.padded(key))
    }

    /// The same of a padded key.
    pub fn round_keys_of(&self, padded: &[u32; 8]) -> Vec<[u64; 2]> {
        match self.schedule {
            None => first_schedule(padded, self.rounds),
            Some(s) => second_schedule(padded, self.rounds, s),
        }
    }

    /// The block that another one is encrypted to.
    pub fn encrypt(&self, key: &BigUint, block: u128) -> u128 {
        network(&self.round_keys(key), block)
    }

    /// The block that is encrypted to this one: the same network, with its keys from the last on.
    pub fn decrypt(&self, key: &BigUint, block: u128) -> u128 {
        let mut keys = self.round_keys(key);
        keys.reverse();
        network(&keys, block)
    }
}

/// Words as one number, the first on top.
fn joined(words: &[u32]) -> BigUint {
    words.iter().fold(BigUint::ZERO, |all, word| (all << 32u32) + *word)
}

fn joined64(words: &[u32]) -> u64 {
    joined(words).to_u64().unwrap_or_default()
}

/// `((a·x + b) mod 2^64 + 13) mod 2^64`.
pub fn affine(a: u64, x: u64, b: u64) -> u64 {
    let power = BigUint::one() << 64u32;
    let value = (BigUint::from(a) * x + b) % (&power + 13u32) % power;
    value.to_u64().unwrap_or_default()
}

/// The permutation `((yr ^ RT[yl >> 26]) | (yl ^ KC)) + KD mod 2^64` of `y = yl | yr`.
pub fn confusion(y: u64) -> u64 {
    let constants = Dfc::confusion();
    let (left, right) = ((y >> 32) as u32, y as u32);
    let (upper, lower) = (right ^ constants.table[(left >> 26) as usize], left ^ constants.mask);
    (u64::from(upper) << 32 | u64::from(lower)).wrapping_add(constants.addend)
}

/// The function of a round.
pub fn round([a, b]: [u64; 2], x: u64) -> u64 {
    confusion(affine(a, x, b))
}

/// The halves `R0`, `R1`, … that the rounds of these keys give; the last two, the last one first, are the result.
pub fn halves(keys: &[[u64; 2]], block: u128) -> Vec<u64> {
    let mut all = vec![(block >> 64) as u64, block as u64];
    for (i, key) in keys.iter().enumerate() {
        all.push(round(*key, all[i + 1]) ^ all[i]);
    }
    all
}

/// The network of as many rounds as there are keys.
pub fn network(keys: &[[u64; 2]], block: u128) -> u128 {
    let all = halves(keys, block);
    u128::from(all[all.len() - 1]) << 64 | u128::from(all[all.len() - 2])
}

fn split(block: u128) -> [u64; 2] {
    [(block >> 64) as u64, block as u64]
}

/// The schedule of the AES candidate: round keys by turns from two networks of four rounds.
fn first_schedule(pk: &[u32; 8], rounds: u32) -> Vec<[u64; 2]> {
    let e = euler::words();
    let word = |i: usize| pk[i - 1];
    let start = |pairs: [[usize; 2]; 2]| pairs.map(|[left, right]| joined64(&[word(left), word(right)]));
    let keys = |[a, b]: [u64; 2]| -> Vec<[u64; 2]> {
        let more = (0..3).map(|i| [a ^ joined64(&e[2 * i..2 * i + 2]), b ^ joined64(&e[6 + 2 * i..8 + 2 * i])]);
        std::iter::once([a, b]).chain(more).collect()
    };
    let (odd, even) = (keys(start([[1, 8], [5, 4]])), keys(start([[2, 7], [6, 3]])));
    let mut last = 0;
    (1..=rounds)
        .map(|i| {
            last = network(if i % 2 == 1 { &odd } else { &even }, last);
            split(last)
        })
        .collect()
}

/// The schedule of DFCv2: each round key is the one before it through s rounds, whose keys a walk over words of e gives.
fn second_schedule(pk: &[u32; 8], rounds: u32, s: u32) -> Vec<[u64; 2]> {
    let [start, mut last] = [0, 4].map(|i| joined(&pk[i..i + 4]).to_u128().unwrap_or_default());
    let [a, b] = split(start);
    let keys: Vec<[u64; 2]> = Dfc::walk(rounds * s).iter().map(|[c, d]| [a ^ c, b ^ d]).collect();
    keys.chunks(s as usize)
        .map(|keys| {
            last = network(keys, last);
            split(last)
        })
        .collect()
}
