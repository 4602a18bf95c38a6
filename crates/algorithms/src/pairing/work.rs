//! Steps that Miller loops share.
//!
//! * **computes** copies, constants, opposites, and other points for neutral ones.
//! * **needs** resting coordinates of affine points, the neutral element as (0, 0).
//! * **gives** resting coordinates; where one point of a pair is neutral, others for both.
//! * **cost** a test for 0 and a choice for each coordinate of a pair.
//! * **source** the definitions.

use evariste_ir::range::Interval;
use evariste_ir::{Array, Builder, Index, View};
use num_bigint::BigUint;

use super::setting::Setting;
use crate::lowering::{Element, digits_of};
use crate::prime::power::Callee;
use crate::recipe::Parts;
use crate::signature::NotApplicable;

/// What these steps call.
pub(super) struct Work<'a> {
    pub setting: &'a Setting<'a>,
    pub opp: Callee,
    is_zero: Callee,
    select: Callee,
    /// Is a point neutral?
    neutral: Array,
}

impl<'a> Work<'a> {
    /// From the kernels of needs as [`super::loops`] declares them.
    pub fn new(b: &mut Builder, setting: &'a Setting<'a>, parts: &'a dyn Parts) -> Result<Work<'a>, NotApplicable> {
        let means = setting.means(parts, super::loops::MORE);
        Ok(Work {
            setting,
            opp: Callee::new(b, parts.kernel(4)?, "opp"),
            is_zero: Callee::new(b, means.more(0)?, "is_zero"),
            select: Callee::new(b, means.more(1)?, "select"),
            neutral: b.local("is_neutral", 1, Interval::bits(1)),
        })
    }

    pub fn digits(&self) -> u32 {
        self.setting.layout.digits() as u32
    }

    /// Coordinate i of an array, and those behind it.
    pub fn at(&self, array: Array, i: u32) -> View {
        View::from(array, i * self.digits())
    }

    /// Copies so many coordinates.
    pub fn copy(&self, b: &mut Builder, to: (Array, u32), from: (Array, u32), count: u32) {
        self.setting.copy(b, to, from, count);
    }

    /// A constant of the prime field at a coordinate.
    pub fn constant(&self, b: &mut Builder, number: u32, to: (Array, u32)) {
        let digits = digits_of(&BigUint::from(number), &self.setting.modulus().value, self.setting.layout);
        for (i, digit) in (0..).zip(digits) {
            let digit = b.word_constant(digit);
            b.store(to.0, to.1 * self.digits() + i, digit);
        }
    }

    /// The opposites of coordinates in place.
    pub fn negate(&self, b: &mut Builder, array: Array, places: std::ops::Range<u32>) {
        for i in places {
            let at = self.at(array, i);
            self.opp.call_views(b, at.clone(), std::slice::from_ref(&at));
        }
    }

    /// The points of a pair, or others where one is neutral.
    pub fn start(&self, b: &mut Builder, given: &[Element; 2], to: [Array; 2], instead: &[Vec<Array>; 2]) {
        let flag = self.neutral;
        let mut either = b.word_constant(0);
        for point in given {
            let mut all = b.word_constant(1);
            for i in 0..point.coordinates as u32 {
                self.is_zero.call_views(b, View::whole(flag), &[self.at(point.array, i)]);
                let is = b.load(flag, Index::at(0));
                all = b.and(all, is);
            }
            either = b.or(either, all);
        }
        b.store(flag, 0u32, either);
        for ((to, point), instead) in to.into_iter().zip(given).zip(instead) {
            for (i, other) in (0..).zip(instead) {
                let [to, from] = [to, point.array].map(|array| self.at(array, i));
                self.select.call_views(b, to, &[View::whole(flag), from, View::whole(*other)]);
            }
        }
    }

    /// Tables of these coordinates over the prime field.
    pub fn tables(&self, b: &mut Builder, name: &str, numbers: &[BigUint]) -> Vec<Array> {
        let digits = |x: &BigUint| digits_of(x, &self.setting.modulus().value, self.setting.layout);
        (0..).zip(numbers).map(|(i, x): (u32, _)| b.table(format!("{name}{i}"), digits(x))).collect()
    }
}
