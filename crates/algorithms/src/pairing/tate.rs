//! Miller loops of Tate pairings of a point and a distorted one, on supersingular curves.
//!
//! * **computes** the Miller function of order r of a point at the image of another, or the product of those of two
//!   pairs, up to factors that the final exponentiation makes 1.
//! * **needs** resting coordinates of points of order r, affine, the neutral element as (0, 0).
//! * **gives** resting coordinates of a value: for pairs with a neutral point what the exponentiation makes 1.
//! * **cost** for each bit of r a square and a product in the target, and for each pair a doubling step (6M + 6S over the
//!   curve's field, 6M + 5S for a = 0) with its line; for each digit that is not 0 an addition step (10M + 3S) with its
//!   line. In an extension of odd degree every line has a vertical, a second product. Time does not depend on the points.
//! * **source** Barreto, Kim, Lynn, Scott (2002); Scott, Barreto (2004); for verticals Lin, Zhao, Zhang, Wang (2008).
//!
//! What a step does is proved; that the loop gives the pairing is tested, against the definition.
//!
//! In an extension of even degree verticals at `(−x, u y)` lie below, where the exponentiation makes 1 of them. The last
//! digit of r adds ±P to ∓P: a vertical. Where a point is neutral the pair is the first base point and (0, 0), where
//! lines and verticals have one coordinate, which is not 0 along the public multiples of the base point.

use evariste_ir::{Array, Builder, View};
use num_bigint::BigUint;

use super::kernels::Kernels;
use super::power::{self, repeated};
use super::setting::{Family, Setting};
use super::work::Work;
use crate::lowering::Element;
use crate::prime::power::Callee;
use crate::recipe::Parts;
use crate::signature::NotApplicable;
use crate::tower::room;

/// What a loop calls, and what it works on.
pub(super) struct Tate<'a> {
    work: Work<'a>,
    square: Callee,
    mul: Callee,
    doubling: u32,
    addition: u32,
    at: u32,
    /// The product with a line at a distorted point, and what stands for one over a vertical.
    odd: Option<Odd>,
    out: Array,
    pairs: Vec<Pair<'a>>,
    f: Array,
    line: Array,
    /// A line or a vertical at a point.
    value: Array,
    /// The coordinates of what stands for a neutral point of each group.
    instead: [Vec<Array>; 2],
}

/// What extensions of odd degree need beside.
struct Odd {
    by_line: u32,
    over_vertical: u32,
    distortion: u32,
}

/// A pair of points, and the multiple of the first.
struct Pair<'a> {
    /// As they are given.
    given: &'a [Element; 2],
    /// With others for neutral ones; the second distorted.
    p: Array,
    q: Array,
    /// −P.
    minus: Array,
    t: Array,
}

impl<'a> Tate<'a> {
    pub fn new(
        b: &mut Builder,
        setting: &'a Setting<'a>,
        parts: &'a dyn Parts,
        out: Array,
        given: &'a [[Element; 2]],
    ) -> Result<Tate<'a>, NotApplicable> {
        let kernels = Kernels::new(setting, setting.means(parts, super::loops::MORE));
        let work = Work::new(b, setting, parts)?;
        let (layout, size, part) = (setting.layout, setting.target().degree(), setting.below());
        let pair = |(i, given): (usize, &'a [Element; 2])| {
            let [p, q, minus, t] = [("from", 2), ("at", 2), ("minus_p", 2), ("t", 3)]
                .map(|(name, count)| room(b, layout, &format!("{name}{}", i + 1), count * part));
            Pair { given, p, q, minus, t }
        };
        let pairs = given.iter().enumerate().map(pair).collect();
        let odd = match setting.family {
            Family::Distorted3 => Some(Odd {
                by_line: b.callee(kernels.by_line()?),
                over_vertical: b.callee(kernels.over_vertical()?),
                distortion: b.callee(kernels.distortion()?),
            }),
            _ => None,
        };
        let zero = vec![BigUint::ZERO; 2 * part];
        let instead = [("base", setting.base_point(&setting.pairing.first)), ("zero", zero)]
            .map(|(name, x)| work.tables(b, name, &x));
        Ok(Tate {
            square: Callee::new(b, kernels.square()?, "square"),
            mul: Callee::new(b, kernels.mul()?, "mul"),
            doubling: b.callee(kernels.doubling()?),
            addition: b.callee(kernels.addition()?),
            at: b.callee(kernels.at()?),
            odd,
            out,
            pairs,
            f: room(b, layout, "f", size),
            line: room(b, layout, "line", 3 * part),
            value: room(b, layout, "value", size),
            instead,
            work,
        })
    }

    /// f becomes its product with the line at Q, and with what stands for one over the vertical through T.
    fn by_line(&self, b: &mut Builder, pair: &Pair) {
        let [f, value, q] = [self.f, self.value, pair.q].map(View::whole);
        b.call(self.at, vec![value.clone(), View::whole(self.line), q.clone()]);
        let Some(odd) = &self.odd else { return self.mul.call(b, self.f, &[self.f, self.value]) };
        b.call(odd.by_line, vec![f.clone(), f, value.clone()]);
        b.call(odd.over_vertical, vec![value, View::whole(pair.t), q]);
        self.mul.call(b, self.f, &[self.f, self.value]);
    }

    /// T becomes 2T.
    fn double(&self, b: &mut Builder, pair: &Pair) {
        let t = View::whole(pair.t);
        b.call(self.doubling, vec![t.clone(), View::whole(self.line), t]);
        self.by_line(b, pair);
    }

    /// T becomes T + P, or another point.
    fn add(&self, b: &mut Builder, pair: &Pair, p: Array) {
        let t = View::whole(pair.t);
        b.call(self.addition, vec![t.clone(), View::whole(self.line), t, View::whole(p)]);
        self.by_line(b, pair);
    }

    /// The loop; its contract is the caller's.
    pub fn write(&self, b: &mut Builder) {
        let setting = self.work.setting;
        // Digits of −1 divide by a vertical: only where those do not count.
        let runs = match self.odd {
            Some(_) => power::runs_of(&power::digits(&setting.pairing.order, 1)),
            None => power::runs(&setting.pairing.order),
        };
        self.pairs.iter().for_each(|pair| self.start(b, pair));
        (0..setting.target().degree() as u32).for_each(|i| self.work.constant(b, u32::from(i == 0), (self.f, i)));
        for (i, (doublings, digit)) in runs.iter().enumerate() {
            repeated(b, *doublings, |b| {
                self.square.call(b, self.f, &[self.f]);
                self.pairs.iter().for_each(|pair| self.double(b, pair));
            });
            let last = i + 1 == runs.len();
            for pair in self.pairs.iter().filter(|_| *digit != 0 && !last) {
                self.add(b, pair, if *digit > 0 { pair.p } else { pair.minus });
            }
        }
        if let Some(odd) = &self.odd {
            self.pairs.iter().for_each(|pair| self.last(b, odd, pair));
        }
        self.work.copy(b, (self.out, 0), (self.f, 0), setting.target().degree() as u32);
    }

    /// The points of a pair, the second distorted; T is P.
    fn start(&self, b: &mut Builder, pair: &Pair) {
        let part = self.work.setting.below() as u32;
        self.work.start(b, pair.given, [pair.p, pair.q], &self.instead);
        match &self.odd {
            Some(odd) => b.call(odd.distortion, vec![View::whole(pair.q), View::whole(pair.q)]),
            None => {
                self.work.copy(b, (pair.minus, 0), (pair.p, 0), 2 * part);
                self.work.negate(b, pair.minus, part..2 * part);
            }
        }
        self.work.copy(b, (pair.t, 0), (pair.p, 0), 2 * part);
        (0..part).for_each(|i| self.work.constant(b, u32::from(i == 0), (pair.t, 2 * part + i)));
    }

    /// The vertical through P at Q.
    fn last(&self, b: &mut Builder, odd: &Odd, pair: &Pair) {
        let part = self.work.setting.below() as u32;
        self.work.copy(b, (self.value, 0), (pair.p, 0), part);
        self.work.negate(b, self.value, 0..part);
        self.work.copy(b, (self.value, part), (pair.q, 0), part);
        let f = View::whole(self.f);
        b.call(odd.by_line, vec![f.clone(), f, View::whole(self.value)]);
    }
}
