//! Vectors of lanes, and operations on them.

use super::lane::{Bits, Lane, Word};
use crate::float::Format;
use crate::op::Op;

/// A value's slot (relative to the frame), its bits, and whether its interval reaches below 0 (two's complement).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Operand {
    pub slot: u32,
    pub bits: u32,
    pub signed: bool,
}

/// One operation with its operands and results.
pub(crate) struct Inst<L> {
    pub op: Op,
    pub args: Vec<Operand>,
    pub results: Vec<Operand>,
    /// The pattern of a constant.
    pub constant: L,
    /// The format of floats: that of 24 bits is `f32`, that of 53 `f64`.
    pub format: Option<Format>,
}

impl<L: Word> Inst<L> {
    /// Bits of the first result.
    pub fn bits(&self) -> u32 {
        self.results[0].bits
    }

    /// The bits of the first result, all ones.
    pub fn mask(&self) -> L {
        L::mask(self.bits())
    }

    /// May one of the operands, or the result, be negative?
    pub fn signed(&self) -> bool {
        self.args.iter().chain(&self.results).any(|o| o.signed)
    }
}

/// What an operation does to vectors of such cells. The last argument is the amount of a shift.
pub(crate) type Step<L> = fn(&mut Vectors<L>, &Inst<L>, u32);

/// What an operation does to vectors of each kind of cells: one function, generic in the cell.
#[derive(Clone, Copy)]
pub struct Run {
    pub(crate) bits: Step<Bits>,
    pub(crate) u16: Step<u16>,
    pub(crate) u64: Step<u64>,
    pub(crate) u128: Step<u128>,
}

/// The cells that kernels run on.
pub(crate) trait Cell: Word {
    /// What the operation does to vectors of these cells.
    fn step(run: &Run) -> Step<Self>;
}

macro_rules! cell {
    ($($cell:ty: $field:ident),*) => {$(
        impl Cell for $cell {
            fn step(run: &Run) -> Step<$cell> {
                run.$field
            }
        }
    )*};
}
cell!(Bits: bits, u16: u16, u64: u64, u128: u128);

/// Vectors of lanes in slots. Operands and results are slots of the current frame; no result shares a slot with an
/// operand.
pub(crate) struct Vectors<'a, L> {
    /// All slots.
    pub slots: &'a mut [Vec<L>],
    /// First slot of the current frame.
    pub base: usize,
    /// What an exact operation or a check left over, where any lane is not 0.
    left: Option<Vec<L>>,
}

impl<'a, L: Lane> Vectors<'a, L> {
    pub fn new(slots: &'a mut [Vec<L>], base: usize) -> Vectors<'a, L> {
        Vectors { slots, base, left: None }
    }

    /// Takes a slot's vector, to be put back.
    pub fn take(&mut self, d: u32) -> Vec<L> {
        std::mem::take(&mut self.slots[self.base + d as usize])
    }

    pub fn put(&mut self, d: u32, v: Vec<L>) {
        self.slots[self.base + d as usize] = v;
    }

    /// The lane vector of a frame's slot.
    pub fn slot(&self, a: u32) -> &[L] {
        &self.slots[self.base + a as usize]
    }

    fn arg(&self, x: &Inst<L>, i: usize) -> &[L] {
        self.slot(x.args[i].slot)
    }

    /// Copies between slots that are counted from the first one.
    pub fn copy(&mut self, from: usize, to: usize) {
        if from == to {
            return;
        }
        let mut out = std::mem::take(&mut self.slots[to]);
        out.copy_from_slice(&self.slots[from]);
        self.slots[to] = out;
    }

    pub fn fill(&mut self, d: u32, value: L) {
        self.slots[self.base + d as usize].fill(value);
    }

    /// The first result is the first operand.
    pub fn same(&mut self, x: &Inst<L>) {
        self.copy(self.base + x.args[0].slot as usize, self.base + x.results[0].slot as usize);
    }

    /// What was left over since the last call: a vector that is not 0 in the lanes that are wrong.
    pub fn left_over(&mut self) -> Option<Vec<L>> {
        self.left.take()
    }

    #[inline(always)]
    pub fn map1(&mut self, x: &Inst<L>, f: impl Fn(L) -> L) {
        self.map_to(x.results[0].slot, x, f);
    }

    /// The map of the first operand to any slot.
    #[inline(always)]
    pub fn map_to(&mut self, d: u32, x: &Inst<L>, f: impl Fn(L) -> L) {
        let mut out = self.take(d);
        for (o, a) in out.iter_mut().zip(self.arg(x, 0)) {
            *o = f(*a);
        }
        self.put(d, out);
    }

    #[inline(always)]
    pub fn map2(&mut self, x: &Inst<L>, f: impl Fn(L, L) -> L) {
        let mut out = self.take(x.results[0].slot);
        for ((o, a), b) in out.iter_mut().zip(self.arg(x, 0)).zip(self.arg(x, 1)) {
            *o = f(*a, *b);
        }
        self.put(x.results[0].slot, out);
    }

    #[inline(always)]
    pub fn map3(&mut self, x: &Inst<L>, f: impl Fn(L, L, L) -> L) {
        let mut out = self.take(x.results[0].slot);
        for (((o, a), b), c) in out.iter_mut().zip(self.arg(x, 0)).zip(self.arg(x, 1)).zip(self.arg(x, 2)) {
            *o = f(*a, *b, *c);
        }
        self.put(x.results[0].slot, out);
    }

    /// The first result, f of itself and an operand.
    #[inline(always)]
    pub fn accumulate(&mut self, x: &Inst<L>, i: usize, f: impl Fn(L, L) -> L) {
        let mut out = self.take(x.results[0].slot);
        for (o, a) in out.iter_mut().zip(self.arg(x, i)) {
            *o = f(*o, *a);
        }
        self.put(x.results[0].slot, out);
    }

    #[inline(always)]
    pub fn map2_pair(&mut self, x: &Inst<L>, f: impl Fn(L, L) -> (L, L)) {
        let (mut lo, mut hi) = (self.take(x.results[0].slot), self.take(x.results[1].slot));
        for (((l, h), a), b) in lo.iter_mut().zip(&mut hi).zip(self.arg(x, 0)).zip(self.arg(x, 1)) {
            (*l, *h) = f(*a, *b);
        }
        self.put(x.results[0].slot, lo);
        self.put(x.results[1].slot, hi);
    }

    #[inline(always)]
    pub fn map3_pair(&mut self, x: &Inst<L>, f: impl Fn(L, L, L) -> (L, L)) {
        let (mut lo, mut hi) = (self.take(x.results[0].slot), self.take(x.results[1].slot));
        let [a, b, c] = [0, 1, 2].map(|i| self.arg(x, i));
        for ((((l, h), a), b), c) in lo.iter_mut().zip(&mut hi).zip(a).zip(b).zip(c) {
            (*l, *h) = f(*a, *b, *c);
        }
        self.put(x.results[0].slot, lo);
        self.put(x.results[1].slot, hi);
    }

    #[inline(always)]
    pub fn map4_pair(&mut self, x: &Inst<L>, f: impl Fn(L, L, L, L) -> (L, L)) {
        let (mut lo, mut hi) = (self.take(x.results[0].slot), self.take(x.results[1].slot));
        let [a, b, c, e] = [0, 1, 2, 3].map(|i| self.arg(x, i));
        for (((((l, h), a), b), c), e) in lo.iter_mut().zip(&mut hi).zip(a).zip(b).zip(c).zip(e) {
            (*l, *h) = f(*a, *b, *c, *e);
        }
        self.put(x.results[0].slot, lo);
        self.put(x.results[1].slot, hi);
    }
}

/// Exact operations: `f` gives the result and what is left over, 0 where the result is exact.
impl<L: Word> Vectors<'_, L> {
    #[inline(always)]
    pub fn exact1(&mut self, x: &Inst<L>, f: impl Fn(L) -> (L, L)) {
        let mut out = self.take(x.results[0].slot);
        let mut left = L::ZERO;
        for (o, a) in out.iter_mut().zip(self.arg(x, 0)) {
            let (r, bad) = f(*a);
            *o = r;
            left = left | bad;
        }
        if left != L::ZERO {
            self.left = Some(self.arg(x, 0).iter().map(|a| f(*a).1).collect());
        }
        self.put(x.results[0].slot, out);
    }

    #[inline(always)]
    pub fn exact2(&mut self, x: &Inst<L>, f: impl Fn(L, L) -> (L, L)) {
        let mut out = self.take(x.results[0].slot);
        let mut left = L::ZERO;
        for ((o, a), b) in out.iter_mut().zip(self.arg(x, 0)).zip(self.arg(x, 1)) {
            let (r, bad) = f(*a, *b);
            *o = r;
            left = left | bad;
        }
        if left != L::ZERO {
            self.left = Some(self.arg(x, 0).iter().zip(self.arg(x, 1)).map(|(a, b)| f(*a, *b).1).collect());
        }
        self.put(x.results[0].slot, out);
    }

    #[inline(always)]
    pub fn exact3(&mut self, x: &Inst<L>, f: impl Fn(L, L, L) -> (L, L)) {
        let mut out = self.take(x.results[0].slot);
        let mut left = L::ZERO;
        let [a, b, c] = [0, 1, 2].map(|i| self.arg(x, i));
        for (((o, a), b), c) in out.iter_mut().zip(a).zip(b).zip(c) {
            let (r, bad) = f(*a, *b, *c);
            *o = r;
            left = left | bad;
        }
        if left != L::ZERO {
            self.left = Some(a.iter().zip(b).zip(c).map(|((a, b), c)| f(*a, *b, *c).1).collect());
        }
        self.put(x.results[0].slot, out);
    }

    /// Checks a slot: `f` leaves 0 of what is right.
    #[inline(always)]
    pub fn check(&mut self, slot: u32, f: impl Fn(L) -> L) {
        let left = self.slot(slot).iter().fold(L::ZERO, |left, x| left | f(*x));
        if left != L::ZERO {
            self.left = Some(self.slot(slot).iter().map(|x| f(*x)).collect());
        }
    }
}
