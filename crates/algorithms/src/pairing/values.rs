//! Computing with values of a pairing: calls on arrays of their coordinates.

use std::cell::RefCell;

use evariste_ir::count::count;
use evariste_ir::{Array, Builder};
use num_bigint::BigUint;

use super::compressed::{Compressed, Whole};
use super::kernels::Kernels;
use super::power::{self, Digit};
use super::setting::{Setting, Way};
use crate::prime::power::Callee;
use crate::signature::NotApplicable;
use crate::tower::{Means, room};

/// What is called, and room.
pub(super) struct Values<'a> {
    setting: &'a Setting<'a>,
    mul: Callee,
    square: Callee,
    /// Powers of the Frobenius map, from the first.
    frobenius: Vec<Callee>,
    conjugate: Callee,
    copy: Callee,
    /// Squares of fewer coordinates, where the target has them.
    compressed: Option<Compressed<'a>>,
    /// What squares and products take.
    whole: Whole,
    /// A power and a factor in the making.
    scratch: [Array; 2],
    /// Odd powers, as many as any exponent has asked for.
    odd: RefCell<Vec<Array>>,
}

impl<'a> Values<'a> {
    /// Products, squares of the cyclotomic subgroup, and powers of the Frobenius map: none is a copy, half of them
    /// conjugate.
    pub fn new(
        b: &mut Builder,
        setting: &'a Setting<'a>,
        kernels: &Kernels,
        means: Means,
    ) -> Result<Values<'a>, NotApplicable> {
        let size = setting.target().degree();
        let half = size as u32 / 2;
        let (mul, square) = (kernels.mul()?, kernels.cyclotomic_square()?);
        let whole = Whole { square: count(&square).steps(), mul: count(&mul).steps() };
        let compressed = match setting.family.way() {
            Way::OptimalAte => Some(Compressed::new(setting, kernels, means)?),
            Way::Tate => None,
        };
        let frobenius = (1..half.min(4)).map(|n| Ok(Callee::new(b, kernels.frobenius(n)?, "frobenius")));
        let frobenius = frobenius.collect::<Result<_, NotApplicable>>()?;
        Ok(Values {
            setting,
            mul: Callee::new(b, mul, "mul"),
            square: Callee::new(b, square, "cyclotomic_square"),
            frobenius,
            conjugate: Callee::new(b, kernels.frobenius(half)?, "conjugate"),
            copy: Callee::new(b, kernels.frobenius(0)?, "copy"),
            compressed,
            whole,
            scratch: ["power", "factor"].map(|name| room(b, setting.layout, name, size)),
            odd: RefCell::default(),
        })
    }

    /// Room for a value.
    pub fn room(&self, b: &mut Builder, name: &str) -> Array {
        room(b, self.setting.layout, name, self.setting.target().degree())
    }

    /// Copies a value.
    pub fn copy(&self, b: &mut Builder, to: Array, from: Array) {
        self.copy.call(b, to, &[from]);
    }

    /// `to = x·y`.
    pub fn mul(&self, b: &mut Builder, to: Array, x: Array, y: Array) {
        self.mul.call(b, to, &[x, y]);
    }

    /// `to = x²`, in the cyclotomic subgroup.
    pub fn square(&self, b: &mut Builder, to: Array, x: Array) {
        self.square.call(b, to, &[x]);
    }

    /// `to = x^(p^n)`, n of 1 to 3 and below half the degree.
    pub fn frobenius(&self, b: &mut Builder, n: usize, to: Array, x: Array) {
        self.frobenius[n - 1].call(b, to, &[x]);
    }

    /// `to = x^(p^(k/2))` for the degree k: in the cyclotomic subgroup the inverse.
    pub fn conjugate(&self, b: &mut Builder, to: Array, x: Array) {
        self.conjugate.call(b, to, &[x]);
    }

    fn odd_powers(&self, b: &mut Builder, count: usize) -> Vec<Array> {
        let mut all = self.odd.borrow_mut();
        while all.len() < count {
            let name = format!("odd{}", 2 * all.len() + 1);
            all.push(self.room(b, &name));
        }
        all[..count].to_vec()
    }

    /// `to = x^exponent` in the cyclotomic subgroup, for a public exponent; `to` may be x.
    pub fn power(&self, b: &mut Builder, to: Array, x: Array, exponent: &BigUint) {
        let compressed = self.compressed.as_ref();
        let split = compressed.and_then(|compressed| Some((compressed, compressed.split(self.whole, exponent)?)));
        let [power, _] = self.scratch;
        match split {
            None => self.windows(b, x, exponent),
            Some((compressed, split)) => {
                let below = split.below.iter().map(|(place, _)| *place).filter(|place| *place > 0);
                let places: Vec<u32> = below.chain([split.top]).collect();
                let powers = compressed.powers(b, x, &places);
                let power_of = |place: u32| places.iter().position(|p| *p == place).map_or(x, |i| powers[i]);
                self.windows(b, power_of(split.top), &split.above);
                split.below.iter().for_each(|(place, digit)| self.by(b, power, power_of(*place), *digit < 0));
            }
        }
        self.copy(b, to, power);
    }

    /// `to = to·x`, or `to/x`, in the cyclotomic subgroup.
    fn by(&self, b: &mut Builder, to: Array, x: Array, inverted: bool) {
        let [_, factor] = self.scratch;
        if inverted {
            self.conjugate(b, factor, x);
        }
        self.mul(b, to, to, if inverted { factor } else { x });
    }

    /// A power by windows, left in its room.
    fn windows(&self, b: &mut Builder, x: Array, exponent: &BigUint) {
        let digits = power::signed_windows(exponent);
        let largest = digits.iter().map(|digit| digit.odd.unsigned_abs()).max().unwrap_or(1);
        let [sum, _] = self.scratch;
        // x, x³, x⁵, …
        let odd = self.odd_powers(b, largest as usize / 2 + 1);
        self.copy(b, odd[0], x);
        if largest > 1 {
            self.square(b, sum, x);
        }
        odd.windows(2).for_each(|pair| self.mul(b, pair[1], pair[0], sum));
        for (i, Digit { odd: digit, below }) in digits.iter().enumerate() {
            let from = odd[digit.unsigned_abs() as usize / 2];
            match i {
                0 => self.copy(b, sum, from),
                _ => self.by(b, sum, from, *digit < 0),
            }
            power::repeated(b, *below, |b| self.square(b, sum, sum));
        }
    }
}
