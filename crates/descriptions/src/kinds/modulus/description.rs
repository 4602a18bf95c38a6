//! The grammar of moduli: a name or an expression. It takes what no other kind does, and says what is wrong with it.

use std::ops::Range;

use num_bigint::Sign;
use num_traits::ToPrimitive;

use super::Modulus;
use crate::diagnostic::Diagnostic;
use crate::expression::{evaluate, natural, shown};
use crate::field::Field;
use crate::kind::{EXAMPLES, Kind};
use crate::lexer::quoted;
use crate::limits::{MAXIMUM_BITS, MINIMUM_BITS};
use crate::names;

/// Moduli.
pub(crate) const KIND: Kind = Kind { what: "the integers modulo a number", example: "2^255 - 19", parse, again: None };

fn parse(text: &str, within: Range<usize>) -> Option<Result<Field, Diagnostic>> {
    let trimmed = &text[within.clone()];
    if let Some(named) = names::by_name(trimmed) {
        return Some(modulus(text, within, named.expression));
    }
    // A word without an operator is a wrong name; anything else is read as an expression.
    let operator = trimmed.contains(['+', '*', '^', '(', ')']) || trimmed.contains(" - ");
    if trimmed.starts_with(|c: char| c.is_alphabetic() || c == '_') && !operator {
        return Some(Err(unknown_name(text, within)));
    }
    let number = trimmed.bytes().all(|b| b.is_ascii_digit());
    Some(modulus(text, within, trimmed).map_err(|error| if number { did_you_mean(error, trimmed) } else { error }))
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
        error.with_help(EXAMPLES).with_help("evariste list fields shows every name")
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
        return Err(error(message).with_help(LEAST));
    };
    if natural.to_u32().is_some_and(|value| value < 3) {
        let (one, two) = ("modulo 1 there is only zero", "modulo 2 there are only two elements");
        let why = if natural.bit(0) { one } else { two };
        return Err(error(format!("too small: {why}")).with_help(LEAST));
    }
    let bits = natural.bits();
    Modulus::new(natural).map(Field::new).ok_or_else(|| {
        let help = format!("write a modulus whose elements have {MINIMUM_BITS} to {MAXIMUM_BITS} bits");
        error(format!("too large: the modulus has {bits} bits")).with_help(help)
    })
}

/// What to do about moduli that are too small.
const LEAST: &str = "write a modulus of at least 3";
