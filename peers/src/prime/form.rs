//! How a peer holds elements in words of 64 bits, and what its functions must give.

use evariste_algorithms::kinds::is_canonical;
use evariste_algorithms::{Layout, Operation};
use evariste_descriptions::{BinaryField, Field, Integers, Modulus, Tower};
use num_bigint::BigUint;

/// How elements lie in words, and what a result promises. Those of towers: coordinate after coordinate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `x·2^(64n) mod p` below p, n words.
    Montgomery,
    /// The same in so many words, of which those above the n lowest are not used.
    MontgomeryIn(u32),
    /// x below p, n words.
    Canonical,
    /// Digits of so many bits, values modulo p: neither digits nor value are the least ones.
    Radix(u32),
    /// Integers of n words, products of 2n.
    Integer,
}

/// All forms.
pub const FORMS: [Form; 9] = [
    Form::Montgomery,
    Form::MontgomeryIn(6),
    Form::Canonical,
    Form::Radix(51),
    Form::Radix(52),
    Form::Radix(56),
    Form::Radix(58),
    Form::Radix(64),
    Form::Integer,
];

impl Form {
    /// The name in symbols: `montgomery`, `montgomery_in_6`, `radix51`, …
    pub fn name(self) -> String {
        match self {
            Form::Montgomery => "montgomery".into(),
            Form::MontgomeryIn(words) => format!("montgomery_in_{words}"),
            Form::Canonical => "canonical".into(),
            Form::Radix(bits) => format!("radix{bits}"),
            Form::Integer => "integer".into(),
        }
    }

    /// What a result promises, for the table: rows of one contract are compared.
    pub fn contract(self) -> &'static str {
        match self {
            Form::Montgomery | Form::MontgomeryIn(_) => "montgomery-canonical",
            Form::Canonical => "canonical",
            Form::Radix(_) => "redundant",
            Form::Integer => "integer",
        }
    }

    /// Does a layout of ours give the same or more?
    pub fn is_met_by(self, layout: &Layout) -> bool {
        match self {
            Form::Montgomery | Form::MontgomeryIn(_) => layout.montgomery.is_some() && !layout.name.ends_with("lazy"),
            Form::Canonical => layout.montgomery.is_none() && layout.saturated() && !layout.name.ends_with("redundant"),
            Form::Radix(_) => layout.montgomery.is_none(),
            Form::Integer => true,
        }
    }

    /// What results in a layout of ours that [meets](Form::is_met_by) it promise.
    pub fn promised(self, field: &Field, layout: &Layout) -> &'static str {
        match self {
            Form::Montgomery | Form::MontgomeryIn(_) if !is_canonical(field, layout) => "montgomery-redundant",
            _ => self.contract(),
        }
    }

    /// Does it apply to this structure?
    pub fn applies(self, field: &Field) -> bool {
        field.get::<Integers>().is_some() == (self == Form::Integer)
    }

    /// Bits of a digit.
    fn radix(self) -> u32 {
        if let Form::Radix(bits) = self { bits } else { 64 }
    }

    /// Words of an operand.
    pub fn words(self, field: &Field) -> usize {
        match field.get::<Tower>() {
            Some(tower) => tower.degree() * self.coordinate(tower.base.bits),
            None => self.coordinate(field.bits()),
        }
    }

    /// Words of a coordinate of so many bits.
    fn coordinate(self, bits: u32) -> usize {
        if let Form::MontgomeryIn(words) = self { words as usize } else { bits.div_ceil(self.radix()) as usize }
    }

    /// Bits of the factor that a coordinate of so many bits is held with.
    pub fn factor(self, bits: u32) -> u32 {
        if matches!(self, Form::Montgomery | Form::MontgomeryIn(_)) { bits.next_multiple_of(64) } else { 0 }
    }

    /// Words of a result.
    pub fn result_words(self, field: &Field) -> usize {
        if self == Form::Integer { 2 * self.words(field) } else { self.words(field) }
    }

    /// An operand in the words of this form; the Montgomery factor is not applied: what lies in the words is what is
    /// multiplied.
    pub fn encode(self, field: &Field, x: &BigUint) -> Vec<u64> {
        match field.get::<Tower>() {
            Some(tower) => {
                let words = self.words(field) / tower.degree();
                tower.unpacked(x).iter().flat_map(|x| self.digits(x, words)).collect()
            }
            None => self.digits(x, self.words(field)),
        }
    }

    fn digits(self, x: &BigUint, words: usize) -> Vec<u64> {
        let low = (BigUint::from(1u8) << self.radix()) - 1u8;
        (0..words as u32).map(|i| ((x >> (i * self.radix())) & &low).iter_u64_digits().next().unwrap_or(0)).collect()
    }

    /// The number in these words.
    pub fn decode(self, words: &[u64]) -> BigUint {
        words.iter().enumerate().map(|(i, word)| BigUint::from(*word) << (i as u32 * self.radix())).sum()
    }

    /// Is this what the operation gives for numbers that lie in the words? Canonical forms: exactly; redundant ones:
    /// modulo p.
    pub fn is_right(self, field: &Field, operation: &Operation, a: &BigUint, b: &BigUint, result: &[u64]) -> bool {
        let b = if *operation == Operation::SQUARE { a } else { b };
        if let Some(tower) = field.get::<Tower>() {
            return self.is_right_in(tower, a, b, result);
        }
        let given = self.decode(result);
        if *operation == Operation::ADD {
            let below = matches!(self, Form::Radix(_)) || given < field.order();
            return below && (given % field.order()) == (a + b) % field.order();
        }
        let product = a * b;
        match field.get::<Modulus>() {
            None => field.get::<BinaryField>().is_none() && given == product,
            Some(m) => match self {
                // given·2^(64n) = a·b, below p: what lies in the words is x·2^(64n).
                Form::Montgomery | Form::MontgomeryIn(_) => {
                    given < m.value && (&given << self.factor(m.bits)) % &m.value == product % &m.value
                }
                Form::Canonical => given == product % &m.value,
                Form::Radix(_) | Form::Integer => given % &m.value == product % &m.value,
            },
        }
    }

    /// As [`Form::is_right`], coordinate by coordinate.
    fn is_right_in(self, tower: &Tower, a: &BigUint, b: &BigUint, result: &[u64]) -> bool {
        let (p, words) = (&tower.base.value, result.len() / tower.degree());
        let factor = self.factor(tower.base.bits);
        let product = tower.ring.multiply(tower.height(), &tower.unpacked(a), &tower.unpacked(b));
        let given = result.chunks(words).map(|words| self.decode(words));
        let right = |(given, product): (BigUint, &BigUint)| given < *p && (given << factor) % p == *product;
        !matches!(self, Form::Radix(_) | Form::Integer) && given.zip(&product).all(right)
    }

    /// The greatest operand: canonical.
    pub fn maximum(self, field: &Field) -> BigUint {
        if field.supplied().is_empty() { field.order() - 1u8 } else { BigUint::default() }
    }
}
