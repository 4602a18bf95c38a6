//! Polynomials with integer coefficients in named variables, from text: `x^3 - 3x + 7`, `v^3 - (1+u)`.
//!
//! As in expressions over the integers `^` binds tightest and a sign below it; a product needs no `*` between a number,
//! a variable and a group (`3x`, `2(1+u)`). Nothing in between may grow beyond stated bounds, so that no text takes long.

use std::collections::BTreeMap;
use std::ops::Range;

use num_bigint::BigInt;
use num_traits::{One, ToPrimitive, Zero};

use crate::Diagnostic;
use crate::lexer::{number, quoted};

/// A polynomial: coefficients by the exponents of the variables.
pub(crate) type Polynomial = BTreeMap<Vec<u32>, BigInt>;

/// The greatest exponent of a variable.
const MAXIMUM_EXPONENT: u32 = 64;
/// The most terms of a polynomial in between.
const MAXIMUM_TERMS: usize = 512;
/// The most bits of a coefficient in between.
const MAXIMUM_BITS: u64 = 8192;
/// The most groups inside each other.
const MAXIMUM_DEPTH: u32 = 32;

#[derive(Clone)]
enum Token {
    Number(BigInt),
    Variable(usize),
    Symbol(char),
}

/// The polynomial at `within` in these variables.
pub(crate) fn polynomial(text: &str, within: Range<usize>, variables: &[String]) -> Result<Polynomial, Diagnostic> {
    let tokens = tokens(text, within.clone(), variables)?;
    let mut parser = Parser { text, tokens, next: 0, end: within.end, depth: 0, variables: variables.len() };
    let value = parser.sum()?;
    match parser.tokens.get(parser.next) {
        None => Ok(value),
        Some((_, span)) => {
            let found = quoted(&text[span.clone()]);
            Err(Diagnostic::new(text, span.clone(), format!("{found} stands where a polynomial is complete"))
                .with_help("a polynomial has numbers, variables, + - * ^ and parentheses in pairs"))
        }
    }
}

/// The tokens of a polynomial. A word of several variables of one letter is their product: `xy`.
fn tokens(text: &str, within: Range<usize>, variables: &[String]) -> Result<Vec<(Token, Range<usize>)>, Diagnostic> {
    let mut found = Vec::new();
    let mut at = within.start;
    while let Some(c) = text[at..within.end].chars().next() {
        let rest = &text[at..within.end];
        let run = |take: &dyn Fn(char) -> bool, from: usize| {
            from + rest[from..].find(|c: char| !take(c)).unwrap_or(rest.len() - from)
        };
        let length = if c.is_ascii_digit() {
            // (`0x` without a digit is 0 times x.)
            let hexadecimal = rest.starts_with("0x") && rest[2..].starts_with(|c: char| c.is_ascii_hexdigit());
            let digit = |c: char| c == '_' || if hexadecimal { c.is_ascii_hexdigit() } else { c.is_ascii_digit() };
            let length = run(&digit, if hexadecimal { 2 } else { 0 });
            found.push((Token::Number(number(text, at..at + length)?.into()), at..at + length));
            length
        } else if c.is_alphabetic() {
            let length = run(&char::is_alphanumeric, 0);
            found.extend(word(text, at..at + length, variables)?);
            length
        } else if c.is_whitespace() {
            c.len_utf8()
        } else if "+-*^()".contains(c) {
            found.push((Token::Symbol(c), at..at + 1));
            1
        } else {
            let message = format!("the character {} is not understood", quoted(&c.to_string()));
            return Err(Diagnostic::new(text, at..at + c.len_utf8(), message)
                .with_help("a polynomial has numbers, variables, + - * ^ and parentheses"));
        };
        at += length;
    }
    Ok(found)
}

/// The variables of a word.
fn word(text: &str, span: Range<usize>, variables: &[String]) -> Result<Vec<(Token, Range<usize>)>, Diagnostic> {
    let place = |name: &str| variables.iter().position(|variable| variable == name);
    let whole = &text[span.clone()];
    if let Some(variable) = place(whole) {
        return Ok(vec![(Token::Variable(variable), span)]);
    }
    let letters: Option<Vec<_>> = whole
        .char_indices()
        .map(|(at, c)| {
            let at = span.start + at;
            Some((Token::Variable(place(&c.to_string())?), at..at + c.len_utf8()))
        })
        .collect();
    letters.ok_or_else(|| {
        Diagnostic::new(text, span.clone(), format!("there is no variable {} here", quoted(whole)))
            .with_help(format!("the variables are {}", variables.join(", ")))
    })
}

struct Parser<'a> {
    text: &'a str,
    tokens: Vec<(Token, Range<usize>)>,
    next: usize,
    end: usize,
    depth: u32,
    variables: usize,
}

impl Parser<'_> {
    fn symbol(&mut self, wanted: &str) -> Option<char> {
        match self.tokens.get(self.next) {
            Some((Token::Symbol(c), _)) if wanted.contains(*c) => {
                self.next += 1;
                Some(*c)
            }
            _ => None,
        }
    }

    /// Where the next token stands.
    fn place(&self) -> Range<usize> {
        self.tokens.get(self.next).map_or(self.end..self.end, |(_, span)| span.clone())
    }

    /// Refuses what is too large.
    fn bounded(&self, value: Polynomial, at: &Range<usize>) -> Result<Polynomial, Diagnostic> {
        let exponent = value.keys().flatten().max().copied().unwrap_or(0);
        let bits = value.values().map(BigInt::bits).max().unwrap_or(0);
        if exponent <= MAXIMUM_EXPONENT && bits <= MAXIMUM_BITS && value.len() <= MAXIMUM_TERMS {
            return Ok(value);
        }
        let message = if exponent > MAXIMUM_EXPONENT {
            format!("the exponent {exponent} is too large")
        } else if bits > MAXIMUM_BITS {
            format!("a coefficient would have more than {MAXIMUM_BITS} bits")
        } else {
            format!("the polynomial would have more than {MAXIMUM_TERMS} terms")
        };
        Err(Diagnostic::new(self.text, at.clone(), message)
            .with_help(format!("exponents are at most {MAXIMUM_EXPONENT}")))
    }

    /// sum := ['+' | '-'] product (('+' | '-') product)*
    fn sum(&mut self) -> Result<Polynomial, Diagnostic> {
        let mut sum = Polynomial::new();
        let mut sign = self.symbol("+-");
        loop {
            let product = self.product()?;
            for (exponents, coefficient) in product {
                let coefficient = if sign == Some('-') { -coefficient } else { coefficient };
                *sum.entry(exponents).or_default() += coefficient;
            }
            sum.retain(|_, coefficient| !coefficient.is_zero());
            sign = self.symbol("+-");
            if sign.is_none() {
                return Ok(sum);
            }
        }
    }

    /// product := power (['*'] power)*
    fn product(&mut self) -> Result<Polynomial, Diagnostic> {
        let start = self.place().start;
        let mut product = self.power()?;
        loop {
            let follows = match self.tokens.get(self.next) {
                Some((Token::Symbol('*'), _)) => {
                    self.next += 1;
                    true
                }
                Some((Token::Symbol(c), _)) => *c == '(',
                Some(_) => true,
                None => false,
            };
            if !follows {
                return Ok(product);
            }
            let factor = self.power()?;
            let at = start..self.tokens[self.next - 1].1.end;
            product = self.bounded(multiplied(&product, &factor), &at)?;
        }
    }

    /// power := atom ['^' number]
    fn power(&mut self) -> Result<Polynomial, Diagnostic> {
        let start = self.place().start;
        let base = self.atom()?;
        if self.symbol("^").is_none() {
            return Ok(base);
        }
        let at = self.place();
        let Some((Token::Number(exponent), _)) = self.tokens.get(self.next).cloned() else {
            return Err(Diagnostic::new(self.text, at, "an exponent is a number").with_help("write it as in x^3"));
        };
        self.next += 1;
        // Powers of numbers are bounded by their bits.
        let most = match base.iter().next() {
            Some((of, number)) if base.len() == 1 && of.iter().all(|e| *e == 0) => {
                (MAXIMUM_BITS / number.bits()).max(MAXIMUM_EXPONENT.into())
            }
            _ => MAXIMUM_EXPONENT.into(),
        };
        let small = exponent.to_u32().filter(|e| u64::from(*e) <= most);
        let exponent = small.ok_or_else(|| {
            Diagnostic::new(self.text, at.clone(), "this exponent is too large")
                .with_help(format!("exponents are at most {MAXIMUM_EXPONENT}"))
        })?;
        let one = Polynomial::from([(vec![0; self.variables], BigInt::one())]);
        (0..exponent).try_fold(one, |power, _| self.bounded(multiplied(&power, &base), &(start..at.end)))
    }

    /// atom := number | variable | '(' sum ')'
    fn atom(&mut self) -> Result<Polynomial, Diagnostic> {
        let at = self.place();
        let constant = vec![0; self.variables];
        let value = match self.tokens.get(self.next).map(|(token, _)| token.clone()) {
            Some(Token::Number(number)) if number.is_zero() => Polynomial::new(),
            Some(Token::Number(number)) => Polynomial::from([(constant, number)]),
            Some(Token::Variable(variable)) => {
                let exponents = (0..self.variables).map(|i| u32::from(i == variable)).collect();
                Polynomial::from([(exponents, BigInt::one())])
            }
            Some(Token::Symbol('(')) if self.depth < MAXIMUM_DEPTH => return self.group(at),
            Some(Token::Symbol('(')) => {
                let message = format!("more than {MAXIMUM_DEPTH} groups inside each other");
                return Err(Diagnostic::new(self.text, at, message).with_help("write fewer parentheses"));
            }
            Some(Token::Symbol(c)) => {
                let message = format!("a number or a variable should stand here, not {}", quoted(&c.to_string()));
                return Err(Diagnostic::new(self.text, at, message).with_help("write it as in x^3 - 3*x + 7"));
            }
            None => {
                return Err(Diagnostic::new(self.text, at, "a number or a variable is missing here")
                    .with_help("write it as in x^3 - 3*x + 7"));
            }
        };
        self.next += 1;
        Ok(value)
    }

    fn group(&mut self, open: Range<usize>) -> Result<Polynomial, Diagnostic> {
        self.next += 1;
        self.depth += 1;
        let value = self.sum()?;
        self.depth -= 1;
        if self.symbol(")").is_none() {
            return Err(Diagnostic::new(self.text, open, "this ( is not closed").with_help("write a ) behind it"));
        }
        Ok(value)
    }
}

/// The product, every term by every term.
fn multiplied(a: &Polynomial, b: &Polynomial) -> Polynomial {
    let mut product = Polynomial::new();
    for (x, s) in a {
        for (y, t) in b {
            let exponents = x.iter().zip(y).map(|(x, y)| x + y).collect();
            *product.entry(exponents).or_default() += s * t;
        }
    }
    product.retain(|_, coefficient| !coefficient.is_zero());
    product
}
