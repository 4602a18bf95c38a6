//! Text to statements.

use super::lexer::Token;
use super::parse::{Parser, Result};
use crate::kernel::{Carried, Counter, Index, Loop, Stmt, Value, View};
use crate::op::{self, Op, Public};

/// Deepest nesting of loops, and of tables in indices.
const MAX_DEPTH: u32 = 32;

impl<'a> Parser<'a> {
    /// Statements up to `}` (which is taken), and what the block yields.
    pub(super) fn block(&mut self, depth: u32) -> Result<(Vec<Stmt>, Vec<Value>)> {
        if depth > MAX_DEPTH {
            return Err(self.error(format!("loops nest deeper than {MAX_DEPTH}")));
        }
        let mut body = Vec::new();
        loop {
            match (self.peek(), self.peek_second()) {
                (Token::Sign("}"), _) => {
                    self.next();
                    return Ok((body, Vec::new()));
                }
                (Token::Word("yield"), Token::Sign("%")) => {
                    self.next();
                    return Ok((body, self.list("}", Parser::value)?));
                }
                (Token::Word("for"), Token::Word(_)) => {
                    let stmt = self.repeat(Vec::new(), depth)?;
                    body.push(stmt);
                }
                (Token::Word("call"), Token::Decimal(_)) => {
                    let stmt = self.call()?;
                    body.push(stmt);
                }
                (Token::Word(_), _) => {
                    let array = self.array()?;
                    self.expect("[")?;
                    let index = self.index(0)?;
                    self.expect("]")?;
                    self.expect("=")?;
                    body.push(Stmt::Store { array, index, value: self.value()? });
                }
                (Token::Sign("%"), _) => {
                    let stmt = self.assignment(depth)?;
                    body.push(stmt);
                }
                _ => return Err(self.expected("a statement or \"}\"")),
            }
        }
    }

    /// `%3`.
    fn value(&mut self) -> Result<Value> {
        self.expect("%")?;
        self.small("a value's number").map(Value)
    }

    /// `%3: w64 <2^60`.
    fn definition(&mut self) -> Result<Value> {
        let place = self.error("this value is already defined");
        let v = self.value()?;
        self.expect(":")?;
        let info = self.typed()?;
        if self.values.insert(v.0, info).is_some() {
            return Err(place);
        }
        Ok(v)
    }

    /// `%1: w64, %2: flag = …`.
    fn assignment(&mut self, depth: u32) -> Result<Stmt> {
        let results = self.list("=", Parser::definition)?;
        let Token::Word(w) = self.peek() else { return Err(self.expected("an operation or an array")) };
        if w == "for" && matches!(self.peek_second(), Token::Word(_)) {
            return self.repeat(results, depth);
        }
        if self.peek_second() == Token::Sign("[") {
            let [result] = results[..] else { return Err(self.error("a load has one result")) };
            let array = self.array()?;
            self.expect("[")?;
            let index = self.index(0)?;
            self.expect("]")?;
            return Ok(Stmt::Load { result, array, index });
        }
        let place = self.expected("an operation or an array");
        self.next();
        let op = match self.operation(w)? {
            Some(op) => op,
            None => return Err(place),
        };
        let mut args = Vec::new();
        // Operands end where the next statement's definition begins: after an operand without a comma.
        if self.peek() == Token::Sign("%") && op.operands() != Some(0) {
            args.push(self.value()?);
            while self.accept(",") {
                args.push(self.value()?);
            }
        }
        Ok(Stmt::Op { op, args, results })
    }

    /// The operation of that name with its public part; `None` when there is none.
    fn operation(&mut self, name: &str) -> Result<Option<Op>> {
        let Some(row) = op::find(name) else { return Ok(None) };
        if let Public::Nothing(make) = row.public {
            return Ok(Some(make()));
        }
        self.expect("(")?;
        let op = match row.public {
            Public::Nothing(make) => make(),
            Public::Constant => Op::Const(self.number()?),
            Public::Bits(make) | Public::FactorBits(make) => make(self.small("a number of bits")?),
            Public::Amount(make) => make(self.index(0)?),
            Public::Images(make) => {
                let images = self.magnitude()?;
                make(u64::try_from(&images).map_err(|_| self.error("the images of eight bits are 64 bits"))?)
            }
            Public::Table(make) => make(self.array()?),
        };
        self.expect(")")?;
        Ok(Some(op))
    }

    /// `for i0 in 0..4 carry %1: w64 = %0 { … yield %5 }`.
    fn repeat(&mut self, results: Vec<Value>, depth: u32) -> Result<Stmt> {
        self.expect_word("for")?;
        let place = self.expected("a counter (i0, i1, …)");
        let Some(counter) = Parser::counter(self.word("a counter")?) else { return Err(place) };
        self.expect_word("in")?;
        if self.small::<u32>("0")? != 0 {
            return Err(self.error("counters start at 0"));
        }
        self.expect("..")?;
        let count = self.small("the trip count")?;
        let mut inner = Vec::new();
        if self.accept_word("carry") {
            inner = self.list("{", |p| {
                let v = p.definition()?;
                p.expect("=")?;
                Ok((v, p.value()?))
            })?;
        } else {
            self.expect("{")?;
        }
        let place = self.error("the loop's results, carried values and yields differ in number");
        let (body, next) = self.block(depth + 1)?;
        if results.len() != inner.len() || next.len() != inner.len() {
            return Err(place);
        }
        let carried = results
            .into_iter()
            .zip(inner)
            .zip(next)
            .map(|((result, (inner, init)), next)| Carried { init, inner, next, result })
            .collect();
        Ok(Stmt::Loop(Loop { counter: Counter(counter), count, carried, body }))
    }

    /// `call 0 name(r, a[i0..], b[2 mod .. by t])`.
    fn call(&mut self) -> Result<Stmt> {
        self.expect_word("call")?;
        let place = self.error("the kernel has no callee of that number and name");
        let callee: u32 = self.small("a callee's number")?;
        let name = self.word("the callee's name")?;
        if self.kernel.callees.get(callee as usize).is_none_or(|k| k.name != name) {
            return Err(place);
        }
        self.expect("(")?;
        let args = self.list(")", |p| {
            let array = p.array()?;
            if !p.accept("[") {
                return Ok(View::whole(array));
            }
            let start = p.index(0)?;
            p.expect("..")?;
            let order = if p.accept_word("by") { Some(p.array()?) } else { None };
            p.expect("]")?;
            Ok(View { array, start, order })
        })?;
        Ok(Stmt::Call { callee, args })
    }

    /// `i0*3 - i1 + t[i0] + 5 mod`.
    fn index(&mut self, depth: u32) -> Result<Index> {
        if depth > MAX_DEPTH {
            return Err(self.error(format!("tables nest deeper than {MAX_DEPTH}")));
        }
        let mut index = Index::default();
        let mut base: Option<i64> = None;
        let mut negative = self.accept("-");
        loop {
            match (self.peek(), self.peek_second()) {
                (Token::Decimal(_), _) => {
                    let place = self.error("an index has one constant part");
                    let n = self.signed(negative)?;
                    if base.replace(n).is_some() {
                        return Err(place);
                    }
                }
                (Token::Word(_), Token::Sign("[")) => {
                    let place = self.error("an index has at most one table, which is added");
                    let table = self.array()?;
                    self.expect("[")?;
                    let inner = self.index(depth + 1)?;
                    self.expect("]")?;
                    if negative || index.table.replace((table, Box::new(inner))).is_some() {
                        return Err(place);
                    }
                }
                (Token::Word(w), _) => {
                    let Some(c) = Parser::counter(w) else { return Err(self.expected("an index")) };
                    self.next();
                    let k = if self.accept("*") {
                        self.signed(negative)?
                    } else if negative {
                        -1
                    } else {
                        1
                    };
                    index.terms.push((Counter(c), k));
                }
                _ => return Err(self.expected("an index")),
            }
            negative = self.accept("-");
            if !negative && !self.accept("+") {
                break;
            }
        }
        index.base = base.unwrap_or(0);
        index.modulo = self.accept_word("mod");
        Ok(index)
    }

    /// A decimal number with a sign before it, as `i64`.
    fn signed(&mut self, negative: bool) -> Result<i64> {
        let place = self.error("the number does not fit 64 bits");
        let n: u64 = self.small("a number")?;
        let n = if negative { -i128::from(n) } else { i128::from(n) };
        i64::try_from(n).map_err(|_| place)
    }
}
