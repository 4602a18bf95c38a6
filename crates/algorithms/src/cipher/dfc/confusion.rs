//! The confusion permutation of DFC.
//!
//! * **computes** `((yr ^ RT[yl >> 26]) | (yl ^ KC)) + KD mod 2^64` of `y = yl | yr`.
//! * **needs** y in words of 32 or 64 bits, lowest first.
//! * **gives** words, lowest first.
//! * **cost** by a look-up in constant time all 64 entries (in lanes that look up 16 bits, two of these instead; in lanes that
//!   look up both halves of a word among eight entries, eleven of these and fourteen operations of logic for two blocks,
//!   among 32 entries three and one); by
//!   choices or masks, in words of 64 bits, 31 choices of two entries each and one of halves, in words of 32 bits 63 choices;
//!   directly one load, whose address tells six bits of y.
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
    /// As by quarters, which a multiply-add of 52 bits joins.
    JoinedQuarters,
    /// For two blocks at once, by look-ups among eight entries: words of 64 bits.
    Eighths,
    /// The same among 32 entries.
    Halves,
    /// By choices, from the lowest bit of the index to the highest.
    Choices,
    /// The same by masks.
    Masks,
    /// At its address.
    Direct,
}

impl Entry {
    /// How many blocks are permuted at once.
    pub(super) fn blocks(self) -> u32 {
        if self.parts().is_some() { 2 } else { 1 }
    }

    /// How many parts a table has whose entries are looked up for two blocks at once.
    fn parts(self) -> Option<usize> {
        match self {
            Entry::Eighths => Some(8),
            Entry::Halves => Some(2),
            _ => None,
        }
    }
}

/// The permutation with its tables in a kernel.
pub(super) struct Permutation {
    constants: Confusion,
    entry: Entry,
    /// The table; by quarters the lower 16 bits and the upper ones; by eighths or halves those parts of it that the upper
    /// bits of an index add up, then of each of these bits the word in which all are it.
    tables: Vec<Array>,
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
            (Entry::Quarters | Entry::JoinedQuarters, _) => quarters(all, 0),
            (_, 64) => all.iter().map(|entry| u64::from(*entry) << 32 | u64::from(constants.mask)).collect(),
            _ => all.iter().map(|entry| u64::from(*entry)).collect(),
        };
        let named = match entry {
            Entry::Eighths | Entry::Halves => parts(all, entry.parts().unwrap_or(1)),
            Entry::Quarters | Entry::JoinedQuarters => {
                vec![("RT".into(), entries), ("RT_upper".into(), quarters(all, 16))]
            }
            _ => vec![("RT".into(), entries)],
        };
        let mut table =
            |(name, entries): (String, Vec<u64>)| b.table(name, entries.into_iter().map(BigInt::from).collect());
        let tables = named.into_iter().map(&mut table).collect();
        Permutation { constants, entry, tables }
    }

    /// Its values of so many words of 64 bits as are permuted at once.
    pub(super) fn apply_all(&self, b: &mut Builder, y: &[Value]) -> Vec<Value> {
        match y {
            [first, second] => self.apply_two(b, [*first, *second]).to_vec(),
            _ => y.iter().map(|y| self.apply_64(b, *y)).collect(),
        }
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
        if let [table, upper] = self.tables[..] {
            let index = b.shr(y, 58u32);
            let (low, high) = (b.lookup(table, index), b.lookup(upper, index));
            let entry = if self.entry == Entry::JoinedQuarters {
                let up = b.word_constant(1u32 << 16);
                b.madd_lo(52, low, high, up)
            } else {
                let high = b.shl(high, 16u32);
                b.xor(low, high)
            };
            // The first entry is missing yet, and the other half's constant: added first, so that the entry, which nobody
            // wants any more, may be written over.
            let rest = u64::from(self.constants.mask) << 32 | u64::from(self.constants.table[0]);
            let rest = b.word_constant(rest);
            let sum = b.xor(y, rest);
            let sum = b.xor(sum, entry);
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

    /// The values of two words, whose upper halves lie in one.
    fn apply_two(&self, b: &mut Builder, [first, second]: [Value; 2]) -> [Value; 2] {
        let above = b.word_constant(BigInt::from(u64::from(u32::MAX) << 32));
        let left = [first, second].map(|y| b.shr(y, 32u32));
        let upper = b.and(second, above);
        let both = b.xor(left[0], upper);
        let entries = self.of_halves(b, both);
        // What of each value the right half and the entry make.
        let sum = b.xor(first, entries);
        let sum = b.wrapping_shl(sum, 32u32);
        let (right, entry) = (b.wrapping_shl(second, 32u32), b.and(entries, above));
        let other = b.xor(right, entry);
        let (mask, addend) = (b.word_constant(self.constants.mask), b.word_constant(self.constants.addend));
        let mut value = |sum: Value, left: Value| {
            let sum = b.xor(sum, left);
            let sum = b.xor(sum, mask);
            b.wrapping_add(sum, addend)
        };
        [value(sum, left[0]), value(other, left[1])]
    }

    /// Of each half of a word the entry at its six highest bits: by the lower ones in each part of the table, and by the
    /// upper ones of these parts those that add up to it.
    fn of_halves(&self, b: &mut Builder, word: Value) -> Value {
        let count = self.entry.parts().unwrap_or(1);
        let upper = count.ilog2();
        let length = 6 - upper;
        let index = |b: &mut Builder, from: u32, bits: u32| {
            let first = b.shr(word, from);
            let second = b.shr(first, 32u32);
            [first, second].map(|word| b.low_bits(word, bits))
        };
        let low = index(b, 26, length);
        // Of a table of one bit there are as many entries as a look-up has.
        let high = index(b, 32 - length, length);
        let find = |b: &mut Builder, table: Array, [x, y]: [Value; 2]| {
            let (x, y) = (b.lookup(table, x), b.lookup(table, y));
            let y = b.shl(y, 32u32);
            b.add(x, y)
        };
        let (parts, bits) = self.tables.split_at(count);
        let mut sums: Vec<Value> = parts.iter().map(|table| find(b, *table, low)).collect();
        for bit in bits {
            let is_set = find(b, *bit, high);
            let pair = |two: &[Value]| {
                let part = b.and(is_set, two[1]);
                b.xor(two[0], part)
            };
            sums = sums.chunks_exact(2).map(pair).collect();
        }
        sums[0]
    }

    fn apply_32(&self, b: &mut Builder, right: Value, left: Value) -> Vec<Value> {
        let entry = match self.entry {
            Entry::Masks | Entry::Choices => self.chosen(b, left, 6),
            Entry::LookUp
            | Entry::Direct
            | Entry::Quarters
            | Entry::JoinedQuarters
            | Entry::Eighths
            | Entry::Halves => self.found(b, left, 26),
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
            b.lookup_vartime(self.tables[0], index)
        } else {
            b.lookup(self.tables[0], index)
        }
    }

    /// What so many bits of the index, from its lowest on, choose.
    fn chosen(&self, b: &mut Builder, word: Value, bits: u32) -> Value {
        let lowest = b.word() - 6;
        let is = self.is_set(b, word, lowest);
        let pair = |b: &mut Builder, i: u32| {
            let (first, other) = (b.load(self.tables[0], 2 * i), b.load(self.tables[0], 2 * i + 1));
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

/// So many parts of the table, of which those whose number has no bit that the upper bits h of an index lack add up to the
/// entries there; and for each bit of h, at the upper bits of an index as long as those in a part, the word in which all
/// are it.
fn parts(entries: &[u32], count: usize) -> Vec<(String, Vec<u64>)> {
    let length = entries.len() / count;
    let entry = |h: usize, low: usize| u64::from(entries[length * h + low]);
    let part = |of: usize| {
        let sum = |low| (0..count).filter(|h| h & of == *h).fold(0, |sum, h| sum ^ entry(h, low));
        (format!("RT_{of}"), (0..length).map(sum).collect())
    };
    // The upper bits of the index are the uppermost of that one.
    let below = length.ilog2() - count.ilog2();
    let bit = |i: u32| {
        let is_set = |at: usize| at >> (below + i) & 1 == 1;
        (format!("bit_{i}"), (0..length).map(|at| if is_set(at) { u64::from(u32::MAX) } else { 0 }).collect())
    };
    (0..count).map(part).chain((0..count.ilog2()).map(bit)).collect()
}
