//! Types, and names of values, arrays, counters and elements.

use num_bigint::{BigInt, Sign};

use crate::float::Format;
use crate::interval::{Interval, pow2};

/// The type of a value or of an array's elements.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Type {
    /// An integer word of that many bits, 1 to 64.
    Word(u8),
    /// A double word that a target keeps unsplit: total bits (2n), 2 to 128.
    Wide(u8),
    /// A binary floating-point number with that many mantissa bits (53 for binary64; see [`crate::float`]).
    Float(u8),
    /// A carry or borrow: 0 or 1.
    Flag,
    /// All zeros or all ones, over that many bits.
    Mask(u8),
}

impl Type {
    /// Bits that a value of this type occupies (a float of mantissa 53 occupies 64).
    pub fn bits(self) -> u32 {
        match self {
            Type::Word(n) | Type::Wide(n) | Type::Mask(n) => n as u32,
            Type::Float(m) => Format::new(m).map_or(64, Format::bits),
            Type::Flag => 1,
        }
    }

    /// The interval of all values of the type, read as unsigned.
    pub fn full(self) -> Interval {
        match self {
            Type::Float(m) => {
                let edge = Format::new(m).map_or_else(BigInt::default, Format::greatest);
                Interval { lo: -edge.clone(), hi: edge }
            }
            _ => Interval::bits(self.bits()),
        }
    }
}

/// An SSA value: an index into [`Kernel::values`](crate::Kernel::values).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Value(pub u32);

/// An array (parameter, local or constant table): an index into [`Kernel::arrays`](crate::Kernel::arrays).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Array(pub u32);

/// A loop counter; counters are numbered through the kernel in order of appearance.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Counter(pub u32);

/// A public index: `base + Σ coefficient·counter + table[inner]`, modulo the array's length when `modulo` is set.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Index {
    /// Constant part.
    pub base: i64,
    /// Terms in loop counters.
    pub terms: Vec<(Counter, i64)>,
    /// An entry of a constant public table, added.
    pub table: Option<(Array, Box<Index>)>,
    /// Reduce modulo the length of the indexed array (floor modulo, never negative).
    pub modulo: bool,
}

impl Index {
    /// The constant index `base`.
    pub fn at(base: i64) -> Index {
        Index { base, ..Index::default() }
    }

    /// The counter itself.
    pub fn counter(counter: Counter) -> Index {
        Index::default().plus(counter, 1)
    }

    /// This index plus `coefficient · counter`.
    pub fn plus(mut self, counter: Counter, coefficient: i64) -> Index {
        self.terms.push((counter, coefficient));
        self
    }

    /// This index plus a constant.
    pub fn offset(mut self, base: i64) -> Index {
        self.base += base;
        self
    }

    /// This index plus `table[inner]`.
    pub fn with_table(mut self, table: Array, inner: Index) -> Index {
        self.table = Some((table, Box::new(inner)));
        self
    }

    /// This index modulo the array's length.
    pub fn modulo(mut self) -> Index {
        self.modulo = true;
        self
    }

    /// The constant value, if no counter and no table take part and no modulo is asked.
    pub fn constant(&self) -> Option<i64> {
        (self.terms.is_empty() && self.table.is_none() && !self.modulo).then_some(self.base)
    }
}

impl From<u32> for Index {
    fn from(i: u32) -> Index {
        Index::at(i as i64)
    }
}

impl From<usize> for Index {
    fn from(i: usize) -> Index {
        Index::at(i as i64)
    }
}

impl From<Counter> for Index {
    fn from(c: Counter) -> Index {
        Index::counter(c)
    }
}

impl Interval {
    /// Can a type hold every value (in some window of width 2^n: unsigned, or signed when `lo` is negative)? Flags and
    /// masks have no sign.
    pub fn fits(&self, ty: Type) -> bool {
        match ty {
            Type::Float(_) | Type::Flag | Type::Mask(_) => self.within(&ty.full()),
            _ => {
                self.lo.sign() != Sign::Minus && self.hi < pow2(ty.bits())
                    || self.lo.sign() == Sign::Minus && self.lo >= -pow2(ty.bits() - 1) && self.hi < pow2(ty.bits() - 1)
            }
        }
    }
}
