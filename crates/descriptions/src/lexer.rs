//! Expressions as tokens, each with its place.

use crate::{Diagnostic, names};
use num_bigint::BigUint;
use std::ops::Range;

/// The most digits of a literal, in either base: more than any allowed value needs.
const MAXIMUM_DIGITS: usize = 2500;

/// A token of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    /// A decimal or hexadecimal literal.
    Number(BigUint),
    /// One of `+ - * ^ ( )`.
    Symbol(char),
}

/// The tokens of the part `within` of `text`, in order.
pub(crate) fn tokens(text: &str, within: Range<usize>) -> Result<Vec<(Token, Range<usize>)>, Diagnostic> {
    let mut found = Vec::new();
    let mut at = within.start;
    while let Some(c) = text[at..within.end].chars().next() {
        let next = at + c.len_utf8();
        if c.is_whitespace() {
            at = next;
        } else if "+-*^()".contains(c) {
            found.push((Token::Symbol(c), at..next));
            at = next;
        } else if c.is_ascii_digit() {
            let length =
                text[at..within.end].find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(within.end - at);
            found.push((Token::Number(number(text, at..at + length)?), at..at + length));
            at += length;
        } else if c.is_alphabetic() || c == '_' {
            let length =
                text[at..within.end].find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(within.end - at);
            let span = at..at + length;
            let message = format!("the word {} cannot be part of an expression", quoted(&text[span.clone()]));
            let word = &text[span.clone()];
            let error = Diagnostic::new(text, span.clone(), message);
            return Err(if let Some(named) = names::by_name(word) {
                error.with_help(format!("a name stands alone; its value is ({})", named.expression))
            } else if word.eq_ignore_ascii_case("gf") {
                error.with_help("write GF(2^131):onb2 for a binary field")
            } else {
                error.with_help("an expression has numbers, + - * ^ and parentheses; a name stands alone")
            });
        } else {
            let error =
                Diagnostic::new(text, at..next, format!("the character {} is not understood", quoted(&text[at..next])));
            return Err(match c {
                '−' | '–' | '—' => error.with_help("write the minus sign as -"),
                '·' | '×' => error.with_help("write the product as *"),
                '/' => error.with_help("there is no division: write the value itself"),
                ',' | '.' | '\'' => error.with_help("digits may be separated by _, as in 1_000_003"),
                _ => error.with_help("an expression has numbers, + - * ^ and parentheses"),
            });
        }
    }
    Ok(found)
}

/// The literal at `span`, which begins with a digit and has only letters, digits and `_`.
pub(crate) fn number(text: &str, span: Range<usize>) -> Result<BigUint, Diagnostic> {
    let literal = &text[span.clone()];
    let (radix, skipped, what) = if literal.starts_with("0x") || literal.starts_with("0X") {
        (16, 2, "hexadecimal")
    } else {
        (10, 0, "decimal")
    };
    let body = &literal[skipped..];
    if let Some((offset, c)) = body.char_indices().find(|&(_, c)| c != '_' && !c.is_digit(radix)) {
        let start = span.start + skipped + offset;
        let error = Diagnostic::new(
            text,
            start..start + c.len_utf8(),
            format!("{} is not a {what} digit", quoted(&c.to_string())),
        );
        return Err(if let Some((factor, power)) = scientific(body) {
            error.with_help(format!("write {factor}*10^{power}"))
        } else if radix == 10 && body.chars().all(|c| c == '_' || c.is_ascii_hexdigit()) {
            error.with_help(format!("write 0x{} for a hexadecimal number", shortened(body)))
        } else {
            error.with_help("a number has decimal digits, or 0x and hexadecimal digits; a name stands alone")
        });
    }
    let digits: String = body.chars().filter(|&c| c != '_').collect();
    let digits = digits.trim_start_matches('0');
    if body.chars().all(|c| c == '_') {
        return Err(Diagnostic::new(text, span, "0x without digits").with_help("write the digits after it, as in 0x1f"));
    }
    if digits.len() > MAXIMUM_DIGITS {
        let message = format!("a number of {} digits is too long", digits.len());
        return Err(
            Diagnostic::new(text, span, message).with_help("a modulus has 2 to 4096 bits, at most 1234 decimal digits")
        );
    }
    Ok(BigUint::parse_bytes(digits.as_bytes(), radix).unwrap_or_default())
}

/// The parts of a number like 1e9.
fn scientific(body: &str) -> Option<(&str, &str)> {
    let parts = body.split_once(['e', 'E'])?;
    let decimal = |part: &str| !part.is_empty() && part.len() <= 20 && part.bytes().all(|b| b.is_ascii_digit());
    (decimal(parts.0) && decimal(parts.1)).then_some(parts)
}

/// The text between quotes, without control characters and not longer than a line.
pub(crate) fn quoted(text: &str) -> String {
    format!("“{}”", shortened(text))
}

/// At most 40 characters of the text, control characters escaped.
pub(crate) fn shortened(text: &str) -> String {
    let mut shown = String::new();
    for c in text.chars().take(40) {
        if c.is_control() { shown.extend(c.escape_default()) } else { shown.push(c) }
    }
    if text.chars().nth(40).is_some() {
        shown.push('…');
    }
    shown
}
