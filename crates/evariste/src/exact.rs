//! What the reference answers alone: operands from texts, exact answers, answers as texts. Towers, curves and pairings
//! have it whether or not there are kernels.

use evariste_algorithms::kinds::exact;
use evariste_algorithms::operation::row::Kind;
use evariste_algorithms::operation::{Holds, Slot};
use evariste_algorithms::{Operation, plans};
use evariste_descriptions::Structure;
use evariste_tune::TuneError;
use evariste_tune::evaluate::{operand_names, reference};
use num_bigint::BigUint;

use crate::error::Error;
use crate::field::Field;

impl Field {
    /// Has it layouts, in which kernels may be written?
    pub fn has_kernels(&self) -> bool {
        !self.layouts().is_empty()
    }

    /// Nothing, where it has layouts.
    ///
    /// # Errors
    /// [`Error::NoKernels`], with what the reference has.
    pub fn with_kernels(&self) -> Result<(), Error> {
        if self.has_kernels() {
            return Ok(());
        }
        let names: Vec<String> = exact(self.spec()).iter().map(Operation::name).collect();
        Err(Error::NoKernels { field: self.called(), operations: names.join(", ") })
    }

    /// Has an operation a plan in some layout?
    pub fn has_plans(&self, operation: &Operation) -> bool {
        self.layouts().iter().any(|layout| !plans(self.spec(), layout, operation).is_empty())
    }

    /// Is it a stream cipher, of which packages have functions on bytes?
    pub fn has_streams(&self) -> bool {
        evariste_tune::stream_cipher::is_stream_cipher(self.spec())
    }

    /// Are operands such that kernels take them? Those of hash functions take messages of so many words.
    pub fn kernels_take(&self, operands: &[BigUint]) -> bool {
        evariste_algorithms::hash::fits(&**self.spec(), operands)
    }

    /// The operands that texts mean: numbers, lists of coordinates, points. A point may be two texts; what is left out
    /// at the end is the base point, where there is one.
    ///
    /// # Errors
    /// Texts that mean nothing or something outside of the field or the curve; too many or too few.
    ///
    /// ```
    /// use evariste::{Field, Op};
    ///
    /// let curve = Field::parse("curve:secp256k1")?;
    /// let double = curve.evaluable_named("mul")?;
    /// let numbers = curve.operands(&double, &["2"])?;
    /// assert_eq!(Some(&numbers[1]), curve.spec().generator().as_ref());
    /// # Ok::<(), evariste::Error>(())
    /// ```
    pub fn operands(&self, operation: &Operation, texts: &[impl AsRef<str>]) -> Result<Vec<BigUint>, Error> {
        let texts: Vec<&str> = texts.iter().map(AsRef::as_ref).collect();
        if exact(self.spec()).is_empty() {
            return texts.into_iter().map(|text| Ok(self.element(text)?.value().clone())).collect();
        }
        let slots = operation.row().inputs;
        let help = match operation.row().kind {
            Kind::Ciphers | Kind::Hashes => "a string is hexadecimal digits, and \"\" where it has none",
            _ => "a point is [X, Y], or X and Y, or infinity; an element of a tower is a list of coordinates",
        };
        let count = || {
            let names: Vec<&str> = slots.iter().map(|slot| slot.name).collect();
            TuneError::Operand(format!(
                "`{}` takes {} ({}), and got {}\nhelp: {help}",
                operation.name(),
                many(slots.len(), "operand"),
                names.join(", "),
                many(texts.len(), "text")
            ))
        };
        let (mut rest, mut operands) = (&texts[..], Vec::new());
        for slot in slots {
            let of = self.structure_of(slot).ok_or_else(count)?;
            let Some(first) = rest.first() else {
                let left_out = matches!(slot.holds, Holds::Part(_));
                operands.push(of.generator().filter(|_| left_out).ok_or_else(count)?);
                continue;
            };
            if slot.holds == Holds::Flag {
                let is = matches!(first.trim(), "0" | "1").then(|| BigUint::from(u32::from(first.trim() == "1")));
                let wrong = || TuneError::Operand(format!("the {} is `{first}`\nhelp: write 0 or 1", slot.name));
                operands.push(is.ok_or_else(wrong)?);
                rest = &rest[1..];
                continue;
            }
            let texts = of.texts(first);
            let half = || {
                TuneError::Operand(format!("nothing follows `{first}`, the first half of {}\nhelp: {help}", slot.name))
            };
            let text = if texts == 1 { (*first).to_owned() } else { rest.get(..texts).ok_or_else(half)?.join(", ") };
            rest = &rest[texts..];
            operands.push(self.read(of, &text)?);
        }
        if rest.is_empty() { Ok(operands) } else { Err(count().into()) }
    }

    /// What a text means among the elements of a structure; a number is one of the field's.
    fn read(&self, of: &dyn Structure, text: &str) -> Result<BigUint, Error> {
        match of.read(text, 0..text.len()) {
            Some(element) => Ok(element?),
            None => Ok(self.element(text)?.value().clone()),
        }
    }

    /// The result that a text means.
    ///
    /// # Errors
    /// A text that means nothing, or something outside of the field or the curve.
    pub fn result(&self, operation: &Operation, text: &str) -> Result<BigUint, Error> {
        match operation.row().outputs.first().and_then(|slot| self.structure_of(slot)) {
            Some(of) if !exact(self.spec()).is_empty() => self.read(of, text),
            _ => Ok(self.element(text)?.value().clone()),
        }
    }

    /// What a slot's elements are of.
    fn structure_of(&self, slot: &Slot) -> Option<&dyn Structure> {
        match slot.holds {
            Holds::Part(part) => self.spec().part(part),
            _ => Some(&**self.spec()),
        }
    }

    /// An operand or a result as a text, where it is more than a number.
    pub fn written(&self, slot: &Slot, value: &BigUint) -> Option<String> {
        if slot.holds == Holds::Flag { None } else { self.structure_of(slot)?.written(value) }
    }

    /// The answer of the reference.
    ///
    /// # Errors
    /// The wrong number of operands; what the structure does not have.
    ///
    /// ```
    /// let field = evariste::Field::parse("bls12-381-fp2")?;
    /// let square = field.evaluable_named("square")?;
    /// let answer = field.reference(&square, &field.operands(&square, &["[0, 1]"])?)?;
    /// assert_eq!(field.element("[-1, 0]")?.value(), &answer);
    /// # Ok::<(), evariste::Error>(())
    /// ```
    pub fn reference(&self, operation: &Operation, numbers: &[BigUint]) -> Result<BigUint, Error> {
        let names = operand_names(self.spec(), operation);
        if !names.is_empty() && names.len() != numbers.len() {
            let expected = names.iter().map(|name| name.to_string()).collect();
            return Err(Error::OperandCount { operation: operation.name(), expected, given: numbers.len() });
        }
        Ok(reference(self.spec(), operation, numbers)?)
    }
}

/// `1 text`, `2 texts`.
fn many(count: usize, of: &str) -> String {
    if count == 1 { format!("1 {of}") } else { format!("{count} {of}s") }
}
