//! Miller loops of optimal ate pairings, and whole pairings.
//!
//! * **computes** the Miller function of two points, or the product of those of two pairs, up to factors that the final
//!   exponentiation makes 1; the pairing, or the product of two.
//! * **needs** resting coordinates of points of order r, affine, the neutral element as (0, 0); a sextic twist.
//! * **gives** resting coordinates of a value: for pairs with a neutral point what the exponentiation makes 1.
//! * **cost** for each bit a square in Fp12, and for each pair a doubling step (3M + 6S over Fp2) and a sparse product
//!   (13M); for each digit that is not 0 and each pair an addition step (11M + 2S) and a sparse product. Time does not
//!   depend on the points.
//! * **source** Vercauteren, "Optimal pairings" (2010); Costello, Lange, Naehrig (2010); Aranha et al. (2011).
//!
//! What a step does is proved; that the loop gives the pairing is tested, by vectors and against the definition.
//!
//! Where a point is neutral the pair is (0, 0) and the second base point G: a line at (0, 0) is its constant coefficient,
//! which is not 0 along the public multiples of G, and lies where the exponentiation makes 1 of it.

use evariste_ir::{Array, Builder, View};
use num_bigint::BigUint;

use super::kernels::Kernels;
use super::power::{repeated, runs};
use super::setting::{Family, Setting};
use super::work::Work;
use crate::lowering::Element;
use crate::prime::power::Callee;
use crate::recipe::Parts;
use crate::signature::NotApplicable;
use crate::tower::room;

/// What a loop calls, and what it works on.
pub(super) struct Miller<'a> {
    work: Work<'a>,
    square: Callee,
    by_line: u32,
    doubling: u32,
    addition: u32,
    at: u32,
    /// Of twisted points, for BN curves alone.
    frobenius: Option<u32>,
    places: [usize; 3],
    out: Array,
    pairs: Vec<Pair<'a>>,
    f: Array,
    line: Array,
    /// The coordinates of what stands for a neutral point of each group.
    instead: [Vec<Array>; 2],
}

/// A pair of points, and the multiple of the second.
struct Pair<'a> {
    /// As they are given.
    given: &'a [Element; 2],
    /// With others for neutral ones.
    p: Array,
    q: Array,
    /// −Q, or an image of it.
    minus: Array,
    t: Array,
}

impl<'a> Miller<'a> {
    pub fn new(
        b: &mut Builder,
        setting: &'a Setting<'a>,
        parts: &'a dyn Parts,
        out: Array,
        given: &'a [[Element; 2]],
    ) -> Result<Miller<'a>, NotApplicable> {
        let kernels = Kernels::new(setting, setting.means(parts, super::loops::MORE));
        let work = Work::new(b, setting, parts)?;
        let (layout, size) = (setting.layout, setting.target().degree());
        let pair = |(i, given): (usize, &'a [Element; 2])| {
            let [p, q, minus, t] = [("at", 2), ("from", 4), ("minus_q", 4), ("t", 6)]
                .map(|(name, count)| room(b, layout, &format!("{name}{}", i + 1), count));
            Pair { given, p, q, minus, t }
        };
        let pairs = given.iter().enumerate().map(pair).collect();
        let frobenius = match setting.family {
            Family::Bn(_) => Some(b.callee(kernels.twist_frobenius()?)),
            _ => None,
        };
        let base = setting.base_point(&setting.pairing.second);
        let instead = [("zero", vec![BigUint::ZERO; 2]), ("base", base)].map(|(name, x)| work.tables(b, name, &x));
        Ok(Miller {
            square: Callee::new(b, kernels.square()?, "square"),
            by_line: b.callee(kernels.by_line()?),
            doubling: b.callee(kernels.doubling()?),
            addition: b.callee(kernels.addition()?),
            at: b.callee(kernels.at()?),
            frobenius,
            places: kernels.places_of_line(),
            out,
            pairs,
            f: room(b, layout, "f", size),
            line: room(b, layout, "line", 6),
            instead,
            work,
        })
    }

    /// The line at a point.
    fn line_at(&self, b: &mut Builder, pair: &Pair) {
        let coefficients = self.work.at(self.line, 2);
        b.call(self.at, vec![coefficients.clone(), coefficients, View::whole(pair.p)]);
    }

    fn by_line(&self, b: &mut Builder) {
        let f = View::whole(self.f);
        b.call(self.by_line, vec![f.clone(), f, View::whole(self.line)]);
    }

    /// T becomes 2T, the line that at P of the tangent.
    fn double(&self, b: &mut Builder, pair: &Pair) {
        let t = View::whole(pair.t);
        b.call(self.doubling, vec![t.clone(), View::whole(self.line), t]);
        self.line_at(b, pair);
    }

    /// T becomes T + Q, and f its product with the line.
    fn add(&self, b: &mut Builder, pair: &Pair, q: Array) {
        let t = View::whole(pair.t);
        b.call(self.addition, vec![t.clone(), View::whole(self.line), t, View::whole(q)]);
        self.line_at(b, pair);
        self.by_line(b);
    }

    /// The loop; its contract is the caller's.
    pub fn write(&self, b: &mut Builder) {
        let setting = self.work.setting;
        let size = setting.target().degree() as u32;
        let number = match &setting.family {
            Family::Bn(x) => x * 6u32 + 2u32,
            _ => setting.pairing.parameter().clone(),
        };
        let runs = runs(&number);
        let with_minus = runs.iter().any(|(_, digit)| *digit < 0);
        self.pairs.iter().for_each(|pair| self.start(b, pair, with_minus));
        self.first_lines(b);
        for (i, (doublings, digit)) in runs.iter().enumerate() {
            repeated(b, doublings - u32::from(i == 0), |b| {
                self.square.call(b, self.f, &[self.f]);
                for pair in &self.pairs {
                    self.double(b, pair);
                    self.by_line(b);
                }
            });
            for pair in self.pairs.iter().filter(|_| *digit != 0) {
                self.add(b, pair, if *digit > 0 { pair.q } else { pair.minus });
            }
        }
        match self.frobenius {
            Some(map) => self.pairs.iter().for_each(|pair| self.last_lines(b, map, pair)),
            // x is negative: the conjugate.
            None => self.work.negate(b, self.f, size / 2..size),
        }
        self.work.copy(b, (self.out, 0), (self.f, 0), size);
    }

    /// The points of a pair, or others where one is neutral; T is Q.
    fn start(&self, b: &mut Builder, pair: &Pair, with_minus: bool) {
        self.work.start(b, pair.given, [pair.p, pair.q], &self.instead);
        if with_minus {
            self.work.copy(b, (pair.minus, 0), (pair.q, 0), 4);
            self.work.negate(b, pair.minus, 2..4);
        }
        self.work.copy(b, (pair.t, 0), (pair.q, 0), 4);
        self.work.constant(b, 1, (pair.t, 4));
        self.work.constant(b, 0, (pair.t, 5));
    }

    /// The first doublings: the line of the first pair is the value.
    fn first_lines(&self, b: &mut Builder) {
        for (i, pair) in self.pairs.iter().enumerate() {
            self.double(b, pair);
            if i > 0 {
                self.by_line(b);
                continue;
            }
            let size = self.work.setting.target().degree() as u32;
            (0..size).for_each(|i| self.work.constant(b, 0, (self.f, i)));
            for (i, place) in (0..).zip(self.places) {
                self.work.copy(b, (self.f, 2 * place as u32), (self.line, 2 * i), 2);
            }
        }
    }

    /// The sums with π(Q) and −π²(Q).
    fn last_lines(&self, b: &mut Builder, map: u32, pair: &Pair) {
        let image = View::whole(pair.minus);
        b.call(map, vec![image.clone(), View::whole(pair.q)]);
        self.add(b, pair, pair.minus);
        b.call(map, vec![image.clone(), image]);
        self.work.negate(b, pair.minus, 2..4);
        self.add(b, pair, pair.minus);
    }
}
