//! The grammar of descriptions: a name, `intN`, `oddN`, a binary field, or an expression.

use crate::expression::{evaluate, natural, shown};
use crate::lexer::{quoted, shortened};
use crate::{Diagnostic, Field, Integers, MAXIMUM_BITS, MINIMUM_BITS, Modulus, OddModuli, binary_description, names};
use num_bigint::Sign;
use num_traits::ToPrimitive;
use std::ops::Range;

/// The longest description, in bytes.
const MAXIMUM_LENGTH: usize = 8192;

impl Field {
    /// Reads a description: an expression, a name, `int256`, `odd256`, `GF(2^163)` or `GF(2^131):onb2`.
    ///
    /// # Errors
    /// A [`Diagnostic`] that points at the fault and says what would work.
    pub fn parse(text: &str) -> Result<Field, Diagnostic> {
        parse(text)
    }
}

/// Reads a description.
fn parse(text: &str) -> Result<Field, Diagnostic> {
    if text.len() > MAXIMUM_LENGTH {
        let message = format!("a description of {} bytes is too long", text.len());
        return Err(
            Diagnostic::new(text, 0..text.len(), message).with_help(format!("write at most {MAXIMUM_LENGTH} bytes"))
        );
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
    if let Some(bits) = strip_prefix_ignoring_case(trimmed, "odd")
        && !bits.is_empty()
        && bits.bytes().all(|b| b.is_ascii_digit())
    {
        return odd_moduli(text, within, bits);
    }
    if let Some(rest) = strip_prefix_ignoring_case(trimmed, "gf")
        && rest.trim_start().starts_with('(')
    {
        return binary_description::parse(text, within.end - rest.trim_start().len()..within.end);
    }
    // A word without an operator is a wrong name; anything else is read as an expression.
    let operator = trimmed.contains(['+', '*', '^', '(', ')']) || trimmed.contains(" - ");
    if trimmed.starts_with(|c: char| c.is_alphabetic() || c == '_') && !operator {
        return Err(unknown_name(text, within));
    }
    let number = trimmed.bytes().all(|b| b.is_ascii_digit());
    modulus(text, within, trimmed).map_err(|error| if number { did_you_mean(error, trimmed) } else { error })
}

/// What can be written, in one line.
fn examples() -> &'static str {
    "write an expression (2^255 - 19), a name (p256), int256, GF(2^163) or GF(2^131):onb2"
}

/// The rest after a prefix in any case.
fn strip_prefix_ignoring_case<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let head = text.get(..prefix.len())?;
    head.eq_ignore_ascii_case(prefix).then(|| &text[prefix.len()..])
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
    let error = Diagnostic::new(text, within.clone(), format!("there is no field called {}", quoted(wanted)));
    let lower = wanted.to_lowercase();
    // Other spellings of plain integers.
    for prefix in ["uint", "u", "i", "int", "z"] {
        let bits = lower.strip_prefix(prefix).map(|rest| rest.trim_start_matches(['-', '_', ' ']));
        if let Some(bits) =
            bits.filter(|bits| !bits.is_empty() && bits.len() <= 4 && bits.bytes().all(|b| b.is_ascii_digit()))
        {
            return error.with_help(format!("write int{bits} for plain integers of {bits} bits"));
        }
    }
    let error = did_you_mean(error, wanted);
    if error.help.is_empty() {
        error.with_help(examples()).with_help("evariste list fields shows every name")
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
        let what = if value.sign() == Sign::Minus { "negative" } else { "zero" };
        let message = format!("{what}: the modulus would be {}", shown(&value));
        return Err(error(message).with_help("write an odd modulus of at least 3"));
    };
    let bits = natural.bits();
    if natural.to_u32().is_some_and(|value| value < 2) {
        return Err(
            error("too small: modulo 1 there is only zero".to_owned()).with_help("write an odd modulus of at least 3")
        );
    }
    // 2^k itself is the usual way to ask for integers of k bits.
    let plain = if natural.count_ones() == 1 { bits - 1 } else { bits };
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

/// `oddN`.
fn odd_moduli(text: &str, within: Range<usize>, digits: &str) -> Result<Field, Diagnostic> {
    let span = within.end - digits.len()..within.end;
    digits.parse().ok().and_then(OddModuli::new).map(Field::Odd).ok_or_else(|| {
        let message = format!(
            "moduli supplied at run time have {MINIMUM_BITS} to {MAXIMUM_BITS} bits, not {}",
            shortened(digits)
        );
        Diagnostic::new(text, span, message).with_help(format!("write odd{MINIMUM_BITS} to odd{MAXIMUM_BITS}"))
    })
}

/// `intN`.
fn integers(text: &str, within: Range<usize>, digits: &str) -> Result<Field, Diagnostic> {
    let span = within.end - digits.len()..within.end;
    let range = format!("{MINIMUM_BITS} to {MAXIMUM_BITS}");
    digits.parse().ok().and_then(Integers::new).map(Field::Integers).ok_or_else(|| {
        let message = format!("plain integers have {range} bits, not {}", shortened(digits));
        Diagnostic::new(text, span, message).with_help(format!("write int{MINIMUM_BITS} to int{MAXIMUM_BITS}"))
    })
}
