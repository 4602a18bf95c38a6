//! Elements of a field: big integers with the reference arithmetic, exact, slow, and obviously right; and words, as soon
//! as there is machine code for them. Each is made of the other where it is asked for.

use std::borrow::Cow;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops;
use std::sync::{Arc, OnceLock};

use evariste_descriptions::Integers;
use num_bigint::BigUint;
use num_traits::Zero;

use crate::arithmetic::{Arithmetic, Words};
use crate::error::Error;
use crate::field::Field;

/// An element of a [`Field`], in its canonical form: below p, below 2^bits for plain integers, and for binary fields
/// the number whose bit i is the coefficient of the basis element B_i.
///
/// The methods return an error where operands belong to different fields. The operators `+ - *` and unary `-` on
/// references are for code that works in one field.
///
/// ```
/// use evariste::Field;
///
/// let field = Field::parse("2^255 - 19")?;
/// let (a, b) = (field.element("5")?, field.element("-1")?);
/// assert_eq!(a.add(&b)?.to_string(), "4");
/// assert_eq!(&(&a * &b) + &a, field.element("0")?);
/// assert_eq!(a.mul(&a.inverse()?)?.to_string(), "1");
///
/// let other = Field::parse("p256")?.element("5")?;
/// assert!(a.mul(&other).is_err());
/// # Ok::<(), evariste::Error>(())
/// ```
#[derive(Clone)]
pub struct Element {
    field: Field,
    /// At least one of the two is set.
    value: OnceLock<BigUint>,
    /// In the form of the field's arithmetic.
    words: OnceLock<Words>,
}

impl Element {
    /// `value` must be canonical.
    pub(crate) fn new(field: Field, value: BigUint) -> Element {
        Element { field, value: value.into(), words: OnceLock::new() }
    }

    fn of_words(field: Field, words: Words) -> Element {
        Element { field, value: OnceLock::new(), words: words.into() }
    }

    /// The field.
    pub fn field(&self) -> &Field {
        &self.field
    }

    /// The canonical value.
    pub fn value(&self) -> &BigUint {
        self.value.get_or_init(|| {
            // Words come of the arithmetic only.
            let made = self.field.slot.prepared(self.field.spec()).zip(self.words.get());
            made.map_or_else(BigUint::zero, |(arithmetic, words)| arithmetic.value(words))
        })
    }

    /// The words for an arithmetic, which is that of `field`: another field with the same description may have another.
    fn words(&self, arithmetic: &Arithmetic, field: &Field) -> Cow<'_, Words> {
        if Arc::ptr_eq(&self.field.slot, &field.slot) {
            Cow::Borrowed(self.words.get_or_init(|| arithmetic.words(self.value())))
        } else {
            Cow::Owned(arithmetic.words(self.value()))
        }
    }

    /// Is it zero?
    pub fn is_zero(&self) -> bool {
        match (self.words.get(), self.field.slot.arithmetic(self.field.spec(), 0)) {
            (Some(words), Some(arithmetic)) => arithmetic.is_zero(words),
            _ => *self.value() == self.field.spec().zero(),
        }
    }

    /// By machine code, where there is some.
    fn fast(&self, run: impl Fn(&Arithmetic, &Words) -> Option<Words>) -> Option<Element> {
        let arithmetic = self.field.slot.arithmetic(self.field.spec(), 1)?;
        let words = run(arithmetic, &self.words(arithmetic, &self.field))?;
        Some(Element::of_words(self.field.clone(), words))
    }

    fn fast_pair(
        &self,
        other: &Element,
        run: impl Fn(&Arithmetic, &Words, &Words) -> Option<Words>,
    ) -> Option<Element> {
        self.fast(|arithmetic, a| run(arithmetic, a, &other.words(arithmetic, &self.field)))
    }

    fn same_field(&self, other: &Element) -> Result<(), Error> {
        if Arc::ptr_eq(&self.field.slot, &other.field.slot) || self.field == other.field {
            return Ok(());
        }
        Err(Error::MixedFields { left: self.field.called(), right: other.field.called() })
    }

    fn no_modulus(&self) -> Error {
        let field = self.field.called();
        if self.field.takes_modulus() {
            return Error::NoModulus { field };
        }
        let known: Vec<String> = self.field.evaluable().iter().map(|(op, _)| op.name()).collect();
        Error::NotApplicable { plan: "this operation".into(), why: format!("{field} has {}", known.join(", ")) }
    }

    /// What the structure gives; without a modulus it gives nothing.
    fn defined(&self, value: Option<BigUint>) -> Result<Element, Error> {
        self.with(value.ok_or_else(|| self.no_modulus())?)
    }

    fn with(&self, value: BigUint) -> Result<Element, Error> {
        self.field.element_from(value)
    }

    /// `self + other`.
    ///
    /// # Errors
    /// Operands of different fields; for plain integers a sum of more bits than they have.
    pub fn add(&self, other: &Element) -> Result<Element, Error> {
        self.same_field(other)?;
        match self.fast_pair(other, Arithmetic::add) {
            Some(sum) => Ok(sum),
            None => self.defined(self.field.spec().add(self.value(), other.value())),
        }
    }

    /// `self − other`.
    ///
    /// # Errors
    /// Operands of different fields; for plain integers a negative difference.
    pub fn sub(&self, other: &Element) -> Result<Element, Error> {
        self.same_field(other)?;
        if let Some(difference) = self.fast_pair(other, Arithmetic::sub) {
            return Ok(difference);
        }
        if self.field.spec().get::<Integers>().is_some() && other.value() > self.value() {
            return Err(Error::OutOfRange {
                what: format!("{self} - {other}"),
                why: "it is negative".into(),
                help: "plain integers are not negative".into(),
            });
        }
        self.defined(self.field.spec().subtract(self.value(), other.value()))
    }

    /// `self · other`.
    ///
    /// # Errors
    /// Operands of different fields; for plain integers a product of more bits than they have.
    pub fn mul(&self, other: &Element) -> Result<Element, Error> {
        self.same_field(other)?;
        match self.fast_pair(other, Arithmetic::mul) {
            Some(product) => Ok(product),
            None => self.defined(self.field.spec().multiply(self.value(), other.value())),
        }
    }

    /// `self²`.
    ///
    /// # Errors
    /// For plain integers a square of more bits than they have.
    pub fn square(&self) -> Result<Element, Error> {
        self.fast(Arithmetic::square).map_or_else(|| self.mul(self), Ok)
    }

    /// `−self`.
    ///
    /// # Errors
    /// For plain integers other than 0: they are not negative.
    pub fn neg(&self) -> Result<Element, Error> {
        self.field.zero().sub(self)
    }

    /// `self^exponent`, with `self^0 = 1`.
    ///
    /// # Errors
    /// For plain integers a power of more bits than they have.
    ///
    /// ```
    /// use evariste::{BigUint, Field};
    /// let a = Field::parse("mersenne61")?.element("3")?;
    /// // Fermat: a^(p − 1) = 1.
    /// assert_eq!(a.pow(&BigUint::from((1u64 << 61) - 2))?.to_string(), "1");
    /// # Ok::<(), evariste::Error>(())
    /// ```
    pub fn pow(&self, exponent: &BigUint) -> Result<Element, Error> {
        // (Each prefix of a power of integers is no more than the power, so what does not fit is met here.)
        (0..exponent.bits()).rev().try_fold(self.field.one(), |power, i| {
            let square = power.square()?;
            if exponent.bit(i) { square.mul(self) } else { Ok(square) }
        })
    }

    /// The element whose product with this one is 1.
    ///
    /// # Errors
    /// For zero, for other elements that are no units (of a composite modulus), and for plain integers other than 1.
    pub fn inverse(&self) -> Result<Element, Error> {
        if self.field.takes_modulus() {
            return Err(self.no_modulus());
        }
        let error = || Error::NoInverse { element: self.to_string(), field: self.field.called() };
        self.with(self.field.spec().inverse(self.value()).ok_or_else(error)?)
    }
}

/// Elements of one field with the same value.
impl PartialEq for Element {
    fn eq(&self, other: &Element) -> bool {
        let own = Arc::ptr_eq(&self.field.slot, &other.field.slot);
        match (self.words.get(), other.words.get(), self.field.slot.arithmetic(self.field.spec(), 0)) {
            (Some(a), Some(b), Some(arithmetic)) if own => arithmetic.equal(a, b),
            _ => self.field == other.field && self.value() == other.value(),
        }
    }
}

impl Eq for Element {}

impl Hash for Element {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.field.hash(state);
        self.value().hash(state);
    }
}

/// The canonical value in decimal, of towers and curves the coordinates in hexadecimal; `{:#x}` for hexadecimal is that
/// of [`Element::value`].
impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.field.spec().written(self.value()) {
            Some(text) => f.write_str(&text),
            None => fmt::Display::fmt(self.value(), f),
        }
    }
}

impl fmt::Debug for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self} in {}", self.field.called())
    }
}

macro_rules! operator {
    ($trait:ident, $method:ident, $symbol:literal) => {
        #[doc = concat!("`a ", $symbol, " b` of references, for elements of one field.")]
        ///
        /// # Panics
        /// Where the method of the same name returns an error: when the operands belong to different fields, and for
        /// plain integers when the result is not one of their values. Use the method where that can happen.
        impl ops::$trait for &Element {
            type Output = Element;

            fn $method(self, other: &Element) -> Element {
                match Element::$method(self, other) {
                    Ok(result) => result,
                    Err(error) => panic!("{error}"),
                }
            }
        }
    };
}

operator!(Add, add, "+");
operator!(Sub, sub, "-");
operator!(Mul, mul, "*");

/// `-a` of a reference.
///
/// # Panics
/// For plain integers other than 0; use [`Element::neg`] where that can happen.
impl ops::Neg for &Element {
    type Output = Element;

    fn neg(self) -> Element {
        match Element::neg(self) {
            Ok(result) => result,
            Err(error) => panic!("{error}"),
        }
    }
}
