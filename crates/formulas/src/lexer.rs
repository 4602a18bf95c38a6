//! Tokens with their places, for expressions and for the text form.

use num_bigint::BigInt;

/// Where and why a text is no formula.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}, column {column}: {message}")]
pub struct SyntaxError {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// What was expected or is wrong.
    pub message: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Token<'a> {
    /// Letters, digits and underscores, not all digits.
    Word(&'a str),
    /// Decimal digits.
    Number(&'a str),
    /// What stands between quotation marks.
    Text(&'a str),
    /// `!=` or a single character.
    Sign(&'static str),
    End,
}

const SIGNS: [&str; 17] = ["!=", "{", "}", "(", ")", ":", ",", "=", "+", "-", "*", "/", "^", "%", "@", "?", "."];

/// Longest number, in digits.
const MOST_DIGITS: usize = 1024;

/// A text as tokens.
pub(crate) struct Lexer<'a> {
    tokens: Vec<(Token<'a>, u32, u32)>,
    at: usize,
    /// Operations that the expression at hand may still have.
    pub operations: u32,
}

fn wrong(line: u32, column: u32, message: String) -> SyntaxError {
    SyntaxError { line, column, message }
}

impl<'a> Lexer<'a> {
    /// Reads all tokens.
    pub fn new(text: &'a str) -> Result<Lexer<'a>, SyntaxError> {
        let mut tokens = Vec::new();
        let mut last = (1, 1);
        for (number, line) in text.lines().enumerate() {
            let number = number as u32 + 1;
            let mut at = 0;
            while at < line.len() {
                let rest = &line[at..];
                let column = line[..at].chars().count() as u32 + 1;
                let run = rest.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
                let (token, length) = if rest.starts_with([' ', '\t', '\r']) {
                    at += 1;
                    continue;
                } else if rest.starts_with("//") {
                    break;
                } else if run > 0 {
                    let word = &rest[..run];
                    let digits = word.bytes().all(|b| b.is_ascii_digit());
                    (if digits { Token::Number(word) } else { Token::Word(word) }, run)
                } else if let Some(inner) = rest.strip_prefix('"') {
                    let Some(length) = inner.find('"') else {
                        return Err(wrong(number, column, "the quotation mark is not closed on its line".to_string()));
                    };
                    (Token::Text(&inner[..length]), length + 2)
                } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
                    (Token::Sign(sign), sign.len())
                } else {
                    let c = rest.chars().next().unwrap_or(' ');
                    return Err(wrong(number, column, format!("the character {c:?} has no meaning here")));
                };
                tokens.push((token, number, column));
                at += length;
            }
            last = (number, line.chars().count() as u32 + 1);
        }
        tokens.push((Token::End, last.0, last.1));
        Ok(Lexer { tokens, at: 0, operations: 0 })
    }

    pub fn peek(&self) -> Token<'a> {
        self.tokens[self.at].0
    }

    pub fn next(&mut self) -> Token<'a> {
        let token = self.peek();
        if token != Token::End {
            self.at += 1;
        }
        token
    }

    /// An error at the next token.
    pub fn error(&self, message: impl Into<String>) -> SyntaxError {
        let (_, line, column) = self.tokens[self.at];
        wrong(line, column, message.into())
    }

    pub fn expected(&self, what: &str) -> SyntaxError {
        let found = match self.peek() {
            Token::Word(x) | Token::Number(x) | Token::Text(x) => {
                format!("{:?}", x.chars().take(40).collect::<String>())
            }
            Token::Sign(x) => format!("{x:?}"),
            Token::End => "the end".to_string(),
        };
        self.error(format!("expected {what}, found {found}"))
    }

    /// Takes the sign if it is next.
    pub fn accept(&mut self, sign: &str) -> bool {
        let is = matches!(self.peek(), Token::Sign(s) if s == sign);
        self.at += usize::from(is);
        is
    }

    pub fn expect(&mut self, sign: &str) -> Result<(), SyntaxError> {
        if self.accept(sign) { Ok(()) } else { Err(self.expected(&format!("{sign:?}"))) }
    }

    /// Takes the keyword if it is next.
    pub fn accept_word(&mut self, word: &str) -> bool {
        let is = self.peek() == Token::Word(word);
        self.at += usize::from(is);
        is
    }

    pub fn expect_word(&mut self, word: &str) -> Result<(), SyntaxError> {
        if self.accept_word(word) { Ok(()) } else { Err(self.expected(&format!("{word:?}"))) }
    }

    pub fn word(&mut self, what: &str) -> Result<&'a str, SyntaxError> {
        match self.peek() {
            Token::Word(word) => {
                self.at += 1;
                Ok(word)
            }
            _ => Err(self.expected(what)),
        }
    }

    /// What stands between quotation marks.
    pub fn text(&mut self, what: &str) -> Result<&'a str, SyntaxError> {
        match self.peek() {
            Token::Text(text) => {
                self.at += 1;
                Ok(text)
            }
            _ => Err(self.expected(what)),
        }
    }

    /// A number of at most `most`.
    pub fn small(&mut self, what: &str, most: u32) -> Result<u32, SyntaxError> {
        let Token::Number(digits) = self.peek() else { return Err(self.expected(what)) };
        match digits.parse::<u32>().ok().filter(|x| *x <= most) {
            Some(x) => {
                self.at += 1;
                Ok(x)
            }
            None => Err(self.error(format!("{what} goes up to {most}"))),
        }
    }

    /// A non-negative integer.
    pub fn integer(&mut self) -> Result<BigInt, SyntaxError> {
        let Token::Number(digits) = self.peek() else { return Err(self.expected("a number")) };
        if digits.len() > MOST_DIGITS {
            return Err(self.error(format!("the number has more than {MOST_DIGITS} digits")));
        }
        let Some(x) = BigInt::parse_bytes(digits.as_bytes(), 10) else { return Err(self.expected("a number")) };
        self.at += 1;
        Ok(x)
    }
}
