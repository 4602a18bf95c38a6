//! Multiples of the base point by a table of constants for each digit: no doublings.
//!
//! * **computes** `k·G` for the base point G.
//! * **needs** a curve over a prime field with sums without exceptions for the last step; G of odd order `n > 2^(w−1)`; k
//!   below `2^bits`, in words.
//! * **gives** the coordinates of the multiple.
//! * **cost** of bits/w + 1 digits: a scan of `2^(w−1)` constant affine points, an addition of 8M + 3S and two choices; once
//!   the way back from Jacobian coordinates, and a sum without exceptions. The tables hold bits/w + 1 times
//!   `2^(w−1)` affine points, in 160 KiB at most. Time and addresses do not depend on k.
//! * **source** Brickell, Gordon, McCurley, Wilson (1992); Gueron, Krasnov, "Fast prime field elliptic-curve cryptography with 256-bit
//!   primes" (2013) for the tables; Joye, Tunstall (2009) for the digits around 0; the argument below.
//!
//! **Why the sums meet no exception.** With h = 2^(w−1) let `k = Σ d_j 2^(wj)`, `−h ≤ d_j ≤ h`. Digits are added from the
//! lowest on, so before digit j the sum is `s·G` with `s = Σ_(i<j) d_i 2^(wi)`, `|s| ≤ h·(2^(wj) − 1)/(2^w − 1) < 2^(wj)`.
//! If digit j is 0 the sum stays. Otherwise `t = d_j·2^(wj)` is at least `2^(wj)` and at most `h·2^(wj)` in size, so s, s − t and s + t
//! are 0 only if s is, which is so only if all digits so far were 0: the highest of those that are not outweighs the
//! others. Then the sum is the point that was looked up. As long as `|s| + |t| < n`, what is not 0 is not 0 modulo n
//! either, and as G has the order n neither is `s·G` neutral nor is it `± t·G`. For the last digits, one or two, that bound does not
//! hold, and they are added without exceptions. No entry of a table is neutral: `d·2^(wj)` for 0 < d ≤ h < n
//! is no multiple of n, which is odd.
//! The highest digit is at most `2^(bits − wj)`, or 1 where that is less than 1: what lies below it says less than `2/3·2^(wj)`.
//!
//! What a step does is proved; that the steps give `k·G` is tested, on every scalar of toy curves and by vectors.

use std::sync::Arc;

use evariste_descriptions::{Curve, Field, Point, Structure};
use evariste_ir::range::Interval;
use evariste_ir::{Array, Builder, Claim, Contract, Index, Kernel, Value, View};
use num_bigint::{BigInt, BigUint};
use num_traits::One;

use super::comb::base;
use super::jacobian::{self, Jacobian};
use super::look_ups::{further, points, table_of};
use super::multiple::{has_base, has_points};
use super::select::choice;
use super::setting::{curve_of, over_prime, scalar_bits};
use super::words::truth;
use super::{coordinates, digits};
use crate::layout::Layout;
use crate::lowering::Element;
use crate::operation::Operation;
use crate::prime::power::Callee;
use crate::prime::representation::kernel_name;
use crate::recipe::{Composite, Need, Pick};
use crate::signature::NotApplicable;

/// The operations that multiples of the base point are made of.
const NEEDS: &[Need] = &[
    Need::new(Operation::ADD, Pick::First),
    Need::new(Operation::SELECTZNZ, Pick::First),
    Need::ground(Operation::MUL),
    Need::ground(Operation::SQUARE),
    Need::ground(Operation::ADD),
    Need::ground(Operation::SUB),
    Need::ground(Operation::OPP),
    Need::ground(Operation::SELECTZNZ),
    Need::ground(Operation::IS_ZERO),
];

/// Multiples of the base point by digits of several widths: of the file's own `NEEDS`, `applies` and `write`.
macro_rules! by_width {
    ($($constant:ident $name:literal $w:literal;)+) => {
        $(
            #[doc = concat!("Multiples of the base point with digits of ", stringify!($w), " bits.")]
            pub const $constant: Composite = Composite {
                name: $name,
                applies: |f, l, op| applies(f, l, op, $w),
                needs: NEEDS,
                write: |f, l, op, parts| write(f, l, &kernel_name(op, $name), $w, parts),
            };
        )+
    };
}
pub(super) use by_width;

by_width! {
    FOUR "windows-of-the-base-4" 4;
    FIVE "windows-of-the-base-5" 5;
    SIX "windows-of-the-base-6" 6;
    SEVEN "windows-of-the-base-7" 7;
}

/// Bytes that tables may take: those of 256 bits with digits of seven, which stay in a second cache.
const MOST_BYTES: u32 = 160 << 10;

/// Is it a multiple of the base point of a curve whose points have coordinates in that layout?
pub(super) fn is_of_base(field: &Field, layout: &Layout, operation: &Operation) -> bool {
    *operation == Operation::MUL_BASE && has_points(field, layout) && has_base(field)
}

/// Are there Jacobian coordinates, is the base point's order large enough beside a digit, and are the tables not too long?
fn applies(field: &Field, layout: &Layout, operation: &Operation, w: u32) -> bool {
    if !is_of_base(field, layout, operation) {
        return false;
    }
    let Some((curve, _)) = over_prime(field).ok().filter(|_| jacobian::formula(field).is_some()) else { return false };
    let serves = |digits: Digits| digits.without_exceptions > 0 && digits.fit(layout, 2);
    curve.order.as_ref().is_some_and(|n| n.bit(0) && serves(Digits::new(curve, w, n)))
}

/// Which digits a scalar has.
pub(super) struct Digits {
    pub bits: u32,
    pub w: u32,
    pub count: u32,
    /// How many of the lowest are added where no exception can be.
    without_exceptions: u32,
}

impl Digits {
    /// Of w bits each, for a base point of order n.
    fn new(curve: &Curve, w: u32, n: &BigUint) -> Digits {
        let all = Digits::of(scalar_bits(curve), w);
        let power = |e: u32| BigUint::one() << e;
        let most = |j: &u32| {
            let below = power(w - 1) * (power(w * j) - 1u32) / (power(w) - 1u32);
            power(w - 1 + w * j) + below
        };
        let without_exceptions = (0..all.count - 1).take_while(|j| most(j) < *n).count() as u32;
        Digits { without_exceptions, ..all }
    }

    /// Of w bits each, of a scalar of so many bits, where sums have no exceptions.
    pub fn of(bits: u32, w: u32) -> Digits {
        Digits { bits, w, count: digits::count(bits, w), without_exceptions: 0 }
    }

    /// The largest size of a digit: so many points there are for it.
    pub fn entries(&self, j: u32) -> u32 {
        let largest = 1u32 << (self.w - 1);
        if j + 1 < self.count {
            return largest;
        }
        let left = self.bits.saturating_sub(self.w * j);
        if left < self.w { largest.min(1 << left) } else { largest }
    }

    /// Do tables of such points fit into [`MOST_BYTES`]?
    pub fn fit(&self, layout: &Layout, coordinates: usize) -> bool {
        let points: u32 = (0..self.count).map(|j| self.entries(j)).sum();
        points * (coordinates * layout.digits()) as u32 * layout.word.div_ceil(8) <= MOST_BYTES
    }

    /// The points of all digits, 1 to so many times `2^(wj)·G` for digit j.
    pub fn points(&self, field: &Field) -> Result<Vec<Point>, NotApplicable> {
        let curve = curve_of(field)?.0;
        let (mut all, mut first) = (Vec::new(), base(field)?);
        for j in 0..self.count {
            let mut point = first.clone();
            for _ in 0..self.entries(j) {
                let next = curve.equation.add(&point, &first);
                all.push(std::mem::replace(&mut point, next));
            }
            first = curve.equation.scale(&(BigUint::one() << self.w), &first);
        }
        Ok(all)
    }
}

/// The choice of an entry of a table by the size of a digit. All are read, and one is kept without a branch.
pub(super) struct Scan {
    pick: Callee,
    /// 1, 2, …
    numbers: Array,
    /// Is it this one?
    is: Array,
    /// Words of an entry.
    pub size: u32,
    w: u32,
}

impl Scan {
    /// Of entries of so many coordinates.
    pub fn new(b: &mut Builder, layout: &Layout, coordinates: usize, w: u32) -> Scan {
        Scan {
            pick: Callee::new(b, Arc::new(choice("pick", layout, coordinates)), "pick"),
            numbers: b.table("numbers", (1..=1u32 << (w - 1)).map(BigInt::from).collect()),
            is: b.local("is", 1, Interval::bits(1)),
            size: (coordinates * layout.digits()) as u32,
            w,
        }
    }

    /// Is the digit negative, and its size.
    pub fn digit(&self, b: &mut Builder, digits: Array, at: &Index) -> (Value, Value) {
        let e = b.load(digits, at.clone());
        let middle = b.word_constant(1u32 << (self.w - 1));
        let is_negative = b.less(e, middle);
        let (above, below) = (b.wrapping_sub(e, middle), b.wrapping_sub(middle, e));
        (is_negative, b.select(is_negative, below, above))
    }

    /// The entry whose number the size is, from `first` on; what was chosen before where it is none of these. Entry 1 is at the
    /// table's start.
    pub fn pick(&self, b: &mut Builder, table: &View, [first, last]: [u32; 2], magnitude: Value, chosen: &View) {
        if first > last {
            return;
        }
        let before = i64::from(first) - 1;
        b.repeat(last + 1 - first, &[], |b, i, _| {
            let number = b.load(self.numbers, Index::at(before).plus(i, 1));
            let is = b.equal(magnitude, number);
            note(b, is, self.is);
            let size = i64::from(self.size);
            let entry = View { start: further(&table.start, before * size).plus(i, size), ..table.clone() };
            self.pick.call_views(b, chosen.clone(), &[View::whole(self.is), chosen.clone(), entry]);
            Vec::new()
        });
    }
}

/// Writes down whether something is so.
pub(super) fn note(b: &mut Builder, mask: Value, to: Array) {
    let flag = truth(b, mask);
    b.store(to, 0u32, flag);
}

/// Copies so many words.
pub(super) fn copy(b: &mut Builder, words: u32, from: &View, to: &View) {
    for i in 0..i64::from(words) {
        let digit = b.load(from.array, further(&from.start, i));
        b.store(to.array, further(&to.start, i), digit);
    }
}

/// What sums are computed with.
struct Sums {
    jacobian: Jacobian,
    mixed: Callee,
    complete: Callee,
    scan: Scan,
    choose: Callee,
    opp: Callee,
    choose_coordinate: Callee,
    digits: u32,
    /// Is the digit negative? Are all digits so far 0? Is this one?
    sign: Array,
    first: Array,
    none: Array,
    /// Is 0 while all digits were 0.
    seen: Array,
    opposite: Array,
    /// The point that was looked up, with 1 as its third coordinate.
    chosen: Array,
    total: Array,
    sum: Array,
    neutral: Array,
    one: Array,
}

impl Sums {
    /// From the kernels of [`NEEDS`].
    fn new(
        b: &mut Builder,
        field: &Field,
        layout: &Layout,
        parts: &[Arc<Kernel>],
        w: u32,
    ) -> Result<Sums, NotApplicable> {
        let (curve, modulus) = curve_of(field)?;
        let [complete, choose, ground @ ..] = parts else { return Err(NotApplicable("a part is missing".into())) };
        let [.., opp, choose_coordinate, _] = ground else { return Err(NotApplicable("a part is missing".into())) };
        let jacobian = Jacobian::new(b, field, layout, ground)?;
        let mixed = jacobian.mixed_sum(b, field, layout)?;
        let callee = |b: &mut Builder, kernel: &Arc<Kernel>, name: &str| Callee::new(b, kernel.clone(), name);
        let [sign, first, none] =
            ["sign", "nothing_before", "digit_is_0"].map(|name| b.local(name, 1, Interval::bits(1)));
        Ok(Sums {
            jacobian,
            mixed,
            complete: callee(b, complete, "add"),
            scan: Scan::new(b, layout, 2, w),
            choose: callee(b, choose, "choose"),
            opp: callee(b, opp, "opp"),
            choose_coordinate: callee(b, choose_coordinate, "choose_coordinate"),
            digits: layout.digits() as u32,
            sign,
            first,
            none,
            seen: b.local("seen", 1, Interval::bits(layout.word)),
            opposite: points(b, layout, "opposite", 1, 1),
            chosen: points(b, layout, "chosen", 3, 1),
            total: points(b, layout, "total", 3, 1),
            sum: points(b, layout, "sum", 3, 1),
            neutral: table_of(b, "neutral", &coordinates::of(curve, &curve.zero()), modulus, layout),
            one: table_of(b, "one", &[BigUint::one()], modulus, layout),
        })
    }

    /// Coordinates of an array, from the i-th on.
    fn part(&self, array: Array, i: u32) -> View {
        View::from(array, i * self.digits)
    }

    /// Copies so many coordinates.
    fn copy(&self, b: &mut Builder, count: u32, from: &View, to: &View) {
        copy(b, count * self.digits, from, to);
    }

    /// The multiple that a digit says, of so many from that place of the table on. For the digit 0 it is one of them.
    fn look_up(&self, b: &mut Builder, table: &View, count: u32, digits: Array, at: &Index) {
        let (is_negative, magnitude) = self.scan.digit(b, digits, at);
        let chosen = View::whole(self.chosen);
        self.copy(b, 2, table, &chosen);
        self.scan.pick(b, table, [2, count], magnitude, &chosen);
        let (y, opposite) = (self.part(self.chosen, 1), View::whole(self.opposite));
        self.opp.call_views(b, opposite.clone(), std::slice::from_ref(&y));
        note(b, is_negative, self.sign);
        self.choose_coordinate.call_views(b, y.clone(), &[View::whole(self.sign), y, opposite]);
        let seen = b.load(self.seen, 0u32);
        let zero = b.word_constant(0);
        for (of, to) in [(seen, self.first), (magnitude, self.none)] {
            let is = b.equal(of, zero);
            note(b, is, to);
        }
        let seen = b.or(seen, magnitude);
        b.store(self.seen, 0u32, seen);
    }

    /// Adds what was looked up, where no exception is but a 0.
    fn add(&self, b: &mut Builder) {
        let [sum, chosen, total, first, none] =
            [self.sum, self.chosen, self.total, self.first, self.none].map(View::whole);
        self.mixed.call_views(b, total.clone(), &[sum.clone(), chosen.clone()]);
        self.choose.call_views(b, total.clone(), &[first, total.clone(), chosen]);
        self.choose.call_views(b, sum.clone(), &[none, total, sum]);
    }

    /// Adds it to a projective sum, whatever it is.
    fn add_any(&self, b: &mut Builder) {
        let [sum, chosen, total] = [self.sum, self.chosen, self.total].map(View::whole);
        self.copy(b, 3, &View::whole(self.neutral), &total);
        self.choose.call_views(b, total.clone(), &[View::whole(self.none), chosen, total.clone()]);
        self.complete.call_views(b, sum.clone(), &[sum, total]);
    }

    /// Gives the sum.
    fn give(&self, b: &mut Builder, layout: &Layout, out: &Element) -> Vec<Claim> {
        self.copy(b, 3, &View::whole(self.sum), &View::whole(out.array));
        let step = |output| Claim::Step { output, name: "windows_of_the_base".into() };
        out.numbered(layout).into_iter().map(step).collect()
    }
}

fn write(field: &Field, layout: &Layout, name: &str, w: u32, parts: &[Arc<Kernel>]) -> Result<Kernel, NotApplicable> {
    let (curve, modulus) = curve_of(field)?;
    let order = curve.order.as_ref().ok_or_else(|| NotApplicable("nobody knows the base point's order".into()))?;
    let plan = Digits::new(curve, w, order);
    let mut builder = Builder::new(name, layout.word);
    let b = &mut builder;
    let out = Element::output(b, layout, "out", 3);
    let (k, scalar) = digits::scalar(b, "k", plan.bits);
    let recode = Callee::new(b, Arc::new(digits::around_zero(layout, plan.bits, w)?), "recode");
    let points: Option<Vec<[BigUint; 2]>> = plan.points(field)?.into_iter().map(|point| Some(point?.into())).collect();
    let points = points.ok_or_else(|| NotApplicable("an entry is the neutral element".into()))?;
    let table = table_of(b, "multiples", &points.concat(), modulus, layout);
    let sums = Sums::new(b, field, layout, parts, w)?;
    let all = b.local("digits", plan.count, Interval::bits(w));
    recode.call(b, all, &[k]);
    let zero = b.word_constant(0);
    b.store(sums.seen, 0u32, zero);
    sums.copy(b, 3, &View::whole(sums.neutral), &View::whole(sums.sum));
    sums.copy(b, 1, &View::whole(sums.one), &sums.part(sums.chosen, 2));
    let size = (1u32 << (w - 1)) * sums.scan.size;
    b.repeat(plan.without_exceptions, &[], |b, j, _| {
        let one = View::from(table, Index::at(0).plus(j, i64::from(size)));
        sums.look_up(b, &one, 1 << (w - 1), all, &Index::counter(j));
        sums.add(b);
        Vec::new()
    });
    let (sum, total) = (View::whole(sums.sum), View::whole(sums.total));
    sums.jacobian.leave(b, &total, &sum);
    sums.copy(b, 3, &total, &sum);
    for j in plan.without_exceptions..plan.count {
        let one = View::from(table, j * size);
        sums.look_up(b, &one, plan.entries(j), all, &Index::at(i64::from(j)));
        sums.add_any(b);
    }
    let claims = sums.give(b, layout, &out);
    Ok(builder.finish(Contract { facts: Vec::new(), inputs: vec![scalar], claims }))
}
