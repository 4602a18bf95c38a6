//! Ranges: how large numbers may become, and the multiples of p that keep differences from going below zero.

use std::cell::RefCell;
use std::collections::HashMap;

use evariste_descriptions::Modulus;
use evariste_ir::range::pow2;
use num_bigint::BigInt;
use num_traits::{One, Zero};

use super::form::{self, Size};
use super::steps::{Combination, How, Sum};
use crate::lanes::fold_top::SumFold;
use crate::layout::Layout;
use crate::reduction::carry_pass::digits_at;

/// The greatest values of numbers in a layout.
pub(super) struct Limits<'a> {
    modulus: &'a Modulus,
    layout: &'a Layout,
    /// p
    pub p: BigInt,
    /// The factor `2^r` of Montgomery form.
    factor: BigInt,
    /// What elements rest at.
    pub resting: BigInt,
    /// What the field's products take.
    pub loose: BigInt,
    /// What n digits hold.
    single: Size,
    /// What a reduction brings to rest with the fewest corrections.
    pub double: Size,
    /// What 2n digits hold.
    most: Size,
    /// Sizes of products and of squares, by the greatest factor.
    products: RefCell<HashMap<(BigInt, bool), Size>>,
    /// Of how many elements sums rest after one fold.
    folds: RefCell<HashMap<(usize, usize), bool>>,
}

impl<'a> Limits<'a> {
    pub fn new(modulus: &'a Modulus, layout: &'a Layout) -> Limits<'a> {
        let [double, most] = form::reduced(modulus, layout);
        Limits {
            modulus,
            layout,
            p: BigInt::from(modulus.value.clone()),
            factor: layout.factor(),
            resting: layout.resting.bound.clone(),
            loose: layout.loose.bound.clone(),
            single: Size::of(form::capacity(layout)),
            double,
            most,
            products: RefCell::default(),
            folds: RefCell::default(),
        }
    }

    /// What a product, or a formula that is called, takes for a factor up to that one: in lanes, where a longer factor
    /// costs nothing, one of few sizes.
    pub fn operand(&self, bound: &BigInt) -> BigInt {
        if self.has_columns() { self.size(false, &Size::of(bound.clone())).bound } else { bound.clone() }
    }

    /// The size of a product of two numbers up to that one, or of a square.
    pub fn product(&self, greatest: &BigInt, square: bool) -> Size {
        let key = (greatest.clone(), square);
        let new = || form::product(self.layout, greatest, square);
        self.products.borrow_mut().entry(key).or_insert_with(new).clone()
    }

    /// A sum of numbers up to these, plain where the range allows. `None`: it leaves the digits.
    pub fn sum(&self, wide: bool, a: &Size, b: &Size) -> Option<Sum> {
        let plain = |a: &Size, b: &Size| Sum { wide, a: a.clone(), b: b.clone(), how: How::Plain };
        self.first_that_fits(wide, a, b, plain).or_else(|| {
            // The multiple that has no low words.
            let how = How::Corrected(&self.p * &self.factor);
            self.longest(wide, a, b, how).filter(|sum| sum.a.plus(&sum.b).is_within(&self.most))
        })
    }

    /// A difference, as [`Limits::sum`].
    pub fn difference(&self, wide: bool, a: &Size, b: &Size) -> Option<Sum> {
        let biased =
            |a: &Size, b: &Size| Sum { wide, a: a.clone(), b: b.clone(), how: How::Biased(self.multiple(wide, b)) };
        self.first_that_fits(wide, a, b, biased)
            .or_else(|| self.longest(wide, a, b, How::Masked(&self.p * &self.factor)))
    }

    /// Does a sum of so many resting elements, less so many others, rest after one fold? In lanes.
    pub fn rests(&self, added: usize, subtracted: usize) -> bool {
        let key = (added, subtracted);
        let new = || SumFold::new(self.modulus, self.layout, added, subtracted).is_some();
        *self.folds.borrow_mut().entry(key).or_insert_with(new)
    }

    /// Are whole numbers columns, which carry nothing?
    pub fn has_columns(&self) -> bool {
        self.layout.radix.is_some()
    }

    /// A sum of columns with the multiple of p that it needs; of terms of few sizes where `alike`, which few kernels have.
    pub fn combination(&self, terms: Vec<(Size, bool)>, alike: bool) -> Combination {
        let size = |size: Size| if alike { size.rounded() } else { size };
        let sum =
            Combination { terms: terms.into_iter().map(|(own, minus)| (size(own), minus)).collect(), cover: None };
        let cover = sum.part(true).map(|least| self.cover(true, &least));
        Combination { cover, ..sum }
    }

    /// What fits of a sum: for numbers of some sizes that few kernels have, or of these alone.
    fn first_that_fits(&self, wide: bool, a: &Size, b: &Size, sum: impl Fn(&Size, &Size) -> Sum) -> Option<Sum> {
        let fits = |sum: &Sum| sum.size().is_within(self.limit(wide));
        if wide && self.has_columns() {
            // They become parts of longer sums.
            return Some(sum(a, b)).filter(fits);
        }
        [sum(&self.size(wide, a), &self.size(wide, b)), sum(a, b)].into_iter().find(fits)
    }

    /// One kernel for all numbers that reductions take. Columns are compared with nothing.
    fn longest(&self, wide: bool, a: &Size, b: &Size, how: How) -> Option<Sum> {
        let sum = Sum { wide, a: self.double.clone(), b: self.double.clone(), how };
        let fits = a.is_within(&sum.a) && b.is_within(&sum.b) && sum.size().is_within(&self.double);
        (wide && !self.has_columns() && fits).then_some(sum)
    }

    /// The size of a number: the least `2^k·p²`; of one length a multiple of p, in lanes `2^k` times an element at rest.
    /// Never beyond a limit that it keeps.
    fn size(&self, wide: bool, size: &Size) -> Size {
        let up = if !wide && self.has_columns() {
            let up = (0..).map(|k: u32| ((&self.resting + 1u32) << k) - 1u32).find(|up| *up >= size.bound);
            Size::of(up.unwrap_or_default())
        } else if !wide {
            Size::of((&size.bound / &self.p + 1u32) * &self.p - 1u32)
        } else {
            let square: BigInt = &self.p * &self.p;
            let up = (0..).map(|k: u32| &square << k).find(|up| *up > size.bound);
            Size::of(up.unwrap_or_default() - 1u32)
        };
        let limit = self.limit(wide);
        if !up.is_within(limit) && size.is_within(limit) { limit.clone() } else { up }
    }

    /// The greatest number of n digits, or of 2n.
    pub fn limit(&self, wide: bool) -> &Size {
        if wide { &self.double } else { &self.single }
    }

    /// A multiple of p that is no less: the least one of n words; of 2n words one of few bits above low words of zeros;
    /// in lanes one in digits none of which is less.
    fn multiple(&self, wide: bool, least: &Size) -> Size {
        if self.has_columns() {
            return self.cover(wide, least);
        }
        let times = (&least.bound + &self.p - 1u32) / &self.p;
        let shift = if wide { (times.bits() as u32).saturating_sub(4) } else { 0 };
        let rounded = ((&times + pow2(shift) - 1u32) >> shift) << shift;
        Size::of(if rounded.is_zero() { self.p.clone() } else { rounded * &self.p })
    }

    /// The least multiple of p in digits that are no less than those of a number: theirs, and what is missing.
    fn cover(&self, wide: bool, least: &Size) -> Size {
        let weights = form::weights(self.layout, wide);
        let single = || {
            let bounds = self.layout.up_to(&least.bound);
            let digit: BigInt = pow2(form::radix(self.layout)) - BigInt::one();
            bounds.digit_max.into_iter().map(|most| most.min(digit.clone())).collect::<Vec<_>>()
        };
        let digits = if wide { least.columns.clone() } else { single() };
        let sum: BigInt = digits.iter().zip(&weights).map(|(d, w)| d << *w).sum();
        let missing = (&self.p - &sum % &self.p) % &self.p;
        let columns = digits.iter().zip(digits_at(&missing, &weights)).map(|(d, more)| d + more).collect();
        Size { bound: sum + missing, columns }
    }
}
