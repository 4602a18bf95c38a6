//! The grammar of descriptions: a name, `intN`, `GF(2^m):basis`, or an expression.

use crate::expression::{evaluate, natural, shown};
use crate::gauss_period::{gaussian_types, has_gaussian_basis, is_small_prime, least_factor};
use crate::lexer::{quoted, shortened};
use crate::{
    Basis, BinaryField, Diagnostic, Field, Integers, MAXIMUM_BITS, MAXIMUM_DEGREE, MINIMUM_BITS,
    Modulus, names,
};
use num_bigint::Sign;
use num_traits::ToPrimitive;
use std::ops::Range;

/// The longest description, in bytes.
const MAXIMUM_LENGTH: usize = 8192;

/// Reads a description.
pub(crate) fn parse(text: &str) -> Result<Field, Diagnostic> {
    if text.len() > MAXIMUM_LENGTH {
        let message = format!("a description of {} bytes is too long", text.len());
        return Err(Diagnostic::new(text, 0..text.len(), message)
            .with_help(format!("write at most {MAXIMUM_LENGTH} bytes")));
    }
    let start = text.len() - text.trim_start().len();
    let within = start..start + text.trim().len();
    let trimmed = &text[within.clone()];
    if trimmed.is_empty() {
        return Err(Diagnostic::new(text, 0..0, "the description is empty").with_help(examples()));
    }
    if let Some(named) = names::by_name(trimmed) {
        return modulus(text, within, named.expression);
    }
    if let Some(bits) = strip_prefix_ignoring_case(trimmed, "int")
        && !bits.is_empty()
        && bits.bytes().all(|b| b.is_ascii_digit())
    {
        return integers(text, within, bits);
    }
    if let Some(rest) = strip_prefix_ignoring_case(trimmed, "gf")
        && rest.trim_start().starts_with('(')
    {
        return binary(text, within.end - rest.trim_start().len()..within.end);
    }
    // A word without an operator is a wrong name; anything else is read as an expression.
    let operator = trimmed.contains(['+', '*', '^', '(', ')']) || trimmed.contains(" - ");
    if trimmed.starts_with(|c: char| c.is_alphabetic() || c == '_') && !operator {
        return Err(unknown_name(text, within));
    }
    let number = trimmed.bytes().all(|b| b.is_ascii_digit());
    modulus(text, within, trimmed).map_err(|error| {
        if number {
            did_you_mean(error, trimmed)
        } else {
            error
        }
    })
}

/// What can be written, in one line.
fn examples() -> &'static str {
    "write an expression (2^255 - 19), a name (p256), int256 or GF(2^131):onb2"
}

/// The rest after a prefix in any case.
fn strip_prefix_ignoring_case<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let head = text.get(..prefix.len())?;
    head.eq_ignore_ascii_case(prefix)
        .then(|| &text[prefix.len()..])
}

/// Adds the nearest names, if any, as a question.
fn did_you_mean(error: Diagnostic, wanted: &str) -> Diagnostic {
    match names::suggestions(wanted).as_slice() {
        [] => error,
        near => error.with_help(format!("did you mean {}?", near.join(" or "))),
    }
}

/// The error for a word that is no name.
fn unknown_name(text: &str, within: Range<usize>) -> Diagnostic {
    let wanted = &text[within.clone()];
    let error = Diagnostic::new(
        text,
        within.clone(),
        format!("there is no field called {}", quoted(wanted)),
    );
    let lower = wanted.to_lowercase();
    // Other spellings of plain integers.
    for prefix in ["uint", "u", "i", "int", "z"] {
        let bits = lower
            .strip_prefix(prefix)
            .map(|rest| rest.trim_start_matches(['-', '_', ' ']));
        if let Some(bits) = bits.filter(|bits| {
            !bits.is_empty() && bits.len() <= 4 && bits.bytes().all(|b| b.is_ascii_digit())
        }) {
            return error.with_help(format!("write int{bits} for plain integers of {bits} bits"));
        }
    }
    let error = did_you_mean(error, wanted);
    if error.help.is_empty() {
        error
            .with_help(examples())
            .with_help("evariste list fields shows every name")
    } else {
        error
    }
}

/// The modulus of an expression: `source` is the text at `within`, or the expression of the name there.
fn modulus(text: &str, within: Range<usize>, source: &str) -> Result<Field, Diagnostic> {
    let value = if source == &text[within.clone()] {
        evaluate(text, within.clone())?
    } else {
        evaluate(source, 0..source.len())?
    };
    let error = |message: String| Diagnostic::new(text, within.clone(), message);
    let Some(natural) = natural(&value).filter(|_| value.sign() == Sign::Plus) else {
        let what = if value.sign() == Sign::Minus {
            "negative"
        } else {
            "zero"
        };
        let message = format!("{what}: the modulus would be {}", shown(&value));
        return Err(error(message).with_help("write an odd modulus of at least 3"));
    };
    let bits = natural.bits();
    if natural.to_u32().is_some_and(|value| value < 2) {
        return Err(error("too small: modulo 1 there is only zero".to_owned())
            .with_help("write an odd modulus of at least 3"));
    }
    // 2^k itself is the usual way to ask for integers of k bits.
    let plain = if natural.count_ones() == 1 {
        bits - 1
    } else {
        bits
    };
    if plain > u64::from(MAXIMUM_BITS) {
        let help = format!("write a modulus of {MINIMUM_BITS} to {MAXIMUM_BITS} bits");
        return Err(error(format!("too large: the modulus has {bits} bits")).with_help(help));
    }
    if natural.bit(0)
        && let Some(modulus) = Modulus::new(natural)
    {
        return Ok(Field::Modular(modulus));
    }
    let error = error("even: Montgomery needs an odd modulus".to_owned());
    Err(if plain >= u64::from(MINIMUM_BITS) {
        error.with_help(format!("write int{plain} for plain integers"))
    } else {
        error.with_help("write an odd modulus of at least 3")
    })
}

/// `intN`.
fn integers(text: &str, within: Range<usize>, digits: &str) -> Result<Field, Diagnostic> {
    let span = within.end - digits.len()..within.end;
    let range = format!("{MINIMUM_BITS} to {MAXIMUM_BITS}");
    digits
        .parse()
        .ok()
        .and_then(Integers::new)
        .map(Field::Integers)
        .ok_or_else(|| {
            let message = format!(
                "plain integers have {range} bits, not {}",
                shortened(digits)
            );
            Diagnostic::new(text, span, message)
                .with_help(format!("write int{MINIMUM_BITS} to int{MAXIMUM_BITS}"))
        })
}

/// `GF(2^m):basis`; `within` begins at the parenthesis.
fn binary(text: &str, within: Range<usize>) -> Result<Field, Diagnostic> {
    let body = &text[within.clone()];
    let form = "write GF(2^131):onb2";
    let Some(close) = body.find(')') else {
        return Err(Diagnostic::new(
            text,
            within.start..within.start + 1,
            "this ( is never closed",
        )
        .with_help(form));
    };
    let inside = within.start + 1..within.start + close;
    let after = within.start + close + 1..within.end;
    let degree = degree(text, inside)?;
    let rest = text[after.clone()].trim();
    let only = match has_gaussian_basis(degree, 2) {
        true => format!(
            "write GF(2^{degree}):onb2: only the optimal normal basis of type 2 is available now"
        ),
        false => format!(
            "only the optimal normal basis of type 2 is available now, and the degree {degree} has none: \
             the nearest are {}",
            nearest(degree)
        ),
    };
    let Some(basis) = rest.strip_prefix(':') else {
        return Err(if rest.is_empty() {
            Diagnostic::new(
                text,
                within.end..within.end,
                "the basis of the binary field is missing",
            )
            .with_help(only)
        } else {
            let start = within.end - rest.len();
            Diagnostic::new(
                text,
                start..within.end,
                format!("{} follows the field", quoted(rest)),
            )
            .with_help(only)
        });
    };
    let basis = basis.trim();
    if !basis.eq_ignore_ascii_case("onb2") {
        let span = within.end - basis.len()..within.end;
        let what = if basis.is_empty() {
            "the basis is missing after the colon".to_owned()
        } else {
            format!("the basis {} is not known", quoted(basis))
        };
        return Err(Diagnostic::new(text, span, what).with_help(only));
    }
    let field = BinaryField::new(degree, Basis::OptimalNormalTwo);
    field
        .map(Field::Binary)
        .ok_or_else(|| no_basis(text, within.start + 1..within.start + close, degree))
}

/// The degree m of `2^m`, from the text between the parentheses.
fn degree(text: &str, inside: Range<usize>) -> Result<u32, Diagnostic> {
    let body = &text[inside.clone()];
    let error = |span: Range<usize>, message: String| {
        Err(Diagnostic::new(text, span, message).with_help("write GF(2^131):onb2"))
    };
    let Some((base, exponent)) = body.split_once('^') else {
        let named = names::by_name(body).is_some()
            || body.trim().bytes().all(|b| b.is_ascii_digit()) && !body.trim().is_empty();
        return if named {
            let help = format!(
                "write {} alone for the integers modulo it",
                shortened(body.trim())
            );
            Err(Diagnostic::new(
                text,
                inside,
                "a binary field is written with its degree, GF(2^m)",
            )
            .with_help(help))
        } else {
            error(
                inside,
                "a binary field is written with its degree, GF(2^m)".to_owned(),
            )
        };
    };
    if base.trim() != "2" {
        let span = inside.start..inside.start + base.len();
        return error(
            span,
            format!(
                "the characteristic {} is not supported: only 2 is",
                quoted(base.trim())
            ),
        );
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
            Err(Diagnostic::new(text, span, message).with_help(format!(
                "write a degree of {MINIMUM_BITS} to {MAXIMUM_DEGREE}"
            )))
        }
    }
}

/// The error for a degree without an optimal normal basis of type 2: why, which types and which degrees exist.
fn no_basis(text: &str, span: Range<usize>, degree: u32) -> Diagnostic {
    let p = 2 * degree + 1;
    let why = if is_small_prime(p) {
        format!("2*{degree} + 1 = {p} is prime, but the powers of 2 are too few modulo it")
    } else {
        format!(
            "2*{degree} + 1 = {p} is not prime: {} divides it",
            least_factor(p)
        )
    };
    let types: Vec<String> = gaussian_types(degree, 20)
        .iter()
        .map(u32::to_string)
        .collect();
    let exist = match types.as_slice() {
        _ if degree.is_multiple_of(8) => {
            format!("no Gaussian normal basis exists for {degree}: 8 divides it")
        }
        [] => format!("no type up to 20 exists for {degree}"),
        [one] => format!("type {one} exists for {degree}, but is not available now"),
        [all @ .., last] => format!(
            "types {} and {last} exist for {degree}, but are not available now",
            all.join(", ")
        ),
    };
    Diagnostic::new(
        text,
        span,
        format!("there is no normal basis of type 2 for the degree {degree}: {why}"),
    )
    .with_help(exist)
    .with_help(format!("the nearest with type 2: {}", nearest(degree)))
}

/// The nearest degrees on both sides with an optimal normal basis of type 2, as descriptions.
fn nearest(degree: u32) -> String {
    let below = (MINIMUM_BITS..degree)
        .rev()
        .find(|&m| has_gaussian_basis(m, 2));
    let above = (degree + 1..=MAXIMUM_DEGREE).find(|&m| has_gaussian_basis(m, 2));
    let near: Vec<String> = below
        .iter()
        .chain(&above)
        .map(|m| format!("GF(2^{m}):onb2"))
        .collect();
    near.join(" and ")
}
