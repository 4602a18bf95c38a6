//! Squares of four of six coordinates, for powers by public exponents with few digits.
//!
//! * **computes** `x^(2^n)` for several n: all squares without two coordinates, which are restored where a power is needed.
//! * **needs** x in the cyclotomic subgroup of the target, of degree 12; resting coordinates.
//! * **gives** resting coordinates. For x = 0, which is no such element, the powers are 1.
//! * **cost** 6S over the field of the twist for each square, where all coordinates take 9S; 3S + 7M for each power that
//!   is restored, and one inverse for all.
//! * **source** Karabina, "Squaring in cyclotomic subgroups" (2013).
//!
//! The third coordinate is a quotient, of one of two pairs: where the first denominator is 0, it is the other. Both are 0 for
//! x = 1 alone, whose powers are 1: the order of the subgroup is odd, so that one denominator is 0 where all are, and
//! the inverse of 0 is 0.

use std::cell::{OnceCell, RefCell};
use std::sync::Arc;

use evariste_ir::count::count;
use evariste_ir::range::Interval;
use evariste_ir::{Array, Builder, Kernel, View};
use num_bigint::{BigInt, BigUint};

use super::kernels::{Kernels, place_of_power};
use super::power::{self, Digit};
use super::setting::Setting;
use crate::prime::power::Callee;
use crate::signature::NotApplicable;
use crate::tower::{Means, room};

/// The powers of w whose coordinates are kept, and all but the one of `w⁰`.
const KEPT: [usize; 4] = [1, 2, 4, 5];
const BUT_FIRST: [usize; 5] = [1, 2, 3, 4, 5];

/// The kernels, and what is made of them as soon as a power asks for it.
pub(super) struct Compressed<'a> {
    setting: &'a Setting<'a>,
    parts: Parts,
    steps: Steps,
    restoring: OnceCell<Restoring<'a>>,
}

/// Formulas over the quadratic floor, its product and inverse; a test and a choice over the prime field.
struct Parts {
    square: Arc<Kernel>,
    quotient: Arc<Kernel>,
    quotient_of_zero: Arc<Kernel>,
    rest: Arc<Kernel>,
    mul: Arc<Kernel>,
    inverse: Arc<Kernel>,
    is_zero: Arc<Kernel>,
    select: Arc<Kernel>,
}

/// What is called, and room.
struct Restoring<'a> {
    setting: &'a Setting<'a>,
    square: Callee,
    quotient: Callee,
    quotient_of_zero: Callee,
    rest: Callee,
    mul: Callee,
    inverse: Callee,
    is_zero: Callee,
    select: Callee,
    /// The coordinates that are squared.
    four: Array,
    /// A fraction for a denominator of 0, the inverse of the product of denominators, one of a denominator, a flag.
    other: Array,
    inverted: Array,
    factor: Array,
    flag: Array,
    powers: RefCell<Vec<Power>>,
}

/// Room for a power: four coordinates, the third one as numerator and denominator, the product of denominators up to
/// this one, all but the first coordinate, and all.
#[derive(Clone, Copy)]
struct Power {
    four: Array,
    fraction: Array,
    product: Array,
    five: Array,
    all: Array,
}

/// What squares and restored powers take, in operations on words.
struct Steps {
    square: u64,
    restored: u64,
    inverse: u64,
}

/// What operations on whole values take.
#[derive(Clone, Copy)]
pub(super) struct Whole {
    pub square: u64,
    pub mul: u64,
}

impl Whole {
    fn power(self, exponent: &BigUint) -> u64 {
        let digits = power::signed_windows(exponent);
        let [squares, products] = power::operations(&digits);
        squares * self.square + products * self.mul
    }
}

/// An exponent as `above·2^top` and digits below.
pub(super) struct Split {
    /// Places from the lowest with their digits, −1 or 1.
    pub below: Vec<(u32, i32)>,
    pub top: u32,
    pub above: BigUint,
}

impl<'a> Compressed<'a> {
    pub fn new(setting: &'a Setting<'a>, kernels: &Kernels, means: Means) -> Result<Compressed<'a>, NotApplicable> {
        let parts = Parts {
            square: kernels.named("karabina")?,
            quotient: kernels.named("decompression-quotient")?,
            quotient_of_zero: kernels.named("decompression-quotient-of-zero")?,
            rest: kernels.named("decompression-rest")?,
            mul: kernels.quadratic_mul()?,
            inverse: kernels.quadratic_inverse(&means.more(0)?)?,
            is_zero: means.more(1)?,
            select: means.more(2)?,
        };
        let steps = |kernel: &Kernel| count(kernel).steps();
        let fraction = steps(&parts.quotient) + steps(&parts.quotient_of_zero);
        let steps = Steps {
            square: steps(&parts.square),
            // Three products for the inverse of a denominator, and one with it.
            restored: fraction + 4 * steps(&parts.mul) + steps(&parts.rest),
            inverse: steps(&parts.inverse),
        };
        Ok(Compressed { setting, parts, steps, restoring: OnceCell::new() })
    }

    /// The exponent split where its power takes fewest operations, if that is less than without.
    pub fn split(&self, whole: Whole, exponent: &BigUint) -> Option<Split> {
        let splits = (1..=2).flat_map(|w| splits(exponent, w));
        let cost = |split: &Split| {
            let powers = 1 + split.below.iter().filter(|(place, _)| *place > 0).count() as u64;
            let squares = u64::from(split.top) * self.steps.square + whole.power(&split.above);
            squares + powers * self.steps.restored + self.steps.inverse + split.below.len() as u64 * whole.mul
        };
        splits.min_by_key(cost).filter(|split| cost(split) < whole.power(exponent))
    }

    /// `x^(2^n)` for each of these n, which ascend.
    pub fn powers(&self, b: &mut Builder, x: Array, places: &[u32]) -> Vec<Array> {
        self.restoring.get_or_init(|| Restoring::new(b, self.setting, &self.parts)).powers(b, x, places)
    }
}

impl<'a> Restoring<'a> {
    fn new(b: &mut Builder, setting: &'a Setting<'a>, parts: &Parts) -> Restoring<'a> {
        let mut callee = |kernel: &Arc<Kernel>, name: &str| Callee::new(b, kernel.clone(), name);
        let square = callee(&parts.square, "compressed_square");
        let quotient = callee(&parts.quotient, "quotient");
        let quotient_of_zero = callee(&parts.quotient_of_zero, "quotient_of_zero");
        let rest = callee(&parts.rest, "rest");
        let mul = callee(&parts.mul, "quadratic_mul");
        let inverse = callee(&parts.inverse, "quadratic_inverse");
        let is_zero = callee(&parts.is_zero, "is_zero");
        let select = callee(&parts.select, "select");
        let mut room = |name: &str, elements: usize| room(b, setting.layout, name, 2 * elements);
        let (four, other) = (room("four", 4), room("other_fraction", 2));
        let (inverted, factor) = (room("inverted", 1), room("inverse_of_one", 1));
        let flag = b.local("is_other", 1, Interval::bits(1));
        let powers = RefCell::default();
        Restoring {
            setting,
            square,
            quotient,
            quotient_of_zero,
            rest,
            mul,
            inverse,
            is_zero,
            select,
            four,
            other,
            inverted,
            factor,
            flag,
            powers,
        }
    }

    fn rooms(&self, b: &mut Builder, count: usize) -> Vec<Power> {
        let mut all = self.powers.borrow_mut();
        while all.len() < count {
            let i = all.len();
            let room = |b: &mut Builder, name: &str, elements: usize| {
                room(b, self.setting.layout, &format!("{name}{i}"), 2 * elements)
            };
            all.push(Power {
                four: room(b, "four", 4),
                fraction: room(b, "fraction", 2),
                product: room(b, "product", 1),
                five: room(b, "five", 5),
                all: room(b, "restored", 6),
            });
        }
        all[..count].to_vec()
    }

    fn powers(&self, b: &mut Builder, x: Array, places: &[u32]) -> Vec<Array> {
        let all = self.rooms(b, places.len());
        (0..).zip(KEPT).for_each(|(i, power)| self.copy(b, (self.four, i), (x, place_of_power(power))));
        let mut done = 0;
        for (power, place) in all.iter().zip(places) {
            power::repeated(b, place - done, |b| self.square.call(b, self.four, &[self.four]));
            done = *place;
            (0..4).for_each(|i| self.copy(b, (power.four, i), (self.four, i)));
        }
        self.restore(b, &all);
        all.iter().map(|power| power.all).collect()
    }

    fn restore(&self, b: &mut Builder, all: &[Power]) {
        all.iter().for_each(|power| self.fraction(b, power));
        let denominator = |power: &Power| self.at(power.fraction, 1);
        for (i, power) in all.iter().enumerate() {
            match i.checked_sub(1) {
                None => self.copy(b, (power.product, 0), (power.fraction, 1)),
                Some(last) => {
                    let factors = [View::whole(all[last].product), denominator(power)];
                    self.mul.call_views(b, View::whole(power.product), &factors);
                }
            }
        }
        let Some(last) = all.last() else { return };
        let [inverted, factor] = [self.inverted, self.factor].map(View::whole);
        self.inverse.call(b, self.inverted, &[last.product]);
        for (i, power) in all.iter().enumerate().rev() {
            let inverse = match i.checked_sub(1) {
                None => inverted.clone(),
                Some(last) => {
                    self.mul.call_views(b, factor.clone(), &[inverted.clone(), View::whole(all[last].product)]);
                    self.mul.call_views(b, inverted.clone(), &[inverted.clone(), denominator(power)]);
                    factor.clone()
                }
            };
            self.mul.call_views(b, self.at(power.five, 2), &[self.at(power.fraction, 0), inverse]);
            for (to, from) in [(0, 0), (1, 1), (3, 2), (4, 3)] {
                self.copy(b, (power.five, to), (power.four, from));
            }
            self.rest.call_views(b, self.at(power.all, place_of_power(0)), &[View::whole(power.five)]);
            for (i, n) in (0..).zip(BUT_FIRST) {
                self.copy(b, (power.all, place_of_power(n)), (power.five, i));
            }
        }
    }

    /// The third coordinate as numerator and denominator.
    fn fraction(&self, b: &mut Builder, power: &Power) {
        self.quotient.call(b, power.fraction, &[power.four]);
        self.quotient_of_zero.call(b, self.other, &[power.four]);
        let mut is_zero = b.word_constant(1);
        for i in 0..2 {
            self.is_zero.call_views(b, View::whole(self.flag), &[self.coordinate(power.four, i)]);
            let is = b.load(self.flag, 0u32);
            is_zero = b.and(is_zero, is);
        }
        b.store(self.flag, 0u32, is_zero);
        for i in 0..4 {
            let [to, other] = [power.fraction, self.other].map(|array| self.coordinate(array, i));
            self.select.call_views(b, to.clone(), &[View::whole(self.flag), to, other]);
        }
    }

    /// A coordinate over the prime field, and those behind it.
    fn coordinate(&self, array: Array, i: u32) -> View {
        View::from(array, i * self.setting.layout.digits() as u32)
    }

    /// An element of the quadratic floor, and those behind it.
    fn at(&self, array: Array, i: u32) -> View {
        self.coordinate(array, 2 * i)
    }

    fn copy(&self, b: &mut Builder, (to, at): (Array, u32), (from, source): (Array, u32)) {
        self.setting.copy(b, (to, 2 * at), (from, 2 * source), 2);
    }
}

/// An exponent split at each of its digits of window w, 1 or 2, but the lowest place.
fn splits(exponent: &BigUint, w: u32) -> Vec<Split> {
    let mut place = 0;
    let mut digits: Vec<(u32, i32)> = Vec::new();
    for Digit { odd, below } in power::digits(exponent, w).into_iter().rev() {
        place += below;
        digits.push((place, odd));
    }
    let split = |(i, (top, _)): (usize, &(u32, i32))| {
        let below = digits[..i].to_vec();
        let low: BigInt = below.iter().map(|(place, digit)| BigInt::from(*digit) << *place).sum();
        let above = (BigInt::from(exponent.clone()) - low) >> *top;
        Some(Split { below, top: *top, above: above.to_biguint()? })
    };
    digits.iter().enumerate().filter(|(_, (top, _))| *top > 0).filter_map(split).collect()
}
