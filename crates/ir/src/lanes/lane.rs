//! Lane types: what holds one value of one lane (`u16`, `u64`, `u128`), or one bit of 64 lanes ([`Bits`]).

use std::ops::{BitAnd, BitOr, BitXor, Not};

/// A cell of a lane vector.
pub(crate) trait Lane: Copy + Default + PartialEq + Send + Sync + 'static {
    /// Lanes in one cell.
    const LANES: usize;
    /// A cell whose lanes all hold the pattern.
    fn broadcast(pattern: u128) -> Self;
    /// The pattern of lane `lane` in its vector.
    fn get(cells: &[Self], lane: usize) -> u128;
    /// The pattern of a cell's first lane.
    #[inline(always)]
    fn first(self) -> u128 {
        Self::get(&[self], 0)
    }
    /// Sets lane `lane` of its vector.
    fn set(cells: &mut [Self], lane: usize, pattern: u128);
    /// Copies lanes from 0 on out of a vector.
    fn read(cells: &[Self], out: &mut [u64]);
    /// Packs the lowest bits of lanes from 0 on, 64 in a word.
    fn read_bits(cells: &[Self], out: &mut [u64]);
    /// Copies lanes from 0 on into a vector.
    fn write(cells: &mut [Self], values: &[u64]);
    /// Fills lanes `from..to` with one value.
    fn fill(cells: &mut [Self], from: usize, to: usize, pattern: u64);
}

/// Arithmetic on every lane of a cell, of unsigned numbers modulo `2^BITS`.
pub(crate) trait Word:
    Lane + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self> + Not<Output = Self>
{
    /// Bits of a lane.
    const BITS: u32;
    const ZERO: Self;
    const ONE: Self;
    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    fn shl(self, k: u32) -> Self;
    fn shr(self, k: u32) -> Self;
    /// 1 where the numbers are equal, else 0.
    fn equal(self, other: Self) -> Self;
    /// 1 where the number is less, else 0.
    fn less(self, other: Self) -> Self;
    /// `yes` where the number is not 0, else `no`.
    fn choose(self, yes: Self, no: Self) -> Self;
    /// The double-width product `(low, high)`.
    fn widening_mul(self, other: Self) -> (Self, Self);
    /// `2^n − 1`.
    fn mask(n: u32) -> Self {
        if n >= Self::BITS { !Self::ZERO } else { Self::ONE.shl(n).sub(Self::ONE) }
    }
}

macro_rules! word {
    ($t:ty, $widening:expr) => {
        impl Word for $t {
            const BITS: u32 = <$t>::BITS;
            const ZERO: $t = 0;
            const ONE: $t = 1;
            #[inline(always)]
            fn add(self, other: $t) -> $t {
                self.wrapping_add(other)
            }
            #[inline(always)]
            fn sub(self, other: $t) -> $t {
                self.wrapping_sub(other)
            }
            #[inline(always)]
            fn mul(self, other: $t) -> $t {
                self.wrapping_mul(other)
            }
            #[inline(always)]
            fn shl(self, k: u32) -> $t {
                self.unbounded_shl(k)
            }
            #[inline(always)]
            fn shr(self, k: u32) -> $t {
                self.unbounded_shr(k)
            }
            #[inline(always)]
            fn equal(self, other: $t) -> $t {
                (self == other) as $t
            }
            #[inline(always)]
            fn less(self, other: $t) -> $t {
                (self < other) as $t
            }
            #[inline(always)]
            fn choose(self, yes: $t, no: $t) -> $t {
                if self != 0 { yes } else { no }
            }
            #[inline(always)]
            fn widening_mul(self, other: $t) -> ($t, $t) {
                $widening(self, other)
            }
        }

        impl Lane for $t {
            const LANES: usize = 1;
            #[inline(always)]
            fn broadcast(pattern: u128) -> $t {
                pattern as $t
            }
            #[inline(always)]
            fn get(cells: &[$t], lane: usize) -> u128 {
                cells[lane] as u128
            }
            fn set(cells: &mut [$t], lane: usize, pattern: u128) {
                cells[lane] = pattern as $t;
            }
            fn read(cells: &[$t], out: &mut [u64]) {
                for (o, c) in out.iter_mut().zip(cells) {
                    *o = *c as u64;
                }
            }
            fn read_bits(cells: &[$t], out: &mut [u64]) {
                for (o, chunk) in out.iter_mut().zip(cells.chunks(64)) {
                    *o = chunk.iter().enumerate().fold(0, |w, (i, c)| w | ((*c & 1) as u64) << i);
                }
            }
            fn write(cells: &mut [$t], values: &[u64]) {
                for (c, v) in cells.iter_mut().zip(values) {
                    *c = *v as $t;
                }
            }
            fn fill(cells: &mut [$t], from: usize, to: usize, pattern: u64) {
                cells[from..to].fill(pattern as $t);
            }
        }
    };
}

word!(u16, |a: u16, b: u16| {
    let p = (a as u32).wrapping_mul(b as u32);
    (p as u16, (p >> 16) as u16)
});
word!(u64, |a: u64, b: u64| {
    let p = (a as u128).wrapping_mul(b as u128);
    (p as u64, (p >> 64) as u64)
});
word!(u128, widening_mul_u128);

/// Schoolbook on 64-bit halves.
fn widening_mul_u128(a: u128, b: u128) -> (u128, u128) {
    let half = |x: u128| (x as u64 as u128, x >> 64);
    let ((a0, a1), (b0, b1)) = (half(a), half(b));
    // Each product plus two halves stays below 2^128.
    let low = a0.wrapping_mul(b0);
    let mid = a1.wrapping_mul(b0).wrapping_add(low >> 64);
    let mid2 = a0.wrapping_mul(b1).wrapping_add(mid as u64 as u128);
    let high = a1.wrapping_mul(b1).wrapping_add(mid >> 64).wrapping_add(mid2 >> 64);
    ((mid2 << 64) | (low as u64 as u128), high)
}

/// One bit of each of 64 lanes.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Bits(u64);

macro_rules! bitwise {
    ($($operator:ident $name:ident),*) => {$(
        impl $operator for Bits {
            type Output = Bits;
            #[inline(always)]
            fn $name(self, other: Bits) -> Bits {
                Bits(self.0.$name(other.0))
            }
        }
    )*};
}
bitwise!(BitAnd bitand, BitOr bitor, BitXor bitxor);

impl Not for Bits {
    type Output = Bits;
    #[inline(always)]
    fn not(self) -> Bits {
        Bits(!self.0)
    }
}

/// Numbers modulo 2.
impl Word for Bits {
    const BITS: u32 = 1;
    const ZERO: Bits = Bits(0);
    const ONE: Bits = Bits(!0);
    #[inline(always)]
    fn add(self, other: Bits) -> Bits {
        self ^ other
    }
    #[inline(always)]
    fn sub(self, other: Bits) -> Bits {
        self ^ other
    }
    #[inline(always)]
    fn mul(self, other: Bits) -> Bits {
        self & other
    }
    #[inline(always)]
    fn shl(self, k: u32) -> Bits {
        if k == 0 { self } else { Bits(0) }
    }
    #[inline(always)]
    fn shr(self, k: u32) -> Bits {
        self.shl(k)
    }
    #[inline(always)]
    fn equal(self, other: Bits) -> Bits {
        !(self ^ other)
    }
    #[inline(always)]
    fn less(self, other: Bits) -> Bits {
        !self & other
    }
    #[inline(always)]
    fn choose(self, yes: Bits, no: Bits) -> Bits {
        self & yes | !self & no
    }
    #[inline(always)]
    fn widening_mul(self, other: Bits) -> (Bits, Bits) {
        (self & other, Bits(0))
    }
}

impl Lane for Bits {
    const LANES: usize = 64;
    fn broadcast(pattern: u128) -> Bits {
        Bits(if pattern & 1 == 1 { !0 } else { 0 })
    }
    fn get(cells: &[Bits], lane: usize) -> u128 {
        (cells[lane / 64].0 >> (lane % 64) & 1) as u128
    }
    fn set(cells: &mut [Bits], lane: usize, pattern: u128) {
        let (cell, at) = (&mut cells[lane / 64].0, lane % 64);
        *cell = *cell & !(1 << at) | ((pattern & 1) as u64) << at;
    }
    fn read(cells: &[Bits], out: &mut [u64]) {
        for (chunk, cell) in out.chunks_mut(64).zip(cells) {
            for (i, o) in chunk.iter_mut().enumerate() {
                *o = cell.0 >> i & 1;
            }
        }
    }
    fn read_bits(cells: &[Bits], out: &mut [u64]) {
        for (o, c) in out.iter_mut().zip(cells) {
            *o = c.0;
        }
    }
    fn write(cells: &mut [Bits], values: &[u64]) {
        for (chunk, cell) in values.chunks(64).zip(cells) {
            let keep = if chunk.len() == 64 { 0 } else { !0 << chunk.len() };
            cell.0 = chunk.iter().enumerate().fold(cell.0 & keep, |c, (i, v)| c | (v & 1) << i);
        }
    }
    fn fill(cells: &mut [Bits], from: usize, to: usize, pattern: u64) {
        let mut lane = from;
        while lane < to {
            let (cell, at) = (lane / 64, lane % 64);
            let n = (64 - at).min(to - lane);
            let ones = (if n == 64 { !0 } else { (1u64 << n) - 1 }) << at;
            cells[cell].0 = if pattern & 1 == 1 { cells[cell].0 | ones } else { cells[cell].0 & !ones };
            lane += n;
        }
    }
}
