//! Miller loops of optimal ate pairings, and whole pairings.
//!
//! * **computes** the Miller function of two points, up to factors that the final exponentiation makes 1; the pairing.
//! * **needs** resting coordinates of points of order r, affine, the neutral element as (0, 0); a sextic twist.
//! * **gives** resting coordinates of a value: 1 where a point is neutral.
//! * **cost** for each bit a doubling step (3M + 6S over Fp2), a square and a sparse product (13M) in Fp12; for each digit
//!   that is not 0 an addition step (11M + 2S) and a sparse product. Time does not depend on the points.
//! * **source** Vercauteren, "Optimal pairings" (2010); Costello, Lange, Naehrig (2010); Aranha et al. (2011).
//!
//! What a step does is proved; that the loop gives the pairing is tested, by vectors and against the definition.

use std::sync::Arc;

use evariste_descriptions::Field;
use evariste_ir::{Array, Builder, Claim, Contract, Index, Kernel, View};
use num_bigint::BigUint;

use super::exponent::claims;
use super::kernels::Kernels;
use super::power::{repeated, runs};
use super::setting::{Family, Setting, loops};
use crate::layout::Layout;
use crate::lowering::{Element, digits_of, lazy};
use crate::operation::Operation;
use crate::prime::power::Callee;
use crate::prime::representation::kernel_name;
use crate::recipe::{Composite, Kind, Need, Parts, Pick, Recipe, Setting as Wanted};
use crate::signature::NotApplicable;
use crate::tower::{needs, room};

needs!(REDUCED, WHOLE: IS_ZERO);

/// The Miller loop.
pub const MILLER: Loop = Loop;

/// The recipe.
pub struct Loop;

impl Recipe for Loop {
    fn name(&self) -> &'static str {
        "optimal-ate"
    }

    fn kind(&self) -> Kind {
        Kind::Composite
    }

    fn needs(&self, s: Wanted) -> Option<&'static [Need]> {
        let setting = Setting::new(s.field, s.layout).ok()?;
        let fits = *s.operation == Operation::MILLER;
        fits.then_some(if lazy::takes(setting.modulus(), s.layout) { WHOLE } else { REDUCED })
    }

    fn write(&self, s: Wanted, algorithm: &str, parts: &dyn Parts) -> Result<Kernel, NotApplicable> {
        let setting = Setting::new(s.field, s.layout)?;
        let mut b = Builder::new(kernel_name(s.operation, algorithm), s.layout.word);
        let miller = Miller::new(&mut b, &setting, parts)?;
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
    places: [usize; 3],
    out: Element,
    p: Element,
    q: Element,
    f: Array,
    t: Array,
    line: Array,
}

impl<'a> Miller<'a> {
    fn new(b: &mut Builder, setting: &'a Setting<'a>, parts: &dyn Parts) -> Result<Miller<'a>, NotApplicable> {
        let means = setting.means(parts, 1);
        let kernels = Kernels::new(setting, means);
        let (layout, size) = (setting.layout, setting.target().degree());
        let out = Element::output(b, layout, "out", size);
        let p = Element::input(b, layout, "p", 2);
        let q = Element::input(b, layout, "q", 4);
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
            places: kernels.places_of_line(),
            out,
            p,
            q,
            f: room(b, layout, "f", size),
            t: room(b, layout, "t", 6),
            line: room(b, layout, "line", 6),
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

    /// The line at P.
    fn line_at(&self, b: &mut Builder) {
        let coefficients = View::from(self.line, 2 * self.digits());
        b.call(self.at, vec![coefficients.clone(), coefficients, View::whole(self.p.array)]);
    }

    fn by_line(&self, b: &mut Builder) {
        let f = View::whole(self.f);
        b.call(self.by_line, vec![f.clone(), f, View::whole(self.line)]);
    }

    /// T becomes 2T, the line that at P of the tangent.
    fn double(&self, b: &mut Builder) {
        let t = View::whole(self.t);
        b.call(self.doubling, vec![t.clone(), View::whole(self.line), t]);
        self.line_at(b);
    }

    /// T becomes T + Q, and f its product with the line.
    fn add(&self, b: &mut Builder, q: Array) {
        let t = View::whole(self.t);
        b.call(self.addition, vec![t.clone(), View::whole(self.line), t, View::whole(q)]);
        self.line_at(b);
        self.by_line(b);
    }

    fn write(&self, b: &mut Builder) -> Contract {
        let n = self.digits();
        let number = match &self.setting.family {
            Family::Bls12(x) => x.clone(),
            Family::Bn(x) => x * 6u32 + 2u32,
        };
        let runs = runs(&number);
        let minus = room(b, self.setting.layout, "minus_q", 4);
        if runs.iter().any(|(_, digit)| *digit < 0) {
            self.copy(b, (minus, 0), (self.q.array, 0), 2);
            self.negate_y(b, minus, self.q.array);
        }
        self.copy(b, (self.t, 0), (self.q.array, 0), 4);
        self.constant(b, 1, (self.t, 4));
        self.constant(b, 0, (self.t, 5));
        // The first doubling's line is the value.
        self.double(b);
        (0..self.setting.target().degree() as u32).for_each(|i| self.constant(b, 0, (self.f, i)));
        for (i, place) in (0..).zip(self.places) {
            self.copy(b, (self.f, 2 * place as u32), (self.line, 2 * i), 2);
        }
        for (i, (doublings, digit)) in runs.iter().enumerate() {
            repeated(b, doublings - u32::from(i == 0), |b| {
                self.square.call(b, self.f, &[self.f]);
                self.double(b);
                self.by_line(b);
            });
            match digit {
                0 => {}
                1 => self.add(b, self.q.array),
                _ => self.add(b, minus),
            }
        }
        match (&self.setting.family, self.frobenius) {
            (Family::Bn(_), Some(map)) => self.last_lines(b, map, minus),
            // x is negative: the conjugate.
            _ => {
                for i in self.setting.target().degree() as u32 / 2..self.setting.target().degree() as u32 {
                    let at = View::from(self.f, i * n);
                    self.opp.call_views(b, at.clone(), std::slice::from_ref(&at));
                }
            }
        }
        self.give(b);
        let inputs = [&self.p, &self.q].iter().flat_map(|element| element.numbered(self.setting.layout)).collect();
        let claims = claims(&self.out, self.setting.layout, "optimal_ate");
        Contract { facts: Vec::new(), inputs, claims }
    }

    /// The opposite of a twisted point's second coordinate.
    fn negate_y(&self, b: &mut Builder, to: Array, from: Array) {
        for i in 2..4 {
            let at = |array| View::from(array, i * self.digits());
            self.opp.call_views(b, at(to), &[at(from)]);
        }
    }

    /// The sums with π(Q) and −π²(Q).
    fn last_lines(&self, b: &mut Builder, map: u32, room: Array) {
        let image = View::whole(room);
        b.call(map, vec![image.clone(), View::whole(self.q.array)]);
        self.add(b, room);
        b.call(map, vec![image.clone(), image]);
        self.negate_y(b, room, room);
        self.add(b, room);
    }

    /// The value, or 1 where all coordinates of a point are 0.
    fn give(&self, b: &mut Builder) {
        let n = self.digits();
        let flag = b.local("is_zero", 1, evariste_ir::range::Interval::bits(1));
        let neutral = |b: &mut Builder, point: &Element| {
            let mut all = None;
            for i in 0..point.coordinates as u32 {
                self.is_zero.call_views(b, View::whole(flag), &[View::from(point.array, i * n)]);
                let is = b.load(flag, Index::at(0));
                all = Some(all.map_or(is, |all| b.and(all, is)));
            }
            all.unwrap_or_else(|| b.word_constant(0))
        };
        let (first, second) = (neutral(b, &self.p), neutral(b, &self.q));
        let either = b.or(first, second);
        let zero = b.word_constant(0);
        let either = b.less(zero, either);
        let one = digits_of(&BigUint::from(1u32), &self.setting.modulus().value, self.setting.layout);
        for i in 0..self.setting.target().degree() as u32 * n {
            let value = b.load(self.f, i);
            let other = if i < n { one[i as usize].clone() } else { 0.into() };
            let other = b.word_constant(other);
            let chosen = b.select(either, other, value);
            b.store(self.out.array, i, chosen);
        }
    }
}

/// The pairing with the exact exponent.
pub const PAIRING: Composite = Composite {
    name: "optimal-ate",
    applies: |f, _, op| *op == Operation::PAIRING && loops(f).is_some(),
    needs: &[Need::new(Operation::MILLER, Pick::First), Need::new(Operation::FINAL_EXPONENTIATION, Pick::First)],
    write: whole,
};

/// The power of it that a faster exponentiation gives.
pub const PAIRING_MULTIPLE: Composite = Composite {
    name: "optimal-ate",
    applies: |f, _, op| *op == Operation::PAIRING_MULTIPLE && loops(f).is_some(),
    needs: &[
        Need::new(Operation::MILLER, Pick::First),
        Need::new(Operation::FINAL_EXPONENTIATION_MULTIPLE, Pick::First),
    ],
    write: whole,
};

/// The loop, then the exponentiation.
fn whole(
    field: &Field,
    layout: &Layout,
    operation: &Operation,
    parts: &[Arc<Kernel>],
) -> Result<Kernel, NotApplicable> {
    let setting = Setting::new(field, layout)?;
    let [miller, exponentiation] = parts else { return Err(NotApplicable("a part is missing".into())) };
    let mut b = Builder::new(kernel_name(operation, "optimal-ate"), layout.word);
    let out = Element::output(&mut b, layout, "out", setting.target().degree());
    let p = Element::input(&mut b, layout, "p", 2);
    let q = Element::input(&mut b, layout, "q", 4);
    let miller = Callee::new(&mut b, miller.clone(), "miller");
    let exponentiation = Callee::new(&mut b, exponentiation.clone(), "exponentiation");
    miller.call(&mut b, out.array, &[p.array, q.array]);
    exponentiation.call(&mut b, out.array, &[out.array]);
    let inputs = [&p, &q].iter().flat_map(|element| element.numbered(layout)).collect();
    let claims: Vec<Claim> = claims(&out, layout, "optimal_ate");
    Ok(b.finish(Contract { facts: Vec::new(), inputs, claims }))
}
