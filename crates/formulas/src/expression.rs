//! Expressions: how definitions are written down. They name inputs, constants, outputs and what a definition adds.

use std::fmt;

use num_bigint::BigInt;

use crate::lexer::{Lexer, SyntaxError, Token};

/// An expression in named quantities.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Expression {
    /// A non-negative integer.
    Integer(BigInt),
    /// A named quantity.
    Name(String),
    /// The negative.
    Negative(Box<Expression>),
    /// A sum.
    Sum(Box<Expression>, Box<Expression>),
    /// A difference.
    Difference(Box<Expression>, Box<Expression>),
    /// A product.
    Product(Box<Expression>, Box<Expression>),
    /// A quotient.
    Quotient(Box<Expression>, Box<Expression>),
    /// A power.
    Power(Box<Expression>, u32),
}

/// Greatest exponent that an expression may have: formulas need no more, and texts stay short to expand.
const MOST_EXPONENT: u32 = 64;

/// Most operations of an expression: it is walked by recursion.
const MOST_OPERATIONS: u32 = 500;

/// Deepest nesting of parentheses.
const MOST_DEPTH: u32 = 64;

impl Expression {
    /// Reads an expression that is all of a text.
    ///
    /// # Errors
    /// The first place where the text is no expression.
    pub fn parse(text: &str) -> Result<Expression, SyntaxError> {
        let mut lexer = Lexer::new(text)?;
        let all = Expression::read(&mut lexer)?;
        if lexer.peek() == Token::End { Ok(all) } else { Err(lexer.expected("the end of the expression")) }
    }

    /// Reads an expression.
    pub(crate) fn read(lexer: &mut Lexer) -> Result<Expression, SyntaxError> {
        lexer.operations = MOST_OPERATIONS;
        sum(lexer, 0)
    }

    /// Calls `f` for every name.
    pub fn names<'a>(&'a self, f: &mut dyn FnMut(&'a str)) {
        match self {
            Expression::Integer(_) => {}
            Expression::Name(name) => f(name),
            Expression::Negative(a) | Expression::Power(a, _) => a.names(f),
            Expression::Sum(a, b)
            | Expression::Difference(a, b)
            | Expression::Product(a, b)
            | Expression::Quotient(a, b) => {
                a.names(f);
                b.names(f);
            }
        }
    }

    /// The same expression with other names.
    pub fn renamed(&self, name: &dyn Fn(&str) -> String) -> Expression {
        let go = |e: &Expression| Box::new(e.renamed(name));
        match self {
            Expression::Integer(x) => Expression::Integer(x.clone()),
            Expression::Name(old) => Expression::Name(name(old)),
            Expression::Negative(a) => Expression::Negative(go(a)),
            Expression::Sum(a, b) => Expression::Sum(go(a), go(b)),
            Expression::Difference(a, b) => Expression::Difference(go(a), go(b)),
            Expression::Product(a, b) => Expression::Product(go(a), go(b)),
            Expression::Quotient(a, b) => Expression::Quotient(go(a), go(b)),
            Expression::Power(a, e) => Expression::Power(go(a), *e),
        }
    }
}

/// Takes the sign of an operation if it is next.
fn accept(lexer: &mut Lexer, sign: &str) -> Result<bool, SyntaxError> {
    if !lexer.accept(sign) {
        return Ok(false);
    }
    match lexer.operations.checked_sub(1) {
        Some(left) => {
            lexer.operations = left;
            Ok(true)
        }
        None => {
            Err(lexer.error(format!("the expression has more than {MOST_OPERATIONS} operations: name parts by let")))
        }
    }
}

fn sum(lexer: &mut Lexer, depth: u32) -> Result<Expression, SyntaxError> {
    if depth > MOST_DEPTH {
        return Err(lexer.error(format!("parentheses nest deeper than {MOST_DEPTH}")));
    }
    let mut left = if accept(lexer, "-")? {
        Expression::Negative(Box::new(product(lexer, depth)?))
    } else {
        product(lexer, depth)?
    };
    loop {
        if accept(lexer, "+")? {
            left = Expression::Sum(Box::new(left), Box::new(product(lexer, depth)?));
        } else if accept(lexer, "-")? {
            left = Expression::Difference(Box::new(left), Box::new(product(lexer, depth)?));
        } else {
            return Ok(left);
        }
    }
}

fn product(lexer: &mut Lexer, depth: u32) -> Result<Expression, SyntaxError> {
    let mut left = power(lexer, depth)?;
    loop {
        if accept(lexer, "*")? {
            left = Expression::Product(Box::new(left), Box::new(power(lexer, depth)?));
        } else if accept(lexer, "/")? {
            left = Expression::Quotient(Box::new(left), Box::new(power(lexer, depth)?));
        } else {
            return Ok(left);
        }
    }
}

fn power(lexer: &mut Lexer, depth: u32) -> Result<Expression, SyntaxError> {
    let base = match lexer.peek() {
        Token::Number(_) => Expression::Integer(lexer.integer()?),
        Token::Word(name) => {
            lexer.next();
            Expression::Name(name.to_string())
        }
        Token::Sign("(") => {
            lexer.next();
            let inner = sum(lexer, depth + 1)?;
            lexer.expect(")")?;
            inner
        }
        _ => return Err(lexer.expected("a name, a number or a parenthesis")),
    };
    if !lexer.accept("^") {
        return Ok(base);
    }
    Ok(Expression::Power(Box::new(base), lexer.small("the exponent", MOST_EXPONENT)?))
}

/// How tightly an expression holds together: sums 0, products 1, powers 2, the rest 3.
fn strength(e: &Expression) -> u32 {
    match e {
        Expression::Negative(_) | Expression::Sum(..) | Expression::Difference(..) => 0,
        Expression::Product(..) | Expression::Quotient(..) => 1,
        Expression::Power(..) => 2,
        Expression::Integer(_) | Expression::Name(_) => 3,
    }
}

/// Prints with as few parentheses as the same expression needs to be read back.
impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let part = |f: &mut fmt::Formatter<'_>, e: &Expression, least: u32| {
            if strength(e) < least { write!(f, "({e})") } else { write!(f, "{e}") }
        };
        let two = |f: &mut fmt::Formatter<'_>, a, sign: &str, b, level| {
            part(f, a, level)?;
            f.write_str(sign)?;
            part(f, b, level + 1)
        };
        match self {
            Expression::Integer(x) => write!(f, "{x}"),
            Expression::Name(name) => f.write_str(name),
            Expression::Negative(a) => {
                f.write_str("-")?;
                part(f, a, 1)
            }
            Expression::Sum(a, b) => two(f, a, " + ", b, 0),
            Expression::Difference(a, b) => two(f, a, " - ", b, 0),
            Expression::Product(a, b) => two(f, a, "*", b, 1),
            Expression::Quotient(a, b) => two(f, a, "/", b, 1),
            Expression::Power(a, e) => {
                part(f, a, 3)?;
                write!(f, "^{e}")
            }
        }
    }
}
