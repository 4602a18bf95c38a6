//! Multiples of points by windows, all but the last step in Jacobian coordinates.
//!
//! * **computes** `k·P`.
//! * **needs** a curve of prime order n over a prime field, with sums without exceptions for the last step, and
//!   `2^(bits − w) + 2^w < n`; k below `2^bits`, in words; P in resting coordinates.
//! * **gives** the coordinates of the multiple.
//! * **cost** of bits/w + 1 digits: w doublings, an addition of 12M + 4S, two choices and a scan of `2^(w−1)` points each; for the
//!   table half as many doublings and additions; once the ways to Jacobian coordinates and back, and a sum
//!   without exceptions. Time and addresses do not depend on k or P.
//! * **source** Joye, Tunstall (2009) for the digits around 0; Cohen, Miyaji, Ono (1998) for sums; the argument below.
//!
//! **Why the sums meet no exception.** With h = 2^(w−1) let `k = Σ d_i 2^(wi)`, `−h ≤ d_i < h`, and let
//! `A_i = d_i + 2^w·A_(i+1)` be what the digits from i on say, so that the sum holds `A_i·P`. The digits below i differ from 0 by
//! less than `2/3·2^(wi)` in all, since `h/(2^w − 1) ≤ 2/3`: so `k/2^(wi) − 2/3 < A_i < k/2^(wi) + 2/3`. A_i is therefore
//! never negative, and for i ≥ 1 at most `2^(bits − w)`. The step to A_i adds `d·P` to `a·P` with `a = 2^w·A_(i+1) =
//! A_i − d`. For i ≥ 1 the numbers a, a + d and a − d lie above −n and below n, for a ≤ `2^(bits − w)` + h. If P is not neutral
//! it has the order n, and `a·P` is neutral or ± `d·P` only if a, a − d or a + d is 0: that is if a = 0, or
//! d = 0 = a, since a is a multiple of 2^w and |d| ≤ h. Where a = 0, which the digits say and P does not, the sum is the
//! multiple that was looked up; where d = 0 it stays. The step to A_0 adds without exceptions. In the table `2j·P + P`
//! has 2j + 1 < h < n. Doubles are right for all points: none has order two. If P is neutral,
//! then all that is computed has Z = 0.
//!
//! What a step does is proved; that the steps give `k·P` is tested, on every scalar of toy curves and by vectors.

use std::sync::Arc;

use evariste_descriptions::{Field, Structure};
use evariste_ir::range::Interval;
use evariste_ir::{Array, Builder, Claim, Contract, Index, Kernel, View};
use num_bigint::BigUint;
use num_traits::One;

use super::endomorphism::Images;
use super::jacobian::{self, Jacobian};
use super::look_ups::{Steps, points, table_of};
use super::multiple::{JACOBIAN_NEEDS, has_points, window};
use super::setting::{curve_of, scalar_bits};
use super::words::truth;
use super::{coordinates, digits};
use crate::layout::Layout;
use crate::lowering::Element;
use crate::operation::Operation;
use crate::prime::power::Callee;
use crate::prime::representation::kernel_name;
use crate::recipe::Composite;
use crate::signature::NotApplicable;

/// Multiples of a point of a curve of prime order.
pub const JACOBIAN_SUMS: Composite = Composite {
    name: "windows-jacobian-sums",
    applies: |f, l, op| *op == Operation::SCALAR_MUL && has_points(f, l) && meets_no_exception(f),
    needs: JACOBIAN_NEEDS,
    write: |f, l, op, parts| write(f, l, &kernel_name(op, "windows-jacobian-sums"), parts),
};

/// Has the curve Jacobian coordinates and prime order, and that is large beside all but the last of the digits?
fn meets_no_exception(field: &Field) -> bool {
    let Some((curve, _)) = curve_of(field).ok().filter(|_| jacobian::formula(field).is_some()) else { return false };
    let (Some(order), Some(cofactor)) = (&curve.order, &curve.cofactor) else { return false };
    let bits = scalar_bits(curve);
    let w = window(bits);
    let power = |e: u32| BigUint::one() << e;
    cofactor.is_one() && power(bits.saturating_sub(w)) + power(w) < *order
}

/// What multiples are computed with.
pub(super) struct Sums<'a> {
    steps: Steps<'a>,
    jacobian: Jacobian,
    add: Callee,
    select: Callee,
    neutral: Array,
    w: u32,
    /// Are all digits above 0? Is this one?
    first: Array,
    none: Array,
    /// Is 0 while all digits were 0.
    seen: Array,
    /// A sum that counts where both of its operands are multiples other than 0.
    total: Array,
}

/// What is added: by these digits multiples of a table, or their images.
pub(super) struct Summand<'a> {
    pub digits: Array,
    pub table: Array,
    pub images: Option<&'a Images>,
}

impl<'a> Sums<'a> {
    /// From the kernels of [`JACOBIAN_NEEDS`], with digits of w bits.
    pub fn new(
        b: &mut Builder,
        field: &Field,
        layout: &'a Layout,
        parts: &[Arc<Kernel>],
        w: u32,
    ) -> Result<Sums<'a>, NotApplicable> {
        let (curve, modulus) = curve_of(field)?;
        let [complete, opp, select, ground @ ..] = parts else { return Err(NotApplicable("a part is missing".into())) };
        let count = coordinates::count(curve);
        let neutral = table_of(b, "neutral", &coordinates::of(curve, &curve.zero()), modulus, layout);
        let steps = Steps::new(b, layout, count, w, [complete, opp, select]);
        let jacobian = Jacobian::new(b, field, layout, ground)?;
        let add = jacobian.sum(b, field, layout)?;
        let select = Callee::new(b, select.clone(), "choose");
        let [first, none] = ["nothing_before", "digit_is_0"].map(|name| b.local(name, 1, Interval::bits(1)));
        let seen = b.local("seen", 1, Interval::bits(layout.word));
        let total = points(b, layout, "total", count, 1);
        Ok(Sums { steps, jacobian, add, select, neutral, w, first, none, seen, total })
    }

    /// The multiples 0 to `2^(w−1)` of a projective point, in Jacobian coordinates.
    pub fn table(&self, b: &mut Builder, point: &View) -> Array {
        let last = 1u32 << (self.w - 1);
        let size = i64::from(self.steps.size());
        let base = View::whole(self.total);
        self.jacobian.enter(b, &base, point);
        let table = points(b, self.steps.layout, "multiples", 3, last + 1);
        self.steps.copy(b, &View::whole(self.neutral), &View::whole(table));
        self.steps.copy(b, &base, &View::from(table, Index::at(size)));
        if last > 2 {
            b.repeat(last / 2 - 1, &[], |b, i, _| {
                let entry = |of: i64, j: i64| View::from(table, Index::at(j * size).plus(i, of * size));
                self.jacobian.double_of(b, &entry(2, 2), &entry(1, 1));
                self.add.call_views(b, entry(2, 3), &[entry(2, 2), base.clone()]);
                Vec::new()
            });
        }
        let entry = |j: u32| View::from(table, Index::at(i64::from(j) * size));
        self.jacobian.double_of(b, &entry(last), &entry(last / 2));
        table
    }

    /// Notes whether the digit at that index is 0, and whether all before it were.
    fn note(&self, b: &mut Builder, digits: Array, at: &Index) {
        let (_, magnitude) = self.steps.digit(b, digits, at);
        let seen = b.load(self.seen, 0u32);
        for (of, to) in [(seen, self.first), (magnitude, self.none)] {
            let zero = b.word_constant(0);
            let is = b.equal(of, zero);
            let flag = truth(b, is);
            b.store(to, 0u32, flag);
        }
        let seen = b.or(seen, magnitude);
        b.store(self.seen, 0u32, seen);
    }

    /// What a summand adds by the digit at that index, as `chosen`.
    fn look_up(&self, b: &mut Builder, summand: &Summand, at: &Index) {
        self.steps.look_up(b, &View::whole(summand.table), summand.digits, at);
        if let Some(images) = summand.images {
            images.write(b, self.steps.chosen, self.steps.chosen);
        }
    }

    /// Adds that, where no exception is but a 0.
    fn step(&self, b: &mut Builder, summand: &Summand, at: &Index) {
        self.look_up(b, summand, at);
        self.note(b, summand.digits, at);
        let [sum, chosen, total] = [self.steps.sum, self.steps.chosen, self.total].map(View::whole);
        self.add.call_views(b, total.clone(), &[sum.clone(), chosen.clone()]);
        self.select.call_views(b, total.clone(), &[View::whole(self.first), total.clone(), chosen]);
        self.select.call_views(b, sum.clone(), &[View::whole(self.none), total, sum]);
    }

    /// The sum of what the summands' n digits say.
    pub fn add_all(&self, b: &mut Builder, n: u32, summands: &[Summand]) {
        let [sum, chosen, total] = [self.steps.sum, self.steps.chosen, self.total].map(View::whole);
        let zero = b.word_constant(0);
        b.store(self.seen, 0u32, zero);
        let top = Index::at(i64::from(n) - 1);
        for (i, summand) in summands.iter().enumerate() {
            if i > 0 {
                self.step(b, summand, &top);
                continue;
            }
            self.look_up(b, summand, &top);
            self.note(b, summand.digits, &top);
            self.steps.copy(b, &chosen, &sum);
        }
        if n > 2 {
            b.repeat(n - 2, &[], |b, i, _| {
                self.jacobian.double(b, self.w, &sum);
                summands.iter().for_each(|s| self.step(b, s, &Index::at(i64::from(n) - 2).plus(i, -1)));
                Vec::new()
            });
        }
        // The lowest digits, without exceptions.
        self.jacobian.double(b, self.w, &sum);
        self.jacobian.leave(b, &total, &sum);
        self.steps.copy(b, &total, &sum);
        for summand in summands {
            self.look_up(b, summand, &Index::at(0));
            self.jacobian.leave(b, &total, &chosen);
            self.steps.copy(b, &total, &chosen);
            self.steps.add_chosen(b);
        }
    }

    /// Gives the sum.
    pub fn give(&self, b: &mut Builder, out: &Element) -> Vec<Claim> {
        self.steps.give(b, out, "windows")
    }
}

fn write(field: &Field, layout: &Layout, name: &str, parts: &[Arc<Kernel>]) -> Result<Kernel, NotApplicable> {
    let (curve, _) = curve_of(field)?;
    let (count, bits) = (coordinates::count(curve), scalar_bits(curve));
    let w = window(bits);
    let n = digits::count(bits, w);
    let mut builder = Builder::new(name, layout.word);
    let b = &mut builder;
    let out = Element::output(b, layout, "out", count);
    let (k, scalar) = digits::scalar(b, "k", bits);
    let point = Element::input(b, layout, "p", count);
    let recode = Callee::new(b, Arc::new(digits::around_zero(layout, bits, w)?), "recode");
    let sums = Sums::new(b, field, layout, parts, w)?;
    let all = b.local("digits", n, Interval::bits(w));
    recode.call(b, all, &[k]);
    let table = sums.table(b, &View::whole(point.array));
    sums.add_all(b, n, &[Summand { digits: all, table, images: None }]);
    let claims = sums.give(b, &out);
    let inputs = std::iter::once(scalar).chain(point.numbered(layout)).collect();
    Ok(builder.finish(Contract { facts: Vec::new(), inputs, claims }))
}
