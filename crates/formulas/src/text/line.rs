//! Lines of definitions, from text and to text.

use std::fmt;

use crate::expression::Expression;
use crate::formula::Line;
use crate::lexer::{Lexer, SyntaxError, Token};

/// The words that lines begin with.
pub(super) const WORDS: [&str; 7] = ["root", "unknown", "given", "let", "nonzero", "assume", "gives"];

/// Greatest exponent on the left of a relation.
pub(super) const MOST_POWER: u32 = 64;

impl Line {
    /// Reads a line.
    ///
    /// # Errors
    /// Where it departs from the form.
    pub fn parse(text: &str) -> Result<Line, SyntaxError> {
        let mut lexer = Lexer::new(text)?;
        let line = Line::read(&mut lexer)?;
        if lexer.peek() == Token::End { Ok(line) } else { Err(lexer.expected("the end of the line")) }
    }

    pub(super) fn read(lexer: &mut Lexer) -> Result<Line, SyntaxError> {
        let word = lexer.word("a line of the definition")?;
        Ok(match word {
            "root" | "given" => {
                let (name, power, is) = relation(lexer)?;
                if word == "root" { Line::Root { name, power, is } } else { Line::Given { name, power, is } }
            }
            "unknown" => Line::Unknown(lexer.word("a name")?.to_string()),
            "let" => {
                let name = lexer.word("a name")?.to_string();
                lexer.expect("=")?;
                Line::Let { name, is: Expression::read(lexer)? }
            }
            "nonzero" => {
                let is = Expression::read(lexer)?;
                Line::Nonzero { is, except: lexer.text("the excepted case in quotation marks")?.to_string() }
            }
            "assume" => {
                let name = lexer.word("a name")?.to_string();
                lexer.expect(":")?;
                let (left, right) = equation(lexer)?;
                Line::Assume { name, left, right }
            }
            "gives" => {
                let (left, right) = equation(lexer)?;
                let by = if lexer.accept_word("by") { Some(Expression::read(lexer)?) } else { None };
                Line::Gives { left, right, by }
            }
            _ => return Err(lexer.error(format!("{word:?} begins no line; what does: {}", WORDS.join(", ")))),
        })
    }
}

/// `x^3 = xi` or `X1 = x1*Z1`.
pub(super) fn relation(lexer: &mut Lexer) -> Result<(String, u32, Expression), SyntaxError> {
    let name = lexer.word("a name")?.to_string();
    let power = if lexer.accept("^") { lexer.small("the exponent", MOST_POWER)? } else { 1 };
    lexer.expect("=")?;
    Ok((name, power, Expression::read(lexer)?))
}

fn equation(lexer: &mut Lexer) -> Result<(Expression, Expression), SyntaxError> {
    let left = Expression::read(lexer)?;
    lexer.expect("=")?;
    Ok((left, Expression::read(lexer)?))
}

/// `^n`, or nothing.
pub(super) fn exponent(power: u32) -> String {
    if power == 1 { String::new() } else { format!("^{power}") }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Line::Root { name, power, is } => write!(f, "root {name}{} = {is}", exponent(*power)),
            Line::Unknown(name) => write!(f, "unknown {name}"),
            Line::Given { name, power, is } => write!(f, "given {name}{} = {is}", exponent(*power)),
            Line::Let { name, is } => write!(f, "let {name} = {is}"),
            Line::Nonzero { is, except } => write!(f, "nonzero {is} \"{except}\""),
            Line::Assume { name, left, right } => write!(f, "assume {name}: {left} = {right}"),
            Line::Gives { left, right, by: None } => write!(f, "gives {left} = {right}"),
            Line::Gives { left, right, by: Some(by) } => write!(f, "gives {left} = {right} by {by}"),
        }
    }
}
