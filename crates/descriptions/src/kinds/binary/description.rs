//! The grammar of binary fields: `GF(2^163)`, `GF(2^131):onb2`, `GF(2^163):gnb4`, `GF(2)[x]/(x^163+x^7+x^6+x^3+1)`.

use std::ops::Range;

use num_bigint::BigUint;
use num_traits::{Num, Zero};

use super::gauss_period::{gaussian_types, has_gaussian_basis, is_small_prime, least_factor};
use super::{BinaryField, NoField};
use crate::diagnostic::Diagnostic;
use crate::field::Field;
use crate::kind::Kind;
use crate::lexer::{quoted, shortened};
use crate::limits::{MAXIMUM_DEGREE, MINIMUM_BITS};
use crate::names;

/// What can be written.
const FORMS: &str = "write GF(2^163), GF(2^131):onb2, GF(2^163):gnb4 or GF(2)[x]/(x^163+x^7+x^6+x^3+1)";

/// Types of normal bases that help lists, and the largest that is looked for.
const MOST_TYPE: u32 = 20;

/// Binary fields.
pub(crate) const KIND: Kind = Kind {
    what: "a field of characteristic two",
    example: "GF(2^163)",
    again: None,
    parse: |text, within| {
        let trimmed = &text[within.clone()];
        let rest =
            trimmed.get(..2).filter(|head| head.eq_ignore_ascii_case("gf")).map(|_| trimmed[2..].trim_start())?;
        rest.starts_with('(').then(|| parse(text, within.end - rest.len()..within.end))
    },
};

/// A description; `within` begins at the parenthesis.
fn parse(text: &str, within: Range<usize>) -> Result<Field, Diagnostic> {
    let body = &text[within.clone()];
    let Some(close) = body.find(')') else {
        return Err(Diagnostic::new(text, within.start..within.start + 1, "this ( is never closed").with_help(FORMS));
    };
    let inside = within.start + 1..within.start + close;
    let after = within.start + close + 1..within.end;
    if text[inside.clone()].trim() == "2" {
        return quotient(text, after).map(Field::new);
    }
    let degree = degree(text, inside.clone())?;
    let rest = text[after].trim();
    let field = match rest.strip_prefix(':') {
        Some(basis) => {
            let basis = basis.trim();
            normal(text, within.end - basis.len()..within.end, degree)?
        }
        None if rest.is_empty() => BinaryField::standard(degree),
        None => {
            let start = within.end - rest.len();
            let message = format!("{} follows the field", quoted(rest));
            return Err(Diagnostic::new(text, start..within.end, message).with_help(bases(degree)));
        }
    };
    field.map(Field::new).ok_or_else(|| {
        let basis_type = rest.trim_start_matches(|c: char| !c.is_ascii_digit());
        no_basis(text, within.start + 1..inside.end, degree, basis_type.parse().unwrap_or(2))
    })
}

/// `onb1`, `onb2`, `gnbT`: the field, or `None` where the basis does not exist.
fn normal(text: &str, span: Range<usize>, degree: u32) -> Result<Option<BinaryField>, Diagnostic> {
    let basis = text[span.clone()].to_ascii_lowercase();
    let basis_type = match basis.as_str() {
        "onb1" => Some(1),
        "onb2" => Some(2),
        other => other.strip_prefix("gnb").and_then(|t| t.parse::<u32>().ok()),
    };
    match basis_type {
        Some(t) if (1..=1024).contains(&t) => Ok(BinaryField::normal(degree, t)),
        _ => {
            let what = if basis.is_empty() {
                "the basis is missing after the colon".to_owned()
            } else {
                format!("the basis {} is not known", quoted(&text[span.clone()]))
            };
            Err(Diagnostic::new(text, span, what).with_help(bases(degree)))
        }
    }
}

/// The bases of a degree, as descriptions.
fn bases(degree: u32) -> String {
    let types = gaussian_types(degree, MOST_TYPE);
    let normal = types.iter().take(3).map(|t| match t {
        1 | 2 => format!("GF(2^{degree}):onb{t}"),
        _ => format!("GF(2^{degree}):gnb{t}"),
    });
    let all: Vec<String> = normal.chain([format!("GF(2^{degree}) for polynomials")]).collect();
    format!("write {}", all.join(" or "))
}

/// `[x]/(polynomial)`.
fn quotient(text: &str, within: Range<usize>) -> Result<BinaryField, Diagnostic> {
    let rest = &text[within.clone()];
    let error = |span: Range<usize>, message: String| {
        Diagnostic::new(text, span, message)
            .with_help("write GF(2)[x]/(x^163+x^7+x^6+x^3+1), or GF(2^163) for the usual polynomial")
    };
    let mut start = within.start;
    for (token, what) in [("[", "[x]"), ("x", "[x]"), ("]", "[x]"), ("/", "/(polynomial)"), ("(", "(polynomial)")] {
        start += text[start..within.end].len() - text[start..within.end].trim_start().len();
        if !text[start..within.end].starts_with(token) {
            return Err(error(start..within.end, format!("{what} is missing after GF(2)")));
        }
        start += 1;
    }
    let Some(length) = rest.trim_end().strip_suffix(')').map(|r| within.start + r.len()) else {
        return Err(error(start - 1..start, "this ( is never closed".to_owned()));
    };
    let span = start..length.max(start);
    let f = polynomial(text, span.clone())?;
    BinaryField::polynomial(&f).map_err(|why| match why {
        NoField::Degree(degree) => Diagnostic::new(text, span, format!("the degree {degree} is not supported"))
            .with_help(format!("write a polynomial of degree {MINIMUM_BITS} to {MAXIMUM_DEGREE}")),
        NoField::Factor(factor) => {
            let degree = f.bits() - 1;
            let usual = BinaryField::standard(degree as u32).map(|f| f.text()).unwrap_or_default();
            Diagnostic::new(text, span, format!("reducible: {} divides the polynomial", shortened(&factor)))
                .with_help(format!("irreducible of degree {degree}: {usual}"))
        }
    })
}

/// A sum of `1`, `x` and `x^k`, or its coefficients as a hexadecimal number.
fn polynomial(text: &str, span: Range<usize>) -> Result<BigUint, Diagnostic> {
    let body = &text[span.clone()];
    let error = |span: Range<usize>, message: String| {
        Err(Diagnostic::new(text, span, message)
            .with_help("write a sum of 1, x and powers x^k, or the coefficients as a number: 0x11b"))
    };
    if let Some(digits) = body.trim().strip_prefix("0x") {
        return match BigUint::from_str_radix(digits, 16) {
            Ok(f) => Ok(f),
            Err(_) => error(span, format!("{} is not a hexadecimal number", quoted(body.trim()))),
        };
    }
    let mut f = BigUint::zero();
    let mut start = span.start;
    for term in body.split('+') {
        let own = start..start + term.len();
        start = own.end + 1;
        let blanks = term.len() - term.trim_start().len();
        let own = own.start + blanks..own.start + blanks + term.trim().len();
        let exponent = match term.trim() {
            "" => return error(own, "a term is missing".to_owned()),
            "1" => Some(0),
            "x" => Some(1),
            power => power
                .strip_prefix('x')
                .map(str::trim_start)
                .and_then(|r| r.strip_prefix('^'))
                .and_then(|r| r.trim().parse::<u64>().ok()),
        };
        match exponent {
            Some(e) if e > u64::from(MAXIMUM_DEGREE) => {
                let message = format!("the degree {e} is not supported");
                let help = format!("write a polynomial of degree {MINIMUM_BITS} to {MAXIMUM_DEGREE}");
                return Err(Diagnostic::new(text, own, message).with_help(help));
            }
            Some(e) if f.bit(e) => return error(own, format!("{} occurs twice", quoted(term.trim()))),
            Some(e) => f.set_bit(e, true),
            None => return error(own, format!("{} is not a power of x", quoted(term.trim()))),
        }
    }
    Ok(f)
}

/// The degree m of `2^m`, from the text between the parentheses.
fn degree(text: &str, inside: Range<usize>) -> Result<u32, Diagnostic> {
    let body = &text[inside.clone()];
    let error = |span: Range<usize>, message: String| Err(Diagnostic::new(text, span, message).with_help(FORMS));
    let Some((base, exponent)) = body.split_once('^') else {
        let named = names::by_name(body).is_some()
            || body.trim().bytes().all(|b| b.is_ascii_digit()) && !body.trim().is_empty();
        return if named {
            let help = format!("write {} alone for the integers modulo it", shortened(body.trim()));
            Err(Diagnostic::new(text, inside, "a binary field is written with its degree, GF(2^m)").with_help(help))
        } else {
            error(inside, "a binary field is written with its degree, GF(2^m)".to_owned())
        };
    };
    if base.trim() != "2" {
        let span = inside.start..inside.start + base.len();
        return error(span, format!("the characteristic {} is not supported: only 2 is", quoted(base.trim())));
    }
    let span = inside.end - exponent.len()..inside.end;
    let digits = exponent.trim();
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        let what = if digits.is_empty() {
            "the degree is missing".to_owned()
        } else {
            format!("the degree {} is not a number", quoted(digits))
        };
        return error(span, what);
    }
    match digits.parse() {
        Ok(degree) if (MINIMUM_BITS..=MAXIMUM_DEGREE).contains(&degree) => Ok(degree),
        _ => {
            let message = format!("the degree {} is not supported", shortened(digits));
            Err(Diagnostic::new(text, span, message)
                .with_help(format!("write a degree of {MINIMUM_BITS} to {MAXIMUM_DEGREE}")))
        }
    }
}

/// The error for a degree without a normal basis of a type: why, which types and which degrees exist.
fn no_basis(text: &str, span: Range<usize>, degree: u32, basis_type: u32) -> Diagnostic {
    let p = u64::from(basis_type) * u64::from(degree) + 1;
    let small = u32::try_from(p).unwrap_or(u32::MAX);
    let why = if is_small_prime(small) {
        format!("{basis_type}*{degree} + 1 = {p} is prime, but the powers of 2 are too few modulo it")
    } else {
        format!("{basis_type}*{degree} + 1 = {p} is not prime: {} divides it", least_factor(small))
    };
    let types: Vec<String> = gaussian_types(degree, MOST_TYPE).iter().map(u32::to_string).collect();
    let exist = match types.as_slice() {
        _ if degree.is_multiple_of(8) => {
            format!("no Gaussian normal basis exists for {degree}: 8 divides it")
        }
        [] => format!("no type up to {MOST_TYPE} exists for {degree}"),
        [one] => format!("type {one} exists: GF(2^{degree}):gnb{one}"),
        [all @ .., last] => format!("types {} and {last} exist: GF(2^{degree}):gnb{}", all.join(", "), all[0]),
    };
    let error = Diagnostic::new(
        text,
        span,
        format!("there is no normal basis of type {basis_type} for the degree {degree}: {why}"),
    )
    .with_help(exist);
    match nearest(degree, basis_type) {
        near if near.is_empty() => error,
        near => error.with_help(format!("the nearest with type {basis_type}: {near}")),
    }
}

/// The nearest degrees on both sides with a normal basis of a type, as descriptions.
fn nearest(degree: u32, basis_type: u32) -> String {
    let exists = |m: &u32| has_gaussian_basis(*m, basis_type);
    let below = (MINIMUM_BITS..degree).rev().find(exists);
    let above = (degree + 1..=MAXIMUM_DEGREE).find(exists);
    let name = if basis_type <= 2 { "onb" } else { "gnb" };
    let near: Vec<String> = below.iter().chain(&above).map(|m| format!("GF(2^{m}):{name}{basis_type}")).collect();
    near.join(" and ")
}
