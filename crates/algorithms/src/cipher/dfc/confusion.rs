//! The confusion permutation of DFC.
//!
//! * **computes** `((yr ^ RT[yl >> 26]) | (yl ^ KC)) + KD mod 2^64` of `y = yl | yr`.
//! * **needs** y in words of 32 or 64 bits, lowest first.
//! * **gives** words, lowest first.
//! * **cost** by a look-up in constant time all 64 entries (in lanes that look up 16 bits, two of these instead); by choices or masks, in words of 64 bits, 31 choices of two entries
//!   each and one of halves, in words of 32 bits 63 choices; directly one load, whose address tells six bits of y.
//! * **source** Gilbert et al., "Decorrelated Fast Cipher" (1998), section 2.3. Entries are chosen as a tree of multiplexers
//!   does: the first choices are between constants.

use evariste_descriptions::Dfc;
use evariste_descriptions::dfc::Confusion;
use evariste_ir::{Array, Builder, Op, Value};
use num_bigint::BigInt;

/// How an entry of the table is found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Entry {
    /// By the look-up of the kernel language in constant time.
    LookUp,
    /// By two such look-ups of 16 bits each, in tables that begin with 0: words of 64 bits.
    Quarters,
    /// By choices, from the lowest bit of the index to the highest.
    Choices,
    /// The same by masks.
    Masks,
    /// At its address.
    Direct,
}

/// The permutation with its table in a kernel.
pub(super) struct Permutation {
    constants: Confusion,
    entry: Entry,
    table: Array,
    /// The upper 16 bits where `table` has the lower ones.
    upper: Option<Array>,
}

impl Permutation {
    /// Declares the table.
    pub(super) fn new(b: &mut Builder, entry: Entry) -> Permutation {
        let constants = Dfc::confusion();
        let all = &constants.table;
        let entries: Vec<u64> = match (entry, b.word()) {
            (Entry::Masks, 64) => differences(&packed(all)),
            (Entry::Choices, 64) => packed(all),
            (Entry::Masks, _) => differences(&all.iter().map(|entry| u64::from(*entry)).collect::<Vec<_>>()),
            // The upper half of what y, its halves exchanged, is added to.
            (Entry::Quarters, _) => quarters(all, 0),
            (_, 64) => all.iter().map(|entry| u64::from(*entry) << 32 | u64::from(constants.mask)).collect(),
            _ => all.iter().map(|entry| u64::from(*entry)).collect(),
        };
        let table = b.table("RT", entries.into_iter().map(BigInt::from).collect());
        let upper = (entry == Entry::Quarters)
            .then(|| b.table("RT_upper", quarters(&constants.table, 16).into_iter().map(BigInt::from).collect()));
        Permutation { constants, entry, table, upper }
    }

    /// The words of its value.
    pub(super) fn apply(&self, b: &mut Builder, y: &[Value]) -> Vec<Value> {
        match y {
            [y] => vec![self.apply_64(b, *y)],
            [right, left] => self.apply_32(b, *right, *left),
            _ => Vec::new(),
        }
    }

    fn apply_64(&self, b: &mut Builder, y: Value) -> Value {
        let addend = b.word_constant(self.constants.addend);
        if let Some(upper) = self.upper {
            let index = b.shr(y, 58u32);
            let (low, high) = (b.lookup(self.table, index), b.lookup(upper, index));
            let high = b.shl(high, 16u32);
            let entry = b.xor(low, high);
            // The first entry is missing yet, and the other half's constant.
            let rest = u64::from(self.constants.mask) << 32 | u64::from(self.constants.table[0]);
            let (sum, rest) = (b.xor(y, entry), b.word_constant(rest));
            let sum = b.xor(sum, rest);
            let exchanged = b.rotate(sum, 32u32);
            return b.wrapping_add(exchanged, addend);
        }
        let exchanged = b.rotate(y, 32u32);
        let sum = if matches!(self.entry, Entry::Masks | Entry::Choices) {
            let pair = self.chosen(b, y, 5);
            let (low, upper) = (b.wrapping_shl(pair, 32u32), b.word_constant(BigInt::from(u64::from(u32::MAX) << 32)));
            let high = b.and(pair, upper);
            let is = self.is_set(b, y, 63);
            let entry = is.choice(b, low, high);
            let mask = b.word_constant(self.constants.mask);
            let sum = b.xor(exchanged, mask);
            b.xor(sum, entry)
        } else {
            let entry = self.found(b, y, 58);
            b.xor(exchanged, entry)
        };
        b.wrapping_add(sum, addend)
    }

    fn apply_32(&self, b: &mut Builder, right: Value, left: Value) -> Vec<Value> {
        let entry = match self.entry {
            Entry::Masks | Entry::Choices => self.chosen(b, left, 6),
            Entry::LookUp | Entry::Direct | Entry::Quarters => self.found(b, left, 26),
        };
        let upper = b.xor(right, entry);
        let mask = b.word_constant(self.constants.mask);
        let lower = b.xor(left, mask);
        let addend = [0, 32].map(|k| b.word_constant((self.constants.addend >> k) as u32));
        let none = b.no_flag();
        let (low, carry) = b.add_carry(lower, addend[0], none);
        let (high, _) = b.add_carry(upper, addend[1], carry);
        vec![low, high]
    }

    /// The entry at the six highest bits of a word.
    fn found(&self, b: &mut Builder, word: Value, below: u32) -> Value {
        let index = b.shr(word, below);
        if self.entry == Entry::Direct {
            // Written out, so that no word reads beyond the table, whatever a contract says.
            let ty = b.word_type();
            let index = b.op(Op::LowBits(6), &[index], &[ty])[0];
            b.lookup_vartime(self.table, index)
        } else {
            b.lookup(self.table, index)
        }
    }

    /// What so many bits of the index, from its lowest on, choose.
    fn chosen(&self, b: &mut Builder, word: Value, bits: u32) -> Value {
        let lowest = b.word() - 6;
        let is = self.is_set(b, word, lowest);
        let pair = |b: &mut Builder, i: u32| {
            let (first, other) = (b.load(self.table, 2 * i), b.load(self.table, 2 * i + 1));
            match is {
                Bit::IsSet(mask) => b.select(mask, other, first),
                // The first one, and what the second differs by.
                Bit::Mask(mask) => {
                    let difference = b.and(mask, other);
                    b.xor(first, difference)
                }
            }
        };
        let mut level: Vec<Value> = (0..1 << (bits - 1)).map(|i| pair(b, i)).collect();
        for bit in 1..bits {
            let is = self.is_set(b, word, lowest + bit);
            level = level.chunks_exact(2).map(|two| is.choice(b, two[0], two[1])).collect();
        }
        level[0]
    }

    /// A bit of a word, by which is chosen.
    fn is_set(&self, b: &mut Builder, word: Value, bit: u32) -> Bit {
        if self.entry == Entry::Choices {
            let (one, zero) = (b.word_constant(BigInt::from(1u64 << bit)), b.word_constant(0));
            let set = b.and(word, one);
            return Bit::IsSet(b.less(zero, set));
        }
        let top = b.word() - 1;
        let up = if bit == top { word } else { b.wrapping_shl(word, top - bit) };
        Bit::Mask(b.sar(up, top))
    }
}

/// A bit by which is chosen.
#[derive(Clone, Copy)]
enum Bit {
    /// The mask that says whether it is 1.
    IsSet(Value),
    /// The word of which all bits are it.
    Mask(Value),
}

impl Bit {
    /// y where the bit is 1, else x.
    fn choice(self, b: &mut Builder, x: Value, y: Value) -> Value {
        match self {
            Bit::IsSet(mask) => b.select(mask, y, x),
            Bit::Mask(mask) => {
                let difference = b.xor(x, y);
                let difference = b.and(mask, difference);
                b.xor(x, difference)
            }
        }
    }
}

/// Of each two entries the first, and the sum of both.
fn differences(entries: &[u64]) -> Vec<u64> {
    entries.chunks_exact(2).flat_map(|two| [two[0], two[0] ^ two[1]]).collect()
}

/// 16 bits of what each entry differs by from the first.
fn quarters(entries: &[u32], from: u32) -> Vec<u64> {
    entries.iter().map(|entry| u64::from((entry ^ entries[0]) >> from & 0xffff)).collect()
}

/// Entries of the lower half of the table below those of the upper.
fn packed(entries: &[u32]) -> Vec<u64> {
    let pairs = entries.iter().zip(&entries[entries.len() / 2..]);
    pairs.map(|(low, high)| u64::from(*high) << 32 | u64::from(*low)).collect()
}
