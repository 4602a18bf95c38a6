//! Multiples of points by public numbers.
//!
//! * **computes** `n·P` for a positive n that is known when code is written.
//! * **needs** a curve whose sums have no exceptions; resting coordinates; the sum, the doubling and the opposite.
//! * **gives** resting coordinates.
//! * **cost** a doubling a bit, a sum for each digit that is not 0, of windows for which that is least.
//! * **source** Solinas, "Efficient arithmetic on Koblitz curves" (2000), for the digits.

use std::cell::RefCell;

use evariste_ir::{Array, Builder};
use num_bigint::BigUint;

use super::look_ups::points;
use crate::layout::Layout;
use crate::pairing::power::{Digit, repeated, signed_windows};
use crate::prime::power::Callee;

/// What is called, and room.
pub(super) struct Multiples<'a> {
    layout: &'a Layout,
    coordinates: usize,
    pub add: Callee,
    double: Callee,
    opp: Callee,
    /// A multiple and a summand in the making.
    scratch: [Array; 2],
    /// Odd multiples, as many as any number has asked for.
    odd: RefCell<Vec<Array>>,
}

impl<'a> Multiples<'a> {
    /// Of points of so many coordinates.
    pub fn new(
        b: &mut Builder,
        layout: &'a Layout,
        coordinates: usize,
        [add, double, opp]: [Callee; 3],
    ) -> Multiples<'a> {
        let scratch = ["multiple", "summand"].map(|name| points(b, layout, name, coordinates, 1));
        Multiples { layout, coordinates, add, double, opp, scratch, odd: RefCell::default() }
    }

    /// Room for a point.
    pub fn room(&self, b: &mut Builder, name: &str) -> Array {
        points(b, self.layout, name, self.coordinates, 1)
    }

    /// Copies a point.
    pub fn copy(&self, b: &mut Builder, to: Array, from: Array) {
        for i in 0..(self.coordinates * self.layout.digits()) as u32 {
            let digit = b.load(from, i);
            b.store(to, i, digit);
        }
    }

    /// `to = 2·from`.
    pub fn double(&self, b: &mut Builder, to: Array, from: Array) {
        self.double.call(b, to, &[from]);
    }

    /// `to = −from`.
    pub fn negate(&self, b: &mut Builder, to: Array, from: Array) {
        self.opp.call(b, to, &[from]);
    }

    /// The first odd multiples of a point.
    fn odd_multiples(&self, b: &mut Builder, from: Array, count: usize) -> Vec<Array> {
        let mut all = self.odd.borrow_mut();
        while all.len() < count {
            let name = format!("odd{}", 2 * all.len() + 1);
            all.push(self.room(b, &name));
        }
        let odd = all[..count].to_vec();
        self.copy(b, odd[0], from);
        if count > 1 {
            let [twice, _] = self.scratch;
            self.double(b, twice, from);
            odd.windows(2).for_each(|pair| self.add.call(b, pair[1], &[pair[0], twice]));
        }
        odd
    }

    /// `to = n·from`; `to` may be `from`.
    pub fn write(&self, b: &mut Builder, to: Array, from: Array, n: &BigUint) {
        let digits = signed_windows(n);
        let largest = digits.iter().map(|digit| digit.odd.unsigned_abs()).max().unwrap_or(1);
        let odd = self.odd_multiples(b, from, largest as usize / 2 + 1);
        let [sum, summand] = self.scratch;
        for (i, Digit { odd: digit, below }) in digits.iter().enumerate() {
            let from = odd[digit.unsigned_abs() as usize / 2];
            match (i, *digit < 0) {
                (0, _) => self.copy(b, sum, from),
                (_, false) => self.add.call(b, sum, &[sum, from]),
                (_, true) => {
                    self.negate(b, summand, from);
                    self.add.call(b, sum, &[sum, summand]);
                }
            }
            repeated(b, *below, |b| self.double(b, sum, sum));
        }
        self.copy(b, to, sum);
    }
}
