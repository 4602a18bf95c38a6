//! Text to kernels: tokens, numbers, declarations.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use num_bigint::BigInt;

use super::lexer::{Spanned, Token, tokens};
use super::{MAX_TEXT, ParseError};
use crate::contract::Contract;
use crate::kernel::{Array, ArrayInfo, ArrayKind, Kernel, Type, ValueInfo};
use crate::range::{Interval, pow2};

/// Greatest exponent of a power of two.
const MAX_EXPONENT: u32 = 1 << 20;
/// Longest number, in digits.
const MAX_DIGITS: usize = 1 << 14;
/// Bytes that numbers may take beside a fixed allowance, per byte of text (powers of two and runs of digits are short
/// to write).
const EXPANSION: usize = 32;
const ALLOWANCE: usize = 1 << 24;
/// Deepest nesting of calls.
const MAX_CALLS: u32 = 16;

pub(super) struct Parser<'a> {
    tokens: Vec<Spanned<'a>>,
    at: usize,
    /// Bytes that numbers may still take.
    budget: usize,
    /// The kernel in the making.
    pub kernel: Kernel,
    pub arrays: HashMap<&'a str, Array>,
    pub values: BTreeMap<u32, ValueInfo>,
}

pub(super) type Result<T> = std::result::Result<T, ParseError>;

pub(super) fn parse(text: &str) -> Result<Kernel> {
    if text.len() > MAX_TEXT {
        return Err(ParseError { line: 1, column: 1, message: format!("the text is longer than {MAX_TEXT} bytes") });
    }
    let mut p = Parser {
        tokens: tokens(text)?,
        at: 0,
        budget: ALLOWANCE + EXPANSION * text.len(),
        kernel: empty(),
        arrays: HashMap::new(),
        values: BTreeMap::new(),
    };
    let mut callees: Vec<(Arc<Kernel>, u32)> = Vec::new();
    loop {
        let (numbered, depth) = p.kernel(&callees)?;
        let kernel = std::mem::replace(&mut p.kernel, empty());
        if numbered {
            callees.push((Arc::new(kernel), depth));
        } else if p.peek() == Token::End {
            return Ok(kernel);
        } else {
            return Err(p.error("the text goes on after the kernel without a number, which must be the last"));
        }
    }
}

fn empty() -> Kernel {
    Kernel {
        name: String::new(),
        word: 0,
        arrays: Vec::new(),
        disjoint: Vec::new(),
        callees: Vec::new(),
        values: Vec::new(),
        body: Vec::new(),
        contract: Contract::default(),
        vartime: false,
    }
}

fn show(token: Token) -> String {
    match token {
        Token::Word(w) | Token::Decimal(w) => format!("{:?}", w.chars().take(40).collect::<String>()),
        Token::Hex(h) => format!("\"0x{}\"", h.chars().take(40).collect::<String>()),
        Token::Sign(s) => format!("{s:?}"),
        Token::End => "the end".to_string(),
    }
}

impl<'a> Parser<'a> {
    // Tokens

    pub fn peek(&self) -> Token<'a> {
        self.tokens[self.at].token
    }

    /// The token after the next one.
    pub fn peek_second(&self) -> Token<'a> {
        self.tokens.get(self.at + 1).map_or(Token::End, |t| t.token)
    }

    pub fn next(&mut self) -> Token<'a> {
        let t = self.peek();
        if t != Token::End {
            self.at += 1;
        }
        t
    }

    /// An error at the next token.
    pub fn error(&self, message: impl Into<String>) -> ParseError {
        let t = &self.tokens[self.at];
        ParseError { line: t.line, column: t.column, message: message.into() }
    }

    pub fn expected(&self, what: &str) -> ParseError {
        self.error(format!("expected {what}, found {}", show(self.peek())))
    }

    /// Takes the sign if it is next.
    pub fn accept(&mut self, sign: &str) -> bool {
        let is = matches!(self.peek(), Token::Sign(s) if s == sign);
        if is {
            self.at += 1;
        }
        is
    }

    pub fn expect(&mut self, sign: &str) -> Result<()> {
        if self.accept(sign) { Ok(()) } else { Err(self.expected(&format!("{sign:?}"))) }
    }

    /// Takes the keyword if it is next.
    pub fn accept_word(&mut self, word: &str) -> bool {
        let is = self.peek() == Token::Word(word);
        if is {
            self.at += 1;
        }
        is
    }

    pub fn expect_word(&mut self, word: &str) -> Result<()> {
        if self.accept_word(word) { Ok(()) } else { Err(self.expected(&format!("{word:?}"))) }
    }

    pub fn word(&mut self, what: &str) -> Result<&'a str> {
        match self.peek() {
            Token::Word(w) => {
                self.at += 1;
                Ok(w)
            }
            _ => Err(self.expected(what)),
        }
    }

    // Numbers

    /// A decimal number that fits `T`.
    pub fn small<T: std::str::FromStr>(&mut self, what: &str) -> Result<T> {
        match self.peek() {
            Token::Decimal(d) => match d.parse() {
                Ok(n) => {
                    self.at += 1;
                    Ok(n)
                }
                Err(_) => Err(self.error(format!("{what} {} is too large", show(self.peek())))),
            },
            _ => Err(self.expected(what)),
        }
    }

    /// The number glued to a prefix: `w64`, `i3`.
    fn suffix<T: std::str::FromStr>(word: &str, prefix: &str) -> Option<T> {
        let digits = word.strip_prefix(prefix)?;
        (digits.bytes().all(|b| b.is_ascii_digit()) && !(digits.len() > 1 && digits.starts_with('0')))
            .then(|| digits.parse().ok())?
    }

    /// `i3`: the number of a loop counter.
    pub fn counter(word: &str) -> Option<u32> {
        Parser::suffix(word, "i")
    }

    /// An integer in any form.
    pub fn number(&mut self) -> Result<BigInt> {
        let negative = self.accept("-");
        let x = self.magnitude()?;
        Ok(if negative { -x } else { x })
    }

    /// Decimal, `0x…`, `2^k`, `(2^k±c)`.
    pub fn magnitude(&mut self) -> Result<BigInt> {
        if self.accept("(") {
            let power = self.magnitude_atom()?;
            let x = if self.accept("+") {
                power + self.magnitude_atom()?
            } else {
                self.expect("-")?;
                power - self.magnitude_atom()?
            };
            self.expect(")")?;
            return Ok(x);
        }
        self.magnitude_atom()
    }

    fn magnitude_atom(&mut self) -> Result<BigInt> {
        let (digits, radix) = match self.peek() {
            Token::Decimal(d) => (d, 10),
            Token::Hex(h) => (h, 16),
            _ => return Err(self.expected("a number")),
        };
        if digits.len() > MAX_DIGITS {
            return Err(self.error(format!("the number has more than {MAX_DIGITS} digits")));
        }
        if digits == "2" && radix == 10 && self.peek_second() == Token::Sign("^") {
            self.at += 2;
            let k = self.exponent()?;
            self.spend(k as usize / 8)?;
            return Ok(pow2(k));
        }
        let Some(x) = BigInt::parse_bytes(digits.as_bytes(), radix) else { return Err(self.expected("a number")) };
        self.at += 1;
        Ok(x)
    }

    /// Takes memory for numbers from what the text may use.
    pub fn spend(&mut self, bytes: usize) -> Result<()> {
        match self.budget.checked_sub(bytes) {
            Some(left) => {
                self.budget = left;
                Ok(())
            }
            None => Err(self.error("the numbers take too much memory for a text of this length")),
        }
    }

    pub fn exponent(&mut self) -> Result<u32> {
        let place = self.error(format!("exponents go up to {MAX_EXPONENT}"));
        let k: u32 = self.small("the exponent")?;
        if k > MAX_EXPONENT { Err(place) } else { Ok(k) }
    }

    // Types, ranges, names

    pub fn ty(&mut self) -> Result<Type> {
        let Token::Word(w) = self.peek() else { return Err(self.expected("a type")) };
        let ty = match w {
            "flag" => Some(Type::Flag),
            _ => None
                .or(Parser::suffix(w, "w").map(Type::Word))
                .or(Parser::suffix(w, "d").map(Type::Wide))
                .or(Parser::suffix(w, "f").map(Type::Float))
                .or(Parser::suffix(w, "m").map(Type::Mask)),
        };
        let Some(ty) = ty else { return Err(self.expected("a type (w64, d128, f53, flag, m64)")) };
        self.at += 1;
        Ok(ty)
    }

    /// `<2^k`, `[c]` or `[lo, hi]`.
    fn range(&mut self) -> Result<Interval> {
        if self.accept("<") {
            let top = self.magnitude()?;
            if top < BigInt::from(1) {
                return Err(self.error("the range is empty"));
            }
            return Ok(Interval::up_to(top - 1));
        }
        self.expect("[")?;
        let lo = self.number()?;
        let hi = if self.accept(",") { self.number()? } else { lo.clone() };
        if hi < lo {
            return Err(self.error("the range is empty"));
        }
        self.expect("]")?;
        Ok(Interval { lo, hi })
    }

    /// A type and its range (the full one when none follows).
    pub fn typed(&mut self) -> Result<ValueInfo> {
        let ty = self.ty()?;
        let range = if matches!(self.peek(), Token::Sign("<" | "[")) { self.range()? } else { ty.full() };
        Ok(ValueInfo { ty, range })
    }

    pub fn array(&mut self) -> Result<Array> {
        match self.peek() {
            Token::Word(w) => match self.arrays.get(w) {
                Some(a) => {
                    let a = *a;
                    self.at += 1;
                    Ok(a)
                }
                None => Err(self.error(format!("there is no array called {}", w.chars().take(40).collect::<String>()))),
            },
            _ => Err(self.expected("the name of an array")),
        }
    }

    /// `item, item, …` up to `end`, which is taken.
    pub fn list<T>(&mut self, end: &str, mut item: impl FnMut(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        let mut all = Vec::new();
        if self.accept(end) {
            return Ok(all);
        }
        loop {
            all.push(item(self)?);
            if self.accept(end) {
                return Ok(all);
            }
            if !self.accept(",") {
                return Err(self.expected(&format!("\",\" or {end:?}")));
            }
        }
    }

    // Declarations

    /// One kernel: was it numbered, and how deep do its calls nest?
    fn kernel(&mut self, callees: &[(Arc<Kernel>, u32)]) -> Result<(bool, u32)> {
        self.arrays.clear();
        self.values.clear();
        self.expect_word("kernel")?;
        let numbered = self.accept("@");
        if numbered {
            let place = self.error(format!("this kernel's number must be @{}", callees.len()));
            if self.small::<usize>("the kernel's number")? != callees.len() {
                return Err(place);
            }
        }
        self.kernel.name = self.word("the kernel's name")?.to_string();
        self.expect(":")?;
        self.expect_word("word")?;
        self.kernel.word = self.small("the word size")?;
        self.kernel.vartime = self.accept_word("vartime");
        self.expect("{")?;
        while let (Token::Word(w), Token::Word(_)) = (self.peek(), self.peek_second()) {
            match w {
                "input" | "output" | "inout" | "ghost" | "local" | "table" => self.declaration(w)?,
                "disjoint" => {
                    self.next();
                    let pair = (self.array()?, self.array()?);
                    self.kernel.disjoint.push(pair);
                }
                _ => break,
            }
        }
        let mut depth = 0;
        if self.peek_second() == Token::Sign("@") && self.accept_word("callees") {
            while self.accept("@") {
                let place = self.error("there is no kernel of that number before this one");
                let Some((k, d)) = callees.get(self.small::<usize>("the kernel's number")?) else { return Err(place) };
                depth = depth.max(d + 1);
                self.kernel.callees.push(k.clone());
            }
        }
        if depth > MAX_CALLS {
            return Err(self.error(format!("calls nest deeper than {MAX_CALLS}")));
        }
        self.contract()?;
        let (body, yields) = self.block(0)?;
        if !yields.is_empty() {
            return Err(self.error("only loops yield"));
        }
        self.kernel.body = body;
        // Every number up to the greatest is defined.
        let values = std::mem::take(&mut self.values);
        if let Some((i, _)) = values.keys().enumerate().find(|(i, n)| *i as u32 != **n) {
            return Err(self.error(format!("%{i} is never defined, but greater ones are")));
        }
        self.kernel.values = values.into_values().collect();
        Ok((numbered, depth))
    }

    /// `input a: 4 x w64 <2^60`.
    fn declaration(&mut self, kind: &str) -> Result<()> {
        self.next();
        let place = self.error("there is already an array of that name");
        let name = self.word("the array's name")?;
        if self.arrays.insert(name, Array(self.kernel.arrays.len() as u32)).is_some() {
            return Err(place);
        }
        self.expect(":")?;
        let len: u32 = self.small("the array's length")?;
        self.expect_word("x")?;
        let info = self.typed()?;
        let ranges = if self.accept_word("each") {
            self.expect("(")?;
            self.list(")", Parser::range)?
        } else {
            vec![info.range]
        };
        let kind = match kind {
            "input" => ArrayKind::Input,
            "output" => ArrayKind::Output,
            "inout" => ArrayKind::InOut,
            "ghost" => ArrayKind::Ghost,
            "local" => ArrayKind::Local,
            _ => {
                self.expect("=")?;
                self.expect("(")?;
                ArrayKind::Table(self.list(")", Parser::number)?)
            }
        };
        if ranges.len() != 1 && ranges.len() != len as usize {
            return Err(self.error(format!("{} ranges for {len} elements", ranges.len())));
        }
        self.kernel.arrays.push(ArrayInfo { name: name.to_string(), ty: info.ty, len, kind, ranges });
        Ok(())
    }
}
