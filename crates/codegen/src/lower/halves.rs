//! Products of whole words. The processor multiplies the low halves of 64 bits.
//!
//! In lanes of 32 bits these are the even lanes; the odd ones are copied down before, and the halves of both products
//! merged after. What is multiplied again is not merged: its products lie in the low halves already. In lanes of 64
//! bits a product of two words is four of their halves, as in the schoolbook; the two in the middle are added to what
//! is above the lowest one in turn, so that no sum leaves its word: (2^32 − 1)² + 2·(2^32 − 1) is the greatest word.

use super::lane::Lane;
use super::writer::Writer;
use crate::graph::{Id, Kind, Operation};

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

    /// The product of the low halves of both words.
    fn half_product(&mut self, x: Id, y: Id) -> Id {
        let half = |w: &Writer, v: Id| w.graph.constant(v).map(|c| c & 0xffff_ffff);
        match (half(self, x), half(self, y)) {
            (Some(0), _) | (_, Some(0)) => self.constant(0),
            (Some(1), None) => self.low_word(y, 32),
            (None, Some(1)) => self.low_word(x, 32),
            _ => self.mul_half(x, y),
        }
    }

    /// `x·y` in lanes of 64 bits as a low and a high word; of each factor: is it below 2^32?
    pub(super) fn long_mul_wide(&mut self, [(x, x_short), (y, y_short)]: [(Id, bool); 2]) -> (Id, Id) {
        let upper = |w: &mut Writer, v: Id, short: bool| if short { w.constant(0) } else { w.shr(v, 32) };
        let (above_x, above_y) = (upper(self, x, x_short), upper(self, y, y_short));
        let (low, left, right, high) = (
            self.half_product(x, y),
            self.half_product(above_x, y),
            self.half_product(x, above_y),
            self.half_product(above_x, above_y),
        );
        let carried = self.shr(low, 32);
        let first = self.lane_add(left, carried);
        let rest = self.low_word(first, 32);
        let second = self.lane_add(right, rest);
        let (up, down) = (self.shl(second, 32), self.low_word(low, 32));
        let (first_above, second_above) = (self.shr(first, 32), self.shr(second, 32));
        let high = self.lane_add(high, first_above);
        (self.or(down, up), self.lane_add(high, second_above))
    }

    /// `x·y mod 2^64` where no instruction gives it.
    pub(super) fn long_mul_low(&mut self, x: Id, y: Id) -> Id {
        let (above_x, above_y) = (self.shr(x, 32), self.shr(y, 32));
        let (low, left, right) =
            (self.half_product(x, y), self.half_product(above_x, y), self.half_product(x, above_y));
        let middle = self.lane_add(left, right);
        let up = self.shl(middle, 32);
        self.lane_add(low, up)
    }
}
