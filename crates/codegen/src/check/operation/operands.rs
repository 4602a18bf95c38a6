//! What operations take and give. **Trusted.**

use evariste_ir::Type;

use super::super::terms::{Flag, Word};

/// A value: a word or the limbs of a wide one in base 2^64, lowest first; or a flag, which stands for a mask too.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Item {
    /// Limbs.
    Words(Vec<Word>),
    /// 0 or 1; all zeros or all ones.
    Flag(Flag),
}

impl Item {
    pub(super) fn word(&self) -> Option<Word> {
        match self {
            Item::Words(limbs) if limbs.len() == 1 => Some(limbs[0]),
            _ => None,
        }
    }

    pub(super) fn flag(&self) -> Option<Flag> {
        match self {
            Item::Flag(f) => Some(*f),
            Item::Words(_) => None,
        }
    }

    pub(super) fn limbs(&self) -> Option<&[Word]> {
        match self {
            Item::Words(limbs) => Some(limbs),
            Item::Flag(_) => None,
        }
    }
}

/// The operands of an operation and what is known of them.
pub struct Operands<'a> {
    /// Types of the operands.
    pub from: &'a [Type],
    /// The operands.
    pub args: &'a [Item],
    /// Types of the results.
    pub to: &'a [Type],
    /// Of a shift: by how many bits.
    pub amount: u32,
    /// No operand and no result can be negative, so that an exact operation's result is the plain integer.
    pub unsigned: bool,
}

impl Operands<'_> {
    /// Bits of the first operand.
    pub(super) fn bits(&self) -> u32 {
        self.from.first().map_or(0, |ty| ty.bits())
    }

    pub(super) fn word(&self, i: usize) -> Option<Word> {
        self.args.get(i)?.word()
    }

    pub(super) fn flag(&self, i: usize) -> Option<Flag> {
        self.args.get(i)?.flag()
    }

    pub(super) fn limbs(&self, i: usize) -> Option<&[Word]> {
        self.args.get(i)?.limbs()
    }
}

pub(super) fn one(x: Word) -> Option<Vec<Item>> {
    Some(vec![Item::Words(vec![x])])
}

/// Widths of the limbs of a number of that many bits.
pub(super) fn widths(bits: u32) -> impl Iterator<Item = u32> {
    (0..bits.div_ceil(64)).map(move |i| (bits - 64 * i).min(64))
}
