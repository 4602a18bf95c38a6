//! Towers as a kind of structure: names, lines of explanation, elements as text, arithmetic by name.

use std::ops::Range;

use num_bigint::{BigInt, BigUint};
use num_traits::Zero;

use super::Tower;
use super::ring::Element;
use crate::digest::digest;
use crate::lists::{coordinate, items, trimmed};
use crate::{Diagnostic, Structure};

impl Structure for Tower {
    fn name(&self) -> String {
        self.named.map_or_else(
            || {
                let text = BigUint::from_bytes_le(self.text().as_bytes());
                format!("{}-tower{}-{:08x}", self.base.name(), self.degree(), digest(&text))
            },
            |named| named.name.to_owned(),
        )
    }

    fn text(&self) -> String {
        self.named.map_or_else(|| format!("{}{}", self.base.called(), self.floors), |named| named.name.to_owned())
    }

    fn title(&self) -> String {
        match self.named {
            Some(named) => format!("{} ({}{})", named.name, named.base, named.floors),
            None => self.text(),
        }
    }

    fn description(&self) -> String {
        let mut lines = vec![
            self.title(),
            format!(
                "a field: a tower of degree {} over {}, a prime of {} bits; polynomials are irreducible",
                self.degree(),
                self.base.called(),
                self.base.bits
            ),
            format!(
                "elements: {} coordinates, as {}; of the lowest power of the highest variable first",
                self.degree(),
                self.shape(self.height())
            ),
        ];
        lines.extend(self.named.map(|named| format!("source: {}", named.source)));
        lines.join("\n")
    }

    fn bits(&self) -> u32 {
        self.base.bits * self.degree() as u32
    }

    fn order(&self) -> BigUint {
        self.base.value.pow(self.degree() as u32)
    }

    fn element(&self, integer: &BigInt) -> Option<BigUint> {
        let packed = integer.to_biguint().filter(|packed| packed.bits() <= u64::from(self.bits()))?;
        (self.packed(&self.unpacked(&packed)) == packed).then_some(packed)
    }

    fn coordinates(&self) -> u32 {
        self.degree() as u32
    }

    fn read(&self, text: &str, within: Range<usize>) -> Option<Result<BigUint, Diagnostic>> {
        Some(self.read_floor(self.height(), text, within).map(|coordinates| self.packed(&coordinates)))
    }

    fn written(&self, a: &BigUint) -> Option<String> {
        Some(self.write_floor(self.height(), &self.unpacked(a)))
    }

    fn multiply(&self, a: &BigUint, b: &BigUint) -> Option<BigUint> {
        Some(self.packed(&self.ring.multiply(self.height(), &self.unpacked(a), &self.unpacked(b))))
    }

    fn add(&self, a: &BigUint, b: &BigUint) -> Option<BigUint> {
        Some(self.packed(&self.ring.add(&self.unpacked(a), &self.unpacked(b))))
    }

    fn negate(&self, a: &BigUint) -> Option<BigUint> {
        Some(self.packed(&self.ring.negate(&self.unpacked(a))))
    }

    fn canonical(&self, a: &BigUint) -> Option<BigUint> {
        Some(self.packed(&self.unpacked(a)))
    }

    fn inverse(&self, a: &BigUint) -> Option<BigUint> {
        Some(self.packed(&self.ring.inverse(self.height(), &self.unpacked(a))?))
    }
}

impl Tower {
    /// The shape of an element of a floor: `[[_, _], [_, _]]`, or how many numbers it has.
    fn shape(&self, floor: usize) -> String {
        let lists = (1..=floor).rev().map(|floor| format!("{} of", self.ring.floors[floor - 1].polynomial.len()));
        format!("lists of {}", lists.collect::<Vec<_>>().join(" lists of ").trim_end_matches(" of"))
    }

    /// The element of a floor at this place: a list of its coefficients, or a flat one of all coordinates, or one number.
    fn read_floor(&self, floor: usize, text: &str, within: Range<usize>) -> Result<Element, Diagnostic> {
        let Some(items) = items(text, within.clone())? else {
            return Ok(self.ring.constant(floor, &coordinate(&self.base, text, within)?));
        };
        let all = self.ring.size(floor);
        let degree = if floor == 0 { 0 } else { self.ring.floors[floor - 1].polynomial.len() };
        let parts = if items.len() == degree {
            items.into_iter().map(|item| self.read_floor(floor - 1, text, item)).collect::<Result<Vec<_>, _>>()?
        } else if floor > 0 && items.len() == all {
            items.into_iter().map(|item| self.read_floor(0, text, item)).collect::<Result<Vec<_>, _>>()?
        } else if floor == 0 {
            let message = "a number should stand here, not a list";
            return Err(Diagnostic::new(text, trimmed(text, within), message)
                .with_help(format!("a coordinate is a number of {}", self.base.called())));
        } else {
            let message = format!("a list of {} stands here in an element of {}", items.len(), self.called());
            let flat = if all == degree { String::new() } else { format!(", or one of {all} numbers") };
            return Err(Diagnostic::new(text, trimmed(text, within), message)
                .with_help(format!("write a list of {degree}{flat}: [1, 0x2, …]")));
        };
        Ok(parts.concat())
    }

    /// An element of a floor as it is written.
    fn write_floor(&self, floor: usize, a: &[BigUint]) -> String {
        if floor == 0 {
            return format!("{:#x}", a.first().unwrap_or(&BigUint::zero()));
        }
        let parts = a.chunks(self.ring.size(floor - 1)).map(|part| self.write_floor(floor - 1, part));
        format!("[{}]", parts.collect::<Vec<_>>().join(", "))
    }
}
