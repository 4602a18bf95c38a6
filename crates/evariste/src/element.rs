//! Elements of a field, with the reference arithmetic: exact, slow, and obviously right. To compute fast, emit a
//! package.

use std::fmt;
use std::ops;

use evariste_descriptions::Integers;
use num_bigint::BigUint;
use num_traits::Zero;

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
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Element {
    field: Field,
    value: BigUint,
}

impl Element {
    /// `value` must be canonical.
    pub(crate) fn new(field: Field, value: BigUint) -> Element {
        Element { field, value }
    }

    /// The field.
    pub fn field(&self) -> &Field {
        &self.field
    }

    /// The canonical value.
    pub fn value(&self) -> &BigUint {
        &self.value
    }

    /// Is it zero?
    pub fn is_zero(&self) -> bool {
        self.value.is_zero()
    }

    fn same_field(&self, other: &Element) -> Result<(), Error> {
        if self.field == other.field {
            return Ok(());
        }
        Err(Error::MixedFields { left: self.field.called(), right: other.field.called() })
    }

    fn no_modulus(&self) -> Error {
        Error::NoModulus { field: self.field.called() }
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
        self.defined(self.field.spec().add(&self.value, &other.value))
    }

    /// `self − other`.
    ///
    /// # Errors
    /// Operands of different fields; for plain integers a negative difference.
    pub fn sub(&self, other: &Element) -> Result<Element, Error> {
        self.same_field(other)?;
        if self.field.spec().get::<Integers>().is_some() && other.value > self.value {
            return Err(Error::OutOfRange {
                what: format!("{self} - {other}"),
                why: "it is negative".into(),
                help: "plain integers are not negative".into(),
            });
        }
        self.defined(self.field.spec().subtract(&self.value, &other.value))
    }

    /// `self · other`.
    ///
    /// # Errors
    /// Operands of different fields; for plain integers a product of more bits than they have.
    pub fn mul(&self, other: &Element) -> Result<Element, Error> {
        self.same_field(other)?;
        self.defined(self.field.spec().multiply(&self.value, &other.value))
    }

    /// `self²`.
    ///
    /// # Errors
    /// For plain integers a square of more bits than they have.
    pub fn square(&self) -> Result<Element, Error> {
        self.mul(self)
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
        let inverse = self.field.spec().inverse(&self.value);
        let error = || Error::NoInverse { element: self.to_string(), field: self.field.called() };
        self.with(inverse.ok_or_else(error)?)
    }
}

/// The canonical value in decimal; `{:#x}` for hexadecimal is that of [`Element::value`].
impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.value, f)
    }
}

impl fmt::Debug for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} in {}", self.value, self.field.called())
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
