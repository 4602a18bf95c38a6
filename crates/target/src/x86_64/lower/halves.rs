//! Products in lanes of 32 bits. The processor multiplies the low halves of 64 bits, the even lanes; the odd ones are copied down before, and the halves of both products
//! merged after. What is multiplied again is not merged: its products lie in the low halves already.

use super::vector::Lane;
use super::writer::Writer;
use crate::x86_64::graph::{Id, Kind, Operation};

impl Writer {
    /// Words with the even and with the odd lanes of x in their low halves.
    fn halves_of(&mut self, x: Id) -> [Id; 2] {
        if let Some(halves) = self.halves.get(&x) {
            return *halves;
        }
        let odd = match self.graph.values[x as usize] {
            Kind::Constant(_) => x,
            _ => self.vector_word(Operation::CopyHigh, &[x]),
        };
        self.halves.insert(x, [x, odd]);
        [x, odd]
    }

    /// The products of 64 bits of the even and of the odd lanes.
    fn products(&mut self, x: Id, y: Id) -> [Id; 2] {
        let ([x0, x1], [y0, y1]) = (self.halves_of(x), self.halves_of(y));
        [self.mul_half(x0, y0), self.mul_half(x1, y1)]
    }

    /// The low halves of both in all lanes.
    fn merge_low(&mut self, [even, odd]: [Id; 2], lane: Lane) -> Id {
        let merged = match (self.graph.constant(even), self.graph.constant(odd)) {
            (Some(a), Some(b)) if a as u32 == b as u32 => return self.constant(u64::from(a as u32)),
            _ if lane.masks => self.vector_word(Operation::MergeLow, &[even, odd]),
            _ => {
                let odd = self.vector_word(Operation::CopyLow, &[odd]);
                self.vector_word(Operation::JoinHalves, &[even, odd])
            }
        };
        self.halves.insert(merged, [even, odd]);
        merged
    }

    /// The high halves of both in all lanes.
    fn merge_high(&mut self, [even, odd]: [Id; 2], lane: Lane) -> Id {
        match (self.graph.constant(even), self.graph.constant(odd)) {
            (Some(a), Some(b)) if a >> 32 == b >> 32 => self.constant(a >> 32),
            _ if lane.masks => self.vector_word(Operation::MergeHigh, &[even, odd]),
            _ => {
                let even = self.vector_word(Operation::CopyHigh, &[even]);
                self.vector_word(Operation::JoinHalves, &[even, odd])
            }
        }
    }

    /// `x·y` as a low and a high word.
    pub(super) fn short_mul_wide(&mut self, x: Id, y: Id, lane: Lane) -> (Id, Id) {
        let products = self.products(x, y);
        (self.merge_low(products, lane), self.merge_high(products, lane))
    }

    /// `x·y mod 2^32`: of what lies in halves already by halves, else by the instruction for all lanes.
    pub(super) fn short_mul_low(&mut self, x: Id, y: Id, lane: Lane) -> Id {
        let split = |w: &Writer, v: Id| w.halves.get(&v).is_some_and(|[even, _]| *even != v);
        if split(self, x) || split(self, y) {
            let products = self.products(x, y);
            return self.merge_low(products, lane);
        }
        self.mul_low(x, y)
    }
}
