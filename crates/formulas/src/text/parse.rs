//! Text to formulas.

use std::sync::Arc;

use super::line::{MOST_POWER, WORDS};
use crate::expression::Expression;
use crate::formula::{
    Bit, Characteristic, Constant, Definition, Formula, Group, Known, Line, Output, OutputGroup, Step, Value,
};
use crate::lexer::{Lexer, SyntaxError, Token};
use crate::verify::{RESERVED, verify};

type Result<T> = std::result::Result<T, SyntaxError>;

/// Longest text, in bytes.
const MOST_TEXT: usize = 1 << 24;

/// Greatest number in a text: scales, multiples, numbers of elements.
const MOST: u32 = 1 << 24;

pub(super) fn parse(text: &str) -> Result<Formula> {
    if text.len() > MOST_TEXT {
        let message = format!("the text is longer than {MOST_TEXT} bytes");
        return Err(SyntaxError { line: 1, column: 1, message });
    }
    let mut parser = Parser { lexer: Lexer::new(text)?, formula: empty(), next: 0 };
    let mut known: Vec<Arc<Formula>> = Vec::new();
    loop {
        let place = parser.lexer.error("");
        let numbered = parser.formula(&known)?;
        let formula = std::mem::replace(&mut parser.formula, empty());
        verify(&formula).map_err(|d| SyntaxError { message: d.to_string(), ..place })?;
        if numbered {
            known.push(Arc::new(formula));
        } else if parser.lexer.peek() == Token::End {
            return Ok(formula);
        } else {
            return Err(parser
                .lexer
                .error("the text goes on after the formula without a number, which must be the last"));
        }
    }
}

fn empty() -> Formula {
    Formula {
        name: String::new(),
        computes: String::new(),
        source: String::new(),
        characteristic: Characteristic::Any,
        inputs: Vec::new(),
        bits: Vec::new(),
        constants: Vec::new(),
        callees: Vec::new(),
        steps: Vec::new(),
        outputs: Vec::new(),
        scale: 1,
        definition: Definition::default(),
    }
}

struct Parser<'a> {
    lexer: Lexer<'a>,
    formula: Formula,
    /// The number of the next result.
    next: u32,
}

impl Parser<'_> {
    /// One formula; whether it has a number.
    fn formula(&mut self, known: &[Arc<Formula>]) -> Result<bool> {
        self.lexer.expect_word("formula")?;
        let numbered = self.lexer.accept("@");
        if numbered {
            let at = self.lexer.small("the number", MOST)?;
            if at as usize != known.len() {
                return Err(self.lexer.error(format!("formulas are numbered in order: this is @{}", known.len())));
            }
        }
        self.formula.name = self.name()?;
        self.lexer.expect("{")?;
        self.lexer.expect_word("computes")?;
        self.formula.computes = self.lexer.text("a text in quotation marks")?.to_string();
        self.lexer.expect_word("source")?;
        self.formula.source = self.lexer.text("a text in quotation marks")?.to_string();
        self.lexer.expect_word("characteristic")?;
        self.formula.characteristic = self.characteristic()?;
        self.declarations(known)?;
        while matches!(self.lexer.peek(), Token::Word(word) if WORDS.contains(&word)) {
            let line = Line::read(&mut self.lexer)?;
            self.formula.definition.0.push(line);
        }
        self.next = self.formula.first_result().0;
        while self.lexer.peek() == Token::Sign("%") {
            self.step()?;
        }
        while self.lexer.accept_word("output") {
            self.output()?;
        }
        self.lexer.expect("}")?;
        Ok(numbered)
    }

    /// `toom-3i`
    fn name(&mut self) -> Result<String> {
        let mut name = String::new();
        loop {
            match self.lexer.next() {
                Token::Word(part) | Token::Number(part) => name.push_str(part),
                _ => return Err(self.lexer.expected("the formula's name")),
            }
            if !self.lexer.accept("-") {
                return Ok(name);
            }
            name.push('-');
        }
    }

    fn characteristic(&mut self) -> Result<Characteristic> {
        if self.lexer.accept_word("any") {
            return Ok(Characteristic::Any);
        }
        let not = self.lexer.accept_word("not");
        if self.lexer.peek() != Token::Number("2") {
            return Err(self.lexer.expected("\"any\", \"not 2\" or \"2\""));
        }
        self.lexer.next();
        Ok(if not { Characteristic::NotTwo } else { Characteristic::Two })
    }

    fn declarations(&mut self, known: &[Arc<Formula>]) -> Result<()> {
        while self.lexer.accept_word("input") {
            let name = self.lexer.word("a name")?.to_string();
            self.lexer.expect(":")?;
            let mut elements = vec![self.lexer.word("a name")?.to_string()];
            while matches!(self.lexer.peek(), Token::Word(_)) && !self.begins_a_line() {
                elements.push(self.lexer.word("a name")?.to_string());
            }
            self.formula.inputs.push(Group { name, elements });
        }
        while self.lexer.accept_word("bit") {
            let name = self.lexer.word("a name")?.to_string();
            self.formula.bits.push(name);
        }
        while self.lexer.accept_word("constant") {
            let name = self.lexer.word("a name")?.to_string();
            let power = if self.lexer.accept("^") { self.lexer.small("the exponent", MOST_POWER)? } else { 0 };
            let known = if power > 0 {
                self.lexer.expect("=")?;
                Known::Root { power, is: Expression::read(&mut self.lexer)? }
            } else if self.lexer.accept("=") {
                Known::Is(Expression::read(&mut self.lexer)?)
            } else {
                Known::Free
            };
            self.formula.constants.push(Constant { name, known });
        }
        if self.lexer.accept_word("callees") {
            while self.lexer.accept("@") {
                let at = self.lexer.small("the number", MOST)?;
                let Some(callee) = known.get(at as usize) else {
                    return Err(self.lexer.error(format!("there is no formula @{at} before this one")));
                };
                self.formula.callees.push(callee.clone());
            }
        }
        if self.lexer.accept_word("scale") {
            self.formula.scale = self.lexer.small("the scale", MOST)?;
        }
        Ok(())
    }

    /// Is the next word one that no element may have for its name?
    fn begins_a_line(&self) -> bool {
        matches!(self.lexer.peek(), Token::Word(word) if RESERVED.contains(&word))
    }

    /// `%7`, or the name of an input or a constant.
    fn operand(&mut self) -> Result<Value> {
        if self.lexer.accept("%") {
            let place = self.lexer.error("");
            let v = self.lexer.small("the number of the element", MOST)?;
            if v >= self.next {
                return Err(SyntaxError { message: format!("%{v} comes later"), ..place });
            }
            return Ok(Value(v));
        }
        let name = self.lexer.word("an element")?;
        let inputs = self.formula.input_count();
        let constant = || self.formula.constants.iter().position(|c| c.name == name).map(|i| i + inputs);
        match self.formula.input_names().position(|n| n == name).or_else(constant) {
            Some(at) => Ok(Value(at as u32)),
            None => Err(self.lexer.error(format!("there is no input or constant {name:?}"))),
        }
    }

    fn bit(&mut self) -> Result<Bit> {
        let name = self.lexer.word("a bit")?;
        match self.formula.bits.iter().position(|b| b == name) {
            Some(at) => Ok(Bit(at as u32)),
            None => Err(self.lexer.error(format!("there is no bit {name:?}"))),
        }
    }

    /// `%5 = a0 + %4`
    fn step(&mut self) -> Result<()> {
        let mut results = 0;
        loop {
            self.lexer.expect("%")?;
            let at = self.lexer.small("the number of the result", MOST)?;
            if at != self.next + results {
                return Err(self
                    .lexer
                    .error(format!("results are numbered in order: this is %{}", self.next + results)));
            }
            results += 1;
            if !self.lexer.accept(",") {
                break;
            }
        }
        self.lexer.expect("=")?;
        let step = self.operation()?;
        if self.formula.results(&step) != results as usize {
            let count = self.formula.results(&step);
            return Err(self.lexer.error(format!("the step before has {count} results, and {results} are named")));
        }
        self.next += results;
        self.formula.steps.push(step);
        Ok(())
    }

    fn operation(&mut self) -> Result<Step> {
        match self.lexer.peek() {
            Token::Sign("-") => {
                self.lexer.next();
                return Ok(Step::Neg(self.operand()?));
            }
            Token::Number(_) => {
                let k = self.lexer.small("the factor", MOST)?;
                if k == 1 && self.lexer.accept("/") {
                    return Ok(Step::Invert(self.operand()?));
                }
                self.lexer.expect("*")?;
                let a = self.operand()?;
                return Ok(if k == 2 { Step::Double(a) } else { Step::Small(k, a) });
            }
            Token::Word("select" | "swap") => {
                let select = self.lexer.next() == Token::Word("select");
                let bit = self.bit()?;
                self.lexer.expect(",")?;
                let a = self.operand()?;
                self.lexer.expect(",")?;
                let b = self.operand()?;
                return Ok(if select { Step::Select(bit, a, b) } else { Step::Swap(bit, a, b) });
            }
            Token::Word("call") => return self.call(),
            _ => {}
        }
        let a = self.operand()?;
        if self.lexer.accept("+") {
            Ok(Step::Add(a, self.operand()?))
        } else if self.lexer.accept("-") {
            Ok(Step::Sub(a, self.operand()?))
        } else if self.lexer.accept("*") {
            let b = self.operand()?;
            let constant = self.formula.as_constant(a).is_some();
            Ok(if constant { Step::MulConstant(a, b) } else { Step::Mul(a, b) })
        } else if self.lexer.accept("/") {
            self.two().map(|()| Step::Halve(a))
        } else if self.lexer.accept("^") {
            self.two().map(|()| Step::Square(a))
        } else {
            Err(self.lexer.expected("a step: +, -, *, / 2 or ^2 behind an element"))
        }
    }

    fn two(&mut self) -> Result<()> {
        if self.lexer.peek() != Token::Number("2") {
            return Err(self.lexer.expected("2"));
        }
        self.lexer.next();
        Ok(())
    }

    fn call(&mut self) -> Result<Step> {
        self.lexer.expect_word("call")?;
        let callee = self.lexer.small("the place of the callee", MOST)?;
        let name = self.name()?;
        if self.formula.callees.get(callee as usize).is_none_or(|callee| callee.name != name) {
            return Err(self.lexer.error(format!("callee {callee} is not {name}")));
        }
        self.lexer.expect("(")?;
        let mut arguments = Vec::new();
        while !self.lexer.accept(")") {
            if !arguments.is_empty() {
                self.lexer.expect(",")?;
            }
            arguments.push(self.operand()?);
        }
        Ok(Step::Call { callee, arguments })
    }

    /// `r: r0 = %5, r1 = a0`
    fn output(&mut self) -> Result<()> {
        let name = self.lexer.word("a name")?.to_string();
        self.lexer.expect(":")?;
        let mut elements = Vec::new();
        loop {
            let name = self.lexer.word("a name")?.to_string();
            self.lexer.expect("=")?;
            elements.push(Output { name, value: self.operand()? });
            if !self.lexer.accept(",") {
                break;
            }
        }
        self.formula.outputs.push(OutputGroup { name, elements });
        Ok(())
    }
}
