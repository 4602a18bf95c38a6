//! Tables of multiples of a point, and the choice of one by a digit of the scalar.
//!
//! * **computes** the multiples 0 to `2^(w−1)` of a point; of a table the multiple `(e − 2^(w−1))·P` for a digit e.
//! * **needs** points in resting coordinates; the operations of points as kernels.
//! * **gives** resting coordinates.
//! * **cost** an addition for each multiple; of a look-up a choice for each entry, an opposite and a choice. All entries
//!   are read, and one is kept without a branch: time and addresses do not depend on the digit.
//! * **source** Joye, Tunstall, "Exponent recoding and regular exponentiation algorithms" (2009).

use std::sync::Arc;

use evariste_descriptions::Modulus;
use evariste_ir::range::Interval;
use evariste_ir::{Array, ArrayKind, Builder, Claim, Index, Kernel, Value, View};
use num_bigint::{BigInt, BigUint};

use super::words::truth;
use crate::layout::Layout;
use crate::lowering::{Element, digits_of};
use crate::prime::power::Callee;

/// What steps call, and what they work on.
pub(super) struct Steps<'a> {
    pub layout: &'a Layout,
    /// Digits of a point.
    size: u32,
    /// Bits of a digit of the scalar.
    w: u32,
    add: Callee,
    opp: Callee,
    select: Callee,
    /// 1, 2, …
    numbers: Array,
    /// Is the multiple negative? Is it this one?
    sign: Array,
    is: Array,
    /// The multiple that was looked up, and its opposite.
    pub chosen: Array,
    opposite: Array,
    /// The sum so far.
    pub sum: Array,
}

impl<'a> Steps<'a> {
    /// Steps with digits of w bits, by the sum, the opposite and the choice of points of so many coordinates.
    pub fn new(
        b: &mut Builder,
        layout: &'a Layout,
        coordinates: usize,
        w: u32,
        [add, opp, select]: [&Arc<Kernel>; 3],
    ) -> Steps<'a> {
        let add = Callee::new(b, add.clone(), "add");
        let opp = Callee::new(b, opp.clone(), "opp");
        let select = Callee::new(b, select.clone(), "select");
        let numbers = b.table("numbers", (1..=1u32 << (w - 1)).map(BigInt::from).collect());
        let [sign, is] = ["sign", "is"].map(|name| b.local(name, 1, Interval::bits(1)));
        let [chosen, opposite, sum] = ["chosen", "opposite", "sum"].map(|name| points(b, layout, name, coordinates, 1));
        let size = (coordinates * layout.digits()) as u32;
        Steps { layout, size, w, add, opp, select, numbers, sign, is, chosen, opposite, sum }
    }

    /// Digits of a point.
    pub fn size(&self) -> u32 {
        self.size
    }

    /// Copies a point.
    pub fn copy(&self, b: &mut Builder, from: &View, to: &View) {
        for i in 0..i64::from(self.size) {
            let digit = b.load(from.array, further(&from.start, i));
            b.store(to.array, further(&to.start, i), digit);
        }
    }

    /// The multiples 0 to `2^(w−1)` of a point.
    pub fn multiples(&self, b: &mut Builder, neutral: Array, point: &View) -> Array {
        let last = 1u32 << (self.w - 1);
        let coordinates = self.size as usize / self.layout.digits();
        let table = points(b, self.layout, "multiples", coordinates, last + 1);
        self.copy(b, &View::whole(neutral), &View::whole(table));
        self.copy(b, point, &View::from(table, self.size));
        let size = i64::from(self.size);
        b.repeat(last - 1, &[], |b, i, _| {
            let entry = |j: i64| View::from(table, Index::at(j * size).plus(i, size));
            self.add.call_views(b, entry(2), &[entry(1), point.clone()]);
            Vec::new()
        });
        table
    }

    /// The images of all of a table's multiples.
    pub fn images(&self, b: &mut Builder, name: &str, table: Array, of: impl Fn(&mut Builder, &View, &View)) -> Array {
        let count = (1u32 << (self.w - 1)) + 1;
        let images = points(b, self.layout, name, self.size as usize / self.layout.digits(), count);
        b.repeat(count, &[], |b, i, _| {
            let entry = |array| View::from(array, Index::at(0).plus(i, i64::from(self.size)));
            of(b, &entry(images), &entry(table));
            Vec::new()
        });
        images
    }

    /// The multiple of the table that the digit at that index says, as `chosen`: `(e − 2^(w−1))·P`.
    pub fn look_up(&self, b: &mut Builder, table: &View, digits: Array, at: &Index) {
        self.scan(b, table, digits, at, &View::whole(self.chosen));
        self.turn(b, digits, at);
    }

    /// Is the digit negative, and its size?
    pub fn digit(&self, b: &mut Builder, digits: Array, at: &Index) -> (Value, Value) {
        let e = b.load(digits, at.clone());
        let middle = b.word_constant(1u32 << (self.w - 1));
        let is_negative = b.less(e, middle);
        let (above, below) = (b.wrapping_sub(e, middle), b.wrapping_sub(middle, e));
        (is_negative, b.select(is_negative, below, above))
    }

    /// The multiple of the table by the size of a digit.
    pub fn scan(&self, b: &mut Builder, table: &View, digits: Array, at: &Index, to: &View) {
        let (_, magnitude) = self.digit(b, digits, at);
        self.copy(b, table, to);
        let size = i64::from(self.size);
        b.repeat(1 << (self.w - 1), &[], |b, i, _| {
            let number = b.load(self.numbers, Index::counter(i));
            let is = b.equal(magnitude, number);
            let flag = truth(b, is);
            b.store(self.is, 0u32, flag);
            let entry = View { start: further(&table.start, size).plus(i, size), ..table.clone() };
            self.select.call_views(b, to.clone(), &[View::whole(self.is), to.clone(), entry]);
            Vec::new()
        });
    }

    /// `chosen` or its opposite, by the sign of a digit.
    pub fn turn(&self, b: &mut Builder, digits: Array, at: &Index) {
        let (is_negative, _) = self.digit(b, digits, at);
        let flag = truth(b, is_negative);
        b.store(self.sign, 0u32, flag);
        let [point, opposite] = [self.chosen, self.opposite].map(View::whole);
        self.opp.call_views(b, opposite.clone(), std::slice::from_ref(&point));
        self.select.call_views(b, point.clone(), &[View::whole(self.sign), point, opposite]);
    }

    /// Gives the sum; `name` is what the step is called.
    pub fn give(&self, b: &mut Builder, out: &Element, name: &str) -> Vec<Claim> {
        self.copy(b, &View::whole(self.sum), &View::whole(out.array));
        let step = |output| Claim::Step { output, name: name.into() };
        out.numbered(self.layout).into_iter().map(step).collect()
    }

    /// Adds the multiple that was looked up to the sum.
    pub fn add_chosen(&self, b: &mut Builder) {
        self.add.call(b, self.sum, &[self.sum, self.chosen]);
    }
}

/// A constant array of coordinates.
pub(super) fn table_of(
    b: &mut Builder,
    name: &str,
    coordinates: &[BigUint],
    modulus: &Modulus,
    layout: &Layout,
) -> Array {
    b.table(name, coordinates.iter().flat_map(|x| digits_of(x, &modulus.value, layout)).collect())
}

/// An index so many words further.
pub(super) fn further(index: &Index, words: i64) -> Index {
    Index { base: index.base + words, ..index.clone() }
}

/// An array for so many points.
pub(super) fn points(b: &mut Builder, layout: &Layout, name: &str, coordinates: usize, count: u32) -> Array {
    let one = || layout.resting.digit_max.iter().map(|d| Interval::up_to(d.clone()));
    let ranges = (0..coordinates * count as usize).flat_map(|_| one()).collect();
    let ty = b.word_type();
    b.array(name, ty, (coordinates * layout.digits()) as u32 * count, ArrayKind::Local, ranges)
}
