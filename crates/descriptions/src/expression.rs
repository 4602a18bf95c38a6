//! Expressions over the integers: `+`, `-`, `*`, `^`, parentheses.
//!
//! `^` binds tightest and to the right, a sign binds below it, as in `-2^4 = -16`. No value in between
//! may exceed 8192 bits, which is checked before it is computed, so that no text takes long.

use crate::Diagnostic;
use crate::lexer::{Token, quoted, tokens};
use num_bigint::{BigInt, BigUint, Sign};
use num_traits::{One, ToPrimitive};
use std::ops::Range;

/// The most bits of a value in between.
const INTERMEDIATE_BITS: u64 = 8192;
/// The longest number, in bytes.
const MAXIMUM_LENGTH: usize = 8192;
/// The most parentheses, signs and powers inside each other.
const MAXIMUM_DEPTH: u32 = 64;

/// The value of a number as a person writes it: decimal, hexadecimal after `0x`, or an expression over these.
///
/// # Errors
/// A [`Diagnostic`] that points at the fault; no value in between may exceed 8192 bits.
///
/// ```
/// assert_eq!(evariste_descriptions::integer("2^8 - 0x10").unwrap(), 240.into());
/// assert_eq!(evariste_descriptions::integer(" ").unwrap_err().message, "the number is empty");
/// ```
pub fn integer(text: &str) -> Result<BigInt, Diagnostic> {
    let start = text.len() - text.trim_start().len();
    let within = start..start + text.trim().len();
    if within.is_empty() {
        return Err(Diagnostic::new(text, 0..0, "the number is empty")
            .with_help("write a number such as 5, 0x1f or 2^255 - 20"));
    }
    if text.len() > MAXIMUM_LENGTH {
        let message = format!("a number of {} bytes is too long", text.len());
        return Err(Diagnostic::new(text, within, message).with_help(format!("write at most {MAXIMUM_LENGTH} bytes")));
    }
    evaluate(text, within)
}

/// The value of the expression at `within` of `text`.
pub(crate) fn evaluate(text: &str, within: Range<usize>) -> Result<BigInt, Diagnostic> {
    let tokens = tokens(text, within.clone())?;
    let mut parser = Parser { text, tokens, next: 0, end: within.end, depth: 0 };
    let (value, _) = parser.sum()?;
    match parser.peek() {
        None => Ok(value),
        Some((token, span)) => {
            let (token, span) = (token.clone(), span.clone());
            let found = quoted(&text[span.clone()]);
            Err(match token {
                Token::Symbol(')') => Diagnostic::new(text, span, "this ) has no ( before it").with_help("drop it"),
                _ => Diagnostic::new(text, span, format!("{found} follows a complete expression"))
                    .with_help("write an operator before it: + - * or ^"),
            })
        }
    }
}

struct Parser<'a> {
    text: &'a str,
    tokens: Vec<(Token, Range<usize>)>,
    /// The position of the next token.
    next: usize,
    /// Where the expression ends, in bytes.
    end: usize,
    depth: u32,
}

/// A value and the text that it came from.
type Valued = (BigInt, Range<usize>);

impl Parser<'_> {
    fn peek(&self) -> Option<&(Token, Range<usize>)> {
        self.tokens.get(self.next)
    }

    /// Takes the next token if it is this symbol.
    fn symbol(&mut self, wanted: char) -> Option<Range<usize>> {
        match self.peek() {
            Some((Token::Symbol(c), span)) if *c == wanted => {
                let span = span.clone();
                self.next += 1;
                Some(span)
            }
            _ => None,
        }
    }

    /// Refuses a value of more than `bits` bits at `span`, before it is computed.
    fn bounded(&self, bits: u64, span: &Range<usize>) -> Result<(), Diagnostic> {
        if bits <= INTERMEDIATE_BITS {
            return Ok(());
        }
        let message = format!("this value would have more than {INTERMEDIATE_BITS} bits");
        Err(Diagnostic::new(self.text, span.clone(), message).with_help("a modulus has 2 to 4096 bits"))
    }

    /// Counts one more level of nesting; the caller takes it away again.
    fn deeper(&mut self) -> Result<(), Diagnostic> {
        self.depth += 1;
        if self.depth <= MAXIMUM_DEPTH {
            return Ok(());
        }
        let at = self.peek().map_or(self.end..self.end, |(_, span)| span.clone());
        Err(Diagnostic::new(self.text, at, format!("more than {MAXIMUM_DEPTH} levels of nesting"))
            .with_help("write the value with fewer parentheses, signs or powers inside each other"))
    }

    /// sum := product (('+' | '-') product)*
    fn sum(&mut self) -> Result<Valued, Diagnostic> {
        let (mut value, mut span) = self.product()?;
        loop {
            let negative = match (self.symbol('+'), self.symbol('-')) {
                (Some(_), None) => false,
                (None, Some(_)) => true,
                (None, None) => return Ok((value, span)),
                // "+ -": the sign belongs to the next product.
                (Some(_), Some(_)) => {
                    self.next -= 1;
                    false
                }
            };
            let (term, at) = self.product()?;
            span.end = at.end;
            value = if negative { value - term } else { value + term };
            self.bounded(value.bits(), &span)?;
        }
    }

    /// product := factor ('*' factor)*
    fn product(&mut self) -> Result<Valued, Diagnostic> {
        let (mut value, mut span) = self.factor()?;
        while self.symbol('*').is_some() {
            let (factor, at) = self.factor()?;
            span.end = at.end;
            self.bounded((value.bits() + factor.bits()).saturating_sub(1), &span)?;
            value *= factor;
        }
        Ok((value, span))
    }

    /// factor := '-' factor | power
    fn factor(&mut self) -> Result<Valued, Diagnostic> {
        let Some(sign) = self.symbol('-') else {
            return self.power();
        };
        self.deeper()?;
        let (value, span) = self.factor()?;
        self.depth -= 1;
        Ok((-value, sign.start..span.end))
    }

    /// power := atom ('^' exponent)?, exponent := '-' exponent | power
    fn power(&mut self) -> Result<Valued, Diagnostic> {
        let (base, span) = self.atom()?;
        if self.symbol('^').is_none() {
            return Ok((base, span));
        }
        self.deeper()?;
        let (exponent, at) = self.factor()?;
        self.depth -= 1;
        let span = span.start..at.end;
        if exponent.sign() == Sign::Minus {
            return Err(Diagnostic::new(self.text, at, format!("the exponent is negative: {}", shown(&exponent)))
                .with_help("an exponent is a natural number"));
        }
        let value = match exponent.to_u32() {
            Some(exponent) if base.bits() >= 2 => {
                // |base| ≥ 2^(bits − 1), so that the power has at least this many bits.
                self.bounded((base.bits() - 1).saturating_mul(u64::from(exponent)) + 1, &span)?;
                base.pow(exponent)
            }
            None if base.bits() >= 2 => {
                self.bounded(u64::MAX, &span)?;
                base
            }
            // 0, 1 and −1: their powers repeat.
            _ if exponent == BigInt::ZERO => BigInt::one(),
            _ if exponent.bit(0) => base,
            _ => &base * &base,
        };
        Ok((value, span))
    }

    /// atom := number | '(' sum ')'
    fn atom(&mut self) -> Result<Valued, Diagnostic> {
        if let Some(open) = self.symbol('(') {
            self.deeper()?;
            let (value, _) = self.sum()?;
            self.depth -= 1;
            return match self.symbol(')') {
                Some(close) => Ok((value, open.start..close.end)),
                None => Err(Diagnostic::new(self.text, open, "this ( is never closed")
                    .with_help("write ) where the group ends")),
            };
        }
        match self.peek().cloned() {
            Some((Token::Number(value), span)) => {
                self.next += 1;
                Ok((BigInt::from(value), span))
            }
            found => Err(self.missing(found)),
        }
    }

    /// The error where a number or a group should stand.
    fn missing(&self, found: Option<(Token, Range<usize>)>) -> Diagnostic {
        let before = self.next.checked_sub(1).map(|i| quoted(&self.text[self.tokens[i].1.clone()]));
        match (found, before) {
            (None, Some(before)) => {
                Diagnostic::new(self.text, self.end..self.end, format!("a number is missing after {before}"))
                    .with_help("write a number or a group in parentheses, as in 2^255 - 19")
            }
            (None, None) => Diagnostic::new(self.text, self.end..self.end, "a number is missing"),
            (Some((Token::Symbol('*'), span)), Some(before)) if before == quoted("*") => {
                let power = format!("{}^{}", &self.text[..span.start - 1], &self.text[span.end..]);
                Diagnostic::new(self.text, span.start - 1..span.end, "** is not an operator here")
                    .with_help(format!("powers are written with ^: did you mean {}?", power.trim()))
            }
            (Some((_, span)), _) => {
                let found = quoted(&self.text[span.clone()]);
                Diagnostic::new(self.text, span, format!("a number should stand here, not {found}"))
                    .with_help("write a number or a group in parentheses, as in 2^255 - 19")
            }
        }
    }
}

/// A value for a message: in decimal if it is short, else by its size.
pub(crate) fn shown(value: &BigInt) -> String {
    if value.bits() <= 128 {
        return value.to_string();
    }
    let sign = if value.sign() == Sign::Minus { "minus " } else { "" };
    format!("{sign}a number of {} bits", value.bits())
}

/// The number as a natural number, for callers that know its sign.
pub(crate) fn natural(value: &BigInt) -> Option<BigUint> {
    value.to_biguint()
}
