//! Curves as a kind of structure: names, lines of explanation, points as text, the group by name.

use std::ops::Range;

use num_bigint::{BigInt, BigUint};
use num_traits::One;

use super::{Curve, CurveShape};
use crate::digest::digest;
use crate::lists::{coordinate, items, numbers, trimmed};
use crate::{Diagnostic, Part, Structure};

/// Words for the neutral element.
const INFINITY: [&str; 5] = ["infinity", "inf", "neutral", "o", "∞"];

impl Structure for Curve {
    fn name(&self) -> String {
        self.named.map_or_else(
            || format!("curve-{:08x}", digest(&BigUint::from_bytes_le(self.text().as_bytes()))),
            |named| format!("curve-{}", named.name),
        )
    }

    fn text(&self) -> String {
        if let Some(named) = self.named {
            return format!("curve:{}", named.name);
        }
        let mut text = format!("curve:{}@{}", self.equation.text(), self.field().called());
        if let Some((x, y)) = &self.base {
            text += &format!(",base=[{},{}]", self.coordinate_text(x), self.coordinate_text(y));
        }
        text += &self.order.as_ref().map_or_else(String::new, |order| format!(",order={order:#x}"));
        text += &self.cofactor.as_ref().map_or_else(String::new, |cofactor| format!(",cofactor={cofactor:#x}"));
        text
    }

    fn title(&self) -> String {
        match self.named {
            Some(named) => format!("curve:{} ({} over {})", named.name, self.equation.text(), self.field().called()),
            None => self.text(),
        }
    }

    fn description(&self) -> String {
        let mut lines = vec![self.title()];
        lines.extend(self.named.map(|named| named.what.to_owned()));
        lines.push(format!("a group: the points of {} over {}", self.form(), self.field().called()));
        if let (Some(base), Some(order)) = (&self.base, &self.order) {
            let prime = if self.named.is_none_or(|named| named.prime) { "prime order" } else { "order" };
            let cofactor = self.cofactor.as_ref().map_or_else(String::new, |h| format!(", cofactor {h:#x}"));
            lines
                .push(format!("base point: {}, of {prime} {order:#x}{cofactor}", self.point_text(&Some(base.clone()))));
        }
        lines.push("elements: points, as [x, y]; infinity is the neutral element".to_owned());
        lines.extend(self.named.map(|named| format!("source: {}", named.source)));
        lines.join("\n")
    }

    fn package_title(&self) -> String {
        format!("Arithmetic of points of {}", self.text())
    }

    fn bits(&self) -> u32 {
        2 * self.field().bits() + u32::from(self.equation.shape != CurveShape::Edwards)
    }

    /// Without a known order the most points that there can be.
    fn order(&self) -> BigUint {
        match (&self.order, &self.cofactor) {
            (Some(order), _) if self.subgroup => order.clone(),
            (Some(order), Some(cofactor)) => order * cofactor,
            _ => self.field().order() + BigUint::one() + (self.field().order() * 4u32).sqrt(),
        }
    }

    fn element(&self, integer: &BigInt) -> Option<BigUint> {
        let number = integer.to_biguint().filter(|number| number.bits() <= u64::from(self.bits()))?;
        let point = self.unpacked(&number);
        let canonical = |c: &BigUint| self.field().canonical(c).is_none_or(|canonical| canonical == *c);
        let is_point = point.as_ref().is_none_or(|(x, y)| canonical(x) && canonical(y) && self.equation.holds(x, y));
        (is_point && self.packed(&point) == number).then_some(number)
    }

    fn coordinates(&self) -> u32 {
        2 * self.field().coordinates()
    }

    fn read(&self, text: &str, within: Range<usize>) -> Option<Result<BigUint, Diagnostic>> {
        Some(self.point(text, trimmed(text, within)))
    }

    fn written(&self, a: &BigUint) -> Option<String> {
        Some(self.point_text(&self.unpacked(a)))
    }

    fn texts(&self, first: &str) -> usize {
        let half = numbers(first, 0..first.len()).is_ok_and(|n| n == self.field().coordinates() as usize);
        if half && !is_infinity(first) { 2 } else { 1 }
    }

    fn part(&self, part: Part) -> Option<&dyn Structure> {
        match part {
            Part::Scalars => Some(&self.scalars),
            Part::Points => Some(self),
            Part::Coordinates => Some(&self.coordinates),
            Part::Abscissae if matches!(self.equation.shape, CurveShape::Montgomery | CurveShape::Binary) => {
                Some(&self.abscissae)
            }
            _ => None,
        }
    }

    fn generator(&self) -> Option<BigUint> {
        Some(self.packed(&Some(self.base.clone()?)))
    }

    fn zero(&self) -> BigUint {
        self.packed(&self.equation.neutral())
    }

    /// There is no product: the neutral element of the sum.
    fn one(&self) -> BigUint {
        self.zero()
    }

    fn add(&self, a: &BigUint, b: &BigUint) -> Option<BigUint> {
        Some(self.packed(&self.equation.add(&self.unpacked(a), &self.unpacked(b))))
    }

    fn negate(&self, a: &BigUint) -> Option<BigUint> {
        Some(self.packed(&self.equation.negate(&self.unpacked(a))))
    }

    fn complaint(&self, operation: &str, operands: &[BigUint]) -> Option<String> {
        let [_, point] = operands.get(..2).filter(|_| operation == "mul_in_subgroup")? else { return None };
        let is = self.scale(self.order.as_ref()?, point) == self.zero();
        (!is).then(|| "the point is no multiple of the base point\nhelp: scalar_mul takes any point".to_owned())
    }
}

/// Does a text mean the neutral element?
fn is_infinity(text: &str) -> bool {
    INFINITY.contains(&text.trim().to_lowercase().as_str())
}

impl Curve {
    /// The equation with letters for its coefficients.
    fn form(&self) -> &'static str {
        match self.equation.shape {
            CurveShape::Weierstrass => "the short Weierstrass curve y^2 = x^3 + a*x + b",
            CurveShape::Montgomery => "the Montgomery curve B*y^2 = x^3 + A*x^2 + x",
            CurveShape::Edwards => "the twisted Edwards curve a*x^2 + y^2 = 1 + d*x^2*y^2",
            CurveShape::Binary => "the binary curve y^2 + x*y = x^3 + a*x^2 + b",
        }
    }

    fn coordinate_text(&self, a: &BigUint) -> String {
        self.field().written(a).unwrap_or_else(|| format!("{a:#x}"))
    }

    fn point_text(&self, point: &super::Point) -> String {
        match point {
            Some((x, y)) => format!("[{}, {}]", self.coordinate_text(x), self.coordinate_text(y)),
            None => "infinity".to_owned(),
        }
    }

    /// The point at this place.
    fn point(&self, text: &str, within: Range<usize>) -> Result<BigUint, Diagnostic> {
        if is_infinity(&text[within.clone()]) {
            return Ok(self.packed(&self.equation.neutral()));
        }
        let each = self.field().coordinates() as usize;
        let places = items(text, within.clone())?.unwrap_or_default();
        let (x, y) = match places.as_slice() {
            [x, y] => (x.clone(), y.clone()),
            // A flat list of all numbers.
            flat if each > 1 && flat.len() == 2 * each => {
                (flat[0].start..flat[each - 1].end, flat[each].start..flat[2 * each - 1].end)
            }
            other => {
                let found = if other.is_empty() { "one number".to_owned() } else { format!("{} numbers", other.len()) };
                let message = format!("a point of {} has two coordinates, not {found}", self.called());
                return Err(Diagnostic::new(text, within, message).with_help("write it as [x, y], or infinity"));
            }
        };
        let [x, y] = [x, y].map(|at| coordinate(&**self.field(), text, at));
        let (x, y) = (x?, y?);
        if !self.equation.holds(&x, &y) {
            let message = format!("the point is not on {}", self.called());
            let equation = format!("its coordinates do not fulfil {}", self.equation.text());
            return Err(Diagnostic::new(text, within, message).with_help(equation));
        }
        let point = Some((x, y));
        let multiple = || self.order.as_ref().is_none_or(|r| self.equation.scale(r, &point) == self.equation.neutral());
        if self.subgroup && !multiple() {
            let message = format!("the point is on {}, but no multiple of its base point", self.called());
            return Err(Diagnostic::new(text, within, message).with_help("multiply it by the cofactor first"));
        }
        Ok(self.packed(&point))
    }
}
