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

use std::sync::Arc;

use evariste_descriptions::{Field, Structure};
use evariste_ir::{Array, Builder, Claim, Contract, Index, Kernel, View};
use num_bigint::BigUint;

use super::exponent::claims;
use super::kernels::Kernels;
use super::power::{repeated, runs};
use super::setting::{Family, Setting, coordinates, loops};
use crate::layout::Layout;
use crate::lowering::{Element, digits_of, lazy};
use crate::operation::Operation;
use crate::prime::power::Callee;
use crate::prime::representation::kernel_name;
use crate::recipe::{Composite, Kind, Need, Parts, Pick, Recipe, Setting as Wanted};
use crate::signature::NotApplicable;
use crate::tower::{needs, room};

needs!(REDUCED, WHOLE: IS_ZERO, SELECTZNZ);

/// How many needs these are beside those of formulas.
const MORE: usize = 2;

/// The Miller loop of a pair.
pub const MILLER: Loop = Loop { operation: Operation::MILLER, pairs: &[["p", "q"]] };

/// That of two pairs at once.
pub const MULTI_MILLER: Loop = Loop { operation: Operation::MULTI_MILLER, pairs: TWO_PAIRS };

/// The names of two pairs of points.
const TWO_PAIRS: &[[&str; 2]] = &[["p1", "q1"], ["p2", "q2"]];

/// The recipe.
pub struct Loop {
    operation: Operation,
    pairs: &'static [[&'static str; 2]],
}

impl Recipe for Loop {
    fn name(&self) -> &'static str {
        "optimal-ate"
    }

    fn kind(&self) -> Kind {
        Kind::Composite
    }

    fn needs(&self, s: Wanted) -> Option<&'static [Need]> {
        let setting = Setting::new(s.field, s.layout).ok()?;
        let fits = *s.operation == self.operation;
        fits.then_some(if lazy::takes(setting.modulus(), s.layout) { WHOLE } else { REDUCED })
    }

    fn write(&self, s: Wanted, algorithm: &str, parts: &dyn Parts) -> Result<Kernel, NotApplicable> {
        let setting = Setting::new(s.field, s.layout)?;
        let mut b = Builder::new(kernel_name(s.operation, algorithm), s.layout.word);
        let miller = Miller::new(&mut b, &setting, parts, self.pairs)?;
        let contract = miller.write(&mut b);
        Ok(b.finish(contract))
    }
}

/// What a loop calls, and what it works on.
struct Miller<'a> {
    setting: &'a Setting<'a>,
    square: Callee,
    by_line: u32,
    doubling: u32,
    addition: u32,
    at: u32,
    /// Of twisted points, for BN curves alone.
    frobenius: Option<u32>,
    opp: Callee,
    is_zero: Callee,
    select: Callee,
    places: [usize; 3],
    out: Element,
    pairs: Vec<Pair>,
    f: Array,
    line: Array,
    /// Is a point neutral?
    neutral: Array,
    /// The coordinates of what stands for a neutral point of each group.
    instead: [Vec<Array>; 2],
}

/// A pair of points, and the multiple of the second.
struct Pair {
    /// As they are given.
    given: [Element; 2],
    /// With others for neutral ones.
    p: Array,
    q: Array,
    /// −Q, or an image of it.
    minus: Array,
    t: Array,
}

impl<'a> Miller<'a> {
    fn new(
        b: &mut Builder,
        setting: &'a Setting<'a>,
        parts: &dyn Parts,
        pairs: &[[&str; 2]],
    ) -> Result<Miller<'a>, NotApplicable> {
        let means = setting.means(parts, MORE);
        let kernels = Kernels::new(setting, means);
        let (layout, size) = (setting.layout, setting.target().degree());
        let out = Element::output(b, layout, "out", size);
        let given: Vec<[Element; 2]> =
            pairs.iter().map(|[p, q]| [Element::input(b, layout, p, 2), Element::input(b, layout, q, 4)]).collect();
        let pairs = given.into_iter().enumerate().map(|(i, given)| {
            let [p, q, minus, t] = [("at", 2), ("from", 4), ("minus_q", 4), ("t", 6)]
                .map(|(name, count)| room(b, layout, &format!("{name}{}", i + 1), count));
            Pair { given, p, q, minus, t }
        });
        let pairs = pairs.collect();
        let frobenius = match setting.family {
            Family::Bls12(_) => None,
            Family::Bn(_) => Some(b.callee(kernels.twist_frobenius()?)),
        };
        Ok(Miller {
            setting,
            square: Callee::new(b, kernels.square()?, "square"),
            by_line: b.callee(kernels.by_line()?),
            doubling: b.callee(kernels.doubling()?),
            addition: b.callee(kernels.addition()?),
            at: b.callee(kernels.at()?),
            frobenius,
            opp: Callee::new(b, parts.kernel(4)?, "opp"),
            is_zero: Callee::new(b, means.more(0)?, "is_zero"),
            select: Callee::new(b, means.more(1)?, "select"),
            places: kernels.places_of_line(),
            out,
            pairs,
            f: room(b, layout, "f", size),
            line: room(b, layout, "line", 6),
            neutral: b.local("is_neutral", 1, evariste_ir::range::Interval::bits(1)),
            instead: instead(b, setting),
        })
    }

    fn digits(&self) -> u32 {
        self.setting.layout.digits() as u32
    }

    /// Copies so many coordinates.
    fn copy(&self, b: &mut Builder, to: (Array, u32), from: (Array, u32), count: u32) {
        let n = self.digits();
        for i in 0..count * n {
            let digit = b.load(from.0, from.1 * n + i);
            b.store(to.0, to.1 * n + i, digit);
        }
    }

    /// A constant of the prime field at a coordinate.
    fn constant(&self, b: &mut Builder, number: u32, to: (Array, u32)) {
        let digits = digits_of(&BigUint::from(number), &self.setting.modulus().value, self.setting.layout);
        for (i, digit) in (0..).zip(digits) {
            let digit = b.word_constant(digit);
            b.store(to.0, to.1 * self.digits() + i, digit);
        }
    }

    /// The line at a point.
    fn line_at(&self, b: &mut Builder, pair: &Pair) {
        let coefficients = View::from(self.line, 2 * self.digits());
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

    fn write(&self, b: &mut Builder) -> Contract {
        let number = match &self.setting.family {
            Family::Bls12(x) => x.clone(),
            Family::Bn(x) => x * 6u32 + 2u32,
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
        match (&self.setting.family, self.frobenius) {
            (Family::Bn(_), Some(map)) => self.pairs.iter().for_each(|pair| self.last_lines(b, map, pair)),
            // x is negative: the conjugate.
            _ => {
                for i in self.setting.target().degree() as u32 / 2..self.setting.target().degree() as u32 {
                    let at = View::from(self.f, i * self.digits());
                    self.opp.call_views(b, at.clone(), std::slice::from_ref(&at));
                }
            }
        }
        self.copy(b, (self.out.array, 0), (self.f, 0), self.setting.target().degree() as u32);
        let given = self.pairs.iter().flat_map(|pair| &pair.given);
        let inputs = given.flat_map(|element| element.numbered(self.setting.layout)).collect();
        let claims = claims(&self.out, self.setting.layout, "optimal_ate");
        Contract { facts: Vec::new(), inputs, claims }
    }

    /// The points of a pair, or others where one is neutral; T is Q.
    fn start(&self, b: &mut Builder, pair: &Pair, with_minus: bool) {
        let n = self.digits();
        let flag = self.neutral;
        let mut either = b.word_constant(0);
        for point in &pair.given {
            let mut all = b.word_constant(1);
            for i in 0..point.coordinates as u32 {
                self.is_zero.call_views(b, View::whole(flag), &[View::from(point.array, i * n)]);
                let is = b.load(flag, Index::at(0));
                all = b.and(all, is);
            }
            either = b.or(either, all);
        }
        b.store(flag, 0u32, either);
        for ((to, point), instead) in [pair.p, pair.q].into_iter().zip(&pair.given).zip(&self.instead) {
            for (i, other) in (0..).zip(instead) {
                let [to, from] = [to, point.array].map(|array| View::from(array, i * n));
                self.select.call_views(b, to, &[View::whole(flag), from, View::whole(*other)]);
            }
        }
        if with_minus {
            self.copy(b, (pair.minus, 0), (pair.q, 0), 2);
            self.negate_y(b, pair.minus, pair.q);
        }
        self.copy(b, (pair.t, 0), (pair.q, 0), 4);
        self.constant(b, 1, (pair.t, 4));
        self.constant(b, 0, (pair.t, 5));
    }

    /// The first doublings: the line of the first pair is the value.
    fn first_lines(&self, b: &mut Builder) {
        for (i, pair) in self.pairs.iter().enumerate() {
            self.double(b, pair);
            if i > 0 {
                self.by_line(b);
                continue;
            }
            (0..self.setting.target().degree() as u32).for_each(|i| self.constant(b, 0, (self.f, i)));
            for (i, place) in (0..).zip(self.places) {
                self.copy(b, (self.f, 2 * place as u32), (self.line, 2 * i), 2);
            }
        }
    }

    /// The opposite of a twisted point's second coordinate.
    fn negate_y(&self, b: &mut Builder, to: Array, from: Array) {
        for i in 2..4 {
            let at = |array| View::from(array, i * self.digits());
            self.opp.call_views(b, at(to), &[at(from)]);
        }
    }

    /// The sums with π(Q) and −π²(Q).
    fn last_lines(&self, b: &mut Builder, map: u32, pair: &Pair) {
        let image = View::whole(pair.minus);
        b.call(map, vec![image.clone(), View::whole(pair.q)]);
        self.add(b, pair, pair.minus);
        b.call(map, vec![image.clone(), image]);
        self.negate_y(b, pair.minus, pair.minus);
        self.add(b, pair, pair.minus);
    }
}

/// The coordinates (0, 0) and those of the second base point.
fn instead(b: &mut Builder, setting: &Setting) -> [Vec<Array>; 2] {
    let curve = &setting.pairing.second;
    let (x, y) = curve.generator().and_then(|point| curve.unpacked(&point)).unwrap_or_default();
    let base: Vec<BigUint> = [x, y].iter().flat_map(|x| coordinates(curve.field(), x)).collect();
    let mut table =
        |name: String, number: &BigUint| b.table(name, digits_of(number, &setting.modulus().value, setting.layout));
    let zero = table("zero".into(), &BigUint::ZERO);
    [vec![zero; 2], (0..).zip(&base).map(|(i, x): (u32, _)| table(format!("base{i}"), x)).collect()]
}

/// The pairing with the exact exponent.
pub const PAIRING: Composite = Composite {
    name: "optimal-ate",
    applies: |f, _, op| *op == Operation::PAIRING && loops(f).is_some(),
    needs: &[Need::new(Operation::MILLER, Pick::First), Need::new(Operation::FINAL_EXPONENTIATION, Pick::First)],
    write: |f, l, op, parts| whole(f, l, op, parts, &[["p", "q"]]),
};

/// The product of two with the exact exponent.
pub const MULTI_PAIRING: Composite = Composite {
    name: "optimal-ate",
    applies: |f, _, op| *op == Operation::MULTI_PAIRING && loops(f).is_some(),
    needs: &[Need::new(Operation::MULTI_MILLER, Pick::First), Need::new(Operation::FINAL_EXPONENTIATION, Pick::First)],
    write: |f, l, op, parts| whole(f, l, op, parts, TWO_PAIRS),
};

/// The power of it that a faster exponentiation gives.
pub const PAIRING_MULTIPLE: Composite = Composite {
    name: "optimal-ate",
    applies: |f, _, op| *op == Operation::PAIRING_MULTIPLE && loops(f).is_some(),
    needs: &[
        Need::new(Operation::MILLER, Pick::First),
        Need::new(Operation::FINAL_EXPONENTIATION_MULTIPLE, Pick::First),
    ],
    write: |f, l, op, parts| whole(f, l, op, parts, &[["p", "q"]]),
};

/// The loop, then the exponentiation.
fn whole(
    field: &Field,
    layout: &Layout,
    operation: &Operation,
    parts: &[Arc<Kernel>],
    pairs: &[[&str; 2]],
) -> Result<Kernel, NotApplicable> {
    let setting = Setting::new(field, layout)?;
    let [miller, exponentiation] = parts else { return Err(NotApplicable("a part is missing".into())) };
    let mut b = Builder::new(kernel_name(operation, "optimal-ate"), layout.word);
    let out = Element::output(&mut b, layout, "out", setting.target().degree());
    let mut given = Vec::new();
    for [p, q] in pairs {
        given.extend([Element::input(&mut b, layout, p, 2), Element::input(&mut b, layout, q, 4)]);
    }
    let miller = Callee::new(&mut b, miller.clone(), "miller");
    let exponentiation = Callee::new(&mut b, exponentiation.clone(), "exponentiation");
    miller.call(&mut b, out.array, &given.iter().map(|point| point.array).collect::<Vec<_>>());
    exponentiation.call(&mut b, out.array, &[out.array]);
    let inputs = given.iter().flat_map(|element| element.numbered(layout)).collect();
    let claims: Vec<Claim> = claims(&out, layout, "optimal_ate");
    Ok(b.finish(Contract { facts: Vec::new(), inputs, claims }))
}
