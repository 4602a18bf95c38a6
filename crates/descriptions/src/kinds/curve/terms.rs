//! Equations of curves as text: `y^2=x^3-3*x+7`, with numbers and the variables of a tower in the coefficients.

use std::collections::BTreeMap;
use std::ops::Range;

use num_bigint::{BigInt, BigUint};
use num_traits::{One, Zero};

use super::equation::{CurveShape, Equation};
use crate::kinds::modulus::Modulus;
use crate::kinds::tower::{Tower, text as tower_text};
use crate::{Diagnostic, Field, Structure, algebra};

/// The forms that are understood.
const FORMS: &str =
    "write y^2=x^3+a*x+b, B*y^2=x^3+A*x^2+x, a*x^2+y^2=1+d*x^2*y^2, or over a binary field y^2+x*y=x^3+a*x^2+b";

/// The difference of both sides: coefficients by the exponents of x and y.
type Terms = BTreeMap<[u32; 2], BigUint>;

/// The equation at `within`, over a field.
pub(super) fn equation(field: &Field, text: &str, within: Range<usize>) -> Result<Equation, Diagnostic> {
    let form = |message: &str| Diagnostic::new(text, within.clone(), message).with_help(FORMS);
    let part = &text[within.clone()];
    let middle = part.find('=').map(|at| within.start + at).ok_or_else(|| form("an equation has a ="))?;
    let mut terms = side(field, text, within.start..middle)?;
    for (exponents, coefficient) in side(field, text, middle + 1..within.end)? {
        let difference = terms.entry(exponents).or_default();
        *difference = field.subtract(difference, &coefficient).unwrap_or_default();
    }
    terms.retain(|_, coefficient| !coefficient.is_zero());
    let (shape, coefficients) = recognised(field, terms).ok_or_else(|| form("this is none of the forms of curves"))?;
    Ok(Equation { field: field.clone(), shape, coefficients })
}

/// The form of `terms = 0`, and its coefficients.
fn recognised(field: &Field, mut terms: Terms) -> Option<(CurveShape, [BigUint; 2])> {
    let minus = |a: &BigUint| field.negate(a).unwrap_or_default();
    let one = field.one();
    let mut take = |x: u32, y: u32| terms.remove(&[x, y]).unwrap_or_default();
    let (yy, cube, xx, constant) = (take(0, 2), take(3, 0), take(2, 0), take(0, 0));
    let (both, cross, x) = (take(2, 2), take(1, 1), take(1, 0));
    let found = if !Equation::is_odd(field) {
        let fits = yy == one && cross == one && cube == one && both.is_zero() && x.is_zero();
        fits.then_some((CurveShape::Binary, [xx, constant]))
    } else if !cross.is_zero() {
        None
    } else if !both.is_zero() {
        let fits = yy == one && constant == minus(&one) && cube.is_zero() && x.is_zero();
        fits.then(|| (CurveShape::Edwards, [xx, minus(&both)]))
    } else if !xx.is_zero() {
        let fits = cube == minus(&one) && x == minus(&one) && constant.is_zero();
        fits.then(|| (CurveShape::Montgomery, [minus(&xx), yy]))
    } else {
        let fits = yy == one && cube == minus(&one);
        fits.then(|| (CurveShape::Weierstrass, [minus(&x), minus(&constant)]))
    };
    found.filter(|_| terms.is_empty())
}

/// A side of an equation.
fn side(field: &Field, text: &str, within: Range<usize>) -> Result<Terms, Diagnostic> {
    let tower = field.get::<Tower>();
    let mut variables: Vec<String> =
        tower.map_or_else(Vec::new, |tower| tower.ring.floors.iter().map(|floor| floor.variable.clone()).collect());
    variables.extend(["x", "y"].map(str::to_owned));
    let mut terms = Terms::new();
    for (exponents, coefficient) in algebra::polynomial(text, within.clone(), &variables)? {
        let (roots, point) = exponents.split_at(exponents.len() - 2);
        let number = number(field, &coefficient).ok_or_else(|| {
            let message = format!("a coefficient has more than {} bits", field.bits());
            Diagnostic::new(text, within.clone(), message).with_help("bit i of a number is the coefficient of x^i")
        })?;
        let value = roots.iter().enumerate().try_fold(number, |value, (floor, exponent)| {
            let tower = tower?;
            let root = BigUint::one() << (tower.ring.size(floor) * tower.base.bits as usize);
            tower.multiply(&value, &tower.power(&root, &(*exponent).into())?)
        });
        let sum = terms.entry([point[0], point[1]]).or_default();
        *sum = field.add(sum, &value.unwrap_or_default()).unwrap_or_default();
    }
    Ok(terms)
}

/// An integer as an element. Signs mean nothing in binary fields.
fn number(field: &Field, integer: &BigInt) -> Option<BigUint> {
    match field.get::<Tower>() {
        Some(tower) => tower.base.element(integer),
        None if Equation::is_odd(field) => field.element(integer),
        None => field.element(&BigInt::from(integer.magnitude().clone())),
    }
}

impl Equation {
    /// The equation as text.
    pub fn text(&self) -> String {
        let [c0, c1] = &self.coefficients;
        let term = |coefficient: &BigUint, of: &str| term(&self.field, coefficient, of);
        let leading = |text: String| text.strip_prefix('+').map(str::to_owned).unwrap_or(text);
        match self.shape {
            CurveShape::Weierstrass => format!("y^2=x^3{}{}", term(c0, "x"), term(c1, "")),
            CurveShape::Montgomery => format!("{}=x^3{}+x", leading(term(c1, "y^2")), term(c0, "x^2")),
            CurveShape::Edwards => format!("{}+y^2=1{}", leading(term(c0, "x^2")), term(c1, "x^2*y^2")),
            CurveShape::Binary => format!("y^2+x*y=x^3{}{}", term(c0, "x^2"), term(c1, "")),
        }
    }
}

/// `+3*x`, `-(1+u)`, or nothing for 0.
fn term(field: &Field, coefficient: &BigUint, of: &str) -> String {
    if coefficient.is_zero() {
        return String::new();
    }
    let text = match (field.get::<Tower>(), field.get::<Modulus>()) {
        (Some(tower), _) => tower_text::element(&tower.ring, tower.height(), &tower.unpacked(coefficient)),
        (None, Some(modulus)) => {
            let opposite = &modulus.value - coefficient;
            if opposite < *coefficient && opposite.bits() <= 64 { format!("-{opposite}") } else { shown(coefficient) }
        }
        (None, None) => shown(coefficient),
    };
    let (sign, size) = text.strip_prefix('-').map_or(("+", text.as_str()), |size| ("-", size));
    let single = !size.contains(['+', '-']);
    match (single, of.is_empty()) {
        (true, false) if size == "1" => format!("{sign}{of}"),
        (true, true) => format!("{sign}{size}"),
        (true, false) => format!("{sign}{size}*{of}"),
        (false, true) => format!("+({text})"),
        (false, false) => format!("+({text})*{of}"),
    }
}

fn shown(number: &BigUint) -> String {
    if number.bits() <= 64 { number.to_string() } else { format!("{number:#x}") }
}
