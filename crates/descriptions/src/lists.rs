//! Lists in brackets, `[1, [0x2, 3]]`: how elements are written that have several coordinates.

use std::ops::Range;

use num_bigint::{BigInt, BigUint, Sign};

use crate::expression::{evaluate, shown};
use crate::lexer::quoted;
use crate::{Diagnostic, Structure};

/// Brackets inside each other that are read.
const MAXIMUM_DEPTH: usize = 16;

/// The part of `within` without blanks around it.
pub(crate) fn trimmed(text: &str, within: Range<usize>) -> Range<usize> {
    let part = &text[within.clone()];
    let start = within.start + part.len() - part.trim_start().len();
    start..start + part.trim().len()
}

/// The places of the items of the list at `within`, in brackets or without them; `None` where there is no list.
pub(crate) fn items(text: &str, within: Range<usize>) -> Result<Option<Vec<Range<usize>>>, Diagnostic> {
    let within = trimmed(text, within);
    let closed = closing(text, &within)?;
    let bracketed = text[within.clone()].starts_with('[') && closed == Some(within.end - 1);
    let inside = if bracketed { within.start + 1..within.end - 1 } else { within };
    let commas = commas(text, &inside);
    if !bracketed && commas.is_empty() {
        return Ok(None);
    }
    let starts = std::iter::once(inside.start).chain(commas.iter().map(|comma| comma + 1));
    let ends = commas.iter().copied().chain([inside.end]);
    let items: Vec<Range<usize>> = starts.zip(ends).map(|(start, end)| trimmed(text, start..end)).collect();
    match items.iter().find(|item| item.is_empty()) {
        Some(item) => Err(Diagnostic::new(text, item.clone(), "a coordinate is missing here")
            .with_help("write a number such as 0 or 0x1f between commas")),
        None => Ok(Some(items)),
    }
}

/// Where the first bracket of `within` is closed; an error where brackets do not match.
fn closing(text: &str, within: &Range<usize>) -> Result<Option<usize>, Diagnostic> {
    let (mut open, mut first): (Vec<usize>, Option<usize>) = (Vec::new(), None);
    for (at, c) in text[within.clone()].char_indices() {
        let at = within.start + at;
        match c {
            '[' => open.push(at),
            ']' if open.pop().is_none() => {
                return Err(Diagnostic::new(text, at..at + 1, "this ] has no [ before it").with_help("drop it"));
            }
            ']' if open.is_empty() => first = first.or(Some(at)),
            _ => {}
        }
        if open.len() > MAXIMUM_DEPTH {
            return Err(Diagnostic::new(
                text,
                at..at + 1,
                format!("more than {MAXIMUM_DEPTH} brackets inside each other"),
            )
            .with_help("coordinates may be written as one flat list"));
        }
    }
    match open.last() {
        Some(at) => Err(Diagnostic::new(text, *at..*at + 1, "this [ is not closed").with_help("write a ] behind it")),
        None => Ok(first),
    }
}

/// The commas outside of brackets.
fn commas(text: &str, within: &Range<usize>) -> Vec<usize> {
    let mut depth = 0usize;
    let mut found = Vec::new();
    for (at, c) in text[within.clone()].char_indices() {
        match c {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => found.push(within.start + at),
            _ => {}
        }
    }
    found
}

/// How many numbers the list at `within` has, those of lists in it counted one by one.
pub(crate) fn numbers(text: &str, within: Range<usize>) -> Result<usize, Diagnostic> {
    match items(text, within)? {
        None => Ok(1),
        Some(items) => items.into_iter().map(|item| numbers(text, item)).sum(),
    }
}

/// The integer at `within`.
pub(crate) fn integer(text: &str, within: Range<usize>) -> Result<BigInt, Diagnostic> {
    let within = trimmed(text, within);
    if within.is_empty() {
        return Err(
            Diagnostic::new(text, within, "a number is missing here").with_help("write a number such as 0 or 0x1f")
        );
    }
    evaluate(text, within)
}

/// The coordinate at `within`: an element of `structure`, and of moduli the residue itself, between −p and p.
pub(crate) fn coordinate(structure: &dyn Structure, text: &str, within: Range<usize>) -> Result<BigUint, Diagnostic> {
    if let Some(read) = structure.read(text, within.clone()) {
        return read;
    }
    let within = trimmed(text, within);
    if text[within.clone()].contains(['[', ']', ',']) {
        let message = format!("a number should stand here, not {}", quoted(&text[within.clone()]));
        return Err(Diagnostic::new(text, within, message)
            .with_help(format!("a coordinate is a number of {}", structure.called())));
    }
    let value = integer(text, within.clone())?;
    let small = *value.magnitude() < structure.order();
    if let Some(element) = structure.element(&value).filter(|_| small) {
        return Ok(element);
    }
    let negative = if value.sign() == Sign::Minus && small { "it is negative" } else { "it is too large" };
    let message = format!("{} is no element of {}: {negative}", shown(&value), structure.called());
    let below = if structure.order().count_ones() == 1 {
        format!("2^{}", structure.bits())
    } else {
        format!("the modulus, which has {} bits", structure.bits())
    };
    Err(Diagnostic::new(text, within, message).with_help(format!("write a number below {below}")))
}
