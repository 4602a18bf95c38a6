//! A prime field as faces see it, and how it fills their texts.

use num_bigint::BigInt;
use num_traits::One;

use super::super::super::words::Shape;
use super::super::machine::fastest;
use super::super::notation::{Rust, words};
use crate::package::{Content, Units};

/// A prime field as faces see it: the type of elements, the modulus, the units.
#[derive(Debug)]
pub struct Field<'a> {
    /// The type of elements.
    pub shape: Shape<'a>,
    /// The modulus.
    pub modulus: &'a BigInt,
    /// Its units.
    pub units: &'a Units,
    /// Bytes of an element.
    pub bytes: usize,
}

impl<'a> Field<'a> {
    /// What every face needs: a prime field of more than eight bits, the operations of a field, and bytes.
    pub fn of(content: &'a Content<'a>) -> Result<Field<'a>, String> {
        let prime = "faces are of prime fields of more than 8 bits\nhelp: leave --faces out";
        let shape = Shape::of(content).ok_or("the package has no product\nhelp: add mul to --ops")?;
        let elements = shape.numbers.ok_or(prime)?;
        let units = elements.units.as_ref().filter(|_| elements.modulus.bits() > 8).ok_or(prime)?;
        let methods = ["mul", "square", "add", "sub", "neg", "invert"];
        let there = methods.iter().all(|name| shape.method(name).is_some()) && shape.canonical_by().is_some();
        let bytes = shape.bytes().filter(|_| there);
        let bytes = bytes.ok_or("operations of the field are missing\nhelp: leave --ops out, so that all are there")?;
        Ok(Field { shape, modulus: &elements.modulus, units, bytes })
    }

    /// A number as the words of its element.
    pub fn element(&self, x: &BigInt) -> String {
        let reduced = ((x % self.modulus) + self.modulus) % self.modulus;
        words(&self.shape.words_of(&reduced).unwrap_or_default())
    }

    /// A number in n words of 64 bits.
    pub fn plain(&self, x: &BigInt, n: usize) -> String {
        let word = |i: usize| Rust::number(&((x >> (64 * i)) % (BigInt::one() << 64)));
        format!("[{}]", (0..n).map(word).collect::<Vec<_>>().join(", "))
    }

    /// Words of 64 bits of the modulus.
    pub fn words(&self) -> usize {
        self.modulus.bits().div_ceil(64) as usize
    }

    /// Is the element in Montgomery form with R = 2^(64 n), one number in n whole words?
    pub fn is_montgomery(&self) -> bool {
        let whole = BigInt::one() << (64 * self.words());
        self.is_whole() && self.shape.numbers.is_some_and(|numbers| numbers.factor == whole)
    }

    /// Is the element one number below the modulus, in whole words of 64 bits?
    pub fn is_whole(&self) -> bool {
        self.shape.bits == 64
            && self.shape.len as usize == self.words()
            && self.shape.numbers.is_some_and(|numbers| {
                numbers.canonical && numbers.weights.iter().enumerate().all(|(i, w)| *w as usize == 64 * i)
            })
    }

    /// `x^-1`.
    pub fn inverse(&self, x: &BigInt) -> BigInt {
        x.modpow(&(self.modulus - 2), self.modulus)
    }

    /// The function that computes an operation soonest, as modules call it.
    fn fastest(&self, operation: &str) -> String {
        format!("super::{}", fastest(self.shape.content, operation))
    }

    /// Fills what every text may name, and more: `@NAME@` stands for a value.
    pub fn fill(&self, text: &str, more: &[(&str, String)]) -> String {
        let all = [
            ("PREFIX", self.shape.prefix().to_string()),
            ("LEN", self.shape.len.to_string()),
            ("WORD", format!("u{}", self.shape.bits)),
            ("BYTES", self.bytes.to_string()),
            ("MODULUS", format!("{:#x}", self.modulus)),
            ("GENERATOR", self.element(&self.units.generator)),
            ("TWOS", self.units.twos.to_string()),
            ("ROOT", self.element(&self.units.root)),
            ("OF_GENERATOR", generator(self.units)),
            ("MUL", self.fastest("mul")),
            ("SQUARE", self.fastest("square")),
            ("INV", self.fastest("inv")),
        ];
        let fill = |text: String, (name, value): &(&str, String)| text.replace(&format!("@{name}@"), value);
        let text = more.iter().fold(text.to_string(), fill);
        all.iter().fold(text, fill)
    }
}

/// What is known of the generator.
fn generator(units: &Units) -> String {
    let known = match units.complete {
        true => "is of order p - 1".to_string(),
        false => "has a root of no small prime order left: p - 1 is not factored further".to_string(),
    };
    format!("{} {known}", units.generator)
}
