//! Multiples of an Edwards curve's base point by a table of constants for each digit: no doublings.
//!
//! * **computes** `k·G` for the base point G.
//! * **needs** a curve `a x² + y² = 1 + d x² y²` over a prime field whose sums have no exceptions; k below `2^bits`, in words.
//! * **gives** the coordinates of the multiple.
//! * **cost** of bits/w + 1 digits: a scan of `2^(w−1)` constant points, two or three choices and an addition of 7M for a = −1, else of
//!   8M and a product with a. The tables hold bits/w + 1 times `2^(w−1)` points of three elements, in 160 KiB at most. Time and
//!   addresses do not depend on k.
//! * **source** Bernstein, Duif, Lange, Schwabe, Yang, "High-speed high-security signatures" (2012); Hisil, Wong, Carter, Dawson
//!   (2008); Joye, Tunstall (2009) for the digits around 0.
//!
//! Points are kept as y − x, y + x and 2dxy where a = −1, else as x, y and dxy. The opposite of the first has its first two
//! exchanged and the opposite of the third, that of the others the opposites of x and dxy; the digit 0 adds the neutral point.
//! What a step does is proved; that the steps give `k·G` is tested, on every scalar of toy curves and by vectors.

use std::sync::Arc;

use evariste_descriptions::{CurveShape, Field, Modulus};
use evariste_ir::range::Interval;
use evariste_ir::{Array, Builder, Claim, Contract, Index, Kernel, View};
use num_bigint::BigUint;
use num_traits::{One, Zero};

use super::base_windows::{Digits, Scan, by_width, copy, is_of_base, note};
use super::digits;
use super::formula::minus_one;
use super::look_ups::{points, table_of};
use super::select::exchange;
use super::setting::{over_prime, scalar_bits};
use crate::layout::Layout;
use crate::lowering::{Element, Ground, Operations, lower, named};
use crate::operation::Operation;
use crate::prime::power::Callee;
use crate::prime::representation::kernel_name;
use crate::recipe::{Composite, Need};
use crate::signature::NotApplicable;

/// The operations of the prime field that sums are made of; what follows is for others.
pub(super) const PARTS: usize = 6;

/// The operations that multiples of the base point are made of.
const NEEDS: &[Need] = &[
    Need::ground(Operation::MUL),
    Need::ground(Operation::SQUARE),
    Need::ground(Operation::ADD),
    Need::ground(Operation::SUB),
    Need::ground(Operation::OPP),
    Need::ground(Operation::SELECTZNZ),
];

by_width! {
    FOUR "edwards-windows-of-the-base-4" 4;
    FIVE "edwards-windows-of-the-base-5" 5;
    SIX "edwards-windows-of-the-base-6" 6;
}

/// Is it an Edwards curve, and are the tables not too long?
fn applies(field: &Field, layout: &Layout, operation: &Operation, w: u32) -> bool {
    let Ok((curve, _)) = over_prime(field) else { return false };
    is_of_base(field, layout, operation)
        && curve.equation.shape == CurveShape::Edwards
        && Digits::of(scalar_bits(curve), w).fit(layout, COORDINATES)
}

/// Elements that are kept of a point.
pub(super) const COORDINATES: usize = 3;

/// What sums need of `a x² + y² = 1 + d x² y²`.
pub(super) struct Form {
    /// Is a = −1?
    pub minus_one: bool,
    pub a: BigUint,
    pub d: BigUint,
}

impl Form {
    /// The formula of sums.
    fn formula(&self) -> &'static str {
        if self.minus_one { "edwards-mixed-addition-minus-1" } else { "edwards-mixed-addition" }
    }

    fn number(&self, name: &str) -> Option<BigUint> {
        match name {
            "a" => Some(self.a.clone()),
            "d" => Some(self.d.clone()),
            _ => None,
        }
    }

    /// What is kept of a point.
    fn kept(&self, m: &Modulus, [x, y]: &[BigUint; 2]) -> [BigUint; COORDINATES] {
        let product = m.mul(&self.d, &m.mul(x, y));
        if self.minus_one {
            return [m.sub(y, x), m.add(y, x), m.add(&product, &product)];
        }
        [x.clone(), y.clone(), product]
    }
}

/// The points of the tables, and how they are added.
pub(super) struct Tables<'a> {
    pub form: Form,
    pub modulus: &'a Modulus,
    pub layout: &'a Layout,
    pub plan: Digits,
    /// Those of all digits, 1 to so many times `2^(wj)·G` for digit j.
    pub points: Vec<[BigUint; 2]>,
}

impl Tables<'_> {
    /// The multiple of the base point by a scalar, by the kernels of [`PARTS`]: an array of X, Y, Z and T.
    pub fn sum(&self, b: &mut Builder, parts: &[Arc<Kernel>], scalar: Array) -> Result<Array, NotApplicable> {
        let (plan, layout) = (&self.plan, self.layout);
        let recode = Callee::new(b, Arc::new(digits::around_zero(layout, plan.bits, plan.w)?), "recode");
        let digits = b.local("digits", plan.count, Interval::bits(plan.w));
        let steps = Steps::new(b, self, parts)?;
        recode.call(b, digits, &[scalar]);
        copy(b, 4 * steps.n, &View::whole(steps.neutral), &View::whole(steps.sum));
        let size = (1u32 << (plan.w - 1)) * steps.scan.size;
        let last = plan.count - 1;
        if last > 0 {
            b.repeat(last, &[], |b, j, _| {
                let table = View::from(steps.table, Index::at(0).plus(j, i64::from(size)));
                steps.write(b, &table, 1 << (plan.w - 1), digits, &Index::counter(j));
                Vec::new()
            });
        }
        let table = View::from(steps.table, last * size);
        steps.write(b, &table, plan.entries(last), digits, &Index::at(i64::from(last)));
        Ok(steps.sum)
    }
}

/// What a step calls, and what it works on.
struct Steps {
    scan: Scan,
    add: Callee,
    opp: Callee,
    choose: Callee,
    /// Where the opposite of a point has two elements exchanged.
    exchange: Option<Callee>,
    /// Digits of an element.
    n: u32,
    table: Array,
    neutral: Array,
    /// What is kept of the neutral point.
    none: Array,
    /// Is the digit negative?
    sign: Array,
    /// What is kept of the point that was looked up, and of that with the digit's sign.
    chosen: Array,
    turned: Array,
    opposite: Array,
    sum: Array,
}

impl Steps {
    fn new(b: &mut Builder, of: &Tables, parts: &[Arc<Kernel>]) -> Result<Steps, NotApplicable> {
        let (form, layout, modulus) = (&of.form, of.layout, of.modulus);
        let [mul, square, add, sub, opp, choose] = parts else { return Err(NotApplicable("a part is missing".into())) };
        let operations = Operations {
            mul: mul.clone(),
            square: square.clone(),
            add: add.clone(),
            sub: sub.clone(),
            opp: opp.clone(),
        };
        let ground = Ground { modulus, layout };
        let sum = lower("mixed_addition", &named(form.formula())?, ground, &|name| form.number(name), &operations)?;
        let [zero, one] = [BigUint::zero(), BigUint::one()];
        let kept: Vec<BigUint> = of.points.iter().flat_map(|point| form.kept(modulus, point)).collect();
        let none = form.kept(modulus, &[zero.clone(), one.clone()]);
        let neutral = [zero.clone(), one.clone(), one, zero];
        let [table, neutral, none] = [("multiples", &kept[..]), ("neutral", &neutral[..]), ("none", &none[..])]
            .map(|(name, elements)| table_of(b, name, elements, modulus, layout));
        let [chosen, turned] = ["chosen", "turned"].map(|name| points(b, layout, name, COORDINATES, 1));
        let exchange = form.minus_one.then(|| Callee::new(b, Arc::new(exchange(layout, 1)), "exchange"));
        Ok(Steps {
            scan: Scan::new(b, layout, COORDINATES, of.plan.w),
            add: Callee::new(b, Arc::new(sum), "add"),
            opp: Callee::new(b, opp.clone(), "opp"),
            choose: Callee::new(b, choose.clone(), "choose"),
            exchange,
            n: layout.digits() as u32,
            table,
            neutral,
            none,
            sign: b.local("sign", 1, Interval::bits(1)),
            chosen,
            turned,
            opposite: points(b, layout, "opposite", 1, 1),
            sum: points(b, layout, "sum", 4, 1),
        })
    }

    /// Adds the multiple that the digit at that index says, of so many in a table.
    fn write(&self, b: &mut Builder, table: &View, count: u32, digits: Array, at: &Index) {
        let (is_negative, magnitude) = self.scan.digit(b, digits, at);
        let [none, chosen, turned, sum] = [self.none, self.chosen, self.turned, self.sum].map(View::whole);
        copy(b, self.scan.size, &none, &chosen);
        self.scan.pick(b, table, [1, count], magnitude, &chosen);
        note(b, is_negative, self.sign);
        let [from, to] = [self.chosen, self.turned].map(|array| [0, 1, 2].map(|i| View::from(array, i * self.n)));
        match &self.exchange {
            Some(exchange) => {
                let [first, second, _] = to.clone();
                let operands = [View::whole(self.sign), from[0].clone(), from[1].clone()];
                exchange.call_each(b, &[first, second], &operands);
            }
            None => {
                copy(b, self.n, &from[1], &to[1]);
                self.turn(b, &from[0], &to[0]);
            }
        }
        self.turn(b, &from[2], &to[2]);
        self.add.call_views(b, sum.clone(), &[sum, turned]);
    }

    /// An element or its opposite, by the sign.
    fn turn(&self, b: &mut Builder, from: &View, to: &View) {
        let opposite = View::whole(self.opposite);
        self.opp.call_views(b, opposite.clone(), std::slice::from_ref(from));
        self.choose.call_views(b, to.clone(), &[View::whole(self.sign), from.clone(), opposite]);
    }
}

fn write(field: &Field, layout: &Layout, name: &str, w: u32, parts: &[Arc<Kernel>]) -> Result<Kernel, NotApplicable> {
    let (curve, modulus) = over_prime(field)?;
    let [a, d] = curve.equation.coefficients.clone();
    let plan = Digits::of(scalar_bits(curve), w);
    let points = plan.points(field)?.into_iter().flatten().map(<[BigUint; 2]>::from).collect();
    let tables = Tables { form: Form { minus_one: minus_one(curve), a, d }, modulus, layout, plan, points };
    let mut builder = Builder::new(name, layout.word);
    let b = &mut builder;
    let out = Element::output(b, layout, "out", 4);
    let (k, scalar) = digits::scalar(b, "k", tables.plan.bits);
    let sum = tables.sum(b, parts, k)?;
    copy(b, (4 * layout.digits()) as u32, &View::whole(sum), &View::whole(out.array));
    let step = |output| Claim::Step { output, name: "windows_of_the_base".into() };
    let claims = out.numbered(layout).into_iter().map(step).collect();
    Ok(builder.finish(Contract { facts: Vec::new(), inputs: vec![scalar], claims }))
}
