//! What operands of curves are beside points: scalars, and first coordinates.

use std::ops::Range;

use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer;

use crate::limits::MAXIMUM_BITS;
use crate::lists::{coordinate, integer, trimmed};
use crate::{Diagnostic, Field, Structure};

/// Natural numbers by which points are multiplied; a negative one is that modulo the order, where it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Scalars {
    /// The order of the base point.
    pub order: Option<BigUint>,
}

impl Structure for Scalars {
    fn name(&self) -> String {
        "scalars".to_owned()
    }

    fn text(&self) -> String {
        self.name()
    }

    fn description(&self) -> String {
        format!("natural numbers of at most {MAXIMUM_BITS} bits")
    }

    fn bits(&self) -> u32 {
        MAXIMUM_BITS
    }

    fn read(&self, text: &str, within: Range<usize>) -> Option<Result<BigUint, Diagnostic>> {
        let within = trimmed(text, within);
        let error = |message: String, help: String| Diagnostic::new(text, within.clone(), message).with_help(help);
        let checked = integer(text, within.clone()).and_then(|value| {
            if value.bits() > u64::from(MAXIMUM_BITS) {
                let message = format!("a scalar of {} bits is too long", value.bits());
                return Err(error(message, format!("write at most {MAXIMUM_BITS} bits")));
            }
            match (value.sign(), &self.order) {
                (Sign::Minus, Some(order)) => Ok(value.mod_floor(&BigInt::from(order.clone())).magnitude().clone()),
                (Sign::Minus, None) => {
                    let message = "a negative scalar means one modulo the order, which is not known".to_owned();
                    Err(error(message, "write a natural number, or describe the curve with its order".to_owned()))
                }
                _ => Ok(value.magnitude().clone()),
            }
        });
        Some(checked)
    }

    fn written(&self, a: &BigUint) -> Option<String> {
        Some(format!("{a:#x}"))
    }
}

/// Elements of the field of coordinates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Coordinates {
    /// The field.
    pub field: Field,
}

impl Structure for Coordinates {
    fn name(&self) -> String {
        self.field.name()
    }

    fn text(&self) -> String {
        self.field.text()
    }

    fn called(&self) -> String {
        self.field.called()
    }

    fn description(&self) -> String {
        self.field.description()
    }

    fn bits(&self) -> u32 {
        self.field.bits()
    }

    fn order(&self) -> BigUint {
        self.field.order()
    }

    fn read(&self, text: &str, within: Range<usize>) -> Option<Result<BigUint, Diagnostic>> {
        Some(coordinate(&*self.field, text, within))
    }

    fn written(&self, a: &BigUint) -> Option<String> {
        self.field.written(a).or_else(|| Some(format!("{a:#x}")))
    }
}

/// First coordinates of points, on the curve or on its twist. As RFC 7748 says, bits that only fill the last byte are
/// dropped, and what is too large is taken modulo p.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Abscissae {
    /// The field of coordinates.
    pub field: Field,
    /// That of the base point.
    pub base: Option<BigUint>,
}

impl Structure for Abscissae {
    fn name(&self) -> String {
        self.field.name()
    }

    fn text(&self) -> String {
        self.field.text()
    }

    fn called(&self) -> String {
        self.field.called()
    }

    fn description(&self) -> String {
        self.field.description()
    }

    fn bits(&self) -> u32 {
        self.field.bits()
    }

    fn order(&self) -> BigUint {
        self.field.order()
    }

    fn read(&self, text: &str, within: Range<usize>) -> Option<Result<BigUint, Diagnostic>> {
        self.field.read(text, within.clone()).or_else(|| {
            Some(integer(text, within.clone()).and_then(|value| {
                let bytes = u64::from(self.bits().div_ceil(8));
                let what = format!("a first coordinate has at most {bytes} bytes and is not negative");
                let error = Diagnostic::new(text, within, what).with_help("write a number such as 9 or 0x1f");
                let natural = value.to_biguint().filter(|natural| natural.bits() <= 8 * bytes).ok_or(error)?;
                let kept = BigInt::from(natural % (BigUint::from(1u32) << self.bits()));
                Ok(self.field.element(&kept).unwrap_or_default())
            }))
        })
    }

    fn written(&self, a: &BigUint) -> Option<String> {
        self.field.written(a).or_else(|| Some(format!("{a:#x}")))
    }

    fn generator(&self) -> Option<BigUint> {
        self.base.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Part;

    /// A number is an element of the field, and no point that lacks a coordinate.
    #[test]
    fn elements_of_the_field_are_read_as_numbers_and_lists() {
        for (curve, text, coordinates) in
            [("curve:p256", "-1", 1), ("curve:25519", "5", 1), ("curve:bls12-381-g2", "[1, 2]", 2)]
        {
            let field = Field::parse(curve).expect("a curve");
            let part = field.part(Part::Coordinates).expect("a field");
            let element = part.read(text, 0..text.len()).expect("it is read").expect("an element");
            assert!(element < BigUint::from(1u32) << part.bits(), "{curve}");
            assert_eq!(part.written(&element).map(|text| text.matches("0x").count()), Some(coordinates), "{curve}");
            assert!(part.read("nothing", 0..7).is_some_and(|read| read.is_err()), "{curve}");
        }
    }
}
