//! The grammar of curves: `curve:` and a name (`curve:p256`), or
//!
//! ```text
//! curve:EQUATION@FIELD[,base=[X,Y]][,order=N][,cofactor=H]
//! curve:y^2=x^3-3x+0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b@p256
//! ```
//!
//! The equation is in x and y and one of four forms (see [`CurveShape`](super::CurveShape)); its coefficients are numbers and the
//! variables of a tower, in binary fields numbers whose bit i is the coefficient of the power i. Singular curves are
//! refused; what is said of a base point is checked.

use std::ops::Range;

use num_bigint::{BigUint, Sign};

use super::again::again;
use super::check::{Base, Given, check};
use super::equation::Equation;
use super::tables::{CURVES, NamedCurve};
use super::{Curve, terms};
use crate::kind::Kind;
use crate::kinds::binary::BinaryField;
use crate::kinds::modulus::Modulus;
use crate::kinds::tower::Tower;
use crate::lexer::quoted;
use crate::lists::{coordinate, integer, items, trimmed};
use crate::names::{nearest, normalised};
use crate::{Diagnostic, Field, Structure};

/// Curves.
pub(crate) const KIND: Kind =
    Kind { what: "points of an elliptic curve", example: "curve:p256", again: Some(again), parse };

/// What curves begin with.
const PREFIX: &str = "curve:";

/// The most bits of an element of the field: what is said of a base point is checked by a multiplication.
const MAXIMUM_BITS: u32 = 1024;

/// What can be written.
const FORM: &str = "write a name (curve:p256), or an equation and its field: curve:y^2=x^3-3x+7@p256";

fn parse(text: &str, within: Range<usize>) -> Option<Result<Field, Diagnostic>> {
    let head = text[within.clone()].get(..PREFIX.len())?;
    head.eq_ignore_ascii_case(PREFIX)
        .then(|| curve(text, trimmed(text, within.start + PREFIX.len()..within.end)).map(Field::new))
}

/// The entry of that name.
pub(crate) fn by_name(text: &str) -> Option<&'static NamedCurve> {
    let wanted = normalised(text);
    CURVES.iter().find(|named| named.name == wanted || named.aliases.contains(&wanted.as_str()))
}

/// The curve of an entry of the table, whose constants are known to be right.
pub(crate) fn named(named: &'static NamedCurve) -> Curve {
    let read = |field: &dyn Structure, text: &str| {
        let read = coordinate(field, text, 0..text.len());
        read.unwrap_or_else(|error| unreachable!("the table's constants can be read: {error}"))
    };
    let natural = |text: &str| integer(text, 0..text.len()).ok().and_then(|value| value.to_biguint());
    let field =
        Field::parse(named.field).unwrap_or_else(|error| unreachable!("the table's fields are fields: {error}"));
    let [coefficients, [x, y]] = [named.coefficients, named.base].map(|texts| texts.map(|text| read(&*field, text)));
    let equation = Equation { field, shape: named.shape, coefficients };
    let mut curve = Curve::new(equation).with_base(Some((x, y)), natural(named.order), natural(named.cofactor));
    curve.named = Some(named);
    curve
}

/// The curve at `within`, after the prefix.
fn curve(text: &str, within: Range<usize>) -> Result<Curve, Diagnostic> {
    let part = &text[within.clone()];
    if let Some(entry) = by_name(part) {
        return Ok(named(entry));
    }
    let Some(at) = part.find('@').map(|at| within.start + at) else {
        if part.contains('=') {
            return Err(Diagnostic::new(text, within.end..within.end, "the field of the curve is missing")
                .with_help("write @ and a field after the equation: curve:y^2=x^3-3x+7@p256"));
        }
        return Err(unknown(text, within));
    };
    // Behind the field: what is said of the base point.
    let places: Vec<usize> = text[at..within.end].match_indices(',').map(|(comma, _)| at + comma).collect();
    let mut keys: Vec<usize> = places.into_iter().filter(|comma| key(text, *comma, within.end).is_some()).collect();
    let end = keys.first().copied().unwrap_or(within.end);
    let field = field(text, trimmed(text, at + 1..end))?;
    let place = trimmed(text, within.start..at);
    let equation = terms::equation(&field, text, place.clone())?;
    if let Some(why) = equation.fault() {
        return Err(
            Diagnostic::new(text, place, format!("this is no curve: {why}")).with_help("write other coefficients")
        );
    }
    keys.push(within.end);
    let mut given = Base::default();
    for pair in keys.windows(2) {
        let Some((name, start)) = key(text, pair[0], within.end) else { continue };
        let at = trimmed(text, start..pair[1]);
        match name {
            "base" => given.point = Some((point(&field, text, at.clone())?, at)),
            "order" => given.order = Some(number(text, at)?),
            _ => given.cofactor = Some(number(text, at)?),
        }
    }
    check(&equation, &given, text)?;
    let [order, cofactor] = [given.order, given.cofactor].map(|given| given.map(|(value, _)| value));
    let base = given.point.map(|(point, _)| point);
    Ok(same(&equation, base.as_ref(), order.as_ref(), cofactor.as_ref())
        .unwrap_or_else(|| Curve::new(equation).with_base(base, order, cofactor)))
}

/// The named curve of this equation, unless something else is said of its base point.
fn same(
    equation: &Equation,
    base: Option<&(BigUint, BigUint)>,
    order: Option<&BigUint>,
    cofactor: Option<&BigUint>,
) -> Option<Curve> {
    let field = equation.field.called();
    let candidates = CURVES.iter().filter(|entry| entry.shape == equation.shape && entry.field == field);
    candidates.map(named).find(|curve| {
        curve.equation == *equation
            && base.is_none_or(|base| curve.base.as_ref() == Some(base))
            && order.is_none_or(|order| curve.order.as_ref() == Some(order))
            && cofactor.is_none_or(|cofactor| curve.cofactor.as_ref() == Some(cofactor))
    })
}

/// The key behind the comma at this place, and where its value begins.
fn key(text: &str, comma: usize, end: usize) -> Option<(&'static str, usize)> {
    let rest = text[comma + 1..end].trim_start();
    ["base", "order", "cofactor"].into_iter().find_map(|name| {
        let value = rest.strip_prefix(name)?.trim_start().strip_prefix('=')?;
        Some((name, end - value.len()))
    })
}

/// The field at this place.
fn field(text: &str, at: Range<usize>) -> Result<Field, Diagnostic> {
    if text[at.clone()].to_lowercase().starts_with(PREFIX) {
        return Err(Diagnostic::new(text, at, "a curve stands on a field, not on a curve").with_help(FORM));
    }
    let field = Field::parse(&text[at.clone()]).map_err(|error| error.inside(text, at.start))?;
    let prime = field.get::<Modulus>().is_some_and(|modulus| modulus.prime);
    let taken = |tower: &Tower| tower.ring.floors.iter().any(|floor| ["x", "y"].contains(&floor.variable.as_str()));
    let message = match field.get::<Tower>() {
        _ if field.bits() > MAXIMUM_BITS => {
            format!("curves stand on fields of at most {MAXIMUM_BITS} bits, not {}", field.bits())
        }
        Some(tower) if taken(tower) => "the variables x and y are those of the curve, not of its field".to_owned(),
        Some(_) => return Ok(field),
        None if prime || field.get::<BinaryField>().is_some() => return Ok(field),
        None => format!("a curve stands on a field, and {} is none", field.called()),
    };
    Err(Diagnostic::new(text, at, message)
        .with_help("write a prime field (p256), a tower (bls12-381-fp2) or a binary field (GF(2^163))"))
}

/// The base point at this place.
fn point(field: &Field, text: &str, at: Range<usize>) -> Result<(BigUint, BigUint), Diagnostic> {
    match items(text, at.clone())?.as_deref() {
        Some([x, y]) => Ok((coordinate(&**field, text, x.clone())?, coordinate(&**field, text, y.clone())?)),
        _ => Err(Diagnostic::new(text, at, "a base point has two coordinates").with_help("write it as [x, y]")),
    }
}

/// The natural number at this place.
fn number(text: &str, at: Range<usize>) -> Result<Given<BigUint>, Diagnostic> {
    let value = integer(text, at.clone())?;
    match value.to_biguint().filter(|_| value.sign() == Sign::Plus) {
        Some(natural) => Ok((natural, at)),
        None => Err(Diagnostic::new(text, at, "this is to be a number above 0").with_help("write it as 7 or 0x1f")),
    }
}

/// The error for a word that is no name.
fn unknown(text: &str, within: Range<usize>) -> Diagnostic {
    let wanted = &text[within.clone()];
    if wanted.is_empty() {
        return Diagnostic::new(text, within, "the curve is missing").with_help(FORM);
    }
    let error = Diagnostic::new(text, within.clone(), format!("there is no curve called {}", quoted(wanted)));
    match nearest(wanted, CURVES.iter().map(|named| (named.name, named.aliases))).as_slice() {
        [] => error.with_help(FORM).with_help("evariste list fields shows every name"),
        near => {
            let near: Vec<String> = near.iter().map(|name| format!("{PREFIX}{name}")).collect();
            error.with_help(format!("did you mean {}?", near.join(" or ")))
        }
    }
}
