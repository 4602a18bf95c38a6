//! Text to contracts.

use std::sync::Arc;

use num_bigint::{BigInt, BigUint};
use num_traits::Zero;

use super::ParseError;
use super::lexer::Token;
use super::parse::{Parser, Result};
use crate::contract::{Below, BitMap, Claim, Digit, Fact, Modulo, Multiplication, Operand, Polynomial};
use crate::divsteps::PARTS;
use crate::recurrence::{BitOf, Recurrence};
use crate::ring::Ring;

impl<'a> Parser<'a> {
    /// The lines `given`, `where` and `gives`.
    pub(super) fn contract(&mut self) -> Result<()> {
        while let (Token::Word(w @ ("given" | "gives" | "where")), Token::Word(_)) = (self.peek(), self.peek_second()) {
            self.next();
            if w == "where" {
                let number = self.input()?;
                if let Some(below) = self.below()? {
                    let place = self.expected("the name of an input number");
                    self.kernel.contract.inputs.get_mut(number as usize).ok_or(place)?.below = Some(below);
                    continue;
                }
                let times = if self.accept("*") { Some(self.input()?) } else { None };
                self.expect("=")?;
                let polynomial = self.polynomial()?;
                self.expect_word("mod")?;
                let modulus = self.number()?;
                self.kernel.contract.facts.push(Fact { number, times, polynomial, modulus });
                continue;
            }
            let mut operand = self.operand()?;
            if w == "given" {
                self.kernel.contract.inputs.push(operand);
            } else {
                operand.below = self.below()?;
                self.expect(":")?;
                let claim = self.claim(operand)?;
                self.kernel.contract.claims.push(claim);
            }
        }
        Ok(())
    }

    /// `name <= bound = digits + digits`.
    fn operand(&mut self) -> Result<Operand> {
        let name = self.word("the number's name")?.to_string();
        self.expect("<=")?;
        let bound = self.number()?;
        self.expect("=")?;
        let mut digits = Vec::new();
        if self.peek_second() != Token::Sign("[") && self.accept_word("nothing") {
            return Ok(Operand { name, digits, bound, below: None });
        }
        loop {
            let array = self.array()?;
            self.expect("[")?;
            let first: u32 = self.small("an element's number")?;
            let end = if self.accept("..") { Some(self.small::<u32>("an element's number")?) } else { None };
            self.expect("]")?;
            let bits =
                if self.accept_word("low") { Some(self.small::<u32>("the number of bits that count")?) } else { None };
            self.expect("*")?;
            if self.small::<u32>("2^weight")? != 2 {
                return Err(self.error("the weight is a power of 2"));
            }
            self.expect("^")?;
            let weight = self.exponent()?;
            let step = match end {
                Some(_) => {
                    self.expect_word("step")?;
                    self.exponent()?
                }
                None => 0,
            };
            self.expect_word("max")?;
            let max = self.number()?;
            let count = end.unwrap_or(first.saturating_add(1)).saturating_sub(first);
            self.spend((count as usize).saturating_mul(size_of::<Digit>() + max.bits() as usize / 8))?;
            for i in 0..count {
                let Some(weight) = step.checked_mul(i).and_then(|s| s.checked_add(weight)) else {
                    return Err(self.error("the weights are too large"));
                };
                digits.push(Digit { array, index: first + i, weight, max: max.clone(), bits });
            }
            if !self.accept("+") {
                return Ok(Operand { name, digits, bound, below: None });
            }
        }
    }

    /// `< multiple * number`, where a bound that is known when the kernel runs stands.
    fn below(&mut self) -> Result<Option<Below>> {
        if !self.accept("<") {
            return Ok(None);
        }
        let multiple = self.small("the multiple")?;
        self.expect("*")?;
        Ok(Some(Below { multiple, number: self.input()? }))
    }

    /// The name or `#number` of an input number.
    fn input(&mut self) -> Result<u32> {
        if self.accept("#") {
            return self.small("an input's number");
        }
        let place = self.expected("the name of an input number");
        let name = self.word("the name of an input number")?;
        self.kernel.contract.inputs.iter().position(|o| o.name == name).map(|i| i as u32).ok_or(place)
    }

    fn polynomial(&mut self) -> Result<Polynomial> {
        let mut terms = Vec::new();
        if self.accept_word("nothing") {
            return Ok(Polynomial(terms));
        }
        let mut negative = self.accept("-");
        loop {
            let mut coefficient = BigInt::from(1);
            let mut factors = Vec::new();
            if matches!(self.peek(), Token::Decimal(_) | Token::Hex(_) | Token::Sign("(")) {
                coefficient = self.magnitude()?;
            } else {
                factors.push(self.input()?);
            }
            while self.accept("*") {
                factors.push(self.input()?);
            }
            terms.push((if negative { -coefficient } else { coefficient }, factors));
            negative = self.accept("-");
            if !negative && !self.accept("+") {
                return Ok(Polynomial(terms));
            }
        }
    }

    /// A number, or an input number.
    fn modulo(&mut self) -> Result<Modulo> {
        let constant = matches!(self.peek(), Token::Decimal(_) | Token::Hex(_) | Token::Sign("(" | "-"));
        if constant { self.number().map(Modulo::Constant) } else { self.input().map(Modulo::Input) }
    }

    fn rows(&mut self) -> Result<Arc<Vec<Vec<u32>>>> {
        self.expect("(")?;
        let rows = self.list(")", |p| {
            p.expect("(")?;
            p.list(")", |p| p.small("a coordinate"))
        })?;
        Ok(Arc::new(rows))
    }

    fn claim(&mut self, output: Operand) -> Result<Claim> {
        let place = self.expected(
            "a promise (value, equal, zero, power, linear, bilinear, rotating, polynomial, iterate, divsteps, step)",
        );
        Ok(match self.word("a promise")? {
            "value" => {
                let factor = self.number()?;
                self.expect_word("it")?;
                self.expect("=")?;
                let polynomial = self.polynomial()?;
                let modulus = if self.accept_word("mod") { Some(self.modulo()?) } else { None };
                Claim::Value { output, factor, polynomial, modulus }
            }
            "equal" => Claim::Equal { output, left: self.input()?, right: Some(self.input()?) },
            "zero" => Claim::Equal { output, left: self.input()?, right: None },
            "power" => {
                let base = self.input()?;
                self.expect("^")?;
                let exponent: BigUint = self.magnitude()?.try_into().unwrap_or_else(|_| BigUint::zero());
                let product = if self.accept_word("under") {
                    Multiplication::Bits(self.product_map()?)
                } else {
                    self.expect_word("factor")?;
                    let factor = self.number()?;
                    self.expect_word("mod")?;
                    Multiplication::Modular { factor, modulus: self.number()? }
                };
                Claim::Power { output, base, exponent, product }
            }
            "polynomial" => {
                self.expect_word("under")?;
                let map = self.product_map()?;
                self.expect_word("it")?;
                self.expect("=")?;
                Claim::Polynomial { output, polynomial: self.polynomial()?, map }
            }
            "iterate" => {
                let component = self.small("a component of the state")?;
                Claim::Iterate { output, recurrence: Arc::new(self.recurrence()?), component }
            }
            "divsteps" => {
                let place = self.expected("a part of division steps (zeta, u, v, q, r)");
                let name = self.word("a part of division steps")?;
                let part = PARTS.iter().find(|(known, _)| *known == name).ok_or(place)?.1;
                self.expect_word("after")?;
                Claim::Divsteps { output, part, count: self.small("the number of steps")? }
            }
            "step" => Claim::Step { output, name: self.word("the step's name")?.to_string() },
            name => Claim::Bits { output, map: self.map(name, place)? },
        })
    }

    /// `of count steps mod m from (…), or `under` a map in the place of `mod m`: `(…) bits (…) by (…)`.
    fn recurrence(&mut self) -> Result<Recurrence> {
        self.expect_word("of")?;
        let count = self.small("the number of steps")?;
        self.expect_word("steps")?;
        let ring = if self.accept_word("under") {
            Ring::Bits(self.product_map()?)
        } else {
            self.expect_word("mod")?;
            Ring::Integers(self.number()?)
        };
        self.expect_word("from")?;
        self.expect("(")?;
        let start = self.list(")", |p| p.polynomial())?;
        self.expect_word("bits")?;
        self.expect("(")?;
        let bits = self.list(")", |p| {
            let (number, first) = (p.input()?, p.small("a bit's number")?);
            let negative = p.accept("-");
            let stride: i32 = p.small("the distance of the next step's bit")?;
            Ok(BitOf { number, first, stride: if negative { -stride } else { stride } })
        })?;
        self.expect_word("by")?;
        self.expect("(")?;
        let step = self.list(")", |p| p.polynomial())?;
        Ok(Recurrence { start, step, bits, count, ring })
    }

    /// A map of two operands.
    fn product_map(&mut self) -> Result<BitMap> {
        let place = self.expected("a map (bilinear, convolution, rotating)");
        let name = self.word("a map")?;
        self.map(name, place)
    }

    /// The rows of a map of that name, or an error at its place.
    fn map(&mut self, name: &str, place: ParseError) -> Result<BitMap> {
        Ok(match name {
            "linear" => BitMap::Linear(self.rows()?),
            "bilinear" => BitMap::Bilinear(self.rows()?),
            "convolution" => BitMap::Convolution(self.rows()?),
            "rotating" => BitMap::RotatingBilinear(self.rows()?),
            _ => return Err(place),
        })
    }
}
